"""From a platform's course into JupyterLab, in a browser, and the score back to the platform."""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from headway.grading.hub.accounts import account
from headway.grading.hub.classroom import make_classroom
from tests.grading.classroom import gradebook_of
from tests.grading.hub.running import PATIENCE, WITH_SERVERS, free_port, running
from tests.lti.platform import CLIENT, DEPLOYMENT, Platform, person

NAME = "01-one-hot"

pytestmark = WITH_SERVERS


@pytest.fixture(scope="module")
def platform():
    with Platform() as running:
        # Browsers take this for another site than the hub's, as it will be.
        running.url = running.url.replace("127.0.0.1", "localhost")
        running.lineitems = running.lineitems.replace("127.0.0.1", "localhost")
        running.members = running.members.replace("127.0.0.1", "localhost")
        yield running


@pytest.fixture(scope="module")
def student():
    name = f"hw-{os.getpid()}"
    yield name
    subprocess.run(["pkill", "-KILL", "-u", name], check=False)
    subprocess.run(["userdel", "--remove", name], check=False, capture_output=True)


@pytest.fixture(scope="module")
def room(platform, student, tmp_path_factory):
    """A classroom whose hub knows the platform, as its comments say it; it runs meanwhile."""
    room = Path("/srv") / f"headway-lti-{os.getpid()}"
    make_classroom(room, account(pwd.getpwuid(os.getuid()).pw_name))
    platform.hub = f"http://127.0.0.1:{free_port()}"
    given = {
        "issuer": platform.url,
        "client_id": CLIENT,
        "deployments": DEPLOYMENT,
        "authorize_url": f"{platform.url}/authorize",
        "jwks_endpoint": f"{platform.url}/jwks",
        **dict.fromkeys(("folder", "reader", "create_system_users"), "…"),
    }
    config, lines = room / "jupyterhub_config.py", []
    for line in config.read_text().splitlines():
        found = re.match(r"# (c\.PlatformLogin\.(\w+) = .*)", line)
        if found and found[2] in given:
            line = found[1].replace("…", given[found[2]])
        elif "import PlatformLogin" in line or "= PlatformLogin" in line:
            line = line.removeprefix("# ")
        lines.append(line.replace("http://127.0.0.1:8000", platform.hub))
    config.write_text("\n".join(lines))
    log = tmp_path_factory.mktemp("hub") / "log"
    try:
        with running([Path(sys.executable).with_name("headway"), "hub", room], platform.hub, log):
            yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def test_a_link_in_the_course_opens_jupyterlab(browser, platform, room, student):
    platform.visitor = student
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    tool, lab = f"{platform.hub}/hub/lti13/oauth_login", f"{platform.hub}/hub"
    page.goto(f"{platform.url}/course?tool={tool}&open={lab}")
    page.wait_for_selector("#jp-MainLogo")
    assert f"/user/{student}/lab" in page.url
    assert Path(pwd.getpwnam(student).pw_dir).owner() == student
    if picture := os.environ.get("HEADWAY_PICTURES"):
        page.screenshot(path=Path(picture) / "lti-lab.png")


def test_the_score_goes_back_to_whoever_came(headway, platform, room, student):
    course = room / "course"
    with gradebook_of(course) as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("c", NAME, NAME, max_score=20, cell_type="code")
        book.add_student(student)
        book.add_submission(NAME, student).notebooks[0].grades[0].auto_score = 17.5
    done = headway(
        *("class", "lti", "--course", course, "--issuer", platform.url, "--client-id", CLIENT),
        *("--token-url", f"{platform.url}/token"),
    )
    assert f"lineitems: {platform.lineitems}" in done.out, "the hub knows it from the login"
    jwk = next(line for line in done.out.splitlines() if "as a JWK" in line)
    platform.tool_key = json.loads(jwk.partition(": ")[2])
    platform.people = [person(student), person("u-other")]
    done = headway("class", "export", "lti", "01", "--course", course)
    assert done.code == 0, done.err
    assert [(one["userId"], one["scoreGiven"]) for one in platform.posted] == [(student, 17.5)]
