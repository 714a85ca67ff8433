"""Grades for Canvas and Moodle: `headway class export`, and nbgrader's own command.

    headway class export canvas --course DIR --gradebook THEIRS.csv
    nbgrader export --exporter headway.grading.exports.MoodleExport --to moodle.csv

The exported score includes the bonus, less the late penalty. A student without a grade has an empty
field, never a zero: nothing was handed in, or the submission was set aside according to
`reports/ASSIGNMENT.json`, whatever an earlier run left in the gradebook.

A spreadsheet would read a name that begins with = + - or @ as a formula, so such names get an
apostrophe in front. Ids, logins and email addresses must not change, since the platforms find
students by them. If one begins like a formula, its field is left empty and the log names the
student. Import the file as it is: opening and saving it in a spreadsheet removes leading zeros
from ids.
"""

from headway.grading.exports.canvas import CanvasExport
from headway.grading.exports.grades import GradesExport, number, protected
from headway.grading.exports.moodle import MoodleExport

__all__ = ["CanvasExport", "GradesExport", "MoodleExport", "number", "protected"]
