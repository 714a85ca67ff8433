"""Names of feedback files, by which Canvas and Moodle tell whose each is.

Canvas ("Re-Upload Submissions") takes the first two parts of a file's name that are numbers,
between underscores: the student's, and that of a file which the student's latest submission has.
Only the archive that it offers to download has the second one. It shows the feedback under the
name of that file, so only what has a notebook's name can be opened as one.

Moodle ("Upload multiple feedback files in a zip") takes a folder's name apart at its underscores:
anything, the participant's number, `assignsubmission`, `file`. The number is in the assignment's
grading worksheet.

Sources: `AbstractAssignment#infer_comment_context_from_filename` and `lib/content_zipper.rb` of
canvas-lms, and its issue 2406; `mod/assign/feedback/file/importziplib.php` of Moodle.
"""

import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Student

from headway.errors import UserError
from headway.grading.platforms.tables import read_table

# As `CanvasCollector` reads them: names that could be read in two ways are nobody's.
OF_CANVAS = re.compile(
    r"(?:(?![^/]*_\d+_\d+_)[^/]+/)?"
    r"(?P<start>(?!anon(?:ymous)?_|\d+_)[^/_]+(?:_LATE)?_(?P<student>\d+)_(?P<file>\d+)_)"
    r"(?P<name>(?!\d+_)[^/]+)"
)
OF_MOODLE = re.compile(r"_\d+_assignsubmission_")
NUMBER = re.compile(r"\d+$")
# Columns of Moodle's worksheet → the gradebook's fields with the same content.
COLUMNS = {"Username": "id", "Email address": "email", "ID number": "lms_user_id"}
UNSAFE = re.compile(r"[^A-Za-z0-9.@-]+")
NOTEBOOK, PAGES = ".ipynb", (".html", ".htm")


@dataclass
class Places:
    """Where the feedback goes.

    Attributes:
        platform: "Canvas" or "Moodle".
        names: student → the file's name in the archive.
        wrong: student → why there is no name.
        without: why the other students have none.
    """

    platform: str
    without: str
    names: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def why(self, student: str) -> str:
        """Why a student has no name."""
        return self.wrong.get(student, self.without)


def places_in(path: Path, assignment: str, students: Iterable[Student]) -> Places:
    """The names of an assignment's feedback files.

    Args:
        path: what the platform offers to download: Canvas's archive of submissions, or Moodle's
            grading worksheet.
        assignment: "01-one-hot".
        students: the students of the gradebook.

    Raises:
        UserError: if it is neither, or names none of the students.
    """
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    students = list(students)
    if zipfile.is_zipfile(path):
        places = _of_canvas(path, assignment, students)
    else:
        places = _of_moodle(path, assignment, students)
    if not (places.names or places.wrong):
        raise UserError(
            f"{path} names no student of the gradebook. Is it of another course? headway class "
            "roster brings the platform's ids into the gradebook."
        )
    return places


def _of_canvas(path: Path, assignment: str, students: list[Student]) -> Places:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UserError(f"{path} is no archive that can be read: {error}.") from error
    if any(map(OF_MOODLE.search, names)):
        raise UserError(
            f"{path} is Moodle's archive. Give its grading worksheet instead, which says whose "
            "each submission is."
        )
    files: dict[str, list[re.Match]] = defaultdict(list)
    for match in filter(None, map(OF_CANVAS.fullmatch, names)):
        files[match["student"]].append(match)
    if not files:
        raise UserError(
            f"{path} is not what Canvas offers as Download Submissions: it holds no name such as "
            "lovelaceada_41234_98765_01-one-hot.ipynb. While students are anonymous in Canvas, "
            "it leaves out whose each file is."
        )
    places = Places("Canvas", "the archive has no file of theirs")
    for number, matches in files.items():
        if student := _owner(number, students, "lms_user_id"):
            best = max(matches, key=lambda one: _fitness(one, assignment))
            ending = _ending(best)
            if ending in (NOTEBOOK, *PAGES):
                places.names[student] = f"{best['start']}{assignment}{ending}"
            else:
                places.wrong[student] = (
                    f"Canvas would show the feedback under the name of what they handed in, "
                    f"{best['name']!r:.80}"
                )
    return places


def _fitness(match: re.Match, assignment: str) -> tuple:
    """How well a file's name fits feedback: a notebook's best, then the latest file's."""
    ending = _ending(match)
    is_it = match["name"] == f"{assignment}{NOTEBOOK}"
    return ending == NOTEBOOK, ending in PAGES, is_it, int(match["file"])


def _ending(match: re.Match) -> str:
    return Path(match["name"]).suffix.lower()


def _of_moodle(path: Path, assignment: str, students: list[Student]) -> Places:
    table = read_table(path)
    columns = {name: at for name in COLUMNS if (at := table.column(name)) is not None}
    numbers = [NUMBER.search(row[0]) for row in table.rows]
    if not columns or not any(numbers):
        raise UserError(
            f"{path} is not Moodle's grading worksheet. Expected participants' numbers in the "
            f"first column, and a column {', '.join(COLUMNS)}. It has: "
            f"{', '.join(map(repr, table.header[:12]))}. Moodle has to be set to English, and "
            "writes no names while submissions are anonymous."
        )
    found: dict[str, list[str]] = defaultdict(list)
    for number, row in zip(numbers, table.rows, strict=True):
        owners = (_owner(row[at], students, COLUMNS[name]) for name, at in columns.items())
        if number and (student := next(filter(None, owners), None)):
            found[student].append(number[0])
    times = Counter(number for own in found.values() for number in own)
    places = Places("Moodle", "the worksheet has no row of theirs")
    for student, own in found.items():
        if len(own) > 1 or times[own[0]] > 1:
            places.wrong[student] = "the worksheet has more than one row of theirs"
        else:
            folder = f"{UNSAFE.sub('-', student)}_{own[0]}_assignsubmission_file"
            places.names[student] = f"{folder}/{assignment}.html"
    return places


def _owner(own: str, students: Iterable[Student], field: str) -> str | None:
    """The only student with a platform's id: in a field of the gradebook, or else as student id."""
    wanted = own.casefold()
    found = [one.id for one in students if (getattr(one, field) or one.id).casefold() == wanted]
    return found[0] if wanted and len(found) == 1 else None
