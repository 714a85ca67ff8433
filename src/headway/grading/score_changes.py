"""Explain why a student's score has changed between runs.

Due dates, extensions, the penalty plug-in and manual points can change a score although no
submission is graded again. So after each run, the score in the gradebook, with the penalty and
digests of all that decides both, is compared with the current one in the journal. If it differs,
the old one and the cause of the change are added to the earlier scores.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from headway.grading.journal import CurrentScore, EarlierScore, Entry, Journal
from headway.grading.nbgrader.recorded import RecordedSubmission

# Why a submission is graded again, by the names in its entry's key.
REASONS = {
    "submission": "another version was handed in",
    "assignment": "the assignment changed",
    "tasks": "what its tasks ask for, or the mistakes that they know, changed",
    "sandbox": "one of the two gradings was without a sandbox",
    "package": "the course's package, or one that it computes with, has another version",
    "points": "the points of its tasks changed",
}
LATER = ("package", "points")  # missing in journals of earlier versions
OF_PENALTIES = {
    "due": "the due date moved",
    "extension": "an extension was given, changed or taken back",
    "penalty": "the plug-in of late penalties, or its settings, changed",
}
CAUSES = {**REASONS, **OF_PENALTIES, "hand": "points were given by hand"}
AGAIN = "it was graded again"
# What a student reads instead, the first one that is among the causes; else that it was graded
# again.
FOR_STUDENTS = {
    CAUSES["hand"]: "points were given by hand",
    CAUSES["submission"]: "another version of your file was graded",
    CAUSES["extension"]: "your due date changed",
    CAUSES["due"]: "the due date changed",
    CAUSES["penalty"]: "the rule for late work changed",
    CAUSES["points"]: "the points of its tasks changed",
    CAUSES["assignment"]: "the assignment changed",
}
OTHERWISE = "nbgrader graded it, or somebody changed the gradebook"
ALIKE = 1e-9  # points; smaller differences are rounding errors


def carried_on(entry: Entry, earlier: Entry | None, in_gradebook: CurrentScore | None) -> Entry:
    """A new entry with the scores and points by hand of the earlier one.

    Args:
        in_gradebook: the score in the gradebook before this run, for earlier entries without one,
            as written by earlier versions.
    """
    if earlier is None:
        return entry
    current = earlier.current
    if not current and earlier.recorded and in_gradebook:
        current = replace(in_gradebook, rests_on=earlier.key, when=earlier.when)
    return replace(entry, earlier=earlier.earlier, current=current, by_hand=earlier.by_hand)


def note_changes(
    journal: Journal,
    in_gradebook: Mapping[str, RecordedSubmission],
    plug_in: str,
    recorded: Collection[str],
) -> list[str]:
    """Write changes of scores and penalties, with their causes, into the journal.

    Args:
        in_gradebook: the gradebook's record of each student now.
        plug_in: a digest of the penalty plug-in and its settings.
        recorded: students recorded in this run.

    Returns:
        students with an earlier score again, for no known cause. This happens if an older
        gradebook has replaced the last one.
    """
    older = []
    for student, now in in_gradebook.items():
        entry = journal.read(student)
        if not entry or entry.status != "graded" or not entry.recorded:
            continue
        rests_on = {**entry.key, **now.rests_on(), "penalty": plug_in}
        current = CurrentScore(now.final_score, now.penalty, rests_on)
        updated = _updated(entry, current, AGAIN if student in recorded else OTHERWISE)
        if updated != entry:
            journal.write(student, updated)
        if len(updated.earlier) > len(entry.earlier) and updated.earlier[-1].why == OTHERWISE:
            older += [student] * any(then.score == now.final_score for then in entry.earlier)
    return older


def _updated(entry: Entry, now: CurrentScore, otherwise: str) -> Entry:
    """The entry with today's score; if that differs, the old one is added to the earlier ones.

    Args:
        otherwise: the cause, as part of a sentence, if nothing in `rests_on` explains the change.
    """
    before = entry.current
    if before is None:
        return replace(entry, current=replace(now, when=entry.when))
    if _same(before, now):
        return replace(entry, current=replace(before, rests_on=now.rests_on))
    why = " and ".join(_causes(before, now)) or otherwise
    then = EarlierScore(before.when, before.score, why, before.penalty)
    return replace(entry, earlier=(*entry.earlier, then), current=replace(now, when=this_minute()))


def _same(one: CurrentScore | EarlierScore, other: CurrentScore | EarlierScore) -> bool:
    """Whether score and penalty are the same."""
    pairs = (one.score, other.score), (one.penalty, other.penalty)
    return all(abs(then - now) < ALIKE for then, now in pairs)


def _causes(before: CurrentScore, now: CurrentScore) -> list[str]:
    """The possible causes of a difference, as parts of a sentence."""
    changed = [
        name
        for name in CAUSES
        if before.rests_on.get(name) != now.rests_on.get(name)
        # Entries of earlier versions lack these.
        and (name in before.rests_on or name not in (*LATER, *OF_PENALTIES, "hand"))
    ]
    if before.score + before.penalty == now.score + now.penalty:
        possible = ("submission", *OF_PENALTIES)
    elif before.penalty == now.penalty:
        possible = (*REASONS, "hand")
    else:
        possible = tuple(CAUSES)
    return [CAUSES[name] for name in changed if name in possible]


def changes_of(journal: Journal, students: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each student, a sentence on how the score changed last; none if it never did.

    It names one cause, in words that need no knowledge of how grading works.
    """
    entries = {student: journal.read(student) for student in students}
    return {student: _for_student(entry) for student, entry in entries.items() if entry}


def _for_student(entry: Entry) -> tuple[str, ...]:
    for then, later in reversed(_steps(entry)):
        if then.score != later.score:
            causes = (words for text, words in FOR_STUDENTS.items() if text in then.why)
            score = f"{then.score:g} → {later.score:g} points"
            return (f"{later.when[:10]}: {score}, because {next(causes, AGAIN)}.",)
    return ()


def sentences(entry: Entry) -> tuple[str, ...]:
    """A sentence for each change of the score."""
    return tuple(
        f"{then.when}: {_points(then)}; {later.when}: {_points(later)}, because {then.why}."
        for then, later in _steps(entry)
        # Entries of earlier versions contain steps without a change.
        if (then.score, then.penalty) != (later.score, later.penalty)
    )


def _steps(entry: Entry) -> list[tuple[EarlierScore, EarlierScore | CurrentScore]]:
    """The earlier scores, each with the next one."""
    return [*pairwise(filter(None, [*entry.earlier, entry.current]))]


def _points(score: EarlierScore | CurrentScore) -> str:
    off = f" after a penalty of {score.penalty:g}" if score.penalty else ""
    return f"{score.score:g}{off}"


def this_minute() -> str:
    """The current date and time in the journal's format."""
    return datetime.now().astimezone().isoformat(" ", "minutes")
