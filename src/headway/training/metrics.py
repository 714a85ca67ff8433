"""What a loss means in bits per byte, and how close translations are to the expected ones.

    bits per byte = nats / (ln 2 · bytes)   comparable between tokenizers, where perplexity is not
    BLEU = brevity penalty · (p_1 p_2 p_3 p_4)^¼   p_n: the share of runs of n words that are right

`nats` is a total, as `headway.training.loss.summed_cross_entropy` gives it: totals add up over
batches, means do not.
"""

import math
from collections.abc import Sequence

from headway.errors import needs_extra


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
