import math

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn

from headway.shapes import ShapeError
from headway.training.loss import (
    IGNORE,
    cross_entropy,
    divergence,
    entropy,
    smoothed,
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


@given(shapes, smoothings, st.sampled_from([IGNORE, 0]), seeds)
def test_the_loss_and_its_gradient_agree_with_torchs(shape, smoothing, ignored, seed):
    logits, targets = example(shape, seed)
    targets[targets == IGNORE] = ignored
    assume((targets != ignored).any())
    theirs = nn.CrossEntropyLoss(label_smoothing=smoothing, ignore_index=ignored)
    expected = theirs(logits.reshape(-1, V), targets.reshape(-1))
    ours = cross_entropy(logits, targets, smoothing, ignored)
    close(ours, expected)
    close(*(torch.autograd.grad(loss, logits)[0] for loss in (ours, expected)))


@given(shapes, smoothings, seeds)
def test_the_loss_is_divergence_plus_entropy_over_the_targets_that_count(shape, smoothing, seed):
    logits, targets = example(shape, seed)
    counted = targets != IGNORE
    q, logits_of_counted = smoothed(targets[counted], V, smoothing), logits[counted]
    apart = divergence(q, logits_of_counted)
    theirs = nn.functional.kl_div(logits_of_counted.log_softmax(-1), q, reduction="none")
    close(apart, theirs.sum(dim=-1))
    close(cross_entropy(logits, targets, smoothing), (apart + entropy(q)).mean())
    total, count = summed_cross_entropy(logits, targets, smoothing)
    assert count == counted.sum()
    close(total, (apart + entropy(q)).sum())


def test_what_neither_target_nor_model_expects_adds_nothing_to_the_divergence():
    q, logits = torch.tensor([0.0, 1, 0]), torch.tensor([-torch.inf, 0, 0]).requires_grad_()
    apart = divergence(q, logits)
    close(apart, torch.tensor(math.log(2)))
    close(torch.autograd.grad(apart, logits)[0], torch.tensor([0.0, -0.5, 0.5]))
    close(apart, cross_entropy(logits, torch.tensor(1)))
    expected = torch.tensor([0.0, 0.5, 0.5])  # the model says 0 where the target does not
    assert divergence(expected, torch.tensor([0.0, 0, -torch.inf])) == torch.inf


def test_a_batch_of_padding_only_loses_zero():
    logits, targets = example((2, 3), 0)
    loss = cross_entropy(logits, torch.full_like(targets, IGNORE), smoothing=0.1)
    loss.backward()
    assert loss.item() == 0
    assert logits.grad.abs().max() == 0


def test_logits_of_thousands_give_no_nan_and_adding_to_all_changes_nothing():
    logits, targets = example((5,), 1, ignored=0)
    assert cross_entropy(1_000 * logits, targets).isfinite()
    close(cross_entropy(logits + 100, targets), cross_entropy(logits, targets))


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ShapeError, match=r"\(2, 6, 5\) need targets \(2, 6\), got \(2, 5\)"):
        cross_entropy(torch.zeros(2, V, 5), torch.zeros(2, 5, dtype=torch.long))
    with pytest.raises(ShapeError, match=r"\(5,\) and logits \(5, 6\)"):
        divergence(torch.zeros(5), torch.zeros(5, V))
