"""Build a mixture whose experts run for the words only that have chosen them."""

from math import prod
from typing import NamedTuple

import numpy as np
import torch

from headway.tasks.chapters.experts.asked import AskedExperts
from headway.tasks.chapters.experts.draw import (
    CLOSE,
    apart,
    chosen_by,
    draw_tensor,
    draw_words,
)
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    PADDING_TAKES_PART,
    SOFTMAX_OVER_THE_TOKENS,
    WEIGHTS_MISSING,
    WEIGHTS_OF_OTHERS,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.asks import ask_and_note, ask_then_look
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task

CALLS = "how often experts are called"


def mixture(expert, x, router, k, words):
    """Mixed (B, T, C) for x (B, T, C), router (C, E) and words (B, T); padding gets zeros."""
    tokens = x[words]
    scores = tokens @ router
    largest, chosen = scores.topk(k, dim=-1)
    weights = largest.softmax(-1)
    mixed = torch.zeros_like(tokens)
    for e in chosen.unique().tolist():
        rows, places = (chosen == e).nonzero(as_tuple=True)
        update = weights[rows, places, None] * expert(tokens[rows], e)
        mixed = mixed.index_add(0, rows, update)
    out = torch.zeros_like(x)
    out[words] = mixed
    return out


class Needed(NamedTuple):
    """What a case's experts have to do.

    Attributes:
        rows: the tokens of all experts together, N · k.
        calls: how many different experts are chosen.
    """

    rows: int
    calls: int


def mixture_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, E, k, padded=False, idle=None, C=5):
        """`idle`: how many experts nobody chooses; None where that may be as it is."""
        words = draw_words(rng, B, T, padded)

        def suits(drawn):
            x, router = drawn
            scores = x[words] @ router
            used = chosen_by(scores, k).unique().numel()
            return apart(scores) and (idle is None or used == E - idle)

        x, router = draw_until(
            suits, lambda: (draw_tensor(rng, B, T, C), draw_tensor(rng, C, E, scale=0.7))
        )
        sizes = {"gate": (E, C, 4), "up": (E, C, 4), "down": (E, 4, C)}
        weights = {name: draw_tensor(rng, *shape) for name, shape in sizes.items()}
        return AskedExperts(weights, rows=B * T), x, router, k, words

    def case(label, *sizes, compare=None, **options):
        kind = {name: options.pop(name) for name in ("core", "path") if name in options}
        inputs = draw(*sizes, **options)
        return Case(label, *inputs, truth=needed(*inputs[1:]), compare=compare, **kind)

    def counted(label, *sizes, **options):
        return case(label, *sizes, compare=calls_each_once, path=CALLS, **options)

    nobody = draw(2, 3, 4, 2)
    nobody[-1][:] = False
    return [
        case("two texts, two of four experts", 2, 3, 4, 2, core=True),
        case("texts with padding", 3, 4, 4, 2, core=True, padded=True),
        case("one of each token", 2, 4, 4, 1),
        case("all experts", 2, 3, 3, 3, padded=True),
        case("a single token", 1, 1, 5, 2),
        case("many experts, three of each token", 2, 3, 12, 3),
        counted("each expert at most once", 2, 4, 3, 2, idle=0),
        counted("experts that nobody chooses", 1, 3, 6, 1, idle=4),
        Case("nothing but padding", *nobody, truth=needed(*nobody[1:])),
        arguments_kept(*draw(2, 3, 4, 2, padded=True), verb=ask_then_look),
    ]


def needed(x, router, k, words) -> Needed:
    chosen = chosen_by(x[words] @ router, k)
    return Needed(chosen.numel(), chosen.unique().numel())


def runs_the_chosen_only(got, expected, case) -> Difference | None:
    """As `CLOSE`; besides, experts get as many tokens as have chosen them, or both get more."""
    if found := CLOSE(got[0], expected[0], case):
        return found
    mine, theirs = rows_of(got), rows_of(expected)
    if (mine <= case.truth.rows) == (theirs <= case.truth.rows):
        return None
    return Difference(
        f"{mine} tokens have gone through experts, all experts together; {case.truth.rows} have "
        "been chosen."
    )


def calls_each_once(got, expected, case) -> Difference | None:
    """As `runs_the_chosen_only`; besides, each expert is called once, and only if it is chosen."""
    if found := runs_the_chosen_only(got, expected, case):
        return found
    mine, theirs = (calls_of(one) for one in (got, expected))
    if (mine <= case.truth.calls) == (theirs <= case.truth.calls):
        return None
    return Difference(
        f"experts were called {mine} times; {case.truth.calls} different ones are chosen."
    )


def rows_of(got) -> int:
    """How many tokens have gone through experts."""
    return sum(prod(shape[:1]) for shape in got[1])


def calls_of(got) -> int:
    return len(got[1])


def _empty(got) -> bool:
    return any(list(shape[:1]) == [0] for shape in got[1])


LOOP = "for e in chosen.unique().tolist():"
UPDATE = "weights[rows, places, None] * expert(tokens[rows], e)"
ADDED = "mixed = mixed.index_add(0, rows, update)"
BEFORE = "tokens = x[words]"
AFTER = "out[words] = mixed"

