"""Mistakes with several wrong answers, and wrong answers that are the right one with a change."""

import pytest
import torch

from headway.tasks.engine.judge import judge
from headway.tasks.engine.mistakes import Misconception, Mistake, any_of, changed
from headway.tasks.engine.task import Case, Task


def tail(numbers: list[int]) -> list[int]:
    """All but the first."""
    return [tail_of(n) for n in numbers][1:]


def tail_of(number: int) -> int:
    return number + 10


class Twice(torch.nn.Module):
    def forward(self, x):
        return x * 2


def made_inside(step):
    def add(x):
        return x + step

    return add


def test_a_change_replaces_its_place_and_keeps_imports_and_helpers():
    first, both = changed(tail, "[1:]", "[:1]", "[:]")
    assert first([1, 2]) == [11]
    assert both([1, 2]) == [11, 12]
    assert tail([1, 2]) == [12]


def test_a_class_can_be_changed():
    (thrice,) = changed(Twice, "x * 2", "x * 3")
    assert thrice()(torch.ones(1)).item() == 3


def test_what_was_changed_can_be_changed_again():
    (whole,) = changed(tail, "[1:]", "")
    (bare,) = changed(whole, "tail_of(n)", "n")
    assert bare([1, 2]) == [1, 2]


@pytest.mark.parametrize(
    ("at", "becomes", "said"),
    [
        ("[2:]", ["[:2]"], "0 times; expected it once"),
        ("n", ["m"], "times; expected it once"),
        ("[1:]", [], "must become something else"),
        ("[1:]", ["[:1]", "[1:]"], "must become something else"),
    ],
)
def test_a_change_that_is_none_or_stands_in_several_places_is_refused(at, becomes, said):
    with pytest.raises(ValueError, match=said):
        changed(tail, at, *becomes)


def test_a_function_that_sees_names_around_it_is_refused():
    with pytest.raises(ValueError, match="names around it"):
        changed(made_inside(1), "+", "-")


def test_a_mistake_has_one_wrong_answer_or_several():
    assert Misconception("one", [1, 2], "Why?").answers == ([1, 2],)
    both = any_of(1, any_of(2, 3))
    assert Misconception("more", both, "Why?").answers == (1, 2, 3)


def test_a_mistake_of_several_tasks_gets_answers_in_each():
    shared = Mistake("one", "Why?")
    assert shared.by(1) == Misconception("one", any_of(1), "Why?")
    assert shared.by(2, any_of(3, 4)).answers == (2, 3, 4)
    assert not hasattr(shared, "answers")  # as it is, it cannot stand in a catalogue


@pytest.mark.parametrize("several", [any_of, Mistake("one", "Why?").by])
def test_a_mistake_without_a_wrong_answer_is_refused(several):
    with pytest.raises(ValueError, match="one wrong answer at least"):
        several()


def test_a_known_wrong_answer_is_run_once_however_many_there_are_and_answers_meet_them():
    runs = []

    def wrong(number):
        def answer(x):
            runs.append(number)
            return x + number

        return answer

    many = tuple(
        Misconception(f"plus-{n}", any_of(wrong(n), wrong(-n)), "Why?") for n in range(2, 302)
    )
    task = Task(
        id="ps/next",
        title="The next number",
        kind="train",
        points=1,
        minutes=1,
        answer="next",
        cases=lambda rng: [Case("one", 1, core=True)],
        reference=lambda x: x + 1,
        misconceptions=many,
    )
    for _ in range(3):
        assert judge(task, lambda x: x - 301).misconception is many[-1]
    assert sorted(runs) == sorted([*range(2, 302), *range(-301, -1)])
