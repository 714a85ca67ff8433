"""What the whole package learns together: two tasks in the short run, all in the full."""

import pytest

from tests.full import FULL
from tests.training.learning import TASKS

# The others take longer, addition a minute a seed; a translation is learned for its page, too.
SHORT = ("copy", "recall")
NAMES = list(TASKS) if FULL else SHORT


@pytest.mark.parametrize("seed", range(20 if FULL else 1))
@pytest.mark.parametrize("name", NAMES)
def test_the_model_learns(name, seed):
    result = TASKS[name].run(seed)
    assert result.accuracy >= TASKS[name].target, result
