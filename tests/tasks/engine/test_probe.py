import sys
from collections import Counter, OrderedDict, defaultdict
from fractions import Fraction

import numpy as np
import pytest
import torch

from headway.tasks.engine.probe.asks import ask_and_count, ask_and_note, ask_then_look
from headway.tasks.engine.probe.calls import (
    call,
    call_each,
    call_for_last,
    call_for_slope,
    call_part,
    forward,
    use,
    value,
)
from headway.tasks.engine.probe.outcomes import Raised, Returned, observe
from headway.tasks.engine.probe.plain import UnplainError, plain


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.float32(0.5), 0.5),
        (Fraction(3, 4), 0.75),
        (np.array(3), 3),
        (torch.tensor(2.0), 2.0),
        ((1, [2, "a"], None), [1, [2, "a"], None]),
        (torch.zeros(2, 3).shape, [2, 3]),
        ({"a": np.bool_(True)}, {"a": True}),
        (torch.nn.Parameter(torch.ones(2)), np.ones(2, np.float32)),
        (np.ones(2), np.ones(2)),
    ],
)
def test_plain_data_is_made_of_what_students_return(given, expected):
    made = plain(given)
    assert type(made) is type(expected)
    np.testing.assert_equal(made, expected)
    assert made is not given or not isinstance(made, np.ndarray), "a copy"


class Liar(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


ENDLESS = []
ENDLESS.append(ENDLESS)


class LyingArray(np.ndarray):
    def __array_finalize__(self, obj):
        pass


@pytest.mark.parametrize(
    "given",
    [
        Liar(1.0),
        np.zeros(2).view(LyingArray),
        object(),
        lambda: 1,
        np.array([1, "a"], dtype=object),
        {1: 2},
        np.zeros(2_000_000, dtype=np.int8),
        [0] * 2_000_000,
        [Liar(1.0)],
        ENDLESS,
    ],
    ids=lambda given: type(given).__name__,
)
def test_what_is_not_plain_is_refused(given):
    with pytest.raises(UnplainError):
        plain(given)


@pytest.mark.parametrize(
    "given",
    [Counter("aab"), OrderedDict(a=2, b=1), defaultdict(int, a=2, b=1), {"a": 2, "b": 1}],
    ids=lambda given: type(given).__name__,
)
def test_every_dictionary_of_the_standard_library_becomes_a_plain_one(given):
    whole = plain({"counts": given})
    assert whole == {"counts": {"a": 2, "b": 1}}
    assert type(whole["counts"]) is dict


@pytest.mark.parametrize("given", [{1, 2}, frozenset("a")], ids=["set", "frozenset"])
def test_a_set_is_refused_with_what_to_give_instead(given):
    with pytest.raises(UnplainError, match="has no order; expected a list"):
        plain(given)


class RudeError(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "message"),
    [
        *((ValueError("no"), "no"), (SystemExit(1), "1"), (RecursionError(), "")),
        (RudeError(), "(its message cannot be read)"),
    ],
)
def test_whatever_an_answer_raises_is_noted(error, message):
    def answer():
        raise error

    assert observe(call, answer, ()) == Raised(type(error).__name__, message)


def test_the_reader_can_still_interrupt():
    def answer():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        observe(call, answer, ())


