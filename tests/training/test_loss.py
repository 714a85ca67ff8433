import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from headway.shapes import ShapeError
from headway.training.loss import (
    IGNORE,
    cross_entropy,
    divergence,
    entropy,
    smoothed,
    smoothed_beside_padding,
    summed_cross_entropy,
)

V = 6
shapes = st.sampled_from([(1,), (7,), (2, 5), (3, 2, 4)])
smoothings = st.sampled_from([0.0, 0.1, 0.5, 1.0])
seeds = st.integers(0, 10_000)


def example(shape, seed, ignored=0.4):
    """Logits (..., V), and targets (...) of which some are to be ignored."""
    generator = torch.Generator().manual_seed(seed)
    logits = 3 * torch.randn(*shape, V, generator=generator)
    targets = torch.randint(V, shape, generator=generator)
    hidden = torch.rand(shape, generator=generator) < ignored
    hidden.view(-1)[0] = False
    return logits.requires_grad_(), targets.masked_fill(hidden, IGNORE)


def close(a, b):
    torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)


@given(shapes, smoothings, seeds)
def test_the_loss_and_its_gradient_agree_with_torchs(shape, smoothing, seed):
    logits, targets = example(shape, seed)
    theirs = nn.CrossEntropyLoss(label_smoothing=smoothing, ignore_index=IGNORE)
    expected = theirs(logits.reshape(-1, V), targets.reshape(-1))
    ours = cross_entropy(logits, targets, smoothing)
    close(ours, expected)
    close(*(torch.autograd.grad(loss, logits)[0] for loss in (ours, expected)))


@given(shapes, smoothings, seeds)
def test_the_loss_is_divergence_plus_entropy_over_the_targets_that_count(shape, smoothing, seed):
    logits, targets = example(shape, seed)
    counted = targets != IGNORE
    q = smoothed(targets[counted], V, smoothing)
    explicit = divergence(q, logits[counted]) + entropy(q)
    close(cross_entropy(logits, targets, smoothing), explicit.mean())


@given(seeds, st.integers(1, 6))
def test_the_loss_does_not_depend_on_how_a_text_is_cut_into_batches(seed, cut):
    logits, targets = example((7,), seed)
    halves = [
        summed_cross_entropy(logits[part], targets[part])
        for part in (slice(None, cut), slice(cut, None))
    ]
    total, count = (sum(column) for column in zip(*halves, strict=True))
    close(total / count, cross_entropy(logits, targets))


@given(seeds)
def test_ignored_positions_change_nothing_and_get_no_gradient(seed):
    logits, targets = example((2, 5), seed)
    ignored = targets == IGNORE
    other = torch.where(ignored[..., None], 100 * torch.ones(V), logits)
    assert torch.equal(cross_entropy(other, targets), cross_entropy(logits, targets))
    (gradient,) = torch.autograd.grad(cross_entropy(logits, targets, smoothing=0.1), logits)
    assert gradient[ignored].abs().sum() == 0
    assert (gradient[~ignored].abs().sum(dim=-1) > 0).all()


def test_any_id_can_be_the_one_to_ignore():
    logits, _ = example((4,), 0)
    targets = torch.tensor([0, 3, 0, 5])
    close(
        cross_entropy(logits, targets, ignore_index=0), cross_entropy(logits[1::2], targets[1::2])
    )


def test_a_batch_of_padding_only_loses_zero():
    logits, targets = example((2, 3), 0)
    loss = cross_entropy(logits, torch.full_like(targets, IGNORE), smoothing=0.1)
    loss.backward()
    assert loss.item() == 0
    assert logits.grad.abs().max() == 0


@given(seeds)
def test_the_gradient_is_p_minus_q(seed):
    logits, targets = example((5,), seed, ignored=0)
    (gradient,) = torch.autograd.grad(cross_entropy(logits, targets, smoothing=0.1), logits)
    close(gradient, (logits.softmax(dim=-1) - smoothed(targets, V, 0.1)) / 5)


def test_knowing_nothing_costs_ln_v_however_smooth():
    for smoothing in (0.0, 0.1, 1.0):
        loss = cross_entropy(torch.zeros(3, V), torch.tensor([0, 2, 5]), smoothing)
        assert loss.item() == pytest.approx(math.log(V), abs=1e-6)


def test_logits_of_thousands_give_no_nan_and_adding_to_all_changes_nothing():
    logits, targets = example((5,), 1, ignored=0)
    assert cross_entropy(1_000 * logits, targets).isfinite()
    close(cross_entropy(logits + 100, targets), cross_entropy(logits, targets))


@given(seeds, smoothings)
def test_the_divergence_is_zero_only_for_the_targets_own_distribution(seed, smoothing):
    logits, targets = example((5,), seed, ignored=0)
    q = smoothed(targets, V, smoothing)
    assert (divergence(q, logits) > 0).all()
    close(divergence(logits.softmax(dim=-1), logits), torch.zeros(5))


@given(seeds, smoothings)
def test_the_divergence_agrees_with_torchs(seed, smoothing):
    logits, targets = example((5,), seed, ignored=0)
    q = smoothed(targets, V, smoothing)
    theirs = nn.functional.kl_div(logits.log_softmax(dim=-1), q, reduction="none").sum(dim=-1)
    close(divergence(q, logits), theirs)


def test_smoothing_leaves_the_true_word_a_share_of_the_spread():
    q = smoothed(torch.tensor([2]), 5, 0.1)
    close(q, torch.tensor([[0.02, 0.02, 0.92, 0.02, 0.02]]))


def test_the_annotated_variant_spreads_beside_the_true_word_and_the_padding():
    q = smoothed_beside_padding(torch.tensor([[2], [4]]), 5, 0.3, padding=0)
    close(q, torch.tensor([[[0.0, 0.1, 0.7, 0.1, 0.1]], [[0.0, 0.1, 0.1, 0.1, 0.7]]]))


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ShapeError, match=r"\(2, 6, 5\) need targets \(2, 6\), got \(2, 5\)"):
        cross_entropy(torch.zeros(2, V, 5), torch.zeros(2, 5, dtype=torch.long))
    with pytest.raises(ShapeError, match=r"\(5,\) and logits \(5, 6\)"):
        divergence(torch.zeros(5), torch.zeros(5, V))
