"""nbgrader's verbs over ngshare.

nbgrader's own exchange is a folder, and its code for that is kept: each command gets a folder of
its own that holds what ngshare has, as far as the command needs it, and what the command puts there
is sent. The folder is gone afterwards.

    outbound/ASSIGNMENT/               what was released
    inbound/STUDENT+ASSIGNMENT+TIME+…  what was handed in
    feedback/HASH.html                 what was returned; nbgrader makes the hash from a secret
                                       that stays in the student's cache
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from glob import glob
from pathlib import Path
from tempfile import TemporaryDirectory

from nbgrader.exchange.default import (
    Exchange,
    ExchangeCollect,
    ExchangeFetchAssignment,
    ExchangeFetchFeedback,
    ExchangeList,
    ExchangeReleaseAssignment,
    ExchangeReleaseFeedback,
    ExchangeSubmit,
)
from nbgrader.utils import notebook_hash, parse_utc
from traitlets import Unicode

from headway.grading.nbgrader import collect
from headway.grading.nbgrader.collect import SECRET, TIMESTAMP
from headway.grading.platforms.people import is_folder_name
from headway.grading.words import listed, one_line
from headway.hub.ngshare.files import File, is_name, pack, packed, unpack
from headway.hub.ngshare.service import FORMAT, Refused, Service, Submission

ALL = ("", "*")
MOST_NAMED = 5  # of what was left out
GONE = 404  # of an assignment or a submission


class NgshareExchange(Exchange):
    """What the verbs share: the service, and a folder in the exchange's place."""

    url = Unicode(help="ngshare's, with its prefix.").tag(config=True)

    @cached_property
    def service(self) -> Service:
        """What the person may ask whose server this is."""
        return Service(self.url, os.environ.get("JUPYTERHUB_API_TOKEN", ""))

    @property
    def course(self) -> str:
        """The course's name."""
        return self.coursedir.course_id

    @property
    def assignment(self) -> str:
        """The assignment's name."""
        return self.coursedir.assignment_id

    def place(self, kind: str, course: str | None = None) -> Path:
        """A folder of the exchange: outbound, inbound or feedback. Made if it is not there."""
        place = Path(self.root, course or self.course, kind)
        place.mkdir(parents=True, exist_ok=True)
        return place

    def start(self):
        """Do it, in a folder of its own."""
        with TemporaryDirectory(prefix="headway-") as folder:
            self.root = folder
            try:
                return super().start()
            except Refused as error:
                self.fail(str(error))

    def ensure_root(self) -> None:
        """The folder was just made."""

    def bring_names(self, files: list[File], folder: Path) -> None:
        """Empty notebooks where only their names matter."""
        folder.mkdir(exist_ok=True)
        for file in files:
            name = file.get("path")
            if is_name(name) and name.endswith(".ipynb"):
                (folder / name).touch()

    def bring(self, files: list[File], folder: Path) -> None:
        """Files with their contents, as many as nbgrader would take from a folder."""
        if left_out := unpack(files, folder, 1_000 * self.coursedir.max_dir_size):
            named = [one_line(path) for path in left_out]
            self.log.warning("Left out: %s", listed(named, MOST_NAMED))

    def take_back(self, course: str, assignment: str) -> None:
        """Remove a release, as long as nothing is lost with it."""
        if handed_in := len(self.service.submissions(course, assignment)):
            self.fail(
                f"{assignment} stays as it was released: ngshare would remove with it what was "
                f"handed in, {handed_in} times until now. Release it under another name."
            )
        self.service.remove(course, assignment)

    def cached_submissions(self, course: str, assignment: str) -> Iterator[tuple[Path, str]]:
        """What this person handed in from here: the folder of each, and the assignment's name."""
        pattern = f"*+{'*' if assignment in ALL else assignment}+*"
        for folder in Path(self.cache, course).glob(pattern):
            if folder.is_dir():
                yield folder, folder.name.rsplit("+", 2)[1]

    def returned(
        self, course: str, assignment: str, cached: Path, names_only: bool
    ) -> Iterator[tuple[File, Path]]:
        """Pages that were returned for a submission, and where nbgrader looks for each."""
        try:
            when = parse_utc(cached.name.rsplit("+", 1)[1])
            secret = (cached / SECRET).read_text("utf-8")
            mine = Submission(whose_server(), when)
            files = self.service.feedback(course, assignment, mine, names_only)
        except (OSError, ValueError):  # not handed in by us
            return
        except Refused as error:
            if error.status != GONE:
                raise
            return
        for file in files:
            name = file["path"]
            if is_name(name) and name.endswith(".html"):
                hashed = notebook_hash(secret=secret, notebook_id=name.removesuffix(".html"))
                yield file, self.place("feedback", course) / f"{hashed}.html"


