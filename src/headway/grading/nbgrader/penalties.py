"""Penalties for being late, computed again without running a notebook.

nbgrader computes them when it records a submission. But a due date moves, an extension is given and
a plug-in is rewritten when all is recorded. So each `headway grade` asks nbgrader's own step, with
the plug-in that the course folder names, about all who were late or pay a penalty.
"""

from collections.abc import Iterable, Mapping
from contextlib import chdir
from inspect import getfile
from pathlib import Path

from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from headway.grading.digests import digest_of
from headway.grading.nbgrader.recorded import RecordedSubmission
from headway.grading.nbgrader.transaction import one_transaction
from headway.grading.safe_text import one_line


def assign_again(
    directory: CourseDirectory,
    config: Config,
    recorded: Mapping[str, RecordedSubmission],
    students: Iterable[str],
) -> dict[str, str]:
    """Bring the gradebook's penalties of these students up to date.

    Args:
        directory: the course folder and the assignment.
        config: names the plug-in.
        recorded: what the gradebook has, by student.

    Returns:
        whose penalty could not be computed, with the reason; it is what it was.
    """
    step = penalty_step(config)
    concerned = [
        name
        for name in students
        if name in recorded and (recorded[name].late or recorded[name].penalty)
    ]
    failed = {}
    for student in concerned if step else ():
        marks = {
            "student": student,
            "assignment": directory.assignment_id,
            "notebook": directory.assignment_id,
            "db_url": directory.db_url,
        }
        try:
            with chdir(directory.root), one_transaction(directory.db_url):
                step(config=config).preprocess(new_notebook(), {"nbgrader": marks})
        except Exception as error:  # of an instructor's code, which may raise anything
            failed[student] = one_line(f"{type(error).__name__}: {error}")
    return failed


def penalty_step(config: Config) -> type[AssignLatePenalties] | None:
    """The preprocessor by which the course assigns penalties; None if it assigns none."""
    for named in config.Autograde.autograde_preprocessors:
        step = import_item(named) if isinstance(named, str) else named
        if issubclass(step, AssignLatePenalties):
            return step
    return None


def plug_in_digest(config: Config, root: Path) -> str:
    """A digest of the plug-in that decides on penalties, and of its settings.

    Args:
        root: the course folder.
    """
    step = penalty_step(config)
    if step is None:
        return ""
    plug_in = step(config=config).plugin_class
    settings = [
        f"{kind.__name__}: {sorted(config[kind.__name__].items())!r}"
        for kind in plug_in.__mro__
        if kind.__name__ in config
    ]
    return digest_of([step.__name__, _source(plug_in, root), *settings])


def _source(plug_in: type, root: Path) -> str:
    """The text of the file that a class stands in."""
    try:
        path = Path(getfile(plug_in))
    except TypeError:  # it stands in the configuration itself, which is no module
        path = root / "nbgrader_config.py"
    return path.read_text(encoding="utf-8", errors="replace")
