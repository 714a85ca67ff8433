"""Graded submissions go into the gradebook together, and one that cannot takes no other with it."""

import math
from types import NoneType

import pytest
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import IntegrityError, OperationalError

from headway.errors import MachineError, UserError
from headway.grading import recording as module
from headway.grading.intake.submission import Snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.recording import MOST, RecordingQueue


class Book:
    """In the place of a course: notes what is recorded, and does not take some of it."""

    def __init__(self, *refused: str, cause: Exception | None = None):
        self.cause, self.refused, self.calls = cause, set(refused), []

    def record(self, graded):
        self.calls.append(list(graded))
        if not self.refused.isdisjoint(graded):
            raise ConversionError("no") from self.cause
        return len(self.calls)


def add(recording: RecordingQueue, journal: Journal, name: str) -> None:
    entry = Entry("graded", {"submission": name})
    journal.write(name, entry, "{}")
    recording.add(name, Snapshot(b"", {}, ""), entry, "{}")


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", math.inf)  # however slow this machine is
    return Journal(tmp_path)


def test_several_are_recorded_at_once_and_the_last_ones_when_it_is_said(journal):
    book = Book()
    recording = RecordingQueue(book.record, journal)
    names = [f"s{n}" for n in range(MOST + 1)]
    for name in names[:MOST]:
        assert recording.recorded == set()
        add(recording, journal, name)
    assert recording.recorded == set(names[:MOST])
    add(recording, journal, names[MOST])
    assert not journal.read(names[-1]).recorded
    assert journal.unrecorded_notebook(names[-1]) == "{}", "a run that is killed now goes on here"
    recording.flush()
    recording.flush()
    assert recording.recorded == set(names)
    assert book.calls == [names[:MOST], names[MOST:]]
    assert all(journal.read(name).recorded for name in names)


def test_nobody_waits_long_for_others(journal, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", -1.0)
    recording = RecordingQueue(Book().record, journal)
    add(recording, journal, "ann")
    assert recording.recorded == {"ann"}


@pytest.mark.parametrize("cause", [ValueError("no"), IsADirectoryError(21, "no")])
def test_one_that_cannot_be_recorded_is_set_aside_alone(journal, cause):
    book = Book("bad", cause=cause)
    recording = RecordingQueue(book.record, journal)
    for name in ("ann", "bad", "cy"):
        add(recording, journal, name)
    recording.flush()
    assert recording.recorded == {"ann", "cy"}
    assert book.calls == [["ann", "bad", "cy"], ["ann"], ["bad"], ["cy"]]
    assert journal.read("bad").status == "set-aside"
    assert journal.read("bad").reason == "nbgrader could not record it. no"
    assert journal.read("cy").recorded


def test_where_the_gradebook_cannot_be_written_all_wait_in_the_journal(journal):
    def full(graded):
        raise MachineError("no room")

    recording = RecordingQueue(full, journal)
    for name in ("ann", "bob"):
        add(recording, journal, name)
    with pytest.raises(MachineError):
        recording.flush()
    assert [journal.unrecorded_notebook(name) for name in ("ann", "bob")] == ["{}", "{}"]


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (OSError(28, "No space left on device"), MachineError),
        (OperationalError("INSERT", {}, Exception("disk is full")), MachineError),
        (OperationalError("INSERT", {}, Exception("database is locked")), UserError),
        (IntegrityError("INSERT", {}, Exception("NOT NULL")), NoneType),
        (IsADirectoryError(21, "no"), NoneType),  # named by a student's own file
    ],
)
def test_what_stops_a_run_and_what_is_one_submission_s(tmp_path, cause, kind):
    gradebook = GradebookFile(tmp_path, CourseDirectory(root=str(tmp_path)))
    error = ConversionError("no")
    error.__cause__ = cause
    told = gradebook.not_written(error)
    assert type(told) is kind
    assert told is None or "the same command" in str(told)
