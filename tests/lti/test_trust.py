"""What is secret stays so, and what is wrong with a platform, or how it was set up, is told."""

import json
import os
import stat

import pytest
import requests

from headway.grading.lti import service
from tests.commands.sentences import assert_sentence
from tests.lti.platform import COURSE, NAME


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


@pytest.mark.full
@pytest.mark.parametrize(
    ("what", "wrong", "told"),
    [
        ("tool_key", None, "answered 401 when asked for leave to write"),
        ("give_token", lambda form: (200, {"hello": "you"}), "doesn't answer as LTI prescribes"),
    ],
)
def test_what_is_wrong_with_a_platform_is_told(send, platform, monkeypatch, what, wrong, told):
    monkeypatch.setattr(platform, what, wrong)
    assert_sentence(send("01"), told, "`headway class lti` shows")


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
    assert "Still to be set, when the platform has told you: --issuer" in done.err


def test_options_of_another_platform_are_refused(headway, course):
    done = headway("class", "export", "moodle", "--course", course, "--dry-run")
    assert_sentence(done, "--dry-run is not for moodle")
