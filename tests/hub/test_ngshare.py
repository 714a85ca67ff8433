"""nbgrader over ngshare: the way of an assignment, and what nobody gets by asking for it."""

import json
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
import requests
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError, ExchangeFactory
from traitlets.config import Config

from headway.grading.settings import configure as configure_course
from headway.hub.ngshare import CLASSES, configure, exchange
from headway.hub.ngshare import service as service_module
from headway.hub.ngshare.exchange import Collect
from headway.hub.ngshare.files import MOST_ENTRIES, pack, unpack
from headway.hub.ngshare.service import Refused, Service
from tests.hub.ngshare import ADMIN, PREFIX, Answer, StandIn, hub, installed, running, served

COURSE, NAME = "headway", "01-one-hot"
TEACHER, ADA, EMMY, PLUS = "teacher", "ada", "emmy", "ada+m@x.example"
ENOUGH = 1_000_000


@pytest.fixture(scope="session")
def ngshare_itself(tmp_path_factory) -> Path:
    """The Python of ngshare's own environment."""
    return installed(tmp_path_factory.mktemp("ngshare") / "environment")


@pytest.fixture(params=["stand-in", pytest.param("itself", marks=pytest.mark.full)])
def url(request, tmp_path):
    """The address of an ngshare with a course, its teacher and two students."""
    if request.param == "stand-in":
        with served(StandIn()) as address:
            yield with_course(address + PREFIX.rstrip("/"))
        return
    folder = tmp_path / "service"
    folder.mkdir()
    python = request.getfixturevalue("ngshare_itself")
    with served(hub) as hub_api, running(python, folder, hub_api, ADMIN) as address:
        yield with_course(address)


def with_course(address: str) -> str:
    """Make what a hub makes when people come in."""

    def post(who: str, what: str, **form: str) -> None:
        answer = requests.post(
            f"{address}/{what}", form, headers={"Authorization": f"token {who}"}, timeout=60
        )
        assert answer.json()["success"], answer.text

    nobody = {"first_name": "", "last_name": "", "email": ""}
    post(ADMIN, f"course/{COURSE}", instructors=json.dumps([TEACHER]))
    for student in (ADA, EMMY, PLUS):
        post(TEACHER, f"student/{COURSE}/{quote(student)}", **nobody)
    return address


@pytest.fixture
def run(url, tmp_path, monkeypatch):
    """Lets somebody do something with nbgrader, in a folder of their own."""
    for who in (TEACHER, ADA, EMMY, PLUS):
        (tmp_path / who).mkdir()
    release = tmp_path / TEACHER / "release" / NAME
    release.mkdir(parents=True)
    (release / f"{NAME}.ipynb").write_text("{}", "utf-8")
    (release / "words.txt").write_text("a b", "utf-8")

    def do(verb: str, who: str, **options: object):
        folder = tmp_path / who
        monkeypatch.chdir(folder)
        monkeypatch.setenv("JUPYTERHUB_API_TOKEN", who)
        monkeypatch.setenv("JUPYTERHUB_USER", who)
        config = Config()
        monkeypatch.setenv("NGSHARE_URL", url)
        configure(config)
        configure_course(config, {})
        config.CourseDirectory.course_id = COURSE
        config.Exchange.cache = str(folder / "cache")
        course = CourseDirectory(
            config=config,
            root=str(folder),
            assignment_id=options.pop("assignment", NAME),
            student_id=options.pop("student", "*"),
        )
        app = getattr(ExchangeFactory(config=config), verb)(
            coursedir=course, authenticator=Authenticator(config=config), config=config
        )
        for option, value in options.items():
            setattr(app, option, value)
        return app.start()

    do.folder = tmp_path
    do.service = lambda who: Service(url, who)
    return do


def hand_in(run, who: str, text: str) -> None:
    """Fetch the assignment, if that was not done, answer, and hand in."""
    work = run.folder / who / NAME
    if not work.exists():
        run("FetchAssignment", who)
    (work / f"{NAME}.ipynb").write_text(text, "utf-8")
    run("Submit", who)


