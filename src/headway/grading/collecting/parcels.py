"""Sort the files of a platform's archive by who handed them in.

The platform's archive is a zip, or a folder into which somebody unpacked it. What a student named
or damaged concerns that student alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp

from headway.errors import UserError
from headway.grading.archives import unpack
from headway.grading.platforms.owners import ClassList, Worksheet
from headway.grading.platforms.paths import (
    CANVAS,
    MOODLE,
    Reading,
    is_nameless,
    is_of_system,
    platform_of,
    readings,
)
from headway.grading.safe_text import visible

NO_TEXT = 10_000_000  # bytes; a longer text was not typed by hand
SHOWN = (b"img", b"a ", b"video", b"audio", b"object")  # tags that show something without words
TEST_STUDENT = ("studenttest", "teststudent")  # Canvas's, as a path names it
UNLIKE = (
    "{} is not like an archive of Canvas or Moodle: expected names like "
    "lovelaceada_41234_98765_01-one-hot.ipynb (Canvas) or Ada "
    "Lovelace_12345_assignsubmission_file/01-one-hot.ipynb (Moodle). What you have by hand goes "
    "into submitted/STUDENT/ASSIGNMENT/."
)


@dataclass
class Parcel:
    """What one student, or one group, handed in together.

    Attributes:
        students: student → when that student's platform says it was handed in, if it says so.
        group: the group's name; empty for one student.
        files: Canvas's number, or 0, of each file, its name, and where it is now.
        late: whether Canvas marks it as late.
        lost: sentences on files that could not be read.
    """

    students: dict[str, datetime | None]
    group: str = ""
    files: list[tuple[int, str, Path]] = field(default_factory=list)
    late: bool = False
    lost: list[str] = field(default_factory=list)

    @property
    def order(self) -> int:
        """Canvas's highest number of its files: later ones have higher numbers."""
        return max((number for number, _, _ in self.files), default=0)

    @property
    def newest_first(self) -> list[tuple[str, Path]]:
        """The files, without their numbers."""
        ordered = sorted(self.files, key=lambda file: -file[0])
        return [(name, place) for _, name, place in ordered]


@dataclass(frozen=True)
class Unclear:
    """A file of which nobody can tell for certain whose it is.

    Attributes:
        path: its path in the archive.
        why: part of a sentence.
        students: the students whose it may be, as far as they are known.
    """

    path: str
    why: str
    students: tuple[str, ...] = ()


@dataclass
class Sorted:
    """An archive, sorted.

    Attributes:
        platform: "Canvas" or "Moodle".
        parcels: what was handed in.
        unclear: what is nobody's for certain.
        test_student: whether something of Canvas's Test Student was left out.
    """

    platform: str
    parcels: list[Parcel]
    unclear: list[Unclear]
    test_student: bool = False


