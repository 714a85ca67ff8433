"""The instructor's way with nbgrader's own tools, on what `headway grade` leaves behind."""

import sys

import pytest
from playwright.sync_api import expect

from headway.chapters import CHAPTERS
from tests.grading.classroom import hand_in

pytestmark = [pytest.mark.jupyter, pytest.mark.browser]

NAME = CHAPTERS[0].name


def test_formgrader_opens_on_the_graded_class(jupyter, run_headway, page, tmp_path):
    course = tmp_path / "course"
    hand_in(course, "ada")
    hand_in(course, "bob", "exercises")
    hand_in(course, "cut").write_text("{")
    run_headway("grade", "01", "--course", course)

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
    expect(page.get_by_text("Passed: The product without the product").first).to_be_visible()
    credit = page.locator("input.extra-credit").last
    expect(credit).to_have_value("4")
