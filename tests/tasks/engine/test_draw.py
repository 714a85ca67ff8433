import numpy as np
import pytest

from headway.tasks.engine.draw import draw_telling, draw_until, tells
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task

double = Task(
    id="00-toy/double",
    title="Twice a number",
    kind="build",
    points=1,
    minutes=1,
    answer="double",
    cases=lambda rng: [Case("a number", 3, core=True)],
    reference=lambda x: 2 * x,
    misconceptions=(
        Misconception("squared", lambda x: x * x, "Is that twice?"),
        Misconception("off", any_of(lambda x: x + 1, lambda x: 1 / (x - 5)), "How far off?"),
    ),
)


def test_what_suits_is_drawn():
    drawn = iter([1, 3, 4, 6])
    assert draw_until(lambda x: x % 2 == 0, lambda: next(drawn)) == 4
    assert next(drawn) == 6


def test_a_case_tells_where_every_wrong_answer_fails_it():
    assert tells(double, [Case("three", 3)], "squared", "off")
    assert not tells(double, [Case("two", 2)], "squared", "off")  # 2 + 2 = 2 · 2
    assert tells(double, [Case("two", 2)], "off")
    assert not tells(double, [Case("one", 1)], "off")  # 1 + 1 = 2 · 1


def test_several_cases_tell_where_one_of_them_does():
    assert tells(double, [Case("two", 2), Case("one", 1)], "squared", "off")


def test_an_answer_that_raises_does_not_pass():
    assert tells(double, [Case("five", 5)], "off")


def test_a_case_is_drawn_until_it_tells():
    rng = np.random.default_rng(0)
    for _ in range(20):
        case = draw_telling(double, lambda: Case("drawn", int(rng.integers(4))), "squared", "off")
        assert case.inputs == (3,)


def test_a_mistake_that_is_in_no_catalogue_is_refused():
    with pytest.raises(ValueError, match="halved"):
        tells(double, [Case("three", 3)], "halved")
