"""What is collected from the exchange: who handed in and when is the kernel's word alone."""

import errno
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.grading.nbgrader import collect as module
from headway.grading.nbgrader.collect import (
    MOST_ENTRIES,
    MOST_OF_SECRET,
    Collect,
    _is_secret,
    copy_own_files,
    owner_of,
    time_of_arrival,
)
from tests.grading.classroom import gradebook_of

ENOUGH = 1_000_000


@pytest.fixture
def submission(tmp_path) -> Path:
    """A folder as `nbgrader submit` leaves it."""
    folder = tmp_path / "ada+01-one-hot+2026-01-01 00:00:00 UTC+abc"
    (folder / "data").mkdir(parents=True)
    (folder / "01-one-hot.ipynb").write_text("a notebook", encoding="utf-8")
    (folder / "data" / "words.txt").write_text("words", encoding="utf-8")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_ordinary_files_are_copied(submission, tmp_path):
    assert copy_own_files(str(submission), tmp_path / "copy", ENOUGH) == []
    assert names(tmp_path / "copy") == ["01-one-hot.ipynb", "data/words.txt"]


def test_nothing_that_stands_elsewhere_is_copied(submission, tmp_path):
    solution = tmp_path / "source"
    solution.mkdir()
    (solution / "solution.ipynb").write_text("the solution", encoding="utf-8")
    (submission / "link.ipynb").symlink_to(solution / "solution.ipynb")
    (submission / "folder").symlink_to(solution)
    (submission / "nowhere").symlink_to(tmp_path / "is not there")
    os.mkfifo(submission / "pipe")
    left_out = copy_own_files(str(submission), tmp_path / "copy", ENOUGH)
    assert sorted(Path(path).name for path in left_out) == [
        "folder",
        "link.ipynb",
        "nowhere",
        "pipe",
    ]
    assert names(tmp_path / "copy") == ["01-one-hot.ipynb", "data/words.txt"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files to others")
def test_a_file_of_another_account_is_left_out(submission, tmp_path):
    other = submission / "data" / "words.txt"  # as a hard link to a file of somebody else would be
    os.chown(other, 65534, 65534)
    assert copy_own_files(str(submission), tmp_path / "copy", ENOUGH) == [str(other)]
    assert names(tmp_path / "copy") == ["01-one-hot.ipynb"]


def test_what_is_too_large_or_too_much_is_left_out(submission, tmp_path):
    (submission / "large").write_bytes(bytes(ENOUGH + 1))
    left_out = copy_own_files(str(submission), tmp_path / "copy", ENOUGH)
    assert left_out == [str(submission / "large")]
    for number in range(MOST_ENTRIES + 1):
        (submission / "data" / str(number)).touch()
    assert str(submission / "data") in copy_own_files(str(submission), tmp_path / "more", ENOUGH)


def test_a_time_that_is_told_counts_if_the_folder_came_then(submission):
    now = datetime.now(UTC).replace(tzinfo=None)
    assert time_of_arrival(str(submission), now) == now
    for hours in (-1, 1, 700_000):
        told = now + timedelta(hours=hours)
        assert abs(time_of_arrival(str(submission), told) - now) < timedelta(minutes=1)


def test_touching_files_makes_nobody_earlier(submission):
    for path in (submission, *submission.rglob("*")):
        os.utime(path, (0, 0))
    told = datetime(2026, 1, 1)
    assert time_of_arrival(str(submission), told) > told


def test_a_file_that_was_exchanged_later_makes_the_folder_later(submission, monkeypatch):
    told = datetime.now(UTC).replace(tzinfo=None) - timedelta(hours=1)
    old = SimpleNamespace(st_ctime=told.replace(tzinfo=UTC).timestamp())
    monkeypatch.setattr(os, "lstat", lambda path: old)
    assert time_of_arrival(str(submission), told) > told + timedelta(minutes=59)


def test_the_owner_is_who_the_folder_belongs_to(submission):
    assert owner_of(str(submission)) == submission.owner()


def test_a_secret_that_is_no_text_is_replaced(submission):
    secret = submission / "submission_secret.txt"
    for bad in (b"\xff", b"", bytes(MOST_OF_SECRET + 1)):
        secret.write_bytes(bad)
        assert not _is_secret(secret)
    secret.write_text("abc", encoding="utf-8")
    assert _is_secret(secret)


def test_a_deep_tree_is_left_out(submission, tmp_path):
    folder = os.open(submission, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    time_of_arrival(str(submission), datetime(2026, 1, 1))
    assert len(copy_own_files(str(submission), tmp_path / "copy", ENOUGH)) == 1
    assert names(tmp_path / "copy") == ["01-one-hot.ipynb", "data/words.txt"]
    subprocess.run(["rm", "-rf", submission], check=True)  # pytest cannot


@pytest.fixture
def exchange(tmp_path) -> Path:
    """One with a submission of this account, or what looks like one, in many a broken way."""
    inbound = tmp_path / "exchange" / "course" / "inbound"
    inbound.mkdir(parents=True)
    (tmp_path / "exchange").chmod(0o777)
    stem, when = "mallory+01-one-hot", "2026-01-01 00:00:00 UTC"
    (inbound / f"{stem}+garbage+a").mkdir()
    (inbound / f"{stem}+").mkdir()
    (inbound / f"{stem}+{when}+a+b+c").mkdir()
    (inbound / f"{stem}+0001-01-01 00:00:00 +14:00+a").mkdir()
    (inbound / f"{stem}+{when}+file").touch()
    os.mkfifo(inbound / f"{stem}+{when}+pipe")
    (inbound / f"{stem}+{when}+link").symlink_to("/etc")
    (inbound / f"{stem}+{when}+nowhere").symlink_to("/is/not/there")
    (inbound / f"{stem}+{when}+itself").symlink_to(f"{stem}+{when}+itself")
    good = inbound / f"{stem}+2026-01-02 00:00:00 UTC+good"
    good.mkdir()
    (good / "01-one-hot.ipynb").write_text("good", encoding="utf-8")
    return tmp_path / "exchange"


def collector(tmp_path: Path, exchange: Path) -> Collect:
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.course_id = "course"
    config.CourseDirectory.assignment_id = "01-one-hot"
    config.Exchange.root = str(exchange)
    return Collect(CourseDirectory(config=config), config=config)


def test_what_is_no_submission_stops_nobody(exchange, tmp_path):
    collector(tmp_path, exchange).start()
    (collected,) = (tmp_path / "submitted").glob("*/01-one-hot")
    assert (collected / "01-one-hot.ipynb").read_text(encoding="utf-8") == "good"
    # Of its owner, at the time when it came, and with a secret, without which nobody's feedback
    # could be released.
    assert collected.parent.name == owner_of(str(exchange))
    came = datetime.fromisoformat((collected / "timestamp.txt").read_text().removesuffix(" UTC\n"))
    assert abs(came - datetime.now(UTC).replace(tzinfo=None)) < timedelta(minutes=10)
    assert _is_secret(collected / "submission_secret.txt")


@pytest.mark.parametrize("zone", ["CEST", "IST", "+08", "+03", "+0545", "-03"])
def test_a_zone_that_nobody_knows_here_costs_nobody_their_submission(exchange, tmp_path, zone):
    """As an exchange has with `c.Exchange.timezone` for Europe/Berlin in summer, Asia/Singapore."""
    (good,) = (exchange / "course" / "inbound").glob("*+good")
    good.rename(good.with_name(f"mallory+01-one-hot+2026-07-01 12:00:00.000000 {zone}+good"))
    test_what_is_no_submission_stops_nobody(exchange, tmp_path)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        # As `shutil.copytree` tells of all files that it could not copy.
        shutil.Error([("a", "b", "[Errno 28] No space left on device")]),
    ],
)
def test_a_full_disk_stops_and_leaves_nobody_out_in_silence(error, exchange, tmp_path, monkeypatch):
    def full(*_):
        raise error

    monkeypatch.setattr(Collect, "do_copy", full)
    with pytest.raises(OSError, match="No space left"):
        collector(tmp_path, exchange).start()


