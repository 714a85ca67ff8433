"""Build: the pairs of a prefix."""

from itertools import combinations, pairwise

import numpy as np

from headway.tasks.chapters.skip_bigrams.mistakes import (
    EARLIER_OCCURRENCE_DROPPED,
    EXCHANGED,
    NEIGHBORS_ONLY,
    REPEATS_COUNTED,
    RESULTS_IN_ANOTHER_ORDER,
    SELF_PAIR,
    UNORDERED,
    WITHOUT_THE_LATEST,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.draw import draw_telling
from headway.tasks.engine.mistakes import changed
from headway.tasks.engine.task import Case, Task


def pair_features(prefix):
    """Each different earlier word with the latest one, sorted."""
    pairs = {(earlier, latest) for latest in prefix[-1:] for earlier in prefix[:-1]}
    return sorted(pairs)


def feature_cases(rng: np.random.Generator) -> list[Case]:
    words = ["check", "the", "log", "and", "find", "out", "ran", "please", "what", "stood", "here"]

    def without_repeats():
        drawn = [str(word) for word in rng.permutation(words)]
        return Case("a sentence without repeats", drawn[:6], core=True)

    drawn = [str(word) for word in rng.permutation(words)]
    return [
        draw_telling(features, without_repeats, UNORDERED.name),
        Case("an earlier word that comes twice", ["the", *drawn[2:5], "the", "zebra"], core=True),
        Case("a latest word that stood there before", ["ran", "so", "she", "ran"]),
        Case("the latest word twice in a row", ["go", "go"]),
        Case("two words, out of alphabetical order", ["zip", "a"]),
        Case("capitals and accents", ["Zoë", "été", "zoë", "Été", "œuf"]),
        Case("a single word", ["check"]),
        Case("no word", []),
    ]


EARLIER = "prefix[:-1]"
RETURN = "return sorted(pairs)"

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
        NEIGHBORS_ONLY.by(changed(pair_features, EARLIER, "prefix[-2:-1]")),
        WITHOUT_THE_LATEST.by(
            lambda prefix: sorted(set(combinations(prefix, 2))),
            lambda prefix: sorted(set(pairwise(prefix))),
            lambda prefix: sorted({(prefix[0], word) for word in prefix[1:]}),
        ),
        SELF_PAIR.by(changed(pair_features, EARLIER, "prefix")),
        EARLIER_OCCURRENCE_DROPPED.by(
            changed(pair_features, EARLIER, "[word for word in prefix if word != latest]")
        ),
        REPEATS_COUNTED.by(
            changed(
                pair_features,
                "{(earlier, latest) for latest in prefix[-1:] for earlier in prefix[:-1]}",
                "[(earlier, latest) for latest in prefix[-1:] for earlier in prefix[:-1]]",
            ),
            lambda prefix: [(earlier, prefix[-1]) for earlier in prefix[:-1]],
        ),
        EXCHANGED.by(changed(pair_features, "(earlier, latest)", "(latest, earlier)")),
        UNORDERED.by(
            changed(pair_features, "(earlier, latest)", "tuple(sorted((earlier, latest)))"),
            changed(pair_features, RETURN, "return sorted(pairs | {(b, a) for a, b in pairs})"),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            lambda prefix: [(word, prefix[-1]) for word in dict.fromkeys(prefix[:-1])]
        ),
        WORD_CUT_OFF.by(
            changed(pair_features, EARLIER, "prefix[:-2]", "prefix[1:-1]", "prefix[1:]")
        ),
    ),
    compare=equal(),
)
