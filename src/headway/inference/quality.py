"""How good and how varied generated text is: the two measures that decoding trades off.

    mean ln P  = Σ ln P(wₜ) / tokens          what the model itself thinks of the text
    distinct-n = distinct n-grams / n-grams   how little it repeats itself

Greedy decoding has much of the first and little of the second; sampling at a high temperature has
it the other way round.
"""

from torch import Tensor

from headway.inference.decoding import sequence_log_probability
from headway.models.parts import check_batch


def mean_log_probability(logits: Tensor, ids: Tensor, padding: int | None = None) -> Tensor:
    """ln P of each sequence by its number of tokens: minus the logarithm of its perplexity.

    Args, errors: as for `sequence_log_probability`.

    Returns:
        (B,), in nats a token; 0 for a sequence that is all padding.
    """
    total = sequence_log_probability(logits, ids, padding)
    tokens = ids.shape[1] if padding is None else (ids != padding).sum(dim=-1).clamp(min=1)
    return total / tokens


def distinct_n(ids: Tensor, n: int, padding: int | None = None) -> float:
    """The share of n-grams that are distinct, over all sequences together.

    Args:
        ids: int64 (B, T).
        n: length of the n-grams, at least 1.
        padding: n-grams that contain this id do not count.

    Returns:
        A fraction in 0 < … ≤ 1; 1 if no n-gram comes twice.

    Raises:
        ShapeError: if ids are not (B, T).
        ValueError: if n is below 1, or there is no n-gram.

    Source: Li et al. 2016, who divide by the number of tokens instead.
    """
    check_batch(ids)
    if not 1 <= n <= ids.shape[1]:
        raise ValueError(f"n-grams of n = {n} tokens in ids {tuple(ids.shape)}: there are none")
    grams = ids.unfold(1, n, 1).reshape(-1, n)  # (B·(T−n+1), n)
    if padding is not None:
        grams = grams[(grams != padding).all(dim=1)]
    if not len(grams):
        raise ValueError(f"every n-gram of n = {n} tokens contains the padding {padding}")
    return len(grams.unique(dim=0)) / len(grams)
