"""What a student makes of the lines of chapter 3, and what is then still missing."""

from collections import Counter
from functools import partial

import numpy as np


def pairs_voting(file):
    """Chapter 3: the pairs over which `vote` walks."""
    return lambda prefix: [(earlier, prefix[-1]) for earlier in prefix[:-1]]


def vote_table(file, ended=lambda sentence, size: sentence):
    def answer(sentences, size):
        table = np.zeros((size, size, size + 1))
        pairs = file["count_pairs"]([ended(sentence, size) for sentence in sentences])
        for pair, row in pairs.items():
            for word, share in file["shares"](row).items():
                table[(*pair, word)] = share
        return table

    return answer


def masked_votes(file):
    def answer(prefix, votes, masks):
        pairs = {
            pair: Counter({word: share for word, share in enumerate(votes[pair].tolist()) if share})
            for pair in np.ndindex(masks.shape)
        }
        may_speak = {(earlier, latest) for latest, earlier in np.argwhere(masks).tolist()}
        found = file["vote"](pairs, prefix.tolist(), may_speak)
        return np.array([float(found[word]) for word in range(votes.shape[-1])])

    return answer


def gain_mask(file, part=lambda share: 0.5):
    """With the page's half, or with the share that is asked for in its place."""

    def answer(counts, share):
        pairs = {
            (earlier, "latest"): Counter({word: n for word, n in enumerate(row.tolist()) if n})
            for earlier, row in enumerate(counts)
        }
        gains = np.array(list(file["gains"](pairs, "latest").values()))
        return gains, gains >= part(share) * gains.max()

    return answer


def voter(file):
    def answer(sentences, prefix):
        pairs = file["count_pairs"](sentences)
        return dict(file["vote"](pairs, prefix, pairs))

    return answer


def words_by_votes(file):
    def answer(sentences, prefixes):
        pairs = file["count_pairs"](sentences)
        votes = [file["vote"](pairs, prefix, pairs) for prefix in prefixes]
        return [max(found, key=found.get, default="") for found in votes]

    return answer


def shares_by_mask(file):
    def answer(sentences, prefixes, choices):
        pairs = file["count_pairs"](sentences)
        may_speak, rows = file["informed"](pairs, prefixes[0][-1]), []
        for prefix in prefixes:
            votes = file["vote"](pairs, prefix, may_speak) or Counter(choices)
            rows.append([file["shares"](votes).get(word, 0) for word in choices])
        return np.array(rows)

    return answer


def every_prefix(file):
    def answer(ids, votes, masks):
        rows = [masked_votes(file)(ids[: t + 1], votes, masks) for t in range(len(ids))]
        return np.reshape(rows, (len(ids), votes.shape[-1]))

    return answer


ANSWERS = [
    ("03-skip-bigrams/features", pairs_voting, "repeats-counted"),
    ("03-skip-bigrams/table", vote_table, "end-missing"),
    (
        "03-skip-bigrams/table",
        partial(vote_table, ended=lambda s, end: [*s, end]),
        "repeats-counted",
    ),
    ("03-skip-bigrams/masked", masked_votes, "repeats-counted"),
    ("03-skip-bigrams/gain-mask", gain_mask, "half-for-any-share"),
    ("03-skip-bigrams/gain-mask", partial(gain_mask, part=float), "pair-at-the-limit"),
    ("03-skip-bigrams/voter", voter, "repeats-counted"),
    ("03-skip-bigrams/by-votes", words_by_votes, "repeats-counted"),
    ("03-skip-bigrams/by-mask", shares_by_mask, "gap-missed"),
    ("03-skip-bigrams/every-prefix", every_prefix, "repeats-counted"),
]
