"""A class on a cluster, as far as one machine can be one: a JupyterHub with the values' own code,
ngshare in its own environment, and the servers of a teacher and two students."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

import pytest
import requests
import yaml

from headway.chapters import course_root
from headway.commands.hub import provide_proxy
from headway.hub.classroom import Account, make_course, write_settings
from headway.hub.settings import proxy_command
from tests.hub.ngshare import installed
from tests.hub.ngshare import running as running_ngshare
from tests.hub.running import PATIENCE, free_port, running

NAME, PROGRAMS = "01-one-hot", Path(sys.executable).parent
TEACHER, ADA, EMMY = "teacher", "ada", "emmy"
OF_TESTS = "a-token-of-the-tests-0123456789"

pytestmark = [
    pytest.mark.full,
    pytest.mark.jupyter,
    pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm here"),
]

CONFIG = """
c = get_config()
CODE = {code!r}
exec(CODE, globals())
of_the_cluster = c.KubeSpawner.pop("pre_spawn_hook")


async def set_up(spawner):
    await of_the_cluster(spawner)
    spawner.environment["PATH"] = {path!r}


c.Spawner.pre_spawn_hook = set_up
c.Spawner.cmd = [{server!r}]
c.Spawner.args = ["--allow-root"]
c.Spawner.start_timeout = c.Spawner.http_timeout = {patience}
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.JupyterHub.authenticator_class = "null"
c.Authenticator.admin_users = ["teacher"]
c.JupyterHub.bind_url = {address!r}
c.JupyterHub.hub_port = {hub_port}
c.JupyterHub.db_url = "sqlite:///" + {state!r} + "/hub.sqlite"
c.JupyterHub.cookie_secret_file = {state!r} + "/cookie_secret"
c.ConfigurableHTTPProxy.pid_file = {state!r} + "/proxy.pid"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.JupyterHub.services = [{{"name": "tests", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [{{
    "name": "tests",
    "services": ["tests"],
    "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"],
}}]
"""


class Class:
    """The hub's people, over HTTP.

    Attributes:
        folder: with `homes/`, and the teacher's `course/`.
        ngshare: the service's address.
    """

    def __init__(self, folder: Path, address: str, ngshare: str):
        self.folder, self.ngshare = folder, ngshare
        self._address = address
        self._tokens = {name: self._begin(name) for name in (TEACHER, ADA, EMMY)}

    def _begin(self, name: str) -> str:
        """Start somebody's server; a token of theirs."""

        def hub(method: str, path: str) -> requests.Response:
            url = f"{self._address}/hub/api/users/{name}{path}"
            headers = {"Authorization": f"token {OF_TESTS}"}
            return requests.request(method, url, json={}, headers=headers, timeout=PATIENCE)

        hub("POST", "")
        started = hub("POST", "/server")
        assert started.ok, started.text
        end = time.monotonic() + PATIENCE
        while not hub("GET", "").json()["servers"].get("", {}).get("ready"):
            assert time.monotonic() < end
            time.sleep(0.5)
        return hub("POST", "/tokens").json()["token"]

    def ask(self, name: str, path: str, **form: str) -> dict:
        """What somebody's server says when a button is pressed in their browser."""
        url = f"{self._address}/user/{name}{path}"
        headers = {"Authorization": f"token {self._tokens[name]}"}
        answer = requests.post(url, form, headers=headers, timeout=PATIENCE)
        assert answer.ok, answer.text
        return answer.json()

    def of_ngshare(self, name: str, method: str, path: str, **form: str) -> requests.Response:
        """What ngshare says to somebody who asks it by themselves."""
        headers = {"Authorization": f"token {self._tokens[name]}"}
        url = f"{self.ngshare}/{path}"
        return requests.request(method, url, data=form, headers=headers, timeout=PATIENCE)

    def listed(self, name: str, action: str = "") -> list[dict]:
        """The list of assignments after a button of it."""
        said = self.ask(name, f"/assignments/{action}", course_id="headway", assignment_id=NAME)
        assert said["success"], said
        return said["value"]

    def press(self, button: str) -> str:
        """The log of what the formgrader did."""
        said = self.ask(TEACHER, f"/formgrader/api/assignment/{NAME}/{button}")
        assert said["success"], said
        return said["log"]

    def by_teacher(self, *words: str) -> str:
        """What a command says in a terminal of the teacher's course folder."""
        own = {"JUPYTER_CONFIG_PATH": f"{self.folder}/settings/teacher", "HOME": str(self.folder)}
        own |= {"JUPYTERHUB_USER": TEACHER, "JUPYTERHUB_API_TOKEN": self._tokens[TEACHER]}
        own |= {"NGSHARE_URL": self.ngshare, "PATH": f"{PROGRAMS}:/usr/bin:/bin"}
        course = self.folder / "course"
        done = subprocess.run(
            [PROGRAMS / words[0], *words[1:]],
            cwd=course, env=os.environ | own, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr

    def notebook(self, name: str) -> Path:
        return self.folder / "homes" / name / NAME / f"{NAME}.ipynb"

    def collected(self, name: str) -> Path:
        return self.folder / "course" / "submitted" / name / NAME / f"{NAME}.ipynb"


@pytest.fixture(scope="module")
def room(root, tmp_path_factory):
    """A class whose hub and ngshare run."""
    folder = tmp_path_factory.mktemp("cluster")
    for name in ("homes", "state", "ngshare"):
        (folder / name).mkdir()
    write_settings(folder)
    make_course(folder / "course", Account("root", 0, 0))
    provide_proxy(folder)
    python = installed(tmp_path_factory.mktemp("environment") / "ngshare")
    values = yaml.safe_load((root / "deploy/zero-to-jupyterhub/values.yaml").read_text("utf-8"))
    code = values["hub"]["extraConfig"]["headway"]
    hub_port, port = free_port(), free_port()
    address = f"http://127.0.0.1:{port}"
    hub_api = f"http://127.0.0.1:{hub_port}/hub/api"
    with running_ngshare(python, folder / "ngshare", hub_api, TEACHER) as ngshare:
        for old, new in (
            ('"http://ngshare:8080/services/ngshare"', repr(ngshare)),
            ("/srv/classroom", str(folder)),
            ('"/home/jovyan"', f'f"{folder}/homes/{{name}}"'),
        ):
            assert old in code
            code = code.replace(old, new)
        config = CONFIG.format(
            code=code, path=f"{PROGRAMS}:/usr/bin:/bin", server=f"{PROGRAMS}/jupyterhub-singleuser",
            patience=PATIENCE, homes=f"{folder}/homes", address=address, hub_port=hub_port,
            state=f"{folder}/state", proxy_port=free_port(), proxy=proxy_command(folder),
            token=OF_TESTS,
        )  # fmt: skip
        (folder / "jupyterhub_config.py").write_text(config, "utf-8")
        command = [sys.executable, "-m", "jupyterhub", "-f", folder / "jupyterhub_config.py"]
        with running(command, address, folder / "log", cwd=folder):
            yield Class(folder, address, ngshare)
        assert "ngshare does not know" not in (folder / "log").read_text()


def test_the_teacher_releases(room):
    room.press("assign")
    assert f"ngshare has {NAME}" in room.press("release")


def test_students_fetch_and_one_hands_in_twice(room):
    for name in (ADA, EMMY):
        assert room.listed(name, "fetch")[0]["status"] == "fetched"
    assert "headway" in room.notebook(ADA).read_text("utf-8")
    room.listed(ADA, "submit")
    shutil.copy(course_root() / "solutions" / NAME / f"{NAME}.ipynb", room.notebook(ADA))
    (handed_in,) = (one for one in room.listed(ADA, "submit") if one["status"] == "submitted")
    assert len(handed_in["submissions"]) == 2
    assert handed_in["student_id"] == ADA


def test_nobody_gets_what_another_handed_in_nor_hands_in_for_them(room):
    own = room.of_ngshare(ADA, "GET", f"submissions/headway/{NAME}/{ADA}").json()["submissions"]
    when = urllib.parse.quote(own[0]["timestamp"])
    for method, path in (
        ("GET", f"submission/headway/{NAME}/{ADA}"),
        ("GET", f"submissions/headway/{NAME}"),
        ("GET", f"submissions/headway/{NAME}/{ADA}"),
        ("GET", f"feedback/headway/{NAME}/{ADA}?timestamp={when}"),
        ("GET", "students/headway"),
        ("POST", f"student/headway/{EMMY}"),
        ("POST", "instructor/headway/emmy?first_name=&last_name=&email="),
        ("POST", "assignment/headway/02-markov-chains?files=[]"),
        ("DELETE", f"assignment/headway/{NAME}"),
        ("GET", "initialize-Data6ase?action=dump"),
    ):
        answer = room.of_ngshare(EMMY, method, path)
        assert not answer.json()["success"], path
        assert "Permission denied" in answer.text or "Debug mode is off" in answer.text, path
    # There is no address for handing in in another's name, and a name that is sent is nobody's.
    files = json.dumps([{"path": f"{NAME}.ipynb", "content": "e30="}])
    sent = room.of_ngshare(
        EMMY, "POST", f"submission/headway/{NAME}", files=files, user=ADA, timestamp="2020-01-01"
    )
    assert sent.json()["success"]
    listed = room.of_ngshare(TEACHER, "GET", f"submissions/headway/{NAME}").json()["submissions"]
    assert [one["student_id"] for one in listed] == [ADA, ADA, EMMY]
    assert listed[2]["timestamp"] > listed[1]["timestamp"]
    for path in ("../01-one-hot.ipynb", "/etc/passwd", "a/../../b"):
        files = json.dumps([{"path": path, "content": "e30="}])
        sent = room.of_ngshare(EMMY, "POST", f"submission/headway/{NAME}", files=files)
        assert sent.json() == {"success": False, "message": "Illegal path"}


def test_no_browser_gets_to_ngshare_by_way_of_the_hub(room):
    page = requests.get(f"{room._address}/services/ngshare/", timeout=PATIENCE)
    assert page.status_code == 404


def test_the_teacher_collects_by_button_and_by_command_and_grades(room):
    room.press("collect")
    assert "No newer submission to collect: ada" in room.by_teacher(
        "nbgrader", "collect", NAME, "--update"
    )
    assert "solution" not in room.collected(EMMY).read_text("utf-8")
    said = room.by_teacher("headway", "grade", "01", "--course", ".")
    assert re.search(rf"{ADA}\s+graded\s+24 of 20", said), said


def test_what_was_handed_in_cannot_be_removed_with_the_release(room):
    assert (
        "stays as it was released"
        in room.ask(TEACHER, f"/formgrader/api/assignment/{NAME}/unrelease")["log"]
    )
    assert len(room.of_ngshare(TEACHER, "GET", "assignments/headway").json()["assignments"]) == 1


def test_the_feedback_comes_back_to_the_student_alone(room):
    room.press("release_feedback")
    assert f"for {ADA} is released" in room.by_teacher("nbgrader", "release_feedback", NAME)
    room.listed(ADA, "fetch_feedback")
    (page,) = room.notebook(ADA).parent.glob(f"feedback/*/{NAME}.html")
    assert "24" in page.read_text("utf-8")
    (listed,) = (one for one in room.listed(ADA, "fetch_feedback") if one["status"] == "submitted")
    first, second = listed["submissions"]
    assert second["has_local_feedback"]
    assert not first["has_exchange_feedback"]
    assert not second["feedback_updated"]
