"""A class from the release to the feedback, in browsers: a teacher, two students, a real hub."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from headway.checkout import course_root
from headway.grading.hub.accounts import STUDENTS, TEACHER, removing_command
from tests.grading.hub.running import PATIENCE, WITH_SERVERS, running

ADDRESS = "http://127.0.0.1:8000"
NAME = "01-one-hot"
COMMENT = "Well drawn: which other x would do?"
PROGRAMS = Path(sys.executable).parent
BOOK = course_root() / "_build" / "html" / "index.html"


pytestmark = WITH_SERVERS


@pytest.fixture(scope="module")
def password(tmp_path_factory):
    """Of all who are in the demonstration, while its hub runs."""
    log = tmp_path_factory.mktemp("hub") / "log"
    command = [PROGRAMS / "headway", "hub", str(room()), "--demo"]
    try:
        with running(command, ADDRESS, log):
            yield re.search(r"Password of all: (\S+)", log.read_text()).group(1)
    finally:
        for name in (TEACHER, *STUDENTS):
            subprocess.run(["pkill", "-KILL", "-u", name], check=False)
        subprocess.run(removing_command(), shell=True, check=False, capture_output=True)
        shutil.rmtree(room(), ignore_errors=True)


@pytest.fixture(scope="module")
def enter(browser, password):
    """Logs somebody in; gives the page with their JupyterLab."""

    def log_in(name: str):
        page = browser.new_context(viewport={"width": 1600, "height": 1000}).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"{ADDRESS}/hub/login")
        page.fill("#username_input", name)
        page.fill("#password_input", password)
        page.click("#login_submit")
        page.wait_for_selector("#jp-MainLogo")
        return page

    return log_in


def open_in_menu(page, entry: str) -> None:
    page.get_by_role("menuitem", name="Nbgrader").first.click()
    page.locator(".lm-Menu-itemLabel", has_text=entry).first.click()


def answer_in_notebook(page, beginning: str, answer: str) -> None:
    """Type over the cell that begins so, run it and the check behind it."""
    cell = page.locator(".jp-CodeCell", has_text=re.compile(rf"^\s*(\[.*\]:)?\s*{beginning}"))
    notebook = page.locator(".jp-Notebook:visible").first
    notebook.hover()
    while not cell.count():
        page.mouse.wheel(0, 400)
        page.wait_for_timeout(200)
    cell.first.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(answer)
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")


def press_submit(page) -> None:
    """Hand in by the list of assignments, and wait until the exchange has it."""
    before = set(inbound().iterdir())
    if not page.get_by_role("button", name="Submit").count():
        open_in_menu(page, "Assignment List")
    page.get_by_role("button", name="Submit").click()
    wait_for(lambda: set(inbound().iterdir()) != before)


def fetch(page) -> None:
    """Fetch the assignment by the list of assignments."""
    open_in_menu(page, "Assignment List")
    page.get_by_role("button", name="Fetch").click()
    page.get_by_role("button", name="Submit").wait_for()


def wait_for(found: Callable):
    """What a call gives once it gives something."""
    end = time.monotonic() + PATIENCE
    while not (result := found()):
        assert time.monotonic() < end
        time.sleep(0.2)
    return result


def room() -> Path:
    return Path("/srv") / f"headway-test-{os.getpid()}"


def inbound() -> Path:
    return room() / "exchange" / "headway" / "inbound"


def home_of(student: str) -> Path:
    return Path("/home") / student / NAME


def put_solution(student: str) -> None:
    shutil.copy(course_root() / "solutions" / NAME / f"{NAME}.ipynb", home_of(student))


def by_teacher(command: str) -> str:
    """What a command prints that the teacher gives in a terminal of the course folder."""
    programs = f"JUPYTER_CONFIG_PATH={room()}/settings/teacher PATH={PROGRAMS}:$PATH"
    return as_account(TEACHER, f"cd {room() / 'course'} && {programs} {command}")


def formgrader(page):
    open_in_menu(page, "Formgrader")
    return page.frame_locator("iframe[src*=formgrader]")


def row_of(frame, text: str):
    return frame.locator("tr", has=frame.get_by_text(text, exact=True))


def confirm(frame, says: str) -> None:
    """Read what a button of the formgrader came to, and close it."""
    box = frame.locator("#success-modal")
    box.get_by_text(says).first.wait_for()
    box.get_by_role("button", name="OK").click()
    box.wait_for(state="hidden")


def submission_of(student: str):
    """A student's entry in the gradebook: score, seconds late, comments."""
    with Gradebook(f"sqlite:///{room() / 'course' / 'gradebook.db'}") as gradebook:
        found = gradebook.find_submission(NAME, student)
        comments = [one.comment for one in found.notebooks[0].comments if one.comment]
        return found.score, found.total_seconds_late, comments


