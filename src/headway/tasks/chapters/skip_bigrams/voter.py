"""Debug: a voter that divides by a total which changes while it divides."""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from headway.tasks.chapters.skip_bigrams.mistakes import (
    ACROSS_SENTENCES,
    ANOTHER_TOTAL,
    COUNTS_FOR_VOTES,
    EARLIER_OCCURRENCE_DROPPED,
    NEIGHBORS_ONLY,
    ONE_VOTER_HEARD,
    READ_AS_PROBABILITIES,
    REPEATS_COUNTED,
    SELF_PAIR,
    WORD_CUT_OFF,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.commands import CHECK_LOG

CLOSE = close()


def repaired_voter(sentences, prefix):
    """Votes for the next word; each row is divided by its total, taken once."""
    counts = defaultdict(Counter)
    for sentence in sentences:
        earlier = set()
        for latest, following in pairwise(sentence):
            for word in earlier:
                counts[word, latest][following] += 1
            earlier.add(latest)
    votes = Counter()
    *before, latest = prefix
    for word in set(before):
        row = counts[word, latest]
        total = row.total()
        for following in row:
            row[following] /= total
        votes.update(row)
    return dict(votes)


def but_for_zeros(got, expected, case) -> Difference | None:
    """Close; that words without a vote are left out is asked in one case."""
    if isinstance(got, dict):
        got = {word: share for word, share in got.items() if share != 0}
    return CLOSE(got, expected, case)


def voter_cases(rng: np.random.Generator) -> list[Case]:
    toy = [text.split() for text in CHECK_LOG.probabilities()]
    first, second = (toy[i] for i in rng.permutation(2))
    a, b, c, d = (str(word) for word in rng.permutation(["été", "log", "ran", "Zoë"]))
    e, f, g, h, i, j, k = (
        str(word) for word in rng.permutation(["on", "off", "up", "in", "so", "at", "by"])
    )
    n = [int(count) for count in rng.permutation([1, 2, 3, 4, 5, 6])]
    ways = [[e, g, h, i], [e, g, h, j], [f, g, h, j], [f, g, h, k], [f, g, h, i]]
    often = [way for way, count in zip(ways, n, strict=False) for _ in range(count)]

    def unsorted(sentences):
        """Whether what follows f and g is first met in another order than the alphabet's."""
        rows = ([way[-1] for way in sentences if word in way] for word in (f, g))
        return all(list(dict.fromkeys(row)) != sorted(set(row)) for row in rows)

    mixed = draw_until(unsorted, lambda: [often[at] for at in rng.permutation(len(often))])
    return [
        Case("rows of two and three words, seen unequally often", mixed, [f, g, h], core=True),
        Case("the two sentences, up to ran", [first, second], toy[0][:10]),
        Case("the first word decides", [[e, g, h, i], [f, g, h, j]], [e, g, h]),
        Case("a word that comes twice", [[a, a, b, c], [a, b, d]], [a, a, b]),
        Case("a latest word that stood there before", [[a, b, a, c], [d, a, b]], [d, a, b, a]),
        Case("a latest word that comes twice in the corpus", [[a, b, a, c], [b, a, d]], [b, a]),
        Case("a pair that was never seen", [[a, b, c], [b, a, d]], [c, a, b], compare=CLOSE),
        Case("a single word", [[a, b], [a, c, d]], [a]),
    ]


BEFORE = "set(before)"
ONCE = "        total = row.total()\n"
DIVIDED = "row[following] /= total"
WALK = "        for following in row:\n"
COUNTED = """\
            for word in earlier:
                counts[word, latest][following] += 1
            earlier.add(latest)
"""
COUNTED_TOO_LATE = """\
            earlier.add(latest)
            for word in earlier:
                counts[word, latest][following] += 1
"""
(without_total,) = changed(repaired_voter, ONCE, "")
(given_voter,) = changed(without_total, DIVIDED, "row[following] /= row.total()")
(counts_added,) = changed(without_total, f"{WALK}            {DIVIDED}\n", "")
(over_places,) = changed(repaired_voter, BEFORE, "before")
(pair_with_itself,) = changed(repaired_voter, COUNTED, COUNTED_TOO_LATE)


def _at_the_end(vote):
    """The votes of another voter, made to sum to one."""

    def voted(sentences, prefix):
        votes = vote(sentences, prefix)
        return {word: share / sum(votes.values()) for word, share in votes.items()}

    return voted


voter = Task(
    id="03-skip-bigrams/voter",
    title="Repair a voter",
    kind="debug",
    points=2,
    minutes=10,
    answer="vote",
    cases=voter_cases,
    reference=repaired_voter,
    given=given_voter,
    misconceptions=(
        Misconception(
            "order-for-cause",
            any_of(
                changed(given_voter, WALK, WALK.replace("row:", "sorted(row):")),
                changed(given_voter, WALK, WALK.replace("row:", "sorted(row, reverse=True):")),
                changed(given_voter, WALK, WALK.replace("row:", "reversed(row):")),
            ),
            "You changed the order of something, and the votes of a pair still don't sum to one. "
            "Why does the order matter at all, if all shares are divided by the same number?",
        ),
        ANOTHER_TOTAL.by(
            changed(repaired_voter, "row.total()", "len(row)", "max(len(row), 1)"),
            changed(repaired_voter, DIVIDED, "row[following] = 1 / len(row)"),
            changed(
                repaired_voter,
                "row.total()",
                "len(sentences)",
                "sum(sentence[:-1].count(latest) for sentence in sentences)",
                "max(row.values(), default=1)",
                "sum(counts[word, latest].total() for word in set(before))",
                "sum(counts[word, other].total() for _, other in list(counts))",
            ),
        ),
        ONE_VOTER_HEARD.by(
            changed(
                repaired_voter,
                "votes.update(row)",
                "votes |= row",
                "votes = Counter({**votes, **row})",
            )
        ),
        COUNTS_FOR_VOTES.by(counts_added),
        READ_AS_PROBABILITIES.by(
            *map(_at_the_end, (repaired_voter, counts_added, given_voter)),
        ),
        SELF_PAIR.by(
            changed(pair_with_itself, BEFORE, "set(prefix)"),
            changed(repaired_voter, BEFORE, "set(prefix)"),
            pair_with_itself,
            changed(given_voter, COUNTED, COUNTED_TOO_LATE),
        ),
        ACROSS_SENTENCES.by(
            changed(
                repaired_voter,
                "    for sentence in sentences:\n        earlier = set()\n",
                "    earlier = set()\n    for sentence in sentences:\n",
            )
        ),
        EARLIER_OCCURRENCE_DROPPED.by(
            changed(repaired_voter, BEFORE, "set(before) - {latest}"),
        ),
        REPEATS_COUNTED.by(
            over_places,
            changed(
                *changed(over_places, "earlier = set()", "earlier = []"),
                "earlier.add(latest)",
                "earlier.append(latest)",
            ),
        ),
        NEIGHBORS_ONLY.by(changed(repaired_voter, BEFORE, "before[-1:]")),
        WORD_CUT_OFF.by(changed(repaired_voter, BEFORE, "set(before[:-1])", "set(before[1:])")),
    ),
    compare=but_for_zeros,
)
