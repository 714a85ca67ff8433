"""Build attention for one query at a time, with loops: a library that grows between questions."""

import numpy as np

from headway.tasks.chapters.attention.mistakes import (
    ANOTHER_SCALE,
    COSINE_FOR_DOT_PRODUCT,
    EXPONENTIALS_OUT_OF_RANGE,
    KEYS_FOR_VALUES,
    NO_SCALE,
    NO_SOFTMAX,
    ONE_SHAPE_ONLY,
    OTHER_MIXTURE,
    OTHER_RESULTS_GIVEN,
    SCALE_MISPLACED,
    ZERO_SCORES_IGNORED,
    of_any_weights,
)
from headway.tasks.chapters.attention.telling import (
    Look,
    by,
    extreme,
    look,
    mixture_alone_right,
    same,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.probe.calls import use, use_then_look
from headway.tasks.engine.requirements import WHOLE_NUMBERS, arguments_kept
from headway.tasks.engine.task import Case, Task


class Library:
    """Keys (S, D) and values (S, E); a query (D,) gets a mixture (E,) and the weights (S,)."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def add(self, key, value):
        self.keys = np.vstack([self.keys, key])
        self.values = np.vstack([self.values, value])

    def look_up(self, query):
        scores = self.keys @ query / np.sqrt(len(query))
        exponentials = np.exp(scores - scores.max())
        weights = exponentials / exponentials.sum()
        return weights @ self.values, weights


def library_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*shape, size=1.0):
        """Numbers with two decimals, none of them 0, so that every key has a length."""
        numbers = np.round(rng.normal(size=shape) * size, 2)
        return np.where(numbers == 0, 0.01, numbers)

    def asking(S, D, E, questions):
        queries = draw(questions, D, size=1.5)
        return (draw(S, D), draw(S, E)), *(("look_up", query) for query in queries)

    def growing(S, D, E):
        """Asked, then given two more keys, and asked after each of them."""
        library, *asked = asking(S, D, E, 3)
        first, second = (("add", draw(D), draw(E)) for _ in range(2))
        return library, asked[0], first, asked[1], second, asked[2]

    a, b = rng.permutation(4)[:2]
    query, across = np.zeros(4), np.zeros(4)
    query[[a, b]] = across[[b, a]] = 1.0, 2.0
    across[b] *= -1  # a quarter turn
    around = np.stack([across, -query, query / 2, draw(4)])
    high = draw(3, 4) * 10 + 1_000 * np.sign(query)
    uneven = draw(3, 4) + 1_000 * np.outer(rng.permutation(3) == 0, np.sign(query))
    return [
        Case("five keys, asked three times", *asking(5, 6, 3, 3), core=True),
        Case("keys added between the questions", *growing(4, 5, 2), core=True),
        Case("values wider than keys", *asking(3, 2, 6, 2)),
        Case("as many keys as numbers in each", *asking(3, 3, 3, 2)),
        Case(
            "keys across the query and against it",
            (around, draw(4, 2)),
            ("look_up", query),
            ("look_up", 1.5 * query),
        ),
        Case("a single key", *asking(1, 4, 2, 1)),
        Case("a single key, and others added", *growing(1, 3, 4)),
        Case("a width of one", *asking(4, 1, 1, 2)),
        Case(
            "scores above 1,000, and below −1,000",
            (high, draw(3, 2)),
            ("look_up", 2 * query),
            ("look_up", -2 * query),
            path="very large scores",
        ),
        Case(
            "one score above 1,000, the others near 0",
            (uneven, draw(3, 2)),
            ("look_up", query),
            path="very large scores",
        ),
        arguments_kept(*growing(3, 4, 2), verb=use_then_look),
        WHOLE_NUMBERS.case((rng.integers(-4, 5, (3, 4)), draw(3, 2)), ("look_up", draw(4))),
    ]


SCALE = " / np.sqrt(len(query))"
SHIFTED = "np.exp(scores - scores.max())"
SHARED = "exponentials / exponentials.sum()"
RETURN = "return weights @ self.values, weights"
LENGTHS = "np.linalg.norm(self.keys, axis=1) / np.linalg.norm(query)"
HELD = "self.keys, self.values ="


unscaled_library = changed(Library, SCALE, "")
zeros_of_nothing = changed(Library, "/ exponentials.sum()", "/ max(exponentials.sum(), 1e-300)")


def mixing(*mixtures: str) -> AnyOf:
    """Libraries with the right weights and another mixture."""
    return changed(Library, "weights @ self.values", *mixtures)


def _asked(got, expected, case):
    """For each question: what came, what is right, the query, and keys and values of that time."""
    (keys, values), *calls = case.inputs
    for (method, *given), mine, right in zip(calls, got.values(), expected.values(), strict=True):
        if method == "add":
            keys, values = np.vstack([keys, given[0]]), np.vstack([values, given[1]])
        else:
            yield mine, right, given[0], keys, values


def looks(got, expected, case) -> list[Look]:
    return [
        look(np.asarray(mixed)[None], np.asarray(weights)[None], query[None], keys, values)
        for (mixed, weights), _, query, keys, values in _asked(got, expected, case)
    ]


def _first_right(got, expected, case) -> bool:
    """Whether the first question gets its answer, where others follow."""
    (mixed, weights), right, *_ = next(_asked(got, expected, case))
    asked = sum(method == "look_up" for method, *_ in case.inputs[1:])
    return asked > 1 and all(map(same, map(np.asarray, (mixed, weights)), right))


def _adds(case: Case) -> bool:
    return any(method == "add" for method, *_ in case.inputs[1:])


def _wrong_once_added(got, expected, case) -> bool:
    return _adds(case) and _first_right(got, expected, case)


def _tied(it: Look) -> bool:
    """Whether keys weigh alike whose scores are far apart, and others don't."""
    order = it.scores[0].argsort()
    steps, apart = np.diff(it.weights[0][order]), np.diff(it.scores[0][order])
    return extreme(it) and bool(
        ((steps == 0) & (apart > 5) & (it.weights[0][order][1:] > 1e-3)).any()
    )


def _zero_without_weight(it: Look) -> bool:
    left_out = (it.weights == 0) & (it.right_weights > 1e-3)
    return bool(left_out.any()) and not it.scores[left_out].any()


library = Task(
    id="08-attention/library",
    title="A library, asked one question at a time",
    kind="build",
    points=2,
    minutes=15,
    answer="Library",
    verb=use,
    cases=library_cases,
    reference=Library,
    misconceptions=(
        Misconception(
            "additions-lost",
            changed(Library, "np.vstack([self.keys, key])", "self.keys"),
            "What was added gets lost, takes another's place, or is apart from its value. What "
            "does your library hold after a key has come in, in which order, and which of it does "
            "a query meet?",
            shows=_wrong_once_added,
            only_at=("a single key, and others added",),
        ),
        Misconception(
            "library-changed-in-place",
            changed(
                Library,
                RETURN,
                "self.values *= weights[:, None]\n        return self.values.sum(axis=0), weights",
            ),
            "Your first look-up is right, and later ones are not: something of it is left over, or "
            "what the library holds has changed. Which line writes into what is still needed?",
            shows=_first_right,
        ),
        OTHER_RESULTS_GIVEN.by(
            changed(
                Library,
                RETURN,
                "return weights @ self.values",
                "return weights, weights @ self.values",
            ),
            shows=by(looks, mixture_alone_right),
        ),
        KEYS_FOR_VALUES.told(looks, mixing("weights @ self.keys")),
        OTHER_MIXTURE.told(looks, mixing("weights @ self.values[::-1]")),
        NO_SCALE.told(looks, unscaled_library),
        SCALE_MISPLACED.told(
            looks,
            changed(Library, SCALE, " * np.sqrt(len(query))"),
            changed(*unscaled_library, SHARED, f"{SHARED}{SCALE}"),
        ),
        ANOTHER_SCALE.told(looks, changed(Library, SCALE, " / len(query)")),
        COSINE_FOR_DOT_PRODUCT.told(
            looks,
            changed(
                Library,
                SCALE,
                f" / {LENGTHS}",
                " / np.linalg.norm(query)",
                " / np.linalg.norm(self.keys, axis=1)",
            ),
        ),
        Misconception(
            "running-sum-mistaken",
            any_of(
                changed(Library, "self.keys @ query", "np.cumsum(self.keys @ query)"),
                changed(
                    *changed(Library, HELD, f"self.mixed, {HELD[:-1]}= 0,"),
                    RETURN,
                    "self.mixed = self.mixed + weights @ self.values\n"
                    "        return self.mixed, weights",
                ),
                changed(
                    *changed(Library, HELD, f"self.scores, {HELD[:-1]}= 0,"),
                    f"scores = self.keys @ query{SCALE}",
                    f"scores = self.scores = self.scores + self.keys @ query{SCALE}",
                ),
                mixing("weights[-1] * self.values[-1]", "(weights @ self.values).sum()"),
            ),
            "A sum that you make in a loop holds too much or too little. Where does each sum "
            "begin, and what does one turn of the loop do to it?",
        ),
        ZERO_SCORES_IGNORED.by(
            changed(*zeros_of_nothing, SHIFTED, f"np.where(scores > 0, {SHIFTED}, 0)"),
            shows=by(looks, _zero_without_weight),
            only_at=("keys across the query and against it",),
        ),
        Misconception(
            "scores-clipped",
            changed(
                Library, f"self.keys @ query{SCALE}", f"np.maximum(self.keys @ query{SCALE}, 0)"
            ),
            "Your scores are cut off at a bound, and beyond it all keys weigh alike. What became "
            "of the differences between their scores?",
            shows=by(looks, _tied),
        ),
        NO_SOFTMAX.told(
            looks, changed(Library, SHARED, "scores"), mixing("self.values.mean(axis=0)")
        ),
        EXPONENTIALS_OUT_OF_RANGE.by(
            changed(Library, SHIFTED, "np.exp(scores - max(scores.max(), 0))"),
            only_at=(
                "scores above 1,000, and below −1,000",
                "one score above 1,000, the others near 0",
            ),
        ),
        *of_any_weights(looks, Library),
        ONE_SHAPE_ONLY.by(
            only_at=(
                "values wider than keys",
                "as many keys as numbers in each",
                "a single key",
                "a width of one",
            )
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
