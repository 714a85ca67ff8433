"""Variants of assignment 07: other numbers in *predict*, another fault in *debug*."""

from collections.abc import Sequence

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import Listing
from headway.tasks.engine.variation import Changes

Lines = Sequence[tuple[str, str]]  # of a function: code, comment

# Base, how many times slower each hand is than the one before, and places in units of π.
CLOCKS = ((8, 2, (2, 3, 4, 5, 6, 7)), (64, 4, (4, 8, 12, 20)))

# What becomes of sine and cosine of a hand that turns by so many quarters, and why.
TURNS = {
    1: (lambda sin, cos: (cos, -sin), "π/2", "sin(a + π/2) = cos a, and cos(a + π/2) = −sin a"),
    2: (lambda sin, cos: (-sin, -cos), "π", "sin(a + π) = −sin a, and cos(a + π) = −cos a"),
    3: (lambda sin, cos: (-cos, sin), "3π/2", "sin(a + 3π/2) = −cos a, and cos(a + 3π/2) = sin a"),
}
SPEEDS = {1: r"\pi/4", 2: r"\pi/2", 3: r"3\pi/4"}  # of which two places make such a turn

LATER = [-0.96, -0.28, 0.8, -0.6]  # the published numbers of `distance`


def wave(rng: np.random.Generator) -> Changes:
    """Another place, or hands that slow down faster, with simple angles again."""
    base, slower, places = CLOCKS[rng.integers(len(CLOCKS))]
    place = places[rng.integers(len(places))]
    angles = f"{place}π, {_angle(place, slower)}, {_angle(place, slower**2)}"
    return {
        "ask-wave": [
            ("a small base, 8,", f"a small base, {base},"),
            (r"$p = \pi$", rf"$p = {place}\pi$"),
        ],
        "wave": [
            (
                "Speeds 1, 1/2, 1/4; angles π, π/2, π/4.",
                f"Speeds 1, 1/{slower}, 1/{slower**2}; angles {angles}.",
            ),
            (
                "[0, -1, 1, 0, 0.71, 0.71]",
                f"[f({place} * math.pi / {slower}**i) for i in range(3) for f in (math.sin, "
                "math.cos)]",
            ),
        ],
    }


def _angle(numerator: int, denominator: int) -> str:
    common = int(np.gcd(numerator, denominator))
    over = "" if denominator == common else f"/{denominator // common}"
    return f"{'' if numerator == common else numerator // common}π{over}"


def distance(rng: np.random.Generator) -> Changes:
    """Other numbers and other speeds; the hands turn by quarters again."""

    def draw():
        hands = [rng.permutation([(0.6, 0.8), (0.28, 0.96)][i]) for i in rng.permutation(2)]
        signs = rng.choice([-1, 1], (2, 2))
        slow, fast = np.sort(rng.permutation([1, 2, 3])[:2]).tolist()
        return (signs * hands).tolist(), (fast, slow)

    def later(drawn) -> list[float]:
        return [x for hand, turn in zip(*drawn, strict=True) for x in TURNS[turn][0](*hand)]

    hands, turns = drawn = draw_until(lambda drawn: later(drawn) != LATER, draw)
    shown = r",\ ".join(str(number) for hand in hands for number in hand)
    (_, by, why), (_, by_slow, why_slow) = (TURNS[turn] for turn in turns)
    return {
        "ask-distance": [
            (r"(0.96,\ 0.28,\ 0.6,\ 0.8)", f"({shown})"),
            (r"\omega_0 = \pi/2", rf"\omega_0 = {SPEEDS[turns[0]]}"),
            (r"\omega_1 = \pi/4", rf"\omega_1 = {SPEEDS[turns[1]]}"),
        ],
        "distance": [
            (
                "The first hand turns by π: both of its numbers change sign. The second turns by "
                "π/2:\n    # sin(a + π/2) = cos a, and cos(a + π/2) = −sin a.\n",
                f"The first hand turns by {by}: {why}.\n"
                f"    # The second turns by {by_slow}: {why_slow}.\n",
            ),
            (str(LATER), str(later(drawn))),
        ],
    }


