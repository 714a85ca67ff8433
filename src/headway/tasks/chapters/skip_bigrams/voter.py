"""Debug: a voter in which the current word counts as its own context."""

from collections import Counter, defaultdict

import numpy as np

from headway.tasks.chapters.skip_bigrams.mistakes import (
    EARLIER_OCCURRENCE_DROPPED,
    NEIGHBORS_ONLY,
    REPEATS_COUNTED,
    START_BLAMED,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG


def repaired_voter(sentences, prefix):
    """Votes for the next word; the latest word stands behind the earlier ones."""

    def pairs(prefix):
        return [(earlier, prefix[-1]) for earlier in set(prefix[:-1])]

    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            for pair in pairs(sentence[:t]):
                counts[pair][sentence[t]] += 1
    votes = Counter()
    for pair in pairs(prefix):
        for word, count in counts[pair].items():
            votes[word] += count / counts[pair].total()
    return dict(votes)


def voter_cases(rng: np.random.Generator) -> list[Case]:
    toy = [text.split() for text in CHECK_LOG.probabilities()]
    first, second = (toy[i] for i in rng.permutation(2))
    a, b, c, d = (str(word) for word in rng.permutation(["été", "log", "ran", "Zoë"]))
    e, f, g, h, i, j = (
        str(word) for word in rng.permutation(["on", "off", "up", "in", "so", "at"])
    )
    fork = [[e, g, h, i], [f, g, h, j]]
    return [
        Case("the two sentences, up to ran", [first, second], toy[0][:10], core=True),
        Case("the first word decides", fork, [e, g, h], core=True),
        Case("a word that comes twice", [[a, a, b, c], [a, b, d]], [a, a, b]),
        Case("a latest word that stood there before", [[a, b, a, c], [d, a, b]], [d, a, b, a]),
        Case("a latest word that comes twice in the corpus", [[a, b, a, c], [b, a, d]], [b, a]),
        Case("a pair that was never seen", [[a, b, c], [b, a, d]], [c, a, b]),
        Case("a single word", [[a, b], [a, c, d]], [a]),
    ]


EARLIER = "set(prefix[:-1])"
(given_voter,) = changed(repaired_voter, EARLIER, "set(prefix)")

voter = Task(
    id="03-skip-bigrams/voter",
    title="Repair a voter",
    kind="debug",
    points=2,
    minutes=8,
    answer="vote",
    cases=voter_cases,
    reference=repaired_voter,
    given=given_voter,
    misconceptions=(
        EARLIER_OCCURRENCE_DROPPED.by(
            changed(repaired_voter, EARLIER, "set(prefix) - {prefix[-1]}")
        ),
        REPEATS_COUNTED.by(changed(repaired_voter, EARLIER, "prefix[:-1]")),
        NEIGHBORS_ONLY.by(changed(repaired_voter, EARLIER, "prefix[-2:-1]")),
        WORD_CUT_OFF.by(changed(repaired_voter, EARLIER, "set(prefix[:-2])", "set(prefix[1:])")),
        START_BLAMED.by(changed(given_voter, "range(1,", "range(2,")),
        Misconception(
            "mended-in-one-place",
            any_of(
                changed(
                    given_voter,
                    "in pairs(sentence[:t])",
                    "in [(earlier, sentence[t - 1]) for earlier in set(sentence[: t - 1])]",
                ),
                changed(
                    given_voter,
                    "in pairs(prefix)",
                    "in [(earlier, prefix[-1]) for earlier in set(prefix[:-1])]",
                ),
            ),
            "Half of it is mended. Pairs are made where the votes are counted and where they are "
            "added, and in one of the two a word still stands before itself. Do both places make "
            "the same pairs?",
        ),
    ),
    compare=close(),
)
