"""Debug: a layer in which nodes take a weighted mean of what they receive."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.mistakes import (
    DIRECTION_TURNED,
    NOT_SHARED_OUT,
    NOTHING_RECEIVED,
    WHOLE_OF_OTHERS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import AnyOf, Misconception, any_of, changed
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
ENDS, MESSAGES = "source, target = edges", "(x @ others)[source]"
RECEIVED = "per_node(strength[:, None] * messages, target, n)"
RETURN = "return functional.elu(x @ own + received / total[:, None])"


def other(at: str, *becomes: str) -> AnyOf:
    return changed(repair, at, *becomes)


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
        Misconception(
            "softmax-of-the-strength",
            other("source, target = edges", "(source, target), strength = edges, strength.exp()"),
            "You share out the exponentials of the strengths. How much more does an edge count "
            "that is twice as strong as another?",
        ),
        Misconception(
            "counted-for-weighed",
            any_of(
                other(TOTAL, "target.bincount(minlength=n).clamp(min=1)"),
                other(TOTAL, "per_node(torch.ones_like(strength), target, n).clamp(min=1e-9)"),
                other(TOTAL, "source.bincount(minlength=n).clamp(min=1)"),
                other(RECEIVED, "per_node(messages, target, n)"),
                changed(
                    *other(RECEIVED, "per_node(messages, target, n)"),
                    TOTAL,
                    "target.bincount(minlength=n).clamp(min=1)",
                ),
            ),
            "In one of the two sums, or in both, an edge counts as one and not with its strength. "
            "What do the weights of a mean add up to?",
        ),
        WHOLE_OF_OTHERS.by(
            changed(
                *other(TOTAL, "torch.ones(n)"),
                "strength[:, None]",
                "(strength / per_node(strength, source, n)[source])[:, None]",
            ),
            other(
                "strength[:, None]", "(strength / per_node(strength, source, n)[source])[:, None]"
            ),
            other(
                TOTAL,
                "per_node(strength.repeat(2), edges.flatten(), n).clamp(min=1e-9)",
                "(per_node(strength, target, n) * per_node(strength, source, n)).sqrt()"
                ".clamp(min=1e-9)",
            ),
            other(TOTAL, "strength.sum().expand(n)", "torch.full((n,), strength.mean())"),
            other(TOTAL, "torch.full((n,), float(n))"),
        ),
        NOT_SHARED_OUT.by(
            other(RETURN, "return functional.elu(x @ own + received)"),
            other(TOTAL, "torch.ones(n)"),
            other(
                TOTAL,
                "per_node(strength, target, n).clamp(min=1)",
                "(per_node(strength, target, n) + 1)",
                "(per_node(strength, target, n) + 1e-2)",
            ),
        ),
        DIRECTION_TURNED.by(
            other(ENDS, "target, source = edges"),
            changed(
                *other(MESSAGES, "(x @ others)[target]"),
                RECEIVED,
                RECEIVED.replace("target", "source"),
            ),
            changed(
                *changed(
                    *other(MESSAGES, "(x @ others)[target]"),
                    RECEIVED,
                    RECEIVED.replace("target", "source"),
                ),
                TOTAL,
                TOTAL.replace("target", "source"),
            ),
            other(MESSAGES, "(x @ others)[target]"),
            other(RECEIVED, RECEIVED.replace("target", "source")),
        ),
        Misconception(
            "own-features-in-the-mean",
            any_of(
                other(RETURN, "return functional.elu((x @ own + received) / total[:, None])"),
                other(RETURN, "return functional.elu(received / total[:, None])"),
                other(RETURN, "return x @ own + received / total[:, None]"),
            ),
            "The means are right, but a part of the last line that was right has changed. What is "
            "added to the mean, and what is done with the sum?",
        ),
        NOTHING_RECEIVED.by(
            other(TOTAL, "per_node(strength, target, n)"),
            other(
                RETURN,
                "return functional.elu(x @ own + torch.where(target.bincount(minlength=n)[:, None]"
                " > 0, received / total[:, None], x @ others))",
            ),
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-4),
)
