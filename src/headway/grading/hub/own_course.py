"""Make a teacher's folders where no `headway hub` does.

On a cluster, a teacher's server calls `python -m headway.grading.hub.own_course` before it starts.
"""

import os
import pwd
from pathlib import Path

from headway.grading.hub.classroom import Account, make_course, make_exchange
from headway.grading.hub.settings import CLASSROOM, COURSE, EXCHANGE


def main() -> None:
    """Make the course folder at home and the exchange, unless they are there."""
    me = pwd.getpwuid(os.getuid())
    teacher = Account(me.pw_name, me.pw_uid, me.pw_gid)
    make_course(Path.home() / COURSE, teacher)
    make_exchange(CLASSROOM / EXCHANGE, teacher)


if __name__ == "__main__":
    main()
