"""Which cases an answer meets, and what becomes of a notebook in which something runs wild."""

import socket
import threading
from contextlib import contextmanager, nullcontext, suppress

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.grading.allowance import MOST_STOPPED, Allowance
from headway.grading.execution import executor as module
from headway.grading.execution.client import GRACE_SECONDS
from headway.grading.execution.executor import grade_notebook
from headway.grading.execution.not_done import NotDone
from headway.grading.execution.steps import Step
from headway.grading.intake.submitted_cells import SetAside
from headway.grading.sandbox.session import SessionError
from headway.grading.sandbox.usage import Usage
from headway.runner.transport import receive, send
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.verdict import Verdict
from tests.full import full_but


@pytest.mark.parametrize(
    ("task", "once"),
    [
        ("01-one-hot/matmul", False),
        ("02-markov/beat-unigram", True),
        ("14-decoding/strategy", True),
        ("20-capstone/model", True),
    ],
)
def test_who_learns_from_being_asked_meets_cases_that_come_once(monkeypatch, task, once):
    seeds = []
    monkeypatch.setattr(module, "judge_officially", lambda task, ask, seed: seeds.append(seed))
    for _ in range(3):
        execution = module._Execution(new_notebook(), {}, None, Allowance(), 7)
        execution._verdict(Step(0, "", find_task(task), "answer"), None)
    assert len(set(seeds)) == (3 if once else 1)
    assert (7 in seeds) != once


class ScriptedSession:
    """Does what cells and answers say, a word each, on a clock that only they advance.

    "3" takes three seconds; "loop" is stopped when it is told to; "stubborn" never answers; "exits"
    ends the process; "exits later" does that where it runs again.
    """

    def __init__(self, machine, number):
        self.socket, self._theirs = socket.socketpair()
        self.machine, self.number = machine, number
        self.seconds, self.ran = 0.0, []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    @property
    def usage(self):
        return Usage(0, self.seconds)

    def awaited(self):
        return nullcontext()

    def ended_by_limit(self):
        return self.machine.limit

    def ended_by_machine(self):
        return self.machine.out_of_memory

    def serve(self):
        with suppress(EOFError, OSError), self._theirs:
            while True:
                message = receive(self._theirs)
                self.reply(message)

    def reply(self, message):
        def say(**said):
            send(self._theirs, said)

        match message:
            case {"do": "files"}:
                say(**{"is": "ready"})
            case {"do": "run", "source": word, "seconds": limit}:
                self.ran.append(word)
                if word == "loop":
                    self.seconds += limit
                elif word == "stubborn":
                    self.seconds += limit + GRACE_SECONDS + 1
                    return
                elif word == "exits" or (word == "exits later" and self.number > 1):
                    raise EOFError
                elif word.isdecimal():
                    self.seconds += int(word)
                say(**{"is": "done", "error": word == "loop"})
            case {"do": "answer", "expression": "loops", "seconds": limit}:
                self.seconds += limit
                say(**{"is": "lost", "why": "time"})
            case {"do": "answer", "expression": "sleeps", "seconds": limit}:
                self.seconds += limit + GRACE_SECONDS + 1
            case {"do": "answer"}:
                say(**{"is": "answer", "blank": False})
            case {"do": "end"}:
                say(**{"is": "ended"})


class Machine:
    """Gives scripted sessions, and keeps them and their limits."""

    def __init__(self):
        self.sessions, self.limits, self.limit, self.out_of_memory = [], [], None, False

    @contextmanager
    def session(self, limits):
        self.sessions.append(ScriptedSession(self, len(self.sessions) + 1))
        self.limits.append(limits)
        with self.sessions[-1].socket as sock:
            yield self.sessions[-1]
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        self.sessions[-1].thread.join()

    @property
    def seconds(self):
        return sum(session.seconds for session in self.sessions)


TASKS = [task.id for task in tasks_of("01-one-hot")]


@pytest.fixture
def machine(monkeypatch):
    """A machine on which each answer that comes to its end is right."""

    def judge(task, ask, seed):
        ask([], [])
        return Verdict(task, "passed", float(task.points))

    monkeypatch.setattr(module, "judge_officially", judge)
    return Machine()


def notebook_of(*cells):
    """A notebook: words for cells, and for checks the answer in a tuple."""
    notebook, tasks = new_notebook(), iter(TASKS)
    for one in cells:
        cell = new_code_cell(one if isinstance(one, str) else f"check({next(tasks)!r}, {one[0]})")
        if not isinstance(one, str):
            cell.metadata["nbgrader"] = {"grade": True, "locked": True, "grade_id": "check"}
        notebook.cells.append(cell)
    return notebook


def graded(machine, *cells, allowance=None):
    return grade_notebook(notebook_of(*cells), {}, machine, allowance or Allowance(), 7)


RIGHT = ("right",)
WILD = [["loop", RIGHT], ["stubborn", RIGHT], ["exits", RIGHT], [("loops",)], [("sleeps",)]]


