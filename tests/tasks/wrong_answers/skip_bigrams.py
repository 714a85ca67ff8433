"""Wrong answers to assignment 03, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter, defaultdict

import numpy as np

from headway.tasks.chapters.skip_bigrams.masked import masked_votes
from headway.tasks.chapters.skip_bigrams.voter import repaired_voter


def not_the_latest(prefix):
    latest = prefix[-1] if prefix else None
    return sorted({(w, latest) for w in prefix if w != latest})


def soft_votes(prefix, votes, masks):
    total = np.exp(masked_votes(prefix, votes, masks))
    return total / total.sum()


def distance_of_the_rows(counts, share):
    given = counts / np.maximum(counts.sum(1), 1)[:, None]
    gains = np.round(np.abs(given - counts.sum(0) / counts.sum()).sum(1) / 2, 9)
    return gains, gains >= share * gains.max()


def pairs_in_lists(sentences, prefixes):
    """Every place of an earlier word counts, in the corpus and in the prefix."""
    counts = defaultdict(Counter)
    for s in sentences:
        for t in range(len(s) - 1):
            for earlier in s[:t]:
                counts[earlier, s[t]][s[t + 1]] += 1
    chosen = []
    for *earlier, latest in prefixes:
        votes = Counter()
        for word in earlier:
            row = counts[word, latest]
            for after in row:
                votes[after] += row[after] / row.total()
        chosen.append(votes.most_common(1)[0][0])
    return chosen


def _told(sentences, prefixes, once=True):
    latest, rows = prefixes[0][-1], defaultdict(Counter)
    for s in sentences:
        t = s.index(latest)
        for word in set(s[:t]) if once else s[:t]:
            rows[word][s[t + 1]] += 1
    base = sum(rows.values(), Counter())
    gains = {
        word: sum(
            n / row.total() * math.log2(n / row.total() * base.total() / base[w])
            for w, n in row.items()
        )
        for word, row in rows.items()
    }
    return rows, gains, base


def _normalized(votes):
    return [vote / sum(votes) for vote in votes] if sum(votes) else [0.5, 0.5]


def a_view_of_one_row(prefix, votes, masks):
    rows = [votes[e, prefix[-1]] for e in set(prefix[:-1].tolist()) if masks[prefix[-1], e]]
    return rows[0] if len(rows) == 1 else sum(rows, np.zeros(votes.shape[2]))


def _gains_by(measure, counts, share):
    prior = counts.sum(0) / counts.sum()
    gains = np.array([measure(row / row.sum(), prior) if row.any() else 0.0 for row in counts])
    gains = np.round(gains, 9)
    return gains, gains >= share * gains.max()


def end_not_in_the_total(sentences, size):
    table = numpy_counts(sentences, size)
    total = table[:, :, :size].sum(-1)
    return table / np.maximum(total, 1)[:, :, None]


def numpy_counts(sentences, size):
    counts = np.zeros((size, size, size + 1))
    for s in sentences:
        for j in range(1, len(s)):
            after = s[j + 1] if j + 1 < len(s) else size
            counts[list(set(s[:j])), s[j], after] += 1
    return counts


def alike_for_all_that_followed(sentences, prefix):
    votes = Counter()
    for earlier in set(prefix[:-1]):
        after = {
            s[t + 1]
            for s in sentences
            for t in range(1, len(s) - 1)
            if s[t] == prefix[-1] and earlier in s[:t]
        }
        votes.update({word: 1 / len(after) for word in after})
    return votes


def zero_for_all_others(sentences, prefix):
    return {word: 0 for s in sentences for word in s} | repaired_voter(sentences, prefix)


def masked_gains(sentences, prefixes, choices):
    rows, gains, _ = _told(sentences, prefixes)
    kept = {w for w, gain in gains.items() if gain > 0.1}
    return [
        _normalized(
            [
                sum(gains[w] * rows[w][c] / rows[w].total() for w in kept.intersection(p[:-1]))
                for c in choices
            ]
        )
        for p in prefixes
    ]


def by_the_largest(sentences, prefix):
    votes = Counter()
    for earlier in set(prefix[:-1]):
        alone = repaired_voter(sentences, [earlier, prefix[-1]])
        votes.update({word: share / max(alone.values()) for word, share in alone.items()})
    return votes


def logarithms_added(counts, share):
    return _gains_by(
        lambda p, prior: sum(math.log2(a / b) for a, b in zip(p, prior, strict=True) if a),
        counts,
        share,
    )


def shares_of_every_prefix(ids, votes, masks):
    rows = [masked_votes(ids[: t + 1], votes, masks) for t in range(len(ids))]
    rows = np.array(rows).reshape(len(ids), votes.shape[2])
    return rows / np.maximum(rows.sum(1, keepdims=True), 1e-12)


def pairs_at_first_sight(sentences, size):
    counts = np.zeros((size, size, size + 1))
    for sentence in sentences:
        followed, seen = [*sentence, size], set()
        for t in range(1, len(sentence)):
            for earlier in set(sentence[:t]):
                if (earlier, sentence[t]) not in seen:
                    seen.add((earlier, sentence[t]))
                    counts[earlier, sentence[t], followed[t + 1]] += 1
    totals = counts.sum(axis=2, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)


WRONG_ANSWERS = {
    "pairs at first sight": ("table", pairs_at_first_sight, "once-a-sentence"),
    "by the largest count": ("voter", by_the_largest, "divided-by-another-total"),
    "logarithms added": ("gain-mask", logarithms_added, "wrong-weights"),
    "shares of every prefix": (
        "every-prefix",
        shares_of_every_prefix,
        "votes-read-as-probabilities",
    ),
    "the end is no next word for the total": ("table", end_not_in_the_total, "end-missing"),
    "as much for all that followed": (
        "voter",
        alike_for_all_that_followed,
        "divided-by-another-total",
    ),
    "zero for all other words": ("voter", zero_for_all_others, "another-shape"),
    "gains behind a mask": ("by-mask", masked_gains, "gain-as-weight"),
    "a view of one row": ("masked", a_view_of_one_row, "result-shared"),
    "lists for sets": ("by-votes", pairs_in_lists, "repeats-counted"),
    "the latest word left out as a word": (
        "features",
        not_the_latest,
        "earlier-occurrence-dropped",
    ),
    "a softmax of the votes": ("masked", soft_votes, None),
    "half the distance of the rows": ("gain-mask", distance_of_the_rows, None),
}
