"""Show the course: build the book, serve it, and grade one small class in front of the reader.

    .venv/bin/python -m tools.course [--port 8000] [--no-serve]

`make course` runs it once everything is installed. The class is that of the first assignment: six
students, and twelve submissions that are broken, hungry or hostile. What each must get was written
down before anything graded it.
"""

import json
import shutil
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import ExitStack
from http.server import ThreadingHTTPServer
from itertools import count
from pathlib import Path

from headway.book import BookError, build_book
from headway.checkout import course_root
from headway.commands.book import PAGE, page_counter
from headway.commands.console import err, note, progress, say
from headway.commands.grade import grade
from headway.commands.serve import address, make_server
from headway.errors import UserError
from headway.grading.sandbox.bubblewrap import require_sandbox
from headway.interrupts import stopped_by_hand
from tests.assignments.sample_class import students_of
from tests.hostile.submissions import CLASS
from tests.hostile.submissions.course import course_folder

ASSIGNMENT = "01-one-hot"
STUDENTS = ("ada", "alan", "blaise", "konrad", "noether", "vannevar")
HOSTILE = (
    "broken-empty",
    "broken-renamed",
    "broken-no-check",
    "hungry-loop",
    "hungry-forks",
    "hungry-memory",
    "attack-check",
    "attack-lies",
    "attack-patches",
    "attack-search",
    "attack-network",
    "attack-reference",
)


def main(port: int, serve: bool) -> int:
    """Build, serve and grade; the exit code says whether all of it went well."""
    root = course_root()
    with ExitStack() as stack:
        steps = [built(root)]
        server = served(root / "_build", port) if serve else None
        if server:
            stack.enter_context(server)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            if (root / "_build" / "html" / "index.html").exists():
                say(f"     Read it at {address(server)}html/index.html while a class is graded.")
        steps.append(graded(root / "_build" / "class"))
        report = root / "_build" / "class" / "report.html"
        if report.exists():
            place = f"{address(server)}class/report.html" if server else report
            say(f"     The report on this class: {place}")
        if server:
            with stopped_by_hand():
                say(f"     The book: {address(server)}html/index.html. Stop with Ctrl-C.")
                threading.Event().wait()
    return 0 if all(steps) else 1


def built(root: Path) -> bool:
    """Build the book; whether that worked."""
    say("2/3  Build the book: about 4 minutes the first time, on two cores.")
    try:
        with progress() as bar:
            step = bar.add_task("reading the pages", total=None)
            build_book(root, on_line=told(page_counter(bar, step)))
    except BookError as error:
        note(f"     {error}\n     Mend that and run the same command; what was built stays.")
        return False
    return True


def told(take: Callable[[str], None]) -> Callable[[str], None]:
    """The same, and where no bar is shown, some of the lines are."""
    if err.is_terminal:
        return take
    pages = count()

    def take_and_tell(line: str) -> None:
        take(line)
        if PAGE.match(line) and next(pages) % 10 == 0:
            say(f"     {line}")

    return take_and_tell


def served(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of what is built, on this port or, where it is taken, on another."""
    try:
        return make_server(folder, port)
    except UserError:
        return make_server(folder, 0)


def graded(folder: Path) -> bool:
    """Grade the class in a new folder; whether everybody got what was written down."""
    every = students_of(ASSIGNMENT)
    students = [every[name] for name in STUDENTS]
    try:
        require_sandbox()
        hostile, trust = [CLASS[name] for name in HOSTILE], False
    except UserError as error:
        note(f"     {error}\n     So the hostile stay away, and our own students are trusted.")
        hostile, trust = [], True
    expected = {one.name: (one.status, one.expected()["score"]) for one in students}
    expected |= {one.student: (one.status, one.score) for one in hostile}
    say(f"3/3  Grade a class of {len(expected)}: about half a minute.")
    if folder.exists():
        shutil.rmtree(folder)
    course_folder(folder, hostile)
    for student in students:
        student.hand_in(folder)
    try:
        grade(ASSIGNMENT, folder, trust=trust)
    except UserError as error:
        note(f"     The class was not graded: {error}")
        return False
    rows = json.loads((folder / "report.json").read_text(encoding="utf-8"))["students"]
    others = [name for name, want in expected.items() if outcome(rows, name) != want]
    for name in others:
        note(f"     {name}: {outcome(rows, name)}, and {expected[name]} was written down.")
    if not others:
        say("     Everybody got what was written down before anything was graded.")
        say("     Those who attack keep the points of their right answers; the attack adds none.")
    return not others


def outcome(rows: dict[str, dict], name: str) -> tuple[str, float | None] | None:
    """The status and the score in a student's row of the report."""
    return (rows[name]["status"], rows[name]["score"]) if name in rows else None


if __name__ == "__main__":
    parser = ArgumentParser(prog="tools.course")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--no-serve", dest="serve", action="store_false")
    given = parser.parse_args()
    try:
        sys.exit(main(given.port, given.serve))
    except KeyboardInterrupt:
        note("     Stopped. What was built stays, and the same command goes on.")
        sys.exit(130)
