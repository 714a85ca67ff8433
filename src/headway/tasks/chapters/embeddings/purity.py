"""Train: word vectors that place the categories of a small language apart."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import ONE_SIDE_ONLY, TABLE_FOR_VECTORS
from headway.tasks.chapters.embeddings.trades import OTHER, draw_language, neighbor_purity
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Shows, seen
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

TARGET = 0.9
WIDEST = 32  # numbers that a word may have
WINDOW, WIDTH = 2, 24
NOBODY_ASKS = "three trades, and nobody asks"
TOO_WIDE = f"the vectors have {{}} numbers each; at most {WIDEST} are allowed."
NOT_FINITE = "some numbers are NaN or infinite."


def neighbor_counts(sentences, size, left, right) -> np.ndarray:
    """(V, V): how often each word stands in the window around each."""
    counts = np.zeros((size, size))
    for sentence in sentences:
        for t, center in enumerate(sentence):
            for s in range(max(0, t - left), min(len(sentence), t + right + 1)):
                if s != t:
                    counts[center, sentence[s]] += 1
    return counts


def strongest(table, width) -> np.ndarray:
    """(V, width): L Σ of the strongest directions of a table."""
    left, strengths, _ = np.linalg.svd(table, full_matrices=False)
    return left[:, :width] * strengths[:width]


def both_sides(sentences, size, window) -> np.ndarray:
    """(V, 2V): counts of the neighbors on the left beside those of the neighbors on the right."""
    sides = (window, 0), (0, window)
    return np.hstack([neighbor_counts(sentences, size, *side) for side in sides])


def turned_back(sentences, asks) -> list[list[int]]:
    """The sentences with every question read from its end."""
    return [s[::-1] if asked else s for s, asked in zip(sentences, asks, strict=True)]


def learn_vectors(sentences, asks, size):
    """LSA of the neighbors on either side, where questions have their sides exchanged."""
    return strongest(np.log1p(both_sides(turned_back(sentences, asks), size, WINDOW)), WIDTH)


def purity_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, trades, nouns, verbs, clauses, asked=0.5, **kind):
        language = draw_language(rng, trades, nouns, verbs, clauses, asked)
        return Case(label, *language[:2], language.size, truth=language, **kind)

    small = draw_language(rng, 2, 6, 3, 30)
    return [
        draw("four trades", 4, int(rng.integers(7, 10)), 6, 2_400, core=True),
        draw("six trades", 6, int(rng.integers(6, 8)), 5, 3_000),
        draw(NOBODY_ASKS, 3, 7, 5, 1_500, asked=0.0),
        arguments_kept(*small[:2], small.size),
    ]


class Symptoms(NamedTuple):
    """Of whom the neighbors of the nouns are: shares of five neighbors, means over the nouns.

    Attributes:
        purity: of the same trade and the same role.
        trade, role: of the same trade, or of the same role, whatever the other is.
        doers, things: the purity of the one role and of the other.
        trades: how many there are.
    """

    purity: float
    trade: float
    role: float
    doers: float
    things: float
    trades: int


def examine(vectors, case: Case) -> Symptoms | str:
    """Of whom the neighbors are by these vectors, or what is wrong with their form."""
    language = case.truth
    try:
        vectors = np.asarray(vectors, dtype=float)
    except (TypeError, ValueError):
        return "an array of numbers is asked for, with a row for each word."
    if vectors.ndim != 2 or len(vectors) != language.size:
        shape = vectors.shape
        return f"the shape is {shape}; expected a row for each of {language.size} words."
    if not 1 <= vectors.shape[1] <= WIDEST:
        return TOO_WIDE.format(vectors.shape[1])
    if not np.isfinite(vectors).all():
        return NOT_FINITE
    trades, roles = language.trades, language.roles
    categories = np.where(trades == OTHER, OTHER, 2 * trades + roles)
    return Symptoms(
        neighbor_purity(vectors, categories),
        neighbor_purity(vectors, trades),
        neighbor_purity(vectors, roles),
        neighbor_purity(vectors, categories, roles == 0),
        neighbor_purity(vectors, categories, roles == 1),
        trades.max() + 1,
    )


def places_apart(got, expected, case) -> Difference | None:
    """Whether the purity reaches the target."""
    found = examine(got, case)
    if isinstance(found, str):
        return Difference(found)
    if found.purity >= TARGET:
        return None
    return Difference(
        f"of the five nearest nouns, {found.purity:.0%} are of a noun's own category; at least "
        f"{TARGET:.0%} are asked. {found.trade:.0%} are of its trade, in either role."
    )


def told(tell: Callable[[Symptoms], bool], where_nobody_asks=None) -> Shows:
    """A predicate of whom the neighbors are; what is no table of vectors shows nothing.

    Args:
        where_nobody_asks: tells there instead, where the sides of a word always say its role.
    """

    def shows(got, expected, case) -> bool:
        other = where_nobody_asks if case.label == NOBODY_ASKS else None
        return (other or tell)(examine(got, case))

    return shows


def _one_role_alone(found: Symptoms) -> bool:
    return found.role > 0.8 and abs(found.doers - found.things) > 0.5


def _roles_mixed(found: Symptoms) -> bool:
    return found.role < 0.65 and found.trade > found.role + 0.2


purity_task = Task(
    id="06-embeddings/purity",
    title="Vectors that know what a word is for",
    kind="train",
    points=5,
    minutes=30,
    answer="learn_vectors",
    cases=purity_cases,
    reference=learn_vectors,
    misconceptions=(
        seen(
            "questions-like-statements",
            "Where nobody asks, your vectors know who does something and to what it is done; among "
            "questions they do not. What do they take from a statement, and what from a question?",
            told(_roles_mixed, lambda found: found.role > 0.65 and not _one_role_alone(found)),
        ),
        seen(
            "sides-not-told-apart",
            "Your vectors know the trades, but mix up those who do something with what they do it "
            "to. What in a sentence tells the two apart, and do your counts see it?",
            told(_roles_mixed, lambda found: found.role <= 0.65),
        ),
        ONE_SIDE_ONLY.by(
            shows=told(lambda found: _roles_mixed(found) or _one_role_alone(found), _one_role_alone)
        ),
        seen(
            "like-a-guess",
            "The neighbors of a noun are nearly those that chance would give it. Do your vectors "
            "move far enough from where they begin, and is there one row for each id?",
            told(
                lambda found: found.trade < 1.5 / found.trades and found.role < 0.65,
                lambda found: found.role < 0.65,
            ),
        ),
        seen(
            "too-few-directions",
            "Your vectors tell who does something from what it is done to, but they mix up the "
            "trades. How many categories are there to keep apart, and in how many directions?",
            told(
                lambda found: found.role > 0.95 and found.purity < 0.8,
                lambda found: found.role > 0.65,
            ),
        ),
        TABLE_FOR_VECTORS.by(
            shows=lambda got, expected, case: examine(got, case) == TOO_WIDE.format(len(got[0]))
        ),
        seen(
            "no-numbers-left",
            "Your vectors are infinite or no numbers. Which step divides by zero or takes its "
            "logarithm, or when does your loss jump?",
            lambda got, expected, case: examine(got, case) == NOT_FINITE,
        ),
        seen(
            "half-way",
            "Many neighbors are right, but not enough. Has your loss settled, if you train, and "
            "how far does your window reach: past an adverb, or into the next clause?",
            told(lambda found: 0.5 < found.purity < TARGET and not _roles_mixed(found)),
        ),
    ),
    compare=places_apart,
)
