"""What all submissions of an assignment are graded by, and the jobs for workers made from it."""

from dataclasses import dataclass

from headway.grading.allowance import Allowance
from headway.grading.intake.submission import Snapshot
from headway.grading.sandbox.bubblewrap import require_sandbox


@dataclass(frozen=True)
class GradingSpec:
    """An assignment, as the workers need to know it.

    Attributes:
        assignment: "01-one-hot".
        editions: its notebook as it was handed out, as JSON, the oldest edition first; made by
            `headway.grading.nbgrader.editions`.
        hidden_modules: modules of ours that answer its tasks, and are not there meanwhile.
        allowance: what a submission may use.

    Raises:
        UserError: if there is no sandbox here and submissions are not trusted.
    """

    assignment: str
    editions: tuple[str, ...]
    hidden_modules: tuple[str, ...]
    allowance: Allowance

    def __post_init__(self):
        if not self.allowance.trust_submissions:
            require_sandbox()

    def job(self, snapshot: Snapshot, seed: int, student: str) -> dict:
        """A submission as a job for `headway.grading.workers.job`.

        Args:
            seed: of the hidden cases.
            student: who handed it in.
        """
        return {
            "assignment": self.assignment,
            "notebook": snapshot.notebook,
            "files": snapshot.files,
            "editions": list(self.editions),
            "hidden_modules": list(self.hidden_modules),
            "seed": seed,
            "student": student,
            "allowance": self.allowance.plain(),
        }
