"""Verbs that hand an answer a function, which it asks questions that are noted."""

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from headway.tasks.engine.probe.calls import call
from headway.tasks.engine.probe.plain import plain


def ask_and_count(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer once for each table, with a function in the table's place that is asked.

    The function takes the place of a row, whole numbers in the table's range, and gives a copy of
    the row. What it was asked is counted here; when it is graded, the judge keeps the tables and
    counts the questions that reach it.

    Args:
        inputs: an array, one table after the other on its first axis, or what stands for one
            (`headway.runner.questions`); a list with the further arguments of each call.

    Returns:
        for each table [what the answer gave, the questions, how many of them were different];
        None if the answer gives nothing for any table.
    """
    tables, rest = inputs
    told = [_ask_of(answer, table, given) for table, given in zip(tables, rest, strict=True)]
    return None if all(result is None for result, *_ in told) else told


def _ask_of(answer: Any, table: Any, given: Sequence) -> list:
    asked, shape = [], table.shape[:-1]

    def row(*place: int) -> np.ndarray:
        at = tuple(map(int, place))
        if len(at) != len(shape) or not all(0 <= i < n for i, n in zip(at, shape, strict=True)):
            raise ValueError(
                f"asked for {at}; expected {len(shape)} ids, each in 0 … {shape[0] - 1}"
            )
        asked.append(at)
        return table[at].copy()

    result = plain(call(answer, [row, *given]))
    return [result, len(asked), len(set(asked))]


def ask_and_note(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer with a function as its first argument, and note what the function is asked.

    When it is graded, the judge keeps what the function knows, works it out there, and notes the
    questions that reach it.

    Args:
        inputs: the function, of plain data, or what stands for it (`headway.runner.questions`);
            then the further arguments.

    Returns:
        [what the answer gave, for each question the shape of what was asked first]; None if the
        answer gives nothing.
    """
    function, *given = inputs
    shapes = []

    def ask(*arguments: Any) -> Any:
        asked = [plain(one) for one in arguments]
        shapes.append(shape_of_first(asked))
        return function(*asked)

    result = plain(call(answer, [ask, *given]))
    return None if result is None else [result, shapes]


def ask_then_look(answer: Any, inputs: Sequence) -> list:
    """As `ask_and_note`, and look at the further arguments: what they are like afterwards."""
    with contextlib.suppress(Exception):
        ask_and_note(answer, inputs)
    return list(inputs[1:])


def shape_of_first(asked: Sequence) -> list[int]:
    """The shape of the first of some arguments, an array or lists; [] where it has none.

    Lists are walked through: made into an array, a few texts among them may take gigabytes.
    """
    items, shape = list(asked[:1]), []
    while items and all(isinstance(one, list | tuple) for one in items):
        if len({len(one) for one in items}) > 1:
            return []
        shape.append(len(items[0]))
        items = [inner for one in items for inner in one]
    if any(isinstance(one, list | tuple) for one in items):
        return []
    shapes = {tuple(getattr(one, "shape", ())) for one in items} or {()}
    return [*shape, *shapes.pop()] if len(shapes) == 1 else []
