"""The hub's image: a class from a login to a grade, with podman."""

import http.cookiejar
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from headway.grading.hub.accounts import STUDENTS, TEACHER
from tests.grading.hub.running import answers

IMAGE = "localhost/headway-hub"
PORT = 18000
ADDRESS = f"http://127.0.0.1:{PORT}"
PATIENCE = 120  # seconds
NAME = "01-one-hot"
LIMITS = ("--no-healthcheck", "--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096")
FOR_THE_SANDBOX = ("--security-opt=seccomp=unconfined", "--security-opt=unmask=/proc/*")


def why_not() -> str:
    """Why the image cannot be tried here; empty if it can."""
    if not shutil.which("podman"):
        return "there is no podman here"
    if subprocess.run(["podman", "image", "exists", IMAGE], check=False).returncode:
        return f"there is no image {IMAGE}; deploy/Containerfile says how to build it"
    start = ["podman", "run", "--rm", *LIMITS, *FOR_THE_SANDBOX, "--entrypoint=", IMAGE, "true"]
    done = subprocess.run(start, capture_output=True, text=True, check=False)
    return f"podman runs nothing here: {done.stderr.strip()}" if done.returncode else ""


REASON = why_not() if "HEADWAY_FULL" in os.environ else "only in a full run"
pytestmark = [
    pytest.mark.full,
    pytest.mark.jupyter,
    pytest.mark.skipif(bool(REASON), reason=REASON),
]


def podman(*words: str) -> str:
    done = subprocess.run(["podman", *words], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def room():
    """The name of a container with a demonstration's hub."""
    name = f"headway-test-{os.getpid()}"
    where = f"--publish=127.0.0.1:{PORT}:8000"
    said = podman("run", "-d", f"--name={name}", where, *LIMITS, *FOR_THE_SANDBOX, IMAGE, "--demo")
    try:
        end = time.monotonic() + PATIENCE
        while not answers(f"{ADDRESS}/hub/login"):
            assert time.monotonic() < end, said + podman("logs", name)
            time.sleep(0.5)
        yield name
    finally:
        podman("rm", "--force", "--volumes", name)


@pytest.fixture
def as_account(room):
    """What a program of an account prints, in the container."""

    def call(name: str, *words: str) -> str:
        who = "teacher" if name == TEACHER else "student"
        folder = "/srv/classroom/course" if name == TEACHER else f"/home/{name}"
        settings = f"JUPYTER_CONFIG_PATH=/srv/classroom/settings/{who}"
        become = ["runuser", "-u", name, "--", "env", settings, f"HOME=/home/{name}"]
        return podman("exec", "-w", folder, room, *become, *words)

    return call


@pytest.fixture
def student(room):
    """Asks the server of a student who has logged in, over HTTP."""
    log = podman("logs", room).replace("\n", "")
    password = re.search(r"Password of all: ([\w-]{12})", log)[1]
    name, jar = STUDENTS[0], http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = opener.open(f"{ADDRESS}/hub/login", timeout=PATIENCE).read().decode()
    token = re.search(r'name="_xsrf" value="([^"]+)"', page)[1]
    form = {"username": name, "password": password, "_xsrf": token}
    form = urllib.parse.urlencode(form).encode()
    opener.open(f"{ADDRESS}/hub/login?next=%2Fhub%2Fspawn", form, timeout=PATIENCE)
    own = f"/user/{name}"
    end = time.monotonic() + PATIENCE
    while f"{own}/lab" not in opener.open(f"{ADDRESS}{own}/lab", timeout=PATIENCE).url:
        assert time.monotonic() < end
        time.sleep(1)

    def call(path: str, **data: str) -> dict:
        token = {one.name: one.value for one in jar if one.path.startswith(own)}["_xsrf"]
        headers = {"X-XSRFToken": token, "Referer": f"{ADDRESS}{own}/lab"}
        form = urllib.parse.urlencode(data).encode()
        request = urllib.request.Request(f"{ADDRESS}{own}{path}", form, headers, method="POST")
        return json.loads(opener.open(request, timeout=PATIENCE).read())

    return call


def test_a_student_hands_in_over_http_and_the_teacher_grades_in_the_sandbox(
    student, as_account, room, root
):
    what = {"course_id": "headway", "assignment_id": NAME}
    assert student("/assignments/fetch", **what)["success"]
    home = f"/home/{STUDENTS[0]}/{NAME}/{NAME}.ipynb"
    podman("cp", str(root / "solutions" / NAME / f"{NAME}.ipynb"), f"{room}:{home}")
    assert student("/assignments/submit", **what)["success"]
    assert f"Collecting submission: {STUDENTS[0]}" in as_account(
        TEACHER, "nbgrader", "collect", NAME
    )
    assert "1 graded, 0 set aside" in as_account(TEACHER, "headway", "grade", "01", "--course", ".")


def test_a_student_of_the_image_sees_nothing_that_is_not_theirs(as_account, room):
    classroom = [f"/srv/classroom/{one}" for one in ("course", "state", "exchange/headway/inbound")]
    for place in ("/opt/headway/solutions", f"/home/{STUDENTS[0]}", *classroom):
        assert "Permission denied" in as_account(STUDENTS[1], "ls", place), place
    secret = podman("exec", room, "ls", "/run/secrets/pip")
    assert "No such file" in secret, "what it was made with"


def test_without_the_two_options_nothing_is_graded_and_the_message_names_them():
    check = ("python", "-m", "headway.grading.sandbox.bubblewrap")
    said = podman("run", "--rm", "--network=none", *LIMITS, "--entrypoint=", IMAGE, *check)
    assert "we don't run strangers' code" in said
    assert "seccomp=unconfined --security-opt 'unmask=/proc/*'" in said
