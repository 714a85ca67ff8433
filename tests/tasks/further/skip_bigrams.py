"""Wrong answers to assignment 03, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter, defaultdict

import numpy as np

from headway.tasks.chapters.skip_bigrams.by_mask import vote_shares
from headway.tasks.chapters.skip_bigrams.by_votes import choose_words
from headway.tasks.chapters.skip_bigrams.masked import masked_votes
from headway.tasks.chapters.skip_bigrams.table import vote_table
from headway.tasks.chapters.skip_bigrams.voter import repaired_voter


def not_the_latest(prefix):
    latest = prefix[-1] if prefix else None
    return sorted({(w, latest) for w in prefix if w != latest})


def neighbors_everywhere(prefix):
    return sorted({(prefix[i], prefix[i + 1]) for i in range(len(prefix) - 1)})


def numpy_add_at(sentences, size):
    cells = [
        (s[i], s[j], s[j + 1] if j + 1 < len(s) else size)
        for s in sentences
        for j in range(len(s))
        for i in range(j)
    ]
    counts = np.zeros((size, size, size + 1))
    if cells:
        np.add.at(counts, tuple(np.array(cells).T), 1)
    return counts / np.maximum(counts.sum(2, keepdims=True), 1)


def shares_of_the_earlier_word(sentences, size):
    counts = vote_table([], size)
    seen = np.zeros(size)
    for sentence in sentences:
        for t, latest in enumerate(sentence):
            after = [*sentence, size][t + 1]
            for earlier in set(sentence[:t]):
                counts[earlier][latest][after] += 1
                seen[earlier] += 1
    return counts / np.where(seen == 0, 1, seen)[:, None, None]


def one_triple_a_sentence(sentences, size):
    counts = np.zeros((size, size, size + 1))
    for sentence in sentences:
        ended = [*sentence, size]
        seen = {(e, ended[t], ended[t + 1]) for t in range(len(sentence)) for e in ended[:t]}
        for cell in seen:
            counts[cell] += 1
    return counts / np.maximum(counts.sum(2, keepdims=True), 1)


def transposed_mask(prefix, votes, masks):
    active = np.zeros(len(votes))
    active[prefix[:-1]] = 1
    if len(prefix) == 0:
        return np.zeros(len(votes) + 1)
    return np.einsum("e,e,ew->w", active, masks[:, prefix[-1]], votes[:, prefix[-1], :])


def soft_votes(prefix, votes, masks):
    total = np.exp(masked_votes(prefix, votes, masks))
    return total / total.sum()


def loudest_voter(prefix, votes, masks):
    result = [0.0] * len(votes[0][0])
    for earlier in prefix[:-1]:
        if masks[prefix[-1]][earlier]:
            row = votes[earlier][prefix[-1]]
            result = [max(a, b) for a, b in zip(result, row, strict=True)]
    return result


def natural_logarithms(counts, share):
    everything = [sum(column) for column in counts.T.tolist()]
    gains = []
    for row in counts.tolist():
        gain = 0.0
        for n, total in zip(row, everything, strict=True):
            if n:
                gain += n / sum(row) * math.log(n * sum(everything) / sum(row) / total)
        gains.append(round(gain, 9))
    return gains, [g >= max(gains) * share for g in gains]


def strictly_above_the_limit(counts, share):
    everything = counts.sum(0) / counts.sum()
    gains = np.zeros(len(counts))
    for e, row in enumerate(counts):
        for n, q in zip(row, everything, strict=True):
            if n:
                gains[e] += n / row.sum() * math.log2(n / row.sum() / q)
    gains = gains.round(9)
    return gains, [gain > share * max(gains) for gain in gains]


def distance_of_the_rows(counts, share):
    given = counts / np.maximum(counts.sum(1), 1)[:, None]
    gains = np.round(np.abs(given - counts.sum(0) / counts.sum()).sum(1) / 2, 9)
    return gains, gains >= share * gains.max()


def filtered_at_the_vote(sentences, prefix):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            for earlier in set(sentence[:t]):
                counts[earlier, sentence[t - 1]][sentence[t]] += 1
    votes = Counter()
    for earlier in set(prefix):
        if earlier == prefix[-1]:
            continue
        for word, n in counts[earlier, prefix[-1]].items():
            votes[word] += n / sum(counts[earlier, prefix[-1]].values())
    return dict(votes)


def total_of_all_rows(sentences, prefix):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            for earlier in set(sentence[: t - 1]):
                counts[earlier, sentence[t - 1]][sentence[t]] += 1
    rows = [counts[earlier, prefix[-1]] for earlier in set(prefix[:-1])]
    everything = sum(sum(row.values()) for row in rows)
    votes = Counter()
    for row in rows:
        for word, n in row.items():
            votes[word] += n / everything
    return dict(votes)


def shares_by_kinds(sentences, prefix):
    votes = defaultdict(float)
    for earlier in set(prefix[:-1]):
        after = Counter(
            s[t + 1]
            for s in sentences
            for t in range(1, len(s) - 1)
            if s[t] == prefix[-1] and earlier in s[:t]
        )
        for word in after:
            votes[word] += after[word] / len(set(after))
    return dict(votes)


def rows_sorted_first(sentences, prefix):
    counts = defaultdict(Counter)
    for sentence in sorted(sentences):
        for t in range(1, len(sentence)):
            for earlier in set(sentence[: t - 1]):
                counts[earlier, sentence[t - 1]][sentence[t]] += 1
    votes = Counter()
    for earlier in set(prefix[:-1]):
        row = counts[earlier, prefix[-1]]
        for word in sorted(row):
            row[word] = row[word] / sum(row.values())
            votes[word] += row[word]
    return dict(votes)


def third_word(sentences, prefixes):
    """What mostly comes after sentences with the same third word."""
    after = defaultdict(Counter)
    for s in sentences:
        after[s[2]][s[s.index(prefixes[0][-1]) + 1]] += 1
    everything = sum(after.values(), Counter())
    thirds = [p[2] if len(p) > 3 else "" for p in prefixes]
    return [(after[third] or everything).most_common(1)[0][0] for third in thirds]


def rows_of_earlier_words(sentences, latest):
    """What comes after the latest word, counted for each word before it."""
    rows = defaultdict(Counter)
    for s in sentences:
        t = s.index(latest)
        for word in set(s[:t]):
            rows[word][s[t + 1]] += 1
    return rows


def multiplied(sentences, prefixes):
    counts = rows_of_earlier_words(sentences, prefixes[0][-1])
    following = sorted({word for row in counts.values() for word in row})
    chosen = []
    for p in prefixes:
        total = np.ones(len(following))
        for word in set(p[:-1]) & set(counts):
            total *= [counts[word][w] / counts[word].total() for w in following]
        chosen.append(following[int(total.argmax())])
    return chosen


def zeros_where_nobody_votes(sentences, prefixes, choices):
    shares = np.array(vote_shares(sentences, prefixes, choices))
    shares[(shares == 0.5).all(1)] = 0
    return shares


def sixteen_best(sentences, prefixes, choices):
    rows = rows_of_earlier_words(sentences, prefixes[0][-1])
    base = sum(rows.values(), Counter())

    def gain(row):
        return sum(
            n / row.total() * math.log2(n / row.total() * base.total() / base[w])
            for w, n in row.items()
        )

    kept = sorted(rows, key=lambda w: gain(rows[w]))[-16:]
    shares = []
    for p in prefixes:
        told = [rows[w][choices[0]] / rows[w].total() for w in set(p[:-1]) & set(kept)]
        share = sum(told) / len(told) if told else 0.5
        shares.append([share, 1 - share])
    return shares


def to_the_power_thirty(sentences, prefixes, choices):
    """No mask: the shares of each voter to a high power, added."""
    rows = rows_of_earlier_words(sentences, prefixes[0][-1])
    shares = []
    for p in prefixes:
        told = [rows[w] for w in set(p[:-1]) if w in rows]
        total = sum(np.array([r[c] / r.total() for c in choices]) ** 30 for r in told)
        shares.append(total / total.sum())
    return np.array(shares)


def order_two(sentences, prefixes):
    chosen = []
    for *_, before, latest in prefixes:
        after = Counter(
            s[t + 1] for s in sentences for t in [s.index(latest)] if s[t - 1] == before
        )
        chosen.append(after.most_common(1)[0][0])
    return chosen


def short_window(sentences, prefixes):
    return choose_words(sentences, [prefix[-3:] for prefix in prefixes])


def least_doubt_left_out(sentences, prefixes, choices):
    """Keeps the rows whose entropy is high, taking doubt for information."""
    words = sorted({w for prefix in prefixes for w in prefix[:-1]})
    rows = np.zeros((len(words), 2))
    for s in sentences:
        t = s.index(prefixes[0][-1])
        for i, w in enumerate(words):
            rows[i, choices.index(s[t + 1])] += w in s[:t]
    p = rows / np.maximum(rows.sum(1, keepdims=True), 1)
    doubt = [-sum(x * math.log2(x) for x in row if x) for row in p.tolist()]
    shares = []
    for prefix in prefixes:
        kept = [p[i] for i, w in enumerate(words) if w in prefix[:-1] and doubt[i] > 0.72]
        shares.append(np.mean(kept, axis=0))
    return np.array(shares)


def more_than_half(sentences, prefixes, choices):
    return np.array(vote_shares(sentences, prefixes, choices) > 0.5, dtype=float)


def cumulative(ids, votes, masks):
    X = np.eye(len(votes))[ids]
    present = np.cumsum(X, axis=0) > 0
    return np.array(
        [(present[t] & masks[i]).astype(float) @ votes[:, i] for t, i in enumerate(ids)]
    ).reshape(len(ids), -1 if len(ids) else votes.shape[2])


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


def masked_lists(sentences, prefixes, choices):
    rows, gains, _ = _told(sentences, prefixes, once=False)
    return [
        _normalized(
            [
                sum(rows[w][c] / rows[w].total() for w in p[:-1] if gains.get(w, 0) > 0.1)
                for c in choices
            ]
        )
        for p in prefixes
    ]


def masked_counts(sentences, prefixes, choices):
    rows, gains, _ = _told(sentences, prefixes)
    kept = {w for w, gain in gains.items() if gain > 0.1}
    return [
        _normalized([sum(rows[w][c] for w in kept.intersection(p[:-1])) for c in choices])
        for p in prefixes
    ]


def cubes_of_shares(sentences, prefixes, choices):
    shares = vote_shares(sentences, prefixes, choices)
    return [(a**3 / (a**3 + b**3), b**3 / (a**3 + b**3)) for a, b in shares]


def squared_gains(sentences, prefixes, choices):
    rows, gains, _ = _told(sentences, prefixes)
    return [
        _normalized(
            [
                sum(gains[w] ** 2 * rows[w][c] / rows[w].total() for w in {*p[:-1]} & {*rows})
                for c in choices
            ]
        )
        for p in prefixes
    ]


def base_rate_for_silence(sentences, prefixes, choices):
    rows, gains, base = _told(sentences, prefixes)
    shares = []
    for p in prefixes:
        votes = [
            sum(rows[w][c] / rows[w].total() for w in set(p[:-1]) if gains.get(w, 0) > 0.1)
            for c in choices
        ]
        shares.append(_normalized(votes if sum(votes) else [base[c] for c in choices]))
    return shares


def the_best_voter(sentences, prefixes, choices):
    rows, gains, _ = _told(sentences, prefixes)
    shares = []
    for p in prefixes:
        best = max((w for w in p[:-1] if w in gains), key=gains.get)
        shares.append(
            [rows[best][c] / rows[best].total() for c in choices]
            if gains[best] > 0.1
            else [0.5, 0.5]
        )
    return shares


def a_view_of_one_row(prefix, votes, masks):
    rows = [votes[e, prefix[-1]] for e in set(prefix[:-1].tolist()) if masks[prefix[-1], e]]
    return rows[0] if len(rows) == 1 else sum(rows, np.zeros(votes.shape[2]))


def _gains_by(measure, counts, share):
    prior = counts.sum(0) / counts.sum()
    gains = np.array([measure(row / row.sum(), prior) if row.any() else 0.0 for row in counts])
    gains = np.round(gains, 9)
    return gains, gains >= share * gains.max()


def uncertainty_that_is_lost(counts, share):
    def doubt(p):
        return -sum(x * math.log2(x) for x in p.tolist() if x)

    return _gains_by(lambda p, prior: doubt(prior) - doubt(p), counts, share)


def divergence_from_the_row(counts, share):
    def measure(p, prior):
        return sum(b * math.log2(b / a) for a, b in zip(p, prior, strict=True) if a)

    return _gains_by(measure, counts, share)


def mask_before_gains(counts, share):
    def measure(p, prior):
        return sum(a * math.log2(a / b) for a, b in zip(p, prior, strict=True) if a)

    return _gains_by(measure, counts, share)[::-1]


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


FURTHER = {
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
    "zero for all other words": ("voter", zero_for_all_others, None),
    "gains behind a mask": ("by-mask", masked_gains, "gain-as-weight"),
    "every pair of different words": ("count-features", 24, "pairs-without-the-latest-word"),
    "words that stand once": ("count-features", 3, "repeated-words-left-out"),
    "order eight, and its next word": ("count-rows", [10**9, 100], "rows-miscounted"),
    "the first word forgotten": ("add-votes", [0.25, 1.75], "earlier-word-cut-off"),
    "entropies subtracted": ("gain-mask", uncertainty_that_is_lost, "doubt-for-gain"),
    "from the other side": ("gain-mask", divergence_from_the_row, "divergence-turned-round"),
    "the mask first": ("gain-mask", mask_before_gains, "results-in-another-order"),
    "a view of one row": ("masked", a_view_of_one_row, "result-shared"),
    "lists for sets": ("by-votes", pairs_in_lists, "repeats-counted"),
    "masked, with lists for sets": ("by-mask", masked_lists, "repeats-counted"),
    "masked counts": ("by-mask", masked_counts, "counts-for-votes"),
    "cubes of the shares": ("by-mask", cubes_of_shares, "shares-sharpened"),
    "squares of the gains": ("by-mask", squared_gains, "gain-as-weight"),
    "the base rate for silence": ("by-mask", base_rate_for_silence, "wrong-where-nobody-votes"),
    "the best voter alone": ("by-mask", the_best_voter, "gap-missed"),
    "the latest word left out as a word": (
        "features",
        not_the_latest,
        "earlier-occurrence-dropped",
    ),
    "neighbors everywhere": ("features", neighbors_everywhere, "pairs-without-the-latest-word"),
    "places for words": ("table", numpy_add_at, "repeats-counted"),
    "shares of the earlier word": ("table", shares_of_the_earlier_word, "divided-by-another-total"),
    "a set a sentence": ("table", one_triple_a_sentence, "once-a-sentence"),
    "masks by columns": ("masked", transposed_mask, "earlier-and-latest-exchanged"),
    "a softmax of the votes": ("masked", soft_votes, None),
    "the loudest voter": ("masked", loudest_voter, "one-voter-heard"),
    "natural logarithms": ("gain-mask", natural_logarithms, "nats-for-bits"),
    "half the distance of the rows": ("gain-mask", distance_of_the_rows, None),
    "strictly above the limit": ("gain-mask", strictly_above_the_limit, "pair-at-the-limit"),
    "filtered at the vote": ("voter", filtered_at_the_vote, "earlier-occurrence-dropped"),
    "divided by the total of all rows": ("voter", total_of_all_rows, "votes-read-as-probabilities"),
    "divided by the number of kinds": ("voter", shares_by_kinds, "divided-by-another-total"),
    "sorted, and divided as before": ("voter", rows_sorted_first, "order-for-cause"),
    "the third word": ("by-votes", third_word, "one-place-only"),
    "a product of shares": ("by-votes", multiplied, "probability-product"),
    "zeros where nobody votes": ("by-mask", zeros_where_nobody_votes, "wrong-where-nobody-votes"),
    "the best sixteen": ("by-mask", sixteen_best, "gap-missed"),
    "shares to the power thirty": ("by-mask", to_the_power_thirty, "mask-ignored"),
    "a chain of order two": ("by-votes", order_two, "neighbors-only"),
    "a window of three words": ("by-votes", short_window, "neighbors-only"),
    "the pairs that leave most doubt": ("by-mask", least_doubt_left_out, "mask-inverted"),
    "more than half": ("by-mask", more_than_half, "winner-takes-all"),
    "everything seen so far": ("every-prefix", cumulative, "self-pair"),
}
