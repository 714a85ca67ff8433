"""Copies of the gradebook, made before and after each run.

Scores can be computed again, but manual points, comments, dates and names are only in the
gradebook. So if there is a copy, and the gradebook is gone, empty or damaged, the run stops and
says how to restore it.
"""

import shlex
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from headway.errors import UserError
from headway.grading.files import write_atomically

KEPT = 20
HELD = ("assignment", "student")  # nbgrader's tables; a gradebook with no row in them is empty
# Files in which SQLite keeps changes that are not in the database yet. SQLite would apply them to a
# restored copy.
UNFINISHED = ("-journal", "-wal", "-shm")


def back_up(gradebook: Path, folder: Path, graded_before: bool = False) -> Path | None:
    """Copy the gradebook, unless the last copy has the same content.

    Args:
        gradebook: nbgrader's SQLite database, which other processes may have open.
        folder: the folder of the copies; the newest `KEPT` stay.
        graded_before: whether the gradebook must have content, since there are graded submissions.

    Returns:
        the newest copy; None if there is no copy, and no content to copy.

    Raises:
        UserError: if the gradebook is gone, empty or damaged, but there is a copy or
            `graded_before`; or if another process keeps it locked.
    """
    copies = sorted(folder.glob("gradebook-*.db"))
    trouble = _trouble(gradebook)
    if trouble and (copies or graded_before):
        raise UserError(f"The gradebook {gradebook} is {trouble}. {how_to_mend(gradebook, folder)}")
    if trouble:
        return None
    if not copies or _text(copies[-1]) != _text(gradebook):
        name = f"gradebook-{datetime.now():%Y-%m-%d-%H%M%S-%f}.db"
        write_atomically(folder / name, lambda new: _copy(gradebook, new))
        copies.append(folder / name)
        for old in copies[:-KEPT]:
            old.unlink()
    return copies[-1]


def _cannot_be_used(gradebook: Path, error: sqlite3.DatabaseError) -> UserError:
    return UserError(
        f"The gradebook {gradebook} cannot be used: {error}. Close whatever else uses it and run "
        "the same command."
    )


def _trouble(gradebook: Path) -> str | None:
    """What is wrong with a gradebook: "gone", "empty" or "damaged"; None if nothing is."""
    if not gradebook.exists():
        return "gone"
    if not gradebook.stat().st_size:
        return "empty"
    try:
        with closing(_opened(gradebook)) as database:
            sound = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            held = any(
                database.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
                for table in HELD
                if table in tables
            )
    except sqlite3.OperationalError as error:
        raise _cannot_be_used(gradebook, error) from error
    except sqlite3.DatabaseError:
        return "damaged"
    return "damaged" if not sound else None if held else "empty"


def _opened(path: Path) -> sqlite3.Connection:
    # Open for writing, so that SQLite can roll back a change that a crash left unfinished.
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)


def _copy(gradebook: Path, to: Path) -> None:
    with closing(_opened(gradebook)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


def _text(path: Path) -> list[str]:
    with closing(_opened(path)) as database:
        return list(database.iterdump())


def how_to_mend(gradebook: Path, folder: Path) -> str:
    """Sentences on where the newest copy is, and the command that restores it.

    Args:
        gradebook: the gradebook that cannot be used.
        folder: the folder of the copies.
    """
    copies = sorted(folder.glob("gradebook-*.db"))
    away = " and ".join(str(path) for path in (gradebook, folder.parent) if path.exists())
    anew = f"To begin anew without them, move {away} away."
    by_hand = "Points by hand, comments and dates"
    if not copies:
        return (
            f"No copy of it is kept in {folder}. {by_hand} are nowhere else: put a copy of your "
            f"own in its place. {anew}"
        )
    bring_back = shlex.join(["cp", str(copies[-1]), str(gradebook)])
    beside = [name for name in (f"{gradebook}{end}" for end in UNFINISHED) if Path(name).exists()]
    if beside:
        bring_back = f"{shlex.join(['rm', *beside])} && {bring_back}"
    return (
        f"Its last copy is of {copies[-1].stem[10:20]}. To bring it back: {bring_back}\n"
        f"{by_hand} are nowhere else. {anew}"
    )
