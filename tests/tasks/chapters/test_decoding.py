"""What the tasks of assignment 14 owe beyond what all tasks do."""

import json
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from headway.inference.beam import beam_search
from headway.inference.decoding import Sampling
from headway.inference.exact import viterbi
from headway.ngram.strategies import narrow_beam
from headway.tasks.chapters.decoding import predict
from headway.tasks.chapters.decoding.beam import beam_cases
from headway.tasks.chapters.decoding.beam_search import beam
from headway.tasks.chapters.decoding.draw import log_softmax
from headway.tasks.chapters.decoding.exact import exact, exact_cases
from headway.tasks.chapters.decoding.repair import draw, given_draw
from headway.tasks.chapters.decoding.strategy import (
    cases,
    choose_words,
    examine,
    widened,
)
from headway.tasks.chapters.decoding.top_k import top_k
from headway.tasks.chapters.decoding.top_p import top_p
from headway.tasks.engine.probe.asks import ask_and_count
from tests.full import seeds

SHARES = {
    1: [0.59, 0.24, 0.18, 0.0, 0.0],
    0.5: [0.8, 0.13, 0.07, 0.0, 0.0],
    2: [0.46, 0.29, 0.25, 0.0, 0.0],
}
SEEDS = seeds(1)
SOLUTION = Path(__file__).parents[3] / "solutions" / "14-decoding" / "14-decoding.ipynb"


@pytest.fixture(scope="module")
def solution():
    """The strategy of the notebook's solution."""
    (cell,) = [
        cell for cell in json.loads(SOLUTION.read_text())["cells"] if cell["id"] == "strategy"
    ]
    names = {"np": np}
    exec("".join(cell["source"]), names)
    return names["choose_words"]


def below(case, strategy) -> float:
    """How far a strategy's words are below the best, within its budget."""
    found = examine(ask_and_count(strategy, case.inputs), case)
    assert found.most <= case.inputs[1][0][3]
    return found.total / case.truth.best - 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_target_of_the_train_task_stands_between_its_baselines_with_margin(seed, solution):
    """The target is 1 %; neither remedy reaches it alone, and both together do."""
    core, *others = cases(np.random.default_rng(seed))
    assert below(core, choose_words) < 0.006
    assert below(core, solution) < 0.006
    for case in others:
        if not case.label.startswith("a budget"):
            assert below(case, choose_words) < 0.006
    assert core.truth.greedy < 1.1 * core.truth.best
    assert below(core, narrow_beam) > 0.04
    assert below(core, remembering) > 0.03
    assert below(core, copies_left_out) > 0.03


def remembering(model, V, start, steps, budget):
    """A beam that asks nothing twice."""
    return narrow_beam(cache(model), V, start, steps, budget, width=24)


def copies_left_out(model, V, start, steps, budget):
    """A beam of different endings that remembers nothing, as wide as the budget allows."""
    width = budget // steps

    class Forgetting(dict):
        def __contains__(self, context):
            return False

        def __len__(self):
            return 0

    return widened(model, start, steps, budget, Forgetting(), width)[1]


def test_the_filters_are_the_packages_where_no_two_tokens_are_alike():
    generator = torch.Generator()
    for seed in range(20):
        rng = np.random.default_rng(seed)
        logits = rng.normal(size=(3, 8))
        weights = np.exp(logits)
        k, p = int(rng.integers(1, 8)), float(rng.uniform(0.1, 0.95))
        theirs = Sampling(generator=generator, top_k=k, top_p=p).filtered(
            torch.from_numpy(logits), torch.zeros(3, 1, dtype=torch.int64)
        )
        np.testing.assert_allclose(
            top_p(top_k(weights, k), p), theirs.softmax(-1).numpy(), atol=1e-9
        )


class Steps:
    """A table that knows the last word and the step, as a predictor of the package."""

    def __init__(self, table):
        self.table, self.t = torch.from_numpy(table), 0

    def feed(self, ids):
        self.t += 1
        return self.table[self.t - 1, ids[:, -1]]

    def select(self, rows):
        pass


