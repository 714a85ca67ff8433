"""ngshare's REST API, as far as an exchange needs it.

Who asks is whose token it is: the one that JupyterHub gives to each server. ngshare asks the hub
for the name, so nobody can say another.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

import requests

from headway.grading.words import one_line
from headway.hub.ngshare.files import File

SECONDS = (10, 120)  # to connect, and between two pieces of an answer
MOST_BYTES = 160_000_000  # of an answer; ngshare takes no more than 100 MiB
PIECE = 1 << 20
FORMAT = "%Y-%m-%d %H:%M:%S.%f"


class Refused(Exception):  # noqa: N818 - an answer, and no error of ours
    """ngshare does not do what it was asked, or what it answers is no JSON object.

    Attributes:
        status: of its answer; 0 if there is none.
    """

    def __init__(self, message: str, status: int = 0):
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Submission:
    """That something was handed in.

    Attributes:
        student: as the hub calls them.
        when: by ngshare's clock, in UTC without a zone, as nbgrader has times.
    """

    student: str
    when: datetime


class Service:
    """What one person may ask ngshare.

    Args:
        url: of the service, with its prefix.
        token: of the person who asks.
    """

    def __init__(self, url: str, token: str):
        self._url = url.rstrip("/")
        self._session = requests.Session()
        # No proxy, and no password of ~/.netrc in the token's place.
        self._session.trust_env = False
        # A line's end would be refused, with the token in the message.
        self._session.headers["Authorization"] = f"token {token.strip()}"

    def courses(self) -> list[str]:
        """Those that this person takes or teaches."""
        return self._ask("GET", "courses")["courses"]

    def assignments(self, course: str) -> list[str]:
        """Those that are released."""
        return self._ask("GET", "assignments", course)["assignments"]

    def released(self, course: str, assignment: str, names_only: bool = False) -> list[File]:
        """The files of an assignment."""
        return self._files("assignment", course, assignment, names_only=names_only)

    def release(self, course: str, assignment: str, files: Sequence[File]) -> None:
        """Release an assignment that is not there yet."""
        self._ask("POST", "assignment", course, assignment, form={"files": json.dumps(files)})

    def remove(self, course: str, assignment: str) -> None:
        """Take an assignment back, and with it all that was handed in and all feedback."""
        self._ask("DELETE", "assignment", course, assignment)

    def submissions(self, course: str, assignment: str) -> list[Submission]:
        """All that was handed in, the earlier of a student as well."""
        found = self._ask("GET", "submissions", course, assignment)["submissions"]
        return [Submission(one["student_id"], read_time(one["timestamp"])) for one in found]

    def submission(
        self, course: str, assignment: str, one: Submission, names_only: bool = False
    ) -> list[File]:
        """The files that were handed in."""
        place = ("submission", course, assignment, one.student)
        return self._files(*place, names_only=names_only, timestamp=one.when.strftime(FORMAT))

    def submit(self, course: str, assignment: str, files: Sequence[File]) -> datetime:
        """Hand in; the time by ngshare's clock."""
        form = {"files": json.dumps(files)}
        return read_time(
            self._ask("POST", "submission", course, assignment, form=form)["timestamp"]
        )

    def feedback(
        self, course: str, assignment: str, one: Submission, names_only: bool = False
    ) -> list[File]:
        """The pages that were returned for a submission."""
        place = ("feedback", course, assignment, one.student)
        return self._files(*place, names_only=names_only, timestamp=one.when.strftime(FORMAT))

    def release_feedback(
        self, course: str, assignment: str, one: Submission, files: Sequence[File]
    ) -> None:
        """Return pages for a submission, in the place of those that were returned before."""
        form = {"timestamp": one.when.strftime(FORMAT), "files": json.dumps(files)}
        self._ask("POST", "feedback", course, assignment, one.student, form=form)

    def _files(self, *place: str, names_only: bool, **query: str) -> list[File]:
        return self._ask("GET", *place, query={"list_only": str(names_only).lower(), **query})[
            "files"
        ]

    def _ask(self, method: str, *place: str, query: dict | None = None, form: dict | None = None):
        """What ngshare answers.

        Raises:
            Refused: if it is no success.
        """
        url = "/".join([self._url, *(quote(part, safe="") for part in place)])
        asked = one_line(f"{method} {'/'.join(place)}")  # names are strangers' words, too
        try:
            with self._session.request(
                method, url, params=query, data=form, timeout=SECONDS, stream=True,
                allow_redirects=False,
            ) as response:  # fmt: skip
                status, text = response.status_code, _read(response)
        except requests.RequestException as error:
            raise Refused(f"ngshare cannot be reached: {one_line(str(error))}") from error
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Refused(f"ngshare answers {asked} with {status}", status)
        if status != requests.codes.ok or not answer.get("success"):
            why = one_line(str(answer.get("message")))
            raise Refused(f"ngshare refuses {asked}: {why}", status)
        return answer


def _read(response: requests.Response) -> bytearray:
    """The answer, if it is not too large."""
    read = bytearray()
    for piece in response.iter_content(PIECE):
        read += piece
        if len(read) > MOST_BYTES:
            raise Refused(f"ngshare's answer is larger than {MOST_BYTES} bytes")
    return read


def read_time(text: str) -> datetime:
    """A time as ngshare writes it, with its zone or without: it is always UTC."""
    return datetime.strptime(text.removesuffix(" UTC"), FORMAT)
