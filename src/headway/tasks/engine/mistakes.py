"""The known mistakes of a task, and a notation for their wrong answers.

A mistake has one name, one hint, and as many wrong answers as there are ways to make it. An answer
that does the same as one of them has made the mistake. Many mistakes show in what comes out,
however they were made; then a predicate tells (`shows`), or the corner case that alone fails
(`only_at`):

    seen(
        "over-the-queries",
        "Your rows of weights don't sum to one. Who shares out a whole, a key or a query?",
        shows=lambda got, expected, case: off_by(got[1].sum(-1), 1.0),
    )

A wrong answer is ordinary code. If it differs from the right one in only one line, it is shorter
and clearer to write the change of that line:

    Misconception(
        "over-the-queries",
        changed(attend, "softmax(dim=-1)", "softmax(dim=-2)", "softmax(dim=0)"),
        "Your columns of weights sum to one. Who shares out a whole, a key or a query?",
    )

A mistake that several tasks share is defined once, and each task adds its own wrong answers:

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


# (an answer's value, the right one, the case) -> whether the value shows a mistake.
Shows = Callable[[Any, Any, Any], bool]


@dataclass(frozen=True)
class Misconception:
    """A mistake that students really make.

    Attributes:
        name: in a few hyphenated words; a row of the class report.
        wrong: the wrong answer, which runs like any other; or several, made by `any_of` or
            `changed`.
        hint: says what the result equals or lacks, and asks a question; never gives the fix. It
            has to be true wherever `shows` or `only_at` apply.
        shows: tells from a wrong value whether it shows the mistake.
        only_at: labels of corner cases; an answer that fails in these only has made the mistake.
    """

    name: str
    wrong: Any
    hint: str
    shows: Shows | None = None
    only_at: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[Any, ...]:
        """The wrong answers, one or more."""
        return self.wrong if isinstance(self.wrong, AnyOf) else (self.wrong,)


@dataclass(frozen=True)
class SharedMisconception:
    """A mistake that several tasks share; `by` adds a task's wrong answers.

    Attributes:
        name, hint: as for `Misconception`; the hint must fit all of the tasks.
    """

    name: str
    hint: str

    def by(
        self, *wrong: Any, shows: Shows | None = None, only_at: tuple[str, ...] = ()
    ) -> Misconception:
        """The mistake with a task's wrong answers, or with what tells it there.

        Raises:
            ValueError: if there is neither.
        """
        answers = any_of(*wrong) if wrong or not (shows or only_at) else AnyOf()
        return Misconception(self.name, answers, self.hint, shows, only_at)


def seen(
    name: str, hint: str, shows: Shows | None = None, only_at: tuple[str, ...] = ()
) -> Misconception:
    """A mistake that is told by what comes out, without wrong answers to compare with."""
    return Misconception(name, AnyOf(), hint, shows, only_at)


def either(*predicates: Shows) -> Shows:
    """What shows a mistake in one of several ways."""
    return lambda got, expected, case: any(shows(got, expected, case) for shows in predicates)


def any_of(*wrong: Any) -> AnyOf:
    """Several wrong answers for one mistake; nested `AnyOf` are flattened.

    Raises:
        ValueError: if there is none.
    """
    answers = AnyOf(one for some in wrong for one in (some if isinstance(some, AnyOf) else [some]))
    if not answers:
        raise ValueError("a mistake needs one wrong answer at least, got none")
    return answers


def changed(reference: Callable, at: str, *becomes: str) -> AnyOf:
    """Wrong answers made from the right one by replacing a part of its source.

    The changed source runs in a copy of the reference's module, so that it sees the same imports
    and helpers.

    Args:
        reference: a module-level function or class without a decorator, or a changed one.
        at: the part of the source to replace, one or several lines; it must occur exactly once.
        *becomes: the replacements, one for each wrong answer.

    Raises:
        ValueError: if `at` does not occur exactly once, or nothing changes.
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
    """Run a source in a copy of the reference's module; return what has the reference's name."""
    if getattr(reference, "__closure__", None):
        raise ValueError(f"{reference.__qualname__} sees names around it; expected a module's own")
    names = dict(vars(sys.modules[reference.__module__]))
    exec(compile(source, f"<{reference.__name__}, changed>", "exec"), names)
    made = names[reference.__name__]
    made.__changed_source__ = source
    return made
