"""Collect an assignment's submissions from platforms' archives into `submitted/`.

Each copy is kept. The one that counts is put into `submitted/`, and chosen anew at each run, since
extensions and the instructor's rule may change.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from headway.errors import UserError
from headway.grading.collecting.parcels import Parcel, Sorter, Unclear
from headway.grading.copies import (
    COLLECTED,
    Copies,
    Copy,
    contents,
    date_marked,
    not_in_reach,
    place,
    read_collected,
    same_time,
    write_collected,
    write_files,
)
from headway.grading.course import Course
from headway.grading.course_files import CourseFiles
from headway.grading.files import SCRATCH, clear_scratch
from headway.grading.intake.submission import TIMESTAMP, Missing, SetAside, take_snapshot
from headway.grading.intake.submitted_cells import read_cells
from headway.grading.intake.without_outputs import without_outputs
from headway.grading.nbgrader.gradebook_file import GradebookFile
from headway.grading.nbgrader.penalties import late_costs
from headway.grading.nbgrader.recorded import due_dates_of, recorded_submissions
from headway.grading.notebooks.check_calls import check_call
from headway.grading.platforms.owners import ClassList, Worksheet, read_groups, with_members
from headway.grading.punctual import Collecting, choose
from headway.grading.safe_text import listed, visible

A_SECOND = timedelta(seconds=1)  # how late a copy is that Canvas marks as late


@dataclass(frozen=True)
class Given:
    """What an instructor gives to collect from.

    Attributes:
        archives: the platform's archives, or folders with what was in them; the newest last.
        worksheet: Moodle's grading worksheet.
        zone: time zone of its times; None if they are not to be read.
        late_at: when what Canvas marks as late was handed in; None for a second after the due date.
        groups: a table with the columns group and student; None for the groups as they were.
    """

    archives: Sequence[Path]
    worksheet: Path | None = None
    zone: object | None = None
    late_at: datetime | None = None
    groups: Path | None = None


@dataclass
class Outcome:
    """What came of it.

    Attributes:
        platforms: archive → the platform's name.
        students: how many students have a copy.
        first: students with their first copy.
        newer: students with another copy than before.
        known: how many students handed in nothing new.
        strangers: students who are not in the class list.
        late: students whose copy Canvas marks as late.
        late_at: the time that they got; None if there is no due date.
        kept: students whose folder in `submitted/` the instructor had changed, and keeps.
        moved: students whose changed folder gave way to another copy → where it is now.
        restored: students whose copy counts again in the version that the instructor had made of
            it → where that was.
        late_instead: students whose late copy counts, although there is a punctual one and being
            late costs points → the folder of the punctual one.
        punctual: students whose last punctual copy counts instead of a later one.
        passed_over: students whose last punctual copy can't be graded, so that another counts → its
            folder.
        aside: student → why the submission cannot be graded.
        lost: student → files that could not be read.
        unclear: files that are nobody's for certain.
        unread: sentences on the worksheet's times.
        test_student: whether something of Canvas's Test Student was left out.
    """

    platforms: dict[Path, str] = field(default_factory=dict)
    students: int = 0
    first: list[str] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)
    known: int = 0
    strangers: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    late_at: datetime | None = None
    kept: list[str] = field(default_factory=list)
    moved: dict[str, Path] = field(default_factory=dict)
    restored: dict[str, Path] = field(default_factory=dict)
    late_instead: dict[str, Path] = field(default_factory=dict)
    punctual: list[str] = field(default_factory=list)
    passed_over: dict[str, Path] = field(default_factory=dict)
    aside: dict[str, str] = field(default_factory=dict)
    lost: dict[str, list[str]] = field(default_factory=dict)
    unclear: list[Unclear] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    test_student: bool = False


def collect(course: Course, given: Given) -> Outcome:
    """Collect from the archives, and choose which copies count.

    Raises:
        UserError: if something that was given cannot be used; then nothing is collected.
    """
    return _Collecting(course, given).run()


class _Collecting:
    """One run."""

    def __init__(self, course: Course, given: Given):
        self.course, self.files = course, course.files
        self.given, self.told = given, Outcome()
        self.folder = self.files.folder / COLLECTED / self.files.assignment
        self.collected = read_collected(self.files.state)
        self.of_class, self.due, self.longer = _gradebook_of(self.files, course.gradebook)
        self.last_punctual = Collecting(config=course.config).last_punctual
        self.late_at = given.late_at or (self.due and self.due + A_SECOND)

    def run(self) -> Outcome:
        given, told = self.given, self.told
        worksheet = Worksheet(given.worksheet, given.zone) if given.worksheet else None
        groups = (
            read_groups(given.groups, self.of_class)
            if given.groups
            else with_members(self.collected.groups)
        )
        sorter = Sorter(self.of_class, worksheet, groups)
        clear_scratch(self.files.folder, *self.files.submitted.glob("*/"))
        with TemporaryDirectory(dir=self.files.folder, prefix=SCRATCH) as scratch:
            parcels: list[Parcel] = []
            for source in given.archives:
                found = sorter.sort(source, Path(scratch))
                told.platforms[source] = found.platform
                told.unclear += found.unclear
                told.test_student |= found.test_student
                parcels += sorted(found.parcels, key=lambda parcel: parcel.order)
            self._refuse_another(parcels)
            if self.late_at:
                self._was_late(
                    *date_marked(self.collected, self.folder, self.files.submission, self.late_at)
                )
            untouched = self._untouched()
            for parcel in parcels:
                self._keep(parcel, Path(scratch))
        told.unread = worksheet.unread if worksheet else []
        collected = sorted(path.name for path in self.folder.glob("*/"))
        if not (given.archives or collected):
            raise UserError(
                f"Nothing was collected for {self.files.assignment} yet. Name the archive that "
                "Canvas or Moodle gave you."
            )
        told.students = len(collected)
        try:
            for student in collected:
                self._place(student, untouched)
        finally:
            self._remember()
        new = {*told.first, *told.newer}
        handed_in = {student for one in parcels if one.files for student in one.students}
        told.late = sorted(set(told.late))
        told.known = len(handed_in - new)
        told.strangers = sorted(handed_in - set(self.of_class.names)) if self.of_class.names else []
        return told

    def _refuse_another(self, parcels: Sequence[Parcel]) -> None:
        """Refuse archives in which all notebooks are another assignment's."""
        files = [file for parcel in parcels for file in parcel.files]
        found = set()
        for _, name, path in files:
            own = _assignments_of(path) if name.lower().endswith(".ipynb") else set()
            if self.files.assignment in own:
                return
            found |= own & set(self.course.hidden_modules)
        if found:
            archives = " and ".join(map(str, self.given.archives))
            raise UserError(
                f"Nothing was collected. The notebooks in {archives} are of "
                f"{listed(sorted(found), 3)}, and not of {self.files.assignment}. Give that "
                "assignment's number, or the other archive."
            )

    def _until(self, student: str) -> datetime | None:
        """When the assignment is due for a student."""
        return self.due and self.due + self.longer.get(student, timedelta())

    def _is_late(self, student: str, time: datetime | None) -> bool:
        until = self._until(student)
        return bool(time and until and time > until)

    def _copies(self, student: str) -> Copies:
        return Copies(self.folder / student)

    def _untouched(self) -> set[str]:
        """The students whose folder in `submitted/` is as it was collected."""
        found = set()
        for student, number in list(self.collected.placed.items()):
            copy, now = self.folder / student / str(number), self.files.submission(student)
            if not copy.is_dir():  # somebody took it away
                del self.collected.placed[student]
            elif contents(copy) == contents(now) and same_time(copy, now):
                found.add(student)
        return found

    def _keep(self, parcel: Parcel, scratch: Path) -> None:
        """Keep a parcel as a copy of each of its students."""
        for student, time in parcel.students.items():
            lost = list(parcel.lost)
            with TemporaryDirectory(dir=scratch) as place_for_it:
                files = Path(place_for_it, "files")  # with the usual permissions
                files.mkdir()
                lost += write_files(parcel.newest_first, files)
                if parcel.files and any(files.iterdir()):
                    self._add(student, files, time, parcel.late)
            if lost:
                self.told.lost[student] = lost
            if parcel.group:
                self.collected.groups[student] = parcel.group
            else:
                self.collected.groups.pop(student, None)

    def _add(self, student: str, files: Path, time: datetime | None, is_marked: bool) -> None:
        copies = self._copies(student)
        before = copies.all()
        if is_marked:
            time = self._time_of_marked(files, before)
            if time == self.late_at:
                self._was_late(student)
        marked = self.collected.marked.setdefault(student, [])
        # Without a time, a copy is punctual only in Canvas, which marks those that are late.
        was_punctual = bool(before) and (
            is_marked and before[-1].number not in marked
            if before[-1].time is None
            else not self._is_late(student, before[-1].time)
        )
        again = was_punctual and self._is_late(student, time)
        is_new = copies.add(files, time, again)
        number = copies.all()[-1].number
        if is_marked and number not in marked:
            marked.append(number)
        elif not is_marked and number in marked:
            marked.remove(number)
        if is_new and student not in (*self.told.first, *self.told.newer):
            (self.told.newer if before else self.told.first).append(student)

    def _was_late(self, *students: str) -> None:
        """Note whose copy Canvas marks as late, and that it gets the time for that."""
        if students:
            self.told.late += students
            self.told.late_at = self.late_at

    def _time_of_marked(self, files: Path, before: Sequence[Copy]) -> datetime | None:
        """When files that Canvas marks as late count as handed in.

        What was marked before keeps its time, since the due date may have moved meanwhile.
        """
        last = before[-1] if before and not self.given.late_at else None
        if last and last.time and contents(last.folder) == contents(files):
            return last.time
        return self.late_at

    def _place(self, student: str, untouched: set[str]) -> None:
        """Choose a student's copy, and put it into `submitted/`."""
        copies, submitted = self._copies(student), self.files.submission(student)
        kept = copies.all()
        if not kept:
            return
        times = [copy.time for copy in kept]
        until = self._until(student)
        choice = choose(times, until, self.last_punctual)
        if choice.counts != choice.latest and self._problem_with(
            student, kept[choice.counts].folder
        ):
            usable = [copy for copy in kept if not self._problem_with(student, copy.folder)]
            if usable:
                self.told.passed_over[student] = kept[choice.counts].folder
                kept, times = usable, [copy.time for copy in usable]
                choice = choose(times, until, self.last_punctual)
        copy, placed = kept[choice.counts], self.collected.placed.get(student)
        is_there = os.path.lexists(submitted)
        same = is_there and contents(submitted) == contents(copy.folder)
        if same and same_time(submitted, copy.folder):
            pass
        elif is_there and placed == copy.number and student not in untouched:
            self.told.kept.append(student)
        else:
            undated = same and not (submitted / TIMESTAMP).exists()
            keep = is_there and student not in untouched and not undated
            self._replace(student, copy, keep)
        self.collected.placed[student] = copy.number
        if choice.is_late_instead and late_costs(self.course.config):
            self.told.late_instead[student] = kept[choice.punctual].folder
        if choice.counts != choice.latest:
            self.told.punctual.append(student)
        if reason := self._problem_with(student, submitted):
            self.told.aside[student] = reason

    def _problem_with(self, student: str, folder: Path) -> str:
        """Why what a student handed in can't be graded; empty if it can."""
        try:
            read_cells(take_snapshot(folder, self.files.assignment, student).notebook)
        except (SetAside, Missing) as reason:
            return str(reason)
        return ""

    def _replace(self, student: str, copy: Copy, keep: bool) -> None:
        """Put a copy into `submitted/`, in the version that the instructor made of it, if any.

        Args:
            keep: whether what is there differs from the copy that was put there.
        """
        copies, submitted = self._copies(student), self.files.submission(student)
        corrected, mine = self.collected.corrected.setdefault(student, {}), copies.mine()
        placed = str(self.collected.placed.get(student, ""))
        before = mine.get(corrected.get(placed, 0))
        if not keep:
            corrected.pop(placed, None)  # the instructor took it back
        elif before and contents(before) == contents(submitted) and same_time(before, submitted):
            keep = False  # it is kept already
        correction = mine.get(corrected.get(str(copy.number), 0))
        if correction:
            self.told.restored[student] = correction
        if moved := place(correction or copy.folder, submitted, copies, keep):
            self.told.moved[student] = moved
            corrected[placed] = next(iter(copies.mine()))

    def _remember(self) -> None:
        """Store what later runs and the report need."""
        told, files = self.told, self.files
        marked = self.collected.marked
        self.collected.marked = {who: numbers for who, numbers in marked.items() if numbers}
        if self.given.archives:
            waiting = not_in_reach(self.collected, files.submissions())
            older = [one for one in self.collected.unclear if not waiting.keys().isdisjoint(one[1])]
            where = f"Put it into {files.submission('STUDENT').relative_to(files.folder)}/."
            new = [(_said(one, where), one.students) for one in told.unclear]
            new += [
                (f"Handed in {lost}.", (who,)) for who, all in told.lost.items() for lost in all
            ]
            self.collected.unclear = list(dict.fromkeys([*older, *new]))
        write_collected(files.state, self.collected)


