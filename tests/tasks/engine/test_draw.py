import numpy as np
import pytest

from headway.tasks.engine.draw import draw_telling, tells
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


@pytest.mark.parametrize(
    ("numbers", "mistakes", "told"),
    [
        ([3], ["squared", "off"], True),
        ([2], ["squared", "off"], False),  # 2 · 2 = 2 + 2
        ([1], ["off"], False),  # 1 + 1 = 2 · 1
        ([2, 1], ["squared", "off"], True),  # one case tells the one, the other the other
        ([5], ["off"], True),  # who raises does not pass
    ],
)
def test_cases_tell_where_every_wrong_answer_fails_one_of_them(numbers, mistakes, told):
    assert tells(double, [Case(str(n), n) for n in numbers], *mistakes) == told


def test_a_case_is_drawn_until_it_tells():
    rng = np.random.default_rng(0)
    for _ in range(20):
        case = draw_telling(double, lambda: Case("drawn", int(rng.integers(4))), "squared", "off")
        assert case.inputs == (3,)


def test_a_mistake_that_is_in_no_catalogue_is_refused():
    with pytest.raises(ValueError, match="halved"):
        tells(double, [Case("three", 3)], "halved")
