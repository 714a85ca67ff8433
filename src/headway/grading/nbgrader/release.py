"""Generate the students' notebooks from the solutions with nbgrader's converter."""

import shutil
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import temp_attrs
from traitlets.config import Config

from headway.errors import UserError
from headway.grading.files import write_atomically
from headway.grading.nbgrader.convert import ConversionError, convert
from headway.grading.notebooks.assignment import read_notebook
from headway.grading.notebooks.check_calls import check_call
from headway.grading.settings import configure
from headway.tasks.engine.find import UnknownTaskError, find_task

SOURCE = "solutions"
RELEASED = "exercises"


@dataclass(frozen=True)
class ReleaseFolders:
    """The folders of the solutions and of the releases.

    Attributes:
        root: the checkout, or a course folder.
        source: name of the folder of solutions in it.
        released: name of the folder of releases in it.
        config: nbgrader's configuration; by default this package's settings.
    """

    root: Path
    source: str = SOURCE
    released: str = RELEASED
    config: Config | None = None

    def solution(self, assignment: str) -> Path:
        """The notebook of an assignment with its solution."""
        return self.root / self.source / assignment / f"{assignment}.ipynb"


def release(
    folders: ReleaseFolders, assignment: str, approve: Callable[[str], None] = lambda new: None
) -> bool:
    """Update the release of an assignment; return whether anything changed.

    Files are replaced atomically, one by one, after all were generated.

    Args:
        approve: called with the new notebook, as JSON, before anything changes; may raise.

    Raises:
        UserError: if the solution is missing or nbgrader cannot convert it.
    """
    with TemporaryDirectory() as scratch:
        new = generate(folders, assignment, Path(scratch))
        old = folders.root / folders.released / assignment
        changed = bool(drift(new, old))
        if changed:
            approve((new / f"{assignment}.ipynb").read_text(encoding="utf-8"))
        for path in _files(new):
            write_atomically(old / path, partial(shutil.copyfile, new / path))
        for path in _files(old) - _files(new):
            (old / path).unlink()
    return changed


def check_release(folders: ReleaseFolders, assignment: str) -> list[str]:
    """Sentences on how the release differs from what the solution generates."""
    with TemporaryDirectory() as scratch:
        new = generate(folders, assignment, Path(scratch))
        return drift(new, folders.root / folders.released / assignment)


def generate(folders: ReleaseFolders, assignment: str, folder: Path) -> Path:
    """Generate the release of an assignment as `folder/assignment`.

    This creates no gradebook.

    Raises:
        UserError: if the solution is missing, checks a task that there is not, or nbgrader cannot
            convert it.
    """
    source = folders.solution(assignment)
    if not source.is_file():
        raise UserError(f"There is no solution notebook {source}, so there is nothing to release.")
    _find_tasks(source)
    config = folders.config
    if config is None:
        configure(config := Config(), {})
    course = CourseDirectory(
        config=config, root=str(folders.root.resolve()), source_directory=folders.source
    )
    try:
        generate_into(folder, course, config, assignment)
    except ConversionError as error:
        raise UserError(f"nbgrader cannot release {source}. {error}") from error
    return folder / assignment


def _find_tasks(source: Path) -> None:
    """See to it that there is a task for each check: without, nobody could get points for it."""
    for cell in read_notebook(source).cells:
        if cell.cell_type == "code" and (call := check_call(cell.source)):
            try:
                find_task(call.task_id)
            except UnknownTaskError as error:
                raise UserError(
                    f"{source} was not released: its cell {cell.source.strip()} can't give points. "
                    f"{error}"
                ) from error


def generate_into(folder: Path, course: CourseDirectory, config: Config, assignment: str) -> None:
    """Generate the release of a course folder's assignment, without its gradebook.

    Raises:
        ConversionError: if nbgrader cannot convert it.
    """
    config = deepcopy(config)
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    with temp_attrs(course, release_directory=str(folder.resolve()), assignment_id=assignment):
        convert(GenerateAssignment, course, config)


def drift(new: Path, old: Path) -> list[str]:
    """Sentences on the differences between two folders of an assignment; empty without any."""
    found = [f"{old / path} is missing." for path in sorted(_files(new) - _files(old))]
    found += [f"{old / path} should not be there." for path in sorted(_files(old) - _files(new))]
    for path in sorted(_files(new) & _files(old)):
        if (new / path).read_bytes() != (old / path).read_bytes():
            where = _first_difference(new / path, old / path) if path.suffix == ".ipynb" else ""
            found.append(f"{old / path} is out of date{where}.")
    return found


def is_published(release: str, published: Path) -> bool:
    """Whether students get what the course has published, which its own tests have tried.

    Args:
        release: a release of the assignment, as JSON.
        published: the course's own release.
    """
    try:
        return _texts(release) == _texts(published.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError):
        return False


def _files(folder: Path) -> set[Path]:
    return {
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def _texts(notebook: str) -> list[tuple[str, str]]:
    cells = nbformat.reads(notebook, as_version=4).cells
    return [(cell.cell_type, cell.source) for cell in cells]


def _first_difference(new: Path, old: Path) -> str:
    """The end of a sentence that names the first cell in which two notebooks differ."""
    try:
        mine = read_notebook(old)
    except UserError:
        return ": it cannot be read as a notebook"
    wanted = read_notebook(new)
    for number, (cell, other) in enumerate(zip(wanted.cells, mine.cells, strict=False), 1):
        if cell != other:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            named = f" ({name})" if name else ""
            parts = [key for key in {**cell, **other} if cell.get(key) != other.get(key)]
            return f": cell {number}{named} differs in its {' and '.join(parts)}"
    if len(mine.cells) != len(wanted.cells):
        return f": it has {len(mine.cells)} cells, the solution gives {len(wanted.cells)}"
    return ": its notebook metadata or layout differs"
