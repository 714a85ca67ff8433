"""What a loss means: perplexity, bits per byte, and how often an answer is right.

    perplexity = exp(nats / tokens)       how many equally likely tokens the model wavers between
    bits per byte = nats / (ln 2 · bytes)   comparable between tokenizers, where perplexity is not
    exact match = answers equal to the expected one / answers
    BLEU = brevity penalty · (p_1 p_2 p_3 p_4)^¼   p_n: the share of runs of n words that are right

`nats` is a total, as `headway.training.loss.summed_cross_entropy` gives it: totals add up over
batches, means do not.
"""

import math
from collections.abc import Sequence

from torch import Tensor

from headway.errors import needs_extra


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
            at the end symbol first (`headway.models.padding.cut_at`): what stands after it counts
            here.
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


def bleu(predicted: Sequence[str], expected: Sequence[str], tokenize: str = "13a") -> float:
    """Corpus BLEU in 0 … 100, as sacrebleu computes it, with one reference a sentence.

    100 · min(1, exp(1 − r/c)) · (p_1 p_2 p_3 p_4)^¼: p_n is the number of n-grams of the answers
    that the references have too, by the number of all, each summed over the whole corpus; c and r
    are the lengths of all answers and of all references. A p_n of zero is smoothed.

    Args:
        predicted: N sentences, as text with its spaces and capitals.
        expected: the N reference translations.
        tokenize: how sacrebleu cuts sentences into words. "13a" separates punctuation as the
            shared tasks in translation do; "none" cuts at spaces, for text that is already in
            tokens; "char" takes letters. Scores of different tokenizations do not compare.

    Raises:
        TypeError: if a sentence is not a string.
        ValueError: if there are no sentences, their numbers differ, or the tokenization is unknown.
        UserError: if sacrebleu is not installed.

    Source: Papineni et al. 2002, section 2; Post 2018 for the tokenization.
    """
    predicted, expected = list_sentences(predicted), list_sentences(expected)
    if len(predicted) != len(expected) or not expected:
        raise ValueError(
            f"got {len(predicted)} sentences for {len(expected)} references; each needs one, and "
            "there must be one at least"
        )
    with needs_extra("bleu", "BLEU"):
        from sacrebleu.metrics import BLEU
    if tokenize not in BLEU.TOKENIZERS:
        raise ValueError(f"sacrebleu knows no tokenization {tokenize!r}: {list(BLEU.TOKENIZERS)}")
    # force: no warning on stderr where sentences end in " .", as tokenized ones do.
    return BLEU(tokenize=tokenize, force=True).corpus_score(predicted, [expected]).score


def list_sentences(given: Sequence[str]) -> list[str]:
    """The sentences as a list.

    Raises:
        TypeError: if one is not a string, or all are one string.
    """
    sentences = [given] if isinstance(given, str) else list(given)
    odd = next((sentence for sentence in sentences if not isinstance(sentence, str)), None)
    if odd is not None or isinstance(given, str):
        raise TypeError(
            f"expected a list of sentences as strings, got {given if odd is None else odd!r}. "
            "Are they still ids or tokens?"
        )
    return sentences


def plain(answers: Tensor | Sequence[Sequence]) -> list:
    """Answers as strings or lists, so that == compares them whole."""

    def listed(answer):
        if isinstance(answer, str):
            return answer
        return answer.tolist() if isinstance(answer, Tensor) else list(answer)

    return [listed(answer) for answer in answers]
