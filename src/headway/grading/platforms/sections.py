"""The sections of a class, which nbgrader's gradebook has no field for.

    DIR/sections.json    {"ada": "Monday", "bob": "Tuesday"}

`headway class roster` writes the file. Tables show sections if there are two or more.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from headway.errors import UserError
from headway.grading.files import write_private

NAME = "sections.json"


def read_sections(folder: Path) -> dict[str, str]:
    """The section of each student of a course folder who has one.

    Raises:
        UserError: if the file is damaged.
    """
    path = folder / NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise _damaged(path) from error
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise _damaged(path)
    return {student: section for student, section in found.items() if section}


def sections_shown(folder: Path) -> dict[str, str]:
    """The sections that tables show: none if the class has only one, or the file is damaged."""
    try:
        found = read_sections(folder)
    except (UserError, OSError):
        return {}
    return found if len(set(found.values())) > 1 else {}


def write_sections(folder: Path, sections: Mapping[str, str]) -> None:
    """Write the file."""
    text = json.dumps(dict(sorted(sections.items())), ensure_ascii=False, indent=2)
    write_private(folder / NAME, f"{text}\n")


def _damaged(path: Path) -> UserError:
    return UserError(
        f"{path} is damaged. Expected JSON that gives each student's section, like "
        '{"ada": "Monday"}. Correct it; or delete it and import the class list again.'
    )
