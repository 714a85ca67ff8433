"""Stretch: attention to latents that stay where they are."""

import math

import numpy as np
import torch

from headway.tasks.chapters.experts.asked import AskedCache
from headway.tasks.chapters.experts.draw import CLOSE, draw_tensor
from headway.tasks.chapters.experts.mistakes import PADDING_TAKES_PART, WRONG_SCALE
from headway.tasks.chapters.experts.mixture import rows_of
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.asks import ask_and_note, ask_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def attend_absorbed(cache, query, turned, words, W_K, W_V):
    """Mixed (H, T, D) of query (H, T, D) and turned (H, T, P), the newest T of S tokens."""
    (H, T, D), P, S = query.shape, turned.shape[2], len(words)
    absorbed = query @ W_K.mT  # (H, T, R)
    asked = torch.cat([absorbed, turned], -1) / math.sqrt(D + P)
    scores = cache(asked.flatten(0, 1), "match").unflatten(0, (H, T))
    seen = words & torch.ones(T, S, dtype=torch.bool).tril(S - T)
    weights = scores.masked_fill(~seen, -torch.inf).softmax(-1)
    latents = cache(weights.flatten(0, 1), "mix").unflatten(0, (H, T))
    return latents @ W_V


def absorbed_cases(rng: np.random.Generator) -> list[Case]:
    def draw(H, T, S, padded=0, R=9, P=2, D=4):
        held = {"latents": draw_tensor(rng, S, R), "keys": draw_tensor(rng, S, P)}
        new = draw_tensor(rng, H, T, D), draw_tensor(rng, H, T, P, scale=2.0)
        words = torch.arange(S) >= padded
        matrices = (draw_tensor(rng, H, R, D, scale=0.6) for _ in "kv")
        return AskedCache(held, rows=1_000), *new, words, *matrices

    def case(label, H, T, S, core=False, **sizes):
        return Case(label, *draw(H, T, S, **sizes), truth=2 * H * T, core=core)

    return [
        case("one new token", 2, 1, 9, core=True),
        case("some new tokens, padding in front", 2, 3, 14, padded=4, core=True),
        case("one head", 1, 2, 8),
        case("nothing but the new tokens", 2, 4, 4, R=24, P=4),
        case("a first token", 2, 1, 1, R=12),
        case("a latent narrower than a head", 3, 2, 20, R=3, D=6, P=4),
        case("a wide key for positions", 2, 2, 12, R=12, P=8),
        arguments_kept(*draw(2, 2, 9), verb=ask_then_look),
    ]


def asks_little(got, expected, case) -> Difference | None:
    """As `CLOSE`; besides, two rows a head and token have been handed to the cache, or fewer."""
    if found := CLOSE(got[0], expected[0], case):
        return found
    mine, theirs = rows_of(got), rows_of(expected)
    if (mine <= case.truth) == (theirs <= case.truth):
        return None
    return Difference(f"the cache was given {mine} rows; {case.truth} are enough.")


ASKED = "torch.cat([absorbed, turned], -1) / math.sqrt(D + P)"
SEEN = "words & torch.ones(T, S, dtype=torch.bool).tril(S - T)"

fetched = changed(
    attend_absorbed,
    "scores = cache(asked",
    """
    held = cache(torch.eye(S), "mix")
    keys, values = held @ W_K, held @ W_V
    asked[..., : W_K.shape[1]] = 0
    scores = cache(asked""",
)
(expanded,) = changed(
    *changed(
        *fetched,
        '"match").unflatten(0, (H, T))',
        '"match").unflatten(0, (H, T)) + query @ keys.mT / math.sqrt(D + P)',
    ),
    """
    latents = cache(weights.flatten(0, 1), "mix").unflatten(0, (H, T))
    return latents @ W_V""",
    """
    return weights @ values""",
)
unfetched = changed(
    attend_absorbed,
    'latents = cache(weights.flatten(0, 1), "mix").unflatten(0, (H, T))',
    'latents = weights @ cache(torch.eye(S), "mix")',
)

