"""The benchmarks' harness on toy functions; the benchmarks themselves are not run here."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.measure import Case, Fresh, readable, repeats_of, report

KEYS = {"name", "ours", "peer", "best_peer", "ratio", "target"}


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    """Results go to a folder of the test's own; torch keeps to one thread."""
    monkeypatch.setattr(measure, "OUT", tmp_path)
    monkeypatch.setattr(measure, "THREADS", 1)


@pytest.fixture(autouse=True)
def wait(monkeypatch):
    """Makes work that takes so many milliseconds, on a clock that only such work moves."""
    now = 0.0

    def make(milliseconds):
        def work():
            nonlocal now
            now += milliseconds / 1e3

        return work

    monkeypatch.setattr(measure, "perf_counter", lambda: now)
    return make


def test_the_row_holds_ours_beside_the_fastest_peer(wait, tmp_path, capsys):
    peers = {"slow": wait(20), "quick": wait(5)}
    rows = report("toy", "Toys", [Case("sleep", wait(10), peers, target=2.5, rounds=3)])
    (row,) = rows
    assert rows == json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))
    assert set(row) == KEYS
    assert (row["name"], row["peer"], row["target"]) == ("sleep", "quick", 2.5)
    assert row["ours"] == pytest.approx(0.010)
    assert row["best_peer"] == pytest.approx(0.005)
    assert row["ratio"] == pytest.approx(2)
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("Toys", "sleep", "quick", "slow", "≤ 2.5"))


def test_everyone_runs_in_every_round_and_the_order_changes(wait):
    ran = []
    sides = {name: lambda name=name: (ran.append(name), wait(6)()) for name in "abc"}
    ours = sides.pop("a")
    report("toy", "Toys", [Case("order", ours, sides, rounds=8)])
    rounds = [tuple(ran[-24:][i : i + 3]) for i in range(0, 24, 3)]
    assert all(sorted(round_) == ["a", "b", "c"] for round_ in rounds)
    assert len(set(rounds)) > 1


def test_what_is_made_fresh_is_new_each_time_and_its_making_is_not_measured(wait):
    made, used = [], []

    def prepare():
        wait(30)()
        made.append(len(made))
        return made[-1]

    case = Case("fresh", Fresh(prepare, lambda it: (used.append(it), wait(6)())), {})
    times = measure.measure(Case(case.name, case.ours, {"peer": wait(6)}, rounds=3))
    assert used == made
    assert times["headway"] == pytest.approx([0.006] * 3)


def test_what_is_fast_is_repeated_within_a_round():
    assert repeats_of(1.0) == 1
    assert repeats_of(0.001) == 5
    assert repeats_of(0.0) == measure.MOST_REPEATS


def test_notes_are_written_and_shown(wait, capsys):
    case = Case("memory", wait(6), {"peer": wait(6)}, rounds=1, notes={"ours_mb": 12})
    assert report("toy", "Toys", [case])[0]["ours_mb"] == 12
    assert "ours_mb 12" in capsys.readouterr().out


def test_a_case_without_a_peer_is_refused(wait):
    with pytest.raises(ValueError, match="'alone' has no peer"):
        report("toy", "Toys", [Case("alone", wait(1), {})])


@pytest.mark.parametrize(
    ("time_taken", "shown"),
    [
        (1234.5, "1230 s"),
        (1.2345, "1.23 s"),
        (0.9996, "1000 ms"),
        (0.0456, "45.6 ms"),
        (7.89e-6, "7.89 µs"),
        (0.0, "0 µs"),
    ],
)
def test_times_are_shown_with_a_unit(time_taken, shown):
    assert readable(time_taken) == shown


def test_an_unknown_benchmark_is_answered_with_the_names(root):
    command = [sys.executable, root / "benchmarks", "nosuch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no benchmark 'nosuch'" in done.stderr
    for name in ("attention", "byte_pair", "ngram", "one_hot", "pieces"):
        assert name in done.stderr
    assert "measure" not in done.stderr


@pytest.mark.parametrize(
    "path", sorted(Path(measure.__file__).parent.glob("*.py")), ids=lambda path: path.stem
)
def test_what_a_benchmark_imports_of_the_package_is_there(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headway"):
            module = import_module(node.module)
            missing = [name.name for name in node.names if not hasattr(module, name.name)]
            assert not missing, f"line {node.lineno}: {node.module}"
