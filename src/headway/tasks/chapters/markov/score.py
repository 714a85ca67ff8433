"""Build the measure of a chain: log-likelihood and perplexity of sentences."""

import math
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.markov.mistakes import (
    ACROSS_BOUNDARIES,
    BASES_MIXED,
    BOUNDARY_MISSING,
    COLUMNS_FOR_ROWS,
    CONTEXT_IGNORED,
    EMPTY_SENTENCE_DROPPED,
    EXPONENTIAL_MISPLACED,
    MEAN_FORGOTTEN,
    MEAN_OF_PROBABILITIES,
    PREDICTIONS_MISCOUNTED,
    RESULTS_IN_ANOTHER_ORDER,
    WRONG_SIGN,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NEAR = close(atol=1e-6)


def score(P, sentences):
    """ln P of all sentences together, and exp of minus its mean over all predictions."""
    end, total, predictions = len(P) - 1, 0.0, 0
    for sentence in sentences:
        for a, b in pairwise([end, *sentence, end]):
            total += math.log(P[a, b]) if P[a, b] > 0 else -math.inf
            predictions += 1
    return [total, math.exp(-total / predictions)]


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


def alike(got, wrong, case) -> Difference | None:
    """As near; but where something impossible happens, any two finite results are alike."""
    values = [*got, *wrong] if isinstance(got, list) and isinstance(wrong, list) else [math.nan]
    numbers = all(isinstance(value, (int, float)) for value in values)
    if case.truth == "impossible" and numbers and all(map(math.isfinite, values)):
        return None
    return NEAR(got, wrong, case)


def probabilities(P, sentences):
    """Of all predictions, those of the ends included."""
    end = len(P) - 1
    return [P[pair] for s in sentences for pair in pairwise([end, *s, end])]


def product_underflows(P, sentences):
    product = math.prod(probabilities(P, sentences))
    total = math.log(product) if product else -math.inf
    return [total, math.exp(-total / len(probabilities(P, sentences)))]


def one_over_the_mean_probability(P, sentences):
    return [score(P, sentences)[0], 1 / np.mean(probabilities(P, sentences))]


def mean_of_perplexities(P, sentences):
    return [score(P, sentences)[0], np.mean([score(P, [s])[1] for s in sentences])]


def geometric_mean_of_perplexities(P, sentences):
    logarithms = [math.log(score(P, [s])[1]) for s in sentences]
    return [score(P, sentences)[0], math.exp(np.mean(logarithms))]


def entropy_for_surprise(P, sentences):
    doubts = [-sum(p * math.log(p) for p in row if p > 0) for row in P]
    rows = [doubts[i] for sentence in sentences for i in [len(P) - 1, *sentence]]
    return [score(P, sentences)[0], math.exp(sum(rows) / len(rows))]


PAIRS, PREDICTIONS = "pairwise([end, *sentence, end])", "/ predictions"
FIRST, PERPLEXITY = "[total,", "math.exp(-total / predictions)"

(words_only,) = changed(score, PAIRS, "pairwise(sentence)")

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
        BASES_MIXED.by(
            changed(score, "math.log(", "math.log2(", "math.log10("),
            changed(score, PERPLEXITY, "2 ** (-total / predictions)"),
            changed(score, FIRST, "[total / math.log(2),", "[total / math.log(10),"),
        ),
        Misconception(
            "product-underflows",
            product_underflows,
            "This is right for short texts, but in a long one your product becomes too small for "
            "a float. What can you add up instead?",
        ),
        MEAN_FORGOTTEN.by(changed(score, PERPLEXITY, "np.exp(-total)", "math.exp(-total)")),
        PREDICTIONS_MISCOUNTED.by(
            changed(
                score,
                PREDICTIONS,
                "/ len(sentences)",
                "/ sum(map(len, sentences))",
                "/ (sum(map(len, sentences)) + 1)",
                "/ sum(len(s) + 2 for s in sentences)",
            ),
            mean_of_perplexities,
            geometric_mean_of_perplexities,
        ),
        BOUNDARY_MISSING.by(
            changed(
                score,
                PAIRS,
                "pairwise([end, *sentence])",
                "pairwise([*sentence, end])",
                "pairwise([0, *sentence, end])",
            ),
            changed(score, "end, total, predictions = len(P) - 1", "end, total, predictions = 0"),
            changed(words_only, PREDICTIONS, "/ max(predictions, 1)"),
        ),
        Misconception(
            "entropy-for-surprise",
            entropy_for_surprise,
            "Your perplexity comes from the entropies of the rows, so it measures doubt. Where "
            "does it use what really came next?",
        ),
        ACROSS_BOUNDARIES.by(lambda P, s: score(P, [[word for words in s for word in words]])),
        CONTEXT_IGNORED.by(changed(score, "P[a, b]) if P[a, b]", "P[end, b]) if P[end, b]")),
        EMPTY_SENTENCE_DROPPED.by(changed(score, "in sentences:", "in filter(None, sentences):")),
        EXPONENTIAL_MISPLACED.by(
            changed(score, PERPLEXITY, "-total / predictions"),
            changed(score, FIRST, "[math.exp(total),"),
        ),
        COLUMNS_FOR_ROWS.by(lambda P, sentences: score(P.T, sentences)),
        Misconception(
            "impossible-step-mishandled",
            any_of(
                changed(score, f"{PAIRS}:", f"filter(P.__getitem__, {PAIRS}):"),
                changed(
                    score, "math.log(P[a, b]) if P[a, b] > 0 else -math.inf", "math.log(P[a, b])"
                ),
            ),
            "A step of probability 0 ends your program or leaves your result finite. The model "
            "called something impossible, and it happened: how surprised must it be?",
        ),
        MEAN_OF_PROBABILITIES.by(one_over_the_mean_probability),
        WRONG_SIGN.by(
            changed(score, PERPLEXITY, "math.exp(total / predictions)"),
            changed(score, FIRST, "[-total,"),
            changed(score, "else -math.inf", "else math.inf"),
        ),
        Misconception(
            "mean-for-sum",
            changed(score, FIRST, "[total / predictions,", "[total / len(sentences),"),
            "Your perplexity is right, but your first number is a mean. Which number belongs to "
            "all predictions together?",
        ),
        RESULTS_IN_ANOTHER_ORDER.by(lambda P, sentences: score(P, sentences)[::-1]),
    ),
    compare=NEAR,
    alike=alike,
    excused=("kind-of-numbers", "overflow"),  # of probabilities
)
