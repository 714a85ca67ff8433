"""Filters: from what the model thinks to what may be drawn.

Each is a function logits (B, V) → logits (B, V). What is excluded gets −∞, so that a softmax gives
it exactly zero, and shares its probability among the rest in proportion. Filters compose: each
works on the distribution that it is given, softmax(logits), already renormalized.

    temperature   p ∝ p^(1/T): sharper below 1, flatter above
    top-k         the k most likely tokens
    top-p         the fewest of the most likely tokens that together reach probability p
    repetition    tokens that have occurred, made less likely by a factor of their logit

Temperature and the penalty move logits and exclude nothing; a −∞ stays −∞ in each of them.
"""

import torch
from torch import Tensor

from headway.inference.predictor import score_type
from headway.shapes import ShapeError

# A sum of probabilities that equals p but for rounding has reached it: 0.4 + 0.3 reaches 0.7.
ROUNDING = 1e-6
# Temperatures beyond these leave no numbers in 32 bits for logits / T.
COLDEST, HOTTEST = 1e-30, 1e30


def temperature(logits: Tensor, T: float) -> Tensor:
    """Logits divided by T: softmax(logits / T) is proportional to p^(1/T).

    Args:
        logits: (B, V).
        T: 1e-30 to 1e30; 1 changes nothing, below 1 favors the likely, above 1 evens out.

    Returns:
        (B, V), in 32 bits where the logits have 16, which a small T would overflow.

    Raises:
        ValueError: if T is not from 1e-30 to 1e30.

    Source: Ackley, Hinton and Sejnowski 1985.
    """
    if not COLDEST <= T <= HOTTEST:
        raise ValueError(
            f"the temperature must be from {COLDEST:g} to {HOTTEST:g}, got {T}. Dividing by 0 "
            "gives no distribution; what it tends to as T → 0 is `greedy`."
        )
    return logits.to(score_type(logits)) / T


def top_k(logits: Tensor, k: int) -> Tensor:
    """Only the k most likely tokens; where several tie for the k-th place, all of them.

    Args:
        logits: (B, V).
        k: at least 1; all tokens stay where k ≥ V.

    Returns:
        (B, V), −∞ for tokens less likely than the k-th.

    Raises:
        ValueError: if k is not a whole number of at least 1, or a row has no token left.

    Source: Fan, Lewis and Dauphin 2018.
    """
    if not isinstance(k, int) or k < 1:
        raise ValueError(f"top-k keeps 1 token or more, got k = {k!r}")
    largest = logits.topk(min(k, logits.shape[-1])).values  # (B, k)
    check_support(largest[..., 0])
    return logits.masked_fill(logits < largest[..., -1:], -torch.inf)


def top_p(logits: Tensor, p: float) -> Tensor:
    """The nucleus: the fewest of the most likely tokens whose probabilities reach p.

    The token that crosses p belongs to it, so it never is empty. Of equally likely tokens those
    with lower ids come first.

    Args:
        logits: (B, V).
        p: in 0 < p ≤ 1; 1 keeps everything.

    Returns:
        (B, V), −∞ outside the nucleus.

    Raises:
        ValueError: if p is not in 0 < p ≤ 1, or a row has no token left.

    Source: Holtzman et al. 2020, section 3.1.
    """
    if not 0 < p <= 1:
        raise ValueError(f"p is a probability to be reached, in 0 < p ≤ 1, got {p}")
    ordered, order = logits.sort(dim=-1, descending=True, stable=True)
    check_support(ordered[..., 0])
    if p == 1:
        return logits
    probabilities = ordered.softmax(dim=-1, dtype=score_type(logits))  # 16 bits cannot add up
    before = probabilities.cumsum(dim=-1) - probabilities  # what the tokens ahead of each reach
    outside = before >= p - ROUNDING
    outside[..., 0] = False
    # Back from the order of likelihood to the order of ids.
    return logits.masked_fill(outside.scatter(-1, order, outside), -torch.inf)


def repetition_penalty(
    logits: Tensor, ids: Tensor, penalty: float, padding: int | None = None
) -> Tensor:
    """Makes tokens that have occurred less likely: positive logits ÷ penalty, negative × penalty.

    A token counts once, however often it occurred. Logits are taken as the model gives them: the
    penalty depends on where their zero is, so apply it before any other filter.

    Args:
        logits: (B, V).
        ids: int64 (B, T), the tokens so far, each in 0 … V−1.
        penalty: above 1 discourages repetition, 1 changes nothing, below 1 encourages it.
        padding: a token that is no token and is not penalized.

    Returns:
        (B, V).

    Raises:
        ValueError: if the penalty is not positive.
        ShapeError: if logits and ids do not have the same rows.

    Source: Keskar et al. 2019, section 4.1; divided or multiplied by sign as in Hugging Face.
    """
    if not penalty > 0:
        raise ValueError(f"the penalty is a positive factor, got {penalty}; 1 changes nothing")
    if ids.dim() != 2 or len(ids) != len(logits):
        raise ShapeError(
            f"logits {tuple(logits.shape)} need the tokens so far, ({len(logits)}, T), got ids "
            f"{tuple(ids.shape)}"
        )
    seen = logits.gather(-1, ids)  # (B, T); a token that occurs twice stands in it twice
    penalized = torch.where(seen < 0, seen * penalty, seen / penalty)
    if padding is not None:
        penalized = torch.where(ids == padding, seen, penalized)
    return logits.scatter(-1, ids, penalized)


def check_support(largest: Tensor) -> None:
    """Raise ValueError unless the largest logit of each row (B,) is finite."""
    if not largest.isfinite().all():
        row = int((~largest.isfinite()).int().argmax())
        raise ValueError(
            f"row {row} of the logits has {largest.flatten()[row]} as its largest: no distribution "
            "can be made of it. −inf means that every token was excluded; nan and inf come from "
            "the model."
        )
