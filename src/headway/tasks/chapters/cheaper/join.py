"""Build: the attention of all keys from what it gave for parts of them."""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.draw import CLOSE, draw_tensor
from headway.tasks.chapters.cheaper.mistakes import (
    NO_LARGEST,
    NOTHING_SEEN,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def join(mixed, logs):
    """Mixed (..., T, E) and logs (..., T) of all keys, from P parts (P, ..., T, E), (P, ..., T)."""
    largest = logs.amax(dim=0)
    base = torch.where(largest == -torch.inf, 0.0, largest)
    sums = (logs - base).exp()
    total = sums.sum(dim=0)
    shares = sums / torch.where(total == 0, 1.0, total)
    return (shares[..., None] * mixed).sum(dim=0), base + total.log()


def join_cases(rng: np.random.Generator) -> list[Case]:
    def draw(P, *shape, E=3, loud=1.0, unseen=0.0, blind=False):
        """`unseen`: the share of queries that saw nothing in a part; `blind`: one saw nothing."""
        logs = 4 + draw_tensor(rng, P, *shape, scale=loud) + 2 * draw_tensor(rng, P, *shape[:-1], 1)
        mixed = draw_tensor(rng, P, *shape, E)
        nothing = torch.from_numpy(rng.random((P, *shape)) < unseen)
        keep = torch.from_numpy(rng.integers(0, P, shape))[None]
        nothing.scatter_(0, keep, False)
        if unseen:
            nothing[(keep[0].flatten()[0] + 1) % P].view(-1)[0] = True
        if blind:
            nothing[..., -1] = True
        return mixed.masked_fill(nothing[..., None], 0.0), logs.masked_fill(nothing, -torch.inf)

    return [
        Case("two parts", *draw(2, 2, 4), core=True),
        Case("parts of a batch, with heads", *draw(4, 2, 3, 5), core=True),
        Case("one part", *draw(1, 2, 3)),
        Case("one query", *draw(3, 1)),
        Case("as many parts, texts, queries and numbers", *draw(3, 3, 3)),
        Case(LOUD, *draw(3, 2, 4, loud=200.0)),
        Case(UNSEEN, *draw(3, 2, 4, unseen=0.4)),
        Case(BLIND, *draw(3, 2, 4, unseen=0.3, blind=True)),
    ]


LOUD = "logarithms in the hundreds"
UNSEEN = "parts in which some queries saw nothing"
BLIND = "queries that saw nothing anywhere"
MIXED = "(shares[..., None] * mixed).sum(dim=0)"
LOGS = "base + total.log()"


def wrong(which):
    """A predicate: one of the two results is wrong, but has no NaN."""

    def shows(got, expected, case) -> bool:
        difference = CLOSE(got[which], expected[which], case)
        return difference is not None and not np.isnan(got[which]).any()

    return shows


join_task = Task(
    id="19-cheaper/join",
    title="Parts of the keys",
    kind="build",
    points=2,
    minutes=15,
    answer="join",
    cases=join_cases,
    reference=join,
    misconceptions=(
        NO_LARGEST.by(only_at=(LOUD,)),
        NOTHING_SEEN.by(only_at=(UNSEEN, BLIND)),
        Misconception(
            "parts-weigh-the-same",
            changed(
                join,
                MIXED,
                "mixed.mean(dim=0)",
                "mixed.sum(dim=0)",
                "mixed.sum(dim=0) / (logs > -torch.inf).sum(dim=0)[..., None]",
            ),
            "Each part counts the same in your mean. What if one of them found a perfect match, "
            "and another a thousand poor ones?",
        ),
        Misconception(
            "parts-weigh-otherwise",
            changed(join, MIXED, "(logs[..., None] * mixed).sum(dim=0)"),
            "The weights of your parts aren't their shares of the whole sum. What is L the "
            "logarithm of, and which weights add up to one, for each query?",
            wrong(0),
        ),
        Misconception(
            "logarithm-of-another-sum",
            changed(join, LOGS, "total.log()"),
            "Your logarithm isn't that of the sum over all keys. How would somebody join your "
            "result with one more part?",
            wrong(1),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(changed(join, f"{MIXED}, {LOGS}", f"{LOGS}, {MIXED}")),
    ),
    compare=CLOSE,
)
