"""What is taken of a submitted folder, what is set aside, and the words for it."""

import os
import shutil
import signal
import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from headway.chapters import CHAPTERS, released_notebook
from headway.grading.intake import folder as reading
from headway.grading.intake.submission import Missing, SetAside, take_snapshot
from headway.grading.nbgrader.staging import StagingFolder

NAME = CHAPTERS[0].name


@pytest.fixture
def folder(tmp_path):
    """A submission that is in order."""
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / f"{NAME}.ipynb").write_bytes(released_notebook(CHAPTERS[0]).read_bytes())
    return folder


def refused(folder, student="ada"):
    """Why a folder is set aside."""
    with pytest.raises(SetAside) as reason:
        take_snapshot(folder, NAME, student)
    assert str(reason.value).endswith(".")
    assert str(reason.value).isprintable()
    return str(reason.value)


def test_all_that_was_handed_in_is_taken(folder):
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "data" / "deep" / "prices.csv").write_bytes(b"1,2\n")
    (folder / "helper\u202fone.py").write_bytes(b"x = 1\n")
    (folder / "other.ipynb").write_bytes(b"{}")
    (folder / "timestamp.txt").write_text("2026-03-31 12:00:00 UTC\n")
    for hidden in (".ipynb_checkpoints", ".git", "__pycache__"):
        (folder / hidden).mkdir()
        (folder / hidden / "x.pyc").write_bytes(b"x")
    (folder / ".link").symlink_to("/etc/passwd")
    snapshot = take_snapshot(folder, NAME, "ada")
    assert snapshot.notebook == released_notebook(CHAPTERS[0]).read_bytes()
    assert snapshot.files == {"data/deep/prices.csv": b"1,2\n", "helper\u202fone.py": b"x = 1\n"}
    assert snapshot.timestamp == datetime(2026, 3, 31, 12, tzinfo=UTC)
    assert snapshot.notes == ()


def test_the_digest_tells_of_every_change_and_of_nothing_else(folder, tmp_path):
    def digest():
        return take_snapshot(folder, NAME, "ada").digest

    (folder / "ab").write_bytes(b"c")
    seen = [digest()]
    copied = shutil.copytree(folder, tmp_path / "copy")
    (copied / ".hidden").write_bytes(b"x")
    assert take_snapshot(copied, NAME, "bob").digest == seen[0]
    (folder / "ab").write_bytes(b"d")
    seen.append(digest())
    (folder / "ab").rename(folder / "a")
    (folder / "a").write_bytes(b"bc")
    seen.append(digest())
    (folder / "timestamp.txt").write_text("2026-03-31 12:00:00 UTC")
    seen.append(digest())
    (folder / f"{NAME}.ipynb").write_bytes(b"{}")
    assert len({*seen, digest()}) == 5


@pytest.mark.parametrize(
    ("name", "renamed"),
    [
        (f"{NAME} (1).ipynb", f"{NAME} (1)"),
        ("HOMEWORK.IPYNB", ""),
        (f"{NAME}.ipynb.txt", ""),
        ("below/mine.ipynb", ""),
    ],
)
def test_the_only_notebook_is_taken_under_any_name(folder, name, renamed):
    (folder / "below").mkdir()
    (folder / f"{NAME}.ipynb").rename(folder / name)
    (folder / "data.csv").write_bytes(b"1")
    snapshot = take_snapshot(folder, NAME, "ada")
    assert snapshot.notebook == released_notebook(CHAPTERS[0]).read_bytes()
    assert snapshot.files == {"data.csv": b"1"}
    assert snapshot.notes == (f"{name} was taken for {NAME}.ipynb.",)
    assert snapshot.renamed == renamed, "which nbgrader's exchange takes for a notebook"


def test_of_several_other_notebooks_none_is_taken(folder):
    notebook = folder / f"{NAME}.ipynb"
    shutil.copy(notebook, folder / "b.ipynb")
    notebook.rename(folder / "a.ipynb")
    assert "several other notebooks: a.ipynb, b.ipynb." in refused(folder)


