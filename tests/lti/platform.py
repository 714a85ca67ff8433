"""A small learning platform on this machine: OpenID login, tokens, grade items, scores, members.

It checks what platforms check, and fails as a test asks it to. Its rules for scores are Moodle's,
the strictest: `mod/lti/service/gradebookservices/classes/local/resources/scores.php`.
"""

import json
import secrets
import threading
import time
from collections import defaultdict
from datetime import datetime
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
from jwcrypto.jwk import JWK

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
CLIENT, DEPLOYMENT, COURSE = "client-1", "deployment-1", "course-7"
NAME, OTHER, BONUS = "01-one-hot", "02-markov-chain", "20-capstone"  # assignments
PAGE = 2  # entries; so that a class has several pages


def person(
    user: str, mail: str = "", school: str = "", role: str = "Learner", canvas: tuple = ()
) -> dict:
    """A member of the course; `canvas` is their number and login there."""
    names = ("canvas_user_id", "canvas_user_login_id")
    message = {f"https://www.instructure.com/{n}": v for n, v in zip(names, canvas, strict=False)}
    return {
        "user_id": user,
        "email": mail,
        "lis_person_sourcedid": school,
        "status": "Active",
        "message": [message],
        "roles": [f"http://purl.imsglobal.org/vocab/lis/v2/membership#{role}"],
    }


@cache
def _key() -> JWK:
    return JWK.generate(kty="RSA", size=2048, kid="platform-key")


