"""What a student makes of the lines of chapter 5, and what is then still missing."""

from collections import Counter
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

from headway.text.pieces import pieces


def met(words):
    """Chapter 5, how often each pair of neighbors meets."""
    counts = Counter()
    for parts, times in words:
        for pair in pairwise(parts):
            counts[pair] += times
    return counts


def join(parts, pair, new):
    """Chapter 5's `join`, with an id in the place of the joined text."""
    while tuple(pair) in pairwise(parts):
        i = list(pairwise(parts)).index(tuple(pair))
        parts[i : i + 2] = [new]
    return parts


def neighbors(file):
    return lambda words: [[*pair, times] for pair, times in met(words).most_common()]


def joined(file):
    return lambda ids, pair, new: join(list(ids), pair, new)


def learned_merges(file):
    def answer(words, count):
        words, merges = [(list(parts), times) for parts, times in words], []
        for _ in range(count):
            pair, times = [*met(words).most_common(1), (None, 0)][0]
            if times < 2:
                break
            for parts, _ in words:
                join(parts, pair, 256 + len(merges))
            merges.append(list(pair))
        return merges

    return answer


def as_signs(file, merges):
    """All tokens as chapter 5 writes them, and the merges."""
    tokens, written = [file["SIGNS"][byte] for byte in range(256)], []
    for left, right in merges:
        written.append(f"{tokens[left]} {tokens[right]}")
        tokens.append(tokens[left] + tokens[right])
    return tokens, written


def encode(file, cut_by=None):
    if cut_by:
        file["re"] = SimpleNamespace(findall=lambda pattern, text: cut_by(text))
    return lambda text, merges: file["cut"](text, *as_signs(file, merges))


def decode_signs(file):
    return lambda ids, merges: file["text_of"](ids, as_signs(file, merges)[0])


def keep_what_was_learned(file):
    return lambda merges, known, fresh: merges[:744]


ANSWERS = [
    ("05-tokens/count-pairs", neighbors, "equals-in-another-order"),
    ("05-tokens/merge", joined, "place-after-a-merge"),
    ("05-tokens/train", learned_merges, "equals-in-another-order"),
    ("05-tokens/encode", encode, "joined-text-for-pair"),
    ("05-tokens/encode", partial(encode, cut_by=pieces), "joined-text-for-pair"),
    ("05-tokens/decode", decode_signs, "ids-without-a-token"),
    ("05-tokens/vocabulary-size", keep_what_was_learned, "not-measured-on-new-texts"),
]
NO_ANSWER = {
    # WordPiece replays no merges; the page says so, and shows no line of it.
    "05-tokens/repair",
}
