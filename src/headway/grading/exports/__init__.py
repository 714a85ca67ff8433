"""Grades for Canvas and Moodle: `headway class export`, and nbgrader's own command.

    headway class export canvas --course DIR --gradebook THEIRS.csv
    nbgrader export --exporter headway.grading.exports.MoodleExport --to moodle.csv

A score is the one that counts: with the bonus, less the penalty for being late. Who has no grade
has an empty field, never a zero: nothing was handed in, or the submission was set aside
(`reports/ASSIGNMENT.json` says so), whatever an earlier run left in the gradebook.

Names are protected from spreadsheets, which would read one that begins with = + - or @ as a
formula: they get an apostrophe in front. Ids, logins and addresses of mail are what the
platforms find a student by, so no character of them changes; the field of one that begins so is
left empty, and the log names the student. Import the file as it is: a spreadsheet that
opens and saves it takes leading zeros from ids.
"""

from headway.grading.exports.canvas import CanvasExport
from headway.grading.exports.grades import GradesExport, number, protected
from headway.grading.exports.moodle import MoodleExport

__all__ = ["CanvasExport", "GradesExport", "MoodleExport", "number", "protected"]