@pytest.mark.parametrize("wild", WILD, ids=str)
def test_a_task_that_runs_wild_takes_nothing_from_another(machine, wild):
    found = graded(machine, "1", RIGHT, *wild, "2", RIGHT, "3", RIGHT)
    first, second, *others = (found.verdicts[task] for task in TASKS[:4])
    assert [one.status for one in (first, *others)] == ["passed"] * 3
    assert second.status == ("passed" if RIGHT in wild else "failed")
    (note,) = found.notes
    assert "was stopped: " in note
    assert note.endswith(" The other tasks were judged without it.")
    again = wild[0] in ("stubborn", "exits") or wild == [("sleeps",)]
    assert found.sessions == len(machine.sessions) == 1 + again
    if again:
        assert machine.sessions[1].ran == ["1", "2", "3"]


def test_a_new_session_runs_without_all_that_was_stopped(machine):
    found = graded(machine, "1", "loop", ("loops",), "stubborn", "exits", "5", RIGHT)
    assert [one.ran for one in machine.sessions] == [
        ["1", "loop", "stubborn"],
        ["1", "exits"],
        ["1", "5"],
    ]
    assert [*found.fatal] == [1, 2, 3, 4]
    assert found.verdicts[TASKS[1]].status == "passed"


def test_a_cell_that_does_not_run_a_second_time_is_left_out_the_third_time(machine):
    found = graded(machine, "exits later", RIGHT, "exits", "1", RIGHT)
    assert [one.ran for one in machine.sessions][1:] == [["exits later"], ["1"]]
    assert {one.status for one in found.verdicts.values()} == {"passed"}


def test_what_was_stopped_is_told_where_it_was(machine):
    found = graded(machine, "loop", RIGHT, "stubborn", ("loops",))
    of_cell = "The cell was stopped: it computed or slept for more than 120 seconds."
    of_answer = "Calling your answer was stopped: it computed or slept for more than 60 seconds."
    first, second, third = found.notes
    assert first == f"{find_task(TASKS[0]).title}: {of_cell}"
    assert second == f"{find_task(TASKS[1]).title}: {of_cell}"
    assert third.startswith(f"{find_task(TASKS[1]).title}: {of_answer} The other")
    assert found.verdicts[TASKS[1]].reason == f"{of_cell} {of_answer}"


@pytest.mark.parametrize("wild", full_but(WILD[0].__eq__, WILD), ids=str)
def test_ten_of_them_set_a_notebook_aside_and_nine_do_not(machine, wild):
    nine = wild[:1] * (MOST_STOPPED - 1)
    found = graded(machine, *nine, RIGHT)
    assert [*found.verdicts.values()][-1].status == "passed"
    with pytest.raises(SetAside, match=r"^10 of its cells and answers were stopped .* was stopped"):
        graded(machine, *nine, *wild[:1], RIGHT)


def test_who_has_no_more_to_run_after_ten_is_graded(machine):
    found = graded(machine, *["loop"] * MOST_STOPPED)
    assert len(found.notes) == MOST_STOPPED


def test_what_was_stopped_is_not_charged_to_the_notebook(machine):
    found = graded(machine, *["loop"] * 9, "100", "100", "100", RIGHT)
    assert found.verdicts[TASKS[0]].status == "passed"


@pytest.mark.parametrize("slow", [["100"] * 3 + ["1"], ["100", "stubborn"] * 2 + ["1"]])
def test_a_notebook_that_takes_too_long_is_set_aside_and_not_graded_lower(machine, slow):
    """In the second notebook, 100 seconds run three times."""
    with pytest.raises(SetAside, match="take more than 300 seconds"):
        graded(machine, RIGHT, *slow, RIGHT)


@pytest.mark.parametrize("cells", [["loop"], ["stubborn"], ["100"], ["10", "stubborn", "loop"]])
def test_a_hostile_notebook_costs_a_bounded_number_of_sessions_and_seconds(machine, cells):
    """As many as the guide tells."""
    with pytest.raises(SetAside):
        graded(machine, *cells * 500)
    assert len(machine.sessions) <= 1 + MOST_STOPPED == 11
    most = Allowance().most_seconds
    assert machine.seconds <= most + 4 * MOST_STOPPED
    assert most == 1620
    left = [limits.cpu_seconds for limits in machine.limits]
    spent = [session.seconds for session in machine.sessions]
    assert left == pytest.approx([max(1, most - sum(spent[:n])) for n in range(len(spent))])


@pytest.mark.parametrize(("limit", "error"), [("wall_seconds", NotDone), ("cpu_seconds", SetAside)])
def test_a_session_that_reached_the_last_limit_sets_the_notebook_aside(machine, limit, error):
    machine.limit = limit
    with pytest.raises(SetAside) as aside:
        graded(machine, RIGHT, "exits", RIGHT)
    assert type(aside.value) is error


def test_a_session_that_ended_when_the_machine_was_out_of_memory_is_a_fault(machine):
    machine.out_of_memory = True
    with pytest.raises(SessionError, match="ran out of memory"):
        graded(machine, RIGHT, "exits", RIGHT)


def test_a_machine_that_is_too_busy_sets_aside_what_it_has_no_time_for(machine, monkeypatch):
    hours = iter(range(100))
    monkeypatch.setattr(module.time, "monotonic", lambda: 3_600 * next(hours))
    with pytest.raises(NotDone, match="not judged to its end in 60 minutes"):
        graded(machine, "1", RIGHT)
    assert Allowance().wall_seconds == 3_600
