"""Variants of assignment 05: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import Listing, spoiled
from headway.tasks.engine.variation import Changes

NAMES = ("Noël", "Chloë", "Anaïs", "André", "Jürgen", "Björn")
SIGNS, EMOJI = "€₹₩", "🙂🎁🍀👍🚲"
ORDINALS = {3: "third", 4: "fourth", 5: "fifth"}


def pair_count(rng: np.random.Generator) -> Changes:
    """The three words occur other times."""
    first, second, third = draw_until(
        lambda drawn: drawn != [3, 2, 4], lambda: rng.permutation([2, 3, 4, 5])[:3].tolist()
    )
    symbols, merges = 6 * first + 4 * second + 3 * third, 3 * first + second + third
    return {
        "ask-pair-count": [
            (
                "*tatata* occurs 3 times, *atta* twice, and *tat* 4 times",
                f"*tatata* occurs {_times(first)}, *atta* {_times(second)}, and *tat* "
                f"{_times(third)}",
            )
        ],
        "pair-count": [
            ("6 · 3 + 4 · 2 + 3 · 4", f"6 · {first} + 4 · {second} + 3 · {third}"),
            (
                "[3 * 3 + 1 * 2 + 1 * 4, 1 * 2, 2 * 3, 38 - 15]",
                f"[3 * {first} + 1 * {second} + 1 * {third}, 1 * {second}, 2 * {first}, "
                f"{symbols} - {merges}]",
            ),
        ],
    }


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def sizes(rng: np.random.Generator) -> Changes:
    """Another encoding, another token and another part of the merges."""
    learned, kept = int(rng.choice([1_000, 3_000, 5_000])), int(rng.choice([300, 400, 600, 800]))
    token, special = int(rng.choice([276, 280, 290, 310, 320])), int(rng.integers(2, 5))
    merge = int(rng.integers(3, 6))
    doubled = ", ".join(str(2**n) for n in range(1, merge + 1))
    return {
        "ask-sizes": [
            (
                "learned 2,000 merges and has 2 special",
                f"learned {learned:,} merges and has {special} special",
            ),
            ("the id 300", f"the id {token}"),
            ("*fourth*", f"*{ORDINALS[merge]}*"),
            (
                "the first 500 merges only, and both special",
                f"the first {kept} merges only, and {'both' if special == 2 else f'all {special}'} "
                "special",
            ),
        ],
        "sizes": [
            ("2, 4, 8, 16 bytes", f"{doubled} bytes"),
            (
                "[300 - 256, 2**4, 256 + 500 + 2 - 1]",
                f"[{token} - 256, 2**{merge}, 256 + {kept} + {special} - 1]",
            ),
        ],
    }


def byte_length(rng: np.random.Generator) -> Changes:
    """Another line, and merges of its bytes of which one finds nothing to merge any more."""
    name, sign, emoji = (some[rng.integers(len(some))] for some in (NAMES, SIGNS, EMOJI))
    price = int(rng.choice([5, 7, 8, 12, 15, 20, 25]))
    line = f"{name}: {price}{sign}, {emoji}"
    (letter,) = (letter for letter in name if not letter.isascii())
    first, second, third = (f"{byte:02X}" for byte in sign.encode())
    emoji_bytes = [f"{byte:02X}" for byte in emoji.encode()]
    pairs = [(first, second), (second, third)]
    lost = f"{second} before {third}"
    if rng.integers(2):
        pairs, lost = pairs[::-1], f"{first} before {second}"
    at = rng.integers(3)
    merges = ", ".join(f"(`{a}`, `{b}`)" for a, b in [*pairs, emoji_bytes[at : at + 2]])
    single = sum(letter.isascii() for letter in line)
    return {
        "ask-byte-length": [
            (
                "The line `Zoë: 9€, 🙂` holds ë, which is U+00EB; €, which is U+20AC; and 🙂, "
                "which is U+1F642. There is a space before the 9 and one before\n🙂.",
                f"The line `{line}` holds {_coded(letter)}; {_coded(sign)}; and {_coded(emoji)}. "
                f"There is a space before the {price} and one before\n{emoji}.",
            ),
            (
                "the bytes of € are `E2 82 AC`, and those of 🙂 are `F0 9F 99 82`",
                f"the bytes of {sign} are `{first} {second} {third}`, and those of {emoji} are "
                f"`{' '.join(emoji_bytes)}`",
            ),
            ("(`E2`, `82`), (`82`, `AC`), (`F0`, `9F`)", merges),
        ],
        "byte-length": [
            (
                "ë has 2 bytes, € 3, 🙂 4, the other seven have 1. The second merge finds no 82 "
                "before AC any more.",
                f"{letter} has 2 bytes, {sign} 3, {emoji} 4, the other {SPELLED[single]} have 1. "
                f"The second merge finds no {lost} any more.",
            ),
            (
                "[10, 7 + 2 + 3 + 4, 7 + 2 + 2 + 3]",
                f"[{len(line)}, {single} + 2 + 3 + 4, {single} + 2 + 2 + 3]",
            ),
        ],
    }


def _coded(letter: str) -> str:
    return f"{letter}, which is U+{ord(letter):04X}"


def debug(rng: np.random.Generator) -> Changes:
    """Another fault: the longest token is another one, or a piece seems longer than it is."""
    fault, wrong_words, wrong_pieces = FAULTS[rng.integers(len(FAULTS))]
    return {
        "part-debug": [
            (
                "On some it gives more tokens than it should, or `[UNK]` for a word that can be "
                "split.",
                wrong_words,
            )
        ],
        "ask-faulty-line": [
            (GIVEN.numbered("{:2d}  {}"), fault.numbered("{:2d}  {}")),
            (
                "it splits *toed* correctly into *to* and *##ed*, but\n*tokenized* should be "
                "*token*, *##iz*, *##ed*, and *tokenization* should be *token* and *##ization*.",
                wrong_pieces,
            ),
        ],
        "faulty-line": [("    9\n", f"    {fault.line}\n")],
        "repair": [(f"{GIVEN.before}{REGION}{GIVEN.after}", fault.with_solution())],
    }


START = """\
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        end = start
        for stop in range(start + 1, len(word) + 1):
