"""What can be shown of shutting in and getting ready without a sandbox; the rest is in hostile."""

import os
import resource
import socket
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.grading.runner.isolate import GO, HELLO, Confinement, _at_most, greet
from headway.grading.sandbox.mounts import ONE_THREAD

limits = st.integers(-1, 2**62)
confinements = st.builds(
    Confinement,
    st.dictionaries(st.sampled_from(["nofile", "nproc", "data"]), st.tuples(limits, limits)),
    st.lists(st.text()).map(tuple),
    st.text(),
    st.integers(1, 2**62),
    st.integers(1, 2**62),
    st.binary(),
)


def python(code: str, *arguments: str, cwd=None) -> str:
    command = [sys.executable, "-c", code, *arguments]
    one_thread = {**os.environ, **dict.fromkeys(ONE_THREAD, "1")}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=one_thread, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@given(confinements)
def test_a_confinement_arrives_as_it_was_sent(confinement):
    arrived = Confinement.unpack(confinement.pack())
    assert arrived.filter == confinement.filter
    assert list(arrived.folders) == list(confinement.folders)
    assert {name: tuple(pair) for name, pair in arrived.rlimits.items()} == confinement.rlimits
    assert (arrived.home, arrived.files) == (confinement.home, confinement.files)
    assert arrived.space_bytes == confinement.space_bytes


def test_a_limit_is_never_above_what_the_process_may_have():
    assert _at_most((10, 20), resource.RLIM_INFINITY) == (10, 20)
    assert _at_most((10, 20), 15) == (10, 15)
    assert _at_most((10, 20), 5) == (5, 5)


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
from headway.grading.runner.prepare import hide_modules_and_set_path
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
from headway.grading.runner.prepare import hide_modules_and_set_path
hide_modules_and_set_path([])
import colorsys, mine, sys
print(mine.value, sys.path.count(""), sys.argv[1:])
"""
    assert python(code, "argument", cwd=tmp_path) == "3 0 []\n"


def test_the_libraries_are_there_in_one_thread_and_several_cannot_be_frozen():
    code = """
import gc, os, sys, threading
from headway.grading.runner.prepare import freeze, import_libraries
import_libraries()
freeze()
import torch
print(len(os.listdir("/proc/self/task")), gc.get_freeze_count() > 100_000)
print({"numpy", "matplotlib.pyplot", "matplotlib_inline.backend_inline"} <= set(sys.modules))
print(any(isinstance(thing, torch.Tensor) and thing.numel() > 1 for thing in gc.get_objects()))
import tqdm; print(tqdm.tqdm.monitor_interval)
wait = threading.Event()
threading.Thread(target=wait.wait).start()
try: freeze()
except RuntimeError as error: print("2 threads are alive" in str(error))
wait.set()
"""
    assert python(code) == "1 True\nTrue\nFalse\n0\nTrue\n"


def test_what_grading_imports_of_the_runner_is_light():
    heavy = "{'numpy', 'IPython', 'torch'}"
    code = f"import headway.grading.runner.isolate, sys; print({heavy} & set(sys.modules))"
    assert python(code) == "set()\n"
