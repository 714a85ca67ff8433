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
    right_at_words,
)
from headway.tasks.chapters.experts.mistakes import (
    NOT_RENORMALIZED,
    OTHER_EXPERTS_CHOSEN,
    PADDING_TAKES_PART,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, seen
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
            chosen = chosen_by(scores, k)
            used, first = chosen.unique(), chosen[:, 0].unique()
            if not apart(scores) or (k > 1 and len(first) == len(used)):
                return False  # some experts are never the first choice
            if idle is None:
                return True
            # Some are the first choice of one token and the second of another, or some that nobody
            # chooses stand between others.
            tells = torch.isin(chosen[:, 1:], first).any() or used.max() - used.min() >= len(used)
            return len(used) == E - idle and bool(tells)

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


UPDATE = "weights[rows, places, None] * expert(tokens[rows], e)"
ADDED = "mixed = mixed.index_add(0, rows, update)"
WEIGHTS = "weights = largest.softmax(-1)"

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
            shows=lambda got, expected, case: right_at_words(got[0], expected[0], case.inputs[4])
        ),
        seen(
            "experts-run-for-all",
            "Your result is right, but your experts compute more than what the tokens have asked "
            "for. Which rows does an expert need to see, and which experts any?",
            lambda got, expected, case: (
                CLOSE(got[0], expected[0], case) is None and rows_of(got) > case.truth.rows
            ),
        ),
        seen(
            "called-for-nothing",
            "You call experts with no tokens at all. Which experts has somebody chosen?",
            lambda got, expected, case: CLOSE(got[0], expected[0], case) is None and _empty(got),
        ),
        seen(
            "called-again-and-again",
            "An expert is called more than once. Can it have all of its tokens in one matrix, "
            "those that chose it first and those that chose it second?",
            lambda got, expected, case: (
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
                ),
                changed(
                    mixture,
                    "out[words] = mixed",
                    "out.view(-1, x.shape[2])[: len(mixed)] = mixed",
                ),
                changed(mixture, UPDATE, "weights[rows, 0, None] * expert(tokens[rows], e)"),
                changed(mixture, WEIGHTS, "weights = largest.softmax(-1).flip(-1)"),
            ),
            "What an expert says lands in another token's row, or gets a weight that belongs to "
            "another expert. Where did each row of its matrix come from, and at which place of "
            "that row was the expert chosen?",
        ),
        Misconception(
            "weights-missing",
            changed(mixture, UPDATE, "expert(tokens[rows], e)", "expert(tokens[rows], e) / k"),
            "What your experts say is added up or averaged, whatever the router thought of them. "
            "What is the second largest score good for?",
        ),
        NOT_RENORMALIZED.by(
            changed(mixture, WEIGHTS, "weights = scores.softmax(-1).gather(-1, chosen)")
        ),
        OTHER_EXPERTS_CHOSEN.by(
            changed(
                mixture,
                "scores.topk(k, dim=-1)",
                "scores.topk(k, dim=-1, largest=False)",
                "scores.topk(1, dim=-1)",
            ),
        ),
    ),
    verb=ask_and_note,
    compare=runs_the_chosen_only,
)
