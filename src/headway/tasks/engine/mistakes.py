"""The known mistakes of a task, and how their wrong answers are written down.

A mistake is what a teacher would call one: it has one name and one hint, and as many wrong answers
as there are ways to make it. A wrong answer is code like any other; where it differs from the right
one in a line, it is shorter and clearer as a change of that line:

    Misconception(
        "over-the-queries",
        changed(attend, "softmax(dim=-1)", "softmax(dim=-2)", "softmax(dim=0)"),
        "Your columns of weights sum to one. Who shares out a whole, a key or a query?",
    )

A mistake of several tasks is written once, without answers, and each task adds its own:

    NO_SCALE = SharedMisconception(
        "no-scale", "Your weights are too sharp. What do dot products grow with?"
    )
    NO_SCALE.by(changed(attend, " / math.sqrt(D)", ""))
"""

import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class AnyOf(tuple):
    """Several wrong answers that are the same mistake."""


@dataclass(frozen=True)
class Misconception:
    """A mistake that students really make.

    Attributes:
        name: in a few hyphenated words; a row of the class report.
        wrong: the wrong answer itself, put to use like any other; or several, as `any_of` and
            `changed` give them.
        hint: says what the result equals or lacks, and asks a question; never the fix.
    """

    name: str
    wrong: Any
    hint: str

    @property
    def answers(self) -> tuple[Any, ...]:
        """The wrong answers, one or more."""
        return self.wrong if isinstance(self.wrong, AnyOf) else (self.wrong,)


@dataclass(frozen=True)
class SharedMisconception:
    """A mistake of several tasks; it has no answers, and so no place in a catalogue, before `by`.

    Attributes:
        name, hint: as those of a `Misconception`; the hint holds in all of the tasks.
    """

    name: str
    hint: str

    def by(self, *wrong: Any) -> Misconception:
        """The mistake as these wrong answers of a task make it.

        Raises:
            ValueError: if there is none.
        """
        return Misconception(self.name, any_of(*wrong), self.hint)


def any_of(*wrong: Any) -> AnyOf:
    """Several wrong answers as one mistake; what is several itself counts one by one.

    Raises:
        ValueError: if there is none.
    """
    answers = AnyOf(one for some in wrong for one in (some if isinstance(some, AnyOf) else [some]))
    if not answers:
        raise ValueError("a mistake needs one wrong answer at least, got none")
    return answers


def changed(reference: Callable, at: str, *becomes: str) -> AnyOf:
    """Wrong answers that are the right one with something else in one place.

    The source of `reference` is taken, `at` in it replaced, and the result run beside the
    reference, so that it sees the same imports and helpers.

    Args:
        reference: a function or class of a module, without a decorator, or a changed one.
        at: what is replaced, as it stands in the source, in one line or several; it must be there
            once.
        *becomes: what stands there instead, one text for each wrong answer.

    Raises:
        ValueError: if `at` is not there exactly once, or nothing changes.
    """
    source = _source_of(reference)
    if source.count(at) != 1:
        raise ValueError(
            f"{reference.__name__} has {at!r} {source.count(at)} times; expected it once. Its "
            f"source is:\n{source}"
        )
    if not becomes or at in becomes:
        raise ValueError(f"{at!r} of {reference.__name__} must become something else: {becomes}")
    return AnyOf(_made(reference, source.replace(at, text)) for text in becomes)


def _source_of(reference: Callable) -> str:
    changed_source = getattr(reference, "__changed_source__", None)
    return changed_source or textwrap.dedent(inspect.getsource(reference))


def _made(reference: Callable, source: str) -> Any:
    """What a source defines under the reference's name, in a copy of the reference's module."""
    if getattr(reference, "__closure__", None):
        raise ValueError(f"{reference.__qualname__} sees names around it; expected a module's own")
    names = dict(vars(sys.modules[reference.__module__]))
    exec(compile(source, f"<{reference.__name__}, changed>", "exec"), names)
    made = names[reference.__name__]
    made.__changed_source__ = source
    return made
