"""Which of several copies of a submission counts: the latest, or the last punctual one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from traitlets import Bool
from traitlets.config import Configurable


class Collecting(Configurable):
    """How submissions are collected.

    In a course folder's `nbgrader_config.py`:

        c.Collecting.last_punctual = True
    """

    last_punctual = Bool(
        False,
        help="Whether the last punctual copy counts, if there is one, and not the latest copy.",
    ).tag(config=True)


@dataclass(frozen=True)
class Choice:
    """Which copy counts.

    Attributes:
        counts: the index of the copy that counts.
        latest: the index of the latest copy.
        punctual: the index of the last punctual copy; None if all are late.
    """

    counts: int
    latest: int
    punctual: int | None

    @property
    def is_late_instead(self) -> bool:
        """Whether a late copy counts although there is a punctual one."""
        return self.punctual is not None and self.counts == self.latest != self.punctual


def choose(times: Sequence[datetime | None], until: datetime | None, last_punctual: bool) -> Choice:
    """Choose one of several copies.

    Args:
        times: when each was handed in, in the order of collecting; None, if that is not known,
            counts as punctual, and as earlier than what is late.
        until: when the assignment was due for the student; None without a due date.
        last_punctual: whether the last punctual copy is to count.
    """

    def last(indices: list[int]) -> int:
        return max(indices, key=lambda at: (_is_late(times[at], until), _known(times, at), at))

    latest = last(list(range(len(times))))
    in_time = [at for at, time in enumerate(times) if not _is_late(time, until)]
    punctual = last(in_time) if in_time else None
    counts = punctual if last_punctual and punctual is not None else latest
    return Choice(counts, latest, punctual)


def _is_late(time: datetime | None, until: datetime | None) -> bool:
    return time is not None and until is not None and time > until


def _known(times: Sequence[datetime | None], at: int) -> float:
    """A copy's time, as a number; the same for all if one of them is not known."""
    return times[at].timestamp() if all(times) else 0.0
