"""Requests to the platform's services through pylti1p3, with retries, timeouts and safe messages.

Requests go only to the platform's own hosts. Temporary failures are retried, and messages never
contain tokens.
"""

import re
import time
from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import requests
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector

from headway.errors import MachineError, UserError
from headway.grading.lti.registration import Platform, require_safe
from headway.grading.safe_text import one_line

AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
SCOPES = [AGS + "lineitem", AGS + "score"]
SECONDS, TRIES, LONGEST_WAIT = 30, 4, 30
PASSING = (429, 500, 502, 503, 504)
NEWER = 409  # the answer to a score that is not newer than the platform's
# A whole word with the start of a token in it. Possessive repeats avoid endless backtracking.
TOKEN = re.compile(
    r"(?<![\w-])(?=[\w-]*(?-i:eyJ))[\w-]++\.[\w-]++\.[\w-]*|Bearer\s+\S+", re.IGNORECASE
)
NEXT = re.compile(r'<([^<>]*)>\s*;[^,]*\brel="?next"?', re.IGNORECASE)
MOST_PAGES = 1_000

T = TypeVar("T")


class RequestRejected(Exception):  # noqa: N818 - an answer, and no error of ours
    """The platform rejects a request.

    Attributes:
        status: HTTP status of its answer.
        unsure: whether an earlier try may have succeeded, with only its answer lost.
    """

    def __init__(self, status: int, message: str, unsure: bool = False):
        super().__init__(message)
        self.status, self.unsure = status, unsure


class _Session(requests.Session):
    """Requests with a timeout, only to the given hosts, and without following redirects."""

    def __init__(self, hosts: set[str]):
        super().__init__()
        self._hosts = hosts
        self.auth = _as_it_is  # else a password in ~/.netrc replaces the token

    def request(self, method, url, **more):
        require_safe(url)
        if _host(url) not in self._hosts:
            raise UserError(
                f"The platform names {one_line(url, 200)!r}, which is another host than its own. "
                "Nothing was sent there."
            )
        more.setdefault("timeout", SECONDS)
        more["allow_redirects"] = False
        return super().request(method, url, **more)


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


class _Connector(ServiceConnector):
    """pylti1p3's connector, but the URL of the next page keeps its upper-case letters."""

    def make_service_request(self, scopes, url, **more):
        response = super().make_service_request(scopes, url, case_insensitive_headers=True, **more)
        found = NEXT.search(response["headers"].get("link", ""))
        response["next_page_url"] = urljoin(url, found[1]) if found else None
        return response

    def forget(self) -> None:
        """Discard the token, so that the next request gets a new one."""
        self._access_tokens.clear()


class Services:
    """A platform's grade items, scores and class list.

    Args:
        wait: called with the seconds to wait between two tries.
    """

    def __init__(
        self,
        platform: Platform,
        registration: Registration,
        wait: Callable[[float], None] = time.sleep,
    ):
        addresses = (platform.token_url, platform.lineitems, platform.members)
        session = _Session({_host(one) for one in addresses if one})
        self._connector = _Connector(registration, session)
        self._platform, self._wait = platform, wait
        data = {"scope": SCOPES, "lineitems": platform.lineitems}
        self._grades = AssignmentsGradesService(self._connector, data)

    def line_items(self) -> list[dict]:
        """All grade items that this tool may see."""
        return self._patiently(lambda: self._all(self._grades.get_lineitems_page))

    def create(self, item: LineItem, is_it: Callable[[dict], bool]) -> dict:
        """Create a grade item, unless an earlier try created it and only the answer was lost.

        Args:
            is_it: recognizes the item in the list of items.
        """

        def make() -> dict:
            for one in self._all(self._grades.get_lineitems_page):
                if is_it(one):
                    return one
            return self._connector.make_service_request(
                SCOPES,
                self._platform.lineitems,
                is_post=True,
                data=item.get_value(),
                content_type="application/vnd.ims.lis.v2.lineitem+json",
                accept="application/vnd.ims.lis.v2.lineitem+json",
            )["body"]

        return self._patiently(make)

    def put(self, grade: Grade, item: dict) -> None:
        """Send a score; sending the same score again changes nothing.

        Raises:
            RequestRejected: if the platform rejects it.
        """
        self._patiently(lambda: self._grades.put_grade(grade, LineItem(item)))

    def members(self) -> list[dict]:
        """The class list; empty if the platform has none."""
        if not self._platform.members:
            return []
        data = {"context_memberships_url": self._platform.members}
        service = NamesRolesProvisioningService(self._connector, data)
        return self._patiently(lambda: self._all(service.get_members_page))

    @staticmethod
    def _all(page: Callable[[str | None], tuple[list[dict], str | None]]) -> list[dict]:
        found, address = [], None
        for _ in range(MOST_PAGES):
            more, address = page(address)
            if not all(isinstance(one, dict) for one in more):
                raise LtiException("its list holds something else than it should")
            found += more
            if not address:
                return found
        raise LtiException("its list has no end")

    def _patiently(self, ask: Callable[[], T]) -> T:
        """Send a request, and retry it after a temporary failure or with a new token."""
        why, renewed, unsure = "", False, False
        for attempt in range(TRIES):
            seconds = 2.0**attempt
            try:
                return ask()
            except LtiServiceException as error:
                answer = error.response
                why = self._told(answer)
                if answer.status_code == 401 and not renewed and self._is_service(answer):
                    self._connector.forget()
                    renewed, seconds = True, 0.0
                elif answer.status_code not in PASSING:
                    raise RequestRejected(answer.status_code, why, unsure) from error
                else:
                    unsure = True
                    asked = answer.headers.get("Retry-After", "")
                    seconds = float(asked) if asked.isdecimal() else seconds
            except requests.RequestException as error:
                unsure = True
                why = f"{_host(self._platform.lineitems)} does not answer: {_reason(error)}"
            except (LtiException, ValueError, KeyError, AttributeError) as error:
                raise UserError(
                    f"{_host(self._platform.lineitems)} doesn't answer as LTI prescribes: "
                    f"{one_line(_hidden(str(error)), 200)}. `headway class lti` shows the "
                    "addresses."
                ) from error
            if attempt < TRIES - 1:
                self._wait(min(seconds, LONGEST_WAIT))
        raise MachineError(
            f"{why}. It was asked {TRIES} times. What was sent is kept; run the "
            "same command to go on."
        )

    def _is_service(self, answer: requests.Response) -> bool:
        return answer.url.partition("?")[0] != self._platform.token_url.partition("?")[0]

    def _told(self, answer: requests.Response) -> str:
        where = "" if self._is_service(answer) else " when asked for leave to write"
        text = one_line(_hidden(answer.text), 200)
        return f"{_host(answer.url)} answered {answer.status_code}{where}: {text or 'no reason'}"


def _hidden(text: str) -> str:
    """The text without tokens, which a platform's answer may repeat."""
    return TOKEN.sub("…", text)


def _reason(error: requests.RequestException) -> str:
    kinds = {requests.Timeout: "it takes too long", requests.exceptions.SSLError: "bad certificate"}
    return next(
        (words for kind, words in kinds.items() if isinstance(error, kind)), "no connection"
    )


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()
