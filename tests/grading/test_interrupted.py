"""Interrupts at random times: each is obeyed, and what they leave is whole."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from headway.chapters import released_notebook
from tests.grading.classroom import CHAPTER, hand_in, statuses_and_scores

ROUNDS = 10
NUMBERS = (signal.SIGINT, signal.SIGTERM)

pytestmark = [pytest.mark.full, pytest.mark.jupyter]


def run(*arguments: object, after: float | None = None, number: int = 0):
    """Run a command, and send it a signal after so many seconds; code, output, errors."""
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if after is not None:
        while process.poll() is None and not listens(process.pid):
            time.sleep(0.01)
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def listens(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM; Python itself has none while it is loaded."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1)


def moments(*command: object, done: int):
    """Random moments of a command that is not stopped, each with a signal."""
    start = time.monotonic()
    assert run(*command)[0] == done
    seconds = time.monotonic() - start
    return [(random.uniform(0, seconds), random.choice(NUMBERS)) for _ in range(ROUNDS)]


def assert_obeyed(result, number: int, done: int, last: str) -> None:
    """Whether a run stopped by a signal, or had said its last word before."""
    code, out, err = result
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    if code in (done, -number):  # Python was ending already, and has no handlers then
        assert last in out
    else:
        assert code == 128 + number
        assert err.endswith("Stopped.\n")


def test_grade_stops_and_goes_on(tmp_path):
    for student, base in (("ada", "solution"), ("eve", "release")):
        hand_in(tmp_path / "first", student, base)
    grade = ("grade", "01", "--workers", "2", "--course")
    for turn, (after, number) in enumerate(moments(*grade, tmp_path / "first", done=0)):
        course = tmp_path / str(turn)
        for student, base in (("ada", "solution"), ("eve", "release")):
            hand_in(course, student, base)
        result = run(*grade, course, after=after, number=number)
        assert_obeyed(result, number, 0, "Grades: ")
        book = course / "gradebook.db"
        if book.exists() and book.stat().st_size:
            with closing(sqlite3.connect(book)) as database:
                assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert run(*grade, course)[0] == 0
        assert statuses_and_scores(course) == {"ada": ("graded", 24), "eve": ("graded", 0)}
        assert not list(course.rglob(".headway-*"))


def test_check_stops():
    check = ("check", released_notebook(CHAPTER))
    for after, number in moments(*check, done=1):
        assert_obeyed(run(*check, after=after, number=number), number, 1, "of 20 points")
