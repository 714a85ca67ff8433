"""Stretch: weights by hand, so that attention prefers what is near, and not what is long."""

import math

import numpy as np

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

WIDTH = 5  # a token: 1, x, y, x² + y², value
ONE, X, Y, SQUARE, VALUE = range(WIDTH)


def near_weights(sharpness):
    """W_Q, W_K (5, 3) and W_V (5, 1) that make weights proportional to exp(−sharpness · d²).

    d² = |q|² − 2 q·k + |k|². The first term is the same for all keys, so the softmax drops it.
    """
    return by_hand(sharpness)


def by_hand(sharpness, width=3, products=2.0, square=-1.0, bump=1.0, values=(VALUE,)):
    """The same with its numbers to choose; `width` is taken for the scale alone."""
    W_Q, W_K, W_V = np.zeros((WIDTH, 3)), np.zeros((WIDTH, 3)), np.zeros((WIDTH, len(values)))
    size = sharpness * bump * math.sqrt(width)
    W_Q[X, 0] = W_Q[Y, 1] = products * size
    W_Q[ONE, 2] = square * size
    W_K[X, 0] = W_K[Y, 1] = W_K[SQUARE, 2] = 1.0
    W_V[values, range(len(values))] = 1.0
    return W_Q, W_K, W_V


