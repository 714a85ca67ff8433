"""Build latent semantic analysis: neighbors counted, dampened, and cut to a few directions."""

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import (
    CENTER_MISTAKEN,
    EDGES_OF_THE_SENTENCE,
    ONE_SIDE_ONLY,
    STRENGTHS_MISCOUNTED,
    TABLE_FOR_VECTORS,
    TRANSPOSED,
    WEAKEST_KEPT,
    WEIGHED_BY_DISTANCE,
    WINDOW_OFF_BY_ONE,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.counts import ppmi  # noqa: F401 - in an answer below

GAP = 0.05  # by which a direction that is kept is stronger than the next one
NEAR = close(atol=1e-6, rtol=1e-6)


def latent(sentences, size, window, rank):
    """L_k Σ_k (V, k) of ln(1 + counts of neighbors)."""
    counts = np.zeros((size, size))
    for sentence in sentences:
        for t, center in enumerate(sentence):
            first, end = max(0, t - window), t + window + 1
            for s, word in enumerate(sentence[first:end], start=first):
                if s != t:
                    counts[center, word] += 1
    left, strengths, _ = np.linalg.svd(np.log1p(counts))
    return left[:, :rank] * strengths[:rank]


def latent_cases(rng: np.random.Generator) -> list[Case]:
    def write(words, window, length):
        """A sentence in which no word is a neighbor of itself."""
        sentence = []
        for t in range(length):
            others = [i for i in range(words) if i not in sentence[max(0, t - window) :]]
            sentence.append(others[int(len(others) * rng.random() ** 1.5)])
        return sentence

    def draw(label, size, window, rank, *lengths, unused=0, **kind):
        """Sentences in which no direction that is kept is as strong as the next one."""
        while True:
            sentences = [write(size - unused, window, n) for n in lengths]
            strengths = _strengths(sentences, size, window)
            if rank == size or strengths[rank - 1] > strengths[rank] + GAP:
                return Case(label, sentences, size, window, rank, **kind)

    again = draw("", 6, 1, 3, 6, 5, 7).inputs[0]
    again[0][1:1] = [again[0][1]] * 2  # a word beside itself
    all_met = [[0, 0, 1, 1, 2, 2, 0], *rng.integers(0, 3, (2, 8)).tolist()]
    return [
        draw("four sentences, the nearest neighbors only", 9, 1, 4, 9, 7, 11, 8, core=True),
        draw("two words to each side", 8, 2, 3, 8, 9, 7),
        draw("a window wider than the sentences", 6, 20, 3, 4, 6, 3, path="edges"),
        draw("sentences of one word and of none", 6, 2, 3, 7, 1, 0, 6, 1, path="edges"),
        draw("all directions", 5, 1, 5, 6, 8, 5),
        draw("a single direction", 6, 2, 1, 9, 7),
        draw("words that never occur", 9, 1, 3, 8, 7, 6, unused=3),
        Case("a word beside itself", again, 6, 2, 6),
        Case("words that have all met", all_met, 3, 2, 3),
    ]


def _strengths(sentences, size, window) -> np.ndarray:
    return np.linalg.norm(latent(sentences, size, window, size), axis=0)


def same_dot_products(got, expected, case) -> Difference | None:
    """Whether the rows have the dot products asked for; the signs of directions are free."""
    try:
        vectors = np.array(got, dtype=float)
    except (TypeError, ValueError):
        return Difference("an array of numbers is asked for, with a row for each word.")
    if vectors.shape != expected.shape:
        return Difference(f"the shape is {vectors.shape}, expected {expected.shape}.")
    found = NEAR(vectors @ vectors.T, expected @ expected.T, case)
    if found is None:
        return None
    said = f"the dot products of your vectors: {found.message}"
    return Difference(said, found.got, found.expected)


def alike(got, wrong, case) -> Difference | None:
    """As `same_dot_products`; arrays without a finite number are alike."""
    arrays = isinstance(got, np.ndarray) and isinstance(wrong, np.ndarray)
    if arrays and got.shape == wrong.shape and not (np.isfinite(got) | np.isfinite(wrong)).any():
        return None
    return same_dot_products(got, wrong, case)


SVD, KEPT = "np.linalg.svd(np.log1p(counts))", "left[:, :rank] * strengths[:rank]"
DAMPED, TAKEN = "np.log1p(counts)", "counts[center, word] += 1"
BOUNDS = "max(0, t - window), t + window + 1"
LOOP = "    for sentence in sentences:\n"


def by_eigenvectors(order: str, root: str) -> str:
    return (
        "values, U = np.linalg.eigh(np.log1p(counts))\n"
        f"    kept = np.argsort({order})[:rank]\n"
        f"    return U[:, kept] * {root}"
    )


def _by_slices(before: str, after: str):
    """The neighbors as two slices of the sentence, whose places are counted from `t`."""
    return changed(
        latent,
        "            for s, word in enumerate(sentence[first:end], start=first):\n"
        "                if s != t:\n"
        "                    counts[center, word] += 1\n",
        f"            for word in [*{before}, *{after}]:\n"
        "                counts[center, word] += 1\n",
    )


ENDING = f"left, strengths, _ = {SVD}\n    return {KEPT}"

latent_task = Task(
    id="06-embeddings/latent",
    title="Vectors from the company of words",
    kind="build",
    points=3,
    minutes=15,
    answer="latent",
    cases=latent_cases,
    reference=latent,
    misconceptions=(
        Misconception(
            "not-dampened-as-asked",
            any_of(
                changed(
                    latent,
                    DAMPED,
                    "counts",
                    "np.sqrt(counts)",
                    "np.log(np.maximum(counts, 1))",
                    "np.nan_to_num(np.log(counts), neginf=0.0)",
                    "np.log2(1 + counts)",
                    "(counts > 0).astype(float)",
                    "np.log1p(counts / max(counts.sum(), 1))",
                    "np.log1p(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))",
                    "np.log(counts)",
                    "np.log(np.maximum(counts, 1e-9))",
                    "ppmi(counts)",
                ),
                changed(
                    latent,
                    ENDING,
                    "left, strengths, _ = np.linalg.svd(counts)\n"
                    "    return left[:, :rank] * np.log1p(strengths[:rank])",
                    "left, strengths, _ = np.linalg.svd(counts)\n"
                    "    return np.log1p(np.abs(left[:, :rank] * strengths[:rank]))",
                ),
            ),
            "You decompose the counts as they are, or dampened by another function than in the "
            "text. What should become of a count of 0, of 1 and of 7 before that?",
        ),
        WINDOW_OFF_BY_ONE.by(
            changed(
                latent,
                BOUNDS,
                "max(0, t - window), t + window",
                "max(0, t - window + 1), t + window",
                "max(0, t - window + 1), t + window + 1",
                "max(0, t - window - 1), t + window + 2",
                "max(0, t - window // 2), t + window // 2 + 1",
            )
        ),
        ONE_SIDE_ONLY.by(changed(latent, BOUNDS, "t, t + window + 1", "max(0, t - window), t")),
        WEIGHED_BY_DISTANCE.by(
            changed(latent, "if s != t:", "if abs(s - t) == window:"),
            changed(latent, TAKEN, "counts[center, word] += window + 1 - abs(s - t)"),
            changed(latent, TAKEN, "counts[center, word] += 1 / abs(s - t)"),
        ),
        CENTER_MISTAKEN.by(changed(latent, "if s != t:", "if True:", "if word != center:")),
        EDGES_OF_THE_SENTENCE.by(
            changed(latent, "first, end = max(0, t - window)", "first, end = t - window"),
            changed(
                latent,
                "for s, word in enumerate(sentence[first:end], start=first):",
                "for s, word in [(s, sentence[s % len(sentence)]) for s in "
                "range(t - window, t + window + 1)]:",
                "for s, word in [(s, sentence[s]) for s in "
                "range(t - window, min(end, len(sentence)))]:",
            ),
            _by_slices("sentence[t - window : t]", "sentence[t + 1 : t + window + 1]"),
            _by_slices(
                "sentence[t - window : t]",
                "[sentence[s] for s in range(t + 1, min(t + window + 1, len(sentence)))]",
            ),
            _by_slices("sentence[t - window : t][::-1]", "sentence[t + 1 : t + window + 1]"),
            _by_slices(
                "sentence[t - window : t + window + 1][:window]",
                "sentence[t - window : t + window + 1][window + 1 :]",
            ),
            changed(
                latent,
                "for t, center in enumerate(sentence):",
                "for t, center in list(enumerate(sentence))[window : len(sentence) - window]:",
                "for t, center in list(enumerate(sentence))[window:]:",
                "for t, center in list(enumerate(sentence))[: len(sentence) - window]:",
            ),
            changed(
                latent, LOOP, "    for sentence in [[word for s in sentences for word in s]]:\n"
            ),
        ),
        Misconception(
            "pairs-miscounted",
            changed(
                latent,
                TAKEN,
                "counts[center, word] += 1; counts[word, center] += 1",
                "counts[center, word] += 2",
                "counts[center, word] = 1",
            ),
            "Each pair of neighbors counts twice as much as it should, or 1 however often it "
            "occurs. How often does your loop meet a pair?",
        ),
        STRENGTHS_MISCOUNTED.by(
            changed(latent, KEPT, "left[:, :rank]"),
            changed(latent, KEPT, "left[:, :rank] * strengths[:rank] ** 2"),
            changed(latent, KEPT, "left[:, :rank] * strengths[:rank] ** 0.5"),
        ),
        WEAKEST_KEPT.by(
            changed(latent, KEPT, "(left * strengths)[:, -rank:]"),
            changed(
                latent,
                ENDING,
                by_eigenvectors("-values", "values[kept]"),
                by_eigenvectors("-values", "np.abs(values[kept])"),
                by_eigenvectors("values", "values[kept]"),
            ),
        ),
        TRANSPOSED.by(
            changed(
                latent,
                KEPT,
                "(left[:, :rank] * strengths[:rank]).T",
                "strengths[:rank, None] * left[:rank]",
                "left.T[:, :rank] * strengths[:rank]",
                "strengths[:, None] * left[:, :rank]",
            )
        ),
        Misconception(
            "step-of-another-method",
            any_of(
                changed(
                    latent,
                    ENDING,
                    f"left, strengths, _ = {SVD}\n    X = {KEPT}\n"
                    "    return X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-12)",
                ),
                changed(
                    latent,
                    SVD,
                    "np.linalg.svd(np.log1p(counts) - np.log1p(counts).mean(axis=0))",
                    "np.linalg.svd(np.log1p(counts) - np.log1p(counts).mean())",
                ),
            ),
            "You subtract a mean or bring the vectors to one length, as other methods do. Which "
            "steps does this one have between the counts and the vectors?",
        ),
        TABLE_FOR_VECTORS.by(
            changed(
                latent,
                KEPT,
                "np.log1p(counts)",
                "np.log1p(counts)[:, :rank]",
                "(left[:, :rank] * strengths[:rank]) @ _[:rank]",
                "left * strengths",
            )
        ),
    ),
    compare=same_dot_products,
    alike=alike,
)