def collected(run, who: str) -> Path:
    return run.folder / TEACHER / "submitted" / who / NAME


def give_feedback(run, who: str, page: str) -> None:
    """What `headway grade` leaves for a student, returned."""
    folder = run.folder / TEACHER / "feedback" / who / NAME
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.html").write_text(page, "utf-8")
    (folder / "timestamp.txt").write_text((collected(run, who) / "timestamp.txt").read_text())
    run("ReleaseFeedback", TEACHER)


def file(path: object, content: bytes = b"x") -> dict:
    return {"path": path, "content": b64encode(content).decode()}


def test_every_verb_has_a_class_of_ours(monkeypatch):
    config = Config()
    configure(config)
    assert not config
    monkeypatch.setenv("NGSHARE_URL", "http://ngshare")
    configure(config)
    assert config.NgshareExchange.url == "http://ngshare"
    factory = ExchangeFactory(config=config)
    for verb, name in CLASSES.items():
        assert getattr(factory, verb) is getattr(exchange, name)


def test_an_assignment_goes_to_the_student_and_back_and_returns(run):
    run("ReleaseAssignment", TEACHER)
    (listed,) = run("List", ADA, assignment="*")
    assert (listed["assignment_id"], listed["status"]) == (NAME, "released")
    assert [one["notebook_id"] for one in listed["notebooks"]] == [NAME]
    hand_in(run, ADA, "first")
    assert (run.folder / ADA / NAME / "words.txt").read_text() == "a b"
    hand_in(run, ADA, "second")
    hand_in(run, EMMY, "hers")
    assert run("List", ADA, assignment="*")[0]["status"] == "fetched"
    run("Collect", TEACHER, update=True)
    assert (collected(run, ADA) / f"{NAME}.ipynb").read_text() == "second"
    assert (collected(run, EMMY) / f"{NAME}.ipynb").read_text() == "hers"

    def latest() -> dict:
        (found,) = run("List", ADA, assignment="*", cached=True)
        assert len(found["submissions"]) == 2
        return found["submissions"][-1]

    assert not latest()["has_exchange_feedback"]
    give_feedback(run, ADA, "well done")
    assert latest()["has_exchange_feedback"]
    assert not latest()["has_local_feedback"]
    run("FetchFeedback", ADA)
    (page,) = (run.folder / ADA / NAME / "feedback").glob("*/*.html")
    assert page.read_text() == "well done"
    assert latest()["has_local_feedback"]
    assert not latest()["feedback_updated"]
    assert Path(latest()["local_feedback_path"]) == page.parent
    give_feedback(run, ADA, "even better")
    assert latest()["feedback_updated"]
    run("FetchFeedback", ADA)
    assert page.read_text() == "even better"
    run("FetchFeedback", EMMY)
    assert not list((run.folder / EMMY).rglob("*.html"))


def test_what_is_handed_in_is_the_student_s_files_and_no_secret(run, caplog):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "mine")
    (one,) = run.service(TEACHER).submissions(COURSE, NAME)
    sent = run.service(TEACHER).submission(COURSE, NAME, one, names_only=True)
    assert {file["path"] for file in sent} == {f"{NAME}.ipynb", "words.txt"}
    run("Collect", TEACHER)
    assert "cheating" not in caplog.text


def test_a_plus_in_a_student_s_name_keeps_nothing_from_them(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, PLUS, "mine")
    run("Collect", TEACHER)
    assert (collected(run, PLUS) / f"{NAME}.ipynb").read_text() == "mine"
    give_feedback(run, PLUS, "well done")
    run("FetchFeedback", PLUS)
    assert list((run.folder / PLUS / NAME).glob("feedback/*/*.html"))
    (own,) = run("List", PLUS, assignment="*", cached=True)
    (inbound,) = run("List", TEACHER, inbound=True)
    for listed in (own, inbound):
        assert listed["assignment_id"] == NAME
        assert listed["student_id"] == PLUS.replace("+", "_")


