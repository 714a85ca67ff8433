"""Build attention for one query at a time, with loops: a library that is asked again and again."""

import numpy as np

from headway.tasks.chapters.attention.look_up import (
    AddedUp,
    KeysDivided,
    MixtureAlone,
    Swapped,
    WithScores,
    among,
    asked_for,
    changing_values,
    scaled,
    shifted_by,
    softmax,
    too_large,
    unit,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.probe import use
from headway.tasks.engine.task import Case, Task


def library_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape, size=1.0):
        return np.round(rng.normal(size=shape) * size, 2)

    def asking(S, D, E, questions):
        queries = draw(questions, D, size=1.5)
        return (draw(S, D), draw(S, E)), *(("look_up", query) for query in queries)

    a, b = rng.permutation(4)[:2]
    query, across = np.zeros(4), np.zeros(4)
    query[[a, b]] = across[[b, a]] = 1.0, 2.0
    across[b] *= -1  # a quarter turn
    around = np.stack([across, -query, query / 2, draw(4)])
    high = draw(3, 4) * 10 + 1_000 * np.sign(query)
    uneven = draw(3, 4) + 1_000 * np.outer(rng.permutation(3) == 0, np.sign(query))
    return [
        Case("five keys, asked three times", *asking(5, 4, 3, 3), core=True),
        Case("values wider than keys", *asking(3, 2, 6, 2), core=True),
        Case("as many keys as numbers in each", *asking(3, 3, 3, 2)),
        Case(
            "keys across the query and against it",
            (around, draw(4, 2)),
            ("look_up", query),
            ("look_up", 1.5 * query),
        ),
        Case("a single key", *asking(1, 4, 2, 1)),
        Case("a width of one", *asking(4, 1, 1, 2)),
        Case(
            "scores above 1,000, and below −1,000",
            (high, draw(3, 2)),
            ("look_up", 2 * query),
            ("look_up", -2 * query),
        ),
        Case("one score above 1,000, the others near 0", (uneven, draw(3, 2)), ("look_up", query)),
    ]


