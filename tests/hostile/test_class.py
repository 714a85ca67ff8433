"""The hostile class, handed in together with honest submissions and graded in one run."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from headway.commands.grade import grade
from tests.full import FULL
from tests.grading.classroom import CHAPTER
from tests.hostile.programs import alive_below, orphans_kept
from tests.hostile.submissions import CLASS as WHOLE
from tests.hostile.submissions import HONEST, HUNGRY
from tests.hostile.submissions.course import course_folder
from tests.hostile.submissions.submission import POINTS

pytestmark = pytest.mark.jupyter

# Those whom a limit of time or memory stops take more than half of the time of all; the full run
# hands them in, too. `test_hungry.py` holds the limits themselves.
LONG = {one.student for one in HUNGRY} | {"attack-kills", "attack-trickle"}
# What takes long to show meets the walls of `test_feedback.py` and `test_markdown_process.py`,
# and who wants all cores those of `test_pool.py`.
LONG |= {"attack-dense-markup", "attack-dense-code", "attack-neighbors"}
# The same walls are met by others who stay, in another way.
LONG |= {"attack-patches-solved", "attack-leak-named"}
CLASS = {name: one for name, one in WHOLE.items() if FULL or name not in LONG}


def listed() -> set[str]:
    """What stands at home, and what an attack has planted in folders that everyone can write to."""
    places = [*Path.home().iterdir()]
    for folder in ("/tmp", "/var/tmp", "/dev/shm", Path.cwd()):
        places += Path(folder).glob("*hw-class*")
    return {str(place) for place in places if not place.name.startswith(".")}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course folder after the run, and what there was before and after elsewhere."""
    course = course_folder(tmp_path_factory.mktemp("class"), CLASS.values())
    scratch = tmp_path_factory.mktemp("scratch")
    before = listed(), alive_below()
    with pytest.MonkeyPatch.context() as patch, orphans_kept():
        patch.setenv("TMPDIR", str(scratch))
        patch.setattr(tempfile, "tempdir", None)
        assert grade("01", course) == 1, "some are set aside"
        after = listed(), alive_below()
    assert list(scratch.iterdir()) == []
    return course, before, after


@pytest.fixture(scope="module")
def rows(graded) -> dict:
    report = (graded[0] / "report.json").read_text(encoding="utf-8")
    return json.loads(report)["students"]


@dataclass(frozen=True)
class Page:
    """What a page says (all, its outputs, each row of its tables), and what could act in it."""

    text: str
    outputs: list[str]
    rows: list[str]
    active: list[str]


def read(path: Path) -> Page:
    page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    tags = page.find_all()
    active = [t for t in tags if t.name == "script" or any(a[:2] == "on" for a in t.attrs)]
    active += [t for t in tags if t.name == "img" and t.get("src") == "x"]
    return Page(
        page.get_text(" "),
        [box.get_text() for box in page.find_all("div", "output_area")],
        [row.get_text(" ") for row in page.find_all("tr")],
        [str(tag) for tag in active],
    )


@pytest.fixture(scope="module")
def pages(graded) -> dict[Path, Page]:
    """The report and all pages that the run made, by their places in the course folder."""
    course = graded[0]
    paths = [*course.glob("*.html"), *(course / "reports").rglob("*.html")]
    paths += (course / "feedback").rglob("*.html")
    return {path.relative_to(course): read(path) for path in paths}


def said_of(pages: dict[Path, Page], student: str, row: dict) -> str:
    """All words that the report and the student's page say."""
    said = [row["reason"] or "", *(task["reason"] or "" for task in row["tasks"].values())]
    said += [words for words in pages[Path("report.html")].rows if student in words]
    if row["status"] == "graded":
        page = pages[Path("feedback", student, CHAPTER.name, f"{CHAPTER.name}.html")]
        said += [page.text, *page.outputs]
    return " ".join(" ".join(said).split())


def test_everyone_gets_what_was_written_down(rows):
    assert set(rows) == set(CLASS)
    wrong = {}
    for student, submission in CLASS.items():
        row = rows[student]
        got = {key.partition("/")[2]: task["score"] for key, task in row["tasks"].items()}
        wanted = POINTS | (submission.tasks or {}) if submission.status == "graded" else {}
        if (row["status"], row["score"], got) != (submission.status, submission.score, wanted):
            lost = {key: got.get(key) for key in wanted if got.get(key) != wanted[key]}
            wrong[student] = row["status"], row["score"], lost, row["reason"]
    assert not wrong


def test_the_reason_is_said_in_words_and_secrets_are_not(graded, pages, rows):
    wrong = {}
    for student, submission in CLASS.items():
        row, said = rows[student], said_of(pages, student, rows[student])
        if row["status"] == "graded":
            # The code of a cell stands in the page, too; what matters is what came of it.
            notebook = graded[0] / "autograded" / student / CHAPTER.notebook
            cells = nbformat.read(notebook, as_version=4).cells
            outputs = json.dumps([cell.get("outputs") for cell in cells], ensure_ascii=False)
        else:
            outputs = ""
        reasons = json.dumps(row, ensure_ascii=False)
        missing = [word for word in submission.words if word not in said + outputs]
        secrets = [word for word in submission.never if word in outputs + reasons]
        if missing or secrets:
            wrong[student] = missing, secrets
        if row["status"] != "graded":
            assert row["reason"], student
    assert not wrong


def test_the_honest_get_what_they_get_alone(rows, tmp_path):
    course = course_folder(tmp_path, HONEST)
    assert grade("01", course) == 0
    alone = json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]
    for student, row in alone.items():
        assert {**row, "seconds": 0} == {**rows[student], "seconds": 0}


def test_nothing_is_alive_and_nothing_is_written_elsewhere(graded):
    course, (files, processes), (files_after, processes_after) = graded
    assert not processes_after - processes
    assert not files_after - files
    assert not list(course.rglob("*hw-class*"))


def test_what_a_browser_would_run_is_handed_on_to_nobody(graded):
    found = {path.relative_to(graded[0]).parts[0] for path in graded[0].rglob("hw-page.*")}
    assert found == {"submitted"}


def test_the_next_run_grades_nothing_again(graded):
    course = graded[0]
    journal = course / ".headway" / CHAPTER.name / "journal"
    before = {path: path.stat().st_mtime_ns for path in journal.glob("*.json")}
    again = {}
    assert grade("01", course) == 1
    for path, time in before.items():
        if path.stat().st_mtime_ns != time:
            again[path.stem] = json.loads(path.read_text())["status"]
    assert "graded" not in again.values()


def test_no_script_of_a_student_reaches_a_page(pages):
    assert len(pages) > len(CLASS) / 2
    assert not {path: page.active for path, page in pages.items() if page.active}
    kept = {path.name for path in pages if "attack-markup" in path.parts}
    assert kept == {f"{CHAPTER.name}.html"}
