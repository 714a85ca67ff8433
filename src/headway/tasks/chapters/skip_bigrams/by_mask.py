"""Train: shares of the votes behind a mask that was measured."""

from collections import Counter

import numpy as np

from headway.tasks.chapters.skip_bigrams.agreement import (
    Rows,
    rows_of,
    share_of,
    verb_typed_in,
    votes_of,
)
from headway.tasks.chapters.skip_bigrams.mask_cases import (
    does_the_same,
    mask_cases,
    share_enough,
)
from headway.tasks.chapters.skip_bigrams.mistakes import (
    ANOTHER_TOTAL,
    COUNTS_FOR_VOTES,
    MASK_IGNORED,
    MASK_INVERTED,
    NEIGHBORS_ONLY,
    REPEATS_COUNTED,
    RESULTS_IN_ANOTHER_ORDER,
    TYPED_IN,
    WINNER_TAKES_ALL,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Task

KEPT = 0.15  # of the largest gain: the gap lies between about a twentieth and a fourth


def _gains(rows: Rows) -> dict[str, float]:
    """Information gain of each earlier word, in bits."""
    pooled = sum(rows.values(), Counter())
    return {
        earlier: sum(
            share_of(n, row) * np.log2(share_of(n, row) / share_of(pooled[word], pooled))
            for word, n in row.items()
        )
        for earlier, row in rows.items()
    }


def informative(rows: Rows, kept: float = KEPT) -> set[str]:
    """The earlier words whose gain is `kept` of the largest or more."""
    gains = _gains(rows)
    return {word for word, gain in gains.items() if gain >= kept * max(gains.values())}


def vote_shares(sentences, prefixes, choices):
    """Share of the masked votes for each choice, (N, 2); equal shares where nobody votes."""
    rows = rows_of(sentences, prefixes[0][-1])  # the prefixes end with one word
    kept = informative(rows)
    result = np.zeros((len(prefixes), len(choices)))
    for n, prefix in enumerate(prefixes):
        votes = votes_of(rows, set(prefix[:-1]) & kept)
        result[n] = [votes[word] for word in choices]
    totals = result.sum(axis=1, keepdims=True)
    return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))


VOTERS = "set(prefix[:-1]) & kept"
NOBODY = "1 / len(choices))"
KEEP = "informative(rows)"


def _best(rows: Rows, count: int) -> set[str]:
    gains = _gains(rows)
    return set(sorted(gains, key=gains.get, reverse=True)[:count])


def all_where_nobody(sentences, prefixes, choices):
    """All earlier words vote where the mask lets nobody through."""
    rows = rows_of(sentences, prefixes[0][-1])
    kept, result = informative(rows), []
    for prefix in prefixes:
        earlier = set(prefix[:-1])
        votes = votes_of(rows, earlier & kept) or votes_of(rows, earlier)
        result.append([votes[word] / votes.total() for word in choices])
    return np.array(result)


def usual_where_nobody(sentences, prefixes, choices):
    """What is usual after the latest word, where the mask lets nobody through."""
    rows = rows_of(sentences, prefixes[0][-1])
    pooled, shares = sum(rows.values(), Counter()), vote_shares(sentences, prefixes, choices)
    usual = np.array([pooled[word] for word in choices])
    silent = np.isclose(shares, 0.5).all(axis=1, keepdims=True)
    return np.where(silent, usual / usual.sum(), shares)


def best_voter(sentences, prefixes, choices):
    """Of the words that tell anything only the one that tells most votes."""
    rows = rows_of(sentences, prefixes[0][-1])
    gains, kept, result = _gains(rows), informative(rows), []
    for prefix in prefixes:
        voters = sorted(set(prefix[:-1]) & kept, key=gains.get)[-1:]
        votes = votes_of(rows, voters)
        result.append([votes[word] if voters else 1 / len(choices) for word in choices])
    return np.array(result)


def doubtful(sentences, prefixes, choices):
    """Keeps the rows that leave most doubt; where there is none, nothing is given at all."""
    rows, result = rows_of(sentences, prefixes[0][-1]), []
    for prefix in prefixes:
        each = [
            np.array([share_of(rows[word][w], rows[word]) for w in choices])
            for word in set(prefix[:-1]) & set(rows)
        ]
        kept = [row for row in each if -(row * np.log2(np.maximum(row, 1e-300))).sum() > 0.72]
        result.append(np.mean(kept, axis=0))
    return np.array(result)


def weighed_by_gain(power, least=0.0):
    """Each row is weighed by a power of its gain; without a mask, if `least` is zero."""

    def shares(sentences, prefixes, choices):
        rows = rows_of(sentences, prefixes[0][-1])
        gains, kept, result = _gains(rows), informative(rows, least), []
        for prefix in prefixes:
            votes = np.full(len(choices), 1e-12)
            for word in set(prefix[:-1]) & kept:
                row = np.array([share_of(rows[word][choice], rows[word]) for choice in choices])
                votes += max(gains[word], 0) ** power * row
            result.append(votes / votes.sum())
        return np.array(result)

    return shares