def parameters(rng: np.random.Generator) -> Changes:
    """Another width, and other lengths of texts."""
    width, words = rng.choice([16, 24, 32, 40, 64, 80]), rng.choice([10, 15, 25, 30])
    return {
        "ask-parameters": [
            ("$C = 48$", f"$C = {width}$"),
            ("at most 20 words", f"at most {words} words"),
        ],
        "parameters": [
            (
                "have 48² numbers each, b has 48; divided by 48 in a row",
                f"have {width}² numbers each, b has {width}; divided by {width} in a row",
            ),
            ("[2 * 48 + 1, 20 * 48]", f"[2 * {width} + 1, {words} * {width}]"),
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another fault: the words are in front, or padding is counted from the longest sentence."""
    return (_words_in_front, _padding_of_the_longest)[rng.integers(2)]()


def _words_in_front() -> Changes:
    return _spoiled(BY_COLUMN, 2, "words = column < lengths[:, None]")


def _padding_of_the_longest() -> Changes:
    changes = _spoiled(BY_POSITION, 1, "padding = lengths.max() - lengths")
    changes["part-debug"] = [
        (
            "tried it on three sentences of three words each, and all was well. But next to a "
            "longer sentence, a sentence comes out differently than by itself.",
            "tried it on batches in which the longest sentence fills all columns, and all was "
            "well. But where every sentence has padding in front, the positions are wrong.",
        )
    ]
    changes["ask-repair"] = [
        ("one, three and two words.", "one, three and two words in four columns.")
    ]
    changes["repair"].append(("torch.zeros(3, 3, 1)", "torch.zeros(3, 4, 1)"))
    return changes


def _spoiled(lines: Lines, at: int, wrong: str) -> Changes:
    """A function with a wrong line in the place of the published one."""
    right, comment = lines[at]
    before, after = lines[:at], lines[at + 1 :]
    listing = Listing(
        first=2,
        before=_code(before),
        right=_code([(right, comment)]),
        wrong=_code([(wrong, comment)]),
        after=_code(after),
        line=at + 2,
    )
    return {
        "ask-faulty-line": [(_listed(GIVEN), _listed([*before, (wrong, comment), *after]))],
        "faulty-line": [("    7\n", f"    {listing.line}\n")],
        "repair": [(f"{_code(GIVEN[:5])}{REGION}{_code(GIVEN[6:])}", listing.with_solution())],
    }


def _listed(lines: Lines) -> str:
    """Numbered lines, whose comments begin in one column."""
    width = max(len(code) for code, _ in lines)
    return "".join(
        f"{number:2d}      {code:{width}}   # {comment}\n"
        for number, (code, comment) in enumerate(lines, 2)
    )


def _code(lines: Lines) -> str:
    return "".join(f"    {code}  # {comment}\n" for code, comment in lines)


START = (
    ("B, T, C = x.shape", "T columns, padding included"),
    ("column = torch.arange(T)", "(T,)"),
    ("words = column >= T - lengths[:, None]", "(B, T), False in the padding"),
    ("rows = table[:T].expand(B, T, C)", "(B, T, C), row p of the table in column p"),
    ("added = torch.zeros_like(x)", "(B, T, C), nothing yet"),
)
END = (("return x + added", "(B, T, C)"),)
GIVEN = (
    *START,
    ("added[words] = rows[words]", "row 0 for a sentence's first word, row 1 for its second, …"),
    *END,
)
REGION = """\
    ### BEGIN SOLUTION
    # As many rows as the sentence has words, from row 0 on: those of its first columns.
    added[words] = rows[column < lengths[:, None]]  # row 0 for a sentence's first word, …
    ### GIVEN
    # added[words] = rows[words]  # row 0 for a sentence's first word, row 1 for its second, …
    ### END SOLUTION
"""
BY_COLUMN = (
    *START,
    (
        "added[words] = rows[column < lengths[:, None]]",
        "row 0 for a first word, row 1 for a second, …",
    ),
    *END,
)
BY_POSITION = (
    ("T = x.shape[1]", "columns, padding included"),
    ("padding = T - lengths", "(B,), how many columns of padding each sentence has"),
    ("column = torch.arange(T)", "(T,)"),
    ("place = column - padding[:, None]", "(B, T), 0 for a first word, below 0 in the padding"),
    ("added = table[place.clamp(min=0)]", "(B, T, C), row p of the table for place p"),
    ("added[place < 0] = 0", "(B, T, C), nothing for the padding"),
    *END,
)

VARIANTS = (wave, distance, parameters, debug)
