"""Build: a softmax that is added to, one block of keys after the other."""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.draw import CLOSE, draw_tensor
from headway.tasks.chapters.cheaper.mistakes import (
    NO_LARGEST,
    NOTHING_SEEN,
    RESULTS_IN_ANOTHER_ORDER,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def add_keys(largest, total, mixed, query, key, value, mask):
    """largest and total (..., T, 1) and mixed (..., T, E) after one more block of keys."""
    scores = query @ key.mT / query.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -torch.inf)
    larger = torch.maximum(largest, scores.amax(dim=-1, keepdim=True))
    base = torch.where(larger == -torch.inf, 0.0, larger)
    before, now = (largest - base).exp(), (scores - base).exp()
    total = before * total + now.sum(dim=-1, keepdim=True)
    mixed = before * mixed + now @ value
    return larger, total, mixed


def add_keys_cases(rng: np.random.Generator) -> list[Case]:
    def draw(
        B, H, T, N, D=4, E=3, seen=5, louder=1.0, hidden=0.0, blind=0, shared=False, scale=1.5
    ):
        """After `seen` keys come N more.

        Args:
            louder: how much larger the scores of the new ones are.
            hidden: the share of hidden keys; every query sees one of the new keys at least.
            blind: so many queries of each text have seen nothing, or see nothing now if negative.
            shared: whether the mask is one for all texts and heads.
        """
        query = draw_tensor(rng, B, H, T, D, scale=scale)
        old, new = ((draw_tensor(rng, B, H, n, D), draw_tensor(rng, B, H, n, E)) for n in (seen, N))
        begun = (
            torch.full((B, H, T, 1), -torch.inf),
            torch.zeros(B, H, T, 1),
            torch.zeros(B, H, T, E),
        )
        rows = () if shared else (B, 1)
        masks = []
        for n in (seen, N):
            mask = torch.from_numpy(rng.random((*rows, T, n)) >= hidden)
            if n:
                mask[..., torch.arange(T), torch.from_numpy(rng.integers(0, n, T))] = True
            masks.append(mask)
        if blind:
            masks[0 if blind > 0 else 1][..., : abs(blind), :] = False
        if seen:
            begun = add_keys(*begun, query, *old, masks[0])
        return *begun, query, louder * new[0], new[1], masks[1]

    dark = draw(2, 2, 3, 4, blind=-3)
    return [
        Case("more keys, some with larger scores", *draw(2, 2, 4, 5, louder=1.5), core=True),
        Case("some keys hidden", *draw(2, 2, 5, 6, hidden=0.4, louder=3.0), core=True),
        Case(FIRST, *draw(2, 2, 3, 4, seen=0)),
        Case("one key, for one query", *draw(1, 1, 1, 1)),
        Case("smaller scores only", *draw(2, 1, 3, 6, louder=0.1)),
        Case("one mask for all texts", *draw(3, 2, 4, 4, hidden=0.4, shared=True)),
        Case("as many queries, keys and numbers", *draw(3, 3, 3, 3, D=3, E=3)),
        Case(LOUD, *draw(2, 1, 3, 4, scale=150.0)),
        Case("queries that see nothing of this block", *draw(2, 2, 3, 4, blind=-2)),
        Case("a block that nobody sees", *dark),
        Case("queries that saw nothing before", *draw(2, 2, 3, 4, blind=2), path=NOTHING),
        Case("nothing before and nothing now", *unseen(*draw(2, 2, 3, 4, seen=0)), path=NOTHING),
    ]


def unseen(*inputs):
    """The first query of each text sees none of the new keys."""
    inputs[-1][..., 0, :] = False
    return inputs


FIRST, LOUD, NOTHING = (
    "the first block of all",
    "scores in the hundreds",
    "queries that saw nothing",
)
SCORES = "query @ key.mT / query.shape[-1] ** 0.5"
MASKED = "scores.masked_fill(~mask, -torch.inf)"
LARGER = "torch.maximum(largest, scores.amax(dim=-1, keepdim=True))"
BASE = "torch.where(larger == -torch.inf, 0.0, larger)"
BEFORE = "(largest - base).exp(), (scores - base).exp()"
OWN = "scores.amax(dim=-1, keepdim=True)"
RESULTS = "return larger, total, mixed"
(plain,) = changed(add_keys, BASE, "larger")
(without_largest,) = changed(add_keys, BASE, "torch.zeros(())")


