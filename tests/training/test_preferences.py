"""Preferences between answers, and the policy that follows them best."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.shapes import ShapeError
from headway.training.answers import answer_batch
from headway.training.preferences import (
    answer_log_probability,
    dpo_loss,
    implied_reward,
    tilted,
)
from tests.nn.drawn import normal, seeded

betas = st.sampled_from([0.01, 0.1, 1.0, 5.0])
seeds = st.integers(0, 1_000)
close = torch.testing.assert_close


def four(seed=0, pairs=6):
    """ln of four probabilities of answers, (N,) each, in float64."""
    return (-5 * torch.rand(4, pairs, generator=seeded(seed), dtype=torch.float64)).unbind()


def answers(seed=0, K=6):
    """A reference over K answers to each of three prompts, ln π_ref (3, K), and their rewards."""
    return normal(3, K, seed=seed).double().log_softmax(-1), normal(3, K, seed=seed + 1).double()


@given(betas, seeds)
def test_a_policy_that_is_its_reference_loses_ln_2(beta, seed):
    preferred, rejected, *_ = four(seed)
    loss = dpo_loss(preferred, rejected, preferred, rejected, beta)
    close(loss, torch.full_like(loss, math.log(2)))


@given(betas, seeds)
def test_the_loss_pulls_the_preferred_up_and_the_rejected_down_by_as_much(beta, seed):
    preferred, rejected, *reference = four(seed)
    preferred.requires_grad_()
    rejected.requires_grad_()
    loss = dpo_loss(preferred, rejected, *reference, beta)
    up, down = torch.autograd.grad(loss.sum(), (preferred, rejected))
    margin = beta * ((preferred - reference[0]) - (rejected - reference[1]))
    close(up, -beta * (-margin).sigmoid())  # the more, the more wrongly the policy ranks the two
    close(down, -up)


@given(seeds)
def test_without_a_price_on_straying_nothing_is_learned_from_a_step(seed):
    """As β goes to 0 the loss goes to ln 2, with slope −½ times the margin of ln π/π_ref."""
    preferred, rejected, *reference = four(seed)
    loss = dpo_loss(preferred, rejected, *reference, 1e-6)
    margin = (preferred - reference[0]) - (rejected - reference[1])
    close((loss - math.log(2)) / 1e-6, -margin / 2, atol=1e-4, rtol=1e-4)


@given(betas, seeds, st.floats(-20, 20))
def test_both_answers_may_get_less_likely_at_no_loss(beta, seed, shift):
    preferred, rejected, *reference = four(seed)
    shifted = dpo_loss(preferred + shift, rejected + shift, *reference, beta)
    close(shifted, dpo_loss(preferred, rejected, *reference, beta))


@given(betas, seeds)
def test_the_tilted_reference_is_the_best_policy_and_implies_the_reward(beta, seed):
    reference, reward = answers(seed)
    best = tilted(reference, reward, beta)
    log_Z = (reference + reward / beta).logsumexp(dim=-1, keepdim=True)
    close(implied_reward(best, reference, beta), reward - beta * log_Z)
    close(best.exp().sum(dim=-1), torch.ones(3).double())

    def worth(policy):  # E[r] − β KL(π ‖ π_ref)
        return (policy.exp() * (reward - beta * (policy - reference))).sum(dim=-1)

    close(worth(best), beta * log_Z[:, 0])
    for other in (reference, (best + normal(3, 6, seed=seed).double()).log_softmax(-1)):
        behind = beta * (other.exp() * (other - best)).sum(dim=-1)  # β KL(π ‖ π*), never below 0
        close(worth(best) - worth(other), behind)


def test_a_high_price_keeps_the_reference_and_a_low_one_leaves_the_best_answer():
    reference, reward = answers()
    close(tilted(reference, reward, 1e9), reference)
    best = torch.nn.functional.one_hot(reward.argmax(-1), 6).double()
    close(tilted(reference, reward, 1e-4).exp(), best)
    never = reference.index_fill(1, torch.tensor([2]), -torch.inf)
    assert (tilted(never, reward, 0.1)[:, 2] == -torch.inf).all()


def test_trained_to_its_end_the_policy_is_the_tilted_reference():
    """On all pairs of listed answers, each preferred as often as Bradley and Terry say."""
    beta, (reference, reward) = 0.5, answers()
    one, other = torch.triu_indices(6, 6, offset=1)
    often = (reward[:, one] - reward[:, other]).sigmoid()  # (3, 15), how often `one` is preferred
    scores = reference.clone().requires_grad_()  # the policy's logits; it begins as the reference
    optimizer = torch.optim.LBFGS(
        [scores],
        max_iter=500,
        tolerance_grad=1e-12,
        tolerance_change=1e-18,
        line_search_fn="strong_wolfe",
    )

    def loss():
        optimizer.zero_grad()
        policy = scores.log_softmax(dim=-1)
        p, q = (policy[:, one], reference[:, one]), (policy[:, other], reference[:, other])
        first = dpo_loss(p[0], q[0], p[1], q[1], beta)
        second = dpo_loss(q[0], p[0], q[1], p[1], beta)
        total = (often * first + (1 - often) * second).mean()
        total.backward()
        return total

    began = loss().item()
    optimizer.step(loss)
    assert began == pytest.approx(math.log(2))
    close(scores.log_softmax(-1).detach(), tilted(reference, reward, beta), atol=1e-7, rtol=0)


def test_an_answer_s_log_probability_is_the_sum_over_its_tokens_and_its_end():
    talk = [([1, 2, 3, 4], [False, False, True, True]), ([5, 6], [False, True])]
    inputs, targets = answer_batch(talk)
    logits = normal(*inputs.shape, 7)
    found = answer_log_probability(logits, targets)
    ln = logits.log_softmax(dim=-1)
    close(found, torch.stack([ln[0, 1, 3] + ln[0, 2, 4], ln[1, 0, 6]]))
    with pytest.raises(ShapeError, match="Were they shifted by a position"):
        answer_log_probability(logits[:, 1:], targets)


@pytest.mark.parametrize(
    ("shapes", "beta", "error", "message"),
    [
        ((3, 3, 2, 3), 0.1, ShapeError, r"got shapes \(3,\) and \(2,\)"),
        ((3, 2, 3, 2), 0.1, ShapeError, r"got shapes \(3,\) and \(2,\)"),
        ((3, 3, 3, 3), 0.0, ValueError, "beta must be above 0, got 0.0"),
        ((3, 3, 3, 3), math.nan, ValueError, "beta must be above 0, got nan"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(shapes, beta, error, message):
    with pytest.raises(error, match=message):
        dpo_loss(*(torch.zeros(size) for size in shapes), beta)
