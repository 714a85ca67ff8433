"""Tasks that ask for a value, worked out by hand or read off a listing, and not for code."""

from typing import Any

from headway.tasks.engine.compare import Compare, close, equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe.calls import value
from headway.tasks.engine.task import Case, Task


def by_hand(
    id: str,
    title: str,
    reference: Any,
    *misconceptions: Misconception,
    minutes: int,
    answer: str,
    compare: Compare | None = None,
) -> Task:
    """A task of kind "predict", for one point.

    Args:
        id, title, reference, misconceptions, minutes, answer: as for `Task`.
        compare: decides whether an answer is right; by default within 0.005.
    """
    return Task(
        id=id,
        title=title,
        kind="predict",
        points=1,
        minutes=minutes,
        answer=answer,
        verb=value,
        cases=lambda rng: [Case("the value", core=True)],
        reference=reference,
        misconceptions=misconceptions,
        compare=compare or close(atol=5e-3),
    )


def which_line(
    assignment: str, line: int, *misconceptions: Misconception, minutes: int = 1
) -> Task:
    """A task, for one point, that asks which line of a debug task's listing is faulty.

    Args:
        assignment: "01-one-hot".
        line: number of the faulty line in the listing.
        misconceptions: plausible wrong lines.
    """
    return Task(
        id=f"{assignment}/faulty-line",
        title="Which line was it?",
        kind="debug",
        points=1,
        minutes=minutes,
        answer="faulty_line",
        verb=value,
        cases=lambda rng: [Case("the line", core=True)],
        reference=line,
        misconceptions=misconceptions,
        compare=equal(),
    )
