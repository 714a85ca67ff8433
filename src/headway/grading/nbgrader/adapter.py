"""Where grading reaches into nbgrader: what its documentation does not name is used here alone.

Everything else of `headway.grading.nbgrader` goes through nbgrader's own extension points. A new
version of nbgrader that changes what stands here fails this module's tests first.
"""

import copy
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbgrader
from alembic.script import ScriptDirectory
from nbformat import NotebookNode
from nbgrader import api
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.validator import Validator
from sqlalchemy import Connection

from headway.grading.notebooks.verdicts import checked_task, read_verdict
from headway.tasks.engine.duties import hints_of

VALIDATION_WIDTH = 80  # behind an indent; nbgrader cuts longer lines off


def newest_schema() -> str:
    """The version of a new gradebook, for which nbgrader would start the program `alembic`.

    That takes seconds, and it is not found where the environment was not activated.
    """
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


api.get_alembic_version = newest_schema


_reason_without_card = Validator._extract_error


def reason_of_card(validator: Validator, cell: NotebookNode) -> str:
    """Why a cell fails, for `nbgrader validate`: what its card says, where it has one.

    nbgrader itself says of an answer that is partly right only that it is.
    """
    task = checked_task(cell)
    result = read_verdict(cell, task) if task else None
    if result is None:
        return _reason_without_card(validator, cell)
    said = [f"{task.title}: {result.score:g} of {result.max:g} points.", result.reason]
    if result.misconception:
        said.append(f"{result.misconception}: {hints_of(task)[result.misconception]}")
    lines = (textwrap.wrap(words, VALIDATION_WIDTH) for words in said if words)
    return "\n".join(line for wrapped in lines for line in wrapped)


Validator._extract_error = reason_of_card


@contextmanager
def gradebooks_on(connection: Connection, db_url: str) -> Iterator[None]:
    """Let all gradebooks of this address that are opened meanwhile work on one connection.

    Args:
        connection: to the database; whoever opened it closes it.
        db_url: "sqlite:///…".
    """
    tables = api.Base.metadata
    make, make_tables = api.create_engine, tables.create_all

    def shared(url: str, **options: Any):
        return connection if str(url) == db_url else make(url, **options)

    made = False

    def make_tables_once(bind: Any) -> None:
        # Each gradebook asks for every table whether it exists, as it does after the first.
        nonlocal made
        if bind is not connection or not made:
            make_tables(bind=bind)
        made = made or bind is connection

    # Closing a gradebook disposes of its engine, and must leave this one open.
    connection.dispose = lambda: None
    api.create_engine, tables.create_all = shared, make_tables_once
    try:
        yield
    finally:
        api.create_engine, tables.create_all = make, make_tables


def found_submissions(converter: Autograde) -> dict[str, tuple[str, str]]:
    """What `Autograde` is about to grade: student and assignment by the folder handed in."""
    form = converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
    found = {path: re.fullmatch(form, path) for path in converter.assignments}
    return {path: (match["student"], match["assignment"]) for path, match in found.items()}


def grade_from(converter: Autograde, folder: Path) -> None:
    """Let `Autograde` look for submissions in another folder."""
    converter.coursedir = copy.copy(converter.coursedir)
    converter.coursedir.submitted_directory = str(folder)
    converter.init_notebooks()


def reads_what_was_handed_in(converter: object) -> bool:
    """Whether `Autograde` is at its first step; in its second it reads what the first wrote."""
    return getattr(converter, "_sanitizing", False)


def convert_in_one_step(converter: Autograde, notebook: str) -> None:
    """Do at once what `Autograde` does in two steps, between which it writes, reads and copies."""
    converter.exporter._preprocessors = []
    for preprocessor in (*converter.sanitize_preprocessors, *converter.autograde_preprocessors):
        converter.exporter.register_preprocessor(preprocessor)
    BaseConverter.convert_single_notebook(converter, notebook)
