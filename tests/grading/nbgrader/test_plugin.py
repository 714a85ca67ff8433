"""nbgrader's own commands grade in the sandbox, and an instructor's own cells count as there."""

import copy
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
from contextlib import closing
from pathlib import Path

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from headway.chapters import course_root
from headway.grading.nbgrader import plugin
from headway.grading.nbgrader.convert import convert
from headway.grading.settings import STUB, configure
from headway.grading.workers.shared_slot import SharedSlot
from headway.nbgrader_config import COURSE_CONFIG
from tests.grading.classroom import CHAPTER, cell_named, gradebook_of, hand_in

NAME = CHAPTER.name
FORGED = """
import builtins, sys
from IPython.display import display
def check(task, answer):
    verdict = {"task": task, "status": "passed", "score": 9}
    display({"application/vnd.headway.check+json": verdict}, raw=True)
builtins.check = sys.modules["__main__"].check = check
import headway.tasks.check
headway.tasks.check.check = check
"""

# nbgrader's pattern of a path ends at the first, a terminal obeys the second, a browser the third,
# and the last means everybody.
ODD_NAMES = ("a\nb", "\x1b[31mred", "<b>", "*")

pytestmark = pytest.mark.jupyter


def nbgrader(folder: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess:
    path = path or os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def scores_of(folder: Path, assignment: str) -> dict[str, dict[str, tuple]]:
    """For each student and graded cell: score, extra credit, whether a person must look."""
    query = """
        select s.student_id, b.name, g.auto_score, g.extra_credit, g.needs_manual_grade
        from submitted_assignment s join assignment a on s.assignment_id = a.id
        join submitted_notebook n on n.assignment_id = s.id join grade g on g.notebook_id = n.id
        join base_cell b on b.id = g.cell_id where a.name = ?"""
    found = {}
    with closing(sqlite3.connect(folder / "gradebook.db")) as database:
        for student, name, score, extra, manual in database.execute(query, [assignment]):
            found.setdefault(student, {})[name] = (score, extra or 0, manual)
    return found


def forge(notebook):
    for name in ("dot", "lookup", "matmul", "one-hot", "vocabulary", "encoder"):
        cell_named(notebook, name).source = "def dot(*_): return 0"
    notebook.cells.insert(3, new_code_cell(FORGED))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with our configuration, ready for `nbgrader autograde`."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(course_root() / "solutions" / NAME, course / "source" / NAME)
    (course / "nbgrader_config.py").write_text(COURSE_CONFIG)
    hand_in(course, "ada")
    hand_in(course, "o'bob", "release")
    hand_in(course, "cut").write_text("{")
    for name in ODD_NAMES:
        hand_in(course, name)
    hand_in(course, "eve", "release", forge)
    assert nbgrader(course, "generate_assignment", NAME).returncode == 0
    return course


def test_before_the_first_run_nothing_is_begun(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text(COURSE_CONFIG)
    hand_in(tmp_path, "ada")
    with gradebook_of(tmp_path) as book:
        book.add_assignment(NAME)
    done = nbgrader(tmp_path, "autograde", NAME)
    assert done.returncode != 0
    assert "Run headway grade 01 first." in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not list(tmp_path.glob("autograded/*"))
    with gradebook_of(tmp_path) as book:
        assert (book.students, book.find_assignment(NAME).submissions) == ([], [])


def test_without_bubblewrap_nothing_is_run(course, tmp_path):
    for name in ("alembic", "python"):
        (tmp_path / name).symlink_to(Path(sysconfig.get_path("scripts")) / name)
    done = nbgrader(course, "autograde", NAME, "--student", "ada", path=str(tmp_path))
    assert done.returncode != 0
    assert "There is no bubblewrap on this system" in done.stdout + done.stderr
    assert not (course / "autograded" / "ada" / NAME / f"{NAME}.ipynb").exists()
    assert all(score in (None, 0) for score, *_ in scores_of(course, NAME).get("ada", {}).values())


def test_autograde_gives_what_headway_grade_gives(course, headway, tmp_path):
    done = nbgrader(course, "autograde", NAME)
    assert done.returncode != 0, "one could not be graded"
    said = done.stdout + done.stderr
    assert "its text is not JSON" in said
    for name in ODD_NAMES:
        assert f"The folder's name {name!r} is no student's name" in said
        assert name.isprintable() or name not in said
        assert not (course / "autograded" / name).exists()
    scores = scores_of(course, NAME)
    assert all(score == extra == 0 for score, extra, _ in scores["eve"].values())
    shutil.copytree(course / "submitted", tmp_path / "submitted")
    assert headway("grade", "01", "--course", tmp_path, "--no-feedback").code == 1
    ours = scores_of(tmp_path, NAME)
    for student in ("ada", "o'bob", "eve"):
        assert scores[student] == ours[student]
    assert sum(score + extra for score, extra, _ in scores["ada"].values()) == 24
    assert not (course / "autograded" / "cut" / NAME / f"{NAME}.ipynb").exists()
    rows = json.loads((tmp_path / "report.json").read_text())["students"]
    assert {rows[name]["status"] for name in ("cut", *ODD_NAMES)} == {"set-aside"}


# --- an instructor's own assignment ---------------------------------------------------------------

OWN = "77-own"


def marked(cell, name: str, **marks):
    marks = {"grade": False, "solution": False, "locked": False, "task": False} | marks
    cell.metadata["nbgrader"] = {"grade_id": name, "schema_version": 3, **marks}
    cell.id = name
    return cell


def test_cell(name: str, points: float, source: str):
    return marked(new_code_cell(source), name, grade=True, locked=True, points=points)


test_cell.__test__ = False

SOURCE = new_notebook(
    metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    cells=[
        marked(
            new_code_cell(
                "def square(x):\n    ### BEGIN SOLUTION\n    return x * x\n    ### END SOLUTION"
            ),
            "square",
            solution=True,
        ),
        test_cell(
            "plain",
            2,
            "assert square(2) == 4\n### BEGIN HIDDEN TESTS\nassert square(3) == 9\n"
            "### END HIDDEN TESTS",
        ),
        test_cell("partial", 3, "3 if square(5) == 25 else 1.5"),
        test_cell("warned", 1, "import sys\nprint('old', file=sys.stderr)\nassert square(1) == 1"),
        marked(new_markdown_cell("Why?"), "why", grade=True, solution=True, points=4),
        marked(new_code_cell("# Draw."), "draw", grade=True, solution=True, points=2),
    ],
)
ANSWERS = {
    "right": "def square(x):\n    return x ** 2",
    "visible": "def square(x):\n    return 4",
    "broken": "def square(x) return",
    "none": None,
}


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """The same submissions graded by stock nbgrader and by ours; the folders of both."""
    folders = {}
    for kind in ("stock", "ours"):
        folder = folders[kind] = tmp_path_factory.mktemp(kind)
        config = Config()
        config.ClearSolutions.code_stub = {"python": STUB}
        if kind == "ours":
            configure(config, {})
        (folder / "source" / OWN).mkdir(parents=True)
        nbformat.write(SOURCE, folder / "source" / OWN / f"{OWN}.ipynb")
        directory = CourseDirectory(config=config, root=str(folder), assignment_id=OWN)
        convert(GenerateAssignment, directory, config)
        released = nbformat.read(folder / "release" / OWN / f"{OWN}.ipynb", as_version=4)
        assert "HIDDEN" not in json.dumps(released)
        for student, answer in ANSWERS.items():
            notebook = copy.deepcopy(released)
            place = folder / "submitted" / student / OWN
            place.mkdir(parents=True)
            if answer:
                cell_named(notebook, "square").source = answer
                cell_named(notebook, "why").source = f"Because {student}."
            nbformat.write(notebook, place / f"{OWN}.ipynb")
        convert(Autograde, directory, config)
    return folders


@pytest.mark.full
def test_own_cells_score_as_with_stock_nbgrader_but_for_warnings(own):
    stock, ours = scores_of(own["stock"], OWN), scores_of(own["ours"], OWN)
    assert {n: g["warned"][0] for n, g in stock.items()} == dict.fromkeys(ANSWERS, 0)
    assert ours["right"]["warned"][0] == 1
    for grades in (*stock.values(), *ours.values()):
        grades.pop("warned")
    assert ours == stock
    assert ours["right"]["plain"][0] == 2
    assert ours["right"]["partial"][0] == 3
    assert ours["visible"]["plain"][0] == 0, "the hidden test was there"
    assert ours["visible"]["partial"][0] == 1.5
    assert ours["right"]["why"] == (None, 0, 1), "a person has to look"


@pytest.mark.full
def test_own_cells_are_marked_as_decided_beside_the_student_s_code(own):
    path = own["ours"] / "autograded" / "right" / OWN / f"{OWN}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert set(notebook.metadata.headway.own) >= {"plain", "partial", "warned"}
    assert notebook.metadata.headway.tasks == {}


@pytest.mark.full
def test_however_often_the_button_is_clicked_one_worker_is_there_and_none_at_the_end(
    own, monkeypatch
):
    slot = SharedSlot()
    monkeypatch.setattr(plugin, "grade_in_shared_slot", slot.grade)
    config = Config()
    configure(config, {})
    directory = CourseDirectory(
        config=config, root=str(own["ours"]), assignment_id=OWN, student_id="broken"
    )
    me = psutil.Process()
    before = set(me.children(recursive=True))
    clicks = []
    for _ in range(3):  # each makes all anew, as the formgrader does
        convert(Autograde, directory, config)
        clicks.append(set(me.children(recursive=True)) - before)
    assert clicks[0]
    assert clicks[0] == clicks[1] == clicks[2]
    slot.close()
    _, alive = psutil.wait_procs(clicks[0], timeout=60)
    assert not alive
