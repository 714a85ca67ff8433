"""The card that leads to an assignment: what its points and minutes are said to be."""

from types import SimpleNamespace

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


def test_a_page_is_read_again_when_a_task_has_changed():
    from headway_book.assignment import note_tasks

    noted = []
    note_tasks(SimpleNamespace(note_dependency=noted.append))
    assert any(name.endswith("chapters/one_hot/lookup.py") for name in noted)
