"""Answers that resemble each other, side by side, as a page: self-contained, no script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from headway.chapters import Chapter
from headway.grading.desk.answers import ClassAnswers
from headway.grading.desk.published import LEAST_OF_ANSWER, LEAST_OF_STUDENT
from headway.grading.desk.resemblance import (
    LEAST,
    MANY,
    MANY_OF,
    MOST_PAIRS,
    PIECE,
    SHOWN_FROM,
    Pair,
    Resemblance,
    alike_spans,
    why_nothing,
)
from headway.grading.results.pages import render
from headway.tasks.engine.find import tasks_of

SIDE_BY_SIDE = 15  # pairs whose code is shown
MOST_LINES, LONGEST_LINE = 150, 300
Line = list[tuple[str, bool]]


@dataclass(frozen=True)
class Beside:
    """Two answers to a task as lines; a line is a list of (text, whether it is alike)."""

    title: str
    one: list[Line]
    other: list[Line]


def resemblance_page(
    chapter: Chapter,
    of_class: ClassAnswers,
    found: Resemblance,
    equal: Mapping[str, Sequence[str]],
) -> str:
    """The HTML.

    Args:
        equal: student → the tasks whose answers are equal to the solution.
    """
    titles = {task.id.partition("/")[2]: task.title for task in tasks_of(chapter.name)}
    return render(
        "resemblance.html",
        {},
        chapter=chapter,
        found=found,
        equal=equal,
        students=len(of_class.answers),
        unread=of_class.unread,
        called_so=of_class.names,
        without_solution=of_class.without_solution,
        why_nothing="" if found.compared else why_nothing(of_class),
        shown=[
            (pair, _beside(pair, of_class, found, titles)) for pair in found.pairs[:SIDE_BY_SIDE]
        ],
        titles=titles,
        limits={
            "least": LEAST,
            "piece": PIECE,
            "from": SHOWN_FROM,
            "pairs": MOST_PAIRS,
            "many": MANY,
            "many_of": MANY_OF,
            "of_answer": LEAST_OF_ANSWER,
            "of_student": LEAST_OF_STUDENT,
        },
    )


def _beside(
    pair: Pair, of_class: ClassAnswers, found: Resemblance, titles: dict[str, str]
) -> list[Beside]:
    rows = []
    for name in pair.alike:
        pieces = found.pieces[pair.one, name], found.pieces[pair.other, name]
        spans = alike_spans(*pieces)
        codes = (of_class.answers[student][name] for student in (pair.one, pair.other))
        rows.append(Beside(titles.get(name, name), *map(lines_of, codes, spans)))
    return rows


def lines_of(code: str, alike: Sequence[tuple[int, int]]) -> list[Line]:
    """Split code into lines of (text, whether it is marked); long lines and code are cut.

    Args:
        alike: (start, end) of the parts to mark, sorted and not overlapping.
    """
    edges = sorted({0, len(code), *(edge for span in alike for edge in span)})
    marked = {start for start, _ in alike}
    lines: list[Line] = [[]]
    for start, end in pairwise(edges):
        first, *others = code[start:end].expandtabs(4).split("\n")
        for number, text in enumerate((first, *others)):
            if number:
                lines.append([])
            if text:
                lines[-1].append((text, start in marked))
        if len(lines) > MOST_LINES:
            break
    cut = [_cut(line) for line in lines[:MOST_LINES]]
    return cut if len(lines) <= MOST_LINES else [*cut, [("…", False)]]


def _cut(line: Line) -> Line:
    left, kept = LONGEST_LINE, []
    for text, is_alike in line:
        if left > 0:
            kept.append((text if len(text) <= left else f"{text[:left]}…", is_alike))
        left -= len(text)
    return kept