def as_account(name: str, command: str) -> str:
    """What a shell of an account prints."""
    done = subprocess.run(
        ["runuser", "-u", name, "--", "sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    return done.stdout + done.stderr


@pytest.mark.skipif(not BOOK.is_file(), reason="the book is not built")
def test_the_book_is_there_for_everyone(password):
    page = urllib.request.urlopen(f"{ADDRESS}/services/book/book/index.html", timeout=PATIENCE)
    assert "Headway" in page.read().decode()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{ADDRESS}/services/book/../../../pyproject.toml", timeout=PATIENCE)


def test_a_student_fetches_works_two_tasks_and_hands_in(enter):
    page = enter(STUDENTS[0])
    fetch(page)
    page.goto(f"{ADDRESS}/user/{STUDENTS[0]}/lab/tree/{NAME}/{NAME}.ipynb")
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    page.locator(".jp-CodeCell", has_text="from headway.tasks.check").first.click()
    page.keyboard.press("Shift+Enter")
    answer_in_notebook(page, r"dot = \(", "dot = (2 * 5 + 4 * -1) / 3")
    page.locator(".hw-card.hw-passed", has_text="A right angle by hand").first.wait_for()
    answer_in_notebook(
        page, r"mixture = \(", "mixture = [0.25 * 4 + 0.75 * -2, 0.25 * 0 + 0.75 * 3]"
    )
    page.locator(".hw-card.hw-passed", has_text="A mixture times a matrix").first.wait_for()
    page.get_by_role("button", name="Validate").click()
    verdict = page.locator(".jp-Dialog")
    verdict.get_by_text("failed").first.wait_for()
    assert "NotImplementedError" not in verdict.inner_text()
    page.keyboard.press("Escape")
    press_submit(page)


def test_a_student_sees_neither_the_course_nor_what_others_handed_in(enter):
    other = STUDENTS[1]
    for place in ("course", "state", "exchange/headway/inbound"):
        assert "Permission denied" in as_account(other, f"ls {room() / place}")
    page = enter(other)
    page.get_by_role("menuitem", name="Nbgrader").first.click()
    assert page.locator(".lm-Menu-itemLabel", has_text="Formgrader").count() == 0


def test_a_student_cannot_hand_in_for_another_nor_by_a_link(enter):
    other = STUDENTS[1]
    for_ada = inbound() / f"{STUDENTS[0]}+{NAME}+2020-01-01 00:00:00 UTC+x"
    linked = inbound() / f"{other}+{NAME}+2020-01-02 00:00:00 UTC+y"
    solution = room() / "course" / "source" / NAME / f"{NAME}.ipynb"
    as_account(other, f"mkdir '{for_ada}' && echo '{{}}' > '{for_ada}/{NAME}.ipynb'")
    as_account(other, f"mkdir '{linked}' && ln -s {solution} '{linked}/{NAME}.ipynb'")
    assert for_ada.exists()
    assert linked.exists()


def test_the_teacher_collects_nothing_of_what_was_planted(enter):
    frame = formgrader(enter(TEACHER))
    row_of(frame, NAME).locator(".collect a").click()
    confirm(frame, "Successfully")
    submitted = room() / "course" / "submitted"
    assert not (submitted / STUDENTS[1] / NAME / f"{NAME}.ipynb").is_symlink()
    handed_in = (submitted / STUDENTS[0] / NAME / f"{NAME}.ipynb").read_text()
    assert "mixture = [0.25" in handed_in, "the notebook of nobody else"


def test_the_other_one_has_an_extension_and_the_first_hands_in_again_and_late(enter):
    by_teacher("headway class due 01 '2026-01-31 23:59 UTC' --course .")
    by_teacher(f"nbgrader db student add {STUDENTS[1]}")
    said = by_teacher(f"headway class due 01 '2100-01-31 23:59 UTC' --course . --for {STUDENTS[1]}")
    assert "2100" in said, said
    put_solution(STUDENTS[0])
    press_submit(enter(STUDENTS[0]))
    page = enter(STUDENTS[1])
    fetch(page)
    put_solution(STUDENTS[1])
    press_submit(page)


def test_the_teacher_collects_and_grades_by_button_and_by_command(enter):
    frame = formgrader(enter(TEACHER))
    row_of(frame, NAME).locator(".collect a").click()
    confirm(frame, "Successfully")
    row_of(frame, NAME).locator(".num-submissions a").click()
    row_of(frame, STUDENTS[0]).locator(".autograde a").click()
    confirm(frame, f"autograded '{NAME}'")
    score, late, _ = submission_of(STUDENTS[0])
    assert score == 24
    assert late > 0
    said = by_teacher("headway grade 01 --course .")
    assert re.search(rf"{STUDENTS[1]}\s+graded\s+24 of 20", said), said
    assert submission_of(STUDENTS[1])[:2] == (24, 0), "the extension counts"


def test_the_teacher_comments_and_returns(enter):
    page = enter(TEACHER)
    frame = formgrader(page)
    row_of(frame, NAME).locator(".num-submissions a").click()
    row_of(frame, STUDENTS[0]).locator(".student-name a").click()
    frame.get_by_role("link", name=NAME).first.click()
    comment = frame.locator("textarea.comment").first
    comment.scroll_into_view_if_needed()
    comment.fill(COMMENT)
    comment.blur()
    wait_for(lambda: COMMENT in submission_of(STUDENTS[0])[2])
    by_teacher("headway grade 01 --course .")
    frame = formgrader(enter(TEACHER))
    row_of(frame, NAME).locator(".release-feedback a").click()
    confirm(frame, "feedback")


def test_the_student_reads_the_feedback(enter):
    page = enter(STUDENTS[0])
    open_in_menu(page, "Assignment List")
    page.get_by_role("button", name="Fetch Feedback").first.click()
    pages = wait_for(lambda: list(home_of(STUDENTS[0]).glob(f"feedback/*/{NAME}.html")))
    page.goto(f"{ADDRESS}/user/{STUDENTS[0]}/files/{pages[0].relative_to(pages[0].parents[3])}")
    page.get_by_text(COMMENT).first.wait_for()
    assert "24" in page.content()
