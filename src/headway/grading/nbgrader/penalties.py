"""Compute late penalties again, without running a notebook.

nbgrader computes penalties when it records a submission. But due dates, extensions and the plug-in
may change later. So each `headway grade` runs nbgrader's preprocessor, with the course's plug-in,
for all students who were late or have a penalty.
"""

from collections.abc import Iterable, Mapping
from contextlib import chdir
from inspect import getfile
from pathlib import Path

from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from headway.grading.digests import digest_of
from headway.grading.nbgrader.recorded import RecordedSubmission
from headway.grading.nbgrader.transaction import one_transaction
from headway.grading.safe_text import one_line
from headway.interrupts import held


@held()
def assign_again(
    directory: CourseDirectory,
    config: Config,
    recorded: Mapping[str, RecordedSubmission],
    students: Iterable[str],
) -> dict[str, str]:
    """Update the penalties of these students in the gradebook.

    Args:
        directory: the course folder and the assignment.
        config: configuration with the plug-in.
        recorded: the gradebook's submissions, by student.

    Returns:
        student → reason, for penalties that could not be computed and stay unchanged.
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
        except Exception as error:  # an instructor's code can raise anything
            failed[student] = one_line(f"{type(error).__name__}: {error}")
    return failed


def penalty_step(config: Config) -> type[AssignLatePenalties] | None:
    """The preprocessor that assigns the course's penalties; None if there is none."""
    for named in config.Autograde.autograde_preprocessors:
        step = import_item(named) if isinstance(named, str) else named
        if issubclass(step, AssignLatePenalties):
            return step
    return None


def plug_in_digest(config: Config, root: Path) -> str:
    """A digest of the plug-in that computes penalties, and of its settings.

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
    """The source of the file that defines a class."""
    try:
        path = Path(getfile(plug_in))
    except TypeError:  # the class is in nbgrader_config.py, which is not a module
        path = root / "nbgrader_config.py"
    return path.read_text(encoding="utf-8", errors="replace")


def late_costs(config: Config) -> bool:
    """Whether late work loses points, as far as can be told without computing a penalty."""
    is_listed = "autograde_preprocessors" in config.Autograde
    step = penalty_step(config) if is_listed else AssignLatePenalties
    if step is None:
        return False
    plug_in = step(config=config).plugin_class
    return plug_in is not LateSubmissionPlugin or plug_in(config=config).penalty_method != "none"
