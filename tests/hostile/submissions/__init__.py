"""The hostile class: every row of what a grading run must survive, as submissions to hand in.

python -m tests.hostile.submissions FOLDER
"""

from tests.hostile.submissions.attacks import ATTACKS
from tests.hostile.submissions.broken import BROKEN, NAMES
from tests.hostile.submissions.honest import HONEST
from tests.hostile.submissions.hostile import HOSTILE
from tests.hostile.submissions.hungry import HUNGRY, SLOW

CLASS = {one.student: one for one in (*HONEST, *BROKEN, *NAMES, *HUNGRY, *HOSTILE, *ATTACKS)}

__all__ = ["ATTACKS", "BROKEN", "CLASS", "HONEST", "HOSTILE", "HUNGRY", "NAMES", "SLOW"]