@pytest.mark.parametrize("seed", SEEDS)
def test_beams_are_the_packages(seed):
    for case in beam_cases(np.random.default_rng(seed)):
        table, start, K, steps, end, alpha = case.inputs
        if steps > 100:
            continue
        theirs = beam_search(Steps(table), torch.tensor([[start]]), steps, K, end, alpha)
        mine = beam(*case.inputs)
        for n, (ids, score) in enumerate(mine):
            assert score == pytest.approx(theirs.scores[0, n].item())
            assert ids == theirs.ids[0, n, 1 : 1 + len(ids)].tolist()
        assert not theirs.scores[0, len(mine) :].isfinite().any()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exact_search_is_the_packages(seed):
    for case in exact_cases(np.random.default_rng(seed)):
        table, start, steps, end, alpha = case.inputs
        _, score = viterbi(torch.from_numpy(table), start, steps, end, alpha)
        assert exact(*case.inputs)[1] == pytest.approx(score)


def test_the_exact_search_finds_what_a_list_of_everything_finds():
    rng = np.random.default_rng(0)
    for alpha in (0.0, 0.5, 1.0):
        table = log_softmax(rng.normal(size=(3, 3, 3)))
        scores = []
        for length in range(1, 6):
            for ids in product(range(3), repeat=length):
                whole = 2 not in ids[:-1] and (ids[-1] == 2 or length == 5)
                words = [0, 1, *ids]
                log_p = sum(table[tuple(words[t : t + 3])] for t in range(length))
                scores += [log_p / length**alpha] if whole else []
        assert exact(table, [0, 1], 5, 2, alpha)[1] == pytest.approx(max(scores))


def test_the_given_draw_keeps_other_tokens_but_at_temperature_one():
    """What the notebook says of it, and the shares that its experiment prints."""
    five, floor = np.array([0.5, 0.2, 0.15, 0.1, 0.05]), 0.25
    logits = np.tile(np.log(five), (4_000, 1))
    numbers = np.random.default_rng(1).random(4_000)
    for T, shares in SHARES.items():
        kept = np.where(five < floor * five.max(), 0.0, five) ** (1 / T)
        assert shares == (kept / kept.sum()).round(2).tolist()
        right, given = (
            np.bincount(function(logits, T, floor, numbers), minlength=5) / 4_000
            for function in (draw, given_draw)
        )
        assert right == pytest.approx(kept / kept.sum(), abs=0.03)
        assert (T == 1) == np.array_equal(right > 0, given > 0)


class Letters:
    """The letters of the task on a beam of two, as a predictor; it knows the last one only."""

    TABLE = (
        [0.25, 0.15, 0.15, 0.45],
        [0.25, 0.2, 0.4, 0.15],
        [0.4, 0.3, 0.15, 0.15],
        [0.3, 0.2, 0.5, 0.0],  # at the beginning
    )

    def feed(self, ids):
        return torch.tensor(self.TABLE, dtype=torch.float64)[ids[:, -1]].log()

    def select(self, rows):
        pass


def test_the_beam_of_two_is_the_packages():
    from headway.inference.beam import beam_steps

    steps = list(beam_steps(Letters(), torch.tensor([[3]]), 4, 2, end=3, length_penalty=0.0))
    living, alive = [], [""]
    finished = []
    for step in steps[:3]:
        texts = [
            alive[parent] + "abc."[token]
            for parent, token in zip(step.parents[0], step.tokens[0], strict=True)
        ]
        finished += [
            text for text, done in zip(texts, step.finished[0].tolist(), strict=True) if done
        ]
        alive = [texts[place] for place in step.survivors[0].tolist()]
        living.append(alive)
    assert [*living[1:], finished] == predict.beams.reference


def test_what_the_filters_keep_is_what_the_functions_keep():
    weights = np.array([[3, 12, 1, 8, 4, 16, 6, 10]])
    kept = top_p(weights, 0.75), top_p(top_k(weights, 4), 0.75), top_p(weights**2, 0.6)
    assert [np.flatnonzero(row[0]).tolist() for row in kept] == predict.support.reference
