"""Grades for Canvas."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student
from traitlets import Dict, Enum, Unicode

from headway.errors import UserError
from headway.grading.exports.grades import MOST_NAMES, GradesExport, called, number, protected
from headway.grading.platforms.people import POINTS, canvas_students, is_canvas
from headway.grading.platforms.tables import Table, read_table
from headway.grading.safe_text import listed

CANVAS_COLUMNS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
CANVAS_IDS = ("ID", "SIS User ID", "SIS Login ID")
# How Canvas ends an assignment's column name, and names of computed columns.
WITH_ID = re.compile(r"(.*)\s\((\d+)\)", re.DOTALL)
COMPUTED = re.compile("(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
EXCUSED, UNASSIGNED = "EX", "N/A"


class CanvasExport(GradesExport):
    """A CSV file for Canvas: Grades, Import.

    With `gradebook`, the file that Canvas exports (Grades, Export), the columns by which Canvas
    finds students and assignments stay as they are: ID and the others up to Section, and the
    assignment's column with its number after the name. Excused students stay excused. If we have
    no grade, Canvas's stays. Students in only one of the two gradebooks are left out and logged.

    Without it, nbgrader's student id becomes the SIS Login ID, or, with
    `c.CanvasExport.students_by = "ID"`, Canvas's number, the ID. The gradebook's `lms_user_id` is
    Canvas's number. Canvas finds a student by ID, else by SIS User ID, else by SIS Login ID, else
    by the sortable name, "Last, First". It finds an assignment by its name and offers to create
    a missing one, with the points in the row "Points Possible". An empty field deletes a grade in
    Canvas; the import's preview shows that.

    Source: Instructor Guide of Canvas, "How do I import grades in the Gradebook?";
    `lib/gradebook_importer.rb` and `lib/gradebook_exporter.rb` of canvas-lms.
    """

    default_name = "canvas.csv"
    gradebook = Unicode("", help="The file that Canvas's gradebook exports.").tag(config=True)
    titles = Dict(help="Canvas's names of assignments, where they are others than ours.").tag(
        config=True
    )
    students_by = Enum(
        ("SIS Login ID", "ID"), "SIS Login ID", help="The column that has nbgrader's student id."
    ).tag(config=True)
    lms_user_ids = Enum(
        ("ID", "SIS User ID"), "ID", help="The column that has the gradebook's lms_user_id."
    ).tag(config=True)

    def rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        if self.gradebook:
            theirs = Path(self.gradebook).expanduser()
            if theirs.resolve() == Path(self.to or self.default_name).resolve():
                raise UserError(
                    f"{theirs} is Canvas's own file and would be overwritten. Name another one "
                    "with --to."
                )
            return self._rows_of(read_table(theirs), gradebook)
        return self._own_rows(gradebook)

    def _own_rows(self, gradebook: Gradebook) -> Iterator[list[str]]:
        assignments = self.chosen_assignments(gradebook)
        yield CANVAS_COLUMNS + [self._new_title(it) for it in assignments]
        points = [number(it.max_score) for it in assignments]
        yield [POINTS, "", "", "", "", *points]
        self.written = self.chosen_students(gradebook)
        for student in self.written:
            names = filter(None, (student.last_name, student.first_name))
            own = {self.lms_user_ids: student.lms_user_id, self.students_by: student.id}
            canvas_id = own.get("ID") or ""
            if canvas_id and not canvas_id.isdecimal():
                self.log.warning(
                    "%r of student %r is no number of Canvas's. Its field was left empty, since "
                    "Canvas would read the digits that it begins with.",
                    canvas_id,
                    student.id,
                )
                own["ID"] = ""
            yield [
                protected(", ".join(names)),
                *(self.identifier(own.get(column), student) for column in CANVAS_IDS),
                "",
                *(self.score(gradebook, it, student) for it in assignments),
            ]

    def _rows_of(self, theirs: Table, gradebook: Gradebook) -> Iterator[list[str]]:
        """The rows of Canvas's export, with our grades."""
        if not is_canvas(theirs):
            raise UserError(
                f"{theirs.path} is not what Canvas's gradebook exports: it lacks the columns "
                "Student, ID and Section."
            )
        width = theirs.require("Section") + 1
        assignments = self.chosen_assignments(gradebook)
        columns = [self._column(it, theirs.header, width) for it in assignments]
        titles = [
            self._new_title(it) if at is None else theirs.header[at]
            for it, at in zip(assignments, columns, strict=True)
        ]
        yield theirs.header[:width] + titles
        possible = next((row for row in theirs.rows if POINTS in row[0]), None)
        points = []
        for it, at in zip(assignments, columns, strict=True):
            ours, value = number(it.max_score), possible[at] if possible and at else ""
            if value and _amount(value) != _amount(ours):
                self.log.warning(
                    "Canvas counts %s out of %s points and the gradebook out of %s, and points are "
                    "written as they are. Set the same maximum in Canvas.",
                    *(it.name, value, ours),
                )
            points.append(value or ours)
        yield [POINTS, *[""] * (width - 1), *points]
        pairs = self._pairs(theirs, gradebook)
        self.written = [student for _, student in pairs]
        for row, student in pairs:
            ids = {theirs.column(name) for name in CANVAS_IDS}
            yield [
                *(
                    self.identifier(text, student) if at in ids else protected(text)
                    for at, text in enumerate(row[:width])
                ),
                *(
                    self._grade(gradebook, it, student, "" if at is None else row[at])
                    for it, at in zip(assignments, columns, strict=True)
                ),
            ]

    def _grade(self, gradebook: Gradebook, it: Assignment, student: Student, theirs: str) -> str:
        ours = self.score(gradebook, it, student)
        if theirs.upper() in (EXCUSED, UNASSIGNED):
            if ours:
                state = "excused from" if theirs.upper() == EXCUSED else "not assigned"
                self.log.warning(
                    "%s is %s %s in Canvas, and stays so; the gradebook has %s points.",
                    *(called(student), state, it.name, ours),
                )
            return theirs
        return ours or theirs

    def _column(self, it: Assignment, header: list[str], width: int) -> int | None:
        """The index of the assignment's column in Canvas's export; None if there is none."""
        wanted = self.titles.get(it.name, it.name)
        found = [
            at
            for at, title in enumerate(header)
            if at >= width
            and (title == wanted or ((match := WITH_ID.fullmatch(title)) and match[1] == wanted))
        ]
        if len(found) > 1:
            columns = " and ".join(repr(header[at]) for at in found)
            raise UserError(
                f"Canvas has more than one assignment {wanted!r}: {columns}. Say which, in "
                f"nbgrader_config.py: c.CanvasExport.titles = {{{it.name!r}: {header[found[0]]!r}}}"
            )
        if not found and it.name in self.titles:
            raise UserError(f"Canvas has no assignment {wanted!r}, which `titles` names.")
        if not found:
            likely = [title for title in header[width:] if _is_likely(title, it.name)]
            named = {**self.titles, it.name: likely[0] if len(likely) == 1 else "NAME IN CANVAS"}
            self.log.warning(
                "Canvas has no assignment %r. It will offer to make one; if it has it as %s, put "
                "this into nbgrader_config.py: c.CanvasExport.titles = %r",
                *(it.name, repr(likely[0]) if len(likely) == 1 else "another", named),
            )
        return found[0] if found else None

    def _new_title(self, it: Assignment) -> str:
        if WITH_ID.fullmatch(it.name) or COMPUTED.search(it.name):
            raise UserError(
                f"Canvas would not take {it.name!r} for the name of an assignment: it reads a "
                "number in parentheses at the end as its own, and leaves out columns named as "
                "those that it computes. Name the column it has: --gradebook."
            )
        return protected(it.name)

    def _pairs(self, theirs: Table, gradebook: Gradebook) -> list[tuple[list[str], Student]]:
        """Canvas's rows with their students; ambiguous rows are left out and logged."""
        rows = list(canvas_students(theirs))
        if not rows:
            raise UserError(f"{theirs.path} lists no students.")
        self.listed_there = len(rows)
        ids = [at for name in CANVAS_IDS if (at := theirs.column(name)) is not None]
        lms = theirs.column(self.lms_user_ids)
        students = self.chosen_students(gradebook)
        of_row, found_for = [], []
        for row in rows:
            known = {row[at] for at in ids} - {""}
            own = row[lms] if lms is not None else ""
            found = [
                one
                for one in students
                if (one.lms_user_id == own if one.lms_user_id and own else one.id in known)
            ]
            found_for.append(found)
            of_row.append(found[0] if len(found) == 1 else None)
            if len(found) > 1:
                names = " and ".join(map(called, found))
                self.log.warning("%s of Canvas could be %s. Left out.", row[0], names)
        times = Counter(one.id for one in of_row if one)
        if twice := [called(student) for student in students if times[student.id] > 1]:
            names = listed(twice, MOST_NAMES)
            self.log.warning("More than one row in Canvas's gradebook, left out: %s", names)
        alone = [row[0] for row, of in zip(rows, found_for, strict=True) if not of]
        if alone and not self.student:
            more = f"; and {len(alone) - MOST_NAMES} more" if len(alone) > MOST_NAMES else ""
            self.log.warning(
                "In Canvas and not in nbgrader's gradebook, left as they are: %s",
                "; ".join(alone[:MOST_NAMES]) + more,
            )
        pairs = [
            (row, one) for row, one in zip(rows, of_row, strict=True) if one and times[one.id] == 1
        ]
        if not pairs:
            raise UserError(
                f"{theirs.path} lists students ({len(rows)}), and none of them can be told to be "
                "one of the gradebook. Is it the file of another course? Where ids differ, headway "
                "class roster brings Canvas's into the gradebook."
            )
        return pairs


def _is_likely(title: str, assignment: str) -> bool:
    """Whether a column of Canvas's may be our assignment: it has its number, or its words."""
    match = WITH_ID.fullmatch(title)
    number, _, words = assignment.partition("-")
    name = match[1].casefold() if match else ""
    own = [int(digits) for digits in re.findall(r"[0-9]{1,4}", name)]
    return (number.isdecimal() and own == [int(number)]) or (
        bool(words) and words.replace("-", "") in re.sub(r"[^a-z0-9]", "", name)
    )


def _amount(text: str) -> float | None:
    """A number with a decimal comma or point; None for other texts."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