class Platform:
    """The platform; runs while it is entered.

    Attributes:
        people: members of the course.
        items: grade items, by their address.
        scores: by address of the item and person, the score that counts.
        posted: all scores that were taken, in their order.
        failures: by method and end of the path, what happens to the next requests: a status, or
            "drop", which does as asked and closes the connection without an answer.
        visitor: who is logged in to the platform in whatever browser asks.
        tool_key: the tool's public key as a JWK, once it is registered.
    """

    def __init__(self):
        self.key = _key()
        self.people, self.items, self.scores, self.posted = [], {}, {}, []
        self.failures = defaultdict(list)
        self.tool_key: dict | None = None
        self.visitor = ""
        self._tokens: dict[str, set[str]] = {}
        self._assertions: set[str] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.platform = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.lineitems = f"{self.url}/{COURSE}/lineitems?type_id=3"
        self.members = f"{self.url}/{COURSE}/members"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *what):
        self._server.shutdown()
        self._server.server_close()

    def claims(self, user: str, nonce: str, **more) -> dict:
        """What an id_token says of somebody who opens the tool."""
        now = int(time.time())
        return {
            "iss": self.url,
            "aud": CLIENT,
            "sub": user,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "email": f"{user}@x.example",
            "name": user,
            f"{CLAIM}message_type": "LtiResourceLinkRequest",
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": DEPLOYMENT,
            f"{CLAIM}target_link_uri": "http://127.0.0.1/hub",
            f"{CLAIM}roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
            f"{CLAIM}resource_link": {"id": "link-1"},
            f"{CLAIM}context": {"id": COURSE, "label": "TF101", "title": "Transformers"},
            f"{AGS}claim/endpoint": {"lineitems": self.lineitems, "scope": []},
            f"{NRPS}claim/namesroleservice": {"context_memberships_url": self.members},
            **more,
        }

    def signed(self, claims: dict, key: JWK | None = None, **header) -> str:
        """An id_token, signed with the platform's key or another."""
        pem = (key or self.key).export_to_pem(private_key=True, password=None)
        return jwt.encode(claims, pem, "RS256", headers={"kid": "platform-key", **header})

    def give_token(self, form: dict[str, list[str]]) -> tuple[int, dict]:
        """The answer to a request for a token: RFC 7523, with the tool's key."""
        if form.get("grant_type") != ["client_credentials"]:
            return 400, {"error": "unsupported_grant_type"}
        if form.get("client_assertion_type") != [ASSERTION] or not self.tool_key:
            return 401, {"error": "invalid_client"}
        try:
            said = jwt.decode(
                form["client_assertion"][0],
                jwt.PyJWK(self.tool_key).key,
                algorithms=["RS256"],
                audience=f"{self.url}/token",
                issuer=CLIENT,
                options={"require": ["iss", "sub", "aud", "iat", "exp", "jti"]},
            )
        except jwt.PyJWTError as error:
            return 401, {"error": "invalid_client", "error_description": str(error)}
        if said["sub"] != CLIENT or said["jti"] in self._assertions:
            return 401, {"error": "invalid_client", "error_description": "used before"}
        self._assertions.add(said["jti"])
        token = secrets.token_urlsafe(30)
        self._tokens[token] = set(form["scope"][0].split())
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600}

    def allows(self, header: str, scope: str) -> bool:
        return scope in self._tokens.get(header.removeprefix("Bearer "), set())

    def take_score(self, item: str, score: dict) -> tuple[int, dict]:
        user, stamp = score.get("userId"), score.get("timestamp", "")
        known = {one["user_id"] for one in self.people}
        try:
            when = int(datetime.fromisoformat(stamp).timestamp())
        except ValueError:
            return 400, {"error": "Incorrect score received"}
        if user not in known or "scoreMaximum" not in score or "gradingProgress" not in score:
            return 400, {"error": "Incorrect score received"}
        before = self.scores.get((item, user))
        if before and before["when"] >= when:
            return 409, {"error": f"Refusing score with an earlier timestamp for user {user}"}
        self.scores[item, user] = {**score, "when": when}
        self.posted.append(score)
        return 200, {}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self._serve(b"")

    def do_POST(self):
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def log_message(self, *what):
        pass

    def _serve(self, body: bytes) -> None:
        platform, parts = self.server.platform, urlsplit(self.path)
        if parts.path in ("/authorize", "/course"):
            self._show(parts)
            return
        planned = platform.failures[self.command, parts.path.rpartition("/")[2]]
        failure = planned.pop(0) if planned else None
        if isinstance(failure, int):
            what = {"error": f"as planned {self.headers.get('Authorization')}"}
            self._answer(failure, json.dumps(what))
            return
        status, what, *link = self._do(parts, body)
        if failure == "drop":
            self.close_connection = True
            self.connection.shutdown(2)
            return
        self._answer(status, json.dumps(what), *link)

    def _show(self, parts) -> None:
        """What a browser sees: a link of a course to a tool, and the form that sends it on."""
        platform, asked = self.server.platform, parse_qs(parts.query)
        if parts.path == "/course":
            where, fields = asked["tool"][0], {"iss": platform.url, "login_hint": "1"}
            fields |= {"client_id": CLIENT, "target_link_uri": asked["open"][0]}
        else:
            where = asked["redirect_uri"][0]
            token = platform.signed(platform.claims(platform.visitor, asked["nonce"][0]))
            fields = {"id_token": token, "state": asked["state"][0]}
        inputs = (f'<input name="{n}" value="{escape(v)}">' for n, v in fields.items())
        form = f'<form method="post" action="{escape(where)}">{"".join(inputs)}</form>'
        page = f"<!doctype html>{form}<script>document.forms[0].submit()</script>"
        self._answer(200, page, kind="text/html")

    def _answer(self, status: int, text: str, link: str = "", kind="application/json") -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Link": link}.items():
            if value:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def _do(self, parts, body: bytes) -> tuple:
        """The status, what is answered, and the header with the address of a next page."""
        platform, path = self.server.platform, parts.path
        leave = self.headers.get("Authorization", "")
        if path == "/jwks":
            return 200, {"keys": [json.loads(platform.key.export_public())]}
        if path == "/token":
            return platform.give_token(parse_qs(body.decode()))
        if path == f"/{COURSE}/members":
            if not platform.allows(leave, f"{NRPS}scope/contextmembership.readonly"):
                return 401, {"error": "no leave"}
            return self._page(parts, platform.people, lambda page: {"members": page})
        if not path.startswith(f"/{COURSE}/lineitems"):
            return 404, {"error": "nothing here"}
        if path.endswith("/scores"):
            if not platform.allows(leave, f"{AGS}scope/score"):
                return 401, {"error": "no leave"}
            if self.headers["Content-Type"] != "application/vnd.ims.lis.v1.score+json":
                return 415, {"error": "another type"}
            item = platform.url + self.path.replace("/scores", "")
            if item not in platform.items:
                return 404, {"error": "no such item"}
            return platform.take_score(item, json.loads(body))
        if not platform.allows(leave, f"{AGS}scope/lineitem"):
            return 401, {"error": "no leave"}
        if self.command == "GET":
            return self._page(parts, list(platform.items.values()), lambda page: page)
        item = json.loads(body)
        if not item.get("scoreMaximum", 0) > 0 or not item.get("label"):
            return 400, {"error": "no item"}
        address = f"{platform.url}/{COURSE}/lineitems/{len(platform.items)}/lineitem?type_id=3"
        platform.items[address] = {**item, "id": address}
        return 201, platform.items[address]

    def _page(self, parts, entries: list, shaped) -> tuple:
        """A page, and the address of the next, in which capitals matter."""
        asked = parse_qs(parts.query).get("page", ["Page0"])[0]
        if not asked.startswith("Page"):
            return 400, {"error": "no such page"}
        first = int(asked.removeprefix("Page")) * PAGE
        page = shaped(entries[first : first + PAGE])
        if first + PAGE >= len(entries):
            return 200, page
        url = f"{self.server.platform.url}{parts.path}?page=Page{first // PAGE + 1}"
        return 200, page, f'<{url}>; rel="next"'
