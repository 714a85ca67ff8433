"""A class that was made up once."""

import pytest

from headway.chapters import CHAPTERS
from tests.grading.desk.made_up import make_course

NAMES = [f"student-{n:02d}" for n in range(60)]


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """A course folder of sixty students and three assignments."""
    return make_course(tmp_path_factory.mktemp("made-up"), NAMES, CHAPTERS[:3])
