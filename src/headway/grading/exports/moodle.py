"""Grades for Moodle."""

from collections import Counter
from collections.abc import Iterator

from nbgrader.api import Gradebook, Student
from traitlets import Enum

from headway.grading.exports.grades import MOST_NAMES, GradesExport, protected
from headway.grading.platforms.people import MOODLE_FIELDS
from headway.grading.results.spreadsheet import is_formula
from headway.grading.safe_text import listed

ADDRESS = "Email address"
MOODLE_MOST = 100  # points; a higher grade stops the import, unless `unlimitedgrades` is set
FROM_THE_LIST = (
    "`headway class roster` reads it from Moodle's table of participants; if no row of that is "
    "found here, name the column of the students' ids with --id."
)


class MoodleExport(GradesExport):
    """A CSV file for Moodle: Grades, Import, CSV file (UTF-8, separated by commas).

    Moodle asks by which column to find students, "Map from" and "Map to": choose the
    first column of the file for both. That is `students_by`: by default "Email address" if most
    students' ids are their addresses, else "Username". The username is nbgrader's student id, and
    the ID number its LMS user id. In Moodle, an unknown id stops the whole import, and an empty one
    gives the row's grades to the student of the row before. So students without the id are left out
    and logged, and columns of other ids are written only if everybody has one. For each assignment,
    map its column to the grade item, and its "(feedback)" column to "Feedback for" the same item:
    feedback without a grade deletes Moodle's grade. An empty field is no grade. Grades above the
    maximum, possible with a bonus, need the site's setting `unlimitedgrades`; without it, a grade
    above 100 stops the whole import.

    Source: Moodle documentation, "Grade import"; `grade/import/csv/classes/load_data.php` and
    `lib/csvlib.class.php` of Moodle.
    """

    default_name = "moodle.csv"
    students_by = Enum(
        tuple(MOODLE_FIELDS),
        default_value=None,
        allow_none=True,
        help='The column that Moodle is to find students by. Default: "Email address" if most '
        'ids are addresses, else "Username".',
    ).tag(config=True)

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        assignments = self.chosen_assignments(gradebook)
        if self.students_by is None:
            self.students_by = self._what_ids_are(gradebook)
        students = self.written = self._with_id(self.chosen_students(gradebook))
        others = [column for column in MOODLE_FIELDS if _tells_apart(column, students)]
        if self.students_by == ADDRESS and any(map(_is_address, students)):
            others = [it for it in others if it != "Username"]  # the ids are not Moodle's
        ids = list(dict.fromkeys([self.students_by, *others]))
        titles = [protected(it.name) for it in assignments]
        grades = [name for it in titles for name in (it, f"{it} (feedback)")]
        yield [*ids, "First name", "Last name", *grades]
        for student in students:
            grades = []
            for it in assignments:
                score = self.score(gradebook, it, student)
                if score and float(score) > MOODLE_MOST:
                    self.log.warning(
                        "%s has %s points. Above %d, Moodle refuses the whole file unless its "
                        "setting `unlimitedgrades` allows them.",
                        *(student.id, score, MOODLE_MOST),
                    )
                grades += [score, _for_php(self.comment(gradebook, it, student))]
            yield [
                *(_id(column, student) for column in ids),
                _for_php(protected(student.first_name or "")),
                _for_php(protected(student.last_name or "")),
                *grades,
            ]

    @property
    def next_step(self) -> str:
        """What to choose in Moodle; call `export` before."""
        return f'In Moodle\'s import, choose "{self.students_by}" for both "Map from" and "Map to".'

    def _what_ids_are(self, gradebook: Gradebook) -> str:
        """The column that has the students' ids, if nobody said which one."""
        students = self.chosen_students(gradebook)
        addresses = sum(map(_is_address, students))
        return ADDRESS if addresses > len(students) / 2 else "Username"

    def _with_id(self, students: list[Student]) -> list[Student]:
        """The students whom Moodle can find by a unique id; the others are logged."""
        times = Counter(_id(self.students_by, student) for student in students)
        found, without, shared = [], [], []
        for student in students:
            own = _id(self.students_by, student)
            if not own or own == "0":  # PHP treats "0" as empty
                without.append(student.id)
            elif times[own] > 1:
                shared.append(f"{student.id} ({own})")
            elif self.identifier(own, student):
                found.append(student)
        if without:
            mend = "" if self.students_by == "Username" else f" {FROM_THE_LIST}"
            names = listed(without, MOST_NAMES)
            self.log.warning("Without %s, left out: %s.%s", self.students_by, names, mend)
        if shared:
            names = listed(shared, MOST_NAMES)
            self.log.warning("The same %s as another, left out: %s.", self.students_by, names)
        return found


def _is_address(student: Student) -> bool:
    """Whether a student's id is the e-mail address."""
    address = student.email or student.id
    return "@" in address and address.casefold() == student.id.casefold()


def _id(column: str, student: Student) -> str:
    if column == ADDRESS and _is_address(student):
        return student.email or student.id
    return (getattr(student, MOODLE_FIELDS[column]) or "").strip()


def _tells_apart(column: str, students: list[Student]) -> bool:
    """Whether every student has a unique id in this column."""
    ids = [_id(column, student) for student in students]
    plain = all(own and own != "0" and not is_formula(own) for own in ids)
    return plain and len(set(ids)) == len(ids)


def _for_php(text: str) -> str:
    """Replace backslashes, since PHP reads one before a field's closing quote as an escape."""
    return text.replace("\\", "/")
