"""Mistakes with several wrong answers, and wrong answers that are the right one with a change."""

import pytest

from headway.tasks.engine.judge import judge
from headway.tasks.engine.mistakes import Misconception, SharedMisconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def tail(numbers: list[int]) -> list[int]:
    """All but the first."""
    return [tail_of(n) for n in numbers][1:]


def tail_of(number: int) -> int:
    return number + 10


def made_inside(step):
    def add(x):
        return x + step

    return add


def test_a_change_replaces_its_place_and_keeps_imports_and_helpers():
    first, both = changed(tail, "[1:]", "[:1]", "[:]")
    assert first([1, 2]) == [11]
    assert both([1, 2]) == [11, 12]
    assert tail([1, 2]) == [12]
    (bare,) = changed(both, "tail_of(n)", "n")  # what was changed can be changed again
    assert bare([1, 2]) == [1, 2]


@pytest.mark.parametrize(
    ("at", "becomes", "said"),
    [
        ("[2:]", ["[:2]"], "0 times; expected it once"),
        ("n", ["m"], "times; expected it once"),
        ("[1:]", [], "must become something else"),
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
    shared = SharedMisconception("one", "Why?")
    assert shared.by(1) == Misconception("one", any_of(1), "Why?")
    assert shared.by(2, any_of(3, 4)).answers == (2, 3, 4)
    for several in (any_of, shared.by):
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
