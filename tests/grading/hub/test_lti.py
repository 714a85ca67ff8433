"""Logging in to a real JupyterHub from a platform: who comes in as whom, and who does not."""

import base64
import json
import os
import pwd
import shutil
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS
from tornado.web import HTTPError

from headway.grading.hub.lti import PlatformLogin, account_name
from headway.grading.hub.settings import STATE
from tests.full import full_but
from tests.grading.classroom import gradebook_of
from tests.grading.hub.running import free_port, running
from tests.lti.platform import CLAIM, COURSE, Platform

HERE = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture(scope="module")
def platform():
    with Platform() as running:
        yield running


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    folder = tmp_path_factory.mktemp("room")
    (folder / "state").mkdir()
    return folder


@pytest.fixture(scope="module")
def hub(platform, room):
    """The address of a hub that knows the platform, with accounts in name only."""
    with running_hub(platform, room, real=False) as url:
        yield url


@contextmanager
def running_hub(platform, room, real):
    port = free_port()
    given = {"platform": platform.url, "port": port, "folder": str(room), "reader": HERE}
    given |= {"real": real, "accounts": ["root", "teacher", "demo-teacher"]}
    command = [sys.executable, "-m", "jupyterhub", "-f", Path(__file__).with_name("lti_hub.py")]
    environment = {**os.environ, "HUB_SETTINGS": json.dumps(given)}
    address = f"http://127.0.0.1:{port}"
    with running(command, address, room / "log", env=environment, cwd=room):
        yield f"{address}/hub"


class Visit:
    """A browser that opens the tool from the platform."""

    def __init__(self, hub, platform):
        self.hub, self.platform = hub, platform
        self.browser = requests.Session()
        asked = {"iss": platform.url, "login_hint": "1", "client_id": "client-1"}
        asked["target_link_uri"] = f"{hub}/home"
        answer = self.browser.post(f"{hub}/lti13/oauth_login", asked, allow_redirects=False)
        assert answer.status_code == 302, answer.text
        to = urlsplit(answer.headers["Location"])
        assert f"{to.scheme}://{to.netloc}{to.path}" == f"{platform.url}/authorize"
        self.asked = {name: values[0] for name, values in parse_qs(to.query).items()}
        assert self.asked["redirect_uri"] == f"{hub}/lti13/oauth_callback"

    def claims(self, user, **more):
        return self.platform.claims(user, self.asked["nonce"], **more)

    def come(self, token, state=None):
        """The status of what the hub answers to a message."""
        form = {"id_token": token, "state": self.asked["state"] if state is None else state}
        where = f"{self.hub}/lti13/oauth_callback"
        return self.browser.post(where, form, allow_redirects=False).status_code

    def come_as(self, user, **more):
        """What the hub answers to what the platform says of somebody."""
        return self.come(self.platform.signed(self.claims(user, **more)))

    def name(self):
        """Who the hub takes this browser's visitor for; None if nobody came in."""
        page = self.browser.get(f"{self.hub}/home", allow_redirects=False)
        if page.status_code != 200:
            return None
        return page.text.partition('user: "')[2].partition('"')[0]


@pytest.fixture
def visit(hub, platform):
    return Visit(hub, platform)


def test_a_person_of_the_platform_comes_in_and_keeps_one_account(hub, platform, room):
    for mail in ("Ada.Lovelace@x.example", "countess@x.example"):
        visit = Visit(hub, platform)
        assert visit.name() is None
        assert visit.come_as("u-ada", email=mail) == 302
        assert visit.name() == "ada-lovelace"
    teacher = Visit(hub, platform)
    assert teacher.come_as("u-teacher") == 302
    assert teacher.name() == "teacher", "as the configuration says"
    known = json.loads((room / "platform" / "logins.json").read_text())
    assert known["people"]["ada-lovelace"] == "u-ada"
    services = {"title": "Transformers", "lineitems": platform.lineitems}
    assert known["courses"] == {COURSE: {**services, "members": platform.members}}
    for path in (room / "platform" / "logins.json", room / "state" / "people.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nobody_takes_the_account_of_a_student_of_the_class_list_by_a_chosen_address(
    hub, platform, room
):
    course = room / "course"
    course.mkdir()
    with gradebook_of(course) as gradebook:
        gradebook.add_student("hedy.lamarr", email="Hedy.Lamarr@uni.example")
        gradebook.add_student("grace")
    try:
        for user, mail, status in (
            ("u-mallory", "hedy.lamarr@elsewhere.example", 403),
            ("u-hedy", "hedy.lamarr@uni.example", 302),
            ("u-grace", "grace@uni.example", 302),
        ):
            assert Visit(hub, platform).come_as(user, email=mail) == status, user
    finally:
        shutil.rmtree(course)


