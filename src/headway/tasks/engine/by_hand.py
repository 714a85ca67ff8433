"""Tasks whose answer is a value that goes by a name: worked out by hand, or read off a listing."""

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
        id, title, reference, misconceptions, minutes, answer: as those of `Task`.
        compare: when an answer is right; to half of the second decimal if left out.
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
    """The question of a debug task which line is faulty, for one point.

    Args:
        assignment: "01-one-hot".
        line: the faulty one's number in the listing.
        misconceptions: other lines that one may suspect.
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
