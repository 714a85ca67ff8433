"""The graphs that attention along edges is tried on."""

import numpy as np
import torch

from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.task import Case

H, D, E = 3, 4, 5


def graph_cases(rng: np.random.Generator) -> list[Case]:
    def numbers(*shape):
        return torch.from_numpy(rng.normal(size=shape)).float()

    def nodes(receivers, senders, heads=H):
        return numbers(heads, receivers, D), numbers(heads, senders, D), numbers(heads, senders, E)

    def draw(receivers, senders, count, everybody=True, strangers=0):
        """Different edges; everybody receives something, or a third of the nodes does not.

        Args:
            strangers: how many of the nodes send to nobody.
        """
        may = np.arange(receivers) if everybody else np.arange(receivers)[receivers // 3 :]
        speak = rng.permutation(senders)[strangers:]
        pairs = {(int(rng.choice(speak)), int(t)) for t in may}
        while len(pairs) < count:
            pairs.add((int(rng.choice(speak)), int(rng.choice(may))))
        listed = np.array(sorted(pairs))
        return torch.from_numpy(rng.permutation(listed).T.copy())

    def ask(label, receivers, senders, edges, heads=H, **options):
        """A case in which nodes that send to nobody hold no numbers."""
        query, key, value = nodes(receivers, senders, heads)
        silent = torch.ones(senders, dtype=torch.bool)
        silent[edges[0]] = False
        key[:, silent] = value[:, silent] = torch.nan
        return Case(label, query, key, value, edges, **options)

    def upwards(edges):
        """No edge together with its way back; all nodes have one in the case of both ways."""
        return edges[:, edges[0] < edges[1]]

    n = int(rng.integers(7, 10))
    edges = draw_until(
        lambda edges: upwards(edges).unique().numel() == n, lambda: draw(n, n, 3 * n)
    )
    half = upwards(edges)
    twice = torch.cat([edges, edges[:, ::3], edges[:, :2]], dim=1)
    there_and_back = torch.cat([half, half[:, ::2].flip(0), torch.full((2, 1), n - 1)], dim=1)
    one = torch.tensor([[2], [1]]).repeat(1, 5)
    none, itself = torch.zeros(2, 0, dtype=torch.int64), torch.zeros(2, 1, dtype=torch.int64)
    repeats, way_back = {"path": "edges listed twice"}, {"path": "both ways"}
    return [
        Case("a graph in which everybody receives something", *nodes(n, n), edges, core=True),
        Case("nodes that receive nothing", *nodes(n, n), draw(n, n, 2 * n, everybody=False)),
        ask("nodes that send to nobody and hold no numbers", n, n, draw(n, n, 2 * n, strangers=2)),
        Case("edges that are listed twice", *nodes(n, n), twice, **repeats),
        ask("one edge, five times", 4, 4, one, **repeats),
        Case("both ways", *nodes(n, n), half, True, **way_back),
        Case("both ways, some of them listed", *nodes(n, n), there_and_back, True, **way_back),
        ask("fewer receivers than senders", 4, 9, draw(4, 9, 14, strangers=1)),
        ask("more receivers than senders", 9, 4, draw(9, 4, 14, strangers=1)),
        ask("no edge", 3, 3, none),
        Case("one node that sees itself", *nodes(1, 1), itself),
        ask("a single head", n, n, draw(n, n, 2 * n, strangers=1), heads=1),
    ]
