"""The filters and draws that run in the browser, in Node: the package's distributions."""

import numpy as np
import pytest
import torch

from headway.figures.core.scripts import ENGINE
from headway.inference.decoding import Sampling
from tests.figures.node import run

FILTER = """
const { filtered } = await import(given.engine + "sampling.js");
const { softmax } = await import(given.engine + "tensors.js");
answer(given.rows.map((row) => given.settings.map((one) => [...softmax(filtered(row, one))])));
"""
DRAW = """
const { draw, filtered, generator } = await import(given.engine + "sampling.js");
const dice = generator(given.seed);
const logits = filtered(given.row, given.setting);
answer(Array.from({ length: given.count }, () => draw(logits, dice())));
"""
NEVER = """
const { draw } = await import(given.engine + 'sampling.js');
const logits = [-Infinity, Math.log(0.3), Math.log(0.7), -Infinity];
answer([0, 0.29, 0.31, 0.999999999999].map((share) => draw(logits, share)));
"""
SETTINGS = [
    {"temperature": T, "topK": k, "topP": p}
    for T in (None, 0.1, 1, 2)
    for k in (None, 1, 3, 50)
    for p in (None, 0.05, 0.7, 1)
]
ROWS = [
    [0.0] * 8,
    [1.0, 1.0, 0.5, 1.0, -2.0, 0.5, 0.0, 3.0],
    np.log([0.4, 0.3, 0.2, 0.1]).tolist(),
    (20 * np.random.default_rng(0).normal(size=40)).tolist(),
]


def ask(program, **given):
    return run(program, {"engine": ENGINE.as_uri() + "/", **given})


def expected(row, temperature=None, topK=None, topP=None):
    """The distribution that the package draws from."""
    sampling = Sampling(
        generator=torch.Generator(), temperature=temperature or 1.0, top_k=topK, top_p=topP
    )
    logits = torch.tensor([row], dtype=torch.float64)
    return sampling.filtered(logits, torch.zeros(1, 1, dtype=torch.int64)).softmax(-1)[0].numpy()


def test_what_is_drawn_from_is_what_torch_draws_from():
    found = ask(FILTER, rows=ROWS, settings=SETTINGS)
    for row, answers in zip(ROWS, found, strict=True):
        for setting, answer in zip(SETTINGS, answers, strict=True):
            wanted = expected(row, **setting)
            np.testing.assert_allclose(answer, wanted, atol=1e-12, err_msg=f"{setting}, {row}")
            assert (np.array(answer) > 0).tolist() == (wanted > 0).tolist(), (setting, row)


@pytest.mark.parametrize("setting", [{}, {"topP": 0.6}])
def test_draws_are_as_frequent_as_their_probabilities_and_a_seed_decides_them(setting):
    row, count = ROWS[2], 20_000
    one, same, other = (
        ask(DRAW, row=row, setting=setting, seed=seed, count=count) for seed in (1, 1, 2)
    )
    wanted = expected(row, **setting)
    shares = np.bincount(one, minlength=len(row)) / count
    deviation = np.sqrt(wanted * (1 - wanted) / count)
    assert (abs(shares - wanted) <= 5 * deviation).all(), shares
    assert one == same != other


def test_a_draw_never_takes_what_is_excluded():
    assert ask(NEVER) == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ({"temperature": 0}, "temperature must be positive, got 0"),
        ({"topK": 0}, "keeps 1 token or more, got 0"),
        ({"topK": 1.5}, "got 1.5"),
        ({"topP": 0}, "in 0 < p ≤ 1, got 0"),
        ({"topP": 1.1}, "got 1.1"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(setting, says):
    with pytest.raises(AssertionError, match=says):
        ask(FILTER, rows=ROWS[:1], settings=[setting])
