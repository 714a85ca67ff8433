"""What a loss means: perplexity, bits per byte, and how often an answer is right.

    perplexity = exp(nats / tokens)       how many equally likely tokens the model wavers between
    bits per byte = nats / (ln 2 · bytes)   comparable between tokenizers, where perplexity is not
    exact match = answers equal to the expected one / answers

`nats` is a total, as `headway.training.loss.summed_cross_entropy` gives it: totals add up over
batches, means do not.
"""

import math
from collections.abc import Sequence

from torch import Tensor


def perplexity(nats: float, tokens: int) -> float:
    """exp(nats / tokens); V for a model that knows nothing, 1 for one that is sure and right.

    Args:
        nats: the total negative log-likelihood; natural logarithm.
        tokens: how many targets it sums over.

    Returns:
        A number of at least 1; infinite where a mean of nats is beyond what a float can hold.

    Raises:
        ValueError: if there are no tokens.
    """
    if tokens < 1:
        raise ValueError(f"perplexity needs a token at least, got {tokens}; is all of it padding?")
    try:
        return math.exp(nats / tokens)
    except OverflowError:
        return math.inf


def bits_per_byte(nats: float, text: str) -> float:
    """nats / (ln 2 · bytes), over the UTF-8 bytes of the text that was predicted.

    Args:
        nats: the total negative log-likelihood of the text's tokens, whatever they are.
        text: the text itself; its bytes are counted, not its letters or tokens.

    Raises:
        ValueError: if the text is empty.
    """
    size = len(text.encode())
    if size == 0:
        raise ValueError("bits per byte of an empty text: there is nothing to divide by")
    return nats / (math.log(2) * size)


def exact_match(
    predicted: Tensor | Sequence[Sequence], expected: Tensor | Sequence[Sequence]
) -> float:
    """The share of answers that are right from the first to the last symbol.

    Args:
        predicted: N answers: strings, lists of words or of ids, or an (N, T) tensor of ids. Cut
            at the end symbol first: what stands after it counts here.
        expected: N answers of the same kind; lengths may differ from `predicted`.

    Returns:
        A fraction in 0 … 1.

    Raises:
        ValueError: if there are no answers, or the numbers of answers differ.
    """
    predicted, expected = plain(predicted), plain(expected)
    if len(predicted) != len(expected) or not expected:
        raise ValueError(
            f"got {len(predicted)} answers for {len(expected)} expected ones; each needs one, and "
            f"there must be one at least"
        )
    pairs = zip(predicted, expected, strict=True)
    return sum(answer == right for answer, right in pairs) / len(expected)


def plain(answers: Tensor | Sequence[Sequence]) -> list:
    """Answers as strings or lists, so that == compares them whole."""

    def listed(answer):
        if isinstance(answer, str):
            return answer
        return answer.tolist() if isinstance(answer, Tensor) else list(answer)

    return [listed(answer) for answer in answers]
