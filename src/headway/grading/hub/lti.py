"""Logging in from a learning platform (LTI 1.3) as accounts of this machine.

`ltiauthenticator` checks what the platform signed. Here is what else an account of a machine needs:
a person of the platform has one account for good, no account that was there before is given to
somebody because of a name or an address of mail, which people can choose, and a signed message
opens the door once.

    DIR/state/people.json         whose each account is; root's alone
    DIR/platform/logins.json      the same for the teacher, who sends scores to the platform
"""

import json
import os
import pwd
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from jupyterhub.auth import LocalAuthenticator
from ltiauthenticator.lti13.auth import LTI13Authenticator
from tornado.web import HTTPError
from traitlets import Dict, Set, Unicode, default

from headway.grading.files import write_private
from headway.grading.hub.accounts import ADD_ACCOUNT, account
from headway.grading.hub.settings import COURSE, STATE
from headway.grading.lti.users import LOGINS

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
OLDEST = 3600  # seconds; a message that is older is refused for its age
LONGEST = 32  # of an account's name


class PlatformLogin(LTI13Authenticator, LocalAuthenticator):
    """Lets people in who open the hub from a course of a learning platform.

    An account's name is the part of the claim `username_key` before an @, in small letters. The
    account is made if there is none and `create_system_users` says so.
    """

    folder = Unicode(help="The classroom's.").tag(config=True)
    reader = Unicode(help="The teacher's account, which sends scores.").tag(config=True)
    deployments = Set(Unicode(), help="The tool's deployments; others are refused.").tag(
        config=True
    )
    courses = Set(
        Unicode(), help="The platform's ids of courses whose people may come in; empty: all."
    ).tag(config=True)
    people = Dict(
        Unicode(),
        Unicode(),
        help="Accounts that were there before, by the platform's id of the person.",
    ).tag(config=True)

    @default("add_user_cmd")
    def _add_user_cmd(self) -> list[str]:
        return ADD_ACCOUNT

    def __init__(self, **more: Any):
        super().__init__(**more)
        self._used: dict[str, float] = {}

    async def authenticate(self, handler: Any, data: dict[str, Any] | None = None) -> dict:
        """The account of whoever a message is about, which was verified already.

        Raises:
            HTTPError: if they may not come in.
        """
        claims = data or {}
        self._use_once(claims)
        if (deployment := claims[f"{CLAIM}deployment_id"]) not in self.deployments:
            unknown = "This deployment of the tool is not known here."
            self._refuse(unknown, claims, f"It is {deployment!r}.")
        course = claims.get(f"{CLAIM}context") or {}
        if self.courses and course.get("id") not in self.courses:
            self._refuse("People of this course may not come in here.", claims)
        user = claims.get("sub")
        if not user:
            self._refuse("The platform does not say who you are.", claims)
        name = self._account_of(str(user), claims)
        self._keep(name, str(user), course, claims)
        self.log.info("%r of the platform, course %r, is %s here", user, course.get("id"), name)
        return {"name": name}

    def _use_once(self, claims: dict[str, Any]) -> None:
        now = time.monotonic()
        self._used = {one: when for one, when in self._used.items() if when > now - OLDEST}
        if claims["nonce"] in self._used:
            self._refuse("This login was used before. Open the tool again.", claims)
        self._used[claims["nonce"]] = now

    def _account_of(self, user: str, claims: dict[str, Any]) -> str:
        known = self._known()["people"]
        for name, whose in known.items():
            if whose == user:
                return name
        if user in self.people:
            name = self.people[user]
            if name in known:
                self._refuse(f"The account {name} is another person's.", claims)
            return name
        name = account_name(str(claims.get(self.username_key) or ""))
        if not name:
            self._refuse("The platform gives no name that an account could have.", claims)
        if name in known:
            self._refuse(
                f"The account {name} is another person's. Ask your teacher for one of your own.",
                claims,
                f"This gives them another: c.PlatformLogin.people = {{{user!r}: '{name}-2'}}",
            )
        if self.is_taken(name):
            self._refuse(
                f"The account {name} was there before. If it is yours, your teacher can say so.",
                claims,
                f"If it is theirs: c.PlatformLogin.people = {{{user!r}: {name!r}}}",
            )
        if self._is_of_another_address(name, str(claims.get("email") or "")):
            self._refuse(
                f"{name} stands in the class list with another address of mail. If it is you, "
                "your teacher can say so.",
                claims,
                f"If it is them: c.PlatformLogin.people = {{{user!r}: {name!r}}}",
            )
        return name

    def _is_of_another_address(self, name: str, mail: str) -> bool:
        """Whether the class list has a student of this name with another address of mail.

        People can choose the part of an address before its @, but hardly the whole.
        """
        gradebook = Path(self.folder) / COURSE / "gradebook.db"
        if not gradebook.exists():
            return False
        with closing(sqlite3.connect(f"{gradebook.absolute().as_uri()}?mode=ro", uri=True)) as book:
            listed = book.execute("SELECT id, email FROM student WHERE email <> ''").fetchall()
        of_name = [address for student, address in listed if account_name(student) == name]
        return bool(of_name) and mail.casefold() not in map(str.casefold, of_name)

    def is_taken(self, name: str) -> bool:
        """Whether this machine has an account of a name."""
        try:
            pwd.getpwnam(name)
        except KeyError:
            return False
        return True

    def _refuse(self, why: str, claims: dict[str, Any], more: str = "") -> None:
        self.log.warning("Refused %r of the platform. %s %s", claims.get("sub"), why, more)
        raise HTTPError(403, why)

    def _known(self) -> dict[str, dict]:
        """Whose each account is, and the courses that people came from."""
        try:
            return json.loads((Path(self.folder) / STATE / "people.json").read_text("utf-8"))
        except FileNotFoundError:
            return {"people": {}, "courses": {}}

    def _keep(self, name: str, user: str, course: dict, claims: dict[str, Any]) -> None:
        known = self._known()
        before = json.dumps(known)
        known["people"][name] = user
        if identity := course.get("id"):
            services = {
                "title": str(course.get("title") or course.get("label") or ""),
                "lineitems": str((claims.get(GRADES) or {}).get("lineitems") or ""),
                "members": str((claims.get(MEMBERS) or {}).get("context_memberships_url") or ""),
            }
            known["courses"][str(identity)] = services
        text = json.dumps(known, indent=2)
        if json.loads(before) != known:
            write_private(Path(self.folder) / STATE / "people.json", text)
        logins = Path(self.folder) / LOGINS
        if self.reader and (json.loads(before) != known or not logins.exists()):
            # The folder is root's, so that nobody can put a link there.
            logins.parent.mkdir(mode=0o755, exist_ok=True)
            reader = account(self.reader) if os.getuid() == 0 else None
            write_private(logins, text, reader and (reader.uid, reader.gid))


def account_name(text: str) -> str:
    """A name that an account can have: "Ada.Lovelace@x.example" becomes ada-lovelace; or ""."""
    name = re.sub("[^a-z0-9]+", "-", text.partition("@")[0].casefold()).strip("-")
    name = name if name[:1].isalpha() or not name else f"u{name}"
    return name[:LONGEST].rstrip("-")
