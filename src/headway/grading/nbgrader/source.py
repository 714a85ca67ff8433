"""An assignment's source: taken into the gradebook, and the releases that were made of it.

Submissions are graded by a release that includes hidden tests. It is generated from the source as
for students, but locked cells get their text from the gradebook, which has the hidden tests. Every
release that left the course folder or was used for grading is kept, so that a student with an older
one is graded by that.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import temp_attrs
from sqlalchemy.exc import DatabaseError
from traitlets.config import Config

from headway.errors import MachineError, UserError, is_fault
from headway.grading.allowance import Allowance
from headway.grading.course_files import CourseFiles
from headway.grading.digests import text_digest
from headway.grading.files import copy_atomically, write_text
from headway.grading.nbgrader.convert import ConversionError
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.recorded import forget_begun
from headway.grading.nbgrader.release import generate_into
from headway.grading.notebooks.check_calls import asked_in
from headway.grading.notebooks.points import cell_points
from headway.grading.settings import STATE
from headway.grading.spec import GradingSpec

DIGITS = 16  # of the digest in a release's file name


def take_in(
    files: CourseFiles, gradebook: GradebookFile, config: Config, solution: Path | None
) -> bool:
    """Put the assignment into the gradebook, as its source is.

    The first run copies the source from the checkout.

    Args:
        solution: the checkout's notebook with its solution; None without a checkout.

    Returns:
        whether the source equals the checkout's; True without a checkout.

    Raises:
        UserError: if there is no source, or nbgrader refuses it.
        MachineError: if the disk is full.
    """
    source = files.source
    if not source.exists():
        if solution is None:
            raise UserError(
                f"There is no {source}, and this installation of headway holds no solutions. Put "
                "the solution that your students' notebooks were released from there, or grade "
                "from a checkout of the course."
            )
        copy_atomically(solution.parent, source.parent)
    with gradebook.opened() as book:
        forget_begun(book, files.assignment)
    with TemporaryDirectory() as scratch, temp_attrs(files.directory, release_directory=scratch):
        try:
            gradebook.convert(GenerateAssignment, files.directory, config)
        except ConversionError as error:
            if isinstance(error.__cause__, DatabaseError):
                raise gradebook.unusable(error.__cause__) from error
            if is_fault(error.__cause__):
                raise MachineError(
                    f"{source} cannot be taken into the gradebook: {error}. There may be no room "
                    f"in {gettempdir()} or in {files.folder}; make some and run the same command."
                ) from error
            raise UserError(
                f"nbgrader cannot take {source} into the gradebook of {files.folder}. {error} If "
                "the source changed after submissions were graded, grade in a fresh course folder."
            ) from error
    return solution is None or source.read_bytes() == solution.read_bytes()


def grading_spec(
    directory: CourseDirectory,
    config: Config,
    assignment: str,
    hidden_modules: Mapping[str, Sequence[str]],
) -> GradingSpec:
    """What decides how submissions are graded now. Saves today's release, if it is new.

    Args:
        directory: the course folder; the assignment must be in its gradebook.
        hidden_modules: for each assignment, this package's modules that answer its tasks.

    Raises:
        UserError: if there is no such source, it does not match the gradebook, or there is no
            sandbox and submissions are not trusted.
        MachineError: if the disk is full.
    """
    releases = update_releases(directory, config, assignment)
    hidden = tuple(hidden_modules.get(assignment, ()))
    return GradingSpec(assignment, tuple(releases), hidden, Allowance(config=config))


def update_releases(directory: CourseDirectory, config: Config, assignment: str) -> list[str]:
    """Save today's release of an assignment's notebook, if it is new, and return all releases.

    They are saved in `.headway/ASSIGNMENT/editions/` of the course folder.

    Args:
        directory: the course folder; the assignment must be in its gradebook.

    Returns:
        the releases as JSON, oldest first, today's last; an older one that is valid again today
            occurs twice.

    Raises:
        UserError: if there is no such source, or it does not match the gradebook.
        MachineError: if the disk is full.
    """
    text = nbformat.writes(_todays_release(directory, config, assignment))
    known = _keep(Path(directory.root), assignment, text)
    releases = [_held_to(text, other) for other in known.values() if other is not None]
    return releases if releases[-1:] == [text] else [*releases, text]


def save_release(directory: CourseDirectory, config: Config, assignment: str) -> None:
    """Save the release that has just been released, before anything is graded.

    Raises:
        UserError, MachineError: as `update_releases`.
    """
    config = deepcopy(config)
    notebook = _generated(directory, config, assignment)
    config.ClearHiddenTests.enabled = config.ClearMarkScheme.enabled = False
    whole = _generated(directory, config, assignment)
    for cell, other in zip(notebook.cells, whole.cells, strict=True):
        if "nbgrader" in cell.metadata and not cell.metadata.nbgrader.get("solution"):
            cell.source = other.source
    _keep(Path(directory.root), assignment, nbformat.writes(notebook))


def _keep(root: Path, assignment: str, text: str) -> dict[Path, str | None]:
    """Save a release, if it is new; return those that were known before, as `_kept` does."""
    folder, known = _kept(root, assignment)
    if text not in known.values():
        write_text(folder / f"{len(known) + 1:03d}-{text_digest(text)[:DIGITS]}.ipynb", text)
    return known


def kept_releases(root: Path, assignment: str) -> list[str]:
    """The releases saved in a course folder, as JSON, oldest first."""
    _, known = _kept(root, assignment)
    return [text for text in known.values() if text is not None]


def _kept(root: Path, assignment: str) -> tuple[Path, dict[Path, str | None]]:
    """The folder of the releases, and their texts by path; None for a damaged one."""
    folder = root / STATE / assignment / "editions"
    return folder, {path: _release(path) for path in sorted(folder.glob("*.ipynb"))}


def _held_to(today: str, other: str) -> str:
    """An earlier release, without grades for cells that today's release lacks.

    If it asks the same as today's, today's right values hold for it: the solution was corrected.
    """
    now = nbformat.reads(today, as_version=4)
    counted = cell_points(now)
    notebook = nbformat.reads(other, as_version=4)
    corrected = _asks(notebook) == _asks(now) and _texts(notebook) != _texts(now)
    if corrected:
        for cell, new in zip(notebook.cells, now.cells, strict=True):
            cell.source = new.source
    dropped = cell_points(notebook).keys() - counted.keys()
    for cell in notebook.cells if dropped else ():
        metadata = cell.metadata.get("nbgrader", {})
        if metadata.get("grade_id") in dropped:
            metadata.update(grade=False, task=False)
            del metadata["points"]
    return nbformat.writes(notebook) if dropped or corrected else other


def _asks(notebook: NotebookNode) -> list[str | tuple[str, str, str]]:
    return [asked_in(source) for source in _texts(notebook)]


def _texts(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells]


def _release(path: Path) -> str | None:
    """The text of a saved release; None if it does not match the digest in its file name."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if path.stem.endswith(text_digest(text)[:DIGITS]) else None


