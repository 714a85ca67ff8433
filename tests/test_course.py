"""Showing the course: the book is served before the class is graded, and whatever fails is said."""

import signal
import subprocess
import sys

import pytest

from headway.book import BookError
from headway.errors import UserError
from tools import course

# In a process of its own, as it ends by Ctrl-C: nothing is built, and a page is fetched at the
# moment at which the class would be graded.
SERVES = """
import sys, urllib.request
from pathlib import Path
from tools import course
root = Path(sys.argv[1])
course.course_root = lambda: root
course.built = lambda root: True
def graded(folder):
    print(urllib.request.urlopen(addresses[0] + "html/index.html").read().decode(), flush=True)
    return True
course.graded = graded
addresses, address = [], course.address
def known(server):
    addresses.append(address(server))
    return addresses[-1]
course.address = known
sys.exit(course.main(0, serve=True))
"""


def test_the_book_is_served_while_the_class_is_graded_and_ctrl_c_ends_it(tmp_path, root):
    page = tmp_path / "_build" / "html" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("the book")
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", SERVES, str(tmp_path)],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = [process.stdout.readline() for _ in range(3)]
    assert "Read it at http://127.0.0.1:" in said[0]
    assert said[1] == "the book\n"
    assert "Stop with Ctrl-C." in said[2]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")


def test_a_taken_port_is_replaced(tmp_path):
    with course.served(tmp_path, 0) as taken, course.served(tmp_path, taken.server_port) as other:
        assert other.server_port != taken.server_port


def test_a_book_that_cannot_be_built_is_said_and_the_rest_goes_on(tmp_path, monkeypatch, capsys):
    def build(*_, **__):
        raise BookError("The book was not built. The build said: no network")

    graded = []
    monkeypatch.setattr(course, "build_book", build)
    monkeypatch.setattr(course, "course_root", lambda: tmp_path)
    monkeypatch.setattr(course, "graded", lambda folder: graded.append(folder) or True)
    assert course.main(0, serve=False) == 1
    assert graded == [tmp_path / "_build" / "class"]
    assert "no network" in capsys.readouterr().err


@pytest.mark.parametrize("works", [True, False])
def test_without_a_sandbox_nobody_hostile_is_graded(tmp_path, monkeypatch, works):
    def require():
        if not works:
            raise UserError("There is no bubblewrap on this system.")

    def grade(number, folder, trust):
        handed_in.update(path.name for path in (folder / "submitted").iterdir())
        assert trust is not works
        raise UserError("far enough")

    handed_in = set()
    monkeypatch.setattr(course, "require_sandbox", require)
    monkeypatch.setattr(course, "grade", grade)
    assert not course.graded(tmp_path / "class")
    assert handed_in == {*course.STUDENTS, *(course.HOSTILE if works else ())}
