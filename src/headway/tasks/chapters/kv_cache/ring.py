"""Stretch: a window kept in a ring of slots, with grouped heads and distances."""

import math

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    KEYS_AND_VALUES_SWAPPED,
    NEWEST_MISPLACED,
    OWN_TOKEN_UNSEEN,
    SOFTMAX_OVER_THE_WRONG_AXIS,
    WRONG_SCALE,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def ring_step(query, key, value, keys, values, read, slopes):
    """Mixed (B, H, D), and the keys and values (B, G, W, D) with the new token in its slot."""
    (H, D), (G, W) = query.shape[1:], keys.shape[1:3]
    slots, newest = torch.arange(W), read % W
    age = (read - slots) % W  # how many tokens ago each slot was filled
    seen = age <= read
    new_keys, new_values = keys.clone(), values.clone()
    new_keys[:, :, newest], new_values[:, :, newest] = key, value
    k, v = (part.repeat_interleave(H // G, 1) for part in (new_keys, new_values))
    scores = (k @ query[..., None])[..., 0] / math.sqrt(D) - slopes[:, None] * age  # (B, H, W)
    weights = scores.masked_fill(~seen, -torch.inf).softmax(-1).nan_to_num(0.0)
    return (weights[:, :, None] @ v)[:, :, 0], new_keys, new_values


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
        Case("slots still empty", *draw(2, 6, 2, 6, 3)),
        Case("the first token", *draw(2, 4, 2, 4, 0)),
        Case("the last empty slot", *draw(1, 4, 2, 5, 4)),
        Case("no distances", *draw(2, 4, 2, 4, n(9, 12), slopes=torch.zeros(4))),
        Case("a head for each query", *draw(1, 3, 3, 4, n(9, 12))),
        Case("one head for all queries", *draw(2, 4, 1, 3, n(7, 9))),
        Case("a window of one", *draw(2, 4, 2, 1, 6)),
    ]


AGE, SEEN, NEWEST = "(read - slots) % W", "seen = age <= read", "read % W"

(from_slot_0,) = changed(ring_step, AGE, "read - slots")
(from_slot_to_slot,) = changed(ring_step, AGE, "(read % W - slots).abs()")
(backwards,) = changed(ring_step, AGE, "(slots - read) % W")
slot_for_age, slot_from_the_end = changed(ring_step, AGE, "slots", "W - 1 - slots")
(added,) = changed(ring_step, AGE, "(read + slots) % W")

(always_last,) = changed(ring_step, NEWEST, "W - 1")
(aged_in_order,) = changed(always_last, AGE, "W - 1 - slots")
in_order = changed(
    aged_in_order, "keys.clone(), values.clone()", "keys.roll(-1, 2), values.roll(-1, 2)"
)

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
            changed(ring_step, "part.repeat_interleave(H // G, 1)", "part.repeat(1, H // G, 1, 1)"),
            "This is right only if all queries share one head, or none do. Which neighbors should "
            "share a head?",
        ),
        Misconception(
            "ages-of-slots-mistaken",
            any_of(
                changed(from_slot_0, SEEN, "seen = age >= 0"),
                changed(from_slot_to_slot, SEEN, "seen = slots <= read"),
                changed(backwards, SEEN, "seen = slots <= read"),
                backwards,
                added,
                changed(slot_for_age, SEEN, "seen = slots <= read"),
                changed(slot_from_the_end, SEEN, "seen = slots <= read"),
            ),
            "Your distances do not say how many tokens ago each slot was filled. When the ring "
            "has come round, which slot holds the oldest token, and which the newest?",
        ),
        Misconception(
            "filled-slots-miscounted",
            any_of(
                changed(
                    ring_step, SEEN, "seen = age >= 0", "seen = age < read", "seen = slots < read"
                ),
                changed(ring_step, "~seen, -torch.inf", "~seen, 0.0"),
            ),
            "Before the ring is full, you look at slots that hold no token of this text, or miss "
            "one that does. How many are filled once the new token is stored?",
        ),
        OWN_TOKEN_UNSEEN.by(changed(ring_step, "(new_keys, new_values)", "(keys, values)")),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(ring_step, "= key, value", "= value, key", "= key, key"),
            changed(ring_step, ", new_keys, new_values\n", ", new_values, new_keys\n"),
        ),
        CACHE_NOT_HANDED_ON.by(changed(ring_step, ", new_keys, new_values\n", ", keys, values\n")),
        NEWEST_MISPLACED.by(
            changed(
                ring_step,
                NEWEST,
                "min(read, W - 1)",
                "(read - 1) % W if read else 0",
                "(read + 1) % W",
            ),
            in_order,
        ),
        Misconception(
            "distance-not-penalized",
            changed(ring_step, " - slopes[:, None] * age", " + slopes[:, None] * age", ""),
            "In your scores a distant token has no lower score, or even a higher one. What should "
            "a distance do to a score?",
        ),
        WRONG_SCALE.by(
            changed(ring_step, " / math.sqrt(D)", "", " * math.sqrt(D)", " / D", " / math.sqrt(H)")
        ),
        SOFTMAX_OVER_THE_WRONG_AXIS.by(changed(ring_step, "softmax(-1)", "softmax(1)")),
    ),
    compare=CLOSE,
    alike=alike,
)