def test_what_could_not_be_handed_in_is_not_listed_as_handed_in(run, monkeypatch):
    run("ReleaseAssignment", TEACHER)

    def refuse(*_: object) -> None:
        raise Refused("full", 500)

    monkeypatch.setattr(Service, "submit", refuse)
    with pytest.raises(ExchangeError, match="full"):
        hand_in(run, ADA, "mine")
    assert run("List", ADA, assignment="*", cached=True) == []


def test_a_later_submission_takes_the_place_of_the_earlier_if_that_is_wanted(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "first")
    run("Collect", TEACHER)
    hand_in(run, ADA, "second")
    run("Collect", TEACHER)
    assert (collected(run, ADA) / f"{NAME}.ipynb").read_text() == "first"
    run("Collect", TEACHER, update=True)
    assert (collected(run, ADA) / f"{NAME}.ipynb").read_text() == "second"
    (listed,) = run("List", TEACHER, inbound=True)
    assert [len(listed["submissions"]), listed["student_id"]] == [2, ADA]


def test_whoever_hands_in_again_and_again_gives_no_more_to_collect(run, monkeypatch):
    run("ReleaseAssignment", TEACHER)
    for text in ("first", "second", "third"):
        hand_in(run, ADA, text)
    read, whole = [], Collect._record
    monkeypatch.setattr(
        Collect, "_record", lambda self, path: read.append(path) or whole(self, path)
    )
    run("Collect", TEACHER)
    assert len(set(read)) == 1
    assert (collected(run, ADA) / f"{NAME}.ipynb").read_text() == "third"


def test_a_student_gets_nothing_of_anybody_else_and_can_release_nothing(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "mine")
    run("Collect", TEACHER)
    give_feedback(run, ADA, "well done")
    (one,) = run.service(TEACHER).submissions(COURSE, NAME)
    emmy = run.service(EMMY)
    for ask in (
        lambda: emmy.submissions(COURSE, NAME),
        lambda: emmy.submission(COURSE, NAME, one),
        lambda: emmy.feedback(COURSE, NAME, one),
        lambda: emmy.release(COURSE, "02", []),
        lambda: emmy.release_feedback(COURSE, NAME, one, []),
        lambda: emmy.remove(COURSE, NAME),
        lambda: run.service("stranger").released(COURSE, NAME),
    ):
        with pytest.raises(Refused, match="Permission denied"):
            ask()
    with pytest.raises(ExchangeError, match="takes nothing for others"):
        run("Submit", ADA, student=EMMY)
    with pytest.raises(ExchangeError, match="Permission denied"):
        run("Collect", EMMY)


def test_what_a_submission_says_of_its_time_does_not_count(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, EMMY, "hers")
    early = [file("timestamp.txt", b"2020-01-01 00:00:00 UTC"), file(f"{NAME}.ipynb")]
    run.service(ADA).submit(COURSE, NAME, early)
    run("Collect", TEACHER)
    said = {one.student: one.when for one in run.service(TEACHER).submissions(COURSE, NAME)}
    for who in (ADA, EMMY):
        kept = (collected(run, who) / "timestamp.txt").read_text().strip()
        assert kept == f"{said[who]} UTC"
    # A folder where the time is to be written stops neither this student nor another.
    run.service(ADA).submit(COURSE, NAME, [file("timestamp.txt/a"), file(f"{NAME}.ipynb")])
    run("Collect", TEACHER, update=True)
    assert (collected(run, ADA) / "timestamp.txt").is_file()
    assert (collected(run, EMMY) / f"{NAME}.ipynb").read_text() == "hers"


def test_what_was_handed_in_elsewhere_before_stops_nothing(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "mine")
    run("Collect", TEACHER)
    give_feedback(run, ADA, "well done")
    (cached,) = (run.folder / ADA / "cache" / COURSE).iterdir()
    for old in (f"{ADA}+{NAME}+2020-01-01 00:00:00 UTC", f"{ADA}+{NAME}+yesterday"):
        (cached.parent / old).mkdir()
        (cached.parent / old / "submission_secret.txt").write_text("abc", "utf-8")
    run("FetchFeedback", ADA)
    assert len(list((run.folder / ADA / NAME).glob("feedback/*/*.html"))) == 1
    (listed,) = run("List", ADA, assignment="*", cached=True)
    assert sum(one["has_exchange_feedback"] for one in listed["submissions"]) == 1