"""
FOUND = """\
            if mark + word[start:stop] in known:
                end = stop
"""
NOT_FOUND = """\
            if mark + word[start:stop] not in known:
                break
            end = stop
"""
END = """\
        if end == start:
            return ["[UNK]"]
        tokens.append(mark + word[start:end])
        start = end
    return tokens
"""
GIVEN = Listing(first=3, before=START, right=FOUND, wrong=NOT_FOUND, after=END, line=9)
REGION = """\
            ### BEGIN SOLUTION
            if mark + word[start:stop] in known:
                end = stop
            ### GIVEN
            # if mark + word[start:stop] not in known:
            #     break
            # end = stop
            ### END SOLUTION
"""
FROM_THE_LONGEST = f"""\
    longest = len(max(vocabulary, key=len))
    tokens, start = [], 0
    while start < len(word):
        mark = "##" if tokens else ""
        end = min(start + longest, len(word))
        while end > start and mark + word[start:end] not in known:
            end -= 1
{END}"""
FAULTS = (
    (
        spoiled(FROM_THE_LONGEST, ", key=len", "", first=3),
        "On some it gives more tokens than it should, or `[UNK]` for a word that can be split.",
        "it splits\n*toed* correctly into *to* and *##ed*, and *tokenized* into *token*, *##iz* "
        "and *##ed*. But *tokenization* should be *token* and *##ization*, and becomes `[UNK]`.",
    ),
    (
        spoiled(f"{START}{FOUND}{END}", "start = end", "start += len(tokens[-1])", first=3),
        "On some it loses letters, or gives `[UNK]` for a word that can be split.",
        "it splits\n*toed* correctly into *to* and *##ed*, and *tokenization* into *token* and "
        "*##ization*. But *tokenized* should be *token*, *##iz*, *##ed*, and the last of them is "
        "missing.",
    ),
)

VARIANTS = (pair_count, sizes, byte_length, debug)
