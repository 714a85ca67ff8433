"""The label-smoothed loss and its floor, from target distributions."""

import torch
from torch import Tensor
from torch.nn import functional


def smoothed_loss(logits, target, smoothing, padding):
    """Mean over the words of H(q, p), and H(q): q is 1 − ε + ε/V for the true word, else ε/V."""
    q = smoothed(target, logits.shape[-1], smoothing)
    kept = target != padding
    return crossed(q, logits)[kept].mean(), entropy(q)[kept].mean()


def smoothed(target, V, smoothing):
    """Target distributions (..., V)."""
    return (1 - smoothing) * functional.one_hot(target, V).double() + smoothing / V


def crossed(q: Tensor, logits: Tensor) -> Tensor:
    """−Σ q ln p of each position, with 0 · ln 0 = 0."""
    return -torch.where(q > 0, q * logits.double().log_softmax(-1), 0.0).sum(-1)


def entropy(q: Tensor) -> Tensor:
    """−Σ q ln q of each position, whether the shares of q sum to one or not."""
    return -torch.xlogy(q, q).sum(-1)
