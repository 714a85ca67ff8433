"""What decides a result, as digests: where one changes, a submission is graded again."""

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
LATER = ("package", "points")  # journals of before do not tell these


def what_decides(spec: GradingSpec) -> dict[str, str]:
    """Digests of all that decides a result but for the submission, by what they are of."""
    key = {
        "assignment": editions_digest(spec.editions),
        "tasks": tasks_digest(spec.assignment, spec.hidden_modules),
        "package": packages_digest(),
        "points": points_digest(spec.editions[-1]),
    }
    if spec.allowance.trust_submissions:
        key["sandbox"] = "none"
    return key


def tasks_digest(assignment: str, hidden_modules: Iterable[str]) -> str:
    """A digest of the code that judges an assignment.

    Its tasks, the judge, the modules that answer the tasks, and all that these import of ours: what
    a task computes with decides as much as the task does.
    """
    try:
        tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment has none of our tasks
        return ""
    names = [module_of(assignment).__name__, "headway.tasks.engine.official", *hidden_modules]
    return digest_of(path.read_text(encoding="utf-8") for path in own_imports().files(names))


def editions_digest(editions: Sequence[str]) -> str:
    """A digest of what was handed out, whatever points it counts.

    Args:
        editions: of an assignment's notebook, as JSON, in the order in which they came, and
            today's last; one that differs from an earlier one in its points alone is not another.
    """
    kept: dict[str, str] = {}
    for text in editions:
        kept.setdefault(last := _without_points(text), text)
    kept[last] = kept.pop(last)
    return digest_of(kept.values())


def _without_points(edition: str) -> str:
    notebook = json.loads(edition)
    for cell in notebook["cells"]:
        for name in ("points", "checksum"):  # nbgrader's checksum counts the points in
            cell["metadata"].get("nbgrader", {}).pop(name, None)
    return json.dumps(notebook)


def points_digest(edition: str) -> str:
    """A digest of the points that an edition's cells count."""
    cells = (cell["metadata"].get("nbgrader", {}) for cell in json.loads(edition)["cells"])
    points = {c["grade_id"]: float(c["points"]) for c in cells if "points" in c}
    return digest_of([json.dumps(points, sort_keys=True)])
