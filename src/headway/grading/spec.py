"""What an assignment is graded by: workers' jobs are made from it, and its digests tell changes."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headway.grading.allowance import Allowance
from headway.grading.digests import digest_of, packages_digest
from headway.grading.intake.submission import Snapshot
from headway.grading.sandbox.bubblewrap import require_sandbox
from headway.imports import own_imports
from headway.tasks.engine.find import UnknownTaskError, module_of, tasks_of

# Wall time of a worker for a job, as a multiple of that of the submission: it also judges.
JUDGING = 1.5


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


def what_decides(spec: GradingSpec) -> dict[str, str]:
    """Digests, by name, of all that decides a result, except the submission itself.

    If one changes, a submission is graded again.
    """
    key = {
        "assignment": releases_digest(spec.releases),
        "tasks": tasks_digest(spec.assignment, spec.hidden_modules),
        "package": packages_digest(),
        "points": points_digest(spec.releases[-1]),
    }
    if spec.allowance.trust_submissions:
        key["sandbox"] = "none"
    return key


def tasks_digest(assignment: str, hidden_modules: Iterable[str]) -> str:
    """A digest of the code that judges an assignment.

    It covers the tasks, the judge, the modules that answer the tasks, and all modules of this
    package that these import, since they can change a result as well.
    """
    try:
        tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment
        return ""
    names = [module_of(assignment).__name__, "headway.tasks.engine.official", *hidden_modules]
    return digest_of(path.read_text(encoding="utf-8") for path in own_imports().files(names))


def releases_digest(releases: Sequence[str]) -> str:
    """A digest of an assignment's releases, without their points.

    Args:
        releases: the releases of the notebook, as JSON, from the oldest to today's. Releases that
            differ only in points count as one.
    """
    kept: dict[str, str] = {}
    for text in releases:
        kept.setdefault(last := _without_points(text), text)
    kept[last] = kept.pop(last)
    return digest_of(kept.values())


def _without_points(release: str) -> str:
    notebook = json.loads(release)
    for cell in notebook["cells"]:
        for name in ("points", "checksum"):  # nbgrader's checksum depends on the points
            cell["metadata"].get("nbgrader", {}).pop(name, None)
    return json.dumps(notebook)


def points_digest(release: str) -> str:
    """A digest of the points of a release's cells."""
    cells = (cell["metadata"].get("nbgrader", {}) for cell in json.loads(release)["cells"])
    points = {c["grade_id"]: float(c["points"]) for c in cells if "points" in c}
    return digest_of([json.dumps(points, sort_keys=True)])
