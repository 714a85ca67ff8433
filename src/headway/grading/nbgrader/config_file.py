"""Read a course folder's `nbgrader_config.py`, and see to it that it has the course's settings.

Without them, nbgrader's own commands have no sandbox. Whether they are there is decided by what
nbgrader gets from the file, not by its text. If they are not, they are put in front of what is in
the file, so that the instructor's own lines still win.
"""

import ast
import logging
import os
import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path

from traitlets.config import Config, PyFileConfigLoader
from traitlets.config.loader import LazyConfigValue

from headway.errors import UserError
from headway.grading.files import write_atomically, write_text
from headway.grading.safe_text import listed
from headway.grading.settings import configure
from headway.nbgrader_config import COURSE_CONFIG, COURSE_LINES, WORK_CONFIG

CONFIG_FILE = "nbgrader_config.py"
NAMED = 3  # settings listed in a message
FIRST_LINES = re.compile(rb"#!|[ \t\f]*#.*?coding[:=]")  # they have to stay the first ones
PUT_IN = f"""# The course's settings, put in by headway.
# With them, nbgrader runs submissions in the sandbox, too.
{COURSE_LINES}# Your own lines, as they were:

"""
log = logging.getLogger(__name__)


def read_config(path: Path, folder: Path | None = None) -> Config:
    """What nbgrader gets from a configuration file; nothing if there is none.

    Args:
        folder: where the file looks for others that it loads; by default its own folder.

    Raises:
        UserError: if it is no file, or raises.
    """
    if not path.exists():
        return Config()
    if not path.is_file():
        raise UserError(f"{path} is no file. Expected nbgrader's configuration. Move it away.")
    try:
        return PyFileConfigLoader(str(path), str(folder or path.parent)).load_config()
    except Exception as error:  # an instructor's file can raise anything
        raise UserError(
            f"{path} raises {type(error).__name__}: {error}. Correct the file; without its "
            "settings, nbgrader has no sandbox."
        ) from error


def lacking(given: Config, hidden_modules: Mapping[str, Sequence[str]]) -> list[str]:
    """The course's settings that are not among `given` ones: "Autograde.exporter_class"."""
    configure(wanted := Config(), hidden_modules)
    return [
        f"{section}.{name}"
        for section, settings in wanted.items()
        for name, value in settings.items()
        if not _is_set(given, section, name, value)
    ]


def _is_set(given: Config, section: str, name: str, wanted: object) -> bool:
    if section not in given or name not in given[section]:
        return False
    value = given[section][name]
    # Something lazy only changes a value that comes from elsewhere. Empty is what a student has.
    return not isinstance(value, LazyConfigValue) and not (wanted and value == {})


def complete_config(folder: Path, hidden_modules: Mapping[str, Sequence[str]]) -> None:
    """Make the course's settings part of a course folder's `nbgrader_config.py`.

    Args:
        folder: the course folder, on Python's path.
        hidden_modules: for each assignment, this package's modules that answer its tasks.

    Raises:
        UserError: if the file raises, or cannot be completed.
    """
    path = folder / CONFIG_FILE
    if not path.exists():
        write_text(path, COURSE_CONFIG)
        return
    missing = lacking(read_config(path), hidden_modules)
    if not missing:
        return

    def write(new: Path) -> None:
        new.write_bytes(_completed(path.read_bytes()))
        if still := lacking(read_config(new, folder), hidden_modules):
            raise ValueError(f"the file itself changes {still[0]}")

    try:
        if not os.access(path, os.W_OK):
            raise ValueError("you may not write it")
        write_atomically(path.resolve(), write, path.stat().st_mode & 0o777)
    except (OSError, ValueError, UserError) as error:
        raise UserError(
            f"{path} lacks {listed(missing, NAMED)}: without the course's settings, nbgrader has "
            "no sandbox. They cannot be put in for you, because "
            f"{getattr(error, 'strerror', None) or error}. Put these lines before your own:\n\n"
            f"{COURSE_LINES}"
        ) from error
    log.warning(
        "%s lacked the course's settings, without which nbgrader has no sandbox. They are in front "
        "of your own lines now, which are as they were.",
        path,
    )


def _completed(old: bytes) -> bytes:
    """A configuration file with the course's settings in front of its own statements."""
    if old.decode("utf-8", "replace") == WORK_CONFIG:  # a student's settings, and nobody's own
        return COURSE_CONFIG.encode()
    statements = ast.parse(old).body
    first = [*takewhile(_has_to_be_first, statements)]
    bom = BOM_UTF8 if old.startswith(BOM_UTF8) else b""
    lines = old.removeprefix(bom).splitlines(keepends=True)
    head = max((one.end_lineno for one in first), default=0)
    if any(one.lineno <= head for one in statements[len(first) :]):
        raise ValueError(f"line {head} holds two statements")
    while not first and head < min(2, len(lines)) and FIRST_LINES.match(lines[head]):
        head += 1
    end = b"\r\n" if b"\r\n" in old else b"\n"
    above = b"".join(lines[:head])
    above += b"" if above.endswith((b"\n", b"\r")) or not above else end
    return bom + above + PUT_IN.encode().replace(b"\n", end) + b"".join(lines[head:])


def _has_to_be_first(statement: ast.stmt) -> bool:
    """Whether it is the docstring (any text at the beginning), or an import from the future."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Expr) and isinstance(getattr(value, "value", None), str)
