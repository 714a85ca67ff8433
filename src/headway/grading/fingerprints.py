"""What decides a result, as digests: where one changes, a submission is graded again."""

from collections.abc import Iterable

from headway.grading.digests import digest_of
from headway.imports import own_imports
from headway.tasks.engine.find import UnknownTaskError, module_of, tasks_of

REASONS = {
    "submission": "another version was handed in",
    "assignment": "the assignment changed",
    "tasks": "what its tasks ask for, or the mistakes that they know, changed",
    "sandbox": "one of the two gradings was without a sandbox",
}


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


def reason_to_regrade(before: dict[str, str], now: dict[str, str]) -> str:
    """Why a submission is graded again, as part of a sentence."""
    changed = [words for what, words in REASONS.items() if before.get(what) != now.get(what)]
    return " and ".join(changed) or "it was asked for"
