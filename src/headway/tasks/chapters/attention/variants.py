"""Variants of assignment 08: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.in_words import SPELLED
from headway.tasks.engine.listing import Listing, another_listing, spoiled
from headway.tasks.engine.variation import Changes

KEYS = r"""| $(\ln 5,\ \ln 5,\ 7, \dots, 7)$ | $(6, 0)$ |
| $(\ln 48,\ \ln 3,\ 7, \dots, 7)$ | $(0, 6)$ |
| $(\ln 162,\ \ln 2,\ 7, \dots, 7)$ | $(12, 0)$ |
"""
SCORES = r"0 & \ln 4 & \ln 2 \\ \ln 3 & 0 & \ln 9 \\ 0 & 0 & \ln 2"


def shapes(rng: np.random.Generator) -> Changes:
    """Other sizes, all of which differ."""
    pairs, words, source, value, query, width = draw_until(
        lambda sizes: len(set(sizes)) == 6 and sizes[:4] != [2, 5, 7, 6],
        lambda: rng.integers((2, 4, 4, 3, 3, 10), (5, 10, 10, 9, 9, 16)).tolist(),
    )
    return {
        "ask-shapes": [
            ("Two sentence pairs", f"{SPELLED[pairs].capitalize()} sentence pairs"),
            ("has five words", f"has {SPELLED[words]} words"),
            ("The seven words", f"The {SPELLED[source]} words"),
            ("$C = 12$", f"$C = {width}$"),
            ("$W_Q$ of shape $(12, 4)$", f"$W_Q$ of shape $({width}, {query})$"),
            ("$W_K$ of shape $(12, 4)$", f"$W_K$ of shape $({width}, {query})$"),
            ("$W_V$ of shape $(12, 6)$", f"$W_V$ of shape $({width}, {value})$"),
        ],
        "shapes": [
            (
                "[[2, 5, 7], [2, 5, 6]]",
                f"[[{pairs}, {words}, {source}], [{pairs}, {words}, {value}]]",
            )
        ],
    }


def mixture(rng: np.random.Generator) -> Changes:
    """Other keys with weights in another order, and other values."""

    def draw():
        return rng.permutation([1, 2, 3]).tolist(), *rng.permutation([6, 12, 18]).tolist()

    def mixed(parts, first, second, third):
        a, b, c = parts
        return (a * first + c * third) // 6, b * second // 6

    parts, first, second, third = draw_until(lambda drawn: mixed(*drawn) != (7, 2), draw)
    values = (first, 0), (0, second), (third, 0)
    rows, a, b, c = [], *parts
    for part, value in zip(parts, values, strict=True):
        low = rng.choice([2, 3, 5] if part < 3 else [2, 3])
        key = rf"(\ln {low * part**4},\ \ln {low},\ 7, \dots, 7)"
        rows.append(f"| ${key}$ | ${value}$ |\n")
    logarithms = [f"ln {part**4}" if part > 1 else "0" for part in parts]
    scores = [f"ln {part}" if part > 1 else "0" for part in parts]
    return {
        "ask-mixture": [(KEYS, "".join(rows))],
        "mixture": [
            (
                "products 0, ln 16, ln 81; divided by √16: 0, ln 2, ln 3; weights 1/6, 2/6, 3/6.",
                f"products {', '.join(logarithms)}; divided by √16: {', '.join(scores)}; weights "
                f"{a}/6, {b}/6, {c}/6.",
            ),
            (
                "[1 / 6 * 6 + 3 / 6 * 12, 2 / 6 * 6]",
                f"[{a} / 6 * {first} + {c} / 6 * {third}, {b} / 6 * {second}]",
            ),
        ],
    }


def masked_rows(rng: np.random.Generator) -> Changes:
    """Other scores, so that the last row is shared out otherwise."""

    def suits(parts) -> bool:
        *_, first, second = parts
        return first != second and 2 * first != second

    parts = draw_until(suits, lambda: rng.choice([1, 2, 3, 4, 5], 9).tolist())
    scores = [rf"\ln {part}" if part > 1 else "0" for part in parts]
    rows = [" & ".join(scores[start : start + 3]) for start in (0, 3, 6)]
    *_, first, second = parts
    total = first + second
    return {
        "ask-masked-rows": [(SCORES, r" \\ ".join(rows))],
        "masked-rows": [("[0, 1 / 3, 2 / 3]", f"[0, {first} / {total}, {second} / {total}]")],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another fault: hidden scores are 0, or the mask forgets what came before the newest words."""
    return (_hidden_scores_of_zero, _mask_from_the_first_word)[rng.integers(2)]()


