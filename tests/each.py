"""Parameters of tests that go through the table: the chapters, or all assignments.

The capstone is one task of bonus points. So it is excused from what an assignment of a chapter
owes as a whole, and only from that: the five kinds and their 20 points, a dozen wrong
answers over all tasks, and sample students who make three known mistakes or give five right
answers in one notebook. Tests of these go through the chapters; what every task owes, a task of
the capstone owes as well.
"""

import pytest

from headway.chapters import ASSIGNMENTS, CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
each_assignment = pytest.mark.parametrize("chapter", ASSIGNMENTS, ids=lambda chapter: chapter.name)
