"""Load a course's nbgrader configuration and the instructor's plug-ins, for one course at a time.

nbgrader puts its working directory first on Python's path, so that `nbgrader_config.py` can name a
class in a file next to it: `c.AssignLatePenalties.plugin_class = "penalty.SubMarks"`. The same
holds here while a course folder is in use. Afterwards the path is restored, and the folder's
modules are removed, since another course may have a different `penalty.py`.

Instructors cannot replace the parts that run submissions or read scores from outputs.
"""

import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from nbconvert.preprocessors import ExecutePreprocessor
from nbgrader.preprocessors import SaveAutoGrades
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from headway.errors import UserError
from headway.grading.nbgrader.config_file import CONFIG_FILE, read_config
from headway.grading.nbgrader.scores import RecordScores
from headway.grading.settings import configure

EXPORTER = "headway.grading.nbgrader.plugin.SandboxExporter"
HOOKS = ("pre_convert_hook", "post_convert_hook")
# Settings with names of classes or functions that `headway grade` uses.
NAMED = {
    "AssignLatePenalties": ("plugin_class",),
    "Autograde": ("sanitize_preprocessors", "autograde_preprocessors", *HOOKS),
    "GenerateAssignment": ("preprocessors", *HOOKS),
    "GenerateFeedback": ("exporter_class", "preprocessors", *HOOKS),
}


class PlugIns:
    """The modules of a course folder, which can be imported only while it is in use.

    Args:
        folder: the course folder.
    """

    def __init__(self, folder: Path):
        self._folder = folder.resolve()
        self._modules: dict[str, ModuleType] = {}

    @contextmanager
    def on_path(self) -> Iterator[None]:
        """A context in which the folder's modules can be imported; later uses get the same ones."""
        path, written, known = list(sys.path), sys.dont_write_bytecode, set(sys.modules)
        sys.path.insert(0, str(self._folder))
        # Byte code would hide a change of a file within the same second.
        sys.dont_write_bytecode = True
        importlib.invalidate_caches()
        sys.modules.update(self._modules)
        try:
            yield
        finally:
            sys.path[:], sys.dont_write_bytecode = path, written
            new = [name for name in sys.modules if name not in known]
            self._modules |= {name: sys.modules[name] for name in new if self._holds(name)}
            for name in self._modules:
                sys.modules.pop(name, None)

    def _holds(self, name: str) -> bool:
        """Whether a module comes from the folder, and not from another place on the path."""
        file = getattr(sys.modules[name], "__file__", None)
        above = set(Path(file).resolve().parents) if file else set()
        return self._folder in above and above.isdisjoint(map(Path, filter(None, sys.path)))


def load_config(folder: Path, hidden_modules: Mapping[str, Sequence[str]]) -> Config:
    """The configuration of a course folder: this package's settings, overridden by its own file.

    Args:
        folder: the course folder, on Python's path.
        hidden_modules: for each assignment, this package's modules that answer its tasks.

    Raises:
        UserError: if the file raises, names something that cannot be imported, or replaces
            something that must not be replaced.
    """
    config, path = Config(), folder / CONFIG_FILE
    configure(config, hidden_modules)
    config.merge(read_config(path))
    for section, names in NAMED.items():
        for name in names:
            for named in _listed(config[section].get(name)):
                _require(named, f"{path} names {named!r} as {section}.{name}, which", path)
    _refuse_exporter(config, path)
    refuse_execution(config.Autograde.sanitize_preprocessors, str(path))
    refuse_execution(config.Autograde.autograde_preprocessors, str(path), scores=True)
    return config


def _listed(value: Any) -> list[str]:
    """The names in a setting, without classes that are imported already."""
    values = value if isinstance(value, list) else [value]
    return [name for name in values if isinstance(name, str)]


def _require(named: str, subject: str, path: Path) -> None:
    try:
        import_item(named)
    except Exception as error:  # an instructor's file can raise anything
        raise UserError(
            f"{subject} cannot be imported: {type(error).__name__}: {error}. It is looked for in "
            f"{path.parent} and among what Python has installed."
        ) from error


def _refuse_exporter(config: Config, path: Path) -> None:
    given = config.Autograde.exporter_class
    if given != EXPORTER:
        raise UserError(
            f"{path} sets Autograde.exporter_class to {given!r}. Submissions run in the sandbox by "
            f"{EXPORTER} alone: take the line out."
        )


def refuse_execution(named: Iterable[str | type], where: str, scores: bool = False) -> None:
    """Refuse preprocessors that would run submissions, or take scores from their outputs.

    Args:
        named: the preprocessors of a step of `Autograde`.
        where: where they are named, for the message.
        scores: whether one of them must record the scores.

    Raises:
        UserError: if there is such a preprocessor, or the one that records is missing.
    """
    steps = [import_item(step) if isinstance(step, str) else step for step in named]
    for step in steps:
        if isinstance(step, type) and issubclass(step, ExecutePreprocessor):
            raise UserError(
                f"{where} names {step.__name__} among the preprocessors of Autograde. It would run "
                "submissions with your rights, beside what decides their scores; they run in the "
                "sandbox instead. Take it out. Limits of time and memory are c.Allowance's."
            )
        if isinstance(step, type) and issubclass(step, SaveAutoGrades):
            if not issubclass(step, RecordScores):
                raise UserError(
                    f"{where} names {step.__name__} among the preprocessors of Autograde. It takes "
                    "scores from what submissions print. Put "
                    "headway.grading.nbgrader.scores.RecordScores in its place."
                )
            scores = False
    if scores:
        raise UserError(
            f"{where} names no preprocessor of Autograde that records scores: "
            "headway.grading.nbgrader.scores.RecordScores must be among them."
        )
