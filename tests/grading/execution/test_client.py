"""Talking to a session that lies: what has not the form that was asked for earns nothing."""

import socket
import threading
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest

from headway.grading.execution import client as module
from headway.grading.execution import conversation
from headway.grading.execution.client import Client, NoAnswer
from headway.grading.execution.conversation import AnswerLost, SessionLost
from headway.runner.transport import receive, send
from headway.tasks.engine.find import find_task
from headway.tasks.engine.probe.asks import ask_then_look
from headway.tasks.engine.probe.calls import call_by_length
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.task import Case

TASK = find_task("01-one-hot/matmul")
CASES = [Case("one", np.eye(2), np.eye(2)), Case("two", np.eye(3), np.eye(3))]


@pytest.fixture
def session():
    """A session that gives prepared replies: session(reply, …), each to one thing that is said."""
    ours, theirs = socket.socketpair()
    heard = []

    def talk(replies):
        for reply in replies:
            heard.append(receive(theirs))
            for piece in reply if isinstance(reply, list) else [reply]:
                if isinstance(piece, bytes):
                    theirs.sendall(piece)
                elif piece is not None:
                    send(theirs, piece)

    def talk_until_nobody_listens(replies):
        with suppress(EOFError):
            talk(replies)

    def start(*replies):
        threading.Thread(target=talk_until_nobody_listens, args=[replies], daemon=True).start()
        return Client(SimpleNamespace(socket=ours, starved_seconds=0.0))

    start.heard, start.hang_up = heard, theirs.close
    with ours, theirs:
        yield start


def outcomes(client, most=1_000_000):
    return client.outcomes(TASK, "matmul", CASES, [most] * len(CASES), 60)


ANSWER, ENDED = {"is": "answer", "blank": False}, {"is": "ended"}


def gives(value):
    return {"is": "outcome", "value": value, "printed": ""}


def test_an_answer_is_put_to_use_on_each_case(session):
    raised = {"is": "outcome", "error": "ValueError", "message": "no", "printed": "hm"}
    client = session(ANSWER, gives(np.eye(2)), raised, ENDED)
    first, second = outcomes(client)
    assert np.array_equal(first.value, np.eye(2))
    assert second == Raised("ValueError", "no", "hm")
    verbs = [message.get("verb") for message in session.heard]
    assert verbs == [None, "call", "call", None]
    assert session.heard[0]["expression"] == "matmul"


QUESTIONS = find_task("14-decoding/strategy")
TABLES = np.arange(16.0).reshape(2, 2, 2, 2)


def told(session, *replies):
    """What comes of an answer that asks for rows of `TABLES`."""
    client = session(ANSWER, *replies)
    return client.outcomes(QUESTIONS, "choose_words", [Case("one", TABLES, [[], []])], [1000], 5)


def asks(*place, table=0):
    return {"is": "question", "table": table, "place": list(place)}


def test_questions_are_answered_and_counted_here_whatever_the_other_end_has_counted(session):
    said = [asks(0, 1), asks(0, 1), asks(1, 1), asks(1, 0, table=1)]
    (outcome,) = told(session, *said, gives([["a", 0, 0], ["b", -9, 0]]), ENDED)
    assert outcome == Returned([["a", 3, 2], ["b", 1, 1]])
    _, ask, *rows, _ = session.heard
    assert ask == {"do": "ask", "verb": "ask_and_count", "inputs": [[[], []]], "kept": [2, 2, 2, 2]}
    assert [row["row"].tolist() for row in rows] == [[2, 3], [2, 3], [6, 7], [12, 13]]


@pytest.mark.parametrize(
    "reply",
    [
        *(asks(2, 0), asks(-1, 0), asks(0), asks(0, 0, 0), asks(0, 0.0), asks(0, True)),
        *(asks(0, 0, table=2), asks(0, 0, table=-1), {"is": "question"}),
        *(gives([["a", 0, 0]]), gives([["a", 0], ["b", 0]]), gives("ab"), gives(3)),
    ],
)
def test_a_question_for_no_row_and_a_count_of_no_tables_are_nonsense(session, reply):
    with pytest.raises(SessionLost, match="makes no sense"):
        told(session, reply)


