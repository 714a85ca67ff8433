"""Train: word vectors that place the categories of a small language apart."""

from typing import NamedTuple

import numpy as np

from headway.tasks.chapters.embeddings.mistakes import ONE_SIDE_ONLY, TABLE_FOR_VECTORS
from headway.tasks.chapters.embeddings.trades import OTHER, draw_language, neighbor_purity
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of
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
    """

    purity: float
    trade: float
    role: float
    doers: float
    things: float


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


def diagnosis(vectors, case: Case) -> str | None:
    """What vectors show: "right", a kind of failure, or None for one that has no name."""
    found = examine(vectors, case)
    if isinstance(found, str):
        return next((kind for kind in (TOO_WIDE, NOT_FINITE) if found[-9:] == kind[-9:]), None)
    if found.purity >= TARGET:
        return "right"
    if found.role < 0.65 and found.trade > found.role + 0.2:
        return "trade alone"
    if found.role > 0.8 and abs(found.doers - found.things) > 0.5:
        return "one role alone"
    if found.trade < 1.5 / (case.truth.trades.max() + 1) and found.role < 0.65:
        return "like a guess"
    if found.role > 0.95 and found.purity < 0.8:
        return "role alone"
    return "half-way"


def sides_told_apart(vectors, case: Case) -> str | None:
    """What vectors show where nobody asks: whether they tell the sides of a word apart."""
    found, kind = examine(vectors, case), diagnosis(vectors, case)
    if isinstance(found, str) or kind == "one role alone":
        return kind
    return "told apart" if found.role > 0.65 else "mixed"


def alike(got, wrong, case) -> Difference | None:
    """Whether two tables of vectors are both right or fail in the same way.

    Where nobody asks, it matters only whether the sides are told apart.
    """
    if case.truth is None:
        return places_apart(got, wrong, case)
    shows = sides_told_apart if case.label == NOBODY_ASKS else diagnosis
    one, other = shows(got, case), shows(wrong, case)
    return None if one and one == other else Difference("they fail in different ways.")


def _one_window(left, right, width=WIDTH, damped=np.log1p):
    """LSA of one window, whose sides are not told apart."""
    return lambda sentences, asks, size: strongest(
        damped(neighbor_counts(sentences, size, left, right)), width
    )


def _one_turned_window(left, right):
    """LSA of one side in statements, and of the other in questions."""
    return lambda sentences, asks, size: strongest(
        np.log1p(neighbor_counts(turned_back(sentences, asks), size, left, right)), WIDTH
    )


def _statements_and_questions(sentences, asks, size):
    """LSA of two tables, one for each kind of sentence, whose sides are not told apart."""
    parts = [
        neighbor_counts([s for s, a in zip(sentences, asks, strict=True) if a == asked], size, 2, 2)
        for asked in (False, True)
    ]
    return strongest(np.log1p(np.hstack(parts)), WIDTH)


def _sides_as_they_stand(window, width=WIDTH, damped=np.log1p):
    """As the reference, with questions read like statements."""
    return lambda sentences, asks, size: strongest(
        damped(both_sides(sentences, size, window)), width
    )


def _with(window=WINDOW, width=WIDTH):
    """As the reference, with another window or width."""
    return lambda sentences, asks, size: strongest(
        np.log1p(both_sides(turned_back(sentences, asks), size, window)), width
    )


def _in_one_only(few, many):
    """As `few` where the language has four trades, and as `many` where it has six."""
    return lambda sentences, asks, size: (few if size < 110 else many)(sentences, asks, size)


def _by_chance(sentences, asks, size):
    return np.random.default_rng(0).normal(size=(size, WIDTH))


_half_way = _with(window=99)

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
        Misconception(
            "sides-not-told-apart",
            any_of(
                _one_window(2, 2),
                _one_window(1, 1),
                _one_window(99, 99),
                _one_window(2, 2, damped=np.sqrt),
                _statements_and_questions,
                _in_one_only(_one_window(2, 2), _half_way),
            ),
            "Your vectors know the trades, but mix up those who do something with what they do it "
            "to. What in a sentence tells the two apart, and do your counts see it?",
        ),
        Misconception(
            "questions-like-statements",
            any_of(
                _sides_as_they_stand(2),
                _sides_as_they_stand(1),
                _sides_as_they_stand(2, damped=np.sqrt),
                _in_one_only(_sides_as_they_stand(2), _half_way),
                _in_one_only(_half_way, _sides_as_they_stand(2)),
            ),
            "Where nobody asks, your vectors know who does something and to what it is done; among "
            "questions they do not. What do they take from a statement, and what from a question?",
        ),
        ONE_SIDE_ONLY.by(
            _one_window(0, 2),
            _one_window(2, 0),
            _one_turned_window(0, 2),
            _one_turned_window(2, 0),
        ),
        Misconception(
            "too-few-directions",
            any_of(
                _with(width=7),
                _with(width=8),
                _in_one_only(learn_vectors, _with(width=8)),
                _in_one_only(_with(width=7), _half_way),
                _in_one_only(_half_way, _with(width=7)),
            ),
            "Your vectors tell who does something from what it is done to, but they mix up the "
            "trades. How many categories are there to keep apart, and in how many directions?",
        ),
        Misconception(
            "like-a-guess",
            any_of(
                _by_chance,
                _in_one_only(_by_chance, _half_way),
            ),
            "The neighbors of a noun are nearly those that chance would give it. Do your vectors "
            "move far enough from where they begin, and is there one row for each id?",
        ),
        Misconception(
            "half-way",
            any_of(
                _half_way,
                _in_one_only(learn_vectors, _half_way),
                _in_one_only(_half_way, learn_vectors),
                _in_one_only(_half_way, _by_chance),
            ),
            "Many neighbors are right, but not enough. Has your loss settled, if you train, and "
            "how far does your window reach: past an adverb, or into the next clause?",
        ),
        TABLE_FOR_VECTORS.by(
            lambda sentences, asks, size: both_sides(sentences, size, WINDOW),
        ),
        Misconception(
            "no-numbers-left",
            lambda sentences, asks, size: np.full((size, WIDTH), np.nan),
            "Your vectors are infinite or no numbers. Which step divides by zero or takes its "
            "logarithm, or when does your loss jump?",
        ),
    ),
    compare=places_apart,
    alike=alike,
)