absorbed_task = Task(
    id="18-experts/absorbed",
    title="Keys that are never made",
    kind="stretch",
    points=4,
    minutes=30,
    answer="attend_absorbed",
    cases=absorbed_cases,
    reference=attend_absorbed,
    misconceptions=(
        Misconception(
            "latents-fetched",
            any_of(expanded, unfetched),
            "Your result is right, but you had the cache hand out what it holds. How many rows "
            "does it take if each head asks once, and once more with its weights?",
            shows=lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and rows_of(got) > case.truth
            ),
        ),
        WRONG_SCALE.by(
            changed(
                attend_absorbed,
                "math.sqrt(D + P)",
                "math.sqrt(D)",
                "1",
                "math.sqrt(W_K.shape[1] + P)",
                "math.sqrt(W_K.shape[1])",
                "(D + P)",
            ),
            changed(
                attend_absorbed,
                ASKED,
                "torch.cat([absorbed / math.sqrt(D), turned / math.sqrt(P)], -1)",
            ),
        ),
        Misconception(
            "causal-mask-misplaced",
            changed(
                attend_absorbed,
                SEEN,
                "words.expand(T, S)",
                "words & torch.ones(T, S, dtype=torch.bool).tril(S)",
                "words & torch.ones(T, S, dtype=torch.bool).tril()",
                "words & torch.ones(T, S, dtype=torch.bool).tril(S - T - 1)",
                "words & (torch.arange(S) >= S - T)",
            ),
            "Some new tokens see what comes after them, or too little of what comes before. How "
            "many tokens stand before the first of them, and does it see itself?",
        ),
        PADDING_TAKES_PART.by(
            changed(attend_absorbed, SEEN, "torch.ones(T, S, dtype=torch.bool).tril(S - T)"),
            changed(attend_absorbed, "scores.masked_fill(~seen, -torch.inf)", "(scores * seen)"),
        ),
        Misconception(
            "positions-left-out",
            any_of(
                changed(
                    attend_absorbed,
                    "[absorbed, turned]",
                    "[absorbed, torch.zeros_like(turned)]",
                    "[torch.zeros_like(absorbed), turned]",
                ),
                changed(
                    attend_absorbed,
                    ASKED,
                    "torch.cat([absorbed, torch.zeros_like(turned)], -1) / math.sqrt(D)",
                ),
            ),
            "One of the two parts of your scores is missing. Which part is about what a token "
            "says, and which about where it stands?",
        ),
        Misconception(
            "parts-in-another-order",
            changed(attend_absorbed, "[absorbed, turned]", "[turned, absorbed]"),
            "Each part of what you ask meets the other part of what is held. Which comes first in "
            "the cache, the latent or the key for positions?",
        ),
        Misconception(
            "matrices-exchanged",
            any_of(
                changed(attend_absorbed, "query @ W_K.mT", "query @ W_V.mT"),
                changed(attend_absorbed, "latents @ W_V", "latents @ W_K"),
                changed(
                    *changed(attend_absorbed, "query @ W_K.mT", "query @ W_V.mT"),
                    "latents @ W_V",
                    "latents @ W_K",
                ),
            ),
            "A matrix is at work in the place of the other. Which of the two makes what a query "
            "meets, and which makes what is mixed?",
        ),
        Misconception(
            "heads-mixed-up",
            any_of(
                changed(
                    attend_absorbed,
                    '"match").unflatten(0, (H, T))',
                    '"match").unflatten(0, (T, H)).transpose(0, 1)',
                ),
                changed(
                    attend_absorbed,
                    '"mix").unflatten(0, (H, T))',
                    '"mix").unflatten(0, (T, H)).transpose(0, 1)',
                ),
                changed(attend_absorbed, "query @ W_K.mT", "query @ W_K[:1].mT"),
                changed(attend_absorbed, "latents @ W_V", "latents @ W_V[:1]"),
            ),
            "Heads work with rows or matrices of other heads, which shows where there are several. "
            "In which order did the rows go to the cache, and in which do they come back?",
        ),
    ),
    verb=ask_and_note,
    compare=asks_little,
)
