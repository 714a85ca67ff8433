"""Stretch: weights by hand with which a gated feed-forward multiplies numbers of a token."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NAMES = ("W_gate", "W_up", "W_down")
FORM = Difference("three matrices of numbers are asked for: W_gate, W_up and W_down.")


def gated(width, terms):
    """Weights with which silu(x W_gate) · (x W_up) W_down has factor · x_i · x_j in column k.

    silu(a) − silu(−a) = a, so two hidden numbers make an exact product of a and b:
    silu(a) b + silu(−a) (−b) = a b.
    """
    hidden = 2 * len(terms)
    W_gate, W_up = torch.zeros(width, hidden), torch.zeros(width, hidden)
    W_down = torch.zeros(hidden, width)
    for place, (i, j, k, factor) in enumerate(terms):
        for unit, sign in ((2 * place, 1.0), (2 * place + 1, -1.0)):
            W_gate[i, unit] = sign
            W_up[j, unit] = sign
            W_down[unit, k] = factor
    return W_gate, W_up, W_down


def cases(rng: np.random.Generator) -> list[Case]:
    def some(width, count):
        """Different columns."""
        return [int(column) for column in rng.permutation(width)[:count]]

    def factor():
        return float(rng.choice([-1, 1]) * rng.uniform(0.5, 3))

    def case(label, width, terms, **kind):
        return Case(label, width, terms, truth=_tokens(rng, width), **kind)

    # Neither the first column nor a positive factor: they come out of some mistakes, too.
    i, j, k = draw_until(lambda columns: columns[2] > 0, lambda: some(5, 3))
    a, b, c, d = some(6, 4)
    p, q, r = some(4, 3)
    return [
        case("one product", 5, [(i, j, k, -abs(factor()))], core=True),
        case("a product as it is", 4, [(r, p, q, 1.0)]),
        case("two products in two columns", 6, [(a, b, c, factor()), (b, d, a, factor())]),
        case("two products in one column", 6, [(a, b, c, factor()), (b, d, c, factor())]),
        case("a square", 4, [(p, p, q, factor())], path="numbers that come twice"),
        case(
            "the difference of two squares, into a column that is read",
            *(4, [(p, p, q, 1.0), (q, q, q, -1.0)]),
            path="numbers that come twice",
        ),
        case("one number", 1, [(0, 0, 0, factor())], path="numbers that come twice"),
        case("nothing to multiply", 3, []),
    ]


def _tensors(got, width: int) -> list[torch.Tensor] | Difference:
    """The three matrices, if they fit."""
    try:
        W_gate, W_up, W_down = (torch.from_numpy(np.array(W, dtype=np.float64)) for W in got)
    except (TypeError, ValueError):
        return FORM
    if W_gate.ndim != 2 or len(W_gate) != width:
        return Difference(f"W_gate: the shape is {tuple(W_gate.shape)}, expected ({width}, M).")
    hidden = W_gate.shape[1]
    shapes = (width, hidden), (width, hidden), (hidden, width)
    for name, W, shape in zip(NAMES, (W_gate, W_up, W_down), shapes, strict=True):
        if tuple(W.shape) != shape:
            return Difference(f"{name}: the shape is {tuple(W.shape)}, expected {shape}.")
    return [W_gate, W_up, W_down]


def _tokens(rng: np.random.Generator, width: int) -> torch.Tensor:
    """Tokens with numbers of all sizes and signs: (T, C).

    Were they known, matrices could be fitted to them that multiply nothing else.
    """
    sizes = np.repeat([0.1, 1.0, 1.0, 3.0, 10.0], 4)[:, None]
    return torch.from_numpy(sizes * rng.standard_normal((20, width)))


def _outputs(weights, x: torch.Tensor) -> np.ndarray:
    W_gate, W_up, W_down = weights
    return ((functional.silu(x @ W_gate) * (x @ W_up)) @ W_down).numpy()


def multiplies(got, expected, case) -> Difference | None:
    """Whether the network gives what the right weights give; weights may differ that do."""
    width, _ = case.inputs
    mine = _tensors(got, width)
    if isinstance(mine, Difference):
        return mine
    one, other = _outputs(mine, case.truth), _outputs(_tensors(expected, width), case.truth)
    wrong = ~np.isclose(one, other, atol=1e-2, rtol=1e-3)
    if not wrong.any():
        return None
    token, column = np.argwhere(wrong)[0]
    numbers = ", ".join(f"{x:.3g}" for x in case.truth[token].tolist())
    return Difference(
        f"with these weights, the token [{numbers}] gets {one[token, column]:.4g} in column "
        f"{column}, expected {other[token, column]:.4g}.",
        one[token],
        other[token],
    )


UNITS = "((2 * place, 1.0), (2 * place + 1, -1.0))"

gated_task = Task(
    id="10-block/gated",
    title="A gated network that multiplies",
    kind="stretch",
    points=4,
    minutes=30,
    answer="multiplier",
    cases=cases,
    reference=gated,
    misconceptions=(
        Misconception(
            "silu-left-over",
            any_of(
                changed(gated, UNITS, "((2 * place, 1.0),)"),
                changed(*changed(gated, UNITS, "((2 * place, 1.0),)"), "factor\n", "2 * factor\n"),
                changed(gated, UNITS, "((2 * place, 1.0), (2 * place + 1, 1.0))"),
                changed(
                    *changed(gated, UNITS, "((2 * place, 1000.0),)"),
                    "W_up[j, unit] = sign",
                    "W_up[j, unit] = 0.001",
                ),
                changed(
                    *changed(gated, UNITS, "((2 * place, 1000.0),)"),
                    "W_up[j, unit] = sign\n            W_down[unit, k] = factor",
                    "W_up[j, unit] = 1.0\n            W_down[unit, k] = factor / 1000",
                ),
                changed(gated, "W_up[j, unit] = sign", "W_up[j, unit] = 1.0"),
                changed(gated, "W_gate[i, unit] = sign", "W_gate[i, unit] = 1.0"),
                changed(gated, "[unit, k] = factor", "[unit, k] = sign * factor"),
            ),
            "Your hidden numbers do not add up to a product for gates of both signs. Write each "
            "as a function of a and b: what is their sum?",
        ),
        Misconception(
            "products-overwritten",
            any_of(
                changed(gated, UNITS, "((0, 1.0), (1, -1.0))"),
                changed(gated, "enumerate(terms)", "enumerate(terms[-1:])", "enumerate(terms[:1])"),
            ),
            "This is right for one product. With more, only one is left, or they share hidden "
            "numbers: how many does each need for itself?",
        ),
        Misconception(
            "factor-miscounted",
            changed(
                gated,
                "= factor",
                "= 1.0",
                "= factor / 2",
                "= 2 * factor",
                "= factor**2",
                "= 0.5",
                "= abs(factor)",
                "= -factor",
            ),
            "Your products have another factor than asked. How often does it meet a product on "
            "its way, and with which sign?",
        ),
        Misconception(
            "columns-mixed-up",
            any_of(
                changed(
                    gated,
                    "(i, j, k, factor) in",
                    "(k, j, i, factor) in",
                    "(i, k, j, factor) in",
                ),
                changed(gated, "W_up[j, unit]", "W_up[i, unit]"),
                changed(gated, "W_gate[i, unit]", "W_gate[j, unit]"),
                changed(
                    gated,
                    "W_down[unit, k]",
                    *(f"W_down[unit{column}]" for column in (", place", ", i", ", j", "")),
                    "W_down[unit, : k + 1]",
                    "W_down[unit, k - 1]",
                    "W_down[unit, (k + 1) % width]",
                ),
                changed(gated, "W_up[j, unit] = sign", "W_gate[j, unit] = W_up[i, unit] = sign"),
            ),
            "Some of your numbers come from other columns than asked, or go into others. Which "
            "matrix reads the first number of a product, which the second, and which one writes?",
        ),
    ),
    compare=multiplies,
)
