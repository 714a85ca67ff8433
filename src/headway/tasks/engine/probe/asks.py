"""Verbs that pass a function to an answer, and record how the answer calls it."""

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from headway.tasks.engine.probe.calls import call
from headway.tasks.engine.probe.plain import plain


def ask_and_count(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer once for each table, with a function that returns rows of the table.

    The function takes the index of a row, integers in the table's range, and returns a copy of the
    row. Its calls are counted here; in grading, the judge keeps the tables and counts the questions
    that reach it.

    Args:
        inputs: an array of tables, stacked on the first axis, or a stand-in for it
            (`headway.runner.questions`); a list with the further arguments of each call.

    Returns:
        for each table [the answer's value, number of questions, number of different questions];
        None if the answer returns None for every table.
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
    """Call the answer with a function as its first argument, and record the function's calls.

    In grading, the judge keeps the function, computes its results and records the calls.

    Args:
        inputs: a function of plain data, or a stand-in for it
            (`headway.runner.questions`); then the further arguments.

    Returns:
        [the answer's value, for each call of the function the shape of its first argument]; None
        if the answer returns None.
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
    """As `ask_and_note`, but return the further arguments as they are after the call."""
    with contextlib.suppress(Exception):
        ask_and_note(answer, inputs)
    return list(inputs[1:])


def shape_of_first(asked: Sequence) -> list[int]:
    """The shape of the first argument, an array or nested lists; [] if it has none.

    Lists are not converted to arrays: with a few long texts in them, that may take gigabytes.
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