def test_a_submission_that_cannot_be_copied_stops_nobody(exchange, tmp_path, monkeypatch):
    def gone(*_):
        raise FileNotFoundError

    collect = collector(tmp_path, exchange)
    copies = iter([gone, Collect.do_copy])
    monkeypatch.setattr(Collect, "do_copy", lambda *args: next(copies)(*args))
    monkeypatch.setattr(module, "owner_of", lambda path: Path(path).name.split("+")[0])
    bob = exchange / "course" / "inbound" / "bob+01-one-hot+2026-01-02 00:00:00 UTC+good"
    bob.mkdir()
    collect.start()
    assert len(list((tmp_path / "submitted").glob("*/01-one-hot"))) == 1


@pytest.fixture
def twice(exchange, monkeypatch) -> Path:
    """Ada's punctual submission, and a late one."""
    inbound = exchange / "course" / "inbound"
    for path in inbound.iterdir():
        if not path.is_symlink() and path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    monkeypatch.setattr(module, "owner_of", lambda path: Path(path).name.split("+")[0])
    monkeypatch.setattr(module, "time_of_arrival", lambda path, told: told)
    for day in (1, 2):
        folder = inbound / f"ada+01-one-hot+2026-01-0{day} 00:00:00 UTC+a"
        folder.mkdir()
        (folder / "01-one-hot.ipynb").write_text(f"day {day}", encoding="utf-8")
    return exchange


