"""Debug: a step whose position restarts at zero."""

import numpy as np
import torch

from headway.nn.attention import attend
from headway.nn.position import frequencies
from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, past
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def rotate(x, positions):
    """Pairs (i, i + D/2) of x (B, T, D) turned by position · frequency."""
    angles = positions[:, None].float() * frequencies(x.shape[-1])
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


def restarts(x, keys, values, W_q, W_k, W_v):
    """The faulty function that the notebook hands out."""
    return read_tokens(x, keys, values, W_q, W_k, W_v, lambda T, S: torch.arange(T))


def read(x, keys, values, W_q, W_k, W_v):
    """The same with positions that go on."""
    return read_tokens(x, keys, values, W_q, W_k, W_v)


def goes_on(T, S):
    return S + torch.arange(T)


def read_tokens(
    x, keys, values, W_q, W_k, W_v, asking=goes_on, asked=None, again=None, value_places=None
):
    """Positions of queries and keys can be wrong; `again` turns the whole cache once more."""
    T, S = x.shape[1], keys.shape[1]
    query = rotate(x @ W_q, asking(T, S))
    key, value = x @ W_k, x @ W_v
    if asked is not False:
        key = rotate(key, (asked or asking)(T, S))
    if value_places is not None:
        value = rotate(value, value_places(T, S))
    keys, values = torch.cat([keys, key], 1), torch.cat([values, value], 1)
    if again is not None:
        keys = rotate(keys, again(T, S))
    return attend(query, keys, values, past(T, S + T))[0], keys, values


def rotary_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, C=5, D=6):
        x = draw_tensor(rng, B, T, C)
        held = draw_tensor(rng, B, S, D), draw_tensor(rng, B, S, D)
        return x, *held, *(draw_tensor(rng, C, D) for _ in "qkv")

    return [
        Case("a step", *draw(1, 1, 4), core=True),
        Case("a step of a batch", *draw(3, 1, 7), core=True),
        Case("some tokens after others", *draw(2, 3, 4)),
        Case("as many new tokens as are held", *draw(2, 3, 3)),
        Case("a prompt", *draw(2, 5, 0)),
        Case("a first token", *draw(1, 1, 0)),
        Case("far into a text", *draw(1, 2, 60)),
    ]


def _read(**changes):
    return lambda *args: read_tokens(*args, **changes)


def _all_positions(T, S):
    return torch.arange(S + T)


rotary = Task(
    id="15-kv-cache/restart",
    title="Repair it",
    kind="debug",
    points=2,
    minutes=12,
    answer="read",
    cases=rotary_cases,
    reference=read,
    given=restarts,
    misconceptions=(
        Misconception(
            "queries-only-moved",
            _read(asked=lambda T, S: torch.arange(T)),
            "Your queries stand where they should, and the new keys still begin at 0. What "
            "distance does a query see to its own key?",
        ),
        Misconception(
            "keys-only-moved",
            _read(asking=lambda T, S: torch.arange(T), asked=goes_on),
            "Your new keys stand where they should, and the queries still begin at 0. What "
            "distance does a query see to its own key?",
        ),
        Misconception(
            "one-too-far",
            _read(asking=lambda T, S: S + 1 + torch.arange(T)),
            "Your new tokens stand one place too far. If S tokens are held, at which position is "
            "the last of them?",
        ),
        Misconception(
            "one-short",
            _read(asking=lambda T, S: max(S - 1, 0) + torch.arange(T)),
            "Your first new token has the position of the last one that is held. Which positions "
            "are taken?",
        ),
        Misconception(
            "same-position-for-all",
            _read(asking=lambda T, S: torch.full((T,), S)),
            "Right for one new token. Several of them all get the position of the first. How far "
            "is each from the next?",
        ),
        Misconception(
            "counted-from-the-end",
            _read(asking=lambda T, S: torch.full((T,), S + T - 1)),
            "Right for one new token. Several of them all get the position of the last. How far "
            "is each from the next?",
        ),
        Misconception(
            "turned-twice",
            _read(asked=False, again=_all_positions),
            "Right for a prompt. Otherwise the keys that were held are turned once more with each "
            "step. When was an old key turned for the first time?",
        ),
        Misconception(
            "new-keys-turned-twice",
            _read(again=_all_positions),
            "All keys are turned after they have been put together, the new ones for the second "
            "time. How often does a key need its position?",
        ),
        Misconception(
            "new-keys-not-turned",
            _read(asked=False),
            "Your new keys carry no position. Whose distance to them can a query see?",
        ),
        Misconception(
            "values-turned-too",
            _read(value_places=goes_on),
            "Your scores are right, and the values are turned as well. What does a mixture of "
            "turned values mean?",
        ),
    ),
    compare=CLOSE,
)
