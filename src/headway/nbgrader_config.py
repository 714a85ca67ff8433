"""What headway writes into an `nbgrader_config.py`: a course folder's, or a work folder's.

nbgrader executes the file. So the lines of a course folder's fetch the table of chapters, which
grading itself doesn't know, and hand it down.
"""

COURSE_LINES = """from headway.chapters import hidden_modules
from headway.grading.settings import configure

c = get_config()
configure(c, hidden_modules())
"""
COURSE_CONFIG = f'''"""The settings of this course folder, for headway and for nbgrader.

Written by headway, and yours to change. Keep the lines below: with them, nbgrader runs submissions
in the sandbox, too.
"""

{COURSE_LINES}# What a submission may use while it is graded:
# c.Allowance.cell_seconds = 120
# c.Allowance.submission_seconds = 300
# c.Allowance.memory_mb = 1600
'''

WORK_CONFIG = '''"""nbgrader's settings for this folder: what `nbgrader validate` needs."""

from headway.grading.settings import configure

configure(get_config(), {})
'''
