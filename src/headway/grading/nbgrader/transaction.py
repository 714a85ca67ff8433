"""One transaction of the gradebook for all changes of an nbgrader converter.

nbgrader opens the gradebook for each step and commits after each: the student, the submission with
no points, the grades, the penalty. So another program, or a killed run, could leave or see a zero
that nobody gave. Here all steps share one connection, and their commits take effect together at
the end, or not at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from headway.grading.nbgrader_adapter import gradebooks_on


@contextmanager
def one_transaction(db_url: str) -> Iterator[Connection]:
    """A context in which all gradebooks opened for this database share one transaction.

    All must be opened in the same thread.

    Args:
        db_url: "sqlite:///…".

    Yields:
        the shared connection.
    """
    # An SQLAlchemy session joins the transaction that its connection has begun.
    with _engine(db_url).begin() as connection, gradebooks_on(connection, db_url):
        yield connection


@lru_cache(maxsize=4)
def _engine(db_url: str) -> Engine:
    """A cached engine, which caches the SQL of nbgrader's queries in turn.

    Generating the SQL takes longer than running it. No connection is kept open.
    """
    engine = create_engine(db_url, future=True, poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _leave_begin_to_us)
        event.listen(engine, "begin", _begin)
    return engine


def _leave_begin_to_us(connection: Any, _: object) -> None:
    # Python's driver would begin the transaction before the first write, after the reads.
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
