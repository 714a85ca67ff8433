"""Control groups in a folder that is laid out as the kernel's; test_boxes.py has the real ones."""

import os
import shutil
from pathlib import Path

import pytest

from headway.grading.sandbox import boxes, cgroups
from headway.grading.sandbox.boxes import KERNEL_BYTES, Box, new_box, place_of_boxes
from headway.grading.sandbox.cgroups import GRADER, Delegated, NotDelegated, divide, find_delegated
from headway.grading.sandbox.limits import Limits

SETTINGS = ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.weight")


def lay_out(folder: Path, controllers: str = "cpuset cpu io memory pids") -> Path:
    """A group, with the files that the kernel would put there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.controllers").write_text(f"{controllers}\n")
    for name in ("cgroup.procs", "cgroup.subtree_control", "cgroup.kill", *SETTINGS):
        (folder / name).touch()
    (folder / "cgroup.type").write_text("domain\n")
    return folder


@pytest.fixture
def system(tmp_path, monkeypatch):
    """The file system of groups with one at "/scope", and who is in it, as in /proc."""
    mounted = lay_out(tmp_path / "cgroup")
    lay_out(mounted / "scope")
    process = tmp_path / "process"
    process.mkdir()
    enter(process, "/scope")
    mounts = (
        f"22 1 0:21 / /proc rw - proc proc rw\n30 22 0:26 / {mounted} rw - cgroup2 cgroup2 rw\n"
    )
    (process / "mountinfo").write_text(mounts)
    marks = {mounted / "scope": b"1"}

    def getxattr(path: Path, name: str) -> bytes:
        if name != "user.delegate" or path not in marks:
            raise OSError(61, "No data available")
        return marks[path]

    monkeypatch.setattr(cgroups.os, "getxattr", getxattr)
    monkeypatch.setattr(cgroups, "PAUSE", 0)
    return mounted, process, marks


def enter(process: Path, path: str) -> None:
    (process / "cgroup").write_text(f"4:memory:/elsewhere\n0::{path}\n")


@pytest.mark.parametrize(
    ("standing", "ours"),
    [("/scope", "scope"), (f"/scope/{GRADER}", "scope"), ("/", "")],
    ids=["marked by systemd", "whose grader has moved", "at the top of what is seen"],
)
def test_a_group_that_is_given_is_found(system, standing, ours):
    mounted, process, _ = system
    enter(process, standing)
    assert find_delegated(process) == Delegated(mounted / ours, ("memory", "cpu", "pids"))


def test_controllers_that_are_not_given_are_not_used(system):
    mounted, process, _ = system
    lay_out(mounted / "scope", "memory pids")
    assert find_delegated(process).controllers == ("memory", "pids")


def test_a_group_that_was_not_given_is_left_alone_though_it_could_be_written_to(system):
    _, process, marks = system
    marks.clear()
    with pytest.raises(NotDelegated, match="doesn't own its control group"):
        find_delegated(process)


def test_without_a_controller_of_memory_there_is_nothing_to_divide(system):
    mounted, process, _ = system
    lay_out(mounted / "scope", "cpu pids")
    with pytest.raises(NotDelegated, match="no controller of memory"):
        find_delegated(process)


def test_a_group_that_may_not_be_written_to_is_not_ours(system, monkeypatch):
    _, process, _ = system
    monkeypatch.setattr(cgroups.os, "access", lambda path, mode: path.name != "cgroup.procs")
    with pytest.raises(NotDelegated, match="may not be written to"):
        find_delegated(process)


@pytest.mark.parametrize(
    ("cgroup", "mounts", "reason"),
    [
        ("4:memory:/\n", None, "no control groups of version 2"),
        (None, "22 1 0:21 / /proc rw - proc proc rw\n", "not visible here"),
        ("0::/../other\n", None, "not visible here"),
    ],
)
def test_a_system_without_groups_is_told_so(system, cgroup, mounts, reason):
    _, process, _ = system
    if cgroup:
        (process / "cgroup").write_text(cgroup)
    if mounts:
        (process / "mountinfo").write_text(mounts)
    with pytest.raises(NotDelegated, match=reason):
        find_delegated(process)


def test_the_part_of_the_file_system_that_a_container_sees_will_do(system):
    mounted, process, _ = system
    enter(process, "/docker/one")
    text = (process / "mountinfo").read_text().replace("0:26 / ", "0:26 /docker/one ")
    (process / "mountinfo").write_text(text)
    assert find_delegated(process).folder == mounted


def test_processes_stand_in_a_group_of_their_own_before_theirs_is_divided(system, monkeypatch):
    mounted, process, _ = system
    scope = mounted / "scope"
    lay_out(scope / GRADER)
    (scope / "cgroup.procs").write_text("10\n11\n")
    moved, write = [], Path.write_text

    def record(path: Path, text: str, *arguments):
        moved.append((path.relative_to(scope).as_posix(), text))
        return write(path, text, *arguments)

    monkeypatch.setattr(Path, "write_text", record)
    divide(find_delegated(process))
    door = f"{GRADER}/cgroup.procs"
    assert moved == [
        *((door, "10"), (door, "11")),
        ("cgroup.subtree_control", "+memory +cpu +pids"),
    ]


def test_a_group_is_divided_once(system):
    mounted, process, _ = system
    (mounted / "scope" / "cgroup.subtree_control").write_text("cpu memory pids\n")
    divide(find_delegated(process))
    assert not (mounted / "scope" / GRADER).exists()


def test_a_kernel_that_refuses_is_no_place_for_boxes(system, monkeypatch):
    mounted, _, _ = system
    control = mounted / "scope" / "cgroup.subtree_control"
    control.unlink()
    control.mkdir()
    found = Delegated(mounted / "scope", ("memory",))
    with pytest.raises(NotDelegated, match="cannot be divided"):
        divide(found)
    monkeypatch.setattr(boxes, "find_delegated", lambda: found)
    place_of_boxes.cache_clear()
    try:
        assert new_box(Limits()) is None
    finally:
        place_of_boxes.cache_clear()


@pytest.fixture
def box(system, monkeypatch):
    """A box of some limits, and its folder; a folder with files in it can be removed, as there."""
    folder = system[0] / "scope" / "box"
    monkeypatch.setattr(cgroups.Group, "_make", lambda group: lay_out(group.folder))
    return Box(folder, Limits(memory_bytes=500 << 20, processes=20)), folder


def test_a_box_has_its_limits_before_anybody_is_in_it(box):
    made, folder = box
    assert {name: (folder / name).read_text() for name in SETTINGS} == {
        "memory.max": str((500 << 20) + KERNEL_BYTES),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "28",
        "cpu.weight": "100",
    }
    assert made.door == folder / "cgroup.procs"
    made.add(7)
    assert made.door.read_text() == "7"


def test_a_setting_that_the_kernel_does_not_have_is_left_out(system, monkeypatch):
    folder = lay_out(system[0] / "scope" / "box")
    (folder / "memory.swap.max").unlink()
    monkeypatch.setattr(cgroups.Group, "_make", lambda group: None)
    Box(folder, Limits())
    assert (folder / "memory.oom.group").read_text() == "1"
    assert not (folder / "memory.swap.max").exists()


def test_what_the_kernel_counted_is_read(box):
    made, folder = box
    assert (made.cpu_seconds, made.is_out_of_memory) == (0, False)
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 7\n")
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 0\n")
    assert (made.cpu_seconds, made.is_out_of_memory) == (1.5, False)
    (folder / "memory.events").write_text("oom 3\noom_kill 1\n")
    assert made.is_out_of_memory


def test_a_box_is_emptied_and_removed_as_soon_as_it_can_be(box, monkeypatch):
    made, folder = box
    kept = iter([False, False, True])

    def rmdir(path: Path):
        assert (path / "cgroup.kill").read_text() == "1"
        if not next(kept):
            raise OSError(16, "Device or resource busy")
        shutil.rmtree(path)

    monkeypatch.setattr(Path, "rmdir", rmdir)
    made.remove()
    assert not folder.exists()
    made.remove()


def test_boxes_of_graders_that_are_gone_are_removed_and_others_stay(system, monkeypatch):
    scope = system[0] / "scope"
    (scope / "cgroup.subtree_control").write_text("cpu memory pids")
    for name in (f"headway-box-{os.getpid()}-0", "headway-box-999999999-0", GRADER):
        (scope / name).mkdir()
    monkeypatch.setattr(boxes, "find_delegated", lambda: Delegated(scope, ("memory",)))
    place_of_boxes.cache_clear()
    try:
        assert place_of_boxes() == Delegated(scope, ("memory",))
        left = {path.name for path in scope.iterdir() if path.is_dir()}
        assert left == {f"headway-box-{os.getpid()}-0", GRADER}
    finally:
        place_of_boxes.cache_clear()
