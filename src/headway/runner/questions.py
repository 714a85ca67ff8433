"""What the other side keeps: an answer asks for rows or results, and never has the rest here.

What lies in this process a student's code can find, wherever it is put. So where the number of
questions is graded, the judge holds the tables, or a model's weights, answers each question and
counts it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

REFUSED = {error.__name__: error for error in (IndexError, TypeError)}
Question = Callable[[int, tuple[int, ...]], np.ndarray]


class TablesElsewhere:
    """Stands for an array of tables, as `ask_and_count` takes it.

    Args:
        shape: of the array; its first axis counts the tables.
        ask: asks the other side for a row: the number of the table, the place → the row.
    """

    def __init__(self, shape: tuple[int, ...], ask: Question):
        self._shape, self._ask = tuple(shape), ask

    def __len__(self) -> int:
        return self._shape[0]

    def __iter__(self) -> Iterator["_Table"]:
        return (_Table(number, self._shape[1:], self._ask) for number in range(len(self)))


class FunctionElsewhere:
    """Stands for a function, as `ask_and_note` takes it.

    Args:
        ask: asks the other side: the arguments → {"told": …}, or {"refused": [the name of an
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
