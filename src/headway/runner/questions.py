"""Stand-ins for data that the judge keeps: an answer asks for single rows or results.

A student's code can find everything in its own process. So in tasks that grade the number of
questions, the judge keeps the tables or the model's weights, answers each question and counts it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

REFUSED = {error.__name__: error for error in (IndexError, TypeError)}
Question = Callable[[int, tuple[int, ...]], np.ndarray]


class TablesElsewhere:
    """Stands in for the array of tables that `ask_and_count` takes.

    Args:
        shape: shape of the array; the first axis counts the tables.
        ask: asks the judge for a row: (number of the table, index of the row) → the row.
    """

    def __init__(self, shape: tuple[int, ...], ask: Question):
        self._shape, self._ask = tuple(shape), ask

    def __len__(self) -> int:
        return self._shape[0]

    def __iter__(self) -> Iterator["_Table"]:
        return (_Table(number, self._shape[1:], self._ask) for number in range(len(self)))


class FunctionElsewhere:
    """Stands in for the function that `ask_and_note` takes.

    Args:
        ask: asks the judge: the arguments → {"told": the result}, or {"refused": [the name of an
            exception, its text]}.
    """

    def __init__(self, ask: Callable[[list], dict]):
        self._ask = ask

    def __call__(self, *arguments: Any) -> Any:
        said = self._ask(list(arguments))
        if "refused" in said:
            name, text = said["refused"]
            raise REFUSED[name](text)
        return said["told"]


class _Table:
    def __init__(self, number: int, shape: tuple[int, ...], ask: Question):
        self.shape, self._number, self._ask = shape, number, ask

    def __getitem__(self, place: tuple[int, ...]) -> np.ndarray:
        return self._ask(self._number, place)