def test_prints_and_warnings_stay_inside(capsys):
    def answer():
        import warnings

        print("hello")
        print("trouble", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return np.log(np.zeros(1)) * 0

    outcome = observe(call, answer, ())
    assert outcome.printed == "hello\ntrouble\n"
    assert capsys.readouterr() == ("", "")


def test_an_answer_may_close_its_output():
    def answer():
        print("before")
        sys.stdout.close()
        return 1

    assert observe(call, answer, ()) == Returned(1, "before\n")


def test_use_constructs_and_calls_in_order():
    outcome = observe(use, list, (([3, 1],), ("append", 2), ("sort",), ("__len__",), ("index", 3)))
    assert outcome == Returned({"append(2)": None, "sort()": None, "__len__()": 3, "index(3)": 2})


@pytest.mark.parametrize(
    ("verb", "what"), [(call, "a function"), (use, "a class"), (forward, "a class")]
)
def test_what_cannot_be_called_is_said(verb, what):
    outcome = observe(verb, 3, ([],))
    assert what in outcome.message
    assert "int" in outcome.message


def test_a_value_is_taken_as_it_is():
    assert observe(value, (1, 2), ()) == Returned([1, 2])


def test_an_answer_is_called_with_each_list_of_arguments_in_turn():
    seen = []
    calls = [[1, 2], [3, 4]]
    assert call_each(lambda a, b: seen.append(a) or a * b, [calls]) == [2, 12]
    assert seen == [1, 3]
    assert call_each(lambda a, b: None, [calls]) is None


def test_of_the_rows_of_each_text_only_the_last_is_kept():
    texts = [[[1, 2], [3]]]
    rows = call_for_last(lambda text: np.outer(text, [1, 10]), texts)
    assert rows.tolist() == [[2, 20], [3, 30]]
    assert call_for_last(lambda text: None, texts) is None
    wrong = np.ones((3, 2))  # no row for each place
    np.testing.assert_equal(call_for_last(lambda text: wrong, texts), wrong)


def test_what_leads_back_to_the_first_argument_comes_with_the_result():
    x = torch.tensor([1.0, 2.0])
    total, times, slope = call_for_slope(lambda x, n: (n * x.sum(), n), [x, 3])
    assert (total.item(), times, slope.tolist(), x.requires_grad) == (9, 3, [3, 3], False)
    assert call_for_slope(lambda x: None, [x]) is None
    with pytest.raises(RuntimeError, match="does not require grad"):
        call_for_slope(lambda x: x.sum().item(), [x])


def test_what_a_function_is_asked_is_noted_and_asked_as_plain_data():
    given = []

    def double(x):
        given.append(x)
        return 2 * x

    def answer(ask, x):
        return [ask(x).sum(), ask(x[:1]).sum(), ask(3)]

    outcome = observe(ask_and_note, answer, (double, torch.ones(2, 3)))
    assert outcome == Returned([[12, 6, 6], [[2, 3], [1, 3], []]])
    assert [type(x) for x in given] == [np.ndarray, np.ndarray, int]
    assert observe(ask_and_note, lambda ask, x: ask(x) and None, (double, 3)) == Returned(None)


def test_arguments_are_looked_at_where_an_answer_asks_a_function():
    def scribbling(ask, items):
        items.append(ask(2))
        raise ValueError

    assert observe(ask_then_look, scribbling, (lambda x: x + 1, [1])) == Returned([[1, 3]])


def test_questions_are_counted_and_only_rows_of_the_table_are_answered():
    tables, given = np.arange(16.0).reshape(2, 2, 2, 2), [[0], [1]]
    (first, *_), second = observe(
        ask_and_count,
        lambda row, i: [row(i, 1).sum(), row(0, i).sum(), row(0, i)[0]],
        (tables, given),
    ).value
    assert first == [2 + 3, 0 + 1, 0]
    assert second == [[14 + 15, 10 + 11, 10], 3, 2]
    for place in ((2, 0), (-1, 0), (0,)):
        outcome = observe(ask_and_count, lambda row, i, at=place: row(*at), (tables, given))
        assert outcome.error == "ValueError"
        assert "expected 2 ids" in outcome.message


def test_a_row_that_was_answered_is_no_way_into_the_table():
    def scribbling(row, i):
        row(0)[:] = 5
        return row(0)

    ((result, *_),) = observe(ask_and_count, scribbling, (np.ones((1, 2, 2)), [[0]])).value
    assert result.tolist() == [1, 1]


def test_forward_runs_a_module_on_the_weights_it_is_given():
    inputs = ((2, 1), {"weight": torch.tensor([[2.0, 3.0]]), "bias": torch.tensor([1.0])})
    given = torch.tensor([[1.0, 10.0], [0.0, 1.0]])
    outcome = observe(forward, torch.nn.Linear, (*inputs, (given,)))
    assert outcome.value.tolist() == [[33.0], [4.0]]
    assert observe(forward, torch.nn.Dropout, ((0.9,), {}, (given,))).value.tolist() == (
        given.tolist()
    )


def test_forward_refuses_what_is_no_module_and_weights_that_do_not_fit():
    assert "torch module" in observe(forward, dict, ((), {}, ())).message
    outcome = observe(forward, torch.nn.Linear, ((2, 1), {"weights": torch.ones(1, 2)}, ()))
    assert (outcome.error, "weight" in outcome.message) == ("RuntimeError", True)


def test_one_of_several_functions_is_called_by_its_place():
    several = (lambda a: a + 1, lambda a, b: a * b)
    assert observe(call_part, several, [0, 4]).value == 5
    assert observe(call_part, list(several), [1, 4, 5]).value == 20


@pytest.mark.parametrize("answer", [len, {"fit": len}, (len,), "ab"])
def test_what_is_not_made_of_that_many_functions_is_refused(answer):
    assert observe(call_part, answer, [1, 4]).error == "UnplainError"
