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
SETTINGS = [
    {"temperature": T, "topK": k, "topP": p}
    for T in (None, 0.1, 0.7, 1, 2)
    for k in (None, 1, 3, 50)
    for p in (None, 0.05, 0.5, 0.7, 1)
]
ROWS = [
    [0.0] * 8,
    [1.0, 1.0, 0.5, 1.0, -2.0, 0.5, 0.0, 3.0],
    np.log([0.4, 0.3, 0.2, 0.1]).tolist(),
    (20 * np.random.default_rng(0).normal(size=40)).tolist(),
    np.random.default_rng(1).normal(size=40).tolist(),
]


def ask(program, **given):
    return run(program, {"engine": ENGINE.as_uri() + "/", **given})


def expected(row, temperature, topK, topP):
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


@pytest.mark.parametrize("setting", [{}, {"temperature": 0.5}, {"topK": 2}, {"topP": 0.6}])
def test_draws_are_as_frequent_as_their_probabilities(setting):
    row, count = ROWS[2], 20_000
    drawn = ask(DRAW, row=row, setting=setting, seed=1, count=count)
    full = {"temperature": None, "topK": None, "topP": None} | setting
    wanted = expected(row, **full)
    shares = np.bincount(drawn, minlength=len(row)) / count
    deviation = np.sqrt(wanted * (1 - wanted) / count)
    assert (abs(shares - wanted) <= 5 * deviation).all(), shares


def test_a_seed_decides_the_draws():
    one, same, other = (
        ask(DRAW, row=ROWS[4], setting={}, seed=seed, count=50) for seed in (3, 3, 4)
    )
    assert one == same != other


@pytest.mark.parametrize(("share", "token"), [(0, 1), (0.29, 1), (0.31, 2), (0.999999999999, 2)])
def test_a_draw_never_takes_what_is_excluded(share, token):
    program = (
        "const { draw } = await import(given.engine + 'sampling.js');"
        "answer(draw([-Infinity, Math.log(0.3), Math.log(0.7), -Infinity], given.share));"
    )
    assert ask(program, share=share) == token


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
    program = (
        "const { filtered } = await import(given.engine + 'sampling.js');"
        "try { filtered([0, 1], given.setting); answer(''); } catch (e) { answer(String(e)); }"
    )
    assert says in ask(program, setting=setting)
