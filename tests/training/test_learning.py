"""What the whole package learns together: one task in the short run, all in the full."""

import pytest

from tests.full import full_but, seeds
from tests.training.learning import TASKS

# The others take longer, addition a minute a seed; a translation is learned for its page, too.
NAMES = full_but(lambda name: name == "recall", TASKS)


@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("name", NAMES)
def test_the_model_learns(name, seed):
    assert TASKS[name].run(seed) >= TASKS[name].target
