"""Exact search: the truly most likely continuation, to hold greedy and beam search against.

In a chain of order n the future depends on the last n words only. Of all beginnings that end in
the same n words, the most likely one stays ahead whatever follows, and the others can be forgotten
(Viterbi 1967). So Vⁿ beginnings are enough, where there are Vᵗ:

    best(c₂ … cₙ w) = max over c₁ of  best(c₁ … cₙ) + ln P(w | c₁ … cₙ)

A Transformer looks back at everything, no two of its beginnings can be merged, and `exhaustive` is
the only exact way: Vᵗ sequences, for tiny V and t.

Both find the hypothesis that is best by beam search's own rules: the highest ln P / lengthᵅ among
all that end within `steps` tokens, and all of exactly `steps` tokens without an end.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from headway.inference.beam import Hypotheses, extended, normalized
from headway.inference.predictor import Predictor, check_predictor, score_type
from headway.models.parts import check_batch
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError

LARGEST = 1_000_000  # sequences that `exhaustive` agrees to list


def log_table(chain: MarkovChain) -> Tensor:
    """All of a chain's predictions as one table, for `viterbi`.

    table[c₁, …, cₙ, w] = ln P(w | c₁ … cₙ), the boundary (id V) included; −∞ where P is zero, and
    in the whole row of a context that was never seen.

    Args:
        chain: of order n ≥ 1.

    Returns:
        float64, n+1 axes of length V+1 each.

    Raises:
        ValueError: if the order is 0: without a context there is nothing to search.
    """
    n, W = chain.order, chain.size + 1
    if n < 1:
        raise ValueError("a chain of order 0 chooses each word alone: greedy is exact for it")
    contexts = np.indices((W,) * n).reshape(n, -1).T  # (Wⁿ, n)
    return torch.from_numpy(chain.predict(contexts)).log().view((W,) * (n + 1))


def viterbi(
    table: Tensor,
    context: Sequence[int],
    steps: int,
    end: int | None = None,
    length_penalty: float = 0.0,
) -> tuple[Tensor, float]:
    """The best continuation in a chain of order n.

    Time steps · Vⁿ⁺¹, memory steps · Vⁿ. The length penalty costs nothing: the best hypothesis of
    each length is known, and they differ in it only.

    Args:
        table: n+1 axes of length V; table[c₁, …, cₙ, w] = ln P(w | c₁ … cₙ), the oldest first.
        context: the n words before, the latest last.
        steps: the most tokens, at least 1.
        end: the token that ends a hypothesis; None to take exactly `steps` tokens.
        length_penalty: α in ln P / lengthᵅ.

    Returns:
        ids int64 (L,), L ≤ steps, the end included; and the score, ln P / Lᵅ. Of equal scores the
        shortest comes first.

    Raises:
        ShapeError: if the table's axes differ in length or do not fit the context.
        ValueError: if `steps` is below 1, or every continuation has probability zero.
    """
    n, V = table.dim() - 1, table.shape[-1]
    if n < 1 or set(table.shape) != {V} or len(context) != n:
        raise ShapeError(
            f"a table of shape {tuple(table.shape)} does not go with a context of {len(context)} "
            "words; order n needs n+1 axes of length V, and n words"
        )
    if steps < 1:
        raise ValueError(f"steps is how many tokens to choose at most, 1 or more; got {steps}")
    best = table.new_full((V,) * n, -torch.inf)
    best[tuple(context)] = 0.0
    forgotten = []  # at each step: which oldest word the best beginning of each context had
    found, score = (0, 0), -torch.inf  # how long it is, and its last n words as one number
    for t in range(1, steps + 1):
        best, oldest = (best[..., None] + table).max(dim=0)
        forgotten.append(oldest.flatten())
        finished = torch.full_like(best, -torch.inf)
        if t == steps:
            finished = best  # after the last step everything counts
        elif end is not None:
            finished[..., end] = best[..., end]
            best[..., end] = -torch.inf  # what has ended is not extended
        top, place = normalized(finished.flatten(), t, length_penalty).max(dim=0)
        if top > score:
            found, score = (t, int(place)), float(top)
    if score == -torch.inf:
        raise ValueError(
            f"no continuation of {list(context)} is possible: all are of probability 0"
        )
    length, state = found
    ids = []
    for t in reversed(range(length)):
        ids.append(state % V)  # the latest word of the state is the one chosen at step t
        state = int(forgotten[t][state]) * V ** (n - 1) + state // V
    return torch.tensor(ids[::-1]), score


@torch.inference_mode()
def exhaustive(
    predictor: Predictor,
    prompt: Tensor,
    steps: int,
    end: int | None = None,
    length_penalty: float = 0.0,
) -> Hypotheses:
    """All continuations of each prompt, the best first.

    With W = V − 1 tokens that do not end there are 1 + W + … + W^(steps−1) hypotheses that end, and
    W^steps that do not; Vˢᵗᵉᵖˢ where there is no end.

    Args:
        predictor: a new one.
        prompt: int64 (B, T).
        steps: the most tokens, at least 1.
        end: the token that ends a hypothesis, or None.
        length_penalty: α in ln P / lengthᵅ.

    Returns:
        `Hypotheses` of all of them, padded with `end`; those of probability zero come last
        and have length 0.

    Raises:
        TypeError: if the predictor is a model itself.
        ShapeError: if the prompt is not (B, T).
        ValueError: if `steps` is below 1, the predictor has read something already, or there are
            more than a million sequences to list.
    """
    check_predictor(predictor)
    check_batch(prompt)
    if steps < 1:
        raise ValueError(f"steps is how many tokens to choose at most, 1 or more; got {steps}")
    B = len(prompt)
    logits = predictor.feed(prompt)
    V = logits.shape[-1]
    if B * V**steps > LARGEST:
        raise ValueError(
            f"{B} · {V}^{steps} sequences are too many to list (the limit is {LARGEST}); take "
            "beam search, or `viterbi` for a chain"
        )
    tokens = torch.arange(V, device=prompt.device)
    stays, padding = tokens if end is None else tokens[tokens != end], 0 if end is None else end
    ids = prompt.new_full((B, 1, steps), padding)  # all beginnings without an end, N of them
    log_p = logits.new_zeros(B, 1, dtype=score_type(logits))
    found = []
    for t in range(1, steps + 1):
        N = log_p.shape[1]
        after = extended(log_p, logits)  # (B, N, V)
        if end is not None:  # `ids` is filled with the end already
            found.append((ids, after[..., end], t))
        ids = ids.repeat_interleave(len(stays), dim=1)
        ids[..., t - 1] = stays.repeat(N)
        log_p = after[..., stays].flatten(1)
        if t < steps:
            rows = torch.arange(B * N, device=prompt.device)
            predictor.select(rows.repeat_interleave(len(stays)))
            logits = predictor.feed(ids[..., t - 1].reshape(-1, 1))
    found.append((ids, log_p, steps))
    scores = torch.cat([normalized(p, t, length_penalty) for _, p, t in found], dim=1)
    lengths = torch.cat([torch.full_like(i[..., 0], t) for i, _, t in found], dim=1)
    scores, order = scores.sort(dim=1, descending=True, stable=True)
    ids = torch.cat([i for i, _, _ in found], dim=1)
    ids = ids.gather(1, order[..., None].expand(-1, -1, steps))
    prompts = prompt[:, None].expand(-1, ids.shape[1], -1)
    lengths = lengths.gather(1, order).masked_fill(scores == -torch.inf, 0)
    return Hypotheses(torch.cat([prompts, ids], dim=-1), scores, lengths)
