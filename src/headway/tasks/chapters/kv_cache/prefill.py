"""Build the reading of a prompt in pieces, none of which is too large."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor, look, past
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    CAUSAL_MASK_MISPLACED,
    HELD_TOKENS_UNSEEN,
    KEYS_AND_VALUES_SWAPPED,
    OWN_TOKEN_UNSEEN,
    PIECES_MISJUDGED,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def prefill(query, key, value, keys, values, chunk):
    """Mixed (B, H, T, D), and for each piece how many queries met how many keys."""
    mixed, sizes = [], []
    for q, k, v in zip(*(part.split(chunk, 2) for part in (query, key, value)), strict=True):
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        T, S = q.shape[2], keys.shape[2]
        mixed.append(look(q, keys, values, past(T, S)))
        sizes.append((T, S))
    return torch.cat(mixed, 2), sizes


def prefill_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, T, S, chunk, D=4):
        new, old = (B, H, T, D), (B, H, S, D)
        return *(draw_tensor(rng, *s) for s in (new, new, new, old, old)), chunk

    return [
        Case("tokens held before", *draw(2, 1, 6, 4, 3), core=True),
        Case(
            "a last piece that nobody may read before its turn",
            *unreadable_at_the_end(*draw(2, 2, 6, 2, 3)),
            core=True,
            compare=CLOSE,
        ),
        Case("two pieces, nothing held", *draw(1, 2, 6, 0, 3)),
        Case("a last piece that is shorter", *draw(2, 2, 8, 0, 3)),
        Case("a piece longer than the prompt", *draw(1, 2, 4, 2, 9)),
        Case("a piece as long as the prompt", *draw(2, 2, 5, 0, 5)),
        Case("one token at a time", *draw(1, 2, 4, 1, 1)),
        Case("a prompt of one token", *draw(2, 2, 1, 3, 4)),
        Case("longer pieces than what is held", *draw(2, 2, 11, 2, 5)),
    ]


def unreadable_at_the_end(query, key, value, keys, values, chunk):
    """The last piece is NaN: who meets its keys or values, even with a weight of 0, gets NaN.

    The queries of the piece itself must: a NaN that is cleaned away was met before its turn.
    """
    key[:, :, -chunk:], value[:, :, -chunk:] = torch.nan, torch.nan
    return query, key, value, keys, values, chunk


HELD = "(sizes[0][1] - sizes[0][0] if sizes else S - T)"  # before the prompt


def one_pass(query, key, value, keys, values, chunk):
    """The whole table of scores, most of it hidden; what was met is only worked out."""
    _, sizes = prefill(query, key, value, keys, values, chunk)
    return prefill(query, key, value, keys, values, query.shape[2])[0], sizes


def one_clean_pass(query, key, value, keys, values, chunk):
    """The same, and what is no number is made one first."""
    return one_pass(query, key.nan_to_num(), value.nan_to_num(), keys, values, chunk)


prefill_task = Task(
    id="15-kv-cache/prefill",
    title="A prompt in pieces",
    kind="build",
    points=2,
    minutes=22,
    answer="prefill",
    cases=prefill_cases,
    reference=prefill,
    misconceptions=(
        CAUSAL_MASK_MISPLACED.by(
            changed(
                prefill,
                "past(T, S)",
                "past(T, S, 0)",
                "past(T, S, sum(queries for queries, _ in sizes))",  # not what was held before
                f"past(T, S, {HELD})",  # that alone
                "past(T, S, T)",
                "past(T, S, S - chunk)",
                "torch.cat([past(T, T), torch.ones(T, S - T).bool()], 1)",
                f"past(T, S, {HELD}) | (torch.arange(S) >= {HELD} + T)",
                "None",
                "past(T, S, S - T + 1)",
            )
        ),
        OWN_TOKEN_UNSEEN.by(
            changed(prefill, "past(T, S)", "past(T, S, S - T - 1)", "past(T, S, max(S - T - 1, 0))")
        ),
        KEYS_AND_VALUES_SWAPPED.by(
            changed(prefill, "look(q, keys, values", "look(q, values, keys"),
            changed(prefill, "(query, key, value)", "(query, value, key)"),
        ),
        PIECES_MISJUDGED.by(
            changed(
                prefill,
                "part.split(chunk, 2)",
                "part.split(part.shape[2], 2)",
                "part.split(1, 2)",
                "part.chunk(chunk, 2)",
                "part.split(chunk, 2)[: part.shape[2] // chunk]",
            ),
            changed(
                prefill,
                "sizes.append((T, S))",
                "sizes.append((T, T))",
                "sizes.append((T, S - T))",
                "sizes.append((T, T + sum(queries for queries, _ in sizes)))",
                "sizes.append((chunk, S))",
                "sizes.append((chunk, S - T + chunk))",
                "sizes.append((T, S - T + chunk))",
            ),
        ),
        Misconception(
            "later-keys-scored-and-hidden",
            any_of(
                one_pass,
                one_clean_pass,
                changed(one_pass, "[0], sizes", "[0], [(T, sizes[-1][1]) for T, _ in sizes]"),
            ),
            "Your queries are scored with all keys of the prompt, and the later ones are hidden "
            "then. Which keys are there at all when a piece is read?",
        ),
        CACHE_NOT_HANDED_ON.by(
            changed(
                prefill,
                "sizes.append((T, S))",
                "sizes.append((T, S)); keys, values = keys[:, :, :-T], values[:, :, :-T]",
            ),
            changed(prefill, "torch.cat([keys, k], 2), torch.cat([values, v], 2)", "k, v"),
        ),
        HELD_TOKENS_UNSEEN.by(
            changed(
                prefill,
                "mixed, sizes = [], []",
                "mixed, sizes, keys, values = [], [], keys[:, :, :0], values[:, :, :0]",
            )
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(prefill, "sizes.append((T, S))", "sizes.append((S, T))")
        ),
    ),
    compare=CLOSE,
    alike=alike,
)
