"""Names of feedback files, by which Canvas and Moodle tell whose each is.

Canvas ("Re-Upload Submissions") takes the first two parts of a file's name that are numbers,
between underscores: the student's, and that of a file which the student's latest submission has.
Only the archive that it offers to download has the second one. It shows the feedback under the
name of that file, so only what has a notebook's name can be opened as one. Of a group, one student
has the file, and the feedback goes to all of them.

Moodle ("Upload multiple feedback files in a zip") takes a folder's name apart at its underscores:
anything, the participant's number, `assignsubmission`, `file`. The number is in the assignment's
grading worksheet, also if students hand in as groups.

Sources: `AbstractAssignment#generate_comments_from_files` and `lib/content_zipper.rb` of
canvas-lms, and its issue 2406; `mod/assign/feedback/file/importziplib.php` of Moodle.
"""

import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Student

from headway.errors import UserError
from headway.grading.archives import names_in
from headway.grading.platforms.owners import ClassList, Worksheet, with_members
from headway.grading.platforms.paths import CANVAS, MOODLE, Reading, platform_of, readings
from headway.grading.safe_text import visible

UNSAFE = re.compile(r"[^A-Za-z0-9.@-]+")
NOTEBOOK, PAGES = ".ipynb", (".html", ".htm")


@dataclass
class Places:
    """Where the feedback goes.

    Attributes:
        platform: "Canvas" or "Moodle".
        names: student → the file's name in the archive.
        with_another: student → the one of the group who has the group's file.
        wrong: student → why there is no name.
        without: why the other students have none.
    """

    platform: str
    without: str
    names: dict[str, str] = field(default_factory=dict)
    with_another: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def why(self, student: str) -> str:
        """Why a student has no name."""
        if other := self.with_another.get(student):
            return f"the group's feedback goes with that of {visible(other)}, which isn't there"
        return self.wrong.get(student, self.without)


def places_in(
    path: Path, assignment: str, students: Iterable[Student], groups: Mapping[str, str]
) -> Places:
    """The names of an assignment's feedback files.

    Args:
        path: what the platform offers to download: Canvas's archive of submissions, or Moodle's
            grading worksheet.
        assignment: "01-one-hot".
        students: the students of the gradebook.
        groups: student → the name of the group whose submission it is.

    Raises:
        UserError: if it is neither, or names none of the students.
    """
    if not path.is_file():
        raise UserError(f"There is no file {path}.")
    of_class = ClassList(students)
    if zipfile.is_zipfile(path):
        places = _of_canvas(path, assignment, of_class)
        _share(places, groups)
    else:
        places = _of_moodle(path, assignment, of_class)
    if not (places.names or places.wrong):
        raise UserError(
            f"{path} names no student of the gradebook. Is it of another course? headway class "
            "roster brings the platform's ids into the gradebook."
        )
    return places


def _of_canvas(path: Path, assignment: str, of_class: ClassList) -> Places:
    names = names_in(path)
    platform = platform_of(names)
    if platform == MOODLE:
        raise UserError(
            f"{path} is Moodle's archive. Give its grading worksheet instead, which says whose "
            "each submission is."
        )
    found = [ways for name in names if platform and (ways := readings(CANVAS, name))]
    if not found:
        raise UserError(
            f"{path} is not what Canvas offers as Download Submissions: it holds no name such as "
            "lovelaceada_41234_98765_01-one-hot.ipynb. While students are anonymous in Canvas, "
            "it leaves out whose each file is."
        )
    places = Places(CANVAS, "the archive has no file of theirs")
    files: dict[str, list[Reading]] = defaultdict(list)
    for ways in found:
        one, unclear = of_class.owner(ways)
        for student in unclear:
            places.wrong[student] = "a file's name in the archive can be read in more than one way"
        student = of_class.find(one.number, "lms_user_id") if one and one.order else None
        if student in of_class.names:
            files[student].append(one)
    for student, theirs in files.items():
        best = max(theirs, key=lambda one: _fitness(one, assignment))
        ending = _ending(best)
        if ending in (NOTEBOOK, *PAGES):
            places.wrong.pop(student, None)
            # "of-", since Canvas takes an id that is a number for its own.
            places.names[student] = (
                f"of-{_safe(student)}_{best.number}_{best.order}_{assignment}{ending}"
            )
        else:
            places.wrong[student] = (
                f"Canvas would show the feedback under the name of what they handed in, "
                f"{best.file!r:.80}"
            )
    return places


def _fitness(one: Reading, assignment: str) -> tuple:
    """How well a file's name fits feedback: a notebook's best, then the latest file's."""
    ending = _ending(one)
    is_it = one.file == f"{assignment}{NOTEBOOK}"
    return ending == NOTEBOOK, ending in PAGES, is_it, one.order


def _ending(one: Reading) -> str:
    return Path(one.file).suffix.lower()


def _share(places: Places, groups: Mapping[str, str]) -> None:
    """Let those of a group who have no file get their feedback with one who has."""
    for student, (_, members) in with_members(groups).items():
        other = next((one for one in members if one in places.names), None)
        if other and student not in places.names:
            places.with_another[student] = other


def _of_moodle(path: Path, assignment: str, of_class: ClassList) -> Places:
    worksheet = Worksheet(path, None)
    found: dict[str, list[str]] = defaultdict(list)
    for number, one in worksheet.numbered:
        if (student := one.student(of_class)) in of_class.names:
            found[student].append(number)
    times = Counter(number for number, _ in worksheet.numbered)
    places = Places(MOODLE, "the worksheet has no row of theirs")
    for student, own in found.items():
        if len(own) > 1 or times[own[0]] > 1:
            places.wrong[student] = "the worksheet has more than one row of theirs"
        else:
            folder = f"{_safe(student)}_{own[0]}_assignsubmission_file"
            places.names[student] = f"{folder}/{assignment}.html"
    return places


def _safe(student: str) -> str:
    return UNSAFE.sub("-", student)
