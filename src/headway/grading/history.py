"""Why a score is not what it was: what it rests on is kept beside it, and compared.

Due dates, extensions, the plug-in of penalties and points by hand change without any submission
that would be graded again. A student's *standing* is the score, the penalty in it, and what both
rest on. After each run the standing in the gradebook is held against the one that the journal has.
Where the score or the penalty differs, the old one becomes a step of the history, with its cause.
"""

from collections.abc import Collection, Mapping
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
OTHERWISE = "nbgrader graded it, or somebody changed the gradebook"
ALIKE = 1e-9  # points; less is a matter of rounding


@dataclass(frozen=True)
class Standing:
    """What a student has for an assignment.

    Attributes:
        score: the points that count, the penalty taken off.
        penalty: for being late.
        rests_on: what decides both, as digests or short texts, by a name of `CAUSES`.
        when: it came about, as a date and time; empty if that is now.
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
    """The standing that a journal's entry has; None if it has none."""
    return Standing(**entry.standing) if entry.standing else None


def carried_on(entry: Entry, earlier: Entry | None, in_gradebook: Standing | None) -> Entry:
    """A new entry with the history of the one before, and the standing that was.

    Args:
        in_gradebook: before this run; it is the standing of an entry that has none of its own, as
            those of earlier versions.
    """
    if earlier is None:
        return entry
    standing = earlier.standing
    if not standing and earlier.recorded and in_gradebook:
        standing = asdict(replace(in_gradebook, rests_on=earlier.key, when=earlier.when))
    return replace(entry, history=earlier.history, standing=standing)


def tell_histories(
    journal: Journal,
    in_gradebook: Mapping[str, RecordedSubmission],
    plug_in: str,
    recorded: Collection[str],
) -> list[str]:
    """Write into the journal whose score or penalty changed, and why.

    Args:
        in_gradebook: what it has of each student now.
        plug_in: a digest of what decides on penalties.
        recorded: who was recorded in this run.

    Returns:
        whose score is one that they had before, for no reason that is known here: so it is where an
        older gradebook was put in the place of the last one.
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
    """The entry with today's standing; if that differs, with one step more in its history.

    Args:
        otherwise: the cause where nothing changed that the score rests on, as part of a sentence.
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
    """What changed that the difference can come from, as parts of a sentence."""
    changed = [
        name
        for name in CAUSES
        if before.rests_on.get(name) != now.rests_on.get(name)
        # Entries of earlier versions do not tell these.
        and (name in before.rests_on or name not in (*LATER, *OF_PENALTIES, "hand"))
    ]
    if before.score + before.penalty == now.score + now.penalty:
        possible = ("submission", *OF_PENALTIES)
    elif before.penalty == now.penalty:
        possible = (*REASONS, "hand")
    else:
        possible = tuple(CAUSES)
    return [CAUSES[name] for name in changed if name in possible]


def sentences(entry: Entry) -> tuple[str, ...]:
    """How the score came to be what it is, a sentence for each change; none without one."""
    return tuple(
        f"{then['when']}: {_points(then)}; {later['when']}: {_points(later)}, "
        f"because {then['why']}."
        for then, later in pairwise([*entry.history, entry.standing])
        # Histories of earlier versions have steps at which nothing changed.
        if later and (then["score"], _penalty(then)) != (later["score"], _penalty(later))
    )


def _points(step: Mapping) -> str:
    off = _penalty(step)
    return f"{step['score']:g}" + (f" after a penalty of {off:g}" if off else "")


def _penalty(step: Mapping) -> float:
    return step.get("penalty", 0.0)


def this_minute() -> str:
    """The date and time as journals have them."""
    return datetime.now().astimezone().isoformat(" ", "minutes")
