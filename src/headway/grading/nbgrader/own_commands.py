"""Find out whether nbgrader's own commands run submissions in the sandbox.

What counts is what nbgrader reads: the course folder's configuration, the user's, and that of the
environment and the system.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.apps import NbGrader
from traitlets.config import Config

from headway.errors import UserError
from headway.grading.nbgrader.config_file import lacking
from headway.grading.nbgrader.course_config import EXPORTER, PlugIns

GUARD = "headway.grading.nbgrader.guard.GuardedExporter"


def are_guarded() -> bool:
    """Whether they refuse to run this course's submissions where a course folder has no settings.

    Raises:
        UserError: if a file that they read raises.
    """
    with TemporaryDirectory() as folder:
        return _read_by_nbgrader(Path(folder)).Autograde.get("exporter_class") in (GUARD, EXPORTER)


def what_they_lack(folder: Path, hidden_modules: Mapping[str, Sequence[str]]) -> list[str]:
    """The course's settings that they don't have in a course folder: "Execute.timeout".

    Raises:
        UserError: if a file that they read raises.
    """
    with PlugIns(folder).on_path():
        config = _read_by_nbgrader(folder)
    exporter = "Autograde.exporter_class"
    other = config.Autograde.get("exporter_class") != EXPORTER
    found = lacking(config, hidden_modules)
    return [exporter, *(name for name in found if name != exporter)] if other else found


def _read_by_nbgrader(folder: Path) -> Config:
    """What nbgrader reads when it is started in a folder."""
    log = logging.Logger("headway.nbgrader")  # outside logging's tree
    log.addHandler(logging.NullHandler())  # else Python prints that there is no file of settings
    app = NbGrader(log=log)
    app.raise_config_file_errors = True
    try:
        with chdir(folder):
            app.load_config_file()
    except (Exception, SystemExit) as error:  # anybody's file can raise anything
        raise UserError(f"a file of settings raises {type(error).__name__}: {error}") from error
    return app.config
