"""Verbs that call an answer, a function or a class, and return the result.

A verb takes a student's answer and one case's inputs.
"""

import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from headway.tasks.engine.probe.plain import UnplainError, kind_of, plain

TOLD = 60  # characters of an argument in the text of a call


def value(answer: Any, inputs: Sequence) -> Any:
    """Return the answer itself, for tasks that ask for a value."""
    return answer


def call(answer: Any, inputs: Sequence) -> Any:
    """Call the answer with the inputs."""
    if not callable(answer):
        raise UnplainError(f"expected a function, got {kind_of(answer)}")
    return answer(*inputs)


def use(answer: Any, inputs: Sequence) -> dict:
    """Construct an object from the answer, a class, then call its methods in order.

    Args:
        inputs: the constructor's arguments, then for each call a tuple (method, *arguments), such
            as `("__len__",)`.

    Returns:
        text of each call → its result.
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
    """An argument in one line: a large array as its shape, other long texts cut."""
    whole = " ".join(repr(x).split())
    if len(whole) > TOLD and isinstance(x, np.ndarray):
        return f"array of shape {x.shape}"
    return whole if len(whole) <= TOLD else f"{whole[:TOLD]} …"


def forward(answer: Any, inputs: Sequence) -> Any:
    """Construct a torch module from the answer, a class, load weights into it, and run it once.

    Args:
        inputs: a tuple with the constructor's arguments; the weights by name, or None to construct
            the module only; and a tuple with the arguments of `forward`.

    Returns:
        the result of `forward` in evaluation mode; None if the module is constructed only.
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
    """Call one function of an answer that consists of several.

    Args:
        inputs: the function's index, then its arguments.
    """
    if type(answer) not in (list, tuple):
        raise UnplainError(f"expected several functions, got {kind_of(answer)}")
    place, *given = inputs
    if place >= len(answer):
        raise UnplainError(f"expected {place + 1} functions or more, got {len(answer)}")
    return call(answer[place], given)


def call_by_length(answer: Any, inputs: Sequence) -> Any:
    """Call the answer once for each length of the items in its last argument, shortest first.

    So an answer cannot look up the continuation of an item in a longer one. In grading, the judge
    sends longer items only after the answer has returned the shorter ones.

    Returns:
        an array with a row for each item, in their order. If a call does not return a numeric array
        with a row for each of its items, and rows shaped as before, the value of that call.
    """
    return by_length(lambda given: plain(call(answer, given)), inputs)


def by_length(ask: Callable[[Sequence], Any], inputs: Sequence) -> Any:
    """As `call_by_length`; `ask` takes the arguments of a call and returns plain data."""
    *given, items = inputs
    rows: list = [None] * len(items)
    first = None
    for length in sorted(set(map(len, items))):
        places = [place for place, item in enumerate(items) if len(item) == length]
        result = ask([*given, [items[place] for place in places]])
        if type(result) is not np.ndarray or len(result) != len(places):
            return result
        first = result if first is None else first
        # Rows of different shapes or with text could take much more memory in one array.
        if result.dtype.kind not in "biuf" or result.shape[1:] != first.shape[1:]:
            return result
        for place, row in zip(places, result, strict=True):
            rows[place] = row
    return np.array(rows)


def call_each(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer once for each list of arguments, in order.

    Args:
        inputs: one list, with the arguments of each call.

    Returns:
        the result of each call; None if every result is None.
    """
    (calls,) = inputs
    results = [plain(call(answer, given)) for given in calls]
    return None if all(result is None for result in results) else results


def call_for_last(answer: Any, inputs: Sequence) -> Any:
    """Call the answer once for each text, and keep only the last row of each result.

    For results with rows that depend only on the tokens before their position: then the last token
    of a text can be anything, and the right one need not be among the inputs.

    Args:
        inputs: one list of texts.

    Returns:
        an array with a row for each text. If a call does not return an array with a row for each
        token, the value of that call.
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
    """Call the answer, and return the arguments as they are afterwards."""
    with contextlib.suppress(Exception):  # other cases report exceptions
        call(answer, inputs)
    return list(inputs)


def call_then_spoil(answer: Any, inputs: Sequence) -> Any:
    """Call the answer, change the arguments, call it again, and return the first result."""
    result = call(answer, inputs)
    for given in inputs:
        _spoil(given)
    with contextlib.suppress(Exception):
        call(answer, inputs)
    return result


def call_for_slope(answer: Any, inputs: Sequence) -> list | None:
    """Call the answer, and follow the first part of its result back to the first argument.

    Returns:
        the parts of the result, and the slope of the first with respect to the first argument;
        None if the answer returns None.
    """
    first, *rest = inputs
    leaf = first.clone().requires_grad_()
    result = call(answer, [leaf.clone(), *rest])
    if result is None:
        return None
    parts = list(result) if isinstance(result, tuple | list) else [result]
    (leaf.new_zeros(()) + parts[0]).sum().backward()  # also where it is a plain number
    return [*parts, leaf.grad]


def forward_then_look(answer: Any, inputs: Sequence) -> Any:
    """As `forward`, but return the arguments of the run as they are afterwards."""
    with contextlib.suppress(Exception):
        forward(answer, inputs)
    return list(inputs[2])


def use_then_look(answer: Any, inputs: Sequence) -> Any:
    """As `use`, but return all arguments as they are afterwards."""
    with contextlib.suppress(Exception):
        use(answer, inputs)
    return list(inputs)


def _spoil(given: Any) -> None:
    """Change all of a list, array or tensor in place, also inside of a tuple or dictionary."""
    torch = sys.modules.get("torch")
    if type(given) in (tuple, dict):
        for inner in given.values() if type(given) is dict else given:
            _spoil(inner)
    elif type(given) is list:
        given.clear()
    elif type(given) is np.ndarray and given.dtype.kind in "biuf":
        given[...] = ~given if given.dtype.kind == "b" else 2 * given + 1
    elif torch is not None and type(given) is torch.Tensor:
        with torch.no_grad():
            given.copy_(~given if given.dtype is torch.bool else 2 * given + 1)
