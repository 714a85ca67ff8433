"""The verdict on an answer to a task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.naming import Named
from headway.tasks.engine.task import Task

Status = Literal["passed", "partial", "failed", "untouched"]


@dataclass(frozen=True)
class Verdict:
    """The result of judging an answer to a task.

    Attributes:
        task: the task.
        status: "passed", "partial", "failed", or "untouched" if nothing was filled in.
        score: points earned, 0 … task.points, in quarters.
        cases: (label, whether it passed) of each case.
        reason: a sentence on the first case that failed; empty if none did.
        named: the known mistake that explains the failure, or the requirement that the answer
            fails, if there is one.
        difference: the difference in the first failed case; None if it would reveal the answer.
        inputs: that case's inputs, as text; empty if there are none to show.
        printed: what the answer printed in that case.
        measured: metrics of the answer by name, if the task has a leaderboard.
        missing: how far the first failed case is from passing, without revealing the case.
    """

    task: Task
    status: Status
    score: float
    cases: tuple[tuple[str, bool], ...] = ()
    reason: str = ""
    named: Named | None = None
    difference: Difference | None = None
    inputs: str = ""
    printed: str = ""
    measured: Mapping[str, float] = field(default_factory=dict)
    missing: str = ""

    @property
    def misconception(self) -> Misconception | None:
        """The mistake that was named, if there is one."""
        return self.named and self.named.mistake

    def as_dict(self) -> dict:
        """The verdict as JSON data, for reports and for `--json`."""
        data = {
            "task": self.task.id,
            "status": self.status,
            "score": self.score,
            "max": self.task.points,
            "bonus": self.task.bonus,
            "misconception": self.misconception.name if self.misconception else None,
            "hint": self.misconception.hint if self.misconception else None,
            "reason": self.reason or None,
            "cases": [{"label": label, "passed": passed} for label, passed in self.cases],
        }
        return data | ({"measured": dict(self.measured)} if self.measured else {})
