"""When two answers are the same mistake where one computer rounds otherwise than another."""

from collections.abc import Callable
from typing import Any

from headway.tasks.engine.compare import Compare, Difference, close

FAR = "far into a text"


def alike_but_for_rounding(reference: Callable, compare: Compare) -> Compare:
    """Two values are alike; in the case far into a text, nearly so, and both right or both wrong.

    Args:
        reference: the right answer of the task.
        compare: when a value is right.
    """
    nearly = close(atol=0.05)

    def alike(got: Any, expected: Any, case: Any) -> Difference | None:
        if case.label != FAR:
            return compare(got, expected, case)
        right = reference(*case.inputs)
        wrong = [compare(value, right, case) is not None for value in (got, expected)]
        if wrong[0] != wrong[1]:
            return Difference("one of them is right.")
        return nearly(got, expected, case)

    return alike