library = Task(
    id="08-attention/library",
    title="A library, asked one question at a time",
    kind="build",
    points=2,
    minutes=15,
    answer="Library",
    probe=use,
    cases=library_cases,
    reference=asked_for(),
    misconceptions=(
        Misconception(
            "no-scale",
            asked_for(lambda q, K: softmax(K @ q)),
            "Right at a width of one. Elsewhere your weights are too sharp: which step between dot "
            "products and softmax is missing?",
        ),
        Misconception(
            "scaled-by-width",
            asked_for(lambda q, K: softmax(K @ q / len(q))),
            "You divide by the width. By what does the spread of a dot product grow when the "
            "width grows four times?",
        ),
        Misconception(
            "scaled-by-number-of-keys",
            asked_for(lambda q, K: softmax(K @ q / np.sqrt(len(K)))),
            "Right where there are as many keys as numbers in each. How many numbers are added up "
            "in one dot product?",
        ),
        Misconception(
            "half-the-width",
            asked_for(lambda q, K: softmax(K @ q / (len(q) / 2))),
            "You divide by half the width, which is right at a width of 4. In what order does "
            "Python compute a power and a division?",
        ),
        Misconception(
            "scaled-by-twice-the-width",
            asked_for(lambda q, K: softmax(K @ q / len(q) / 2)),
            "You divide by the width and by 2 as well. In what order does Python compute a power "
            "and a division?",
        ),
        Misconception(
            "sum-not-begun-anew",
            asked_for(lambda q, K: softmax(np.cumsum(scaled(q, K)))),
            "Your first score is right, and each later one has those before it in it. Where does "
            "the sum of a dot product begin?",
        ),
        Misconception(
            "scale-multiplied",
            asked_for(lambda q, K: softmax(K @ q * np.sqrt(len(q)))),
            "You multiply by the square root. Should wide queries give sharper weights than narrow "
            "ones?",
        ),
        Misconception(
            "scale-after-softmax",
            asked_for(lambda q, K: softmax(K @ q) / np.sqrt(len(q))),
            "Your weights do not add up to one where the width is more than 1. Is it the scores or "
            "the weights that are scaled?",
        ),
        Misconception(
            "divided-by-lengths",
            asked_for(lambda q, K: softmax(unit(K) @ unit(q))),
            "You divide by the lengths of query and key, so only their angle counts. Is that what "
            "the formula divides by?",
        ),
        Misconception(
            "divided-by-lengths-and-scaled",
            asked_for(lambda q, K: softmax(scaled(unit(q), unit(K)))),
            "You divide by the lengths of query and key and by the square root as well. Which of "
            "these stand in the formula?",
        ),
        Misconception(
            "zero-ignored",
            asked_for(among(lambda scores: scores != 0)),
            "A key that stands across the query, with score 0, gets no weight. What is e to the "
            "power 0?",
        ),
        Misconception(
            "opposite-ignored",
            asked_for(among(lambda scores: scores > 0)),
            "Keys with a negative score, or none, get no weight. Is e to a negative power zero?",
        ),
        Misconception(
            "opposite-set-to-zero",
            asked_for(lambda q, K: softmax(np.maximum(scaled(q, K), 0))),
            "All negative scores weigh as much as a score of 0. What should be less: e to the "
            "power -1 or e to the power 0?",
        ),
        Misconception(
            "not-divided",
            asked_for(lambda q, K: np.exp(scaled(q, K))),
            "Your weights are in proportion, and do not add up to one. What is missing from the "
            "softmax?",
        ),
        Misconception(
            "scores-rescaled",
            asked_for(lambda q, K: scaled(q, K) / scaled(q, K).sum()),
            "You divide the scores by their sum. Can a weight be negative?",
        ),
        Misconception(
            "scores-as-weights",
            asked_for(scaled),
            "You mix the values by the scores as they are. What do these add up to?",
        ),
        Misconception(
            "best-alone",
            asked_for(lambda q, K: np.equal(np.arange(len(K)), (K @ q).argmax()).astype(float)),
            "Only the best key counts. That is how a dictionary looks up; how much should the "
            "second best weigh here?",
        ),
        Misconception(
            "overflow",
            asked_for(shifted_by(lambda scores: 0.0)),
            "Right for small scores. What is e to the power 1,000 on a computer, and what may be "
            "subtracted from all scores first?",
        ),
        Misconception(
            "overflow-error",
            asked_for(too_large),
            "Right for small scores. Where they are above 1,000 Python raises: what is e to the "
            "power 1,000, and what may be subtracted from all scores first?",
        ),
        Misconception(
            "shifted-too-little",
            asked_for(shifted_by(np.min)),
            "Right where all scores are large. Where one is large and another is not, it "
            "overflows: how large can a score still be after what you subtract?",
        ),
        Misconception(
            "maximum-begun-at-zero",
            asked_for(shifted_by(lambda scores: max(scores.max(), 0.0))),
            "Right where some score is above 0. Where all lie below −1,000 every exponential is 0: "
            "with which number does your search for the largest score begin?",
        ),
        Misconception(
            "scores-clipped",
            asked_for(lambda q, K: softmax(np.minimum(scaled(q, K), 300))),
            "Right for small scores. Where all are above 1,000 your keys weigh alike: what became "
            "of the differences between their scores?",
        ),
        Misconception(
            "values-changed-in-place",
            asked_for(mix=changing_values),
            "Your first look-up is right, and later ones are not: the values in the library have "
            "become smaller. Which line writes into an array that the library still needs?",
        ),
        Misconception(
            "keys-changed-in-place",
            KeysDivided,
            "Your first look-up is right, and later ones get more and more even. What is divided "
            "again at every question?",
        ),
        Misconception(
            "keys-for-values",
            asked_for(mix=lambda weights, K, V: weights @ K),
            "Your weights are right, and you mix the keys. What does the library hand out?",
        ),
        Misconception(
            "values-not-weighted",
            asked_for(mix=lambda weights, K, V: V.mean(axis=0)),
            "Your weights are right, and the result is the plain mean of the values. Where do the "
            "weights come in?",
        ),
        Misconception(
            "divided-by-number",
            asked_for(mix=lambda weights, K, V: weights @ V / len(V)),
            "Your weights are right, and the result is divided by the number of keys. Weights that "
            "add up to one make a mean already.",
        ),
        Misconception(
            "last-value-alone",
            asked_for(mix=lambda weights, K, V: weights[-1] * V[-1]),
            "Your weights are right, and of the values only the last comes out. Does your loop add "
            "to the mixture, or does it replace it?",
        ),
        Misconception(
            "mixture-added-up",
            AddedUp,
            "Your first look-up is right, and each later one has those before it in it. Where does "
            "a mixture begin?",
        ),
        Misconception(
            "weights-not-returned",
            MixtureAlone,
            "What you return is a right mixture, and nothing else. Which second thing does the "
            "docstring ask for?",
        ),
        Misconception(
            "scores-for-weights",
            WithScores,
            "The mixture is right. Beside it you return the scores: what are they turned into "
            "before they mix?",
        ),
        Misconception(
            "pair-swapped",
            Swapped,
            "Both are right, and they come the wrong way round. Which is asked for first?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
