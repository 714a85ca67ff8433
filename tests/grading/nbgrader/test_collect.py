"""What is collected from the exchange: who handed in and when is the kernel's word alone."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from headway.grading.nbgrader.collect import MOST_ENTRIES, copy_own_files, owner_of, time_of_arrival

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
    earlier = now - timedelta(hours=1)
    assert abs(time_of_arrival(str(submission), earlier) - now) < timedelta(minutes=1)


def test_touching_files_makes_nobody_earlier(submission):
    for path in (submission, *submission.rglob("*")):
        os.utime(path, (0, 0))
    told = datetime(2026, 1, 1)
    assert time_of_arrival(str(submission), told) > told


def test_the_owner_is_who_the_folder_belongs_to(submission):
    assert owner_of(str(submission)) == submission.owner()