def test_what_is_asked_in_lists_has_a_shape_as_well(session):
    said = [wonders([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), wonders([[1], [1, 2]])]
    (outcome,) = told_of_function(session, *said, gives(["a", []]), ENDED)
    assert outcome == Returned(["a", [[3, 2], []]])


@pytest.mark.parametrize("told_by", ["table", "function"])
def test_nobody_asks_without_end(session, monkeypatch, told_by):
    monkeypatch.setattr(module, "QUESTIONS", 3)
    ask = {"table": (told, asks(0, 1)), "function": (told_of_function, wonders(np.ones(4)))}
    put_to_use, question = ask[told_by]
    with pytest.raises(SessionLost, match="asked more than 3 questions"):
        put_to_use(session, *[question] * 4)


def test_an_answer_to_questions_that_raises_has_raised(session):
    raised = {"is": "outcome", "error": "ValueError", "message": "no", "printed": ""}
    assert told(session, asks(0, 0), raised, ENDED) == [Raised("ValueError", "no", "")]


DECODE = find_task("15-kv-cache/decode")


def twice(x):
    return 2 * x[3]


def told_of_function(session, *replies, verb=None):
    """What comes of an answer that asks `twice`."""
    case = Case("one", twice, 5, verb=verb)
    return session(ANSWER, *replies).outcomes(DECODE, "decode", [case], [1000], 5)


def wonders(*given):
    return {"is": "question", "given": list(given)}


def test_a_function_stays_here_and_what_it_is_asked_is_noted_here(session):
    said = [wonders(np.arange(6.0)), wonders(np.ones((4, 2))), wonders(np.ones(2)), wonders()]
    (outcome,) = told_of_function(session, *said, gives(["a", [[1]]]), ENDED)
    assert outcome == Returned(["a", [[6], [4, 2], [2], []]])
    _, ask, first, second, *refused, _ = session.heard
    assert ask == {"do": "ask", "verb": "ask_and_note", "inputs": [5], "kept": None}
    assert first == {"told": 6.0}
    assert second["told"].tolist() == [2, 2]
    assert [list(one) for one in refused] == [["refused"], ["refused"]]
    assert [one["refused"][0] for one in refused] == ["IndexError", "TypeError"]


@pytest.mark.parametrize("reply", [{"is": "question"}, wonders() | {"given": 3}, gives(3)])
def test_a_question_without_arguments_is_nonsense(session, reply):
    with pytest.raises(SessionLost, match="makes no sense"):
        told_of_function(session, reply)


def test_an_answer_that_asks_and_gives_nothing_has_given_nothing(session):
    assert told_of_function(session, gives(None), ENDED) == [Returned(None)]


def test_the_arguments_of_an_answer_that_asks_are_told_as_they_are(session):
    looked = told_of_function(session, gives([4]), ENDED, verb=ask_then_look)
    assert looked == [Returned([4])]


NEXT_WORD = find_task("02-markov/beat-unigram")
PREFIXES = [[], [0, 1], [0], [1]]


def told_by_length(session, *replies):
    """What comes of an answer that is asked about shorter items before the longer ones."""
    case = Case("one", "text", PREFIXES, verb=call_by_length)
    return session(ANSWER, *replies).outcomes(NEXT_WORD, "next_word", [case], [1000], 5)


def test_a_longer_item_stays_here_until_the_shorter_ones_are_answered(session):
    said = [gives(np.array(rows)) for rows in ([[0.0]], [[1.0], [2.0]], [[3.0]])]
    (outcome,) = told_by_length(session, *said, ENDED)
    assert outcome.value.tolist() == [[0], [3], [1], [2]]
    _, *asks, _ = session.heard
    assert [ask["verb"] for ask in asks] == ["call"] * 3
    assert [ask["inputs"][-1] for ask in asks] == [[[]], [[0], [1]], [[0, 1]]]


def test_the_first_of_the_calls_that_gives_something_else_is_the_outcome(session):
    raised = {"is": "outcome", "error": "E", "message": "", "printed": ""}
    assert told_by_length(session, gives(np.ones((1, 2))), raised, ENDED) == [Raised("E", "", "")]


@pytest.mark.parametrize("other", [np.ones((2, 3)), np.array([["a" * 60] * 2] * 2)])
def test_a_call_that_gives_other_rows_than_before_is_the_outcome(session, other):
    said = [gives(np.ones((1, 2), bool)), gives(other), ENDED]
    (outcome,) = told_by_length(session, *said)
    assert np.array_equal(outcome.value, other)


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
    with pytest.raises(SessionLost, match=r"makes no sense|ended|didn't stop"):
        session([reply]).outcomes(TASK, "matmul", CASES, [1000, 1000], 1)


def test_a_value_that_is_no_plain_data_is_none(session):
    (first, second) = outcomes(session(ANSWER, gives(b"bytes"), gives((1, (2,))), ENDED))
    assert first.error == "UnplainError"
    assert second == Returned([1, [2]])


def test_a_value_of_too_many_items_is_none_and_an_array_of_as_many_is_one(session):
    many = [[1] * 60_000] * 2
    (first, second) = outcomes(session(ANSWER, gives(many), gives(np.ones((2, 60_000))), ENDED))
    assert first.error == "UnplainError"
    assert second.value.shape == (2, 60_000)


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
        ({"is": "lost", "why": "time"}, "took too long"),
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
    with pytest.raises(SessionLost, match="didn't stop"):
        session([]).run("1", 0.1, print)
    session.hang_up()
    with pytest.raises(SessionLost, match="ended"):
        Client(SimpleNamespace(socket=session()._session.socket, starved_seconds=0.0)).run(
            "1", 1, print
        )


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


def test_time_stands_still_while_the_session_is_denied_a_processor(session):
    client = session({"is": "done", "error": False}, {"is": "done", "error": False})
    client.run("1", 60, print)
    assert not client.timed_out
    client._session.starved_seconds = -60.0  # by its clock a minute has passed all the same
    client.run("1", 0, print)
    assert client.timed_out


def test_what_is_denied_is_taken_off_the_clock(session):
    client = session()
    before = client._now()
    client._session.starved_seconds = 1_000.0
    assert client._now() < before - 900