class List(NgshareExchange, ExchangeList):
    """What is released, was handed in, or can be taken back."""

    def init_dest(self) -> None:
        """Bring the names of what there is."""
        courses = self.service.courses() if self.course in ALL else [self.course]
        for course in filter(is_name, courses):
            if self.cached:
                self._bring_feedback(course)
            else:
                self._bring_assignments(course)
        super().init_dest()

    def _bring_assignments(self, course: str) -> None:
        for assignment in self.service.assignments(course):
            if self.assignment not in (*ALL, assignment) or not is_name(assignment):
                continue
            if not self.inbound:
                files = self.service.released(course, assignment, names_only=True)
                self.bring_names(files, self.place("outbound", course) / assignment)
                continue
            for one in self.service.submissions(course, assignment):
                files = self.service.submission(course, assignment, one, names_only=True)
                name = submission_name(one.student, assignment, one.when)
                if is_name(name):
                    self.bring_names(files, self.place("inbound", course) / name)

    def _bring_feedback(self, course: str) -> None:
        """Where feedback was fetched already and has not changed, the same; else an empty page."""
        for cached, assignment in self.cached_submissions(course, self.assignment):
            parts = (course, assignment) if self.path_includes_course else (assignment,)
            when = cached.name.rsplit("+", 1)[1]
            fetched = Path(self.assignment_dir, *parts, "feedback", when)
            for file, place in self.returned(course, assignment, cached, names_only=True):
                old = fetched / file["path"]
                if old.is_file() and _md5(old) == file.get("checksum"):
                    shutil.copy(old, place)
                else:
                    place.touch()

    def remove_files(self) -> list:
        """Take releases back; what is handed in stays."""
        if self.inbound:
            self.fail("ngshare keeps what was handed in: it cannot be removed.")
        if not self.cached:
            for info in self.parse_assignments():
                self.take_back(info["course_id"], info["assignment_id"])
        return super().remove_files()


class ReleaseAssignment(NgshareExchange, ExchangeReleaseAssignment):
    """The teacher hands an assignment out."""

    def init_dest(self) -> None:
        """Bring word of whether it was released before."""
        super().init_dest()
        self._is_there = self.assignment in self.service.assignments(self.course)
        if self._is_there:
            os.mkdir(self.dest_path)

    def copy_files(self) -> None:
        """Send it."""
        super().copy_files()
        if self._is_there:
            self.take_back(self.course, self.assignment)
        self.service.release(self.course, self.assignment, pack(Path(self.dest_path)))
        self.log.info("ngshare has %s", self.assignment)


class FetchAssignment(NgshareExchange, ExchangeFetchAssignment):
    """A student gets an assignment."""

    def init_src(self) -> None:
        """Bring it."""
        if self.course:
            files = self.service.released(self.course, self.assignment)
            self.bring(files, self.place("outbound") / self.assignment)
        super().init_src()


class Submit(NgshareExchange, ExchangeSubmit):
    """A student hands in."""

    def init_dest(self) -> None:
        """Bring the names of the notebooks that are asked for."""
        if self.coursedir.student_id != "*":
            self.fail("Whoever's server this is hands in; ngshare takes nothing for others.")
        if self.course:
            self.place("inbound")
            files = self.service.released(self.course, self.assignment, names_only=True)
            self.bring_names(files, self.place("outbound") / self.assignment)
        super().init_dest()

    def copy_files(self) -> None:
        """Send it; in the cache it has the time that ngshare gives, by which feedback is found."""
        super().copy_files()
        copy = Path(self.cache_path, self.assignment_filename.rsplit("+", 1)[0])
        try:
            files = pack(Path(self.inbound_path, self.assignment_filename))
            files = [file for file in files if file["path"] not in (TIMESTAMP, SECRET)]
            when = self.service.submit(self.course, self.assignment, files)
        except BaseException:
            shutil.rmtree(copy)
            raise
        self.timestamp = f"{when.strftime(FORMAT)} UTC"
        (copy / TIMESTAMP).write_text(self.timestamp, "utf-8")
        copy.rename(copy.with_name(submission_name(whose_server(), self.assignment, when)))
        self.log.info("ngshare has %s as of %s", self.assignment, self.timestamp)


