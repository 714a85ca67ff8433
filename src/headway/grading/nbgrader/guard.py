"""Keep nbgrader from running this course's submissions outside of the sandbox.

`etc/jupyter/nbgrader_config.json`, which the package installs into its environment, names this
exporter for `nbgrader autograde` and for the formgrader's button. A course folder's own settings
replace it by the sandbox. Where they don't, because there are none, or they could not be read, or
nbgrader was started with others, it refuses to grade assignments of this course.

Other courses in the same environment are graded as ever.
"""

import re

from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook, SourceCell
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory

USES_HEADWAY = re.compile(r"^\s*(from|import) +headway\b", re.M)


class GuardedExporter(NotebookExporter):
    """For `Autograde.exporter_class` of an environment."""

    def __init__(self, config=None, **kw):
        super().__init__(config=config, **kw)
        if isinstance(self.parent, Autograde) and holds_this_course(self.parent.coursedir):
            message = (
                "Nothing was graded: nbgrader_config.py of the course folder "
                f"{self.parent.coursedir.root} was not read or lacks the course's settings, so "
                "submissions would run with your rights instead of in the sandbox. In that folder, "
                "`headway class` puts the settings in, and `headway doctor` says what is wrong."
            )
            self.log.error(message)
            raise NbGraderException(message)


def holds_this_course(course: CourseDirectory) -> bool:
    """Whether an assignment in the gradebook has a cell, not a student's, that uses headway."""
    with Gradebook(course.db_url, course.course_id) as gradebook:
        cells = gradebook.db.query(SourceCell.source).filter(SourceCell.source.contains("headway"))
        return any(USES_HEADWAY.search(source) for (source,) in cells)