def _generated(directory: CourseDirectory, config: Config, assignment: str) -> NotebookNode:
    """What a release of the source gives today."""
    with TemporaryDirectory() as folder:
        try:
            generate_into(Path(folder), directory, config, assignment)
        except ConversionError as error:
            kind = MachineError if is_fault(error.__cause__) else UserError
            raise kind(f"nbgrader cannot read the source of {assignment}. {error}") from error
        return nbformat.read(Path(folder) / assignment / f"{assignment}.ipynb", as_version=4)


def _todays_release(directory: CourseDirectory, config: Config, assignment: str) -> NotebookNode:
    """Today's release of the source, with the gradebook's text in locked cells."""
    notebook = _generated(directory, config, assignment)
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        recorded = gradebook.find_notebook(assignment, assignment)
        sources = {cell.name: cell for cell in recorded.source_cells}
        graded = (*recorded.grade_cells, *recorded.task_cells)
        points = {cell.name: cell.max_score for cell in graded}
    ids = {c.metadata.nbgrader["grade_id"]: c for c in notebook.cells if "nbgrader" in c.metadata}
    now = dict.fromkeys(points, 0.0) | cell_points(notebook)  # dropped cells count 0
    changed = set(ids) - set(sources) | {name for name in now if now[name] != points.get(name)}
    if changed:
        raise UserError(
            f"The source of {assignment} has changed since it was taken into the gradebook (cells: "
            f"{', '.join(sorted(changed))}). Run: nbgrader generate_assignment {assignment} --force"
        )
    for grade_id, cell in ids.items():
        if not cell.metadata.nbgrader.get("solution"):
            cell.source = sources[grade_id].source
    return notebook
