"""Build the measure of a chain: log-likelihood and perplexity of sentences."""

import math
from itertools import pairwise

import numpy as np

from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

NEAR = close(atol=1e-6)


def steps(P, sentences):
    """The probabilities of all predictions, one list a sentence: its words, then its end."""
    end = len(P) - 1
    return [[P[a, b] for a, b in pairwise([end, *s, end])] for s in sentences]


def logs(probabilities):
    return [math.log(p) if p > 0 else -math.inf for p in probabilities]


def score(P, sentences):
    """ln P of all sentences together, and exp of minus its mean over all predictions."""
    nats = [x for sentence in steps(P, sentences) for x in logs(sentence)]
    return [sum(nats), math.exp(-sum(nats) / len(nats))]


def score_cases(rng: np.random.Generator) -> list[Case]:
    def chain(size):
        P = rng.random((size + 1, size + 1)) + 0.02
        P[:, -1] *= 0.4  # sentences are seldom short
        return P / P.sum(axis=1, keepdims=True)

    def sentences(size, *lengths):
        return [[int(i) for i in rng.integers(0, size, length)] for length in lengths]

    never = chain(3)
    never[0, 1] = 0
    never /= never.sum(axis=1, keepdims=True)
    return [
        Case("one sentence", chain(4), sentences(4, 5), core=True),
        Case("sentences of different lengths", chain(5), sentences(5, 2, 9, 1, 4), core=True),
        Case("a sentence of one word", chain(3), sentences(3, 1)),
        Case("a sentence of no words", chain(3), sentences(3, 3, 0)),
        Case("a step that has probability 0", never, [[2, 1], [2, 0, 1]], truth="impossible"),
        Case("many sentences", chain(6), sentences(6, *rng.integers(1, 12, 40))),
        # The product of all probabilities is too small for a float; that of a sentence is not.
        Case("a long text", chain(6), sentences(6, *rng.integers(1, 12, 300))),
    ]


def _flat(P, sentences):
    return [p for sentence in steps(P, sentences) for p in sentence]


def _result(total, predictions):
    return [total, math.exp(-total / predictions)]


def _ln(probabilities):
    return sum(logs(probabilities))


def _one_product(P, sentences):
    """Multiplies all probabilities, and takes the logarithm at the end."""
    probabilities = _flat(P, sentences)
    return _result(_ln([math.prod(probabilities)]), len(probabilities))


def _no_mean(P, sentences):
    total = _ln(_flat(P, sentences))
    return [total, float(np.exp(min(-total, 1e3)))]


def _bits(P, sentences):
    return _ln(_flat(P, sentences)) / math.log(2)


def _each_by_itself(P, sentences):
    each = [score(P, [sentence])[1] for sentence in sentences]
    return [_ln(_flat(P, sentences)), sum(each) / len(each)]


def _only(P, sentences, part):
    """Counts only this part, a slice, of each sentence's predictions."""
    kept = [p for sentence in steps(P, sentences) for p in sentence[part]]
    return _result(_ln(kept), max(len(kept), 1))


def _end_not_in_mean(P, sentences):
    return _result(_ln(_flat(P, sentences)), sum(map(len, sentences)))


def _both_in_mean(P, sentences):
    symbols = sum(len(sentence) + 2 for sentence in sentences)
    return _result(_ln(_flat(P, sentences)), symbols)


def _entropy(P, sentences):
    doubts = [-sum(p * math.log(p) for p in row if p > 0) for row in P]
    rows = [doubts[i] for sentence in sentences for i in [len(P) - 1, *sentence]]
    return [_ln(_flat(P, sentences)), math.exp(sum(rows) / len(rows))]


def _run_together(P, sentences):
    return score(P, [[word for sentence in sentences for word in sentence]])


def _zeros_skipped(P, sentences):
    kept = [p for p in _flat(P, sentences) if p > 0]
    return _result(_ln(kept), len(kept))


def _raises_at_zero(P, sentences):
    return _result(sum(map(math.log, _flat(P, sentences))), len(_flat(P, sentences)))


def _mean_probability(P, sentences):
    probabilities = _flat(P, sentences)
    return [_ln(probabilities), len(probabilities) / sum(probabilities)]


def _sign_lost(P, sentences):
    total, perplexity = score(P, sentences)
    return [total, 1 / perplexity]


def alike(got, wrong, case) -> Difference | None:
    """As near; but where something impossible happens, any two finite results are alike."""
    values = [*got, *wrong] if isinstance(got, list) and isinstance(wrong, list) else [math.nan]
    numbers = all(isinstance(value, (int, float)) for value in values)
    if case.truth == "impossible" and numbers and all(map(math.isfinite, values)):
        return None
    return NEAR(got, wrong, case)


