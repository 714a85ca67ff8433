"""Points that somebody gave by hand, and for which answer.

They survive every regrade. If the student's answer changes afterwards, the report says so until
they are saved again in the formgrader, or taken away.

Recording a notebook marks a cell with manual points as one that a person should look at, and the
formgrader removes the mark on saving. So before each run, points without the mark, and new ones,
are for the answer of the last recorded notebook.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from headway.grading.digests import digest_of
from headway.grading.journal import Journal, NotedPoints
from headway.grading.nbgrader.recorded import HandPoints, bonuses
from headway.grading.notebooks.points import check_name
from headway.grading.safe_text import visible

Points = Mapping[str, Mapping[str, HandPoints]]


def bonuses_by_hand(
    gradebook: Gradebook, assignment: str, journal: Journal
) -> dict[tuple[str, str], float]:
    """Student and grade_id → a stretch task's extra credit, where it isn't what the last run gave.

    Call it before recording.
    """
    found = {}
    for (student, name), given in bonuses(gradebook, assignment).items():
        entry = journal.read(student)
        tasks = entry.tasks if entry and entry.recorded else {}
        earned = {check_name(task): result.score for task, result in tasks.items()}
        if given != earned.get(name, given):
            found[student, name] = given
    return found


def note_answers(journal: Journal, points: Points, notebooks: Mapping[str, Path]) -> None:
    """Write into the journal for which answers points were given; call before recording.

    Args:
        points: student → grade_id → points by hand.
        notebooks: student → the last recorded notebook.
    """
    for student, path in notebooks.items():
        entry = journal.read(student)
        given = points.get(student, {})
        if not entry or not (given or entry.by_hand):
            continue
        answers = answers_in(path)
        noted = {
            name: _noted(one, entry.by_hand.get(name), answers.get(name, ""), entry.when)
            for name, one in given.items()
        }
        if noted != entry.by_hand:
            journal.write(student, replace(entry, by_hand=noted))


def _noted(given: HandPoints, known: NotedPoints | None, answer: str, when: str) -> NotedPoints:
    same = known is not None and (known.manual, known.extra) == (given.manual, given.extra)
    if same and (not given.saved_since or known.answer == answer):
        return known
    return NotedPoints(given.manual, given.extra, answer, when)


def for_earlier_answers(
    journal: Journal, points: Points, notebooks: Mapping[str, Path]
) -> dict[str, dict[str, str]]:
    """The points that were given for an answer which has changed since.

    Args:
        points, notebooks: as for `note_answers`, now.

    Returns:
        student → name of the task or cell → a sentence.
    """
    found = {}
    for student, given in points.items():
        entry = journal.read(student)
        known = entry.by_hand if entry else {}
        answers = answers_in(notebooks[student]) if known and student in notebooks else {}
        sentences = {
            name.removeprefix("check-"): _sentence(name.removeprefix("check-"), known[name])
            for name in given
            if name in known and known[name].answer and name in answers
            if known[name].answer != answers[name]
        }
        if sentences:
            found[student] = sentences
    return found


def overwritten_bonuses(
    by_hand: Mapping[tuple[str, str], float], now: Mapping[tuple[str, str], float]
) -> list[str]:
    """Extra credit by hand on stretch tasks, which grading replaced by what it gives itself.

    Args:
        by_hand: what `bonuses_by_hand` gave before the run.
        now: student and grade_id → extra credit after it.

    Returns:
        parts of a sentence: "pairs of ada (3, now 0)".
    """
    return [
        f"{name.removeprefix('check-')} of {visible(student)} ({given:g}, now {now[key]:g})"
        for key, given in by_hand.items()
        for student, name in [key]
        if key in now and given != now[key]
    ]


def _sentence(name: str, known: NotedPoints) -> str:
    points = (known.manual or 0) + known.extra
    sign = "+" if known.manual is None else ""
    return (
        f"{sign}{points:g} {'point' if points == 1 else 'points'} by hand for {name} "
        f"{'was' if points == 1 else 'were'} given for an earlier answer (graded "
        f"{known.when[:10]}): look again"
    )


def answers_in(path: Path) -> dict[str, str]:
    """Digests of the answers in a graded notebook, by the grade_id of the cell with the points.

    A task's answer is what stands in the answer cells since the last graded cell.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return _answers(cells)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _answers(cells: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    found, texts = {}, []
    for cell in cells:
        metadata = cell["metadata"].get("nbgrader", {})
        if metadata.get("solution"):
            texts.append("".join(cell["source"]).strip())
        if metadata.get("grade") or metadata.get("task"):
            found[metadata["grade_id"]] = digest_of(texts)
            texts = []
    return found
