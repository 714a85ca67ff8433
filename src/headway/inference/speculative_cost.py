"""When speculative decoding pays: tokens a round, against what the round costs.

If each of n proposals is kept with probability α, whatever came before, a round gives

    E = 1 + α + α² + … + αⁿ = (1 − αⁿ⁺¹) / (1 − α)       tokens, n + 1 at most, 1 at least

    α = Σₓ min(p(x), q(x))                                 how far draft and model agree

and takes n steps of the draft and one reading of n + 1 tokens by the model. If a step takes the
time to read the weights, that is 1 + n·c steps of the model, c being the draft's share of its
bytes; if it takes the time to compute, it is n + 1 + n·c. E tokens have to make up for it: always
easy in the first case, never possible in the second, where every rejected token was computed in
vain. Small batches are the first case, large ones the second (`headway.inference.latency`).

Source: Leviathan, Kalman and Matias 2023, equation 1 and theorems 3.5, 3.8 and 3.11.
"""

import torch
from torch import Tensor

from headway.inference.cost import (
    Flops,
    add_up,
    cache_bytes,
    cached_step_flops,
    decoder_parameters,
    forward_flops,
)
from headway.models.language_model import LanguageModelConfig


def acceptance(p: Tensor, q: Tensor) -> Tensor:
    """α = Σ min(p, q): how likely a token drawn from q is kept by p. (..., V) each → (...).

    It is one minus half of the sum of abs(p − q), the total variation between them.
    """
    return torch.minimum(p, q).sum(dim=-1)


def expected_tokens(alpha: float, n: int) -> float:
    """E, the tokens that a round of n proposals gives on average.

    Args:
        alpha: α, from 0 to 1; a `fractions.Fraction` gives the exact value.
        n: proposals a round.

    Raises:
        ValueError: if α is no probability or n is negative.
    """
    if not 0 <= alpha <= 1 or n < 0:
        raise ValueError(f"alpha is a probability and n a number of proposals, got {alpha}, {n}")
    return sum((alpha**i for i in range(1, n + 1)), start=0 * alpha + 1)


def speedup(alpha: float, n: int, share: float) -> float:
    """How many times faster, where a step waits for the weights: E / (1 + n·c).

    Args:
        alpha, n: as for `expected_tokens`.
        share: c, bytes that a step of the draft reads, over those of the model; 0 for copying.
    """
    return expected_tokens(alpha, n) / (1 + n * share)


def more_work(alpha: float, n: int, share: float) -> float:
    """How many times the FLOPs of plain decoding each token takes: (n + 1 + n·c) / E.

    At least 1 for every α: a token that is kept was computed once, as without a draft.
    Arguments as for `speedup`; here c is the share of the FLOPs.
    """
    return (n + 1 + n * share) / expected_tokens(alpha, n)


def best_length(alpha: float, share: float, most: int = 32) -> int:
    """The n from 0 to `most` with the largest `speedup`; 0 says that drafting does not pay.

    It pays at some n if and only if α > c.
    """
    return max(range(most + 1), key=lambda n: speedup(alpha, n, share))


def round_flops(
    config: LanguageModelConfig, n: int, length: int, draft: LanguageModelConfig | None = None
) -> Flops:
    """The FLOPs of a round that begins after `length` tokens in the cache.

    The model reads its last token and n proposals, all of them scored. The draft takes n steps.

    Args:
        config: the sizes of the model.
        n: proposals.
        length: tokens that the cache holds before the round.
        draft: the sizes of the draft; none for a chain or for copying, which multiply nothing.
    """
    reading = forward_flops(config, n + 1, length + n + 1)
    if draft is None:
        return reading
    return add_up([reading, *(cached_step_flops(draft, length + i) for i in range(1, n + 1))])


def round_bytes(
    config: LanguageModelConfig,
    n: int,
    length: int,
    draft: LanguageModelConfig | None = None,
    item_bytes: float = 2,
) -> float:
    """The bytes that a round reads: weights and cache, once for the model, n times for the draft.

    Args:
        config, n, length, draft: as for `round_flops`.
        item_bytes: of a weight and of a number in the cache.
    """
    steps = 0 if draft is None else n * step_numbers(draft, length)
    return item_bytes * (step_numbers(config, length) + steps)


def step_numbers(config: LanguageModelConfig, length: int) -> int:
    """Numbers that a step reads: the parameters, and the cache of `length` tokens."""
    cache = cache_bytes(
        config.layers, config.shared_heads, config.per_head, length, 1, 1, config.cache_window
    )
    return decoder_parameters(config) + cache
