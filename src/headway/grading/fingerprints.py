"""What decides a result, as digests: where one changes, a submission is graded again."""

import hashlib
import inspect
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from headway.tasks.engine import find, judge
from headway.tasks.engine.find import UnknownTaskError, tasks_of

WHY = {
    "submission": "another version was handed in",
    "assignment": "the assignment changed",
    "tasks": "what its tasks ask for, or the mistakes that they know, changed",
    "sandbox": "one of the two gradings was without a sandbox",
}


def digest_of(texts: Iterable[str]) -> str:
    """One digest of several texts."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(len(text).to_bytes(8, "big") + text.encode())
    return digest.hexdigest()


def tasks_digest(assignment: str, hidden_modules: Iterable[str]) -> str:
    """A digest of the code that judges an assignment: its tasks, the judge, the right answers."""
    files = set(Path(judge.__file__).parent.glob("*.py"))
    try:
        tasks_of(assignment)
    except UnknownTaskError:  # an instructor's own assignment has none of our tasks
        return ""
    module = find.module_of(assignment)
    files |= set(Path(inspect.getfile(module)).parent.glob("*.py"))
    files |= {Path(find_spec(name).origin) for name in hidden_modules}
    return digest_of(path.read_text(encoding="utf-8") for path in sorted(files))


def why(before: dict[str, str], now: dict[str, str]) -> str:
    """Why a submission is graded again, as part of a sentence."""
    changed = [words for what, words in WHY.items() if before.get(what) != now.get(what)]
    return " and ".join(changed) or "it was asked for"
