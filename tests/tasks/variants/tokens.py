"""Right answers to assignment 05 that are written in other ways than the reference."""

import codecs
import itertools
import math
from collections import Counter
from functools import cache

import numpy as np
import torch

from headway.text.pieces import pieces

# --- count pairs -----------------------------------------------------------------------------


def count_by_dictionary(words):
    counts = {}
    for ids, times in words:
        for i in range(len(ids) - 1):
            key = (ids[i], ids[i + 1])
            counts[key] = counts.get(key, 0) + times
    rows = [(n, a, b) for (a, b), n in counts.items()]
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [(a, b, n) for n, a, b in rows]


def count_in_arrays(words):
    ids = [pair for ids, _ in words for pair in itertools.pairwise(ids)]
    if not ids:
        return []
    times = np.concatenate([[n] * max(len(ids) - 1, 0) for ids, n in words])
    pairs, where = np.unique(np.array(ids), axis=0, return_inverse=True)
    counts = np.bincount(where.ravel(), weights=times).astype(int)
    order = np.argsort(-counts, kind="stable")
    return np.column_stack([pairs, counts])[order]


# --- merge -----------------------------------------------------------------------------------


def merge_by_iterator(ids, pair, new):
    result, rest = [], iter([*ids, None])
    here = next(rest)
    while here is not None:
        after = next(rest)
        if (here, after) == tuple(pair):
            result.append(new)
            here = next(rest)
        else:
            result.append(here)
            here = after
    return result


def merge_as_characters(ids, pair, new):
    text, (left, right) = "".join(map(chr, ids)), map(chr, pair)
    return [ord(letter) for letter in text.replace(left + right, chr(new))]


# --- train -----------------------------------------------------------------------------------


def train_by_keeping_counts(words, count):
    """Counts are corrected in the words that hold the pair, and not counted anew."""
    words = [(list(ids), n) for ids, n in words]
    counts = Counter()

    def account(ids, n):
        for i in range(1, len(ids)):
            counts[ids[i - 1], ids[i]] += n

    for ids, n in words:
        account(ids, n)
    merges = []
    while len(merges) < count:
        top = max(counts.values(), default=0)
        if top < 2:
            return merges
        pair = min(p for p, n in counts.items() if n == top)
        for ids, n in words:
            new = merge_by_iterator(ids, pair, 256 + len(merges))
            if new != ids:
                account(ids, -n)
                account(new, n)
                ids[:] = new
        merges.append(list(pair))
    return merges


def train_by_recursion(words, count, made=256):
    counts = count_by_dictionary(words)
    if count == 0 or not counts or counts[0][2] < 2:
        return []
    pair = counts[0][:2]
    merged = [(merge_by_iterator(ids, pair, made), n) for ids, n in words]
    return [pair, *train_by_recursion(merged, count - 1, made + 1)]


# --- encode ----------------------------------------------------------------------------------


def encode_merge_by_merge(text, merges):
    """The training played again."""
    parts = [list(piece.encode()) for piece in pieces(text)]
    for k, pair in enumerate(merges):
        parts = [merge_by_iterator(ids, pair, 256 + k) for ids in parts]
    return [i for ids in parts for i in ids]


def encode_one_place_at_a_time(text, merges):
    ranks = {(left, right): rank for rank, (left, right) in enumerate(merges)}

    @cache
    def ids_of(piece):
        ids = list(piece.encode("utf-8"))
        while True:
            known = [
                (ranks[pair], i) for i, pair in enumerate(itertools.pairwise(ids)) if pair in ranks
            ]
            if not known:
                return ids
            rank, i = min(known)
            ids[i : i + 2] = [256 + rank]

    return np.array([i for piece in pieces(text) for i in ids_of(piece)], dtype=int)


# --- decode ----------------------------------------------------------------------------------


def decode_with_a_stack(ids, merges):
    raw, stack = bytearray(), list(ids)[::-1]
    while stack:
        i = stack.pop()
        if i < 256:
            raw.append(i)
        elif i >= 256 + len(merges):
            raw.append(0xFF)
        else:
            stack += merges[i - 256][::-1]
    return raw.decode(errors="replace")


def decode_as_a_stream(ids, merges):
    tokens = {i: bytes([i]) for i in range(256)}
    for k, (left, right) in enumerate(merges):
        tokens[256 + k] = tokens[left] + tokens[right]
    reader = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return "".join(reader.decode(tokens.get(i, b"\xff")) for i in ids) + reader.decode(
        b"", final=True
    )


# --- repair ----------------------------------------------------------------------------------


def pieces_by_prefix(word, vocabulary):
    tokens, rest = [], word
    while rest:
        mark = "##" if tokens else ""
        fitting = [t for t in vocabulary if t.startswith(mark) and rest.startswith(t[len(mark) :])]
        fitting = [t for t in fitting if len(t) > len(mark)]
        if not fitting:
            return ["[UNK]"]
        tokens.append(max(fitting, key=len))
        rest = rest[len(tokens[-1]) - len(mark) :]
    return tokens


