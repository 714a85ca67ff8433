"""Feedback for Canvas and Moodle: one archive, which they take apart into students' files."""

import zipfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from nbgrader.api import Gradebook

from headway.errors import UserError
from headway.grading.exports.grades import MOST_NAMES, GradesExport, called
from headway.grading.exports.places import Places
from headway.grading.files import write_atomically
from headway.grading.safe_text import listed, visible


class FeedbackExport(GradesExport):
    """Writes the feedback of graded students into an archive: `headway class feedback`."""

    default_name = "feedback.zip"

    def graded_students(self, gradebook: Gradebook) -> list[str]:
        """The students with a grade; what was set aside has none.

        Raises:
            UserError: if nobody has one.
        """
        students = self.chosen_students(gradebook)
        graded = self._graded(gradebook, students)
        if not graded:
            raise UserError("None of these students has a grade, so there is no feedback.")
        return [one.id for one in students if one.id in graded]

    def pack(
        self, gradebook: Gradebook, places: Places, read: Callable[[str, str], str]
    ) -> tuple[int, int]:
        """Write the archive, and log whose feedback has no file in it, and why.

        Args:
            read: called with a student and the file's name in the archive; returns the feedback.

        Returns:
            how many students' feedback is in it, and how many were left out.

        Raises:
            UserError: if nobody's can be.
        """
        graded = self.graded_students(gradebook)
        placed = {one: places.names[one] for one in graded if one in places.names}
        shared = [one for one in graded if places.with_another.get(one) in placed]
        by_reason, with_others = defaultdict(list), []
        for student in self.chosen_students(gradebook):
            if student.id in shared:
                other = visible(places.with_another[student.id])
                with_others.append(f"{called(student)} with {other}")
            elif student.id in graded and student.id not in placed:
                by_reason[places.why(student.id)].append(called(student))
        for reason, names in by_reason.items():
            self.log.warning("Left out, since %s: %s.", reason, listed(names, MOST_NAMES))
        if with_others:
            self.log.warning(
                "One file for the whole group, which %s shows to each of them if it is a group "
                "assignment there: %s.",
                places.platform,
                listed(with_others, MOST_NAMES),
            )
        if not placed:
            raise UserError(
                "Nobody's feedback can be returned this way, so no archive was written."
            )
        files = {name: read(student, name) for student, name in placed.items()}
        path = Path(self.to or self.default_name)
        write_atomically(path, lambda scratch: _write(scratch, files))
        return len(placed), len(graded) - len(placed) - len(shared)


def _write(path: Path, files: Mapping[str, str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted(files.items()):
            archive.writestr(name, text)