(everywhere,) = changed(
    *changed(mixture, BEFORE, "tokens = x.flatten(0, 1)"), AFTER, "out = mixed.view_as(x)"
)
(all_rows,) = changed(mixture, UPDATE, "weights[rows, places, None] * expert(tokens, e)[rows]")
(all_experts,) = changed(all_rows, LOOP, "for e in range(router.shape[1]):")
token_by_token = changed(
    mixture,
    LOOP,
    """
    for row, places_of in enumerate(chosen.tolist()):
        for place, e in enumerate(places_of):
            mixed[row] += weights[row, place] * expert(tokens[row : row + 1], e)[0]
    for e in ():""",
    """
    for place, column in enumerate(chosen.T):
        for e in column.unique().tolist():
            rows = (column == e).nonzero()[:, 0]
            mixed[rows] += weights[rows, place, None] * expert(tokens[rows], e)
    for e in ():""",
)

mixture_task = Task(
    id="18-experts/mixture",
    title="Experts for those who chose them",
    kind="build",
    points=4,
    minutes=30,
    answer="mixture",
    cases=mixture_cases,
    reference=mixture,
    misconceptions=(
        PADDING_TAKES_PART.by(
            everywhere,
            changed(everywhere, "view_as(x)", "view_as(x) * words[..., None]"),
        ),
        Misconception(
            "experts-run-for-all",
            any_of(all_rows, all_experts),
            "Your result is right, but your experts compute more than what the tokens have asked "
            "for. Which rows does an expert need to see, and which experts any?",
            shows=lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and rows_of(got) > case.truth.rows
            ),
        ),
        Misconception(
            "called-for-nothing",
            changed(mixture, LOOP, "for e in range(router.shape[1]):"),
            "You call experts with no tokens at all. Which experts has somebody chosen?",
            shows=lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and _empty(got)
            ),
        ),
        Misconception(
            "called-again-and-again",
            any_of(token_by_token),
            "An expert is called more than once. Can it have all of its tokens in one matrix, "
            "those that chose it first and those that chose it second?",
            shows=lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and calls_of(got) > case.truth.calls
            ),
        ),
        Misconception(
            "updates-overwritten",
            changed(mixture, ADDED, "mixed[rows] = update"),
            "Of what a token's experts say, only one part is left. What does the second of them "
            "do to what the first has written?",
        ),
        Misconception(
            "rows-mixed-up",
            any_of(
                changed(
                    mixture,
                    ADDED,
                    "mixed[: len(rows)] += update",
                    "mixed = mixed.index_add(0, places, update)",
                    "mixed = mixed.index_add(0, rows.flip(0), update)",
                ),
                changed(mixture, AFTER, "out.view(-1, x.shape[2])[: len(mixed)] = mixed"),
                changed(mixture, AFTER, "out[words] = mixed.roll(1, 0)"),
            ),
            "What experts say lands in rows of other tokens. Where did each row of the matrix "
            "come from that an expert was given?",
        ),
        WEIGHTS_OF_OTHERS.by(
            changed(
                mixture,
                UPDATE,
                "weights[rows, 0, None] * expert(tokens[rows], e)",
                "weights[rows, -1 - places, None] * expert(tokens[rows], e)",
                "weights[rows, k - 1, None] * expert(tokens[rows], e)",
            ),
            changed(
                mixture,
                "weights = largest.softmax(-1)",
                "weights = largest.softmax(-1).flip(-1)",
            ),
        ),
        WEIGHTS_MISSING.by(
            changed(mixture, UPDATE, "expert(tokens[rows], e)", "expert(tokens[rows], e) / k")
        ),
        Misconception(
            "weights-before-the-expert",
            changed(mixture, UPDATE, "expert(weights[rows, places, None] * tokens[rows], e)"),
            "You weight what goes into an expert, and not what comes out. Would half of the input "
            "give half of the output?",
        ),
        NOT_RENORMALIZED.by(
            changed(
                mixture,
                "weights = largest.softmax(-1)",
                "weights = scores.softmax(-1).gather(-1, chosen)",
            )
        ),
        SOFTMAX_OVER_THE_TOKENS.by(
            changed(mixture, "weights = largest.softmax(-1)", "weights = largest.softmax(0)")
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(
                mixture,
                "scores.topk(k, dim=-1)",
                "scores.topk(k, dim=-1, largest=False)",
                "scores.topk(1, dim=-1)",
            ),
        ),
        Misconception(
            "number-of-the-expert-lost",
            changed(
                mixture,
                UPDATE,
                "weights[rows, places, None] * expert(tokens[rows], 0)",
                "weights[rows, places, None] * expert(tokens[rows], int(places[0]))",
            ),
            "Other experts answer than those that were chosen. By which number do you call one: "
            "its own, or that of a place in a row?",
        ),
        Misconception(
            "input-left-in",
            any_of(
                changed(mixture, "mixed = torch.zeros_like(tokens)", "mixed = tokens.clone()"),
                changed(mixture, "out = torch.zeros_like(x)", "out = x.clone()"),
            ),
            "Some of your rows hold the input. Who adds that in a block, and what is a row of "
            "padding to be?",
        ),
    ),
    verb=ask_and_note,
    compare=runs_the_chosen_only,
)
