"""What the tasks of assignment 07 owe beyond what all tasks do."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from headway.nn import position
from headway.tasks.chapters.positions.first_of_two import (
    TARGET,
    examine,
    trained,
)
from headway.tasks.chapters.positions.look_back import TOO_WIDE, look_back, weights_of
from headway.tasks.chapters.positions.predict import LATER, PLACES, SHOWN
from headway.tasks.chapters.positions.recurrent import states
from headway.tasks.chapters.positions.repair import add_positions, given_add_positions
from headway.tasks.chapters.positions.rotation import rotation
from headway.tasks.chapters.positions.sinusoids import sinusoids
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import judge
from tests.full import FULL, seeds

SEEDS = seeds(1)


def order_cases(seed):
    """The cases that are about who comes first; the last one only looks at the arguments."""
    return find_task("07-positions/first-of-two").cases(np.random.default_rng(seed))[:-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_network_of_word_and_place_reaches_the_target_with_margin(seed):
    torch.manual_seed(seed)
    for case in order_cases(seed) if FULL else order_cases(seed)[:1]:
        assert examine(trained(*case.inputs).numpy(), case).accuracy > TARGET + 0.015


@pytest.mark.parametrize("without", ["places", "bent"])
def test_without_places_or_without_a_bend_before_the_mean_the_order_stays_unseen(without):
    torch.manual_seed(0)
    for case in order_cases(0):
        found = examine(trained(*case.inputs, steps=100, **{without: False}).numpy(), case)
        assert found.accuracy == pytest.approx(0.5, abs=0.02)
        assert found.blind > 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_which_words_occur_tells_nothing_of_their_order(seed):
    """The baselines of the notebook, by least squares."""
    for case in order_cases(seed)[:2]:
        ids, first, new_ids, words = case.inputs

        def counts(sentences, words=words):
            return functional.one_hot(sentences, words).float().mean(1)

        solution = torch.linalg.lstsq(counts(ids), first.float()[:, None] - 0.5, driver="gelsd")
        answers = (counts(new_ids) @ solution.solution)[:, 0] > 0
        assert examine(answers.numpy(), case).accuracy == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_model_that_has_hardly_been_trained_is_asked_how_long_it_was(seed):
    """Its answers are all alike, or a guess: the one or the other, as chance has it."""
    torch.manual_seed(seed)
    task = find_task("07-positions/first-of-two")
    verdict = judge(task, lambda *given: trained(*given, steps=10), seed)
    assert verdict.misconception.name in ("order-blind", "no-better-than-a-guess")
    assert "did you train long enough" in verdict.misconception.hint


def test_what_is_asked_for_is_what_the_package_computes():
    rng = np.random.default_rng(0)
    places = rng.uniform(-5, 50, size=(3, 4))
    ours = position.sinusoids(torch.from_numpy(places), 6)
    np.testing.assert_allclose(sinusoids(places, 6), ours, atol=1e-6)

    speeds = position.frequencies(6)
    np.testing.assert_allclose(rotation(2.5, speeds.numpy()), position.rotation(2.5, 6), atol=1e-6)


def test_the_states_are_those_of_torch_and_the_first_word_moves_the_last_of_them():
    draw = torch.Generator().manual_seed(0)
    x, W, U = (torch.randn(*shape, generator=draw) for shape in ((2, 5, 3), (3, 3), (3, 3)))
    b = torch.randn(3, generator=draw)
    layer = nn.RNN(3, 3, batch_first=True).requires_grad_(False)
    for mine, given in zip(layer.parameters(), (W.T, U.T, b, 0 * b), strict=True):
        mine.copy_(given)
    torch.testing.assert_close(states(x, W, U, b), layer(x)[0])

    other = x.clone()
    other[0, 0] += 1
    moved = (states(other, W, U, b) - states(x, W, U, b)).abs().amax(-1) > 1e-4
    assert moved.tolist() == [[True] * 5, [False] * 5]


def test_a_clock_that_is_shown_is_one_and_is_turned_as_the_matrix_turns():
    speeds = np.array([np.pi / 2, np.pi / 4])
    place = np.arcsin(0.6) / speeds[1]
    clocks = [
        np.ravel([(np.sin(p * w), np.cos(p * w)) for w in speeds]) for p in (place, place + 2)
    ]
    np.testing.assert_allclose(clocks[0], SHOWN, atol=1e-12)
    np.testing.assert_allclose(clocks[1], LATER, atol=1e-12)
    np.testing.assert_allclose(rotation(2, speeds) @ SHOWN, LATER, atol=1e-12)


def test_a_table_of_so_many_places_learns_as_much_as_the_network():
    network = 48 * 48 + 48 * 48 + 48  # W, U and b
    table = position.LearnedPosition(PLACES, 48, torch.Generator())
    assert sum(weights.numel() for weights in table.parameters()) == network


def test_the_faulty_positions_are_right_for_sentences_without_padding_only():
    def both(lengths, T=3):
        given = torch.zeros(len(lengths), T, 1), torch.arange(1.0, 5.0)[:, None]
        lengths = torch.tensor(lengths)
        return [
            add(*given, lengths)[..., 0].tolist() for add in (given_add_positions, add_positions)
        ]

    faulty, repaired = both([3, 3])
    assert faulty == repaired
    faulty, repaired = both([1, 3, 2])
    assert faulty == [[0, 0, 3], [1, 2, 3], [0, 2, 3]]
    assert repaired == [[0, 0, 1], [1, 2, 3], [0, 1, 2]]
    assert both([1], T=1) == [[[1]], [[1]]]  # alone, the first sentence comes out right


def test_looking_back_by_hand_is_judged_by_the_weights_and_says_where_a_word_looks():
    assert np.diagonal(weights_of(look_back(3, 50), 50), -3).min() > 0.98
    speeds, matrix = look_back(3, 50)
    still = np.linalg.norm(matrix[0]) * np.eye(2)
    verdict = judge(find_task("07-positions/look-back"), lambda back, length: (speeds, still))
    assert "it looks most at place" in verdict.reason


def test_a_clock_that_is_wider_than_anybody_needs_is_not_looked_at():
    def wide(back, length):
        return np.ones(201), np.zeros((402, 402))

    assert TOO_WIDE in judge(find_task("07-positions/look-back"), wide).reason
