"""Talking to a session that lies: what has not the form that was asked for earns nothing."""

import socket
from functools import partial

import numpy as np
import pytest

from headway.grading.execution import client as module
from headway.grading.execution import conversation
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import (
    AnswerLost,
    AnswerStopped,
    SessionLost,
    SessionStopped,
)
from headway.grading.sandbox.clock import Clock
from headway.grading.sandbox.usage import Usage
from headway.runner import transport
from headway.runner.transport import send
from headway.tasks.engine.find import find_task
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.task import Case
from tests.grading.execution.conftest import ANSWER, ENDED, FakeSession, gives

TASK = find_task("01-one-hot/matmul")
CASES = [Case("one", np.eye(2), np.eye(2)), Case("two", np.eye(3), np.eye(3))]


def outcomes(client, most=1_000_000):
    return client.outcomes(TASK, "matmul", CASES, [most] * len(CASES), 60)


def test_an_answer_is_put_to_use_on_each_case(session):
    raised = {"is": "outcome", "error": "ValueError", "message": "no", "printed": "hm"}
    client = session(ANSWER, gives(np.eye(2)), raised, ENDED)
    first, second = outcomes(client)
    assert np.array_equal(first.value, np.eye(2))
    assert second == Raised("ValueError", "no", "hm")
    verbs = [message.get("verb") for message in session.heard]
    assert verbs == [None, "call", "call", None]
    assert session.heard[0]["expression"] == "matmul"


def test_what_a_cell_gives_is_heard_in_order(session):
    said = [{"is": "output", "output": i} for i in range(3)]
    heard = []
    session([*said, {"is": "done", "error": False}]).run("1", 5, heard.append)
    assert heard == [0, 1, 2]


@pytest.mark.parametrize(
    "reply",
    [
        {"is": "verdict", "score": 2},
        {"is": "outcome", "value": 1, "printed": ""},
        {},
        [],
        "answer",
        {"is": ["answer"]},
        {"is": np.array(["answer", "outcome"])},
        {"is": "lost", "why": np.array(["time", "signal 11"])},
        {"is": "lost", "why": 5},
        {"is": "raised"},
        b"\xff" * 64,
        b"\x08\0\0\0\0\0\0\0\x04\0\0\0null",
    ],
    ids=repr,
)
def test_nonsense_ends_the_conversation(session, reply, monkeypatch):
    monkeypatch.setattr(module, "GRACE_SECONDS", 0)
    with pytest.raises(SessionLost, match=r"makes no sense|ended|computed or slept"):
        session([reply], step=0.1).outcomes(TASK, "matmul", CASES, [1000, 1000], 1)


def test_a_value_that_is_no_plain_data_or_of_too_many_items_is_none(session):
    most = [[1] * 60_000] * 2
    said = [ANSWER, gives(b"bytes"), gives((1, (2,))), ENDED]
    said += [ANSWER, gives(most), gives(np.ones((2, 60_000))), ENDED]
    client = session(*said)
    (first, second), (many, array) = outcomes(client), outcomes(client)
    assert first.error == many.error == "UnplainError"
    assert second == Returned([1, [2]])
    assert array.value.shape == (2, 60_000), "an array of as many is one"


def test_what_an_exception_says_is_one_line_of_bounded_length(session):
    said = {"is": "outcome", "error": "E\n" * 100, "message": "m" * 10_000, "printed": "p" * 10_000}
    (first, _) = outcomes(session(ANSWER, said, said, ENDED))
    assert "\n" not in first.error
    assert len(first.error) <= 60
    assert len(first.message) <= 500
    assert len(first.printed) <= 4_000


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"is": "lost", "why": "time"}, "stopped: it computed or slept for more than 60 seconds"),
        ({"is": "lost", "why": "signal 11"}, r"ended the process that it ran in \(signal 11\)"),
        ({"is": "raised", "error": "NameError", "message": "name 'f'\nis not"}, "name 'f' is not"),
    ],
)
def test_an_answer_that_is_lost_has_its_reason(session, reply, reason):
    with pytest.raises(AnswerLost, match=reason):
        outcomes(session(reply))


@pytest.mark.parametrize("kind", ["raised", "lost"])
def test_nothing_that_a_hidden_case_says_by_another_way_is_passed_on(session, kind):
    secret = dict.fromkeys(("error", "message", "why"), "exit 42")
    with pytest.raises((AnswerLost, SessionLost)) as lost:
        outcomes(session(ANSWER, {"is": kind, **secret}))
    assert "42" not in str(lost.value)


def test_a_stub_is_no_answer(session):
    none = gives(None)
    with pytest.raises(NoAnswer):
        outcomes(session({"is": "answer", "blank": True}, none, none, ENDED))


def test_an_answer_that_claims_its_end_and_goes_on_talking_earns_nothing(session):
    client = session([ANSWER, gives(np.eye(2)), gives(np.eye(3)), ENDED, {"is": "done"}], None)
    outcomes(client)
    with pytest.raises(SessionLost):
        client.put_files({})


