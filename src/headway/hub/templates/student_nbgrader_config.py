"""nbgrader's settings in a student's server."""

from pathlib import Path

from headway.grading.settings import configure
from headway.hub import ngshare

c = get_config()
configure(c, {})  # for nbgrader validate
c.CourseDirectory.course_id = "headway"
c.Exchange.root = str(Path(__file__).parents[2] / "exchange")
ngshare.configure(c)
