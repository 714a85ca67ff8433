"""What the whole package learns together: one seed in the short run, 20 in the full one."""

import pytest

from tests.full import FULL
from tests.training.learning import TASKS

# Addition takes a minute a seed: too slow for an assignment, and for the short run.
NAMES = [name for name in TASKS if FULL or name != "addition"]


@pytest.mark.parametrize("seed", range(20 if FULL else 1))
@pytest.mark.parametrize("name", NAMES)
def test_the_model_learns(name, seed):
    result = TASKS[name].run(seed)
    assert result.accuracy >= TASKS[name].target, result
