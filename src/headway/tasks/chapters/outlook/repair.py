"""Debug: a layer in which nodes take a weighted mean of what they receive."""

from functools import partial

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    EQUAL_NUMBERS,
    NOT_SHARED_OUT,
    NOTHING_RECEIVED,
    ONLY_ONE,
    SMALL_NUMBERS,
    WAY_BACK_FORGOTTEN,
    WHOLE_OF_OTHERS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, changed, either, seen
from headway.tasks.engine.task import Case, Task


def per_node(numbers, nodes, n):
    """The sum of the numbers of each node's edges."""
    return torch.zeros(n, *numbers.shape[1:]).index_add(0, nodes, numbers)


def given_repair(x, edges, strength, own, others):
    """The layer as it is handed out."""
    n = len(x)
    source, target = edges
    total = per_node(strength, source, n).clamp(min=1e-9)
    messages = (x @ others)[source]
    received = per_node(strength[:, None] * messages, target, n)
    return functional.elu(x @ own + received / total[:, None])


def repair(x, edges, strength, own, others):
    """The layer with means that are means."""
    n = len(x)
    source, target = edges
    total = per_node(strength, target, n).clamp(min=1e-9)
    messages = (x @ others)[source]
    received = per_node(strength[:, None] * messages, target, n)
    return functional.elu(x @ own + received / total[:, None])


