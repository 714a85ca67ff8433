"""`headway class lti` and `headway class export lti`: scores sent to a platform that runs here."""

import json
import os
import shutil
import stat

import jwt
import pytest
import requests
from jwcrypto.jwk import JWK
from nbgrader.api import Gradebook, Student

from headway.grading.lti import service
from headway.grading.lti.registration import write_state
from headway.grading.lti.users import users_of
from headway.grading.results.report import Report, Row
from tests.commands.sentences import assert_sentence
from tests.lti.platform import ASSERTION, CLIENT, COURSE, person

NAME, OTHER, BONUS = "01-one-hot", "02-markov-chain", "17-capstone"


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
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
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
        book.db.commit()
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
    write_state(course / ".headway" / "lti" / "private-key.pem", key.decode())
    platform.people = [
        person("u-1", "ada@x.example"),
        person("u-2", "e@x.example", "S-2"),
        person("u-3", "cut@x.example"),
        person("u-4", "zoe@x.example"),
        person("u-5", "ada@x.example", role="Instructor"),
    ]
    done = headway(
        *("lti", "--course", course, "--issuer", platform.url, "--client-id", CLIENT),
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


def points(platform):
    return {user: score["scoreGiven"] for (_, user), score in platform.scores.items()}


def change(course, student, score):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        book.find_submission(NAME, student).notebooks[0].grades[0].manual_score = score
        book.db.commit()


def test_scores_arrive_at_a_grade_item_that_is_made_for_them(send, platform):
    done = send("01")
    assert done.code == 0, done.err
    assert points(platform) == {"u-1": 18.5, "u-2": 0}
    (item,) = platform.items.values()
    assert (item["label"], item["resourceId"], item["scoreMaximum"]) == (NAME, NAME, 20)
    score = platform.posted[0]
    assert score["gradingProgress"] == "FullyGraded"
    assert score["scoreMaximum"] == 20
    assert "sent 01-one-hot ada: 18.5 of 20" in done.out
    assert "01-one-hot: 2 sent, 0 as before." in done.out
    assert "of the 4 students in the platform's class list, 2 get no score." in done.out


def test_a_second_time_sends_only_what_changed(send, platform, course):
    send("01")
    assert "01-one-hot: 0 sent, 2 as before." in send("01").out
    change(course, "ada", 19)
    assert "01-one-hot: 1 sent, 1 as before." in send("01").out
    assert points(platform) == {"u-1": 19, "u-2": 0}
    assert (len(platform.posted), len(platform.items)) == (3, 1)
    assert "2 sent" in send("01", "--force").out


@pytest.mark.full
def test_a_dry_run_sends_and_makes_nothing(send, platform, course):
    done = send("01", "--dry-run")
    assert "would make its grade item" in done.out
    assert "would send 01-one-hot ada: 18.5 of 20" in done.out
    assert (platform.posted, platform.items) == ([], {})
    assert not (course / ".headway" / "lti" / "sent.json").exists()


@pytest.mark.full
def test_all_assignments_and_chosen_students(send, platform):
    done = send()
    assert "02-markov-chain: no scores to send." in done.out
    assert len(platform.items) == 1
    platform.scores.clear()
    send("--student", "emmy", "--force")
    assert set(points(platform)) == {"u-2"}


@pytest.mark.full
def test_a_bonus_without_points_of_its_own_is_told(send, platform, course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        grade = book.add_submission(BONUS, "ada").notebooks[0].grades[0]
        grade.auto_score, grade.extra_credit = 0, 5
        book.db.commit()
    done = send(BONUS)
    assert done.code == 1
    assert "has no points of its own, only a bonus" in done.err
    assert platform.items == {}


def test_a_lost_answer_doubles_neither_grade_item_nor_score(send, platform):
    platform.failures["POST", "lineitems"] = ["drop"]
    platform.failures["POST", "scores"] = ["drop"]
    done = send("01")
    assert done.code == 0, done.err
    assert len(platform.items) == 1
    assert [score["userId"] for score in platform.posted] == ["u-1", "u-2"]


@pytest.mark.full
def test_a_run_that_broke_off_goes_on_with_the_same_score(send, platform):
    platform.failures["POST", "scores"] = ["drop", 503, 503, 503]
    done = send("01")
    assert done.code == 3
    assert "the same command to go on" in done.err
    before = platform.posted[0]["timestamp"]
    done = send("01")
    assert done.code == 0, done.err
    assert [score["userId"] for score in platform.posted] == ["u-1", "u-2"]
    assert platform.posted[0]["timestamp"] == before


def test_a_score_that_never_arrived_is_sent_by_the_next_run(send, platform):
    platform.failures["POST", "scores"] = [503] * service.TRIES
    assert send("01").code == 3
    assert platform.posted == []
    assert "2 sent, 0 as before" in send("01").out
    assert points(platform) == {"u-1": 18.5, "u-2": 0}


@pytest.mark.full
def test_what_fails_in_passing_is_asked_again_and_a_token_renewed(send, platform, waits):
    platform.failures["POST", "token"] = [503]
    platform.failures["GET", "members"] = [429, 500]
    platform.failures["POST", "scores"] = [401]
    assert send("01").code == 0
    assert waits == [1, 2, 4, 0]
    assert points(platform) == {"u-1": 18.5, "u-2": 0}


@pytest.mark.full
def test_a_score_that_the_platform_has_newer_is_told_and_the_others_go_on(send, platform):
    send("01", "--student", "emmy")
    (item,) = platform.items
    platform.scores[item, "u-1"] = {"when": 9e9, "scoreGiven": 1}
    done = send("01")
    assert done.code == 1
    assert "the score of ada was not taken: the platform has a newer score" in done.err
    assert points(platform)["u-1"] == 1
    assert "1 not taken" in done.out
    platform.scores.clear()
    assert send("01").code == 0, "it is tried again"


def test_who_is_unknown_or_could_be_two_is_told_and_nothing_is_guessed(send, platform):
    platform.people[0]["email"] = "lovelace@x.example"
    platform.people.append(person("u-6", "other@x.example", "S-2"))
    done = send("01")
    assert done.code == 1
    told = "nothing was sent for 1 with a score, because the platform"
    assert f"{told} does not know them: ada." in done.err
    assert f"{told} could mean several people: emmy." in done.err
    assert platform.posted == []


def student(name, number="", mail=""):
    return Student(id=name, lms_user_id=number or None, email=mail or None)


@pytest.mark.parametrize(
    ("one", "members", "school_ids", "expected"),
    [
        # Canvas's number and login, where it tells them; a number is not the school's id then.
        (student("ada", "7"), [person("u", canvas=(7, "x")), person("v", school="7")], False, "u"),
        (student("ada"), [person("u", canvas=(7, "Ada"))], False, "u"),
        (student("ada", "7"), [person("7"), person("v", school="7")], False, "v"),
        (student("ada", "7"), [person("7")], False, None),
        (student("7"), [person("u", school="7")], False, None),
        (student("7"), [person("u", school="7")], True, "u"),
        (student("a@x.example"), [person("u", "A@x.example")], False, "u"),
        # An address of mail, which people may change, does not count beside the school's id.
        (student("ada", "7", "a@x"), [person("u", "a@x"), person("v", school="7")], False, "v"),
        # What leads to two people leads to nobody.
        (student("ada", "", "a@x"), [person("u", "a@x"), person("v", "a@x")], False, None),
        (student("ada", "", "a@x"), [person("u", "a@x", role="Instructor")], False, None),
        # Some platforms give a role, and no list of them.
        (student("ada", "", "a@x"), [person("u", "a@x") | {"roles": "Learner"}], False, "u"),
        (student("ada", "", "a@x"), [person("u", "a@x") | {"roles": "Instructor"}], False, None),
        (student("ada", "", "a@x"), [person("u", "a@x") | {"status": "Deleted"}], False, None),
    ],
)
def test_who_a_student_is_on_the_platform(one, members, school_ids, expected):
    found, why = users_of([one], {}, members, school_ids)
    assert found.get(one.id) == expected
    assert (one.id in why) == (expected is None)


@pytest.mark.full
def test_one_person_cannot_be_two_students(send, platform, course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        book.update_or_create_student("emmy", email="ada@x.example", lms_user_id=None)
    done = send("01")
    assert "for 2 with a score, because the platform has one person for two students: ada" in (
        done.err
    )
    assert platform.posted == []


@pytest.mark.full
def test_who_came_through_the_platform_is_who_they_were_then(send, platform, course):
    logins = course.parent / "platform" / "logins.json"
    logins.parent.mkdir()
    known = {"people": {"ada": "u-4", "zoe": "u-1"}, "courses": {}}
    logins.write_text(json.dumps(known))
    assert send("01").code == 0
    assert points(platform) == {"u-4": 18.5, "u-2": 0}


@pytest.mark.full
def test_a_score_that_is_gone_here_stays_there_and_is_told(send, platform, course):
    send("01")
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        book.remove_submission(NAME, "ada")
    done = send("01")
    assert "the platform keeps the scores of u-1" in done.err


@pytest.mark.full
def test_the_platform_s_own_grade_item_can_be_named(send, platform, course):
    address = f"{platform.url}/{COURSE}/lineitems/9/lineitem?type_id=3"
    platform.items[address] = {"id": address, "label": "Homework 1", "scoreMaximum": 100}
    (course / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.LtiExport.titles = {{{NAME!r}: 'Homework 1'}}\n"
    )
    assert send("01").code == 0
    assert {item for item, _ in platform.scores} == {address}
    platform.items[address]["label"] = "Essay"
    assert_sentence(send("01"), "no grade item 'Homework 1', which `titles` names")


@pytest.mark.full
def test_two_grade_items_are_not_guessed(send, platform):
    send("01", "--student", "emmy")
    (item,) = platform.items.values()
    address = item["id"].replace("/0/", "/8/")
    platform.items[address] = {**item, "id": address}
    assert_sentence(send("01"), "has 2 grade items for 01-one-hot")


# What is secret.


def test_nobody_else_can_read_the_key_and_no_token_is_shown(send, platform, course):
    platform.failures["POST", "scores"] = [400]
    done = send("01")
    folder = course / ".headway" / "lti"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert files == dict.fromkeys(["platform.json", "private-key.pem", "sent.json"], 0o600)
    assert "as planned …" in done.err
    assert "PRIVATE" not in done.out + done.err
    assert "eyJ" not in done.out + done.err


def test_what_a_platform_answers_can_be_long():
    """A search that began anew at each place would take hours."""
    long = "eyJ" * 200_000
    assert service._hidden(long) == long
    assert service._hidden(f"{long} eyJh.eyJw.x") == f"{long} …"
    assert service._hidden(r"token%3DeyJh.eyJw.x \u0022eyJh.eyJw.x&a") == r"token%… \…&a"


@pytest.mark.full
def test_a_key_that_others_can_read_is_not_used(send, course):
    os.chmod(course / ".headway" / "lti" / "private-key.pem", 0o644)
    assert_sentence(send("01"), "Others can read")


def test_no_token_goes_to_another_host(send, platform):
    address = "http://localhost:1/steal/lineitem"
    platform.items[address] = {"id": address, "resourceId": NAME, "tag": "headway", "label": "x"}
    assert_sentence(send("01"), "another host than its own")
    assert platform.posted == []


def test_no_token_follows_a_redirection(send, monkeypatch):
    asked = []
    real = requests.Session.request

    def request(session, method, url, **more):
        asked.append((more["allow_redirects"], more["timeout"] is not None))
        return real(session, method, url, **more)

    monkeypatch.setattr(requests.Session, "request", request)
    assert send("01").code == 0
    assert set(asked) == {(False, True)}


@pytest.mark.full
def test_a_password_of_netrc_s_takes_no_token_s_place(send, platform, tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login teacher password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    assert send("01").code == 0


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://canvas.example/items", "is not encrypted"),
        ("file:///etc/passwd", "is no web address"),
        ("https://user:secret@canvas.example/", "is no web address"),
    ],
)
def test_addresses_that_are_not_safe_are_refused(headway, course, address, said):
    assert_sentence(headway("class", "lti", "--course", course, "--lineitems", address), said)
    assert not (course / ".headway" / "lti" / "platform.json").exists()


# What is wrong with the platform, or how it was set up.


@pytest.mark.full
def test_a_key_that_the_platform_does_not_know_is_told(send, platform):
    platform.tool_key = None
    told = "answered 401 when asked for leave to write", "`headway class lti` shows"
    assert_sentence(send("01"), *told)


@pytest.mark.full
def test_a_platform_that_answers_something_else_is_told(send, platform, monkeypatch):
    monkeypatch.setattr(platform, "give_token", lambda form: (200, {"hello": "you"}))
    assert_sentence(send("01"), "doesn't answer as LTI prescribes")


@pytest.mark.full
def test_a_platform_that_is_not_there_is_told(headway, course, platform, registered):
    headway("class", "lti", "--course", course, "--token-url", "http://127.0.0.1:9/token")
    done = headway("class", "export", "lti", "--course", course)
    assert done.code == 3
    assert "does not answer: no connection. It was asked 4 times." in done.err


def test_without_a_registration_it_says_what_to_set(headway, course):
    done = headway("class", "export", "lti", "--course", course)
    assert_sentence(done, "--issuer, --client-id, --token-url, --lineitems", code=2)


@pytest.mark.full
def test_a_hub_tells_the_addresses_of_its_only_course(headway, course):
    logins = course.parent / "platform" / "logins.json"
    logins.parent.mkdir()
    services = {"lineitems": "https://p.example/items", "members": "https://p.example/members"}
    logins.write_text(json.dumps({"people": {}, "courses": {COURSE: services}}))
    done = headway("class", "lti", "--course", course)
    assert "lineitems: https://p.example/items" in done.out
    assert "Still to be set, once the platform has told them: --issuer" in done.err


def test_options_of_another_platform_are_refused(headway, course):
    done = headway("class", "export", "moodle", "--course", course, "--dry-run")
    assert_sentence(done, "--dry-run is not for moodle")


# The test platform itself: what it has to refuse.


@pytest.mark.full
def test_the_platform_gives_no_token_for_an_assertion_of_another_key_or_twice(platform, send):
    other = JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None)
    said = {"iss": CLIENT, "sub": CLIENT, "aud": f"{platform.url}/token"}
    said |= {"iat": 1, "exp": 9e9, "jti": "1"}
    form = {"grant_type": ["client_credentials"], "client_assertion_type": [ASSERTION]}
    form |= {"scope": [""], "client_assertion": [jwt.encode(said, other, "RS256")]}
    assert platform.give_token(form)[0] == 401
    own = JWK.generate(kty="RSA", size=2048)
    platform.tool_key = json.loads(own.export_public())
    pem = own.export_to_pem(private_key=True, password=None)
    form["client_assertion"] = [jwt.encode(said, pem, "RS256")]
    assert [platform.give_token(form)[0] for _ in range(2)] == [200, 401]
    for wrong in ({"aud": "https://other.example"}, {"exp": 2}, {"iss": "another"}):
        form["client_assertion"] = [jwt.encode({**said, "jti": "2", **wrong}, pem, "RS256")]
        assert platform.give_token(form)[0] == 401
