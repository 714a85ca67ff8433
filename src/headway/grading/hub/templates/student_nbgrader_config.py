"""nbgrader's settings in a student's server."""

from pathlib import Path

from headway.grading.settings import configure

c = get_config()
configure(c, {})  # for nbgrader validate
c.CourseDirectory.course_id = "headway"
c.Exchange.root = str(Path(__file__).parents[2] / "exchange")