def collected_of_ada(tmp_path, exchange, *, rule=False, penalty="none", update=False) -> str:
    collect = collector(tmp_path, exchange)
    collect.config.Collecting.last_punctual = rule
    collect.config.LateSubmissionPlugin.penalty_method = penalty
    collect.update = update
    collect.start()
    notebook = tmp_path / "submitted" / "ada" / "01-one-hot" / "01-one-hot.ipynb"
    return notebook.read_text(encoding="utf-8")


def test_by_the_rule_the_last_punctual_submission_counts(twice, tmp_path, caplog):
    with gradebook_of(tmp_path) as book:
        book.add_student("ada")
        book.add_assignment("01-one-hot", duedate=datetime(2026, 1, 1, 12))
    assert collected_of_ada(tmp_path, twice) == "day 2"
    assert "handed in again" not in caplog.text, "being late costs nothing"
    assert collected_of_ada(tmp_path, twice, penalty="zero", update=True) == "day 2"
    assert "'ada' handed in again after the due date" in caplog.text
    assert "the last punctual one came at 2026-01-01 00:00:00 UTC" in caplog.text
    assert not (tmp_path / "collected").exists(), "nothing was changed by hand"
    # Also where the late one had been collected.
    assert collected_of_ada(tmp_path, twice, rule=True) == "day 1"
    with gradebook_of(tmp_path) as book, book.db.no_autoflush:
        book.add_submission("01-one-hot", "ada", extension=timedelta(days=1))
    assert collected_of_ada(tmp_path, twice, rule=True) == "day 2"


def test_what_a_teacher_changed_is_kept_when_a_newer_submission_takes_its_place(
    twice, tmp_path, caplog
):
    (late,) = (twice / "course" / "inbound").glob("*2026-01-02*")
    later = late.rename(tmp_path / "later")
    assert collected_of_ada(tmp_path, twice) == "day 1"
    notebook = tmp_path / "submitted" / "ada" / "01-one-hot" / "01-one-hot.ipynb"
    notebook.write_text("corrected", encoding="utf-8")
    assert collected_of_ada(tmp_path, twice, update=True) == "corrected"
    later.rename(late)
    assert collected_of_ada(tmp_path, twice) == "corrected"
    assert collected_of_ada(tmp_path, twice, update=True) == "day 2"
    kept = tmp_path / "collected" / "01-one-hot" / "ada" / "mine-1"
    assert (kept / "01-one-hot.ipynb").read_text(encoding="utf-8") == "corrected"
    assert "mine-1' now, because there is another submission" in caplog.text
    with gradebook_of(tmp_path) as book:
        book.add_student("ada")
        book.add_assignment("01-one-hot", duedate=datetime(2026, 1, 1, 12))
    assert collected_of_ada(tmp_path, twice, rule=True) == "corrected"
    assert "is your version from" in caplog.text
