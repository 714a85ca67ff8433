"""A class from the release to the feedback, in browsers: a teacher, two students, a real hub."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from headway.chapters import built_book, course_root
from headway.errors import UserError
from headway.hub.accounts import STUDENTS, TEACHER, removing_command
from headway.hub.classroom import require_reachable

ADDRESS = "http://127.0.0.1:8000"
PATIENCE = 240  # seconds, on a busy machine; nothing takes so long where all is well
NAME = "01-one-hot"


def why_not() -> str:
    """Why no hub can run here; empty if one can."""
    if os.getuid() != 0:
        return "only root can start servers as other accounts"
    if not shutil.which("useradd") or not shutil.which("npm"):
        return "there is no useradd or no npm here"
    try:
        require_reachable(Path("/srv"))
    except UserError as error:
        return str(error)
    return ""


pytestmark = [
    pytest.mark.full,
    pytest.mark.browser,
    pytest.mark.jupyter,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
]


@pytest.fixture(scope="module")
def password(tmp_path_factory):
    """Of all who are in the demonstration, while its hub runs."""
    room = Path("/srv") / f"headway-test-{os.getpid()}"
    log = tmp_path_factory.mktemp("hub") / "log"
    command = [Path(sys.executable).with_name("headway"), "hub", str(room), "--demo"]
    with log.open("w") as file:
        hub = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
    try:
        end = time.monotonic() + PATIENCE
        while not answers():
            assert hub.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.5)
        yield re.search(r"Password of all: (\S+)", log.read_text()).group(1)
    finally:
        hub.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            hub.wait(60)
        for name in (TEACHER, *STUDENTS):
            subprocess.run(["pkill", "-KILL", "-u", name], check=False)
        subprocess.run(removing_command(), shell=True, check=False, capture_output=True)
        shutil.rmtree(room, ignore_errors=True)


def answers() -> bool:
    try:
        return urllib.request.urlopen(f"{ADDRESS}/hub/login", timeout=5).status == 200
    except OSError:
        return False


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


@pytest.mark.skipif(built_book() is None, reason="the book is not built")
def test_the_book_is_there_for_everyone(password):
    page = urllib.request.urlopen(f"{ADDRESS}/services/book/book/index.html", timeout=PATIENCE)
    assert "Headway" in page.read().decode()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{ADDRESS}/services/book/../../../pyproject.toml", timeout=PATIENCE)


def test_a_student_fetches_works_and_hands_in(enter):
    page = enter(STUDENTS[0])
    open_in_menu(page, "Assignment List")
    page.get_by_role("button", name="Fetch").click()
    submit = page.get_by_role("button", name="Submit")
    submit.wait_for()
    home = Path(f"/home/{STUDENTS[0]}/{NAME}")
    shutil.copy(course_root() / "solutions" / NAME / f"{NAME}.ipynb", home)
    submit.click()
    inbound = Path("/srv") / f"headway-test-{os.getpid()}" / "exchange" / "headway" / "inbound"
    end = time.monotonic() + PATIENCE
    while not list(inbound.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.2)


def test_a_student_sees_neither_the_course_nor_what_others_handed_in(enter):
    room = Path("/srv") / f"headway-test-{os.getpid()}"
    other = STUDENTS[1]
    for place in ("course", "state", "exchange/headway/inbound"):
        assert "Permission denied" in as_account(other, f"ls {room / place}")
    page = enter(other)
    page.get_by_role("menuitem", name="Nbgrader").first.click()
    assert page.locator(".lm-Menu-itemLabel", has_text="Formgrader").count() == 0


def test_a_student_cannot_hand_in_for_another_nor_by_a_link(enter):
    room = Path("/srv") / f"headway-test-{os.getpid()}"
    inbound, other = room / "exchange/headway/inbound", STUDENTS[1]
    for_ada = inbound / f"{STUDENTS[0]}+{NAME}+2020-01-01 00:00:00 UTC+x"
    linked = inbound / f"{other}+{NAME}+2020-01-02 00:00:00 UTC+y"
    solution = room / "course" / "source" / NAME / f"{NAME}.ipynb"
    as_account(other, f"mkdir '{for_ada}' && echo '{{}}' > '{for_ada}/{NAME}.ipynb'")
    as_account(other, f"mkdir '{linked}' && ln -s {solution} '{linked}/{NAME}.ipynb'")
    assert for_ada.exists()
    assert linked.exists()


def test_the_teacher_collects_grades_and_returns(enter):
    room = Path("/srv") / f"headway-test-{os.getpid()}"
    page = enter(TEACHER)
    open_in_menu(page, "Formgrader")
    frame = page.frame_locator("iframe[src*=formgrader]")
    row = frame.locator("tr", has=frame.get_by_text(NAME, exact=True))
    row.locator(".collect a").click()
    frame.get_by_text("Successfully").wait_for()
    submitted = room / "course" / "submitted"
    assert (submitted / STUDENTS[0] / NAME / f"{NAME}.ipynb").is_file()
    # The link and the notebook in another's name: nothing of either.
    assert not (submitted / STUDENTS[1] / NAME / f"{NAME}.ipynb").is_symlink()
    programs = (
        f"JUPYTER_CONFIG_PATH={room}/settings/teacher PATH={Path(sys.executable).parent}:$PATH"
    )
    by_nbgrader = f"{programs} nbgrader autograde {NAME} --student {STUDENTS[0]}"
    said = as_account(TEACHER, f"cd {room / 'course'} && {by_nbgrader}")
    assert "Successfully" in said or "Writing" in said, said
    said = as_account(
        TEACHER,
        f"cd {room / 'course'} && PATH={Path(sys.executable).parent}:$PATH headway grade 01 "
        "--course .",
    )
    assert re.search(rf"{STUDENTS[0]}\s+graded\s+24 of 20", said), said
    assert not re.search(rf"{STUDENTS[1]}\s+graded\s+24", said), said


def test_the_student_reads_the_feedback(enter):
    room = Path("/srv") / f"headway-test-{os.getpid()}"
    programs = Path(sys.executable).parent
    with_settings = f"JUPYTER_CONFIG_PATH={room}/settings/{{}} PATH={programs}:$PATH nbgrader "
    as_account(
        TEACHER,
        f"cd {room / 'course'} && {with_settings.format('teacher')} release_feedback {NAME}",
    )
    page = enter(STUDENTS[0])
    open_in_menu(page, "Assignment List")
    page.get_by_role("button", name="Fetch Feedback").first.click()
    home = Path(f"/home/{STUDENTS[0]}/{NAME}/feedback")
    end = time.monotonic() + PATIENCE
    while not list(home.glob(f"*/{NAME}.html")):
        assert time.monotonic() < end
        time.sleep(0.2)
    (feedback,) = home.glob(f"*/{NAME}.html")
    assert "24" in feedback.read_text(encoding="utf-8")
