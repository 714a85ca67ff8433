"""The result of one task: a row of a report."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class TaskResult:
    """The result of one task: a row of a report.

    Attributes:
        measured: metrics of the answer by name, if the task has a leaderboard.
        listed_as: the student's name on the leaderboard; empty if the student is not listed.
    """

    status: str
    score: float
    max: float
    misconception: str | None = None
    reason: str | None = None
    measured: Mapping[str, float] = field(default_factory=dict)
    listed_as: str = ""

    def as_dict(self) -> dict:
        """The row as JSON data; empty leaderboard fields are left out."""
        return {
            name: part
            for name, part in asdict(self).items()
            if part or name not in ("measured", "listed_as")
        }