def test_a_release_is_taken_back_only_while_nothing_is_lost_with_it(run):
    run("ReleaseAssignment", TEACHER)
    with pytest.raises(ExchangeError, match="already exists"):
        run("ReleaseAssignment", TEACHER)
    release = run.folder / TEACHER / "release" / NAME / "words.txt"
    release.write_text("a b c", "utf-8")
    run("ReleaseAssignment", TEACHER, force=True)
    run("List", TEACHER, remove=True)
    assert run.service(TEACHER).assignments(COURSE) == []
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "mine")
    assert (run.folder / ADA / NAME / "words.txt").read_text() == "a b c"
    for again in (
        lambda: run("ReleaseAssignment", TEACHER, force=True),
        lambda: run("List", TEACHER, remove=True),
    ):
        with pytest.raises(ExchangeError, match="would remove with it what was handed in, 1 times"):
            again()
    with pytest.raises(ExchangeError, match="cannot be removed"):
        run("List", TEACHER, remove=True, inbound=True)
    assert len(run.service(TEACHER).submissions(COURSE, NAME)) == 1


def test_feedback_that_cannot_be_sent_stops_nobody_elses(run):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, EMMY, "hers")
    run("Collect", TEACHER)
    folder = run.folder / TEACHER / "feedback" / ADA / NAME  # who handed in by mail
    folder.mkdir(parents=True)
    (folder / f"{NAME}.html").write_text("well done", "utf-8")
    (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC", "utf-8")
    without_time = run.folder / TEACHER / "feedback" / "alan" / NAME
    without_time.mkdir(parents=True)
    (without_time / f"{NAME}.html").write_text("well done", "utf-8")
    give_feedback(run, EMMY, "well done")
    run("FetchFeedback", EMMY)
    assert list((run.folder / EMMY / NAME).glob("feedback/*/*.html"))


def test_what_cannot_be_got_leaves_what_was_collected_and_the_others(run, monkeypatch):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "first")
    run("Collect", TEACHER)
    hand_in(run, ADA, "second")
    hand_in(run, EMMY, "hers")
    whole = Service.submission

    def half(self, course, assignment, one, names_only=False):
        if one.student == ADA:
            raise Refused("gone", 500)
        return whole(self, course, assignment, one, names_only)

    monkeypatch.setattr(Service, "submission", half)
    run("Collect", TEACHER, update=True)
    assert (collected(run, ADA) / f"{NAME}.ipynb").read_text() == "first"
    assert (collected(run, EMMY) / f"{NAME}.ipynb").read_text() == "hers"


@pytest.mark.parametrize(
    "path",
    [
        *("../a", "/a", "a/../../b", "a//b", "", ".", "a/.", "a\0b", "a" * 300, "d/" * 300 + "a"),
        *("half \ud800", None, 7, ["a"], "d", "d/f/g"),
    ],
)
def test_a_path_that_is_none_is_left_out(path, tmp_path):
    folder = tmp_path / "in" / "folder"
    files = [file("d/f"), file(path), file("last")]
    assert unpack(files, folder, ENOUGH) == [ascii(path)]
    assert {one["path"] for one in pack(folder)} == {"d/f", "last"}
    assert {path.name for path in tmp_path.rglob("*")} == {"in", "folder", "d", "f", "last"}


def test_what_is_too_large_or_too_much_or_no_content_is_left_out(tmp_path):
    large, broken = file("large", bytes(11)), {"path": "broken", "content": "a"}
    assert unpack([large, file("small"), broken], tmp_path / "a", 10) == ["'large'", "'broken'"]
    many = [file(str(number)) for number in range(MOST_ENTRIES + 2)]
    assert len(unpack(many, tmp_path / "b", ENOUGH)) == 2
    assert len(list((tmp_path / "b").iterdir())) == MOST_ENTRIES
    assert unpack([file(name, bytes(4)) for name in "abc"], tmp_path / "c", 10) == ["'c'"]


