"""Through nbgrader's exchange and back: feedback for whoever renamed the notebook."""

import shutil
from pathlib import Path

import pytest
from nbgrader.auth import Authenticator
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import (
    ExchangeCollect,
    ExchangeFetchAssignment,
    ExchangeFetchFeedback,
    ExchangeReleaseAssignment,
    ExchangeReleaseFeedback,
    ExchangeSubmit,
)
from nbgrader.utils import get_username
from traitlets.config import Config

from headway.chapters import course_root
from headway.grading.nbgrader.convert import convert
from headway.grading.settings import configure
from tests.grading.classroom import CHAPTER

NAME = CHAPTER.name
MINE = "my homework (1)"

pytestmark = pytest.mark.jupyter


@pytest.fixture
def classroom(tmp_path, monkeypatch):
    """An instructor's folder, a student's, and the exchange between them."""
    config = Config()
    configure(config, {})
    config.CourseDirectory.course_id = "transformer"
    config.Exchange.root = str(tmp_path / "exchange")
    config.Exchange.cache = str(tmp_path / "cache")
    folders = {name: tmp_path / name for name in ("instructor", "student")}
    for folder in (*folders.values(), tmp_path / "exchange"):
        folder.mkdir()
    (tmp_path / "exchange").chmod(0o777)
    shutil.copytree(course_root() / "solutions" / NAME, folders["instructor"] / "source" / NAME)

    def run(verb: type, who: str) -> Path:
        """Let nbgrader do something in somebody's folder, which it gives."""
        monkeypatch.chdir(folders[who])
        course = CourseDirectory(config=config, root=str(folders[who]), assignment_id=NAME)
        if verb in (GenerateAssignment, Autograde, GenerateFeedback):
            convert(verb, course, config)
        else:
            verb(coursedir=course, authenticator=Authenticator(), config=config).start()
        return folders[who]

    return run


@pytest.mark.parametrize(
    "by", ["headway grade", pytest.param("nbgrader autograde", marks=pytest.mark.full)]
)
def test_a_renamed_notebook_gets_its_feedback_through_the_exchange(classroom, headway, by):
    instructor = classroom(GenerateAssignment, "instructor")
    classroom(ExchangeReleaseAssignment, "instructor")
    student = classroom(ExchangeFetchAssignment, "student")
    (student / NAME / f"{NAME}.ipynb").rename(student / NAME / f"{MINE}.ipynb")
    classroom(ExchangeSubmit, "student")
    classroom(ExchangeCollect, "instructor")
    if by == "headway grade":
        assert headway("grade", "01", "--course", instructor).code == 0
    else:
        classroom(Autograde, "instructor")
        classroom(GenerateFeedback, "instructor")
    pages = sorted((instructor / "feedback" / get_username() / NAME).glob("*.html"))
    assert [page.stem for page in pages] == [NAME, MINE]
    classroom(ExchangeReleaseFeedback, "instructor")
    classroom(ExchangeFetchFeedback, "student")
    (fetched,) = (student / NAME / "feedback").glob("*/*.html")
    assert fetched.stem == MINE
    assert fetched.read_bytes() == pages[0].read_bytes()
    assert "The product without the product" in fetched.read_text(encoding="utf-8")
