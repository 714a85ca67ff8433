"""Stretch: linear attention whose past fades, read token by token with a state of one size."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.mistakes import (
    FUTURE_MISREAD,
    NOT_SHARED_OUT,
    RESULTS_MISPLACED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def feature(x):
    """What stands for e to the power of a score, cut in two: positive numbers."""
    return functional.elu(x) + 1


def recurrent(query, key, value, fade, state=None):
    """Linear attention over the tokens so far, and the state after the last of them."""
    B, H, T, D = query.shape
    if state is None:
        U, z = torch.zeros(B, H, D, value.shape[-1]), torch.zeros(B, H, D)
    else:
        U, z = state
    q, k = feature(query), feature(key)
    keep = fade[:, None]
    mixed = torch.empty(B, H, T, value.shape[-1])
    for t in range(T):
        U = keep[..., None] * U + k[:, :, t, :, None] * value[:, :, t, None, :]
        z = keep * z + k[:, :, t]
        total = (q[:, :, t] * z).sum(-1, keepdim=True)
        mixed[:, :, t] = (q[:, :, t, None] @ U).squeeze(-2) / total
    return mixed, U, z


def masked(query, key, value, fade):
    """The same from the beginning of a text, with a table of all pairs."""
    T = query.shape[2]
    apart = torch.arange(T)[:, None] - torch.arange(T)
    faded = fade[:, None, None] ** apart.clamp(min=0) * (apart >= 0)
    weights = feature(query) @ feature(key).mT * faded
    return weights / weights.sum(-1, keepdim=True) @ value


def cases(rng: np.random.Generator) -> list[Case]:
    def numbers(*shape):
        return torch.from_numpy(rng.normal(size=shape)).float()

    def text(B, H, T, D=3, E=4):
        fade = torch.from_numpy(rng.uniform(0.5, 0.95, H)).float()
        return numbers(B, H, T, D), numbers(B, H, T, D), numbers(B, H, T, E), fade

    def later(B, H, T, before, D=3, E=4):
        """Tokens after others, of which the state is all that is left."""
        query, key, value, fade = text(B, H, before + T, D, E)
        _, U, z = recurrent(query[:, :, :before], key[:, :, :before], value[:, :, :before], fade)
        new = (x[:, :, before:].clone() for x in (query, key, value))
        return *new, fade, (U, z)

    T = int(rng.integers(6, 10))
    query, key, value, _ = text(2, 3, 5)
    fades, sizes = {"path": "how it fades"}, {"path": "sizes"}
    *parts, _, state = later(2, 2, 3, 4)
    return [
        Case("a text from its beginning", *text(4, 2, T), core=True),
        Case("nothing fades", query, key, value, torch.ones(3), **fades),
        Case("all fades at once", *text(2, 2, 5)[:3], torch.zeros(2), **fades),
        Case("the next token", *later(2, 3, 1, 6)),
        Case("the next tokens", *later(2, 3, 4, 5)),
        Case("the next tokens of one text", *later(1, 1, 3, 4)),
        Case("the next tokens, and nothing fades", *parts, torch.ones(2), state),
        Case("as wide as long as many", *text(3, 3, 3, 3, 3), **sizes),
        Case("one token", *text(2, 2, 1), **sizes),
    ]


GROW, ADD = "keep[..., None] * U", "k[:, :, t, :, None] * value[:, :, t, None, :]"
Z, TOTAL = "z = keep * z + k[:, :, t]", "(q[:, :, t] * z).sum(-1, keepdim=True)"
READ, STATE = "(q[:, :, t, None] @ U).squeeze(-2) / total", "        U, z = state\n"
RETURN, Q = "return mixed, U, z", "q, k = feature(query), feature(key)"
FADED = "fade[:, None, None] ** apart.clamp(min=0) * (apart >= 0)"
U_LINE = f"U = {GROW} + {ADD}"


def other(*changes: tuple[str, str]) -> AnyOf:
    """Recurrences with other code in one place or several."""
    wrong = AnyOf([recurrent])
    for at, becomes in changes:
        wrong = changed(*wrong, at, becomes)
    return wrong


def by_table(at: str, *becomes: str):
    """Results from a table with other weights, beside the right state."""
    made = changed(masked, at, *becomes)

    def answer(one):
        def whole(query, key, value, fade, state=None):
            _, U, z = recurrent(query, key, value, fade, state)
            return one(query, key, value, fade), U, z

        return whole

    return any_of(*map(answer, made))


recurrent_task = Task(
    id="16-outlook/recurrent",
    title="Linear attention as a recurrence",
    kind="stretch",
    points=4,
    minutes=35,
    answer="recurrent",
    cases=cases,
    reference=recurrent,
    misconceptions=(
        Misconception(
            "fade-misplaced",
            any_of(
                other(
                    (U_LINE, f"U = keep[..., None] * (U + {ADD})"),
                    (Z, "z = keep * (z + k[:, :, t])"),
                ),
                other((U_LINE, f"U = keep[..., None] * (U + {ADD})")),
                other((Z, "z = keep * (z + k[:, :, t])")),
                by_table("apart.clamp(min=0)", "(apart.clamp(min=0) + 1)"),
                other((GROW, "U"), (Z, "z = z + k[:, :, t]")),
                other((GROW, "U")),
                other((Z, "z = z + k[:, :, t]")),
                by_table(FADED, "1.0 * (apart >= 0)"),
                other(
                    (U_LINE, f"U = U + keep[..., None] * {ADD}"),
                    (Z, "z = z + keep * k[:, :, t]"),
                ),
                other((ADD, f"(1 - keep[..., None]) * {ADD}")),
                other(
                    (ADD, f"(1 - keep[..., None]) * {ADD}"),
                    (Z, "z = keep * z + (1 - keep) * k[:, :, t]"),
                ),
                other(("fade[:, None]", "fade[0]")),
                other(("fade[:, None]", "fade.mean()")),
            ),
            "The past fades at another time than the formula says, or not at all, or in all heads "
            "alike. What is the weight of a token for itself, and for the one before?",
        ),
        Misconception(
            "another-feature",
            any_of(
                other((Q, "q, k = query, key")),
                other((Q, "q, k = feature(query), key")),
                other((Q, "q, k = query, feature(key)")),
                other((Q, "q, k = functional.relu(query) + 1e-9, functional.relu(key) + 1e-9")),
                other((Q, "q, k = query.exp(), key.exp()")),
                other((Q, "q, k = query.softmax(-1), key.softmax(-1)")),
                other((Q, "q, k = functional.elu(query), functional.elu(key)")),
                by_table(
                    "feature(query) @ feature(key).mT * faded",
                    "(query @ key.mT / query.shape[-1] ** 0.5).exp() * faded",
                    "(query @ key.mT).exp() * faded",
                ),
            ),
            "Queries or keys go into the weights by another function than the text's, or as they "
            "are. May a weight be negative, and for which weights is a state of one size enough?",
        ),
        NOT_SHARED_OUT.by(
            other((TOTAL, "torch.ones(1)")),
            other((TOTAL, "torch.tensor(float(t + 1))")),
            other((TOTAL, "z.sum(-1, keepdim=True)")),
            other((TOTAL, "q[:, :, t].sum(-1, keepdim=True)")),
        ),
        FUTURE_MISREAD.by(
            by_table("(apart >= 0)", "1"),
            by_table(FADED, "fade[:, None, None] ** apart.abs()"),
            by_table(
                "torch.arange(T)[:, None] - torch.arange(T)",
                "torch.arange(T) - torch.arange(T)[:, None]",
            ),
            other(
                (U_LINE, "pass"),
                (Z, "pass"),
                (READ, READ + f"; {U_LINE}; {Z}"),
                (TOTAL, TOTAL + " + 1e-9"),
            ),
            by_table("(apart >= 0)", "(apart > 0) + 1e-9 * (apart == 0)"),
        ),
        RESULTS_MISPLACED.by(
            other((RETURN, "return mixed")),
            other((RETURN, "return mixed, (U, z)")),
            other((RETURN, "return mixed, z, U")),
            other((RETURN, "return mixed, U.mT, z")),
            other((RETURN, "return mixed, U / z[..., None], z")),
            other((RETURN, "return mixed, U, z[..., None]")),
            other((RETURN, "return mixed, U, total")),
        ),
        Misconception(
            "state-begun-anew",
            any_of(
                other(
                    (
                        STATE,
                        "        U, z = torch.zeros_like(state[0]), torch.zeros_like(state[1])\n",
                    )
                ),
                other((STATE, "        U, z = state[0], torch.zeros_like(state[1])\n")),
                other((STATE, "        U, z = torch.zeros_like(state[0]), state[1]\n")),
                by_table("(apart >= 0)", "(apart >= 0) * 1"),
            ),
            "What came before is forgotten where a text goes on, or in one of the two parts of "
            "the state. Where does the first new token find it?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
    excused=("overflow",),  # the text bounds queries and keys
)