def date_late_copies(files: CourseFiles, gradebook: GradebookFile) -> None:
    """Give copies that were collected before the due date was set, and that Canvas marks as late,
    the time that they would get now."""
    _, due, _ = _gradebook_of(files, gradebook)
    if due:
        folder = files.folder / COLLECTED / files.assignment
        date_marked(read_collected(files.state), folder, files.submission, due + A_SECOND)


def _assignments_of(notebook: Path) -> set[str]:
    """The assignments that a notebook's checks name; none if it can't be read."""
    try:
        cells, _ = read_cells(without_outputs(notebook.read_bytes()))
    except SetAside:
        return set()
    calls = (check_call(cell.source) for cell in cells if cell.is_code)
    return {call.task_id.partition("/")[0] for call in calls if call}


def _said(one: Unclear, where: str) -> str:
    """What the report says of a file that is nobody's for certain."""
    path = visible(one.path)
    return f"{path} was handed in, and it is not certain by whom, because {one.why}. {where}"


def _gradebook_of(
    files: CourseFiles, file: GradebookFile
) -> tuple[ClassList, datetime | None, dict[str, timedelta]]:
    """The class list, when the assignment is due, and the extensions by student."""
    if not file.exists():
        return ClassList([]), None, {}
    with file.opened() as gradebook:
        due = due_dates_of(gradebook).get(files.assignment)
        recorded = recorded_submissions(gradebook, files.assignment)
        longer = {name: one.extension for name, one in recorded.items() if one.extension}
        return ClassList(gradebook.students), due and due.replace(tzinfo=UTC), longer
