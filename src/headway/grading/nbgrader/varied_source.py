"""Give a course folder's source other numbers and faults, drawn from a seed.

The seed is noted in the notebook's metadata, with a digest of the cells, so that a source that an
instructor changed afterwards is recognized. The release contains neither.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.digests import text_digest
from headway.grading.files import copy_atomically, write_text
from headway.grading.nbgrader.release import ReleaseFolders, generate, is_published
from headway.grading.notebooks.assignment import read_notebook
from headway.grading.notebooks.unchanged_values import questions_with_old_values
from headway.grading.settings import SEED
from headway.tasks.engine.variation import variants_of, vary


def vary_source(
    folders: ReleaseFolders, assignment: str, seed: int, solution: Path | None, published: Path
) -> None:
    """Vary the source of an assignment. With the seed it has already, it stays as it is.

    Args:
        solution: the checkout's notebook with its solution; None without a checkout.
        published: the course's own release.

    Raises:
        UserError: if the assignment has no variants, there is no source, it was varied by another
            seed already, or it was changed by hand.
    """
    if not variants_of(assignment):
        raise UserError(f"{assignment} has no variants, so leave --seed out.")
    path = folders.solution(assignment)
    if not path.exists():
        copy_atomically(_published_solution(path, solution).parent, path.parent)
    notebook = read_notebook(path)
    noted = notebook.metadata.get(SEED)
    if noted and noted["seed"] == seed:
        return
    if noted:
        raise UserError(
            f"{path} has the numbers of seed {noted['seed']} already, and students may have them. "
            "For another class, make another course folder. To give this class new ones, move the "
            f"folder {path.parent} away and run the same command: what was released with --course "
            "is kept, and whoever has it is graded by it."
        )
    if not _is_as_published(folders, assignment, published):
        raise UserError(
            f"{path} was changed by hand, and --seed would begin anew from the published solution. "
            f"If you want that, move the folder {path.parent} away and run the same command."
        )
    try:
        vary(notebook, assignment, seed)
    except ValueError as error:
        raise UserError(
            f"{path} can't be varied, since it differs from the solution of this version of the "
            f"course. {error} Move the folder {path.parent} away and run the same command."
        ) from error
    notebook.metadata[SEED] = {"seed": seed, "cells": _cells_digest(notebook)}
    write_text(path, nbformat.writes(notebook) + "\n")


def forgotten_solutions(source: Path, release: str, published: Path) -> tuple[str, ...]:
    """A sentence for each question that an instructor changed without its right value.

    Args:
        source: the notebook with the solution. One with numbers from a seed, as they were drawn,
            has none.
        release: what it gives when it is released, as JSON.
        published: the course's own release.
    """
    notebook = read_notebook(source)
    noted = notebook.metadata.get(SEED)
    if noted and noted["cells"] == _cells_digest(notebook):
        return ()
    try:
        own = read_notebook(published)
    except UserError:  # not with this installation
        return ()
    return questions_with_old_values(nbformat.reads(release, as_version=4), own)


def _published_solution(path: Path, solution: Path | None) -> Path:
    if solution is None:
        raise UserError(
            f"--seed begins from the published solution, and this installation of headway holds "
            f"none. Put it into {path.parent} and run the same command."
        )
    return solution


def _is_as_published(folders: ReleaseFolders, assignment: str, published: Path) -> bool:
    with TemporaryDirectory() as scratch:
        new = generate(folders, assignment, Path(scratch)) / f"{assignment}.ipynb"
        return is_published(new.read_text(encoding="utf-8"), published)


def _cells_digest(notebook: NotebookNode) -> str:
    return text_digest(json.dumps([cell.source for cell in notebook.cells]))
