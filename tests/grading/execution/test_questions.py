"""An answer that asks: what it asks for stays here, and what it has asked is counted here."""

import numpy as np
import pytest

from headway.grading.execution import client as module
from headway.grading.execution.conversation import SessionLost
from headway.tasks.engine.find import find_task
from headway.tasks.engine.probe.asks import ask_then_look
from headway.tasks.engine.probe.calls import call_by_length
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.task import Case
from tests.grading.execution.conftest import ANSWER, ENDED, gives

TABLES = np.arange(16.0).reshape(2, 2, 2, 2)
PREFIXES = [[], [0, 1], [0], [1]]


def twice(x):
    return 2 * x[3]


# Tasks whose answers ask, and a case of each: for rows of tables, a function, shorter items first.
ROWS = find_task("14-decoding/strategy"), Case("one", TABLES, [[], []])
FUNCTION = find_task("15-kv-cache/decode"), Case("one", twice, 5)
LOOKED_AT = FUNCTION[0], Case("one", twice, 5, verb=ask_then_look)
BY_LENGTH = find_task("02-markov/beat-unigram"), Case("one", "text", PREFIXES, verb=call_by_length)


def told(session, what, *replies):
    """What comes of an answer that asks."""
    task, case = what
    (outcome,) = session(ANSWER, *replies).outcomes(task, "answer", [case], [1000], 5)
    return outcome


def asks(*place, table=0):
    return {"is": "question", "table": table, "place": list(place)}


def wonders(*given):
    return {"is": "question", "given": list(given)}


RAISED = {"is": "outcome", "error": "ValueError", "message": "no", "printed": ""}


def test_questions_are_answered_and_counted_here_whatever_the_other_end_has_counted(session):
    said = [asks(0, 1), asks(0, 1), asks(1, 1), asks(1, 0, table=1)]
    outcome = told(session, ROWS, *said, gives([["a", 0, 0], ["b", -9, 0]]), ENDED)
    assert outcome == Returned([["a", 3, 2], ["b", 1, 1]])
    _, ask, *rows, _ = session.heard
    assert ask == {"do": "ask", "verb": "ask_and_count", "inputs": [[[], []]], "kept": [2, 2, 2, 2]}
    assert [row["row"].tolist() for row in rows] == [[2, 3], [2, 3], [6, 7], [12, 13]]


def test_a_function_stays_here_and_what_it_is_asked_is_noted_here(session):
    said = [wonders(np.arange(6.0)), wonders(np.ones((4, 2))), wonders(np.ones(2)), wonders()]
    lists = [wonders([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), wonders([[1], [1, 2]])]
    outcome = told(session, FUNCTION, *said, *lists, gives(["a", [[1]]]), ENDED)
    assert outcome == Returned(["a", [[6], [4, 2], [2], [], [3, 2], []]])
    _, ask, first, second, *refused, _ = session.heard
    assert ask == {"do": "ask", "verb": "ask_and_note", "inputs": [5], "kept": None}
    assert first == {"told": 6.0}
    assert second["told"].tolist() == [2, 2]
    assert [one["refused"][0] for one in refused[:2]] == ["IndexError", "TypeError"]


@pytest.mark.parametrize(
    ("what", "reply"),
    [
        *(
            (ROWS, asks(*place))
            for place in [(2, 0), (-1, 0), (0,), (0, 0, 0), (0, 0.0), (0, True)]
        ),
        *((ROWS, asks(0, 0, table=table)) for table in (2, -1)),
        *((ROWS, gives(value)) for value in ([["a", 0, 0]], [["a", 0], ["b", 0]], "ab", 3)),
        (ROWS, {"is": "question"}),
        *((FUNCTION, reply) for reply in ({"is": "question"}, wonders() | {"given": 3}, gives(3))),
    ],
)
def test_a_question_for_nothing_and_a_count_of_nothing_are_nonsense(session, what, reply):
    with pytest.raises(SessionLost, match="makes no sense"):
        told(session, what, reply)


@pytest.mark.parametrize(
    ("what", "question"), [(ROWS, asks(0, 1)), (FUNCTION, wonders(np.ones(4)))]
)
def test_nobody_asks_without_end(session, monkeypatch, what, question):
    monkeypatch.setattr(module, "QUESTIONS", 3)
    with pytest.raises(SessionLost, match="asked more than 3 questions"):
        told(session, what, *[question] * 4)


@pytest.mark.parametrize(
    ("what", "replies", "outcome"),
    [
        (ROWS, [asks(0, 0), RAISED], Raised("ValueError", "no", "")),
        (FUNCTION, [gives(None)], Returned(None)),
        (LOOKED_AT, [gives([4])], Returned([4])),
        (BY_LENGTH, [gives(np.ones((1, 2))), RAISED], Raised("ValueError", "no", "")),
    ],
)
def test_what_an_answer_that_asks_comes_to(session, what, replies, outcome):
    assert told(session, what, *replies, ENDED) == outcome


def test_a_longer_item_stays_here_until_the_shorter_ones_are_answered(session):
    said = [gives(np.array(rows)) for rows in ([[0.0]], [[1.0], [2.0]], [[3.0]])]
    assert told(session, BY_LENGTH, *said, ENDED).value.tolist() == [[0], [3], [1], [2]]
    _, *asked, _ = session.heard
    assert [ask["verb"] for ask in asked] == ["call"] * 3
    assert [ask["inputs"][-1] for ask in asked] == [[[]], [[0], [1]], [[0, 1]]]


@pytest.mark.parametrize("other", [np.ones((2, 3)), np.array([["a" * 60] * 2] * 2)])
def test_a_call_that_gives_other_rows_than_before_is_the_outcome(session, other):
    outcome = told(session, BY_LENGTH, gives(np.ones((1, 2), bool)), gives(other), ENDED)
    assert np.array_equal(outcome.value, other)
