"""Graded submissions go into the gradebook together, and one that cannot takes no other with it."""

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from headway.grading import recording as module
from headway.grading.intake.submission import Snapshot
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.recording import MOST, Recording, Waiting


class Book:
    """In the place of a course: notes what is recorded, and does not take some of it."""

    def __init__(self, folder: Path, *refused: str, cause: Exception | None = None):
        self.cause = cause
        self.folder, self.refused, self.calls = folder, set(refused), []
        self.kept = SimpleNamespace(what_to_do=lambda: "then the same command goes on.")

    def record(self, graded):
        self.calls.append(list(graded))
        if not self.refused.isdisjoint(graded):
            raise ConversionError("no") from self.cause
        return len(self.calls)


def waiting(journal: Journal, name: str) -> Waiting:
    entry = Entry("graded", {"submission": name})
    journal.write(name, entry, "{}")
    return Waiting(name, Snapshot(b"", {}, ""), entry, "{}")


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", math.inf)  # however slow this machine is
    return Journal(tmp_path)


def test_several_are_recorded_at_once_and_the_last_ones_when_it_is_said(journal, tmp_path):
    book = Book(tmp_path)
    recording = Recording(book, journal)
    names = [f"s{n}" for n in range(MOST + 1)]
    recorded = [recording.add(waiting(journal, name)) for name in names]
    assert recorded == [[]] * (MOST - 1) + [names[:MOST]] + [[]]
    assert not journal.read(names[-1]).recorded
    assert journal.unrecorded_notebook(names[-1]) == "{}", "a run that is killed now goes on here"
    assert recording.flush() == names[MOST:]
    assert book.calls == [names[:MOST], names[MOST:]]
    assert all(journal.read(name).recorded for name in names)
    assert recording.flush() == []


def test_nobody_waits_long_for_others(journal, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", -1.0)
    assert Recording(Book(tmp_path), journal).add(waiting(journal, "ann")) == ["ann"]


@pytest.mark.parametrize("cause", [ValueError("no"), IsADirectoryError(21, "no")])
def test_one_that_cannot_be_recorded_is_set_aside_alone(journal, tmp_path, cause):
    book = Book(tmp_path, "bad", cause=cause)
    recording = Recording(book, journal)
    for name in ("ann", "bad", "cy"):
        recording.add(waiting(journal, name))
    assert recording.flush() == ["ann", "cy"]
    assert book.calls == [["ann", "bad", "cy"], ["ann"], ["bad"], ["cy"]]
    assert journal.read("bad").status == "set-aside"
    assert journal.read("bad").reason == "nbgrader could not record it. no"
    assert journal.read("cy").recorded


def test_where_there_is_no_room_the_run_stops_and_all_wait_in_the_journal(journal, tmp_path):
    book = Book(tmp_path)

    def full(graded):
        raise ConversionError("no room") from OSError(28, "No space left on device")

    book.record = full
    recording = Recording(book, journal)
    for name in ("ann", "bob"):
        recording.add(waiting(journal, name))
    with pytest.raises(module.MachineError, match="the same command goes on"):
        recording.flush()
    assert [journal.unrecorded_notebook(name) for name in ("ann", "bob")] == ["{}", "{}"]
