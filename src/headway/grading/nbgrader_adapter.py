"""The only module that uses or patches undocumented parts of nbgrader.

All other modules of `headway.grading.nbgrader` use nbgrader's own extension points. If a new
version of nbgrader changes what this module depends on, this module's tests fail first.
"""

import copy
import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any

import nbgrader
from alembic.script import ScriptDirectory
from jinja2 import Environment, FunctionLoader
from nbconvert.exporters import Exporter
from nbgrader import api, coursedir, utils
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from sqlalchemy import Connection

from headway.grading.safe_text import in_lines
from headway.grading.times import parse_utc


def newest_schema() -> str:
    """The schema version of a new gradebook.

    nbgrader would run the program `alembic` for it, which takes seconds and is not found if the
    environment is not activated.
    """
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


api.get_alembic_version = newest_schema
# For due dates and submission times: nbgrader reads an unknown time zone as UTC.
utils.parse_utc = coursedir.parse_utc = parse_utc
# nbgrader's programs import `parse_utc` before they read a course's settings.
for _name in ("apps.api", "apps.zipcollectapp", "exchange.default.collect"):
    if f"nbgrader.{_name}" in sys.modules:
        sys.modules[f"nbgrader.{_name}"].parse_utc = parse_utc


def _or_none(read: Callable) -> Callable:
    """Wrap a function that reads a time from a file: it returns None for an unreadable time."""

    @wraps(read)
    def time_of(*arguments: Any) -> datetime | None:
        try:
            return read(*arguments)
        except (ValueError, OSError):
            return None

    return time_of


# One unreadable time would keep the formgrader from listing anybody. `headway grade` reports it.
if "nbgrader.apps.api" in sys.modules:
    _api = sys.modules["nbgrader.apps.api"].NbGraderAPI
    _api.get_submitted_timestamp = _or_none(_api.get_submitted_timestamp)


class SeenRecord(logging.LogRecord):
    """A log record without control characters, which a terminal would execute.

    nbgrader logs the names of submitted folders and files unchanged.
    """

    def getMessage(self) -> str:  # noqa: N802 - logging's name
        return in_lines(super().getMessage())


logging.setLogRecordFactory(SeenRecord)

FORMGRADER = "nbgrader.server_extensions.formgrader.base"
IN_SCRIPT = re.compile(r'= "\{\{ ([\w.]+) \}\}";')


@lru_cache
def escaping(templates: Environment) -> Environment:
    """The formgrader's templates with autoescaping, so that names are shown as text."""

    def load(name: str) -> str:
        return IN_SCRIPT.sub(
            r"= {{ \1 | tojson }};", templates.loader.get_source(templates, name)[0]
        )

    return templates.overlay(autoescape=True, loader=FunctionLoader(load))


def _render(handler: Any, name: str, **values: Any) -> str:
    return escaping(handler.settings["nbgrader_jinja2_env"]).get_template(name).render(**values)


# Only the formgrader's server needs this; it reads the course's settings after its own import.
if FORMGRADER in sys.modules:
    sys.modules[FORMGRADER].BaseHandler.render = _render


@contextmanager
def gradebooks_on(connection: Connection, db_url: str) -> Iterator[None]:
    """A context in which all gradebooks opened for this database share one connection.

    Args:
        connection: the connection; the caller closes it.
        db_url: "sqlite:///…".
    """
    tables = api.Base.metadata
    make, make_tables = api.create_engine, tables.create_all
    names, check_course = api.inspect, api.Gradebook.check_course

    def shared(url: str, **options: Any):
        return connection if str(url) == db_url else make(url, **options)

    made = False

    def make_tables_once(bind: Any) -> None:
        # Each new gradebook would query whether every table and the course exist.
        nonlocal made
        if bind is not connection or not made:
            make_tables(bind=bind)
        made = made or bind is connection

    class Names:
        """The database's table names, without another query."""

        def get_table_names(self) -> list[str]:
            return list(tables.tables)

    def names_once(bind: Any):
        return Names() if bind is connection and made else names(bind)

    checked: set[str] = set()

    def check_course_once(gradebook: api.Gradebook, course_id: str = "default_course", **more: Any):
        if gradebook.engine is connection and course_id in checked:
            return None
        course = check_course(gradebook, course_id, **more)
        if gradebook.engine is connection:
            checked.add(course_id)
        return course

    # Closing a gradebook disposes of its engine, but this connection must stay open.
    connection.dispose = lambda: None
    api.create_engine, tables.create_all = shared, make_tables_once
    api.inspect, api.Gradebook.check_course = names_once, check_course_once
    try:
        yield
    finally:
        api.create_engine, tables.create_all = make, make_tables
        api.inspect, api.Gradebook.check_course = names, check_course


def found_submissions(converter: Autograde) -> dict[str, tuple[str, str]]:
    """The submissions that `Autograde` will grade: folder → (student, assignment)."""
    form = converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
    # re.DOTALL, since a name may contain a line break.
    found = {path: re.fullmatch(form, path, re.DOTALL) for path in converter.assignments}
    return {path: (match["student"], match["assignment"]) for path, match in found.items()}


def time_in(converter: Autograde, assignment: str, student: str) -> datetime | None:
    """When a submission that `Autograde` grades was handed in, if its folder says so."""
    folder = converter._format_source(assignment, student)
    return converter.coursedir.get_existing_timestamp(folder)


def grade_from(converter: Autograde, folder: Path) -> None:
    """Make `Autograde` take submissions from another folder."""
    converter.coursedir = copy.copy(converter.coursedir)
    converter.coursedir.submitted_directory = str(folder)
    converter.init_notebooks()


def reads_what_was_handed_in(converter: object) -> bool:
    """Whether `Autograde` is in its first step; the second one reads the first one's output."""
    return getattr(converter, "_sanitizing", False)


def preprocessors_of(exporter: Exporter) -> list:
    """The preprocessors of an exporter, in order."""
    return exporter._preprocessors


def convert_in_one_step(converter: Autograde, notebook: str) -> None:
    """Run both steps of `Autograde` at once, without writing and reading files in between."""
    converter.exporter._preprocessors = []
    for preprocessor in (*converter.sanitize_preprocessors, *converter.autograde_preprocessors):
        converter.exporter.register_preprocessor(preprocessor)
    BaseConverter.convert_single_notebook(converter, notebook)
