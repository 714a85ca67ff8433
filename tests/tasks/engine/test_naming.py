"""A mistake gets its name by the surest way that tells it, and no name where none does."""

from dataclasses import replace

import numpy as np
import pytest

from headway.tasks.engine.card import card_html, card_text
from headway.tasks.engine.comparisons import Comparisons
from headway.tasks.engine.judge import judge
from headway.tasks.engine.mistakes import Misconception, SharedMisconception, seen
from headway.tasks.engine.task import Case, Task


def shares(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def over_columns(scores):
    return shares(scores.T).T


def without_maximum(scores):
    with np.errstate(all="ignore"):
        return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


COLUMNS = Misconception("over-the-columns", over_columns, "Who shares out?")
OVERFLOW = Misconception("no-maximum", without_maximum, "How large?")
NOT_WHOLE = seen(
    "not-a-whole",
    "Rows don't sum to one. To what?",
    lambda got, expected, case: not np.allclose(got.sum(-1), 1),
)
LONE = seen("lone-row", "Only a lone row goes wrong. What is special?", only_at=("one row",))


def cases(rng):
    return [
        Case("some rows", rng.normal(size=(3, 4)), core=True),
        Case("as many rows as columns", rng.normal(size=(4, 4)), core=True),
        Case("one row", rng.normal(size=(1, 4))),
        Case("large scores", rng.normal(size=(3, 5)) * 1e4),
    ]


TASK = Task(
    id="ps/shares",
    title="Shares",
    kind="train",  # without requirements
    points=2,
    minutes=1,
    answer="shares",
    cases=cases,
    reference=shares,
    misconceptions=(COLUMNS, OVERFLOW, NOT_WHOLE, LONE),
)
BUILD = replace(TASK, kind="build", misconceptions=())


def named(answer, task=TASK):
    verdict = judge(task, answer)
    assert verdict.status in ("failed", "partial")
    return verdict.misconception and verdict.misconception.name, verdict


def where(condition, wrong):
    return lambda scores: wrong(scores) if condition(scores) else shares(scores)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (over_columns, "over-the-columns"),
        (where(lambda s: len(s) == 3, over_columns), "over-the-columns"),
        (lambda scores: shares(scores) + 0.1, "not-a-whole"),
        (where(lambda s: len(s) == 1, lambda s: s * 0 + 0.25), "lone-row"),
        (where(lambda s: len(s) == 1, lambda s: 1 / 0), "lone-row"),
        (lambda scores: shares(-scores), None),
        (lambda scores: "shares", None),
    ],
    ids=["known", "known, here and there", "by value", "corner", "raises", "unknown", "text"],
)
def test_the_name_of_a_mistake(answer, name):
    found, verdict = named(answer)
    assert found == name
    assert verdict.named is None or not verdict.named.is_first


def test_of_two_mistakes_the_one_of_the_first_failing_case_is_named_and_said_to_be_first():
    def both(scores):
        return over_columns(scores) if len(scores) > 1 else scores * 0 + 0.25

    found, verdict = named(both)
    assert (found, verdict.named.is_first) == ("over-the-columns", True)
    assert "First, over-the-columns. Who shares out?" in card_text(verdict)
    assert "First, <em>over-the-columns</em>" in card_html(verdict)


def test_of_two_that_the_first_failing_case_shows_the_one_that_shows_in_half_is_named():
    here = seen("only-here", "Why here?", lambda got, expected, case: case.label == "some rows")
    wrong = where(lambda s: len(s) < 4 and s.max() < 100, lambda s: shares(s) + 0.1)

    def answer(scores):
        return shares(-scores) if scores.max() > 100 else wrong(scores)

    for task in (replace(TASK, misconceptions=order) for order in ((here, NOT_WHOLE), (here,))):
        found, verdict = named(answer, task)
        assert verdict.named.is_first
        assert found == task.misconceptions[-1].name


def test_what_two_mistakes_explain_has_neither_name():
    twin = Misconception("twin", where(lambda s: len(s) < 4, over_columns), "Why?")
    alike = where(lambda s: len(s) == 3 and s.max() < 100, over_columns)
    assert named(alike)[0] == "over-the-columns"
    assert named(alike, replace(TASK, misconceptions=(COLUMNS, twin)))[0] is None


def test_a_predicate_that_fails_or_never_ends_names_nothing(monkeypatch):
    def never(got, expected, case):
        while True:
            pass

    monkeypatch.setattr(Comparisons.__init__, "__defaults__", (0.2,))
    broken = seen("broken", "Why?", lambda got, expected, case: got.no_such_thing)
    endless = seen("endless", "Why?", never)
    task = replace(TASK, misconceptions=(broken, endless))
    assert named(lambda scores: shares(-scores), task)[0] is None


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda scores: 3 * shares(scores), "off-by-a-factor"),
        (lambda scores: shares(scores) - 1, "off-by-a-constant"),
        (lambda scores: shares(scores)[..., ::-1], "in-another-order"),
        (lambda scores: shares(scores)[0], "another-shape"),
        (lambda scores: shares(scores) * np.nan, "not-finite"),
        (lambda scores: [].pop(), "stops-with-an-exception"),
        (lambda scores: shares(scores) ** 2, None),
    ],
)
def test_the_form_of_a_wrong_value_has_a_name_in_any_task(answer, name):
    assert named(answer, BUILD)[0] == name


def test_a_mask_that_marks_too_much_or_too_little_is_told():
    task = replace(
        BUILD,
        reference=lambda scores: scores > 0,
        cases=lambda rng: [Case("some", rng.normal(size=(5, 5)), core=True)],
    )
    assert named(lambda scores: scores > -1, task)[0] == "too-much-allowed"
    assert named(lambda scores: scores > 1, task)[0] == "too-little-allowed"
    assert named(lambda scores: abs(scores) > 1, task)[0] is None


def test_a_shared_mistake_is_told_by_answers_by_values_or_by_corners():
    shared = SharedMisconception("one", "Why?")
    assert shared.by(only_at=("one row",)).only_at == ("one row",)
    assert shared.by(shows=lambda *three: True).answers == ()
    with pytest.raises(ValueError, match="one wrong answer at least"):
        shared.by()
