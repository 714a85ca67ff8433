"""The benchmarks' harness on toy functions; the benchmarks themselves are not run here."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import measure
from benchmarks.measure import Case, Fresh, report


@pytest.fixture(autouse=True)
def wait(monkeypatch, tmp_path):
    """Makes work that takes so many milliseconds, on a clock that only such work moves.

    Results go to a folder of the test's own; torch keeps to one thread.
    """
    now = 0.0

    def make(milliseconds):
        def work():
            nonlocal now
            now += milliseconds / 1e3

        return work

    monkeypatch.setattr(measure, "OUT", tmp_path)
    monkeypatch.setattr(measure, "THREADS", 1)
    monkeypatch.setattr(measure, "perf_counter", lambda: now)
    return make


def test_the_row_holds_ours_beside_the_fastest_peer(wait, tmp_path, capsys):
    peers = {"slow": wait(20), "quick": wait(5)}
    case = Case("sleep", wait(10), peers, target=2.5, rounds=3, notes={"ours_mb": 12})
    (row,) = report("toy", "Toys", [case])
    assert [row] == json.loads((tmp_path / "toy.json").read_text(encoding="utf-8"))
    expected = {"name": "sleep", "peer": "quick", "target": 2.5, "ours_mb": 12}
    expected |= {"ours": 0.010, "best_peer": 0.005, "ratio": 2.0}
    assert row == {
        key: pytest.approx(value) if isinstance(value, float) else value
        for key, value in expected.items()
    }
    printed = capsys.readouterr().out
    assert all(
        word in printed for word in ("Toys", "sleep", "quick", "slow", "≤ 2.5", "ours_mb 12")
    )


def test_everyone_runs_in_every_round_and_the_making_of_what_is_fresh_is_not_measured(wait):
    ran, made, used = [], [], []

    def prepare():
        wait(30)()
        made.append(len(made))
        return made[-1]

    ours = Fresh(prepare, lambda it: (used.append(it), ran.append("ours"), wait(6)()))
    peers = {"peer": lambda: (ran.append("peer"), wait(6)())}
    times = measure.measure(Case("fresh", ours, peers, rounds=8))
    rounds = list(zip(ran[-16::2], ran[-15::2], strict=True))
    assert set(rounds) == {("ours", "peer"), ("peer", "ours")}, "the order changes"
    assert used == made
    assert times["headway"] == pytest.approx([0.006] * 8)


def test_a_case_without_a_peer_is_refused(wait):
    with pytest.raises(ValueError, match="'alone' has no peer"):
        report("toy", "Toys", [Case("alone", wait(1), {})])


def test_an_unknown_benchmark_is_answered_with_the_names(root):
    command = [sys.executable, root / "benchmarks", "nosuch"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no benchmark 'nosuch'" in done.stderr
    assert "byte_pair" in done.stderr
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
