"""ngshare for tests: the service itself beside a stand-in for a hub, or a stand-in for both.

A person's token is their name.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time
import urllib.parse
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.hub.running import PATIENCE, answers, free_port

ADMIN, PREFIX = "root", "/services/ngshare/"
ROOT = Path(__file__).resolve().parents[2]


class Answer(Exception):  # noqa: N818 - what a request comes to
    """What a stand-in says.

    Args:
        status: of HTTP.
        said: beside that it is a success or none.

    Attributes:
        location: of a redirection.
    """

    location = ""

    def __init__(self, status: int = 200, **said: object):
        super().__init__(status)
        self.status, self.said = status, {"success": status == 200, **said}


@contextmanager
def served(say: Callable[[str, str, str, dict], Answer]) -> Iterator[str]:
    """A server; gives its address.

    Args:
        say: given method, path, token and what was sent, the answer.
    """

    class Handler(BaseHTTPRequestHandler):
        def do(self) -> None:
            parts = urllib.parse.urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            sent = dict(urllib.parse.parse_qsl(f"{parts.query}&{body}"))
            token = (self.headers.get("Authorization") or "").removeprefix("token ")
            answer = say(self.command, parts.path, token, sent)
            content = json.dumps(answer.said).encode()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(content)))
            if answer.location:
                self.send_header("Location", answer.location)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = do  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def hub(method: str, path: str, token: str, sent: dict) -> Answer:
    """What a hub says to ngshare, which asks it who somebody is."""
    return Answer(name=token) if token else Answer(403)


class StandIn:
    """What ngshare says, as far as an exchange asks it, of one course."""

    def __init__(self) -> None:
        self.teachers, self.students = set(), set()
        self.released: dict[str, list] = {}
        self.submissions: list[dict] = []

    def __call__(self, method: str, path: str, token: str, sent: dict) -> Answer:
        kind, *names = path.removeprefix(PREFIX).split("/")
        names = [urllib.parse.unquote(name) for name in names]
        sent = {**sent, "files": json.loads(sent.get("files", "[]"))}
        try:
            getattr(self, f"{method.lower()}_{kind}")(token, sent, *names)
        except Answer as answer:
            return answer
        return Answer()

    def _only(self, token: str, people: set) -> None:
        if token not in people | {ADMIN}:
            raise Answer(403, message="Permission denied")

    def _assignment(self, name: str) -> None:
        if name not in self.released:
            raise Answer(404, message="Assignment not found")

    def _of(self, name: str, student: str | None = None) -> list[dict]:
        return [
            one
            for one in self.submissions
            if one["assignment"] == name and student in (None, one["student"])
        ]

    def _one(self, name: str, student: str, sent: dict) -> dict:
        for one in self._of(name, student):
            if one["when"] == sent["timestamp"]:
                return one
        raise Answer(404, message="Submission not found")

    @staticmethod
    def _listed(files: list, sent: dict) -> list:
        listed = []
        for file in files:
            checksum = hashlib.md5(b64decode(file["content"])).hexdigest()
            one = {"path": file["path"], "checksum": checksum}
            listed.append(one if sent["list_only"] == "true" else {**one, **file})
        return listed

    def post_course(self, token, sent, course):
        self._only(token, set())
        self.teachers |= set(json.loads(sent.get("instructors", "[]")))

    def post_instructor(self, token, sent, course, teacher):
        self._only(token, set())
        self.students.discard(teacher)
        self.teachers.add(teacher)

    def delete_instructor(self, token, sent, course, teacher):
        self._only(token, set())
        if teacher not in self.teachers:
            raise Answer(404, message="Instructor not found")
        self.teachers.remove(teacher)

    def post_student(self, token, sent, course, student):
        self._only(token, self.teachers)
        if student in self.teachers:
            raise Answer(409, message="Cannot add instructor as student")
        self.students.add(student)

    def get_courses(self, token, sent):
        raise Answer(courses=["headway"])

    def get_assignments(self, token, sent, course):
        self._only(token, self.teachers | self.students)
        raise Answer(assignments=list(self.released))

    def get_assignment(self, token, sent, course, name):
        self._only(token, self.teachers | self.students)
        self._assignment(name)
        raise Answer(files=self._listed(self.released[name], sent))

    def post_assignment(self, token, sent, course, name):
        self._only(token, self.teachers)
        if name in self.released:
            raise Answer(409, message="Assignment already exists")
        self.released[name] = sent["files"]

    def delete_assignment(self, token, sent, course, name):
        self._only(token, self.teachers)
        del self.released[name]
        self.submissions = [one for one in self.submissions if one["assignment"] != name]

    def post_submission(self, token, sent, course, name):
        self._only(token, self.teachers | self.students)
        self._assignment(name)
        when = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
        one = {"assignment": name, "student": token, "when": when, "feedback": []}
        self.submissions.append({**one, "files": sent["files"]})
        raise Answer(timestamp=when)

    def get_submissions(self, token, sent, course, name):
        self._only(token, self.teachers)
        self._assignment(name)
        found = [{"student_id": o["student"], "timestamp": o["when"]} for o in self._of(name)]
        raise Answer(submissions=found)

    def get_submission(self, token, sent, course, name, student):
        self._only(token, self.teachers)
        one = self._one(name, student, sent)
        raise Answer(files=self._listed(one["files"], sent), timestamp=one["when"])

    def post_feedback(self, token, sent, course, name, student):
        self._only(token, self.teachers)
        self._one(name, student, sent)["feedback"] = sent["files"]

    def get_feedback(self, token, sent, course, name, student):
        self._only(token, self.teachers | {student})
        one = self._one(name, student, sent)
        raise Answer(files=self._listed(one["feedback"], sent), timestamp=one["when"])


def installed(folder: Path) -> Path:
    """The Python of a new environment with ngshare, as its image has it."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    requirements = ROOT / "deploy" / "ngshare" / "requirements.txt"
    command = [folder / "bin" / "pip", "install", "--quiet", "-r", requirements]
    own = {"PYTHONPATH": ""}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | own
    )
    if "Failed to establish a new connection" in done.stderr:
        pytest.skip(f"No package index can be asked: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "python"


@contextmanager
def running(python: Path, folder: Path, hub_api: str, admins: str) -> Iterator[str]:
    """ngshare itself, started as its Helm chart starts it; gives its address.

    Args:
        python: of its environment.
        folder: for what it keeps.
        hub_api: the address of the hub's REST API.
        admins: names between commas.
    """
    address = f"http://127.0.0.1:{free_port()}"
    own = {
        "JUPYTERHUB_API_URL": hub_api,
        "JUPYTERHUB_API_TOKEN": "nobody's",  # it asks with the token of whoever asks it
        "JUPYTERHUB_CLIENT_ID": "service-ngshare",
        "JUPYTERHUB_SERVICE_URL": address,
        "JUPYTERHUB_SERVICE_PREFIX": PREFIX,
        "PATH": os.defpath,
    }
    what = ["--database", f"sqlite:///{folder}/ngshare.db", "--storage", folder / "files"]
    command = [python, "-m", "ngshare", *what, "--admins", admins]
    log = folder / "log"
    with log.open("w") as file:
        service = subprocess.Popen(command, env=own, stdout=file, stderr=file)
    try:
        end = time.monotonic() + PATIENCE
        while not answers(f"{address}/healthz"):
            assert service.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.2)
        yield address + PREFIX.rstrip("/")
    finally:
        service.terminate()
        service.wait(60)
    assert not re.search("SAWarning|Traceback", log.read_text()), log.read_text()
