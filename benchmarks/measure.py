"""How benchmarks measure: ours and all peers in every round, one table, one file of results.

    from measure import Case, devices, report

    def cases():
        for device in devices():
            ours, theirs = build(device)  # same weights; check here that the outputs agree
            yield Case(
                f"training step, {device}",
                lambda: step(ours),
                {"nn.TransformerEncoder": lambda: step(theirs)},
                target=0.95,
            )

    if __name__ == "__main__":
        report("decoder_step", "Training steps of a decoder", cases())

Write `cases` as a generator: what a case needs is then built right before it is measured.
`report` prints the table and writes `benchmarks/out/decoder_step.json`, a list of rows

    {"name", "ours", "peer", "best_peer", "ratio", "target"}

with seconds in `ours` and `best_peer`; `peer` names the fastest peer. A ratio below 1 means that
`headway` is faster. Each round runs ours and every peer once, in an order that is drawn anew, so
that what disturbs the machine disturbs all of them; times are medians over the rounds, and the
ratio is the median of the rounds' ratios.

`python benchmarks [NAME ...]` runs all benchmarks or some of them.
"""

import json
import math
import random
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

THREADS = 2
OUT = Path(__file__).parent / "out"
SHORTEST = 0.005  # seconds: what is faster is repeated within a round
MOST_REPEATS = 1_000
WARM_UP = 0.2  # seconds


@dataclass(frozen=True)
class Fresh:
    """Work on something that must be new each time, whose making is not measured.

    Args:
        prepare: makes the thing.
        run: gets the thing, and is what is measured.
    """

    prepare: Callable[[], Any]
    run: Callable[[Any], Any]


Side = Callable[[], Any] | Fresh


@dataclass(frozen=True)
class Case:
    """One row: the same work done by us and by others.

    Args:
        name: what is done, and at which size.
        ours: a function without arguments, or `Fresh`.
        peers: peer's name → the same; at least one.
        target: the largest ratio of ours to the best peer that is good; None where there is none.
        rounds: how often everyone runs.
        notes: more to show and to write beside the times, such as megabytes.
    """

    name: str
    ours: Side
    peers: dict[str, Side]
    target: float | None = None
    rounds: int = 15
    notes: dict[str, Any] = field(default_factory=dict)


def devices() -> list[str]:
    """The devices to measure on: the CPU, and CUDA where there is a GPU."""
    return ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def report(name: str, title: str, cases: Iterable[Case]) -> list[dict]:
    """Measure all cases, print one table, and write the rows to `benchmarks/out/NAME.json`.

    Raises:
        ValueError: if a case has no peer.
    """
    torch.set_num_threads(THREADS)
    return show(name, title, ((case, measure(case)) for case in cases))


def show(name: str, title: str, measured: Iterable[tuple[Case, dict[str, list[float]]]]) -> list:
    """As `report`, for what was measured in another way: seconds of everyone in every round."""
    table = Table(title=title, caption=f"{THREADS} threads, medians; torch {torch.__version__}")
    for column in ("what", "peer"):
        table.add_column(column)
    for column in ("headway", "peer", "ratio", "target", "notes"):
        table.add_column(column, justify="right")
    console, rows = Console(width=140), []
    for case, times in measured:
        rows.append(row_of(case, times))
        for line in lines_of(case, times):
            table.add_row(*map(escape, line))
    console.print(table)
    OUT.mkdir(exist_ok=True)
    (OUT / f"{name}.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return rows


def measure(case: Case) -> dict[str, list[float]]:
    """Seconds of everyone in every round, `headway` first."""
    if not case.peers:
        raise ValueError(f"the case {case.name!r} has no peer; a ratio needs one")
    sides = {"headway": case.ours, **case.peers}
    repeats = repeats_of(min(warm_up(side) for side in sides.values()))
    order, rng = list(sides), random.Random(0)
    times = {name: [] for name in sides}
    for _ in range(case.rounds):
        rng.shuffle(order)
        for name in order:
            times[name].append(seconds(sides[name], repeats))
    return times


def warm_up(side: Side) -> float:
    """Run until nothing happens for the first time any more; seconds of the last run."""
    start = perf_counter()
    for _ in range(3):
        last = seconds(side, 1)
        if perf_counter() - start > WARM_UP:
            break
    return last


def repeats_of(fastest: float) -> int:
    """How often everyone runs within a round, given the seconds of the fastest."""
    return min(MOST_REPEATS, max(1, math.ceil(SHORTEST / max(fastest, 1e-9))))


def seconds(side: Side, repeats: int) -> float:
    """Mean time of one run among a few in a row, until the device has finished too."""
    if not isinstance(side, Fresh):
        return clock(side, repeats) / repeats
    return statistics.mean(clock(partial(side.run, side.prepare()), 1) for _ in range(repeats))


def clock(run: Callable[[], Any], repeats: int) -> float:
    """Seconds of all repeats together."""
    synchronize()
    start = perf_counter()
    for _ in range(repeats):
        run()
    synchronize()
    return perf_counter() - start


def synchronize() -> None:
    """Wait for the GPU, if it has been used: its work is queued, not done, when a call returns."""
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def ratio(times: dict[str, list[float]], peer: str) -> float:
    """The median of ours over the peer's, round by round."""
    return statistics.median(a / b for a, b in zip(times["headway"], times[peer], strict=True))


def by_speed(times: dict[str, list[float]]) -> list[str]:
    """The peers, the fastest first."""
    return sorted(times.keys() - {"headway"}, key=lambda peer: statistics.median(times[peer]))


def row_of(case: Case, times: dict[str, list[float]]) -> dict:
    """A case's row of results: ours beside the best peer."""
    best = by_speed(times)[0]
    return {
        "name": case.name,
        "ours": statistics.median(times["headway"]),
        "peer": best,
        "best_peer": statistics.median(times[best]),
        "ratio": ratio(times, best),
        "target": case.target,
        **case.notes,
    }


def lines_of(case: Case, times: dict[str, list[float]]) -> list[list[str]]:
    """A case's lines in the table: one for each peer, the best first; the target is for it."""
    ours = readable(statistics.median(times["headway"]))
    lines = [
        ["", peer, ours, readable(statistics.median(times[peer])), f"{ratio(times, peer):.2f}"]
        for peer in by_speed(times)
    ]
    target = "" if case.target is None else f"≤ {case.target:g}"
    notes = ", ".join(f"{key} {value}" for key, value in case.notes.items())
    lines[0] = [case.name, *lines[0][1:], target, notes]
    return lines


def readable(time: float) -> str:
    """Seconds with three digits and a unit: 1.23 s, 45.6 ms, 7.89 µs."""
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))
    unit, size = next((pair for pair in units if time >= pair[1]), units[-1])
    return f"{float(f'{time / size:.3g}'):g} {unit}"  # `g` alone writes 1.23e+03
