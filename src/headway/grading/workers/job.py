"""Grade one submission: read, repair, run and judge it.

A job:    {"assignment", "notebook": bytes, "files": {path: bytes}, "renamed",
           "releases": [JSON, ...], "hidden_modules": [module, ...], "seed",
           "allowance": {...}, "seconds"}
          made by `headway.grading.spec.GradingSpec.job`
A result: {"status": "graded", "notebook": JSON, "seconds"}
          {"status": "set-aside", "reason"}; with "again" if the next run should try again
          {"status": "fault", "reason"}    if the machine is at fault, not the submission
"""

import json
import time
from collections.abc import Collection, Iterable
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.allowance import Allowance
from headway.grading.execution.executor import grade_notebook
from headway.grading.execution.not_done import NotDone
from headway.grading.intake.repair import SetAside, choose_release, repair
from headway.grading.results.graded_notebook import add_results
from headway.grading.safe_text import one_line
from headway.grading.sandbox.mounts import graphics_cards, student_view
from headway.grading.sandbox.session import SessionError
from headway.grading.sandbox.sessions import SandboxedSessions, Sessions, TrustedSessions
from headway.grading.sandbox.student_package import make_student_package
from headway.imports import imported_names, own_imports
from headway.runner.prepare import LIBRARIES
from headway.tasks.engine.judge import STILL_GIVEN
from headway.tasks.engine.verdict import Verdict

TOO_HEAVY = "What it returns takes more memory to judge and keep than one submission may use."


class SandboxCache:
    """The sandbox for sessions of one assignment, kept from one submission to the next."""

    def __init__(self):
        self._stack, self._key, self._sessions = ExitStack(), None, None

    def sessions(
        self, sources: Iterable[str], hidden_modules: list[str], allowance: Allowance
    ) -> Sessions:
        """Sessions without the modules that answer the assignment, except imports of the release.

        Args:
            sources: the release's code cells.
        """
        imports, libraries = _imports(tuple(sources))
        given = sorted(set(hidden_modules) & imports)
        plain = json.dumps(allowance.plain(), sort_keys=True)
        key = (tuple(hidden_modules), tuple(given), libraries, plain)
        if key != self._key:
            self.close()
            folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="headway-")))
            folder.chmod(0o711)  # the sandbox runs as user nobody
            package = folder / "package" / "headway"
            make_student_package(package, hidden_modules, given)
            hidden = sorted(set(hidden_modules) - set(given))
            self._sessions = _sessions(package, hidden, libraries, allowance)
            self._key = key
        return self._sessions

    def close(self) -> None:
        """Close the sandbox."""
        self._key = None
        self._stack.close()


def grade_submission(job: dict, sandboxes: SandboxCache) -> dict:
    """Grade one submission; any submission gets a result."""
    start = time.monotonic()
    try:
        releases = [_read(text) for text in job["releases"]]
        release = choose_release(job["notebook"], releases)
        repaired = repair(job["notebook"], release)
        allowance = Allowance(**job["allowance"])
        sources = (cell.source for cell in release.cells if cell.cell_type == "code")
        sessions = sandboxes.sessions(sources, job["hidden_modules"], allowance)
        graded = grade_notebook(repaired.notebook, job["files"], sessions, allowance, job["seed"])
        _settle_untouched(graded.verdicts, repaired.notebook, release)
        notes = (*repaired.notes, *graded.notes, *filter(None, [sessions.note]))
        graded_notebook = add_results(repaired.notebook, graded, notes, job["renamed"])
        nbformat.validate(graded_notebook)
    except NotDone as reason:
        return {"status": "set-aside", "reason": str(reason), "again": True}
    except SetAside as reason:
        return {"status": "set-aside", "reason": str(reason)}
    except MemoryError:  # a new sandbox, so that the next submission is not affected
        sandboxes.close()
        return {"status": "set-aside", "reason": TOO_HEAVY}
    except (UserError, SessionError, OSError) as error:
        sandboxes.close()
        return {"status": "fault", "reason": one_line(str(error))}
    except Exception as error:  # an error of the grader, not the student's
        sandboxes.close()
        return {"status": "fault", "reason": one_line(f"{type(error).__name__}: {error}")}
    return {
        "status": "graded",
        "notebook": _writable(json.dumps(graded_notebook, ensure_ascii=False)),
        "seconds": time.monotonic() - start,
    }


def _settle_untouched(
    verdicts: dict[str, Verdict], notebook: NotebookNode, release: NotebookNode
) -> None:
    """Count faulty code that was handed out and never changed as untouched.

    The task knows the package's faulty code only, and a release may have another (see
    `headway.tasks.engine.variation`).
    """
    mine, handed_out = (
        {cell.metadata.get("nbgrader", {}).get("grade_id"): cell.source for cell in one.cells}
        for one in (notebook, release)
    )
    for task_id, verdict in verdicts.items():
        name = task_id.partition("/")[2]
        if (
            verdict.task.given is not None
            and verdict.status == "failed"
            and name in handed_out
            and mine.get(name) == handed_out[name]
        ):
            verdicts[task_id] = Verdict(verdict.task, "untouched", 0.0, reason=STILL_GIVEN)


def _sessions(
    package: Path, hidden: list[str], libraries: Collection[str], allowance: Allowance
) -> Sessions:
    limits = allowance.limits(allowance.wall_seconds, allowance.most_seconds)
    if allowance.trust_submissions:
        return TrustedSessions(package, limits, hidden, libraries)
    devices = graphics_cards() if allowance.gpu else ()
    return SandboxedSessions(student_view(package, devices=devices), limits, hidden, libraries)


def _writable(text: str) -> str:
    """The text without lone surrogates, which answers may return but files cannot contain."""
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=32)
def _read(release: str) -> NotebookNode:
    """A release as a notebook; all submissions share it, so it must not be changed."""
    return nbformat.reads(release, as_version=4)


@lru_cache(maxsize=32)
def _imports(sources: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The modules that the cells of a release import, and which of `LIBRARIES` these need."""
    plain = TransformerManager()  # cells may contain magics
    names = {name for source in sources for name in imported_names(plain.transform_cell(source))}
    packages = {name.partition(".")[0] for name in names | own_imports().needed(names)}
    return frozenset(names), tuple(sorted(packages & set(LIBRARIES)))
