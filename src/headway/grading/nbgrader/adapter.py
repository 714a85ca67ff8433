"""Where grading reaches into nbgrader: what its documentation does not name is used here alone.

Everything else of `headway.grading.nbgrader` goes through nbgrader's own extension points. A new
version of nbgrader that changes what stands here fails this module's tests first.
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
    """The version of a new gradebook, for which nbgrader would start the program `alembic`.

    That takes seconds, and it is not found where the environment was not activated.
    """
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


api.get_alembic_version = newest_schema
# Due dates and times of handing in: nbgrader reads a zone that it does not know as UTC.
utils.parse_utc = coursedir.parse_utc = parse_utc
# Programs of nbgrader's, which have imported it before they read a course's settings.
for _name in ("apps.api", "apps.zipcollectapp", "exchange.default.collect"):
    if f"nbgrader.{_name}" in sys.modules:
        sys.modules[f"nbgrader.{_name}"].parse_utc = parse_utc


def _or_none(read: Callable) -> Callable:
    """A function of times that are kept in files, which gives None for one that cannot be read."""

    @wraps(read)
    def time_of(*arguments: Any) -> datetime | None:
        try:
            return read(*arguments)
        except (ValueError, OSError):
            return None

    return time_of


# The formgrader would list nobody where the time of one cannot be read; `grade` tells whose it is.
if "nbgrader.apps.api" in sys.modules:
    _api = sys.modules["nbgrader.apps.api"].NbGraderAPI
    _api.get_submitted_timestamp = _or_none(_api.get_submitted_timestamp)


class SeenRecord(logging.LogRecord):
    """What is logged, without characters that a terminal would obey.

    nbgrader logs the names of folders and files, which are strangers', as they are.
    """

    def getMessage(self) -> str:  # noqa: N802 - logging's name
        return in_lines(super().getMessage())


logging.setLogRecordFactory(SeenRecord)

FORMGRADER = "nbgrader.server_extensions.formgrader.base"
IN_SCRIPT = re.compile(r'= "\{\{ ([\w.]+) \}\}";')


@lru_cache
def escaping(templates: Environment) -> Environment:
    """The formgrader's templates, which show as text whatever stands in a name."""

    def load(name: str) -> str:
        return IN_SCRIPT.sub(
            r"= {{ \1 | tojson }};", templates.loader.get_source(templates, name)[0]
        )

    return templates.overlay(autoescape=True, loader=FunctionLoader(load))


def _render(handler: Any, name: str, **values: Any) -> str:
    return escaping(handler.settings["nbgrader_jinja2_env"]).get_template(name).render(**values)


# The formgrader's server reads the course's settings after it was imported; nobody else needs it.
if FORMGRADER in sys.modules:
    sys.modules[FORMGRADER].BaseHandler.render = _render


@contextmanager
def gradebooks_on(connection: Connection, db_url: str) -> Iterator[None]:
    """Let all gradebooks of this address that are opened meanwhile work on one connection.

    Args:
        connection: to the database; whoever opened it closes it.
        db_url: "sqlite:///…".
    """
    tables = api.Base.metadata
    make, make_tables = api.create_engine, tables.create_all
    names, check_course = api.inspect, api.Gradebook.check_course

    def shared(url: str, **options: Any):
        return connection if str(url) == db_url else make(url, **options)

    made = False

    def make_tables_once(bind: Any) -> None:
        # Each gradebook asks for every table whether it exists, and for the course.
        nonlocal made
        if bind is not connection or not made:
            make_tables(bind=bind)
        made = made or bind is connection

    class Names:
        """What the database holds, after the first look at it."""

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

    # Closing a gradebook disposes of its engine, and must leave this one open.
    connection.dispose = lambda: None
    api.create_engine, tables.create_all = shared, make_tables_once
    api.inspect, api.Gradebook.check_course = names_once, check_course_once
    try:
        yield
    finally:
        api.create_engine, tables.create_all = make, make_tables
        api.inspect, api.Gradebook.check_course = names, check_course


def found_submissions(converter: Autograde) -> dict[str, tuple[str, str]]:
    """What `Autograde` is about to grade: student and assignment by the folder handed in."""
    form = converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True)
    # A name may hold a line break, over which nbgrader's own pattern does not match.
    found = {path: re.fullmatch(form, path, re.DOTALL) for path in converter.assignments}
    return {path: (match["student"], match["assignment"]) for path, match in found.items()}


def grade_from(converter: Autograde, folder: Path) -> None:
    """Let `Autograde` look for submissions in another folder."""
    converter.coursedir = copy.copy(converter.coursedir)
    converter.coursedir.submitted_directory = str(folder)
    converter.init_notebooks()


def reads_what_was_handed_in(converter: object) -> bool:
    """Whether `Autograde` is at its first step; in its second it reads what the first wrote."""
    return getattr(converter, "_sanitizing", False)


def preprocessors_of(exporter: Exporter) -> list:
    """The preprocessors that an exporter goes through, in their order."""
    return exporter._preprocessors


def convert_in_one_step(converter: Autograde, notebook: str) -> None:
    """Do at once what `Autograde` does in two steps, between which it writes, reads and copies."""
    converter.exporter._preprocessors = []
    for preprocessor in (*converter.sanitize_preprocessors, *converter.autograde_preprocessors):
        converter.exporter.register_preprocessor(preprocessor)
    BaseConverter.convert_single_notebook(converter, notebook)
