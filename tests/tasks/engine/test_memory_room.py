"""Room in memory: what a piece of work may add, and no more."""

from contextvars import copy_context

import numpy as np
import pytest

from headway.tasks.engine.comparisons import TOO_LARGE, Comparisons, Run
from headway.tasks.engine.find import find_task
from headway.tasks.engine.memory_room import give_room, room
from headway.tasks.engine.probe.outcomes import Returned
from headway.tasks.engine.task import Case

MIB = 1 << 20


def with_room(size, work):
    """What a piece of work gives that has so much room; what is given here stays here."""

    def do():
        give_room(size)
        with room():
            return work()

    return copy_context().run(do)


def test_a_piece_of_work_has_the_room_that_it_was_given_and_no_more():
    assert with_room(256 * MIB, lambda: np.ones(100 * MIB, np.int8).size) == 100 * MIB
    with pytest.raises(MemoryError):
        with_room(64 * MIB, lambda: np.ones(1024 * MIB, np.int8))
    assert np.ones(300 * MIB, np.int8).size == 300 * MIB  # afterwards there is as much as before


def test_a_comparison_that_needs_too_much_memory_is_a_difference():
    def compare(got, expected, case):
        return np.ones(1024 * MIB, np.int8).sum()

    case = Case("one", compare=compare)
    mine, right = (Run([case], [Returned(number)]) for number in (2, 1))

    def compared():
        give_room(64 * MIB)
        (difference,) = Comparisons(find_task("08-attention/recall")).differences(mine, right)
        return difference.message

    assert copy_context().run(compared) == TOO_LARGE
