"""The specification by which an assignment is graded, and the workers' jobs made from it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headway.grading.allowance import Allowance
from headway.grading.intake.submission import Snapshot
from headway.grading.sandbox.bubblewrap import require_sandbox

# Wall time of a worker for a job, as a multiple of that of the submission: it also judges.
JUDGING = 1.5
SOLUTION = re.compile("### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)


@dataclass(frozen=True)
class GradingSpec:
    """The data on an assignment that workers need.

    Attributes:
        assignment: "01-one-hot".
        releases: the releases of its notebook, as JSON, oldest first; made by
            `headway.grading.nbgrader.source`.
        hidden_modules: this package's modules that answer its tasks; hidden from submissions.
        allowance: the limits of a submission.

    Raises:
        UserError: if no sandbox is available and submissions are not trusted.
    """

    assignment: str
    releases: tuple[str, ...]
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
            "releases": list(self.releases),
            "hidden_modules": list(self.hidden_modules),
            "seed": seed,
            "allowance": self.allowance.plain(),
            "seconds": JUDGING * self.allowance.wall_seconds,
        }


def opening_job(source: Path, hidden_modules: Sequence[str], allowance: Allowance) -> dict | None:
    """A job that prepares a worker while the assignment is still being prepared: `open_sandbox`.

    Args:
        source: the notebook with its solution. The starter code is guessed from its text; if the
            release differs in the end, the sandbox is created again.

    Returns:
        the job; None if it is not a notebook.
    """
    try:
        cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
        codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return {
        "do": "open",
        "sources": [SOLUTION.sub("...", code) for code in codes],
        "hidden_modules": list(hidden_modules),
        "allowance": allowance.plain(),
        "seconds": JUDGING * allowance.wall_seconds,
        "tries": 1,
    }
