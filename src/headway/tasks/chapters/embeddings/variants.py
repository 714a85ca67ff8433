"""Variants of assignment 06: other numbers in *predict*, another fault in *debug*."""

import numpy as np

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.listing import another_listing, spoiled
from headway.tasks.engine.variation import Changes

# "twice as many documents", "half as many".
TIMES = {2: ("twice", "Half"), 3: ("three times", "A third"), 4: ("four times", "A quarter")}
RIGHT_TRIANGLES = ((3, 4, 5), (5, 12, 13))


def weight(rng: np.random.Generator) -> Changes:
    """Another weight is given, and the words come other times in other numbers of documents."""
    given, count, more = draw_until(
        lambda drawn: drawn != (5, 3, 2),
        lambda: tuple(map(int, rng.integers((4, 3, 2), (9, 6, 5)))),
    )
    many, few = TIMES[more]
    return {
        "ask-weight": [
            (
                "*frost* 3 times, and *sleet* 3 times",
                f"*frost* {count} times, and *sleet* {count} times",
            ),
            ("is in twice as many", f"is in {many} as many"),
            ("it's 5.00.", f"it's {given}.00."),
        ],
        "weight": [
            (
                "Half as many documents: the quotient is twice as large, its logarithm larger by "
                "ln 2.",
                f"{few} as many documents: the quotient is {many} as large, its logarithm larger "
                f"by ln {more}.",
            ),
            ("5 + 3 * math.log(2)", f"{given} + {count} * math.log({more})"),
        ],
    }


def similarity(rng: np.random.Generator) -> Changes:
    """Other counts, whose rows have whole lengths again."""

    def draw():
        triangle = RIGHT_TRIANGLES[rng.integers(len(RIGHT_TRIANGLES))]
        *first, length = triangle
        return rng.permutation(first).tolist(), rng.permutation(first).tolist(), length

    first, second, length = draw_until(lambda drawn: drawn[:2] != ([3, 4], [3, 4]), draw)
    longer = int(rng.integers(2, 5))
    slept, the = (longer * count for count in second)
    return {
        "ask-similarity": [
            (
                "near *carried* 3 times and near *the* 4 times",
                f"near *carried* {first[0]} times and near *the* {first[1]} times",
            ),
            ("four times as long", f"{TIMES[longer][0]} as long"),
            (
                "near *slept* 12 times and near *the* 16 times",
                f"near *slept* {slept} times and near *the* {the} times",
            ),
        ],
        "similarity": [
            (
                "dot product 16 · 4, lengths 20 and 5.",
                f"dot product {the} · {first[1]}, lengths {longer * length} and {length}.",
            ),
            ("16 * 4 / (20 * 5)", f"{the} * {first[1]} / ({longer * length} * {length})"),
        ],
    }


def parameters(rng: np.random.Generator) -> Changes:
    """Another number of words, and wider or narrower rows."""
    words, width = 1_000 * rng.integers(2, 10), rng.choice([20, 30, 40, 60, 80, 100])
    return {
        "ask-parameters": [
            ("knows 6,000 words", f"knows {words:,} words"),
            ("a row of 50 numbers", f"a row of {width} numbers"),
        ],
        "parameters": [
            ("2 · 50 numbers", f"2 · {width} numbers"),
            ("[6_000 * 2 * 50, 2 * 50 - 1]", f"[{words:_} * 2 * {width}, 2 * {width} - 1]"),
        ],
    }


def debug(rng: np.random.Generator) -> Changes:
    """Another faulty line: signs of another axis, or a sign that misses its sigmoid."""
    at, becomes, symptom, question = FAULTS[rng.integers(len(FAULTS))]
    given = spoiled(CODE, "words != targets[:, None]", "~torch.isin(words, targets)", first=5)
    changes = another_listing(given, spoiled(CODE, at, becomes, first=5), "negatives")
    changes["part-debug"] = [(SYMPTOM, symptom)]
    changes["ask-faulty-line"].append(
        ("; `isin` says for each number of one tensor whether it is anywhere in the other", "")
    )
    changes["ask-negatives"] = [
        (
            "What should become of the second number, and which term of the loss takes care of it?",
            question,
        )
    ]
    return changes


SYMPTOM = (
    "With batches of 16 examples it learns good vectors.\nWith batches of 4,096 it looks even "
    "better at first: the loss falls below a hundredth of a nat within fifty steps. But the "
    "vectors are poor, and they stay poor. One line is the cause."
)
CODE = """\
    signs[:, 0] = 1
    kept = words != targets[:, None]
    kept[:, 0] = True
    terms = functional.logsigmoid(signs * scores)
"""
FAULTS = (
    (
        "signs[:, 0] = 1",
        "signs[0] = 1",
        "With a batch\nof a few hundred examples the loss falls as it should, to less than a tenth "
        "of a nat. But in the end a word scores as low with its true neighbors as with any other "
        "word. One line is the cause.",
        "What should become of the first number, and which term of the loss takes care of it?",
    ),
    (
        "functional.logsigmoid(signs * scores)",
        "signs * functional.logsigmoid(scores)",
        "Whatever\nthe batch, the loss falls below zero and goes on falling, and all scores fall "
        "with it. One line is the cause.",
        "How far down can the loss go, and what should become of the two scores on the way?",
    ),
)

VARIANTS = (weight, similarity, parameters, debug)