def test_a_slip_in_the_configuration_gives_nobody_another_s_account(tmp_path):
    (tmp_path / STATE).mkdir()
    known = json.dumps({"people": {"ada": "u-ada"}, "courses": {}})
    (tmp_path / STATE / "people.json").write_text(known, encoding="utf-8")
    login = PlatformLogin(folder=str(tmp_path), people={"u-eve": "ada", "u-bob": "bob"})
    assert login._account_of("u-bob", {}) == "bob"
    with pytest.raises(HTTPError, match="The account ada is another person's"):
        login._account_of("u-eve", {})


@pytest.mark.full
@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("useradd"), reason="only root can")
def test_an_account_is_made_for_whoever_comes_first(platform, tmp_path):
    (tmp_path / "state").mkdir()
    name = f"hw-lti-{os.getpid()}"
    try:
        with running_hub(platform, tmp_path, real=True) as url:
            visit = Visit(url, platform)
            assert visit.come_as("u-new", email=f"{name}@x.example") == 302
            assert visit.name() == name
            home = Path(pwd.getpwnam(name).pw_dir)
            assert stat.S_IMODE(home.stat().st_mode) == 0o700
            assert Visit(url, platform).come_as("u-thief", email=f"{HERE}@x.example") == 403
    finally:
        subprocess.run(["userdel", "--remove", name], check=False, capture_output=True)


