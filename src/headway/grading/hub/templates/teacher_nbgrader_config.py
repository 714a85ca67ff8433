"""nbgrader's settings in a teacher's server."""

from pathlib import Path

CLASSROOM = Path(__file__).parents[2]

c = get_config()
c.CourseDirectory.course_id = "headway"
c.CourseDirectory.root = str(CLASSROOM / "course")
c.Exchange.root = str(CLASSROOM / "exchange")
load_subconfig("nbgrader_config.py", path=str(CLASSROOM / "course"))