def pieces_that_remember(word, vocabulary):
    """The given one, mended: it goes on to the end, and keeps the last end that was found."""
    known = set(vocabulary)
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        found = start
        for end in range(start + 1, len(word) + 1):
            if mark + word[start:end] in known:
                found = end
        if found == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:found])
        start = found
    return tokens


# --- vocabulary size -------------------------------------------------------------------------


def _cost(merges, known, fresh):
    ranks = {tuple(pair): rank for rank, pair in enumerate(merges)}
    V = 256 + len(merges)

    @cache
    def ids_of(piece):
        ids = list(piece.encode())
        while len(ids) > 1:
            rank, i = min(
                (ranks.get(pair, math.inf), i) for i, pair in enumerate(itertools.pairwise(ids))
            )
            if rank == math.inf:
                break
            ids[i : i + 2] = [256 + rank]
        return tuple(ids)

    def pairs(texts):
        for text in texts:
            ids = [V, *(i for piece in pieces(text) for i in ids_of(piece)), V]
            yield from itertools.pairwise(ids)

    counts = Counter(pairs(known))
    rows = Counter()
    for (a, _), n in counts.items():
        rows[a] += n
    bits = -sum(
        math.log2((counts[a, b] + 0.1) / (rows[a] + 0.1 * V + 0.1)) for a, b in pairs(fresh)
    )
    return bits / sum(len(text.encode()) for text in fresh)


def keep_by_a_grid(merges, known, fresh):
    """Sizes in equal ratios, all given texts used as they were meant."""
    tried = sorted({0, len(merges), *(n for n in (40, 120, 360, 1_000) if n < len(merges))})
    return merges[: min(tried, key=lambda n: _cost(merges[:n], known, fresh))]


def keep_until_it_rises(merges, known, fresh):
    """Half as many again, as long as it pays; or all."""
    n, best, cost = 100, 0, _cost(merges[:0], known, fresh)
    while n < len(merges):
        here = _cost(merges[:n], known, fresh)
        if here > cost:
            break
        n, best, cost = n * 3 // 2, n, here
    if _cost(merges, known, fresh) < cost:
        best = len(merges)
    return np.array(merges[:best]) if best else []


# --- best split ------------------------------------------------------------------------------


def split_forwards(text, logs, unknown):
    """From each place on, what comes after it is improved."""
    reached = [(-math.inf, 0)] * (len(text) + 1)
    reached[0] = (0.0, 0)
    sizes = sorted({len(piece) for piece in logs} | {1})
    for start in range(len(text)):
        for size in sizes:
            piece = text[start : start + size]
            log = logs.get(piece, unknown if size == 1 else -math.inf)
            if len(piece) == size and reached[start][0] + log > reached[start + size][0]:
                reached[start + size] = (reached[start][0] + log, start)
    places = [len(text)]
    while places[-1]:
        places.append(reached[places[-1]][1])
    places.reverse()
    return [text[a:b] for a, b in itertools.pairwise(places)]


def split_from_the_end(text, logs, unknown):
    best = {len(text): (0.0, None)}
    longest = max(map(len, logs))
    for start in reversed(range(len(text))):
        options = []
        for end in range(start + 1, min(start + longest, len(text)) + 1):
            piece = text[start:end]
            if piece in logs:
                options.append((logs[piece] + best[end][0], end))
            elif len(piece) == 1:
                options.append((unknown + best[end][0], end))
        best[start] = max(options)
    split, start = [], 0
    while start < len(text):
        end = best[start][1]
        split.append(text[start:end])
        start = end
    return split


VARIANTS = {
    "05-tokens/pair-count": {
        "array": np.array([15.0, 2.0, 6.0, 23.0]),
        "tensor": torch.tensor([15, 2, 6, 23]),
    },
    "05-tokens/sizes": {
        "array": np.array([44, 16, 757]),
        "floats": [44.0, 16.0, 757.0],
    },
    "05-tokens/byte-length": {
        "counted": [len("Zoë: 9€, 🙂"), len("Zoë: 9€, 🙂".encode()), 14],
        "array": np.array([10, 16, 14]),
    },
    "05-tokens/count-pairs": {
        "a dictionary": count_by_dictionary,
        "arrays": count_in_arrays,
    },
    "05-tokens/merge": {
        "an iterator": merge_by_iterator,
        "characters": merge_as_characters,
    },
    "05-tokens/train": {
        "counts kept": train_by_keeping_counts,
        "recursion": train_by_recursion,
    },
    "05-tokens/encode": {
        "merge by merge": encode_merge_by_merge,
        "one place at a time": encode_one_place_at_a_time,
    },
    "05-tokens/decode": {
        "a stack": decode_with_a_stack,
        "a stream": decode_as_a_stream,
    },
    "05-tokens/faulty-line": {
        "float": 9.0,
        "array": np.array(9),
    },
    "05-tokens/repair": {
        "prefixes": pieces_by_prefix,
        "the given one, mended": pieces_that_remember,
    },
    "05-tokens/vocabulary-size": {
        "a grid": keep_by_a_grid,
        "until it rises": keep_until_it_rises,
    },
    "05-tokens/best-split": {
        "forwards": split_forwards,
        "from the end": split_from_the_end,
    },
}
