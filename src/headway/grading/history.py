"""Explain why a student's score has changed between runs.

Due dates, extensions, the penalty plug-in and manual points can change a score although no
submission is graded again. A student's *standing* is the score, the penalty in it, and digests of
all that decides both. After each run, the standing in the gradebook is compared with the one in
the journal. If the score or the penalty differs, the old standing and the cause of the change are
added to the history.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import pairwise

from headway.grading.fingerprints import LATER, REASONS
from headway.grading.journal import Entry, Journal
from headway.grading.nbgrader.recorded import RecordedSubmission

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


@dataclass(frozen=True)
class Standing:
    """A student's score for an assignment, and what decides it.

    Attributes:
        score: the final score, less the penalty.
        penalty: the late penalty.
        rests_on: digests or short texts of all that decides both, by the names in `CAUSES`.
        when: date and time of the score; empty if that is now.
    """

    score: float
    penalty: float
    rests_on: Mapping[str, str]
    when: str = ""

    def same(self, other: "Standing") -> bool:
        """Whether another has the same score and the same penalty."""
        pairs = (self.score, other.score), (self.penalty, other.penalty)
        return all(abs(one - two) < ALIKE for one, two in pairs)


def standing_of(entry: Entry) -> Standing | None:
    """The standing in a journal's entry; None if it has none."""
    return Standing(**entry.standing) if entry.standing else None


def carried_on(entry: Entry, earlier: Entry | None, in_gradebook: Standing | None) -> Entry:
    """A new entry with the history, standing and points by hand of the earlier one.

    Args:
        in_gradebook: the standing in the gradebook before this run, for earlier entries without
            one, as written by earlier versions.
    """
    if earlier is None:
        return entry
    standing = earlier.standing
    if not standing and earlier.recorded and in_gradebook:
        standing = asdict(replace(in_gradebook, rests_on=earlier.key, when=earlier.when))
    kept = {"history": earlier.history, "standing": standing, "by_hand": earlier.by_hand}
    return replace(entry, **kept)


def tell_histories(
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
        standing = Standing(now.final_score, now.penalty, rests_on)
        brought = brought_up_to_date(entry, standing, AGAIN if student in recorded else OTHERWISE)
        if brought != entry:
            journal.write(student, brought)
        if len(brought.history) > len(entry.history) and brought.history[-1]["why"] == OTHERWISE:
            older += [student] * any(step["score"] == now.final_score for step in entry.history)
    return older


def brought_up_to_date(entry: Entry, now: Standing, otherwise: str) -> Entry:
    """The entry with today's standing; if that differs, the old one is added to its history.

    Args:
        otherwise: the cause, as part of a sentence, if nothing in `rests_on` explains the change.
    """
    before = standing_of(entry)
    if before is None:
        return replace(entry, standing=asdict(replace(now, when=entry.when)))
    if before.same(now):
        kept = replace(before, rests_on=now.rests_on)
        return entry if kept == before else replace(entry, standing=asdict(kept))
    step = {
        "when": before.when,
        "score": before.score,
        "penalty": before.penalty,
        "why": " and ".join(_causes(before, now)) or otherwise,
    }
    now = replace(now, when=this_minute())
    return replace(entry, history=(*entry.history, step), standing=asdict(now))


def _causes(before: Standing, now: Standing) -> list[str]:
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
    for then, later in reversed([*pairwise([*entry.history, entry.standing])]):
        if later and then["score"] != later["score"]:
            causes = (words for text, words in FOR_STUDENTS.items() if text in then["why"])
            score = f"{then['score']:g} → {later['score']:g} points"
            return (f"{later['when'][:10]}: {score}, because {next(causes, AGAIN)}.",)
    return ()


def sentences(entry: Entry) -> tuple[str, ...]:
    """A sentence for each change of the score."""
    return tuple(
        f"{then['when']}: {_points(then)}; {later['when']}: {_points(later)}, "
        f"because {then['why']}."
        for then, later in pairwise([*entry.history, entry.standing])
        # Histories of earlier versions contain steps without a change.
        if later and (then["score"], _penalty(then)) != (later["score"], _penalty(later))
    )


def _points(step: Mapping) -> str:
    off = _penalty(step)
    return f"{step['score']:g}" + (f" after a penalty of {off:g}" if off else "")


def _penalty(step: Mapping) -> float:
    return step.get("penalty", 0.0)


def this_minute() -> str:
    """The current date and time in the journal's format."""
    return datetime.now().astimezone().isoformat(" ", "minutes")
