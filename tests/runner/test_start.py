"""How a session starts, without a sandbox; the rest is in hostile."""

import socket
import subprocess
import sys

import pytest

from headway.runner.prepare import GO, HELLO
from headway.runner.start import greet


def python(code: str, *arguments: str, cwd=None) -> str:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_greeting_waits_for_the_word_to_go_on():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.send(GO)
        greet(theirs)
        assert ours.recv(10) == HELLO


@pytest.mark.parametrize("answer", [b"", b"x"], ids=["none", "another"])
def test_a_greeting_without_that_word_ends_the_program(answer):
    ours, theirs = socket.socketpair()
    with theirs, ours:
        ours.send(answer)
        ours.shutdown(socket.SHUT_WR)
        with pytest.raises(EOFError, match="nobody is there"):
            greet(theirs)


def test_a_hidden_package_hides_what_is_in_it_and_nothing_else():
    code = """
from headway.runner.prepare import hide_modules_and_set_path
hide_modules_and_set_path(["headway.text", "headway.nn.masks"])
for name in ("headway.text", "headway.text.vocabulary", "headway.nn.masks", "headway.nn"):
    try: __import__(name); print(name)
    except ImportError as error: print(error.name, "answers" in str(error))
"""
    assert (
        python(code) == "headway.text True\nheadway.text True\nheadway.nn.masks True\nheadway.nn\n"
    )


def test_files_of_the_working_folder_come_last(tmp_path):
    (tmp_path / "colorsys.py").write_text("raise Exception")
    (tmp_path / "mine.py").write_text("value = 3")
    code = """
from headway.runner.prepare import hide_modules_and_set_path
hide_modules_and_set_path([])
import colorsys, mine, sys
print(mine.value, sys.path.count(""), sys.argv[1:])
"""
    assert python(code, "argument", cwd=tmp_path) == "3 0 []\n"


def test_a_progress_bar_starts_no_thread():
    code = """
import threading
from headway.runner.prepare import import_libraries
import_libraries(['tqdm', 'no_such_library'])
from tqdm import tqdm
for _ in tqdm(range(3)): print(threading.active_count())
"""
    assert python(code) == "1\n" * 3


def test_what_grading_imports_of_sessions_is_light():
    heavy = "{'numpy', 'IPython', 'torch'}"
    code = f"import headway.grading.sandbox.sessions, sys; print({heavy} & set(sys.modules))"
    assert python(code) == "set()\n"
