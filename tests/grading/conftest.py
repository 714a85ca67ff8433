"""A class that was graded once, for tests of what is around the grading."""

import pytest

from headway.commands.grade import grade
from tests.grading.classroom import hand_in
from tests.grading.stand_in import StandIn


@pytest.fixture(scope="module")
def remembered():
    """Results that are made once and given again."""
    pool = StandIn()
    yield pool
    pool.close()


@pytest.fixture
def pool(remembered, monkeypatch):
    """`remembered` in the place of workers, as if new."""
    monkeypatch.setattr("headway.grading.workers.pool.open_pool", remembered.opened)
    monkeypatch.setattr(remembered, "before", lambda student: None)
    monkeypatch.setattr(remembered, "change", lambda student, result: result)
    remembered.asked.clear()
    return remembered


@pytest.fixture(scope="module")
def graded(remembered, tmp_path_factory):
    """A course folder with a solved and an untouched notebook, graded."""
    course = tmp_path_factory.mktemp("graded") / "course"
    hand_in(course, "ann")
    hand_in(course, "bob", "release")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("headway.grading.workers.pool.open_pool", remembered.opened)
        assert grade("01", course, no_feedback=True) == 0
    return course
