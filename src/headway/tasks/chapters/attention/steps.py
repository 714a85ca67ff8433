"""The steps of attention, right and wrong: scores, softmax, mixture; and tensors to try them on."""

import math

import numpy as np
import torch


def scaled_scores(query, key):
    """Q Kᵀ / √D, (..., T, S)."""
    return query @ key.mT / math.sqrt(query.shape[-1])


def masked_softmax(scores, mask):
    """Softmax over the keys that the mask shows; a row of zeros where it shows none."""
    if mask is None:
        return scores.softmax(dim=-1)
    return scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).masked_fill(~mask, 0.0)


def attend(query, key, value, mask=None):
    """What each query gets, (..., T, E), and the weights, (..., T, S)."""
    return variant()(query, key, value, mask)


def variant(
    scores_of=scaled_scores, weigh=masked_softmax, mix=lambda weights, key, value: weights @ value
):
    """Attention with one of its three steps replaced."""

    def attention(query, key, value, mask=None):
        weights = weigh(scores_of(query, key), mask)
        return mix(weights, key, value), weights

    return attention


def scaled_by(size):
    """Another scale: size(query, key, value, scores) → what to divide the dot products by."""

    def attention(query, key, value, mask=None):
        products = query @ key.mT
        weights = masked_softmax(products / size(query, key, value), mask)
        return weights @ value, weights

    return attention


def tensors(rng: np.random.Generator, *shapes, size=1.0):
    """Float tensors of these shapes, with two decimals."""
    return tuple(
        torch.from_numpy(np.round(rng.normal(size=shape) * size, 2)).float() for shape in shapes
    )


def filled(with_what, then=None):
    """Hidden scores get another number; a second fill, of weights, if `then` is given."""

    def weigh(scores, mask):
        if mask is None:
            return scores.softmax(dim=-1)
        weights = scores.masked_fill(~mask, with_what).softmax(dim=-1)
        return weights if then is None else weights.masked_fill(~mask, then)

    return weigh


def after(change):
    """A mask on the weights: change(weights, mask)."""
    return lambda scores, mask: (
        scores.softmax(dim=-1) if mask is None else change(scores.softmax(dim=-1), mask)
    )


def along(dim):
    """The softmax along another dimension."""

    def weigh(scores, mask):
        if mask is None:
            return scores.softmax(dim=dim)
        return scores.masked_fill(~mask, -torch.inf).softmax(dim=dim).nan_to_num(0.0)

    return weigh


def over_everything(scores, mask):
    hidden = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
    flat = hidden.flatten(-2).softmax(dim=-1).nan_to_num(0.0)
    return flat.view_as(hidden)


def inverted(second):
    def weigh(scores, mask):
        if mask is None:
            return scores.softmax(dim=-1)
        weights = scores.masked_fill(mask, -torch.inf).softmax(dim=-1)
        return second(weights, mask)

    return weigh


def multiplied(scores, mask):
    if mask is None:
        return scores.softmax(dim=-1)
    return (scores * torch.where(mask, 1.0, -torch.inf)).softmax(dim=-1)


def added(scores, mask):
    return (scores if mask is None else scores + mask.float()).softmax(dim=-1)


def scaled_weights(query, key, value, mask=None):
    weights = masked_softmax(query @ key.mT, mask) / math.sqrt(query.shape[-1])
    return weights @ value, weights


def transposed(query, key, value, mask=None):
    weights = masked_softmax(scaled_scores(key, query), mask)
    return weights @ value, weights


def mask_on_queries(scores, mask):
    """Queries without a single hidden key keep everything, all others nothing."""
    return scores.softmax(dim=-1) if mask is None else masked_softmax(scores, mask.mT)


def three_dimensions_only(query, key, value, mask=None):
    if query.dim() != 3:
        raise RuntimeError("einsum for three dimensions")
    return attend(query, key, value, mask)