def largest_of_hidden_keys(got, expected, case) -> bool:
    """Whether the largest scores are wrong, and those of all keys, hidden or not."""
    largest, _, _, query, key, _, mask = case.inputs
    every = add_keys(largest, largest, largest, query, key, key, torch.ones_like(mask))[0]
    return bool(CLOSE(got[0], expected[0], case)) and not CLOSE(got[0], every.numpy(), case)


add_keys_task = Task(
    id="19-cheaper/add-keys",
    title="A softmax that is added to",
    kind="build",
    points=2,
    minutes=22,
    answer="add_keys",
    cases=add_keys_cases,
    reference=add_keys,
    misconceptions=(
        Misconception(
            "earlier-keys-not-brought-down",
            any_of(
                changed(add_keys, "before * total", "total"),
                changed(add_keys, "before * mixed", "mixed"),
                changed(add_keys, "before * total + now", "now"),
                changed(add_keys, "before * mixed + now", "now"),
                changed(
                    add_keys,
                    BEFORE,
                    "1.0, (scores - base).exp()",
                    "0.0, (scores - base).exp()",
                    "(base - largest).exp(), (scores - base).exp()",
                ),
            ),
            "The earlier keys come into your sums too large, too small or not at all. What was "
            "taken off their scores, and what is taken off the new ones?",
        ),
        Misconception(
            "each-block-by-its-own-largest",
            any_of(
                changed(add_keys, LARGER, OWN, "torch.maximum(largest, scores.amax())"),
                changed(
                    add_keys,
                    BEFORE,
                    f"(largest - base).exp(), (scores - {OWN}).exp()",
                    "1.0, (scores - largest).exp()",
                ),
                changed(add_keys, RESULTS, f"return {OWN}, total, mixed"),
                changed(add_keys, RESULTS, "return largest, total, mixed"),
            ),
            "New and old sums are measured from different scores, or you hand on another than "
            "they are measured from. From which one, if a block has none that is larger?",
        ),
        Misconception(
            "divided-too-early",
            any_of(
                changed(add_keys, RESULTS, "return larger, total, mixed / total"),
                changed(add_keys, "now @ value", "(now / now.sum(dim=-1, keepdim=True)) @ value"),
            ),
            "You divide by a sum that isn't complete yet. When is it, and who can divide then?",
        ),
        Misconception(
            "hidden-keys-counted",
            changed(
                add_keys,
                MASKED,
                "scores",
                "scores.masked_fill(~mask, 0.0)",
                "scores.masked_fill(mask, -torch.inf)",
            ),
            "Hidden keys count, in a sum or for the largest score, or the visible ones don't. "
            "What does True in the mask say, and which score changes neither?",
            largest_of_hidden_keys,
        ),
        Misconception(
            "wrong-scale",
            changed(
                add_keys,
                SCORES,
                "query @ key.mT",
                "query @ key.mT / query.shape[-1]",
                "query @ key.mT / key.shape[-2] ** 0.5",
            ),
            "Your scores are too large or too small. How many products are added up in one of "
            "them, and what does that do to its spread?",
        ),
        NO_LARGEST.by(
            changed(
                without_largest,
                RESULTS,
                "return larger, total / larger.exp(), mixed / larger.exp()",
            ),
            only_at=(LOUD,),
        ),
        NOTHING_SEEN.by(
            plain,
            only_at=(
                "queries that saw nothing before",
                "nothing before and nothing now",
                "queries that see nothing of this block",
                "a block that nobody sees",
                FIRST,
            ),
        ),
        RESULTS_IN_ANOTHER_ORDER.by(
            changed(add_keys, RESULTS, "return larger, mixed, total", "return mixed, total, larger")
        ),
    ),
    compare=CLOSE,
)
