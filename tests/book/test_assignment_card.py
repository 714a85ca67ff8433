"""The card that leads to an assignment: what its points and minutes are said to be."""

import pytest

from headway.chapters import CAPSTONE, CHAPTERS
from headway.tasks.engine.find import tasks_of


@pytest.mark.parametrize(
    ("chapter", "begins"),
    [(CHAPTERS[0], "20 points, about "), (CAPSTONE, "10 bonus points, about an hour and a half.")],
)
def test_points_that_there_are_come_first(chapter, begins):
    from headway_book.assignment import card_lines

    first, *_ = card_lines(chapter, tasks_of(chapter.name), [])
    assert first.startswith(begins)
    assert ("bonus points, about" in first) == any(t.bonus for t in tasks_of(chapter.name))
    assert first.endswith(" more.") == (chapter is not CAPSTONE)
