"""Wrong answers to assignment 05, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import itertools
from collections import Counter

from headway.tasks.chapters.tokens.decode import padded
from headway.text.pieces import pieces

# --- count pairs -----------------------------------------------------------------------------


def counts_with_a_regular_expression(words):
    """As `str.count` counts: what was found is not looked into again."""
    counts = Counter()
    for ids, times in words:
        text = "".join(map(chr, ids))
        for left, right in {(a, b) for a, b in itertools.pairwise(ids)}:
            counts[left, right] += times * text.count(chr(left) + chr(right))
    return [[a, b, n] for (a, b), n in sorted(counts.items(), key=lambda x: (-x[1], x[0]))]


def counts_by_most_common(words):
    counts = Counter()
    for ids, times in words:
        for i in range(len(ids) - 1):
            counts[ids[i], ids[i + 1]] += times
    return [[a, b, n] for (a, b), n in counts.most_common()]


def counts_the_list_only(words):
    seen = {}
    for word, _ in words:
        for i, left in enumerate(word[:-1]):
            seen[left, word[i + 1]] = seen.get((left, word[i + 1]), 0) + 1
    return sorted(([*pair, n] for pair, n in seen.items()), key=lambda r: (-r[2], r[0], r[1]))


# --- merge -----------------------------------------------------------------------------------


def merge_with_a_for_loop(ids, pair, new):
    result, skip = [], False
    for i in range(len(ids) - 1):
        if skip:
            skip = False
        elif (ids[i], ids[i + 1]) == tuple(pair):
            result.append(new)
            skip = True
        else:
            result.append(ids[i])
    return result


def merge_by_popping(ids, pair, new):
    result = []
    while ids:
        symbol = ids.pop(0)
        if ids and (symbol, ids[0]) == tuple(pair):
            ids.pop(0)
            symbol = new
        result.append(symbol)
    return result


# --- train -----------------------------------------------------------------------------------


def _merged(ids, pair, new):
    result, i = [], 0
    while i < len(ids):
        here = tuple(ids[i : i + 2]) == tuple(pair)
        result.append(new if here else ids[i])
        i += 1 + here
    return result


def _trained(words, count, choose, least=2, first=256):
    words, merges = [(list(ids), n) for ids, n in words], []
    for k in range(count):
        counts = Counter()
        for ids, n in words:
            for pair in itertools.pairwise(ids):
                counts[pair] += n
        if not counts or max(counts.values()) < least:
            break
        pair = choose(counts)
        merges.append(list(pair))
        words = [(_merged(ids, pair, first + k), n) for ids, n in words]
    return merges


def trains_by_max_of_items(words, count):
    return _trained(words, count, lambda counts: max((n, pair) for pair, n in counts.items())[1])


# --- encode ----------------------------------------------------------------------------------


def encodes_by_the_vocabulary(text, merges):
    """The longest prefix of what is left, looked up in the list of tokens."""
    tokens = [bytes([i]) for i in range(256)]
    for a, b in merges:
        tokens.append(tokens[a] + tokens[b])
    by_text = {}
    for i, token in enumerate(tokens):
        by_text.setdefault(token, i)
    ids = []
    for piece in pieces(text):
        raw, start = piece.encode(), 0
        while start < len(raw):
            end = len(raw)
            while raw[start:end] not in by_text:
                end -= 1
            ids.append(by_text[raw[start:end]])
            start = end
    return ids


# --- decode ----------------------------------------------------------------------------------


@padded
def decodes_with_chr(ids, merges):
    tokens = [chr(i) for i in range(256)]
    for a, b in merges:
        tokens.append(tokens[a] + tokens[b])
    return "".join(tokens[i] for i in ids)


# --- repair ----------------------------------------------------------------------------------


def pieces_that_look_one_letter_further(word, vocabulary):
    """Stops where neither the next letter nor the one after it makes a token."""
    tokens, start = [], 0
    while start < len(word):
        mark, end = "##" if tokens else "", start
        while end < len(word):
            if mark + word[start : end + 1] in vocabulary:
                end += 1
            elif end + 2 <= len(word) and mark + word[start : end + 2] in vocabulary:
                end += 2
            else:
                break
        if end == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens


# --- vocabulary size -------------------------------------------------------------------------


def keeps_a_thousand(merges, known, fresh):
    return merges[:1_000]


# --- best split ------------------------------------------------------------------------------


def splits_by_the_longest(text, logs, unknown):
    split = []
    while text:
        size = max((len(p) for p in logs if text.startswith(p)), default=1)
        split.append(text[:size])
        text = text[size:]
    return split


WRONG_ANSWERS = {
    "counts as str.count does": (
        "count-pairs",
        counts_with_a_regular_expression,
        "overlap-not-counted",
    ),
    "most_common": ("count-pairs", counts_by_most_common, "equals-in-another-order"),
    "each word once": ("count-pairs", counts_the_list_only, "times-ignored"),
    "a for loop that ends early": ("merge", merge_with_a_for_loop, "end-of-the-word"),
    "the ids popped": ("merge", merge_by_popping, "argument-changed"),
    "the greatest of the items": ("train", trains_by_max_of_items, "equals-in-another-order"),
    "the longest prefix": ("encode", encodes_by_the_vocabulary, "longest-match"),
    "a letter for each byte": ("decode", decodes_with_chr, "other-bytes-than-utf-8"),
    "one letter further": ("repair", pieces_that_look_one_letter_further, "stops-at-a-gap"),
    "a thousand": ("vocabulary-size", keeps_a_thousand, "not-measured-on-new-texts"),
    "the longest each time": ("best-split", splits_by_the_longest, "greedy-split"),
    "UTF-16": ("byte-length", [11, 22, 20], None),
    "with the end of a line": ("sizes", [45, 17, 758], None),
}