def test_only_where_nothing_was_handed_in_it_is_missing_and_not_set_aside(folder, tmp_path):
    (folder / f"{NAME}.ipynb").rename(folder / "answers.docx")
    assert "Handed in answers.docx: a text, not a notebook." in refused(folder)
    (folder / "answers.docx").unlink()
    for own in ("timestamp.txt", "submission_secret.txt"):  # nbgrader's
        (folder / own).touch()
    with pytest.raises(Missing, match=r"The folder is empty\."):
        take_snapshot(folder, NAME, "ada")
    for nowhere in (tmp_path / "bob", tmp_path / "bob" / NAME):
        with pytest.raises(Missing, match=r"Nothing was handed in\."):
            take_snapshot(nowhere, NAME, "bob")


def special(path: Path, kind: str) -> None:
    """Put what is no plain file in a place."""
    links = {"link": released_notebook(CHAPTERS[0]), "broken link": "nowhere"}
    links |= {"link to a folder": "/etc", "device": "/dev/zero"}
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        os.chdir(path.parent)  # the name of a socket is of limited length
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(links[kind])


KINDS = ["pipe", "socket", "link", "broken link", "link to a folder", "device"]


@pytest.mark.parametrize("name", [f"{NAME}.ipynb", "data.csv", "deep/data.csv", "timestamp.txt"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_plain_file_is_set_aside_at_once(folder, name, kind, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "deep").mkdir()
    (folder / name).unlink(missing_ok=True)
    special(folder / name, kind)
    expected = "a link" if "link" in kind or kind == "device" else "no plain file"
    assert f"{name} is {expected}. Expected the file itself." in refused(folder)


@pytest.mark.parametrize("inside", ["", "other.ipynb"])
def test_a_folder_in_the_place_of_the_notebook_is_set_aside(folder, inside):
    moved = (folder / f"{NAME}.ipynb").rename(folder / "moved")
    (folder / f"{NAME}.ipynb").mkdir()
    if inside:
        moved.rename(folder / f"{NAME}.ipynb" / inside)
    assert f"{NAME}.ipynb is a folder" in refused(folder)


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_a_file_exchanged_after_the_look_is_not_read(folder, monkeypatch, kind):
    """Whoever can write there swaps the file between the look at it and its opening."""
    look = os.stat

    def look_then_swap(path, **options):
        seen = look(path, **options)
        if path == "data.csv":
            (folder / path).unlink()
            special(folder / path, kind)
        return seen

    (folder / "data.csv").write_text("1")
    monkeypatch.setattr(reading.os, "stat", look_then_swap)
    signal.alarm(20)  # ends the run, should the reading wait for a pipe's writer
    assert "data.csv" in refused(folder)
    signal.alarm(0)


@pytest.mark.parametrize("level", ["student", "assignment"])
def test_a_folder_that_is_a_link_is_not_followed(folder, tmp_path, level):
    (tmp_path / "real").mkdir()
    shutil.copytree(folder, tmp_path / "real" / NAME)
    if level == "student":
        (tmp_path / "ada").symlink_to(tmp_path / "real")
    else:
        (tmp_path / "ada").mkdir()
        (tmp_path / "ada" / NAME).symlink_to(tmp_path / "real" / NAME)
    assert "is not a folder" in refused(tmp_path / "ada" / NAME)
    (tmp_path / "file").mkdir()
    (tmp_path / "file" / NAME).write_text("x")
    assert "is not a folder" in refused(tmp_path / "file" / NAME)


def test_a_file_that_grows_while_it_is_read_is_set_aside(folder, monkeypatch):
    read = os.read

    def grow(file, size):
        with (folder / f"{NAME}.ipynb").open("ab") as more:
            more.write(b"x" * 100)
        return read(file, size)

    monkeypatch.setattr(reading.os, "read", grow)
    assert "changed while we read it" in refused(folder)


def test_more_than_a_submission_needs_is_set_aside(folder, monkeypatch):
    with (folder / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert "more than 200 MB" in refused(folder)
    os.truncate(folder / "sparse", 60_000_000)
    assert "Without the notebook's outputs, the folder holds more than 50 MB" in refused(folder)
    (folder / "sparse").unlink()
    monkeypatch.setattr(reading, "MAX_ENTRIES", 3)
    for number in range(3):
        (folder / f"{number}").touch()
    assert "more than 3 files" in refused(folder)
    monkeypatch.undo()
    (folder / "/".join("abcdefghij")).mkdir(parents=True)
    take_snapshot(folder, NAME, "ada")
    (folder / "/".join("abcdefghijk")).mkdir(parents=True)
    assert "more than 10 folders deep" in refused(folder)


def test_paths_that_would_not_fit_into_a_message_to_a_worker_are_set_aside(folder):
    deep = folder / ("," * 200) / ("," * 199)
    deep.parent.mkdir()
    deep.touch()
    take_snapshot(folder, NAME, "ada")
    deep.rename(deep.with_name("," * 200))
    assert "more than 400 characters" in refused(folder)


def test_names_that_have_no_room_for_an_ending_are_set_aside(folder):
    (folder / ("ä" * 98 + ".py")).touch()
    snapshot = take_snapshot(folder, NAME, "ada")
    StagingFolder(folder / "staged").put("ada", NAME, snapshot, b"{}")
    shutil.rmtree(folder / "staged")
    (folder / ("ä" * 126 + ".py")).touch()
    assert "more than 200 bytes" in refused(folder)


@pytest.mark.parametrize(
    "name", [b"a\nb", b"\x1b[31m", b"caf\xe9", "\u202etxt.py".encode(), b"\x7f"]
)
def test_names_that_cannot_be_shown_are_set_aside(folder, name):
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).touch()
    assert "cannot be shown" in refused(folder)


@pytest.mark.parametrize("student", ["*", "a,b", "=1", "-x", "a\nb", "..", ""])
def test_a_name_that_is_no_students_is_set_aside(folder, student):
    assert "no student's name" in refused(folder, student)


@pytest.mark.parametrize(
    "content",
    [
        *(b"soon", b"\xff\xfe\x00", b"2026-03-31 12:00:00 99999999999", b"9" * 5_000),
        # A zone that is a path would be opened.
        *(
            b"2026-03-31 12:00:00 " + at
            for at in (b"/etc/localtime", b":/etc/localtime", b"a/../b")
        ),
    ],
)
def test_a_timestamp_that_is_none_is_set_aside(folder, content):
    (folder / "timestamp.txt").write_bytes(content)
    assert "timestamp.txt holds no date and time" in refused(folder)


def test_a_timestamp_of_the_future_is_set_aside(folder):
    for hours, fine in ((23, True), (25, False)):
        moment = datetime.now(UTC) + timedelta(hours=hours)
        (folder / "timestamp.txt").write_text(f"{moment:%Y-%m-%d %H:%M:%S} UTC")
        if fine:
            assert take_snapshot(folder, NAME, "ada").timestamp == moment.replace(microsecond=0)
        else:
            assert "in the future" in refused(folder)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("", None),
        ("2026-03-31 12:00:00 UTC", datetime(2026, 3, 31, 12, tzinfo=UTC)),
        ("2026-03-31 12:00:00.5 +0200", datetime(2026, 3, 31, 10, 0, 0, 500_000, UTC)),
        ("2026-03-31 12:00:00 Europe/Paris", datetime(2026, 3, 31, 10, tzinfo=UTC)),
        ("2026-03-31 12:00:00 -09:30", datetime(2026, 3, 31, 21, 30, tzinfo=UTC)),
    ],
)
def test_a_timestamp_is_read_as_a_moment(folder, text, moment):
    (folder / "timestamp.txt").write_text(text)
    assert take_snapshot(folder, NAME, "ada").timestamp == moment