class Collect(NgshareExchange, collect.Collect):
    """The teacher gets what was handed in: each student's name and time are ngshare's word."""

    def init_src(self) -> None:
        """Find the latest submission of each student."""
        self.check_owner = False
        if self.course:
            inbound = self.place("inbound")
            found = self.service.submissions(self.course, self.assignment)
            if not self.before_duedate:  # then no other than the latest can be meant
                found = {
                    one.student: one for one in sorted(found, key=lambda one: one.when)
                }.values()
            for one in found:
                name = f"{one.student}+{self.assignment}+{one.when.strftime(FORMAT)} UTC+ngshare"
                if is_folder_name(one.student) and is_name(name):
                    (inbound / name).mkdir(exist_ok=True)
                else:
                    self.log.error("%s cannot be a student's folder", ascii(one.student))
        super().init_src()

    def _record(self, path: str) -> dict:
        return ExchangeCollect._path_to_record(self, path)

    def copy_record(self, record: dict) -> None:
        """Bring one submission before nbgrader removes the one that it takes the place of."""
        folder = Path(self.inbound_path, record["filename"])
        collected = self.coursedir.format_path(
            self.coursedir.submitted_directory, record["username"], self.assignment
        )
        if self.coursedir.get_existing_timestamp(collected) != record["timestamp"]:
            one = Submission(record["username"], record["timestamp"])
            self.bring(self.service.submission(self.course, self.assignment, one), folder)
        super().copy_record(record)
        shutil.rmtree(folder)


class ReleaseFeedback(NgshareExchange, ExchangeReleaseFeedback):
    """The teacher returns the pages of feedback."""

    def init_dest(self) -> None:
        """There is nothing to prepare."""
        if not self.course:
            self.fail("No course id specified. Re-run with --course flag.")

    def copy_files(self) -> None:
        """Send each student's pages; one that cannot be sent stops nobody else's."""
        directory = self.coursedir.feedback_directory
        pattern = self.coursedir.format_path(
            directory, "(?P<student>.*)", self.assignment, escape=True
        )
        excluded = self.coursedir.student_id_exclude.split(",")
        folders = {os.path.dirname(page) for page in glob(os.path.join(self.src_path, "*.html"))}
        for folder in sorted(folders):
            found = re.fullmatch(pattern, folder)
            if not found or found["student"] in excluded:
                continue
            try:
                self._send(Path(folder), found["student"])
            except (Refused, OSError, ValueError) as error:
                self.log.error("No feedback for %s: %s", found["student"], error)

    def _send(self, folder: Path, student: str) -> None:
        when = parse_utc((folder / TIMESTAMP).read_text("utf-8").strip())
        pages = [packed(page, page.name) for page in sorted(folder.glob("*.html"))]
        one = Submission(student, when)
        self.service.release_feedback(self.course, self.assignment, one, pages)
        self.log.info("Feedback of %s for %s is released", self.assignment, student)


class FetchFeedback(NgshareExchange, ExchangeFetchFeedback):
    """A student gets the pages that were returned."""

    def init_src(self) -> None:
        """Bring them."""
        if self.course:
            self.place("feedback")
            for cached, assignment in self.cached_submissions(self.course, self.assignment):
                pages = self.returned(self.course, assignment, cached, names_only=False)
                for file, place in pages:
                    self.bring([{**file, "path": place.name}], place.parent)
        super().init_src()


def whose_server() -> str:
    """The name that the hub has for the person whose server this is."""
    return os.environ.get("JUPYTERHUB_USER", "")


def submission_name(student: str, assignment: str, when: datetime) -> str:
    """What a submission's folder is called where nbgrader splits its name at each "+"."""
    return f"{student.replace('+', '_')}+{assignment}+{when.strftime(FORMAT)} UTC"


def _md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