def test_folders_are_bounded_too(tmp_path):
    """A submission of a thousand deep paths kept a collecting teacher waiting for minutes."""
    deep = [file(f"{number}/" + "d/" * 99 + "f") for number in range(20)]
    assert len(unpack([*deep, file("last")], tmp_path, ENOUGH)) == 11
    assert len(list(tmp_path.rglob("*"))) <= MOST_ENTRIES


def test_words_of_others_are_cut_and_have_no_control_characters(run, caplog):
    run("ReleaseAssignment", TEACHER)
    run("FetchAssignment", ADA)
    run.service(ADA).submit(COURSE, NAME, [file("long" * 9_999), file(f"{NAME}.ipynb")])
    run("Collect", TEACHER)
    (left_out,) = (line for line in caplog.messages if line.startswith("Left out"))
    assert len(left_out) < 1_000
    with pytest.raises(Refused) as refused:
        run.service(TEACHER).released(COURSE, "a\x1b[31m")
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("student", ["../mallory", "..", ".hidden", "a/b", "m" * 300])
def test_a_name_that_is_no_folder_is_nobody_s(student, run, monkeypatch, caplog):
    run("ReleaseAssignment", TEACHER)
    hand_in(run, ADA, "mine")
    whole = Service.submissions
    planted = SimpleNamespace(student=student)
    planted.when = whole(run.service(TEACHER), COURSE, NAME)[0].when
    monkeypatch.setattr(Service, "submissions", lambda *where: [planted, *whole(*where)])
    run("Collect", TEACHER)
    assert [path.name for path in (run.folder / TEACHER / "submitted").iterdir()] == [ADA]
    assert f"{student!r} cannot be a student's folder" in caplog.text


@pytest.fixture
def odd():
    """A service whose answers are not ngshare's."""

    def say(method: str, path: str, token: str, sent: dict) -> Answer:
        if path.endswith("courses"):
            return Answer(302)
        answer = Answer(courses="x" * 1_000)
        if path.endswith("list"):
            answer.said = ["no object"]
        return answer

    with served(say) as address:
        yield Service(address, ADA)


def test_what_is_no_answer_is_said(odd, monkeypatch):
    with pytest.raises(Refused, match="refuses GET courses"):
        odd.courses()
    with pytest.raises(Refused, match="answers GET assignments/list with 200"):
        odd.assignments("list")
    monkeypatch.setattr(service_module, "MOST_BYTES", 100)
    with pytest.raises(Refused, match="larger than 100 bytes"):
        odd.assignments("long")
    with pytest.raises(Refused, match="cannot be reached"):
        Service("http://127.0.0.1:9", ADA).courses()


def test_a_token_goes_to_ngshare_alone(monkeypatch):
    asked = []

    def elsewhere(method: str, path: str, token: str, sent: dict) -> Answer:
        asked.append(token)
        return Answer(courses=[])

    with served(elsewhere) as other:
        monkeypatch.setenv("http_proxy", other)
        monkeypatch.setenv("no_proxy", "")
        moved = Answer(302)
        moved.location = f"{other}/courses"
        with served(lambda *_: moved) as address, pytest.raises(Refused):
            Service(address, ADA).courses()
        assert not asked
        assert Service(other, f"{ADA}\n").courses() == []
    assert asked == [ADA]


def test_no_name_leads_to_another_address(monkeypatch):
    asked = []

    def request(self, method, url, **_):
        asked.append(url)
        raise requests.ConnectionError

    monkeypatch.setattr(requests.Session, "request", request)
    with pytest.raises(Refused):
        Service("http://ngshare/", ADA).assignments("../admin?x=#y")
    assert asked == ["http://ngshare/assignments/..%2Fadmin%3Fx%3D%23y"]
