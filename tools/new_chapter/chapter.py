"""What is known of a chapter before it is written: its name, and those of its tasks."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LAST = 16
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What the tasks of each kind share, in the order of an assignment. Of a debug task's three points
# the question which line is faulty has one, in each assignment.
POINTS = {"predict": 3, "build": 9, "debug": 2, "train": 5, "stretch": 4}
USUAL = {"predict": 3, "build": 3, "debug": 1, "train": 1, "stretch": 1}
FAULTY_LINE = "faulty-line"


class LayoutError(ValueError):
    """The chapter cannot be laid out; the message says why, and nothing was written."""


@dataclass(frozen=True)
class NewTask:
    """A task that is to be written.

    Attributes:
        id: its name without the chapter's, with hyphens.
        kind: one of the five.
        points: the most that can be earned.
    """

    id: str
    kind: str
    points: int

    @property
    def answer(self) -> str:
        """The name that the notebook gives to the answer."""
        return self.id.replace("-", "_")

    @property
    def module(self) -> str:
        """The module in which it stands; values that are worked out by hand stand together."""
        return "predict" if self.kind == "predict" else self.answer

    @property
    def variable(self) -> str:
        """The name of the task in its module, where a right answer has the answer's name."""
        alone = self.kind == "predict" or self.id == FAULTY_LINE
        return self.answer if alone else f"{self.answer}_task"


@dataclass(frozen=True)
class NewChapter:
    """A chapter that is to be written.

    Attributes:
        number: 1 to 16.
        slug: short name, with hyphens.
        title: as printed above the page.
        tasks: in the order of the assignment.
    """

    number: int
    slug: str
    title: str
    tasks: tuple[NewTask, ...]

    @property
    def name(self) -> str:
        """Number and slug, "05-tokens"."""
        return f"{self.number:02d}-{self.slug}"

    @property
    def package(self) -> str:
        """The slug as Python has it."""
        return self.slug.replace("-", "_")


def new_chapter(
    number: str, slug: str, title: str | None = None, names: Mapping[str, Sequence[str]] = {}
) -> NewChapter:
    """A chapter, with tasks of each kind that share the kind's points.

    Args:
        number, slug, title: as typed; without a title, the slug makes one.
        names: of its tasks, by kind; those of a kind that is left out are to be written.

    Raises:
        LayoutError: if one of them will not do.
    """
    if not re.fullmatch(r"[0-9]{1,2}", number) or not 1 <= int(number) <= LAST:
        raise LayoutError(f"{number!r} is no chapter's number; expected 1 to {LAST}.")
    tasks = []
    for kind, points in POINTS.items():
        ids = names.get(kind) or [f"to-write-{kind}-{i + 1}" for i in range(USUAL[kind])]
        if kind == "predict" and len(ids) != 3:
            raise LayoutError(f"{len(ids)} predict tasks; expected 3, of one point each.")
        if len(ids) > points:
            raise LayoutError(f"{len(ids)} {kind} tasks share {points} points: too many.")
        if kind == "debug":
            tasks.append(NewTask(FAULTY_LINE, kind, 1))
        shares = _shares(points, len(ids))
        tasks += [NewTask(task, kind, share) for task, share in zip(ids, shares, strict=True)]
    for name in (slug, *(task.id for task in tasks)):
        if not NAME.fullmatch(name):
            raise LayoutError(
                f"{name!r} is no name; expected small letters, digits and hyphens: skip-bigrams."
            )
    taken = ["predict"]  # the module that several share
    for task in tasks:
        if task.id in taken:
            raise LayoutError(f"The name {task.id!r} is taken; give each task one of its own.")
        taken.append(task.id)
    title = title or slug.replace("-", " ").capitalize()
    if set('"\\') & set(title):
        raise LayoutError(f"The title {title!r} has a straight quotation mark; write “ and ”.")
    return NewChapter(int(number), slug, title, tuple(tasks))


def _shares(points: int, count: int) -> list[int]:
    """Points shared out as evenly as whole numbers are, the first ones more."""
    each, over = divmod(points, count)
    return [each + (place < over) for place in range(count)]
