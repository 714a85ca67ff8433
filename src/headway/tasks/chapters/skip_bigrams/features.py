"""Build: the pairs of a prefix."""

from collections.abc import Iterable
from itertools import combinations, pairwise

import numpy as np

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def pair_features(prefix: list[str]) -> list[tuple[str, str]]:
    """Each different earlier word with the latest one, sorted."""
    return sorted({(earlier, latest) for latest in prefix[-1:] for earlier in prefix[:-1]})


def feature_cases(rng: np.random.Generator) -> list[Case]:
    drawn = [str(word) for word in rng.permutation(["check", "the", "log", "and", "find", "out"])]
    return [
        Case("a sentence without repeats", [*drawn[:5], "ran"], core=True),
        Case("an earlier word that comes twice", ["the", *drawn[2:5], "the", "zebra"]),
        Case("a latest word that stood there before", ["ran", "so", "she", "ran"]),
        Case("the latest word twice in a row", ["go", "go"]),
        Case("two words, out of alphabetical order", ["zip", "a"]),
        Case("capitals and accents", ["Zoë", "été", "zoë", "Été", "œuf"]),
        Case("a single word", ["check"]),
        Case("no word", []),
    ]


def _pairs(prefix: list[str], earlier: Iterable[str]) -> list[tuple[str, str]]:
    return sorted({(word, latest) for latest in prefix[-1:] for word in earlier})


features = Task(
    id="03-skip-bigrams/features",
    title="The pair features of a prefix",
    kind="build",
    points=2,
    minutes=8,
    answer="pair_features",
    cases=feature_cases,
    reference=pair_features,
    misconceptions=(
        Misconception(
            "adjacency-only",
            lambda prefix: _pairs(prefix, prefix[-2:-1]),
            "You give one pair: the latest word and its neighbor. That is a second-order chain. "
            "What about the words before?",
        ),
        Misconception(
            "every-neighbor",
            lambda prefix: sorted(set(pairwise(prefix))),
            "You give all pairs of neighbors. Which word is in every feature of a prefix, and how "
            "far back may the other one stand?",
        ),
        Misconception(
            "self-pair",
            lambda prefix: _pairs(prefix, prefix),
            "The latest word is paired with itself in every prefix. Does it stand before itself?",
        ),
        Misconception(
            "twin-dropped",
            lambda prefix: _pairs(prefix, set(prefix[:-1]) - set(prefix[-1:])),
            "Where the latest word stood there before as well, its pair is missing. By what do you "
            "tell the latest word from an earlier one: by the word or by its place?",
        ),
        Misconception(
            "set-lost",
            lambda prefix: sorted((word, prefix[-1]) for word in prefix[:-1]),
            "A word that comes twice gives the same pair twice. Is it one feature or two?",
        ),
        Misconception(
            "latest-first",
            lambda prefix: sorted((b, a) for a, b in pair_features(prefix)),
            "The words are right, and the latest one stands first in each pair. Which one is asked "
            "for first?",
        ),
        Misconception(
            "pairs-unordered",
            lambda prefix: sorted({tuple(sorted(pair)) for pair in pair_features(prefix)}),
            "The words within each pair are in alphabetical order. Can one still see which of them "
            "came earlier?",
        ),
        Misconception(
            "both-orders",
            lambda prefix: sorted(
                {pair for a, b in pair_features(prefix) for pair in ((a, b), (b, a))}
            ),
            "Each pair is there twice, the second time turned round. Did the latest word come "
            "before the others?",
        ),
        Misconception(
            "all-pairs",
            lambda prefix: sorted(set(combinations(prefix, 2))),
            "You pair every word with every later one. Which word is in each feature of a prefix?",
        ),
        Misconception(
            "first-word-paired",
            lambda prefix: sorted({(prefix[0], word) for word in prefix[1:]}),
            "Each of your pairs holds the first word of the prefix. Which word do all features "
            "share?",
        ),
        Misconception(
            "first-seen-order",
            lambda prefix: [(word, prefix[-1]) for word in dict.fromkeys(prefix[:-1])],
            "The pairs are right and follow the order of the sentence. In which order are they "
            "asked for?",
        ),
        Misconception(
            "one-word-missed",
            lambda prefix: _pairs(prefix, prefix[:-2]),
            "The neighbor of the latest word has no pair. Where does your slice end?",
        ),
    ),
    compare=equal(),
)