def _hidden_scores_of_zero() -> Changes:
    return _instead(
        spoiled(CODE, "-torch.inf", "0.0", first=4),
        "Every result is a mean of\nthe values, as it should be. But most of them give a share to "
        "words that nobody should see yet. One line is the cause.",
        f"{OF_A_ROW} `False`.",
    )


def _mask_from_the_first_word() -> Changes:
    changes = _instead(
        spoiled(CODE, ".tril(S - T)", ".tril()", first=4),
        "If all words of a text\nask, the result is right. If only the newest ones ask, they miss "
        "some of what came before. One line is the cause.",
        "`tril()` leaves the columns 0 to $i$ of row $i$ as they are, and sets the others to "
        "`False`.",
    )
    changes["ask-past"] = [
        (
            "on three words: run the cell once before you change anything. The first column of "
            "the values is 1 everywhere, so every mean of it should be 1. The second is 1 for the "
            "last word\nonly: how much of that may the first two words get? And what should the "
            "first two words get if only the last word's key changes?",
            "on three words: first all of them ask, then only the last. Run the cell once before "
            "you change anything. The second column of the values is 1 for the last word only. How "
            "much of that does the last word\nget, and should it matter who else asks?",
        )
    ]
    changes["past"] += [
        ("changed = words.clone()\nchanged[2] = 400 * (words[0] + words[1])\n", ""),
        (
            'for name, keys in ("as it is", words), ("last key changed", changed):\n'
            "    mixed = attend_to_the_past(words, keys, values)",
            'for name, asking in ("all three ask", words), ("only the last asks", words[2:]):\n'
            "    mixed = attend_to_the_past(asking, words, values)",
        ),
    ]
    return changes


def _instead(listing: Listing, symptom: str, triangle: str) -> Changes:
    """Another listing, with what one sees of its fault and what the question says about `tril`."""
    changes = another_listing(GIVEN, listing, "past")
    changes["part-debug"] = [(SYMPTOM, symptom)]
    changes["ask-faulty-line"].append((TRIANGLE, triangle))
    return changes


SYMPTOM = """\
On most texts the result is right.
On a few, some words get NaN. One line is the cause."""
OF_A_ROW = "`tril(S - T)` sets everything to the right of a row's own word to"
TRIANGLE = f"{OF_A_ROW} 0."
GIVEN = Listing(
    first=4,
    before="    scores = query @ key.mT\n    scores = scores / math.sqrt(D)\n",
    right="""\
    later = torch.ones_like(scores, dtype=torch.bool).triu(S - T + 1)
    top = scores.masked_fill(later, -torch.inf).amax(dim=-1, keepdim=True)
""",
    wrong="    top = scores.amax(dim=-1, keepdim=True)\n",
    after="""\
    parts = (scores - top).exp()
    parts = parts.tril(S - T)
    return parts @ value / parts.sum(dim=-1, keepdim=True)
""",
    line=6,
)
CODE = """\
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = query @ key.mT
    scores = scores / math.sqrt(D)
    scores = scores.masked_fill(~visible, -torch.inf)
    top = scores.amax(dim=-1, keepdim=True)
    parts = (scores - top).exp()
    return parts @ value / parts.sum(dim=-1, keepdim=True)
"""

VARIANTS = (shapes, mixture, masked_rows, debug)
