"""The instructor's way with nbgrader's own tools, on what `headway grade` leaves behind."""

import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from playwright.sync_api import expect

from headway.chapters import CHAPTERS, course_root, hidden_modules
from headway.grading.course import Course
from headway.grading.nbgrader.source import take_in
from tests.grading.classroom import CHAPTER, cell_named, hand_in

pytestmark = [pytest.mark.jupyter, pytest.mark.browser]

NAME = CHAPTERS[0].name
MARKUP = "</script><img src=x onerror=document.title='run'>"


@pytest.mark.full
def test_formgrader_opens_on_the_graded_class(jupyter, page, tmp_path):
    course = tmp_path / "course"
    hand_in(course, "ada")
    hand_in(course, "bob", "release")
    hand_in(course, "cut").write_text("{")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.add_student("ada", first_name="Ada", last_name=MARKUP)
    # In a process of its own: a page is open here, and with it an event loop.
    grade = [sys.executable, "-c", "from headway.cli import main; main()", "grade", "01"]
    done = subprocess.run([*grade, "--course", course], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr  # one is set aside

    server = jupyter([sys.executable, "-m", "jupyter", "lab"], course)

    page.goto(server.url("formgrader/gradebook"))
    row = page.get_by_role("row").filter(has_text=NAME)
    expect(row).to_contain_text("2")
    expect(row).to_contain_text("12 / 20")

    page.goto(f"{server.address}/formgrader/manage_students")
    for student, score in (("ada", "24 / 20"), ("bob", "0 / 20")):
        expect(page.get_by_role("row").filter(has_text=student)).to_contain_text(score)

    page.goto(f"{server.address}/formgrader/manage_submissions/{NAME}")
    expect(page.get_by_role("row").filter(has_text="ada")).to_contain_text("graded")
    expect(page.get_by_role("row").filter(has_text="cut")).to_contain_text("needs autograding")

    page.goto(f"{server.address}/formgrader/gradebook/{NAME}/{NAME}")
    page.get_by_role("row").filter(has_text="24 / 20").get_by_role("link").first.click()
    expect(page.locator("a.name-shown")).to_contain_text(MARKUP)
    assert page.title() == NAME
    expect(page.get_by_text("Passed: The product without the product").first).to_be_visible()
    credit = page.locator("input.extra-credit").last
    expect(credit).to_have_value("4")


def test_the_button_of_the_formgrader_grades_in_the_sandbox(jupyter, page, tmp_path):
    course, outside = tmp_path / "course", tmp_path / "outside"

    def attack(notebook):
        reach = f"import os\nprint('at home in', os.environ['HOME'])\nopen({str(outside)!r}, 'w')"
        notebook.cells.insert(3, new_code_cell(reach))
        # nbgrader's own grading takes the value of the check cell for its points.
        cell_named(notebook, "dot").source = "check = lambda task, answer: 1"

    hand_in(course, "ada")
    hand_in(course, "mallory", "release", attack)
    ours = Course.open(course, NAME, hidden_modules())
    solution = course_root() / "solutions" / CHAPTER.notebook
    take_in(ours.files, ours.gradebook, ours.config, solution)

    server = jupyter([sys.executable, "-m", "jupyter", "lab"], course)
    page.goto(server.url("formgrader/manage_assignments"))
    page.goto(f"{server.address}/formgrader/manage_submissions/{NAME}")
    for student, score in (("ada", "24 / 20"), ("mallory", "0 / 20")):
        row = page.get_by_role("row").filter(has_text=student)
        expect(row).to_contain_text("needs autograding")
        row.locator(".autograde a").click()
        expect(page.locator("#success-modal")).to_contain_text(f"autograded '{NAME}' for student")
        page.locator("#success-modal").get_by_role("button", name="OK").click()
        expect(row).to_contain_text(score)

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        scores = {it.student.id: it.score for it in gradebook.assignment_submissions(NAME)}
    assert scores == {"ada": 24, "mallory": 0}
    for student, score in scores.items():
        graded = nbformat.read(course / "autograded" / student / CHAPTER.notebook, as_version=4)
        judged = graded.metadata.headway.tasks
        assert sum(task.score for task in judged.values()) == score, "as the judge has said"
    assert "at home in /home/student" in graded.cells[3].outputs[0].text
    assert graded.cells[3].outputs[1].ename in ("FileNotFoundError", "OSError")
    assert not outside.exists()
