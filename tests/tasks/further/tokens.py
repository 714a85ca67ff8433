"""Wrong answers to assignment 05, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import itertools
import math
from collections import Counter

from headway.tasks.chapters.tokens.bits import Costs
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


def counts_sorted_by_reverse(words):
    counts = Counter()
    for ids, times in words:
        for i in range(1, len(ids)):
            counts[ids[i - 1], ids[i]] += times
    return sorted(([a, b, n] for (a, b), n in counts.items()), key=lambda r: r[::-1], reverse=True)


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


def merge_from_behind(ids, pair, new):
    ids, i = list(ids), len(ids) - 2
    while i >= 0:
        if ids[i] == pair[0] and ids[i + 1] == pair[1]:
            ids[i : i + 2] = [new]
        i -= 1
    return ids


def merge_without_a_jump(ids, pair, new):
    result = []
    for i, symbol in enumerate(ids):
        if i + 1 < len(ids) and [symbol, ids[i + 1]] == list(pair):
            result.append(new)
        else:
            result.append(symbol)
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


def trains_by_max_with_get(words, count):
    return _trained(words, count, lambda counts: max(counts, key=counts.get))


def trains_to_the_last_pair(words, count):
    return _trained(words, count, lambda c: min(c, key=lambda p: (-c[p], p)), least=1)


def trains_from_one(words, count):
    return _trained(words, count, lambda c: min(c, key=lambda p: (-c[p], p)), first=257)


def trains_on_one_string(words, count):
    text = [i for ids, n in words for _ in range(n) for i in ids]
    return _trained([(text, 1)], count, lambda c: min(c, key=lambda p: (-c[p], p)))


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


def encodes_the_whole_text(text, merges):
    ids = list(text.encode())
    for k, pair in enumerate(merges):
        ids = _merged(ids, pair, 256 + k)
    return ids


def encodes_with_ord(text, merges):
    ids = []
    for piece in pieces(text):
        part = list(map(ord, piece))
        for k, pair in enumerate(merges):
            part = _merged(part, pair, 256 + k)
        ids += part
    return ids


def encodes_words_without_spaces(text, merges):
    ids = []
    for word in text.split():
        part = list(word.encode())
        for k, pair in enumerate(merges):
            part = _merged(part, pair, 256 + k)
        ids += part
    return ids


def encodes_by_the_latest_merge(text, merges):
    ids = []
    for piece in pieces(text):
        part, changed = list(piece.encode()), True
        while changed:
            changed = False
            for k in reversed(range(len(merges))):
                after = _merged(part, merges[k], 256 + k)
                if after != part:
                    part, changed = after, True
                    break
        ids += part
    return ids


# --- decode ----------------------------------------------------------------------------------


@padded
def decodes_with_chr(ids, merges):
    tokens = [chr(i) for i in range(256)]
    for a, b in merges:
        tokens.append(tokens[a] + tokens[b])
    return "".join(tokens[i] for i in ids)


@padded
def decodes_by_a_call_for_each_part(ids, merges):
    def raw(i):
        if i < 256:
            return bytes((i,))
        left, right = merges[i - 256]
        return raw(left) + raw(right)

    return b"".join(raw(i) for i in ids).decode(errors="replace")


@padded
def decodes_strictly(ids, merges):
    tokens = {i: bytes([i]) for i in range(256)}
    for k, (a, b) in enumerate(merges):
        tokens[256 + k] = tokens[a] + tokens[b]
    return b"".join(map(tokens.get, ids)).decode("utf8")


@padded
def decodes_text_by_text(ids, merges):
    tokens = [bytes([i]) for i in range(256)]
    for a, b in merges:
        tokens.append(tokens[a] + tokens[b])
    text = ""
    for i in ids:
        text += str(tokens[i], "utf-8", "replace")
    return text


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


def pieces_up_to_four_letters(word, vocabulary):
    tokens = []
    while word:
        mark = "##" if tokens else ""
        fitting = [n for n in range(1, 5) if word[:n] and mark + word[:n] in vocabulary]
        if not fitting:
            return ["[UNK]"]
        tokens.append(mark + word[: fitting[-1]])
        word = word[fitting[-1] :]
    return tokens


def pieces_with_unknown_ends(word, vocabulary):
    tokens = []
    while word:
        mark, end = "##" if tokens else "", len(word)
        while end and mark + word[:end] not in vocabulary:
            end -= 1
        if not end:
            tokens.append("[UNK]")
            return tokens
        tokens.append(mark + word[:end])
        word = word[end:]
    return tokens


# --- vocabulary size -------------------------------------------------------------------------


def keeps_a_thousand(merges, known, fresh):
    return merges[:1_000]


def keeps_what_makes_the_fewest_tokens(merges, known, fresh):
    """More merges never make more tokens, so all of them are best."""
    kept = []
    for pair in merges:
        kept.append(pair)
    return kept


def keeps_by_bits_per_token(merges, known, fresh):
    """By the cost of a token under a unigram model of the bytes and of longer and longer tokens."""
    text = [byte for one in fresh for byte in one.encode()]
    counts = Counter(text)
    bits, best, size = 0.0, 0, math.inf
    for n in (0, 100, 400):
        bits = sum(-math.log2(counts[b] / len(text)) for b in text) / len(text) * (1 + n / 100)
        if bits < size:
            size, best = bits, n
    return merges[:best]


def keeps_the_square_root(merges, known, fresh):
    return merges[: int(math.sqrt(len(merges)))]


def keeps_what_suits_the_fresh_texts(merges, known, fresh):
    """Counts and measures on the same texts, which no merge was learned from."""
    costs = Costs(fresh, fresh, merges)
    tried = [*range(0, len(merges), 400), len(merges)]
    return merges[: min(tried, key=costs.bits_per_byte)]


def keeps_what_suits_the_known_texts(merges, known, fresh):
    costs = Costs(known, known, merges)
    return merges[: min((0, 100, 1_000, len(merges)), key=costs.bits_per_byte)]


def keeps_a_twentieth(merges, known, fresh):
    return merges[: len(merges) // 20]


def keeps_the_best_of(numbers):
    """Measures as it should, and tries these numbers."""

    def keep_merges(merges, known, fresh):
        costs = Costs(known, fresh, merges)
        return merges[: min((n for n in numbers if n < len(merges)), key=costs.bits_per_byte)]

    return keep_merges


# --- best split ------------------------------------------------------------------------------


def splits_by_the_longest(text, logs, unknown):
    split = []
    while text:
        size = max((len(p) for p in logs if text.startswith(p)), default=1)
        split.append(text[:size])
        text = text[size:]
    return split


def splits_by_the_best_next(text, logs, unknown):
    split = []
    while text:
        fitting = [p for p in logs if text.startswith(p)] or [text[0]]
        split.append(max(fitting, key=lambda p: logs.get(p, unknown)))
        text = text[len(split[-1]) :]
    return split


def splits_from_behind_and_leaves_it_so(text, logs, unknown):
    best = [(0.0, 0)]
    for end in range(1, len(text) + 1):
        options = []
        for start in range(max(0, end - max(map(len, logs))), end):
            piece = text[start:end]
            if piece in logs:
                options.append((best[start][0] + logs[piece], start))
            elif len(piece) == 1:
                options.append((best[start][0] + unknown, start))
        best.append(max(options))
    split, end = [], len(text)
    while end:
        start = best[end][1]
        split += [text[start:end]]
        end = start
    return split


def splits_with_any_letter_unknown(text, logs, unknown):
    """Any letter may stand alone as unknown, also one that is in the vocabulary."""
    best, last = [0.0], [0]
    for end in range(1, len(text) + 1):
        best.append(best[end - 1] + unknown)
        last.append(end - 1)
        for start in range(max(0, end - max(map(len, logs))), end):
            total = best[start] + logs.get(text[start:end], -math.inf)
            if total > best[end]:
                best[end], last[end] = total, start
    split, end = [], len(text)
    while end:
        split.insert(0, text[last[end] : end])
        end = last[end]
    return split


def splits_by_trying_all(text, logs, unknown):
    """All splits, one call in another, what was found remembered."""
    memory = {"": (0.0, [])}

    def best(rest):
        if rest not in memory:
            options = []
            for piece in {rest[:n] for n in range(1, min(len(rest), 4) + 1)}:
                if piece in logs or len(piece) == 1:
                    total, split = best(rest[len(piece) :])
                    options.append((total + logs.get(piece, unknown), [piece, *split]))
            memory[rest] = max(options)
        return memory[rest]

    return best(text)[1]


FURTHER = {
    "counts as str.count does": (
        "count-pairs",
        counts_with_a_regular_expression,
        "overlap-not-counted",
    ),
    "most_common": ("count-pairs", counts_by_most_common, "equals-in-another-order"),
    "each word once": ("count-pairs", counts_the_list_only, "times-ignored"),
    "rows sorted from behind": ("count-pairs", counts_sorted_by_reverse, "equals-in-another-order"),
    "a for loop that ends early": ("merge", merge_with_a_for_loop, "end-of-the-word"),
    "from behind": ("merge", merge_from_behind, "merged-from-the-right"),
    "no jump over the right symbol": ("merge", merge_without_a_jump, "place-after-a-merge"),
    "the ids popped": ("merge", merge_by_popping, "argument-changed"),
    "the greatest of the items": ("train", trains_by_max_of_items, "equals-in-another-order"),
    "max with get": ("train", trains_by_max_with_get, "equals-in-another-order"),
    "to the last pair": ("train", trains_to_the_last_pair, "stops-too-early-or-late"),
    "new ids from 257": ("train", trains_from_one, "ids-of-new-symbols"),
    "one long string": ("train", trains_on_one_string, "across-borders"),
    "the longest prefix": ("encode", encodes_by_the_vocabulary, "longest-match"),
    "the whole text at once": ("encode", encodes_the_whole_text, "across-borders"),
    "ord of each letter": ("encode", encodes_with_ord, "other-bytes-than-utf-8"),
    "words without spaces": ("encode", encodes_words_without_spaces, "spaces-changed"),
    "the latest merge first": (
        "encode",
        encodes_by_the_latest_merge,
        "not-in-the-order-of-learning",
    ),
    "a letter for each byte": ("decode", decodes_with_chr, "other-bytes-than-utf-8"),
    "a call for each part": ("decode", decodes_by_a_call_for_each_part, "calls-in-calls"),
    "strict UTF-8": ("decode", decodes_strictly, "invalid-bytes"),
    "text by text": ("decode", decodes_text_by_text, "decoded-token-by-token"),
    "one letter further": ("repair", pieces_that_look_one_letter_further, "stops-at-a-gap"),
    "four letters": ("repair", pieces_up_to_four_letters, "longest-cut-short"),
    "an unknown end": ("repair", pieces_with_unknown_ends, "parts-beside-the-unknown"),
    "a thousand": ("vocabulary-size", keeps_a_thousand, "not-measured-on-new-texts"),
    "the fewest tokens": (
        "vocabulary-size",
        keeps_what_makes_the_fewest_tokens,
        "not-measured-on-new-texts",
    ),
    "counted where measured": (
        "vocabulary-size",
        keeps_what_suits_the_fresh_texts,
        "not-measured-on-new-texts",
    ),
    "measured where counted": (
        "vocabulary-size",
        keeps_what_suits_the_known_texts,
        "not-measured-on-new-texts",
    ),
    "bits per token": ("vocabulary-size", keeps_by_bits_per_token, "bits-per-token"),
    "a square root": ("vocabulary-size", keeps_the_square_root, "not-measured-on-new-texts"),
    "a twentieth": ("vocabulary-size", keeps_a_twentieth, "not-measured-on-new-texts"),
    "three numbers": ("vocabulary-size", keeps_the_best_of((0, 100, 300)), "best-number-not-tried"),
    "without none": (
        "vocabulary-size",
        keeps_the_best_of((50, 200, 400, 800, 1_500)),
        "best-number-not-tried",
    ),
    "without all": (
        "vocabulary-size",
        keeps_the_best_of((0, 50, 200, 250, 600, 800, 1_500)),
        "best-number-not-tried",
    ),
    "the longest each time": ("best-split", splits_by_the_longest, "greedy-split"),
    "the best next piece": ("best-split", splits_by_the_best_next, "greedy-split"),
    "collected from behind": (
        "best-split",
        splits_from_behind_and_leaves_it_so,
        "parts-in-another-order",
    ),
    "any letter unknown": ("best-split", splits_with_any_letter_unknown, "unknown-letters"),
    "all splits by calls": ("best-split", splits_by_trying_all, "calls-in-calls"),
    "overlap left out of a sum": ("pair-count", [15, 2, 3, 23], "overlap-not-counted"),
    "a list of words": ("pair-count", [5, 1, 2, 8], "times-ignored"),
    "the pairs of before": ("pair-count", [15, 12, 6, 23], "counts-after-the-merge"),
    "UTF-16": ("byte-length", [11, 22, 20], None),
    "no spaces": ("byte-length", [8, 14, 12], "spaces-changed"),
    "one byte more for each merge": ("sizes", [44, 5, 757], "merges-of-merges"),
    "with the end of a line": ("sizes", [45, 17, 758], None),
}