scoring = Task(
    id="02-markov/score",
    title="Log-likelihood and perplexity",
    kind="build",
    points=2,
    minutes=15,
    answer="score",
    cases=score_cases,
    reference=score,
    misconceptions=(
        Misconception(
            "exp-of-bits",
            lambda P, s: [_bits(P, s), math.exp(-_bits(P, s) / len(_flat(P, s)))],
            "Your logarithms are to the base 2, and you undo them with the exponential function. "
            "Which base does that undo?",
        ),
        Misconception(
            "bits-for-nats",
            lambda P, s: [_bits(P, s), score(P, s)[1]],
            "Your perplexity is right. Your log-likelihood is in bits: which logarithm is asked "
            "for?",
        ),
        Misconception(
            "two-to-the-nats",
            lambda P, s: [score(P, s)[0], 2 ** -(score(P, s)[0] / len(_flat(P, s)))],
            "Your log-likelihood is in nats, and you undo it as if it were in bits. What is e to "
            "the power of ln 3, and what is 2 to that power?",
        ),
        Misconception(
            "tens-for-nats",
            lambda P, s: [score(P, s)[0] / math.log(10), score(P, s)[1]],
            "Your perplexity is right. Your log-likelihood is to the base 10: which logarithm is "
            "asked for?",
        ),
        Misconception(
            "product-underflows",
            _one_product,
            "Right for short texts. In a long one your product becomes so small that the computer "
            "holds it as 0. What can be added up instead of it?",
        ),
        Misconception(
            "mean-left-out",
            _no_mean,
            "Your perplexity is one over the probability of all the text. Would a text of twice "
            "the length have the same?",
        ),
        Misconception(
            "mean-left-out-overflows",
            lambda P, s: _result(_ln(_flat(P, s)), 1),
            "Your perplexity is one over the probability of all the text, and for a long text it "
            "is too large to hold. Would a text of twice the length have the same perplexity?",
        ),
        Misconception(
            "mean-over-sentences",
            lambda P, s: _result(_ln(_flat(P, s)), len(s)),
            "You divide by the number of sentences. How many predictions were made in each?",
        ),
        Misconception(
            "mean-of-perplexities",
            _each_by_itself,
            "You take a perplexity for each sentence, and then their mean. A long sentence then "
            "counts no more than a short one; does it hold more predictions?",
        ),
        Misconception(
            "tail-lost",
            lambda P, s: _only(P, s, slice(-1)),
            "You leave out the last prediction of each sentence. What comes after its last word?",
        ),
        Misconception(
            "first-word-lost",
            lambda P, s: _only(P, s, slice(1, None)),
            "You leave out the first word of each sentence. Which row predicts it?",
        ),
        Misconception(
            "boundaries-left-out",
            lambda P, s: _only(P, s, slice(1, -1)),
            "You count only the steps from word to word. What predicts the first word, and what "
            "follows the last?",
        ),
        Misconception(
            "end-not-in-the-mean",
            _end_not_in_mean,
            "The ends are in your sum, but you divide by the number of words. How many "
            "predictions does a sentence of three words make?",
        ),
        Misconception(
            "both-boundaries-in-the-mean",
            _both_in_mean,
            "You divide by the words and both boundaries. Is the one before the first word "
            "predicted?",
        ),
        Misconception(
            "entropy-for-surprise",
            _entropy,
            "Your log-likelihood is right. Your perplexity is made of the entropies of the rows: "
            "of how much the model doubts, and not of what it gave to what came. Which of the two "
            "tells whether it was right?",
        ),
        Misconception(
            "counts-across-boundaries",
            _run_together,
            "You read all sentences as a single long one. Is the first word of the second "
            "sentence predicted from the last word of the first?",
        ),
        Misconception(
            "transposed",
            lambda P, s: score(P.T, s),
            "You read the table by column and row. Is the row of the word that comes first, or of "
            "the word that comes next?",
        ),
        Misconception(
            "finite-at-zero",
            _zeros_skipped,
            "Your result stays finite where a step has probability 0: it was left out, or raised "
            "a little. A model called something impossible, and it happened. How surprised must "
            "it be?",
        ),
        Misconception(
            "zero-raises",
            _raises_at_zero,
            "A step of probability 0 ends your program. What does the text ask for there?",
        ),
        Misconception(
            "mean-of-probabilities",
            _mean_probability,
            "Your perplexity is one over the mean probability. Of what does a perplexity take the "
            "mean?",
        ),
        Misconception(
            "minus-lost",
            _sign_lost,
            "Your perplexity lies below 1. What is the sign of the logarithm of a probability?",
        ),
        Misconception(
            "mean-for-sum",
            lambda P, s: [score(P, s)[0] / len(_flat(P, s)), score(P, s)[1]],
            "Your perplexity is right. Your first number is the mean of the logarithms; which "
            "number belongs to all sentences together?",
        ),
        Misconception(
            "pair-swapped",
            lambda P, s: score(P, s)[::-1],
            "Both numbers are right, in the other order. Which one is asked for first?",
        ),
        Misconception(
            "minus-too-early",
            lambda P, s: [-score(P, s)[0], score(P, s)[1]],
            "Your perplexity is right. Your log-likelihood is positive; can a probability have "
            "such a logarithm?",
        ),
    ),
    compare=NEAR,
    alike=alike,
)
