"""Stretch: a window kept in a ring of slots, with grouped heads and distances."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def ring_step(query, key, value, keys, values, read, slopes):
    """Mixed (B, H, D), and the keys and values (B, G, W, D) with the new token in its slot."""
    return step(query, key, value, keys, values, read, slopes)


def ages_in_a_ring(read, W):
    """How many tokens ago each slot was filled, int64 (W,)."""
    return (read - torch.arange(W)) % W


def interleaved(part, H):
    return part.repeat_interleave(H // part.shape[1], 1)


def step(
    query,
    key,
    value,
    keys,
    values,
    read,
    slopes,
    slot=lambda read, W: read % W,
    ages=ages_in_a_ring,
    seen=lambda ages, read, W: ages <= read,
    shared=interleaved,
    sign=-1,
    scale=0.5,
    look_first=False,
):
    """Slot, ages, what is seen, which heads are shared … can be wrong."""
    (H, D), W = query.shape[1:], keys.shape[2]
    old = keys, values
    keys, values = stored(keys, key, slot(read, W)), stored(values, value, slot(read, W))
    met = old if look_first else (keys, values)
    age = ages(read, W)
    scores = (shared(met[0], H) @ query[..., None])[..., 0] / D**scale  # (B, H, W)
    scores = scores + sign * slopes[:, None] * age
    scores = scores.masked_fill(~seen(age, read, W), -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)[:, :, None]
    return (weights @ shared(met[1], H))[:, :, 0], keys, values


def stored(slots, new, place):
    slots = slots.clone()
    slots[:, :, place] = new
    return slots


def ring_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, G, W, read, D=4, slopes=None):
        query = draw_tensor(rng, B, H, D)
        new, slots = (B, G, D), (B, G, W, D)
        parts = [draw_tensor(rng, *shape) for shape in (new, new, slots, slots)]
        if slopes is None:
            slopes = torch.from_numpy(np.round(0.1 + 0.4 * rng.random(H), 2)).float()
        return query, *parts, read, slopes

    def n(low, high):
        return int(rng.integers(low, high))

    return [
        Case("a ring that is just full", *draw(1, 4, 2, 5, 5), core=True),
        Case("the third time round", *draw(2, 4, 2, 5, 10 + n(1, 4)), core=True),
        Case("slots still empty", *draw(2, 6, 2, 6, 3), core=True),
        Case("the first token", *draw(2, 4, 2, 4, 0)),
        Case("the last empty slot", *draw(1, 4, 2, 5, 4)),
        Case("no distances", *draw(2, 4, 2, 4, n(9, 12), slopes=torch.zeros(4))),
        Case("a head for each query", *draw(1, 3, 3, 4, n(9, 12))),
        Case("one head for all queries", *draw(2, 4, 1, 3, n(7, 9))),
        Case("a window of one", *draw(2, 4, 2, 1, 6)),
    ]


def _step(**changes):
    return lambda *args: step(*args, **changes)


def _rolled(query, key, value, keys, values, read, slopes):
    """Keeps the order of positions: everything moves one slot, the newest stands last."""
    keys = torch.cat([keys[:, :, 1:], key[:, :, None]], 2)
    values = torch.cat([values[:, :, 1:], value[:, :, None]], 2)
    mixed = step(
        query,
        key,
        value,
        keys,
        values,
        read,
        slopes,
        slot=lambda read, W: W - 1,
        ages=lambda read, W: W - 1 - torch.arange(W),
    )[0]
    return mixed, keys, values


ring_task = Task(
    id="15-kv-cache/ring",
    title="A window in a ring",
    kind="stretch",
    points=4,
    minutes=30,
    answer="ring_step",
    cases=ring_cases,
    reference=ring_step,
    misconceptions=(
        Misconception(
            "heads-tiled",
            _step(shared=lambda part, H: part.repeat(1, H // part.shape[1], 1, 1)),
            "Right where all queries share one head, or none do. Otherwise neighboring queries "
            "meet different keys. Which queries share a head?",
        ),
        Misconception(
            "slots-taken-for-positions",
            _step(ages=lambda read, W: read - torch.arange(W), seen=lambda a, r, W: a >= 0),
            "Your distances are those of a text that never came round: slot 0 holds token 0. "
            "Which token stands in slot 0 by now?",
        ),
        Misconception(
            "distance-between-slots",
            _step(
                ages=lambda read, W: (read % W - torch.arange(W)).abs(),
                seen=lambda a, read, W: torch.arange(W) <= read,
            ),
            "You count from slot to slot, as if the ring were a row. How long ago was the slot "
            "behind the newest one filled?",
        ),
        Misconception(
            "ring-read-backwards",
            _step(
                ages=lambda read, W: (torch.arange(W) - read) % W,
                seen=lambda a, read, W: torch.arange(W) <= read,
            ),
            "The slot behind the newest counts as one token ago. It is the oldest. Which way round "
            "was the ring filled?",
        ),
        Misconception(
            "ring-read-backwards-and-masked-so",
            _step(ages=lambda read, W: (torch.arange(W) - read) % W),
            "The slot behind the newest counts as one token ago, and by such ages you hide slots "
            "too. That slot is the oldest. Which way round was the ring filled?",
        ),
        Misconception(
            "empty-slots-visible",
            _step(seen=lambda ages, read, W: ages >= 0),
            "Right once the ring is full. Before that you look at what another text left behind. "
            "How many slots hold a token of this one?",
        ),
        Misconception(
            "oldest-hidden-until-full",
            _step(seen=lambda ages, read, W: ages < read),
            "Right once the ring is full. Before that the oldest token is hidden. How many tokens "
            "are there, the new one included?",
        ),
        Misconception(
            "newest-hidden-until-full",
            _step(seen=lambda ages, read, W: torch.arange(W) < read),
            "Right once the ring is full. Before that the new token does not see itself. How many "
            "slots are filled after it is stored?",
        ),
        Misconception(
            "newest-dropped",
            _step(look_first=True),
            "You look before you store: the new token does not see itself, and still sees the one "
            "that leaves the window. Which comes first?",
        ),
        Misconception(
            "window-full-and-closed",
            _step(slot=lambda read, W: min(read, W - 1)),
            "Right for the first time round. Then every new token goes to the last slot, and the "
            "others never change. Which token may be forgotten?",
        ),
        Misconception(
            "oldest-slot-missed-by-one",
            _step(slot=lambda read, W: (read - 1) % W if read else 0),
            "Each token goes one slot too far to the left, and takes the place of the newest one "
            "before it. If the first token goes to slot 0, where does the second go?",
        ),
        Misconception(
            "one-slot-too-far",
            _step(slot=lambda read, W: (read + 1) % W),
            "Each token goes one slot too far to the right. If the first token goes to slot 0, "
            "where does the second go?",
        ),
        Misconception(
            "kept-in-order",
            _rolled,
            "You move all slots by one to keep them in order. What does attention care about: in "
            "which order keys stand, or how old they are?",
        ),
        Misconception(
            "slope-added",
            _step(sign=1),
            "Your old tokens have the higher scores. Should distance help or hurt?",
        ),
        Misconception(
            "distances-ignored",
            _step(sign=0),
            "Right where the slopes are zero. Where do the distances go?",
        ),
        Misconception(
            "scale-missing",
            _step(scale=0),
            "Your weights are too sharp. What happens to the products before the distances come "
            "in?",
        ),
    ),
    compare=CLOSE,
    alike=alike,
)
