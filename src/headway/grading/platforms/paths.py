"""Read whose a file is from its path in an archive of Canvas or Moodle.

    lovelaceada_LATE_41234_98765_01-one-hot.ipynb              Canvas: 41234 handed in file 98765
    lovelaceada_41234_text.html                                Canvas: a text instead of a file
    Ada Lovelace_12345_assignsubmission_file/01-one-hot.ipynb  Moodle: participant 12345
    Team 1_77_assignsubmission_file/01-one-hot.ipynb           Moodle: group 77, called Team 1

Students choose the end of a path, and in Canvas often their names as well. So a path of Canvas may
be read in several ways, and each of them is returned: the right one is always among them.

Sources: `lib/content_zipper.rb` of canvas-lms; `mod/assign/classes/downloader.php` of Moodle.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

CANVAS, MOODLE = "Canvas", "Moodle"
MACOS = "__MACOSX"  # a folder that macOS adds to an archive
NUMBER = re.compile(r"[0-9]{1,20}")
TEXTS = ("text.html", "link.html")  # Canvas's names of a text or a link in place of files
OF_A_STUDENT = re.compile(r"_[0-9]+_[0-9]+_|_assignsubmission_")
NAMELESS = re.compile(r"(LATE_)?anon(ymous)?_")
# The folder of a participant's or a group's files, or, in one word with it, the file.
OF_MOODLE = re.compile(
    r"(?P<who>[^_]*)(?:_(?P<number>[0-9]+))?_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.+)|_?)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Reading:
    """One way to read a path.

    Attributes:
        who: the platform's form of the student's or the group's name.
        number: the platform's number of the student, in Moodle only within the assignment; or of
            the group; empty without one.
        file: the student's part of the path.
        late: whether Canvas marks it as late.
        order: Canvas's number of the file; later files have higher ones.
        typed: whether it was typed into Moodle rather than handed in as a file.
    """

    who: str
    number: str
    file: str
    late: bool = False
    order: int = 0
    typed: bool = False


def readings(platform: str, path: str) -> list[Reading]:
    """The ways to read a path in the platform's archive."""
    return (_of_canvas if platform == CANVAS else _of_moodle)(path.split("/"))


def platform_of(paths: Sequence[str]) -> str | None:
    """Whose archive it is, by the form that most of its paths have; None if that is not clear."""
    counts = {}
    for platform in (CANVAS, MOODLE):
        counts[platform] = sum(
            bool(readings(platform, path)) or (platform == CANVAS and is_nameless(path))
            for path in paths
        )
    if counts[CANVAS] == counts[MOODLE]:
        return None
    return max(counts, key=counts.get)


def is_nameless(path: str) -> bool:
    """Whether Canvas hides whose a file is, since grading there is anonymous."""
    return bool(NAMELESS.match(path.split("/")[-1]))


def is_of_system(path: str) -> bool:
    """Whether a file is one that a system makes beside those that somebody unpacked."""
    first, last = path.split("/")[0], path.split("/")[-1]
    return first == MACOS or first.startswith(".") or last.startswith(".")


def _of_canvas(parts: list[str]) -> list[Reading]:
    # Canvas makes no folders; somebody who unpacked its archive may have made one around all.
    *around, last = parts
    if len(around) > 1 or any(map(OF_A_STUDENT.search, around)) or MACOS in around:
        return []
    if last.startswith(".") or is_nameless(last):
        return []
    words = last.split("_")
    found = []
    for at in range(1, len(words) - 1):
        who, number, rest = "_".join(words[:at]), words[at], "_".join(words[at + 1 :])
        own, late = who.removesuffix("_LATE"), who.endswith("_LATE")
        if not NUMBER.fullmatch(number):
            continue
        if rest in TEXTS:
            found.append(Reading(own, number, rest, late))
        elif at + 2 < len(words) and NUMBER.fullmatch(words[at + 1]):
            file = "_".join(words[at + 2 :])
            found.append(Reading(own, number, file, late, order=int(words[at + 1])))
    return found


def _of_moodle(parts: list[str]) -> list[Reading]:
    for at, part in enumerate(parts[:2] if parts[0] != MACOS else ()):
        if "_assignsubmission_" not in part:
            continue
        own = OF_MOODLE.fullmatch(part)
        below = "/".join(parts[at + 1 :])
        if not own or bool(own["file"]) == bool(below):
            return []
        file = own["file"] or below
        return [Reading(own["who"], own["number"] or "", file, typed=own["kind"] == "onlinetext")]
    return []
