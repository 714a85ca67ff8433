"""The specification by which an assignment is graded, and the workers' jobs made from it."""

from dataclasses import dataclass

from headway.grading.allowance import Allowance
from headway.grading.intake.submission import Snapshot
from headway.grading.sandbox.bubblewrap import require_sandbox

# Wall time of a worker for a job, as a multiple of that of the submission: it also judges.
JUDGING = 1.5


@dataclass(frozen=True)
class GradingSpec:
    """The data on an assignment that workers need.

    Attributes:
        assignment: "01-one-hot".
        editions: the releases of its notebook, as JSON, oldest first; made by
            `headway.grading.nbgrader.editions`.
        hidden_modules: this package's modules that answer its tasks; hidden from submissions.
        allowance: the limits of a submission.

    Raises:
        UserError: if no sandbox is available and submissions are not trusted.
    """

    assignment: str
    editions: tuple[str, ...]
    hidden_modules: tuple[str, ...]
    allowance: Allowance

    def __post_init__(self):
        if not self.allowance.trust_submissions:
            require_sandbox()

    def job(self, snapshot: Snapshot, seed: int) -> dict:
        """A submission as a job for `headway.grading.workers.job`.

        Args:
            seed: seed of the hidden cases.
        """
        return {
            "assignment": self.assignment,
            "notebook": snapshot.notebook,
            "files": snapshot.files,
            "renamed": snapshot.renamed,
            "editions": list(self.editions),
            "hidden_modules": list(self.hidden_modules),
            "seed": seed,
            "allowance": self.allowance.plain(),
            "seconds": JUDGING * self.allowance.wall_seconds,
        }
