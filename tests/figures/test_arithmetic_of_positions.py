"""What the scripts of chapter 7 compute, in Node, beside what Python computes."""

import numpy as np
import pytest
import torch

from headway.figures.gallery.position_schemes import spread
from headway.nn.position import RotaryPosition, frequencies, sinusoids
from tests.figures.node import Cases, normal

CASES = Cases()

SPEEDS = frequencies(8).numpy()
for p in (0, 1, 12, 100):
    CASES.add(
        f"the hands at position {p} are the sinusoids",
        *("position_wiggle", "encode(p, speeds).flat().map((x) => Math.round(x * 1e6) / 1e6)"),
        np.round(sinusoids(torch.tensor(p), 8).double().numpy(), 6),
        **{"p": p, "speeds": SPEEDS},
    )
for p, k in ((0, 3), (12, 3), (90, 20)):
    CASES.add(
        f"two hands, {k} apart at {p}, have the sum of the cosines as their dot product",
        *("position_wiggle", "dot(encode(p, speeds), encode(p + k, speeds))"),
        np.float64(np.cos(k * SPEEDS).sum()),
        **{"p": p, "k": k, "speeds": SPEEDS},
    )
CASES.add(
    "a hand's angle is counted clockwise from the top",
    *("position_wiggle", "[[0, 1], [1, 0], [0, -1], [-1, 0]].map(([x, y]) => heading(x, y))"),
    np.array([0, np.pi / 2, np.pi, -np.pi / 2]),
)
for start, end, after in ((0.1, 0.4, 13), (3.1, -3.1, 10.831853), (0.4, -2.0, 0), (0, 3.1, 40)):
    CASES.add(
        f"a hand that is dragged from {start} to {end} takes the shorter way, within the text",
        *("position_wiggle", "Math.round(dragged(10, start, end, speed, 40) * 1e6) / 1e6"),
        np.float64(after),
        **{"start": start, "end": end, "speed": 0.1},
    )
CASES.add(
    "a whole turn",
    *("position_wiggle", "[1, 0.1].map(wholeTurn)", np.array([2 * np.pi, 20 * np.pi])),
)

rotary = RotaryPosition(6, frequencies(4))
QUERY, KEY = (torch.from_numpy(normal(4, seed=seed)).float().expand(6, 4) for seed in (0, 1))
BY_DISTANCE = (rotary(QUERY) @ rotary(KEY).T).double().numpy()
LEARNED = normal(6, 6)
for name, scores in (("rotary", BY_DISTANCE), ("learned", LEARNED)):
    CASES.add(
        f"{name} scores: the spread at one distance",
        *("position_schemes", "spread(scores)", np.float64(spread(scores))),
        scores=scores,
    )
CASES.add(
    "the scores of a position by distance",
    *("position_schemes", "byDistance(scores, 2)"),
    np.stack([np.arange(6) - 2, LEARNED[2]], axis=1),
    scores=LEARNED,
)
for scores, says in (
    (np.ones((3, 3)), "All scores are equal: the scheme knows no order."),
    (BY_DISTANCE, "Scores of the same distance are equal: only the distance counts."),
    (np.diag([1.0, 4.0]), "Scores of the same distance differ by up to 3: the place counts too."),
):
    CASES.add(says, "position_schemes", "knows(scores)", says, scores=scores)


@pytest.fixture(scope="module")
def answers():
    return CASES.answers()


@pytest.mark.parametrize("name", CASES)
def test_the_script_computes_what_python_computes(name, answers):
    CASES[name].check(answers[name])