def to_a_power(power, kept=True):
    """Shares raised to a power, of all votes or, without a mask, of each voter."""

    def shares(sentences, prefixes, choices):
        if kept:
            sharp = vote_shares(sentences, prefixes, choices) ** power
            return sharp / sharp.sum(axis=1, keepdims=True)
        rows, result = rows_of(sentences, prefixes[0][-1]), []
        for prefix in prefixes:
            each = [rows[word] for word in set(prefix[:-1]) & set(rows)]
            votes = sum(np.array([share_of(row[w], row) for w in choices]) ** power for row in each)
            result.append(votes / votes.sum())
        return np.array(result)

    return shares


def counted_by_places(sentences, latest):
    """Rows in which a pair counts as often as its earlier word stands before the latest."""
    rows = {}
    for sentence in sentences:
        for t in range(1, len(sentence) - 1):
            if sentence[t] == latest:
                for earlier in sentence[:t]:
                    rows.setdefault(earlier, Counter())[sentence[t + 1]] += 1
    return rows


VOTERS_IN_PLACES = "[word for word in prefix[:-1] if word in kept]"
(over_places,) = changed(vote_shares, VOTERS, VOTERS_IN_PLACES)

(counted_over_places,) = changed(over_places, "rows_of(", "counted_by_places(")
(not_divided,) = changed(
    vote_shares,
    "return np.where(totals > 0, result / np.where(totals > 0, totals, 1), 1 / len(choices))",
    "return result",
)

by_mask = Task(
    id="03-skip-bigrams/by-mask",
    title="Shares behind a measured mask",
    kind="train",
    points=3,
    minutes=20,
    answer="vote_shares",
    cases=mask_cases,
    reference=vote_shares,
    misconceptions=(
        MASK_IGNORED.by(
            changed(vote_shares, KEEP, "set(rows)"), all_where_nobody, to_a_power(30, kept=False)
        ),
        COUNTS_FOR_VOTES.by(changed(vote_shares, VOTERS, f"{VOTERS}, lambda count, row: count")),
        REPEATS_COUNTED.by(
            over_places,
            changed(vote_shares, "rows_of(", "counted_by_places("),
            counted_over_places,
        ),
        Misconception(
            "shares-sharpened",
            any_of(to_a_power(2), to_a_power(3)),
            "The words are right, but in each row the larger share has grown. What is the share "
            "of a word that has 3 of 4 votes?",
        ),
        Misconception(
            "gain-as-weight",
            any_of(weighed_by_gain(1), weighed_by_gain(2), weighed_by_gain(1, KEPT)),
            "The more a pair knows, the louder it votes. Is there anything in between for a mask "
            "of zeros and ones?",
        ),
        NEIGHBORS_ONLY.by(changed(vote_shares, VOTERS, "prefix[-2:-1]")),
        MASK_INVERTED.by(changed(vote_shares, KEEP, "set(rows) - informative(rows)"), doubtful),
        Misconception(
            "gap-missed",
            any_of(
                changed(vote_shares, KEEP, *(f"_best(rows, {count})" for count in (16, 12))),
                changed(
                    vote_shares, KEEP, *(f"informative(rows, {kept})" for kept in (1e-9, 0.5, 1.0))
                ),
                changed(counted_over_places, KEEP, "informative(rows, 0.5)"),
                best_voter,
            ),
            "You let through too many words or too few. Put the gains in order: where is the gap, "
            "and where would it be with more nouns or fewer?",
        ),
        Misconception(
            "wrong-where-nobody-votes",
            any_of(
                usual_where_nobody,
                changed(vote_shares, NOBODY, "0.0)"),
                changed(vote_shares, NOBODY, "np.nan)"),
            ),
            "Your row is not the one asked for where no earlier word may vote. Which shares does "
            "the task want there?",
        ),
        ANOTHER_TOTAL.by(
            changed(
                not_divided,
                "[votes[word] for word in choices]",
                "[votes[word] for word in choices]\n"
                "        result[n] /= votes_of(rows, set(prefix[:-1])).total()",
            )
        ),
        WINNER_TAKES_ALL.by(
            lambda s, p, c: np.round(vote_shares(s, p, c)),
            lambda s, p, c: (1 + np.sign(np.round(vote_shares(s, p, c) - 0.5, 9))) / 2,
        ),
        RESULTS_IN_ANOTHER_ORDER.by(lambda s, p, c: vote_shares(s, p, c)[:, ::-1]),
        TYPED_IN.by(verb_typed_in(vote_shares)),
    ),
    compare=share_enough,
    alike=does_the_same,
)
