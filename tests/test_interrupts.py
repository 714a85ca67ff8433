"""Signals that ask a command to stop: none is lost, whoever catches what it raises."""

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import time

import pytest

from headway import interrupts
from headway.cli import run
from headway.imports import ImportGraph
from headway.interrupts import Stopped, end, held, stop_if_asked, stopped_by_hand, watched

NUMBERS = [signal.SIGINT, signal.SIGTERM]
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
# Sends a signal when a module begins to be imported.
AT_IMPORT = """
import os, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), int(sys.argv[2]))

sys.meta_path.insert(0, Finder())
sys.argv[1:] = [*sys.argv[1:3], "--help"]
from headway.__main__ import main
main()
"""


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.fixture(params=NUMBERS, ids=["SIGINT", "SIGTERM"])
def number(request, monkeypatch):
    before = [sys.unraisablehook, *map(signal.getsignal, NUMBERS)]
    monkeypatch.setattr(interrupts, "_state", interrupts._state)  # what came stops no later test
    with watched():
        yield request.param
    assert [sys.unraisablehook, *map(signal.getsignal, NUMBERS)] == before


def test_a_signal_stops_what_runs_and_is_raised_again_where_somebody_swallowed_it(number):
    stop_if_asked()
    with contextlib.suppress(BaseException):
        send(number)
    with pytest.raises(Stopped):
        stop_if_asked()
    with pytest.raises(Stopped):
        send(number)
    assert end() == CODES[number]


def test_where_signals_cannot_be_sent_to_oneself_they_are_raised(number, monkeypatch):
    monkeypatch.setattr(interrupts.os, "name", "nt")
    monkeypatch.setattr(interrupts.os, "kill", None)
    with pytest.raises(Stopped):
        interrupts._send(number)


def test_a_signal_whose_exception_python_only_reports_is_raised_again(number):
    class Ending:
        def __init__(self, does):
            self.does = does

        def __del__(self):
            self.does()

    reported = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interrupts._state, "report", reported.append)
        Ending(lambda: send(number))
        Ending(lambda: int("no number"))
    with pytest.raises(Stopped):
        stop_if_asked()
    assert [one.exc_type for one in reported] == [ValueError], "and nothing of what stops us"


def test_what_is_held_is_done_first_and_only_a_second_signal_does_not_wait(number):
    done = []

    @held()
    def work(signals):
        with held():
            for one in signals:
                send(one)
        done.append(signals)

    with pytest.raises(Stopped):
        work([number])
    assert done == [[number]]
    with pytest.raises(Stopped):
        work([number, signal.SIGINT])
    assert done == [[number]]
    assert end() == CODES[number]


def test_a_signal_waits_until_the_imports_of_a_package_are_read(number, monkeypatch):
    def build(*_: object, **options: object) -> None:
        send(number)
        done.append(options)

    done = []
    monkeypatch.setattr("headway.imports.grimp.build_graph", build)
    with pytest.raises(Stopped):
        ImportGraph("headway")
    assert done


SLOW_MODULE = """
import os, time
from headway import interrupts
os.kill(os.getpid(), {number})
for _ in range(6_000):  # a minute, in which nothing comes
    if interrupts._state.looks >= {looks}:
        break
    time.sleep(0.01)
done.append("all of it")
"""


@pytest.mark.parametrize(("looks", "whole"), [(3, True), (11, False)])
def test_an_import_is_waited_for_but_not_for_long(number, looks, whole, tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr("builtins.done", done, raising=False)
    monkeypatch.setattr("headway.interrupts.LOOKS", 10)
    monkeypatch.syspath_prepend(tmp_path)
    name = f"slow_{int(number)}_{int(whole)}"
    source = SLOW_MODULE.format(number=int(number), looks=looks)
    (tmp_path / f"{name}.py").write_text(source)

    def work():
        importlib.import_module(name)
        time.sleep(60)

    with pytest.raises(Stopped):  # it came again
        work()
    assert bool(done) == whole


def test_what_runs_until_ctrl_c_ends_well_by_it_and_not_by_sigterm(number):
    if number == signal.SIGINT:
        with stopped_by_hand():
            send(number)
        stop_if_asked()
        assert end() == 0
    else:
        with pytest.raises(Stopped), stopped_by_hand():
            send(number)


def test_a_signal_in_the_last_steps_is_heard_and_stops_nothing(number):
    assert end() == 0
    send(number)
    assert end() == CODES[number]


def test_who_ignores_a_signal_goes_on_doing_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with watched():
            send(signal.SIGINT)
            assert end() == 0
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("became", [None, ValueError("broken"), SystemExit(0)])
def test_a_command_that_was_asked_to_stop_ends_as_stopped_whatever_became_of_it(
    number, became, monkeypatch, capsys
):
    def interrupted(*_):
        try:
            send(number)
        except BaseException:
            if became:
                raise became from None
        return 0

    monkeypatch.setattr("headway.extras.course_version", interrupted)
    assert run(["--version"]) == CODES[number]
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("headway.cli", signal.SIGINT),
        ("typer", signal.SIGTERM),
        ("rich.console", signal.SIGINT),
        ("headway.chapters", signal.SIGTERM),
    ],
)
def test_who_stops_the_program_while_it_is_loaded_reads_no_traceback(module, number):
    command = [sys.executable, "-c", AT_IMPORT, module, str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (CODES[number], "", "Stopped.\n")