def tokens(points: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(N, 5): points (N, 2) with a one in front, the square of their length, and a value."""
    square = (points**2).sum(axis=1)
    return np.column_stack([np.ones(len(points)), points, square, values])


def near_cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, sharpness, core=False):
        points, asked = rng.normal(size=(7, 2)), rng.normal(size=(4, 2))
        asked += np.where(
            asked > 0, 0.3, -0.3
        )  # none at the origin, where every direction is alike
        memory = tokens(points, rng.normal(size=7) * 3)
        return Case(label, float(sharpness), truth=(tokens(asked, np.zeros(4)), memory), core=core)

    return [
        draw("sharpness 1", 1.0, core=True),
        draw("sharpness one half", 0.5, core=True),
        draw("another sharpness", round(rng.uniform(1.5, 3.0), 1)),
        draw("a very flat bump", 0.01),
        draw("a bump so sharp that the nearest takes it all", 400.0),
        draw("sharpness 0: all alike", 0.0),
    ]


def parts(value) -> list[np.ndarray] | None:
    """Three arrays of numbers, if that is what came."""
    try:
        found = [np.asarray(part, dtype=float) for part in value]
    except (TypeError, ValueError):
        return None
    return found if len(found) == 3 else None


def matrices(value) -> list[np.ndarray] | None:
    """Three matrices, if that is what came."""
    found = parts(value)
    return found if found and all(part.ndim == 2 for part in found) else None


def looked_up(value, case) -> tuple[np.ndarray, np.ndarray] | None:
    """Weights (4, 7) and what is mixed (4, E) by attention with these matrices, if they fit."""
    given = matrices(value)
    if given is None or any(len(part) != WIDTH for part in given):
        return None
    W_Q, W_K, W_V = given
    if W_Q.shape != W_K.shape or not W_Q.shape[1]:
        return None
    asked, memory = case.truth
    scores = (asked @ W_Q) @ (memory @ W_K).T / math.sqrt(W_Q.shape[1])
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights, weights @ (memory @ W_V)


def looks_near(got, expected, case) -> Difference | None:
    """Whether attention with these matrices weighs by distance; many matrices do."""
    given = parts(got)
    if given is None:
        return Difference("three matrices are asked for: W_Q, W_K and W_V.")
    for name, part in zip(("W_Q", "W_K", "W_V"), given, strict=True):
        if part.ndim != 2:
            return Difference(f"{name} is no matrix: its shape is {part.shape}.")
    mine, theirs = looked_up(got, case), looked_up(expected, case)
    if mine is None:
        shapes = ", ".join(str(part.shape) for part in given)
        return Difference(f"the shapes are {shapes}; expected (5, D), (5, D) and (5, 1).")
    if not np.allclose(mine[0], theirs[0], atol=1e-3):
        return Difference("the weights are not those expected.", mine[0], theirs[0])
    if mine[1].shape != theirs[1].shape:
        return Difference(f"the mixture has the shape {mine[1].shape}, expected {theirs[1].shape}.")
    if not np.allclose(mine[1], theirs[1], atol=1e-2):
        return Difference("the weights are right, the mixture is not.", mine[1], theirs[1])
    return None


def alike(got, expected, case) -> Difference | None:
    """Whether two triples of matrices look up the same."""
    mine, theirs = looked_up(got, case), looked_up(expected, case)
    if mine is None or theirs is None:
        one, other = matrices(got), matrices(expected)
        same = one and other and [p.shape for p in one] == [p.shape for p in other]
        return None if same and mine is theirs else Difference("the shapes differ.")
    agree = all(
        a.shape == b.shape and np.allclose(a, b, atol=1e-4)
        for a, b in zip(mine, theirs, strict=True)
    )
    return None if agree else Difference("they look up other values.")


near = Task(
    id="08-attention/near",
    title="Weights by hand: prefer what is near",
    kind="stretch",
    points=4,
    minutes=25,
    answer="near_weights",
    cases=near_cases,
    reference=near_weights,
    misconceptions=(
        Misconception(
            "scale-forgotten",
            lambda sharpness: by_hand(sharpness, width=1),
            "Your bump is too flat: attention divides your scores once more. By what, at the width "
            "that you chose?",
        ),
        Misconception(
            "scale-the-wrong-way",
            lambda sharpness: by_hand(sharpness, width=1 / 3),
            "Your bump is far too flat. Attention divides your scores, and you divide them as "
            "well. What undoes a division?",
        ),
        Misconception(
            "scale-without-root",
            lambda sharpness: by_hand(sharpness, width=9),
            "Your bump is too sharp. Attention divides by a square root; by what did you multiply?",
        ),
        Misconception(
            "scale-of-the-token",
            lambda sharpness: by_hand(sharpness, width=WIDTH),
            "Your bump is a little too sharp. Which width does attention divide by, that of a "
            "token or that of your queries?",
        ),
        Misconception(
            "length-of-the-key-forgotten",
            lambda sharpness: by_hand(sharpness, square=0.0),
            "To the softmax your scores are dot products alone, which prefer points far from the "
            "origin: a term that only the question has drops out. Write out the squared distance: "
            "which term, besides the product, differs from key to key?",
        ),
        Misconception(
            "two-forgotten",
            lambda sharpness: by_hand(sharpness, products=1.0),
            "Your points are drawn towards the origin: the product counts half. What is the "
            "middle term of a square?",
        ),
        Misconception(
            "sign-of-the-square",
            lambda sharpness: by_hand(sharpness, square=1.0),
            "Points far from the origin gain twice. With which sign does the length of the key "
            "enter minus the squared distance?",
        ),
        Misconception(
            "prefers-the-far",
            lambda sharpness: by_hand(sharpness, bump=-1.0),
            "The farthest point wins. Should a score grow or fall with the distance?",
        ),
        Misconception(
            "half",
            lambda sharpness: by_hand(sharpness, bump=0.5),
            "Your bump is too flat by one half. Is there a ½ in the exponent that is asked for?",
        ),
        Misconception(
            "sharpness-squared",
            lambda sharpness: by_hand(sharpness * sharpness),
            "Right at sharpness 1. Into how many of the matrices did you put the sharpness, and "
            "what does the product make of that?",
        ),
        Misconception(
            "sharpness-under-the-root",
            lambda sharpness: by_hand(math.sqrt(sharpness)),
            "Right at sharpness 1. You take the root of the sharpness: in how many of the matrices "
            "does it stand?",
        ),
        Misconception(
            "sharpness-inverted",
            lambda sharpness: by_hand(1 / sharpness),
            "Right at sharpness 1. Your bump gets flatter where it should get sharper, and at 0 "
            "something breaks. Do you divide by the sharpness?",
        ),
        Misconception(
            "sharpness-ignored",
            lambda sharpness: by_hand(1.0),
            "Right at sharpness 1, and the same at every other. Which matrix should grow with it?",
        ),
        Misconception(
            "sharpness-at-the-products-only",
            lambda sharpness: by_hand(1.0, products=2 * sharpness),
            "Right at sharpness 1. At others the product and the length of the key are out of "
            "balance: which of them knows the sharpness?",
        ),
        Misconception(
            "whole-token-for-value",
            lambda sharpness: by_hand(sharpness, values=range(WIDTH)),
            "Your weights are right, and you hand out whole tokens. Which number of a token is "
            "asked for?",
        ),
        Misconception(
            "square-for-value",
            lambda sharpness: by_hand(sharpness, values=(SQUARE,)),
            "Your weights are right, and you hand out x² + y². Which number of a token was "
            "measured?",
        ),
        Misconception(
            "matrices-transposed",
            lambda sharpness: tuple(W.T for W in by_hand(sharpness)),
            "Your matrices have a column for each number of a token. Which axis meets the token?",
        ),
    ),
    compare=looks_near,
    alike=alike,
)