def test_a_session_that_ends_or_is_silent_is_lost(session, monkeypatch):
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.2)
    with pytest.raises(SessionStopped, match="it computed or slept for more than 5 seconds"):
        session([], step=1.0).run("1", 5, print)
    session.hang_up()
    with pytest.raises(SessionLost, match="ended"):
        Client(FakeSession(session()._session.socket)).run("1", 1, print)


def test_a_value_that_is_too_long_to_be_one_is_passed_over_and_the_next_case_goes_on(session):
    large = np.zeros(4_000_000, np.int8)
    (first, second) = outcomes(session(ANSWER, gives(large), gives(1.5), ENDED), most=10_000)
    assert first.error == "UnplainError"
    assert "a value of 4,000," in first.message
    assert "10,000 are allowed" in first.message
    assert second == Returned(1.5)


def test_an_output_that_is_too_long_says_so_and_the_cell_goes_on(session, monkeypatch):
    monkeypatch.setattr(conversation, "OUTPUT", 10_000)
    output = {"output_type": "stream", "name": "stdout", "text": "x" * 20_000}
    said = [{"is": "output", "output": one} for one in (output, "next")]
    heard = []
    session([*said, {"is": "done", "error": False}]).run("1", 5, heard.append)
    assert heard[0]["text"].startswith("… left out: an output of 20,")
    assert heard[1:] == ["next"]


@pytest.mark.parametrize("length", [2_000, 20_000], ids=["short outputs", "too long ones"])
def test_a_cell_that_puts_out_without_end_loses_its_session(session, monkeypatch, length):
    monkeypatch.setattr(conversation, "OUTPUT", 10_000)
    monkeypatch.setattr(module, "OUTPUTS", 100_000)
    with pytest.raises(SessionLost, match="far too much"):
        session([{"is": "output", "output": "x" * length}] * 60).run("1", 5, [].append)


def test_values_without_end_lose_their_session(session, monkeypatch):
    monkeypatch.setattr(module, "VALUES", 30_000)
    with pytest.raises(SessionLost, match="far too much"):
        outcomes(session(ANSWER, *[gives(np.zeros(2_000))] * 2))


@pytest.mark.parametrize("message", ["text", "why", "more"])
def test_a_message_that_is_no_value_and_no_output_is_short(session, monkeypatch, message):
    monkeypatch.setattr(conversation, "MESSAGE", 10_000)
    with pytest.raises(SessionLost, match="makes no sense"):
        session([{"is": "ready", message: "x" * 20_000}]).put_files({})


@pytest.mark.parametrize(
    ("took", "error", "ended"), [(0, True, True), (57, True, False), (57, False, True)]
)
def test_a_cell_that_fails_at_its_limit_was_stopped(session, took, error, ended):
    client = session([{"is": "output", "output": took}, {"is": "done", "error": error}])
    assert client.run("1", 60, client._session.let_pass) == ended


def test_an_answer_that_used_up_its_time_was_stopped(session):
    with pytest.raises(AnswerStopped):
        outcomes(session(ANSWER, {"is": "lost", "why": "time"}))


class OnABusyMachine(FakeSession):
    """Computes, or sleeps, for a tenth of each second, and says something when many have passed."""

    def __init__(self, sock, state, says):
        super().__init__(sock)
        self._clock, self._state, self._says, self.passed = Clock(0.0), state, says, 0

    @property
    def seconds(self):
        self.passed += 1
        spent = self.passed / 10 if self._state else 0.0
        self._clock.add(self.passed, Usage(0, spent, {}, self._state == "R"), awaited=True)
        if self.passed == 1_000:
            self._says()
        return self._clock.seconds


@pytest.mark.parametrize("what", ["cell", "answer"])
def test_what_gets_a_tenth_of_a_processor_may_take_ten_times_as_long(what, monkeypatch):
    monkeypatch.setattr(transport, "LOOK_SECONDS", 0.0)
    ours, theirs = socket.socketpair()
    reply = {"is": "done", "error": False} if what == "cell" else ANSWER
    session = OnABusyMachine(ours, "R", lambda: send(theirs, reply))
    with ours, theirs:
        client = Client(session)
        ended = client.run("1", 120, print) if what == "cell" else not client.begin("f", 120)
    assert ended
    assert session.passed >= 1_000


@pytest.mark.parametrize("what", ["cell", "answer"])
def test_what_sleeps_is_stopped_at_its_limit(what, monkeypatch):
    monkeypatch.setattr(transport, "LOOK_SECONDS", 0.0)
    ours, theirs = socket.socketpair()
    session = OnABusyMachine(ours, "", lambda: None)
    client = Client(session)
    ask = partial(client.run, heard=print) if what == "cell" else client.begin
    with ours, theirs, pytest.raises(SessionStopped, match="slept for more than 120 seconds"):
        ask("1", 120)
    assert 120 <= session.passed < 140
