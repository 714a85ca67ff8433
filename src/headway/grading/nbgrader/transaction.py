"""One transaction of the gradebook around all that a converter of nbgrader writes.

nbgrader opens the gradebook anew for each step and commits as it goes: the student, the submission
with nothing earned, the grades, the penalty. Whoever looks meanwhile, or after a run was killed in
between, would read a zero that nobody gave. Here all steps work on one connection, and what they
commit counts when the last of them is done, or not at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from headway.grading.nbgrader.adapter import gradebooks_on


@contextmanager
def one_transaction(db_url: str) -> Iterator[Connection]:
    """Let all gradebooks of this address that are opened meanwhile share one transaction.

    Only for a process that opens them in one thread.

    Args:
        db_url: "sqlite:///…".

    Yields:
        the connection that they share.
    """
    # A session of SQLAlchemy on a connection whose transaction has begun joins it.
    with _engine(db_url).begin() as connection, gradebooks_on(connection, db_url):
        yield connection


@lru_cache(maxsize=4)
def _engine(db_url: str) -> Engine:
    """One engine for all transactions: it remembers the SQL of nbgrader's queries.

    To write that anew takes longer than to run it. No connection is kept open.
    """
    engine = create_engine(db_url, future=True, poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _leave_begin_to_us)
        event.listen(engine, "begin", _begin)
    return engine


def _leave_begin_to_us(connection: Any, _: object) -> None:
    # Python's driver would begin only before the first change, after what it rests on was read.
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
