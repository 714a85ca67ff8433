"""Verbs that call an answer, a function or a class, and give what comes of it.

A verb takes a student's answer and one case's inputs, and gives plain data.
"""

import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from headway.tasks.engine.probe.plain import UnplainError, kind_of, plain

TOLD = 60  # letters of an argument in the text of a call


def value(answer: Any, inputs: Sequence) -> Any:
    """The answer is itself the value; there is nothing to call."""
    return answer


def call(answer: Any, inputs: Sequence) -> Any:
    """Call the answer with the inputs."""
    if not callable(answer):
        raise UnplainError(f"expected a function, got {kind_of(answer)}")
    return answer(*inputs)


def use(answer: Any, inputs: Sequence) -> dict:
    """Construct an object from the answer, a class, then call its methods in order.

    Args:
        inputs: the arguments of the constructor, then for each call a tuple (method, *arguments);
            special methods by their names, `("__len__",)`.

    Returns:
        what each call returned, by the text of the call.
    """
    if not callable(answer):
        raise UnplainError(f"expected a class, got {kind_of(answer)}")
    arguments, *calls = inputs
    made = answer(*arguments)
    results = {}
    for method, *given in calls:
        text = f"{method}({', '.join(map(_told, given))})"
        while text in results:
            text += " again"
        results[text] = plain(getattr(made, method)(*given))
    return results


def _told(x: Any) -> str:
    """An argument in a line: a large array by its shape, other things by their beginning."""
    whole = " ".join(repr(x).split())
    if len(whole) > TOLD and isinstance(x, np.ndarray):
        return f"array of shape {x.shape}"
    return whole if len(whole) <= TOLD else f"{whole[:TOLD]} …"


def forward(answer: Any, inputs: Sequence) -> Any:
    """Construct a torch module from the answer, a class, load weights into it, and run it once.

    Args:
        inputs: the arguments of the constructor, a tuple; the weights by their names, or None if
            the module is only made; and the arguments of `forward`, a tuple.

    Returns:
        what the run gave. The module is in evaluation mode. None if it is only made.
    """
    if not callable(answer):
        raise UnplainError(f"expected a class, got {kind_of(answer)}")
    arguments, weights, given = inputs
    made = answer(*arguments)
    if not hasattr(made, "load_state_dict"):
        raise UnplainError(f"expected a torch module, got {kind_of(made)}")
    if weights is None:
        return None
    made.load_state_dict(weights)
    made.eval()
    return made.forward(*given)


def call_part(answer: Any, inputs: Sequence) -> Any:
    """Call one of several functions of which the answer is made.

    Args:
        inputs: its place among them, then its arguments.
    """
    if type(answer) not in (list, tuple):
        raise UnplainError(f"expected several functions, got {kind_of(answer)}")
    place, *given = inputs
    if place >= len(answer):
        raise UnplainError(f"expected {place + 1} functions or more, got {len(answer)}")
    return call(answer[place], given)


def call_by_length(answer: Any, inputs: Sequence) -> Any:
    """Call the answer once for each length of the items of its last argument, short ones first.

    So what an item goes on with cannot be read out of a longer one. When it is graded, the judge
    keeps the longer ones until the shorter ones are answered.

    Returns:
        an array with a row for each item, in their order; if a call gave something else than an
        array of numbers with as many rows as it had items, and as long as before, then what that
        call gave.
    """
    return by_length(lambda given: plain(call(answer, given)), inputs)


def by_length(ask: Callable[[Sequence], Any], inputs: Sequence) -> Any:
    """As `call_by_length`, by a function: the arguments of a call -> what it gives, plain data."""
    *given, items = inputs
    rows: list = [None] * len(items)
    first = None
    for length in sorted(set(map(len, items))):
        places = [place for place, item in enumerate(items) if len(item) == length]
        result = ask([*given, [items[place] for place in places]])
        if type(result) is not np.ndarray or len(result) != len(places):
            return result
        first = result if first is None else first
        # What has other rows, or text in one call, could become larger when it is put together.
        if result.dtype.kind not in "biuf" or result.shape[1:] != first.shape[1:]:
            return result
        for place, row in zip(places, result, strict=True):
            rows[place] = row
    return np.array(rows)


def call_each(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer once for each list of arguments, in turn.

    Args:
        inputs: one list, of the arguments of each call.

    Returns:
        what each call gave; None if the answer gives nothing at all.
    """
    (calls,) = inputs
    results = [plain(call(answer, given)) for given in calls]
    return None if all(result is None for result in results) else results


def call_for_last(answer: Any, inputs: Sequence) -> Any:
    """Call the answer once for each text; of the rows that a call gives, only the last is kept.

    Where a row may depend on what stands before its place and on nothing else, the last place of a
    text can hold anything: so what is asked for need not be among the inputs.

    Args:
        inputs: one list, of texts.

    Returns:
        an array with a row for each text; if a call gave something else than an array of as many
        rows as its text is long, then what that call gave.
    """
    (texts,) = inputs
    rows = []
    for text in texts:
        result = plain(call(answer, [text]))
        if type(result) is not np.ndarray or len(result) != len(text):
            return result
        rows.append(result[-1])
    return np.array(rows)


def call_then_look(answer: Any, inputs: Sequence) -> Any:
    """Call the answer, and look at the arguments: what they are like afterwards."""
    with contextlib.suppress(Exception):  # what is wrong besides, other cases tell
        call(answer, inputs)
    return list(inputs)


def call_then_spoil(answer: Any, inputs: Sequence) -> Any:
    """Call the answer, change the arguments and call it again: what the first call returned."""
    result = call(answer, inputs)
    for given in inputs:
        _spoil(given)
    with contextlib.suppress(Exception):
        call(answer, inputs)
    return result


def forward_then_look(answer: Any, inputs: Sequence) -> Any:
    """As `forward`, and look at the arguments of the run: what they are like afterwards."""
    with contextlib.suppress(Exception):
        forward(answer, inputs)
    return list(inputs[2])


def use_then_look(answer: Any, inputs: Sequence) -> Any:
    """As `use`, and look at all arguments: what they are like afterwards."""
    with contextlib.suppress(Exception):
        use(answer, inputs)
    return list(inputs)


def _spoil(given: Any) -> None:
    """Change a list or an array in place, every number of it."""
    torch = sys.modules.get("torch")
    if type(given) is list:
        given.clear()
    elif type(given) is np.ndarray and given.dtype.kind in "biuf":
        given[...] = ~given if given.dtype.kind == "b" else 2 * given + 1
    elif torch is not None and type(given) is torch.Tensor:
        with torch.no_grad():
            given.copy_(~given if given.dtype is torch.bool else 2 * given + 1)