def public_key_as_a_password(visit, platform):
    """HS256 with the platform's public key, which everybody knows, as the secret."""
    header = {"alg": "HS256", "typ": "JWT", **NAMED}
    parts = [header, visit.claims("u-1")]
    coded = [base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=") for one in parts]
    secret = JWK(k=base64.urlsafe_b64encode(platform.key.export_to_pem()).decode(), kty="oct")
    jws = JWS(base64.urlsafe_b64decode(coded[1] + b"==="))
    jws.add_signature(secret, None, json.dumps(header))
    return jws.serialize(compact=True)


def changed_afterwards(visit, platform):
    header, _, signature = platform.signed(visit.claims("u-1")).split(".")
    body = json.dumps(visit.claims("u-teacher")).encode()
    return f"{header}.{base64.urlsafe_b64encode(body).decode().rstrip('=')}.{signature}"


def signature_cut_off(visit, platform):
    return platform.signed(visit.claims("u-1")).rpartition(".")[0] + "."


def signed_by_another(**header):
    """With a key of the attacker's own."""
    other = JWK.generate(kty="RSA", size=2048)
    return lambda visit, platform: platform.signed(visit.claims("u-1"), other, **header)


def says(**claims):
    """A message that is signed rightly and says this."""

    def make(visit, platform):
        said = visit.claims("u-1") | {"email": "one@x.example"} | claims
        return platform.signed({name: one for name, one in said.items() if one is not None})

    return make


NOW = time.time()
NAMED = {"kid": "platform-key"}
ATTACKS = {
    "signed with another key": (signed_by_another(), 400),
    "signed with a key that the platform does not list": (signed_by_another(kid="mine"), 400),
    "alg: none": (lambda visit, _: jwt.encode(visit.claims("u-1"), None, "none", NAMED), 400),
    "signature cut off": (signature_cut_off, 400),
    "HS256 with the public key as the secret": (public_key_as_a_password, 400),
    "body exchanged after signing": (changed_afterwards, 400),
    "for another tool (aud)": (says(aud="client-2"), 401),
    "for several tools (azp)": (says(aud=["client-1", "client-2"], azp="client-2"), 401),
    "of another platform (iss)": (says(iss="https://other.example"), 400),
    "expired": (says(exp=int(NOW) - 10), 400),
    "issued too long ago": (says(iat=int(NOW) - 3600, exp=int(NOW) + 3600), 400),
    "not valid yet (iat)": (says(iat=int(NOW) + 86_400, exp=int(NOW) + 172_800), 400),
    "another nonce": (says(nonce="0" * 64), 400),
    "no nonce": (says(nonce=None), 400),
    "no exp": (says(exp=None), 400),
    "another deployment": (says(**{f"{CLAIM}deployment_id": "deployment-2"}), 403),
    "another course": (says(**{f"{CLAIM}context": {"id": "course-8"}}), 403),
    "nobody (no sub)": (says(sub=None), 403),
    "another version of LTI": (says(**{f"{CLAIM}version": "1.1"}), 400),
    "root's name": (says(sub="u-x", email="root@x.example"), 403),
    "the teacher's name": (says(sub="u-x", email="Demo.Teacher@x.example"), 403),
    "no name": (says(sub="u-x", email="@"), 403),
}

SHORT = {
    *("signed with another key", "alg: none", "HS256 with the public key as the secret"),
    *("for another tool (aud)", "expired", "another nonce", "another deployment", "root's name"),
}


@pytest.mark.parametrize("attack", full_but(SHORT.__contains__, ATTACKS))
def test_what_the_platform_did_not_say_opens_no_door(visit, platform, attack):
    make, status = ATTACKS[attack]
    assert visit.come(make(visit, platform)) == status
    assert visit.name() is None


def test_another_s_name_or_address_gives_nobody_their_account(hub, platform):
    thief = Visit(hub, platform)
    assert Visit(hub, platform).come_as("u-emmy", email="emmy@x.example") == 302
    assert thief.come_as("u-thief", email="Emmy@other.example") == 403
    assert thief.name() is None


def test_a_message_with_another_state_or_none_is_refused(hub, platform):
    for state in ("", "another", Visit(hub, platform).asked["state"]):
        visit = Visit(hub, platform)
        assert visit.come(platform.signed(visit.claims("u-2")), state) in (400, 403)
        assert visit.name() is None


def test_a_message_for_another_s_browser_is_refused(hub, platform):
    """Login CSRF: what an attacker was given, sent by somebody else's browser."""
    attacker, victim = Visit(hub, platform), Visit(hub, platform)
    token = platform.signed(attacker.claims("u-3"))
    assert victim.come(token, attacker.asked["state"]) == 400
    assert victim.come(token) == 400
    assert victim.name() is None


def test_a_message_opens_the_door_once_even_with_all_cookies_kept(hub, platform):
    visit = Visit(hub, platform)
    kept = visit.browser.cookies.copy()
    token = platform.signed(visit.claims("u-4", email="four@x.example"))
    assert visit.come(token) == 302
    again = Visit(hub, platform)
    again.browser.cookies, again.asked = kept, visit.asked
    assert again.come(token) == 403
    assert again.name() is None


def test_there_is_no_other_way_in(hub):
    callback, form = f"{hub}/lti13/oauth_callback", {"username": "teacher", "password": ""}
    assert requests.get(callback, timeout=30).status_code == 405
    assert requests.post(callback, timeout=30).status_code == 400
    assert requests.post(f"{hub}/login", form, timeout=30).status_code in (403, 404, 405)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada.Lovelace@x.example", "ada-lovelace"),
        ("0042", "u0042"),
        ("../../root", "root"),
        ("-rf", "rf"),
        ("Łukasz", "ukasz"),
        ("a" * 99, "a" * 32),
    ],
)
def test_a_name_of_the_platform_becomes_one_that_an_account_can_have(text, name):
    assert account_name(text) == name
