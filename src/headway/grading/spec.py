"""What all submissions of an assignment are graded by, and the jobs for workers made from it."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from headway.grading.allowance import Allowance
from headway.grading.intake.submission import Snapshot
from headway.grading.sandbox.bubblewrap import require_sandbox

SOLUTION = re.compile("### BEGIN SOLUTION.*?### END SOLUTION", re.DOTALL)


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

    def job(self, snapshot: Snapshot, seed: int) -> dict:
        """A submission as a job for `headway.grading.workers.job`.

        Args:
            seed: of the hidden cases.
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
            "seconds": self.allowance.submission_seconds,
        }


def opening_job(source: str, hidden_modules: Sequence[str], allowance: Allowance) -> dict:
    """A job that makes a worker ready before the assignment is: see `open_sandbox`.

    Args:
        source: the notebook with its solution, as JSON. What it hands out is read as text; where
            that is not what is released in the end, the sandbox is made anew.

    Raises:
        ValueError, KeyError, TypeError: if it is no notebook.
    """
    cells = [cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code"]
    return {
        "do": "open",
        "sources": [SOLUTION.sub("...", "".join(cell["source"])) for cell in cells],
        "hidden_modules": list(hidden_modules),
        "allowance": allowance.plain(),
        "seconds": allowance.submission_seconds,
        "tries": 1,
    }
