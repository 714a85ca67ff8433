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

from nbgrader import api
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool


@contextmanager
def one_transaction(db_url: str) -> Iterator[None]:
    """Let all gradebooks of this address that are opened meanwhile share one transaction.

    Only for a process that opens them in one thread.

    Args:
        db_url: "sqlite:///…".
    """
    engine, tables = _engine(db_url), api.Base.metadata
    make, make_tables = api.create_engine, tables.create_all

    def shared(url: str, **options: Any):
        return connection if str(url) == db_url else make(url, **options)

    def make_tables_once(bind: Connection) -> None:
        # Each gradebook asks for every table whether it exists, as it does after the first.
        tables.create_all = lambda bind: None
        make_tables(bind=bind)

    with engine.begin() as connection:
        # A session on a connection whose transaction has begun joins it. Closing a gradebook
        # disposes of its engine, and must leave this one open.
        connection.dispose = lambda: None
        api.create_engine, tables.create_all = shared, make_tables_once
        try:
            yield
        finally:
            api.create_engine, tables.create_all = make, make_tables


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
