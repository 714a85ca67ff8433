"""How wrong a model was: cross-entropy, with padding ignored and with smoothed targets.

    cross-entropy   H(q, p) = − Σ_v q_v ln p_v = KL(q ‖ p) + H(q)
    divergence      KL(q ‖ p) = Σ_v q_v (ln q_v − ln p_v)

p is the softmax of the logits, q the target distribution. With all of q on the true word, H(q) is 0
and the loss is −ln p[true]. Label smoothing moves a little of q to the other words; H(q) is then a
constant above zero, which the model cannot reach below, and KL is what is left to learn.

Shapes: logits (..., V), targets (...), q (..., V). Losses are in nats. A target that equals
`ignore_index` counts nowhere: neither in the sum nor in the number of tokens.

`cross_entropy` is what training uses (torch's fused kernel); `divergence` and `entropy` are the
formula itself, equal by test.
"""

import torch
from torch import Tensor
from torch.nn import functional

from headway.shapes import ShapeError

IGNORE = -100


def summed_cross_entropy(
    logits: Tensor, targets: Tensor, smoothing: float = 0.0, ignore_index: int = IGNORE
) -> tuple[Tensor, Tensor]:
    """The total cross-entropy and the number of targets it counts.

    Add up totals and counts over unequal batches and divide once at the end: a mean of batch means
    would give a token in a short batch more weight.

    Args:
        logits: (..., V), before any softmax.
        targets: int64 (...), each in 0 … V−1 or `ignore_index`.
        smoothing: ε, the share of the target spread over all V symbols.
        ignore_index: the target that counts nowhere.

    Returns:
        total (), in nats, and count (), int64.

    Raises:
        ShapeError: if targets do not have the batch shape of the logits.
    """
    if logits.shape[:-1] != targets.shape:
        raise ShapeError(
            f"logits {tuple(logits.shape)} need targets {tuple(logits.shape[:-1])}, got "
            f"{tuple(targets.shape)}. Is V the last axis, and does each position have one target?"
        )
    total = functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]),  # (B·T, V)
        targets.reshape(-1),  # (B·T,)
        ignore_index=ignore_index,
        label_smoothing=smoothing,
        reduction="sum",
    )
    return total, (targets != ignore_index).sum()


def cross_entropy(
    logits: Tensor, targets: Tensor, smoothing: float = 0.0, ignore_index: int = IGNORE
) -> Tensor:
    """The mean cross-entropy over the targets that count; zero, not NaN, where none does.

    Arguments and errors as for `summed_cross_entropy`.

    Returns:
        () in nats; ln V for a model that knows nothing.
    """
    total, count = summed_cross_entropy(logits, targets, smoothing, ignore_index)
    return total / count.clamp(min=1)


def smoothed(targets: Tensor, size: int, smoothing: float) -> Tensor:
    """Targets as distributions: 1 − ε + ε/V on the true symbol, ε/V on every other.

    This is a mixture of the one-hot target with the uniform distribution over all V symbols, the
    true one included, and what `torch.nn.CrossEntropyLoss(label_smoothing=ε)` uses.

    Args:
        targets: int64 (...), each in 0 … V−1.
        size: V.
        smoothing: ε in 0 … 1.

    Returns:
        (..., V) float32; each row sums to one.

    Source: Szegedy et al. 2016, section 7.
    """
    return (1 - smoothing) * functional.one_hot(targets, size).float() + smoothing / size


def divergence(distribution: Tensor, logits: Tensor) -> Tensor:
    """KL(q ‖ p) of target distributions q from p = softmax(logits), one number a position.

    Args:
        distribution: q (..., V); where it is 0 nothing counts, whatever p is.
        logits: (..., V); −∞ where p is 0.

    Returns:
        (...) in nats, never negative but for rounding; 0 where p = q, ∞ where only p is 0.

    Raises:
        ShapeError: if the shapes differ.
    """
    if distribution.shape != logits.shape:
        raise ShapeError(
            f"target distributions {tuple(distribution.shape)} and logits {tuple(logits.shape)} "
            f"differ. Are the targets still ids? `smoothed` makes distributions of them."
        )
    log_p = logits.log_softmax(dim=-1).masked_fill(distribution == 0, 0)
    return (torch.xlogy(distribution, distribution) - distribution * log_p).sum(dim=-1)


def entropy(distribution: Tensor) -> Tensor:
    """H(q) = − Σ_v q_v ln q_v of distributions (..., V), one number (...) in nats each."""
    return -torch.xlogy(distribution, distribution).sum(dim=-1)
