"""Stretch: linear attention whose past fades, read token by token with a state of one size."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.mistakes import (
    EQUAL_NUMBERS,
    FUTURE_MISREAD,
    NOT_SHARED_OUT,
    ONLY_ONE,
    RESULTS_MISPLACED,
    SMALL_NUMBERS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.task import Case, Task

SMALL = "very negative queries and keys"


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
    query, key, value, fade = text(2, 3, 5)
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
        Case(SMALL, query[:, :, :3] / 8 - 4.5, key[:, :, :3] / 8 - 4.5, value[:, :, :3], fade),
    ]


TOTAL = "(q[:, :, t] * z).sum(-1, keepdim=True)"
FADED = "fade[:, None, None] ** apart.clamp(min=0) * (apart >= 0)"


def by_table(at: str, *becomes: str):
    """Results from a table with other weights, beside the right state."""
    made = changed(masked, at, *becomes)

    def answer(one):
        def whole(query, key, value, fade, state=None):
            _, U, z = recurrent(query, key, value, fade, state)
            return one(query, key, value, fade), U, z

        return whole

    return any_of(*map(answer, made))


OTHER_FEATURES = (
    lambda x: x,
    lambda x: x.relu(),
    lambda x: x.exp(),
    lambda x: x.softmax(-1),
    lambda x: x.sigmoid(),
    lambda x: x**2,
    functional.elu,
    functional.softplus,
    lambda x: functional.elu(x + 1),
    lambda x: x.relu() + 1,
)


def sums(case, of=feature, weigh=lambda fade, later: fade**later):
    """U and z after the last token: of(k) by the fade and how many tokens come later.

    They come twice, since a state may fade with its tokens or as the text says.
    """
    _, key, value, fade, *state = case.inputs
    T, by = key.shape[2], fade[:, None]
    weights = weigh(by, torch.arange(T - 1, -1, -1)).broadcast_to(len(fade), T)
    parts = (of(key) * weights[..., None]).mT @ value, (of(key) * weights[..., None]).sum(2)
    for old in (weigh(by, torch.tensor([T])).broadcast_to(by.shape), by**T):
        U, z = state[0] if state else (torch.zeros_like(part) for part in parts)
        yield parts[0] + old[..., None] * U, parts[1] + old * z


def near(one, other) -> bool:
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=1e-3, atol=1e-4)


def right(*parts: bool):
    """A predicate: whether the results, U and z are right."""
    return lambda got, expected, case: tuple(map(near, got, expected)) == parts


def _another_feature(got, expected, case) -> bool:
    """Whether z is a sum of other features, or the queries meet the right state with others."""
    mixed, U, z = got
    if not near(z, expected[2]):
        return any(near(z, one) for of in OTHER_FEATURES for _, one in sums(case, of))
    if not near(U, expected[1]):
        return False
    last = (of(case.inputs[0][:, :, -1]) for of in OTHER_FEATURES)
    upper, lower = torch.from_numpy(U), torch.from_numpy(z)
    return any(
        near(mixed[:, :, -1], (q[..., None, :] @ upper)[..., 0, :] / (q * lower).sum(-1, True))
        for q in last
    )


def _faded_otherwise(got, expected, case) -> bool:
    """Whether the parts of the state are right but for how often they fade, if at all."""
    others = (
        lambda fade, later: fade ** (later + 1),
        lambda fade, later: fade**0,
        lambda fade, later: fade ** later.flip(0),
        lambda fade, later: (1 - fade) * fade**later,
        lambda fade, later: fade**0 * fade.mean() ** later,
        lambda fade, later: fade**0 * fade[0] ** later,
        lambda fade, later: torch.where(later == 0, 1, fade),
    )
    _, U, z = got
    by = case.inputs[3].numpy()[:, None]
    faded = [(by[..., None] * expected[1], by * expected[2])]
    faded += [pair for weigh in others for pair in sums(case, weigh=weigh)]
    wrong = [not near(part, one) for part, one in zip((U, z), expected[1:], strict=True)]
    return any(
        (wrong[0] and near(U, upper)) or (wrong[1] and near(z, lower)) for upper, lower in faded
    )


def _shared_out(got, expected, case) -> bool:
    """Whether the results are those asked for but for a factor of each token."""
    mixed, right = got[0], expected[0]
    by = (mixed * right).sum(-1, keepdims=True) / (right * right).sum(-1, keepdims=True)
    return near(mixed, by * right) and not near(mixed, right)


def _rearranged(got, expected, case) -> bool:
    """Whether right numbers are given in another order or form, or not all of them."""
    mine, right = ([np.sort(part, None) for part in _parts(parts)] for parts in (got, expected))
    known = [any(near(part, one) for one in right) for part in mine]
    return all(known) and (len(got) != 3 or not all(map(near, got, expected)))


def _parts(value) -> list[np.ndarray]:
    return [part for item in value for part in _parts(item)] if isinstance(value, list) else [value]


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
        RESULTS_MISPLACED.by(
            changed(recurrent, "return mixed, U, z", "return mixed"), shows=_rearranged
        ),
        seen(
            "fades-between-only",
            "This goes wrong where a fade is 0 or 1. What do you divide by, or raise to a power, "
            "there?",
            only_at=("nothing fades", "all fades at once"),
        ),
        Misconception(
            "text-goes-on",
            by_table("(apart >= 0)", "(apart >= 0) * 1"),
            "This goes wrong where a text goes on. Where does the first new token find what came "
            "before, and how often has that faded by then?",
            only_at=(
                "the next token",
                "the next tokens",
                "the next tokens of one text",
                "the next tokens, and nothing fades",
            ),
        ),
        Misconception(
            "fade-misplaced",
            any_of(
                by_table("apart.clamp(min=0)", "(apart.clamp(min=0) + 1)"),
                by_table(FADED, "1.0 * (apart >= 0)"),
            ),
            "A token fades at another time than the formula says, or not at all, or in all heads "
            "alike. What is its weight for itself, and for the one after it?",
            shows=_faded_otherwise,
        ),
        Misconception(
            "another-feature",
            by_table("feature(query) @ feature(key).mT * faded", "(query @ key.mT).exp() * faded"),
            "Queries or keys go into the weights by another function than the text's, or as they "
            "are. May a weight be negative, and for which weights is a state of one size enough?",
            shows=_another_feature,
        ),
        NOT_SHARED_OUT.by(changed(recurrent, TOTAL, "torch.ones(1)"), shows=_shared_out),
        FUTURE_MISREAD.by(
            by_table("(apart >= 0)", "1"),
            by_table(
                "torch.arange(T)[:, None] - torch.arange(T)",
                "torch.arange(T) - torch.arange(T)[:, None]",
            ),
            by_table("(apart >= 0)", "(apart > 0) + 1e-9 * (apart == 0)"),
        ),
        seen(
            "state-alone-wrong",
            "Your results are right, and the state that you return is not. What does the next "
            "token need of the past, and how often has that faded by then?",
            lambda got, expected, case: (
                near(got[0], expected[0]) and not all(map(near, got[1:], expected[1:]))
            ),
        ),
        seen(
            "results-alone-wrong",
            "The state that you return is right, and the results are not. How does a token's query "
            "meet U and z, and which of the tokens are in them by then?",
            right(False, True, True),
        ),
        seen(
            "sum-of-values-wrong",
            "Your z is right and U is not. What does a token add to U, along which axes, and what "
            "happens before to what is there?",
            right(False, False, True),
        ),
        seen(
            "sum-of-keys-wrong",
            "Not even z is right. Work it out for two tokens: what does each of them add, and what "
            "happens before to what is there?",
            lambda got, expected, case: not near(got[2], expected[2]),
        ),
        ONLY_ONE.by(only_at=("one token",)),
        SMALL_NUMBERS.by(changed(recurrent, TOTAL, f"({TOTAL} + 1e-6)"), only_at=(SMALL,)),
        EQUAL_NUMBERS.by(only_at=("as wide as long as many",)),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
    excused=("overflow",),  # the text bounds queries and keys
)
