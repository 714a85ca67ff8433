"""Digests of all that decides a result; if one changes, a submission is graded again."""

import json
from collections.abc import Iterable, Sequence

from headway.grading.digests import digest_of, packages_digest
from headway.grading.spec import GradingSpec
from headway.imports import own_imports
from headway.tasks.engine.find import UnknownTaskError, module_of, tasks_of

REASONS = {
    "submission": "another version was handed in",
    "assignment": "the assignment changed",
    "tasks": "what its tasks ask for, or the mistakes that they know, changed",
    "sandbox": "one of the two gradings was without a sandbox",
    "package": "the course's package, or one that it computes with, has another version",
    "points": "the points of its tasks changed",
}
LATER = ("package", "points")  # missing in journals of earlier versions


def what_decides(spec: GradingSpec) -> dict[str, str]:
    """Digests, by name, of all that decides a result, except the submission itself."""
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
