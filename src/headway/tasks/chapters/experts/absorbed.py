"""Stretch: attention to latents that stay where they are."""

import math

import numpy as np
import torch

from headway.tasks.chapters.experts.asked import AskedCache
from headway.tasks.chapters.experts.draw import CLOSE, apart, draw_tensor
from headway.tasks.chapters.experts.mistakes import PADDING_TAKES_PART
from headway.tasks.chapters.experts.mixture import rows_of
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
from headway.tasks.engine.probe.asks import ask_and_note, ask_then_look
from headway.tasks.engine.requirements import LARGE_NUMBERS, arguments_kept
from headway.tasks.engine.task import Case, Task

LOW = -4.0  # a token that sees nothing with a larger score shows fillers that are not −∞


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
    def draw(H, T, S, padded=0, R=9, P=2, D=4, low=False):
        """`low`: of T = S tokens, the first has a score far below 0 in some head."""

        def numbers():
            held = {"latents": draw_tensor(rng, S, R), "keys": draw_tensor(rng, S, P)}
            new = draw_tensor(rng, H, T, D), draw_tensor(rng, H, T, P, scale=2.0)
            return held, *new, *(draw_tensor(rng, H, R, D, scale=0.6) for _ in "kv")

        def suits(drawn):
            held, query, turned, W_K, _ = drawn
            scores = query @ (held["latents"] @ W_K).mT + turned @ held["keys"].T
            scores = scores / math.sqrt(D + P)
            return not low or (apart(scores) and scores[:, 0, 0].min() < LOW)

        held, *new, W_K, W_V = draw_until(suits, numbers)
        return AskedCache(held, rows=1_000), *new, torch.arange(S) >= padded, W_K, W_V

    def case(label, H, T, S, core=False, **sizes):
        return Case(label, *draw(H, T, S, **sizes), truth=2 * H * T, core=core)

    alone = {"R": 24, "P": 4, "low": True}
    cache, query, turned, *rest = draw(2, 4, 4, **alone)
    return [
        case("one new token", 2, 1, 9, core=True),
        case("some new tokens, padding in front", 2, 3, 14, padded=4, core=True),
        case("one head", 1, 2, 8),
        case("nothing but the new tokens", 2, 4, 4, **alone),
        case("a first token", 2, 1, 1, R=12),
        case("a latent narrower than a head", 3, 2, 20, R=3, D=6, P=4),
        case("a wide key for positions", 2, 2, 12, R=12, P=8),
        arguments_kept(*draw(2, 2, 9), verb=ask_then_look),
        LARGE_NUMBERS.case(cache, 100 * query, 100 * turned, *rest, truth=2 * 2 * 4),
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
        seen(
            "latents-fetched",
            "Your result is right, but you had the cache hand out what it holds. How many rows "
            "does it take if each head asks once, and once more with its weights?",
            shows=lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and rows_of(got) > case.truth
            ),
        ),
        Misconception(
            "wrong-scale",
            changed(
                attend_absorbed,
                "math.sqrt(D + P)",
                "math.sqrt(D)",
                "1",
                "math.sqrt(W_K.shape[1] + P)",
                "math.sqrt(W_K.shape[1])",
                "(D + P)",
            ),
            "Your scores are too large or too small. How many products are added up in one score "
            "of the formula, those of the positions included?",
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
        ),
        Misconception(
            "parts-of-the-score",
            changed(
                attend_absorbed,
                ASKED,
                "torch.cat([absorbed, torch.zeros_like(turned)], -1) / math.sqrt(D + P)",
                "torch.cat([absorbed, torch.zeros_like(turned)], -1) / math.sqrt(D)",
                "torch.cat([turned, absorbed], -1) / math.sqrt(D + P)",
            ),
            "One of the two parts of your scores is missing, or meets the other part of what is "
            "held. Which is about what a token says, and which comes first in the cache?",
        ),
        Misconception(
            "heads-mixed-up",
            any_of(
                *(
                    changed(
                        attend_absorbed,
                        f"{name}.flatten(0, 1)",
                        f"{name}.transpose(0, 1).flatten(0, 1)",
                    )
                    for name in ("asked", "weights")
                ),
                *(
                    changed(
                        attend_absorbed,
                        f'"{what}").unflatten(0, (H, T))',
                        f'"{what}").unflatten(0, (T, H)).transpose(0, 1)',
                    )
                    for what in ("match", "mix")
                ),
            ),
            "Heads work with rows of other heads, which shows where there are several. In which "
            "order did the rows go to the cache, and in which do they come back?",
        ),
    ),
    verb=ask_and_note,
    compare=asks_little,
)
