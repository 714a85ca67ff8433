"""Variants of assignment 02: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes

SENTENCES = """\
    show files please
    show my files please
    find files
    my files please
    show my photos
"""

# How often *please* comes after the word that is asked about, and how often the end.
FOLLOWING = ((1, 2), (2, 1), (1, 3), (2, 3), (3, 2), (1, 4), (4, 1))

# Words without the boundary, symbols with it, and an order whose rows can be counted by hand.
SIZES = (
    ("four", 5, 3),
    ("four", 5, 4),
    ("five", 6, 3),
    ("seven", 8, 3),
    ("nine", 10, 4),
    ("nine", 10, 5),
    ("ten", 11, 3),
    ("nineteen", 20, 3),
    ("twenty-nine", 30, 3),
)


def after(rng: np.random.Generator) -> Changes:
    """Other sentences, in which other shares follow the word."""
    word, other = rng.permutation(["files", "photos", "logs"])[:2]
    please, end = FOLLOWING[rng.integers(len(FOLLOWING))]
    lasts = [f"{word} please"] * please + [word] * end
    lasts += [f"{other} please"] * (5 - len(lasts))
    beginnings = rng.permutation(["show", "show my", "find", "find my", "my"])
    lines = [f"    {start} {last}\n" for start, last in zip(beginnings, lasts, strict=True)]
    return {
        "ask-after": [
            (SENTENCES, "".join(rng.permutation(lines))),
            ("typed *files*", f"typed *{word}*"),
        ],
        "after": [("[3 / 4, 1 / 4]", f"[{please} / {please + end}, {end} / {please + end}]")],
    }


def sizes(rng: np.random.Generator) -> Changes:
    """Another number of words, and another order."""
    words, symbols, order = SIZES[rng.integers(len(SIZES))]
    return {
        "ask-sizes": [
            ("are nine words", f"are {words} words"),
            ("for order 3", f"for order {order}"),
        ],
        "sizes": [
            (
                "(10, 10),\n    (10**3, 10)",
                f"({symbols}, {symbols}),\n    ({symbols}**{order}, {symbols})",
            ),
        ],
    }


def by_hand(rng: np.random.Generator) -> Changes:
    """Other powers of ½; their mean is a whole one again, but not the third."""

    def suits(powers) -> bool:
        return sum(powers) in (8, 16, 20) and len(set(powers)) > 2 and 4 * powers[3] != sum(powers)

    powers = draw_until(suits, lambda: rng.integers(1, 7, 4).tolist())
    first, second, third, end = (rf"$\tfrac1{{{2**power}}}$" for power in powers)
    return {
        "ask-by-hand": [
            ("$\\tfrac12$, $\\tfrac1{16}$ and\n$\\tfrac18$", f"{first}, {second} and\n{third}"),
            ("it gave\n$\\tfrac1{16}$", f"it gave\n{end}"),
        ],
        "by-hand": [("(1 + 4 + 3 + 4)", f"({' + '.join(map(str, powers))})")],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another faulty line, which loses counts."""
    at, becomes, harmless, sentences = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, '" <b> ".join', '" ".join', first=3)
    changes = another_listing(given, spoiled(CODE, at, becomes, first=3), "neighbors")
    first, second = sentences
    changes["part-debug"] = [
        (
            "With a single sentence it does what it\nshould. With more, some of its counts are "
            "wrong.",
            harmless,
        )
    ]
    changes["ask-faulty-line"].append(
        ('"show photos" and "find my files"', f'"{first}" and "{second}"')
    )
    changes["neighbors"].append(
        ('["show photos", "find my files"]', f'["{first}", "{second}"]'),
    )
    return changes


CODE = """\
    text = "<b> " + " <b> ".join(sentences) + " <b>"
    words = text.split()
    for word, after in zip(words, words[1:]):
        row = counts.setdefault(word, {})
        row[after] = row.get(after, 0) + 1
"""
FAULTS = (
    (
        "counts.setdefault(word, {})",
        "counts[word] = {}",
        "With a single sentence of\ndifferent words, it does what it should. With more sentences, "
        "some counts are missing.",
        ("show photos", "find my files"),
    ),
    (
        "row[after] = row.get(after, 0) + 1",
        "row.setdefault(after, 1)",
        "As long as no word\ncomes twice after the same one, it does what it should. Otherwise, "
        "some of its counts are wrong.",
        ("show my photos", "find my photos"),
    ),
)

VARIANTS = (after, sizes, by_hand, debug)
