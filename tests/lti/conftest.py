"""A platform on this machine, for each test, and a course folder that it knows."""

import json
import shutil

import pytest
from jwcrypto.jwk import JWK

from headway.grading.lti import service
from headway.grading.lti.registration import write_lti_file
from headway.grading.results.report import Report, Row
from tests.grading.classroom import gradebook_of
from tests.lti.platform import BONUS, CLIENT, NAME, OTHER, Platform, person


@pytest.fixture
def platform():
    with Platform() as running:
        yield running


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """No waiting between tries; gives the seconds that it would have been."""
    found = []
    monkeypatch.setattr(service.time, "sleep", found.append)
    monkeypatch.setattr(service.Services.__init__, "__defaults__", (found.append,))
    return found


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    """A course folder: `cut` was set aside, of `zoe` there is nothing."""
    course = tmp_path_factory.mktemp("blank") / "course"
    (course / "reports").mkdir(parents=True)
    with gradebook_of(course) as book:
        for name, points in ((NAME, 20), (OTHER, 20), (BONUS, 0)):
            book.add_assignment(name)
            book.add_notebook(name, name)
            book.add_grade_cell("c", name, name, max_score=points, cell_type="code")
        book.add_student("ada", email="Ada@x.example")
        book.add_student("emmy", lms_user_id="S-2")
        book.add_student("cut")
        book.add_student("zoe", email="zoe@x.example")
        for student, score in {"ada": 18.5, "emmy": 0, "cut": 3}.items():
            book.add_submission(NAME, student).notebooks[0].grades[0].auto_score = score
    rows = {"cut": Row("set-aside", None, 20, "It is broken.")}
    report = Report(NAME, rows).as_json()
    (course / "reports" / f"{NAME}.json").write_text(report, encoding="utf-8")
    return course


@pytest.fixture
def course(blank, tmp_path):
    return shutil.copytree(blank, tmp_path / "room" / "course")


@pytest.fixture(scope="module")
def key():
    """A key, so that not each test has to make one."""
    return JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None)


@pytest.fixture
def registered(headway, platform, course, key):
    """The course folder and the platform know each other; the class has three pages."""
    write_lti_file(course / ".headway" / "lti" / "private-key.pem", key.decode())
    platform.people = [
        person("u-1", "ada@x.example"),
        person("u-2", "e@x.example", "S-2"),
        person("u-3", "cut@x.example"),
        person("u-4", "zoe@x.example"),
        person("u-5", "ada@x.example", role="Instructor"),
    ]
    done = headway(
        *("class", "lti", "--course", course, "--issuer", platform.url, "--client-id", CLIENT),
        *("--token-url", f"{platform.url}/token", "--lineitems", platform.lineitems),
        *("--members", platform.members),
    )
    assert done.code == 0, done.err
    jwk = next(line for line in done.out.splitlines() if line.startswith("public key, as a JWK"))
    platform.tool_key = json.loads(jwk.partition(": ")[2])
    return done


@pytest.fixture
def send(headway, course, registered):
    def run(*options):
        return headway("class", "export", "lti", "--course", course, *options)

    return run
