"""Putting an answer to use: the verbs, and the plain data that comes out.

A verb takes a student's answer and one case's inputs, and gives plain data: numbers, strings,
arrays, and lists and dictionaries of these. Nothing else leaves; an object that only claims to
be a number or an array is refused here. This module knows no task and no right answer, and
imports nothing of the course, so that it can be all that runs beside the student's code.
"""

import contextlib
import io
import linecache
import sys
import warnings
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import TracebackType
from typing import Any

import numpy as np

Verb = Callable[[Any, Sequence], Any]

MAX_DEPTH = 12
MAX_ITEMS = 1_000_000
KEPT_OUTPUT = 4_000
TOLD = 60  # letters of an argument in the text of a call
MOST_FRAMES, LONGEST_LINE, LONGEST_NAME = 20_000, 100, 40
# The modules in which a student's own code runs: a notebook, and a file that `headway try` reads.
OWN_MODULES = ("__main__", "headway_answer")
DICTIONARIES = (dict, defaultdict, Counter, OrderedDict)
UNORDERED = (set, frozenset)


class UnplainError(TypeError):
    """A value is not plain data; the message says what it is instead."""


@dataclass(frozen=True)
class Returned:
    """The answer gave a value.

    Attributes:
        value: plain data.
        printed: what the answer printed meanwhile.
    """

    value: Any
    printed: str = ""


@dataclass(frozen=True)
class Raised:
    """The answer raised an exception.

    Attributes:
        error: name of the exception's class.
        message: its text.
        printed: what the answer printed before.
        line: the line of the student's own code that was at work, in words; empty if it is not
            known.
    """

    error: str
    message: str
    printed: str = ""
    line: str = ""


Outcome = Returned | Raised


class _Output(io.StringIO):
    """Takes what an answer prints, and stays open whatever the answer does."""

    def close(self) -> None:
        pass


def observe(verb: Verb, answer: Any, inputs: Sequence) -> Outcome:
    """Put an answer to use once and note what happens.

    Whatever the answer prints, warns or raises stays inside: nothing reaches the notebook's
    standard error, which nbgrader would take for a failure.
    """
    printed = _Output()
    try:
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
        ):
            warnings.simplefilter("ignore")
            value = plain(verb(answer, inputs))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's sys.exit() must not end the check
        kept = printed.getvalue()[:KEPT_OUTPUT]
        line = own_line(sys.exc_info()[2])  # not the error's own word for it
        return Raised(type(error).__name__, _text_of(error), kept, line)
    return Returned(value, printed.getvalue()[:KEPT_OUTPUT])


def value(answer: Any, inputs: Sequence) -> Any:
    """The answer is itself the value; there is nothing to call."""
    return answer


def call(answer: Any, inputs: Sequence) -> Any:
    """Call the answer with the inputs."""
    if not callable(answer):
        raise UnplainError(f"expected a function, got {_kind(answer)}")
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
        raise UnplainError(f"expected a class, got {_kind(answer)}")
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
        raise UnplainError(f"expected a class, got {_kind(answer)}")
    arguments, weights, given = inputs
    made = answer(*arguments)
    if not hasattr(made, "load_state_dict"):
        raise UnplainError(f"expected a torch module, got {_kind(made)}")
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
        raise UnplainError(f"expected several functions, got {_kind(answer)}")
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


# Each verb by the name under which a process elsewhere asks for it.
VERBS: dict[str, Verb] = {
    verb.__name__: verb
    for verb in (
        *(value, call, use, forward),
        *(call_each, call_part, call_by_length, call_for_last, ask_and_count, ask_and_note),
        *(call_then_look, call_then_spoil, ask_then_look, forward_then_look, use_then_look),
    )
}


def plain(value: Any, depth: int = 0) -> Any:
    """A copy of `value` as plain data.

    Fractions become floats, NumPy scalars and arrays of no dimension Python scalars, tensors
    arrays, tuples and torch's sizes lists, and the standard library's dictionaries plain ones.
    Only exact types count: a subclass may lie about itself.

    Raises:
        UnplainError: for any other type, for arrays of objects, and for what is too deep or large.
    """
    if depth > MAX_DEPTH:
        raise UnplainError(f"the value is nested more than {MAX_DEPTH} deep")
    torch = sys.modules.get("torch")
    if torch is not None and type(value) is torch.Size:
        value = tuple(value)
    if type(value) is Fraction:
        value = _plain_fraction(value)
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (list, tuple):
        if len(value) > MAX_ITEMS:
            raise UnplainError(f"the {kind.__name__} has {len(value):,} items")
        return [plain(item, depth + 1) for item in value]
    if kind in DICTIONARIES:
        if not all(type(key) is str for key in value):
            raise UnplainError("the dictionary has keys that are not strings")
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if kind in UNORDERED:
        raise UnplainError(f"got a {kind.__name__}, which has no order; expected a list")
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
        value = value.detach().cpu().numpy()
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if type(value) is np.ndarray:
        return _plain_array(value)
    raise UnplainError(f"expected numbers, text, a list or an array, got {_kind(value)}")


def _plain_fraction(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise UnplainError("the fraction is larger than any floating-point number") from error


def _plain_array(array: np.ndarray) -> Any:
    if array.dtype.kind not in "biufU":
        what = "Python objects (a ragged list?)" if array.dtype == object else str(array.dtype)
        raise UnplainError(f"expected an array of numbers, got an array of {what}")
    if array.size > MAX_ITEMS:
        raise UnplainError(f"the array has {array.size:,} elements, shape {array.shape}")
    return array.item() if array.ndim == 0 else array.copy()


def _kind(value: Any) -> str:
    if value is ...:
        return "... (not filled in yet)"
    return f"an object of type {type(value).__name__}"


def own_line(trace: TracebackType | None) -> str:
    """The innermost line of a student's own code in a traceback: "line 3 of `merge` (`…`)".

    The number counts within the cell or the file. The words are few, and on one line, whatever the
    code is called; there are none if nothing of it is the student's.
    """
    try:
        found = None
        for _ in range(MOST_FRAMES):
            if trace is None:
                break
            if trace.tb_frame.f_globals.get("__name__") in OWN_MODULES:
                found = trace
            trace = trace.tb_next
        if found is None:
            return ""
        code = found.tb_frame.f_code
        name = _printable(code.co_name, LONGEST_NAME)
        text = _printable(linecache.getline(code.co_filename, found.tb_lineno), LONGEST_LINE)
        of = "" if name.startswith("<") else f" of `{name}`"
        return f"line {found.tb_lineno}{of}" + (f" (`{text}`)" if text else "")
    except KeyboardInterrupt:
        raise
    except BaseException:  # of code that pretends to be other code
        return ""


def _printable(text: str, length: int) -> str:
    """A text on one line, cut where it is too long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * length]).split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # an exception whose own text raises
        return "(its message cannot be read)"