@dataclass(frozen=True)
class Sorter:
    """What an instructor gave besides the archives.

    Attributes:
        of_class: the class list.
        worksheet: Moodle's grading worksheet.
        groups: student → the group's name and its members.
    """

    of_class: ClassList
    worksheet: Worksheet | None
    groups: Mapping[str, tuple[str, tuple[str, ...]]]

    def sort(self, source: Path, scratch: Path) -> Sorted:
        """Sort what an archive holds.

        Args:
            scratch: an existing folder for the files.

        Raises:
            UserError: if it is no platform's archive, or its worksheet is missing.
        """
        found = list(_files(source, Path(mkdtemp(dir=scratch))))
        platform = platform_of([path for path, _, _ in found])
        if platform is None:
            raise UserError(UNLIKE.format(source))
        if platform == MOODLE and self.worksheet is None:
            raise UserError(
                f"{source} is Moodle's, and its numbers are explained in the assignment's grading "
                "worksheet alone. Download that as well, and name it with --worksheet."
            )
        if platform == CANVAS and self.worksheet:
            raise UserError(f"{source} is Canvas's, and --worksheet is for Moodle. Leave it out.")
        parcels: dict[tuple[str, str], Parcel] = {}
        unclear, test_student = [], False
        for path, place, problem in found:
            if platform == CANVAS and self._is_of_test_student(path):
                test_student = True
                continue
            reading, parcel = self._place(platform, path, parcels)
            if isinstance(parcel, Unclear):
                unclear.append(parcel)
            if not isinstance(parcel, Parcel):
                continue
            if place and reading.typed and _is_blank(place):
                continue
            parcel.late = parcel.late or reading.late
            if place is None:
                parcel.lost.append(f"{reading.file}, which {problem}")
            else:
                parcel.files.append((reading.order, reading.file, place))
        return Sorted(platform, list(parcels.values()), unclear, test_student)

    def _is_of_test_student(self, path: str) -> bool:
        """Whether Canvas's own Test Student handed it in, whom no class list has."""
        return any(
            way.who in TEST_STUDENT and not self.of_class.knows(way.number, "lms_user_id")
            for way in readings(CANVAS, path)
        )

    def _place(
        self, platform: str, path: str, parcels: dict[tuple[str, str], Parcel]
    ) -> tuple[Reading | None, Parcel | Unclear | None]:
        """How a path is read, and the parcel that its file belongs to; None for no student's."""
        ways = readings(platform, path)
        if not ways and is_of_system(path):
            return None, None
        if not ways:
            hidden = platform == CANVAS and is_nameless(path)
            why = "Canvas hides the names" if hidden else f"{platform} names no file like that"
            return None, Unclear(path, why)
        if platform == CANVAS:
            reading, candidates = self.of_class.owner(ways)
            if reading is None:
                why = "its name can be read in more than one way"
                return None, Unclear(path, why, tuple(candidates))
            key = "", reading.number
            if key not in parcels:
                student = self.of_class.find(reading.number, "lms_user_id")
                if student is None:
                    why = f"the gradebook does not say for certain who {reading.number} is"
                    return None, Unclear(path, why)
                parcels[key] = self._parcel({student: None}, "")
            return reading, parcels[key]
        (reading,) = ways
        key = reading.who if self.worksheet.in_groups else "", reading.number
        if key not in parcels:
            group, members = self.worksheet.behind(reading)
            students = {one.student(self.of_class): one.time for one in members}
            if not students or None in students:
                who = f"group {group!r}" if group else f"participant {reading.number}"
                known = tuple(student for student in students if student)
                why = f"{self.worksheet.path.name} does not say for certain who {visible(who)} is"
                return None, Unclear(path, why, known)
            parcels[key] = self._parcel(students, group)
        return reading, parcels[key]

    def _parcel(self, students: dict[str, datetime | None], group: str) -> Parcel:
        """A parcel of these students, and of the groups that the instructor's table gives them."""
        if not group:
            (student, time), *_ = students.items()
            group, members = self.groups.get(student, ("", (student,)))
            students = dict.fromkeys(members, time)
        return Parcel(students, group if len(students) > 1 else "")


def _files(source: Path, scratch: Path) -> Iterator[tuple[str, Path | None, str]]:
    """Each file's path in the archive, where it is now, and what is wrong with it."""
    if source.is_dir():
        for path in sorted(source.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(source).as_posix(), path, ""
        return
    if not source.is_file():
        raise UserError(f"There is no {source}. Expected the archive that the platform gave you.")
    if readings(CANVAS, source.name) or readings(MOODLE, source.name):
        raise UserError(
            f"{source} is named like what one student handed in. Give the platform's archive "
            "another name."
        )
    for path, place, problem in unpack(source, scratch):
        yield path, place, problem


def _is_blank(text: Path) -> bool:
    """Whether a web page made by Moodle has nothing in it: nothing was typed."""
    if text.stat().st_size > NO_TEXT:
        return False
    content = text.read_bytes().lower()
    first, *tags = content.split(b"<")
    words = first + b"".join(tag.partition(b">")[2] for tag in tags)
    shows = any(tag.startswith(SHOWN) for tag in tags)
    return not (shows or words.replace(b"&nbsp;", b"").strip())