def cases(rng: np.random.Generator) -> list[Case]:
    C, E = 4, 3

    def numbers(*shape):
        return torch.from_numpy(rng.normal(size=shape)).float()

    def ask(label, n, edges, strength=None, x=None, **options):
        count = edges.shape[1]
        drawn = torch.from_numpy(rng.uniform(1.0, 3.0, count)).float()
        given = drawn if strength is None else strength
        x = numbers(n, C) if x is None else x
        return Case(label, x, edges, given, numbers(C, E), numbers(C, E), **options)

    def draw(n, count, targets):
        pairs = set()
        while len(pairs) < count:
            pairs.add((int(rng.integers(n)), int(rng.choice(targets))))
        return torch.tensor(sorted(pairs)).T

    n = int(rng.integers(6, 9))
    everybody = torch.cat([torch.arange(n).roll(1)[None], torch.arange(n)[None]])
    edges = torch.cat([everybody, draw(n, n, np.arange(n))], dim=1).unique(dim=1)
    alike = numbers(1, C).expand(n, -1).clone()
    # All that one node receives is weak.
    weak = edges[1] == edges[1].bincount(minlength=n).argmin()
    ranks = (~weak).int().argsort(stable=True).argsort()
    return [
        ask("edges of different strengths", n, edges, core=True),
        ask("nodes that are all alike", n, edges, x=alike),
        ask("edges that are all as strong", n, edges, torch.ones(edges.shape[1])),
        ask("nodes that receive nothing", n, draw(n, n, np.arange(n // 2))),
        ask("very weak edges and strong ones", n, edges, torch.logspace(-3, 3, len(weak))[ranks]),
        ask("no edge", 3, torch.zeros(2, 0, dtype=torch.int64)),
        ask("one node that sends to itself", 1, torch.zeros(2, 1, dtype=torch.int64)),
    ]


TOTAL = "per_node(strength, target, n).clamp(min=1e-9)"
RETURN = "return functional.elu(x @ own + received / total[:, None])"


def other(at: str, *becomes: str) -> AnyOf:
    return changed(repair, at, *becomes)


def strengths(w, source, target, n):
    return w


def received(case, at=0, to=1, weigh=strengths) -> torch.Tensor:
    """What the nodes at one end of their edges get from those at the other, (n, E), as weighed."""
    x, edges, w, _, others = case.inputs
    messages = (x @ others)[edges[at]]
    return per_node(weigh(w, *edges, len(x))[:, None] * messages, edges[to], len(x)).double()


def divisors(got, case, sums: torch.Tensor) -> torch.Tensor | None:
    """By what these sums are divided in a result, for each node; None if by no number.

    It is NaN where that doesn't show, as where nothing is received.
    """
    x, _, _, own, _ = case.inputs
    got = torch.from_numpy(got).double()
    means = torch.where(got < 0, got.log1p(), got) - (x @ own).double()
    by = (sums * means).sum(1) / (means * means).sum(1)
    shows = (sums.abs().amax(1) > 0.05) & by.isfinite()
    fits = (sums - by[:, None] * means).abs().amax(1) < 2e-3 * sums.abs().amax(1)
    return torch.where(shows, by, torch.nan) if shows.any() and fits[shows].all() else None


def mixes(*sums):
    """A predicate: a node's own part aside, the result is one of these sums, divided somehow."""
    return lambda got, expected, case: any(divisors(got, case, of(case)) is not None for of in sums)


def divides(*by):
    """A predicate: the right sums are divided by one of these: by(strength, source, target, n)."""

    def shows(got, expected, case) -> bool:
        x, edges, w, *_ = case.inputs
        found = divisors(got, case, received(case))
        if found is None:
            return False
        told = ~found.isnan()
        others = (each(w, *edges, len(x)).double() for each in by)
        return any(torch.allclose(found[told], other[told], rtol=2e-3) for other in others)

    return shows


def _last_line(got, expected, case) -> bool:
    x, (_, target), strength, own, _ = case.inputs
    mine, total = x @ own, per_node(strength, target, len(x)).clamp(min=1e-9)[:, None]
    mean = received(case) / total
    lines = (
        mine + mean,
        (mine + mean).relu(),
        functional.elu(mean),
        functional.elu(mine + mean * total) / total,
        functional.elu(mine / total + mean),
        functional.elu(mine) + functional.elu(mean),
        functional.elu(mine) + mean,
    )
    return any(np.allclose(got, line, atol=1e-4) for line in lines)


def _lonely_only(got, expected, case) -> bool:
    heard = case.inputs[1][1].unique()
    return np.allclose(got[heard], expected[heard], atol=1e-4)


repair_task = Task(
    id="16-outlook/repair",
    title="A layer of weighted means, repaired",
    kind="debug",
    points=2,
    minutes=8,
    answer="graph_layer",
    cases=cases,
    reference=repair,
    given=given_repair,
    misconceptions=(
        NOTHING_RECEIVED.by(
            other(TOTAL, "per_node(strength, target, n)"),
            only_at=("nodes that receive nothing", "no edge"),
            shows=_lonely_only,
        ),
        Misconception(
            "own-features-in-the-mean",
            other(RETURN, "return functional.elu((x @ own + received) / total[:, None])"),
            "The means are right, but a part of the last line that was right has changed. What is "
            "added to the mean, and what is done with the sum?",
            shows=_last_line,
        ),
        WHOLE_OF_OTHERS.by(
            other(TOTAL, "strength.sum().expand(n)"),
            shows=either(
                divides(
                    lambda w, source, target, n: per_node(w, source, n) + per_node(w, target, n),
                    lambda w, source, target, n: (
                        per_node(w, source, n) * per_node(w, target, n)
                    ).sqrt(),
                    lambda w, source, target, n: per_node(w, source, n),
                    lambda w, source, target, n: w.sum().expand(n),
                ),
                mixes(partial(received, weigh=lambda w, s, t, n: w / per_node(w, s, n)[s])),
            ),
        ),
        Misconception(
            "counted-for-weighed",
            other(TOTAL, "source.bincount(minlength=n).clamp(min=1)"),
            "In one of the two sums, or in both, an edge counts as one and not with its strength. "
            "What do the weights of a mean add up to?",
            shows=either(
                divides(
                    lambda w, source, target, n: target.bincount(minlength=n),
                    lambda w, source, target, n: source.bincount(minlength=n).clamp(min=1),
                ),
                mixes(partial(received, weigh=lambda w, *_: torch.ones_like(w))),
            ),
        ),
        NOT_SHARED_OUT.by(
            other(RETURN, "return functional.elu(x @ own + received)"), shows=mixes(received)
        ),
        Misconception(
            "softmax-of-the-strength",
            other("source, target = edges", "(source, target), strength = edges, strength.exp()"),
            "You share out the exponentials of the strengths. How much more does an edge count "
            "that is twice as strong as another?",
            shows=mixes(partial(received, weigh=lambda w, *_: w.exp())),
        ),
        DIRECTION_TURNED.by(
            other("source, target = edges", "target, source = edges"),
            shows=mixes(*(partial(received, at=at, to=to) for at, to in ((1, 0), (1, 1), (0, 0)))),
        ),
        WAY_BACK_FORGOTTEN.by(shows=mixes(lambda case: received(case) + received(case, 1, 0))),
        EQUAL_NUMBERS.by(only_at=("nodes that are all alike", "edges that are all as strong")),
        SMALL_NUMBERS.by(only_at=("very weak edges and strong ones",)),
        ONLY_ONE.by(only_at=("one node that sends to itself",)),
        seen(
            "other-messages-mixed",
            "Take a node's own part away, and what is left is no multiple of the weighted sum of "
            "its messages. Which edges end in a node, and how much does each count?",
            lambda got, expected, case: (
                bool((got > -1).all()) and divisors(got, case, received(case)) is None
            ),
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
