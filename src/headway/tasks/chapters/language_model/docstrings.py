"""Stretch: what docstrings cost a model of bytes, in bits a byte, against counts of pairs."""

import math
from collections.abc import Callable
from functools import cached_property

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.language_model.byte_counts import (
    BYTES,
    FIRST,
    SEEN_TWICE,
    bits,
    by_pairs,
    pairs,
    scores,
    shifted,
    single_bytes,
)
from headway.tasks.chapters.language_model.docstring_texts import (
    DRAWN,
    MANY,
    bytes_of,
    drawn,
    from_all_over,
    kept_back,
    new,
    reworded,
)
from headway.tasks.chapters.language_model.mistakes import (
    CONTEXT_OVERRUN,
    SHIFTED_WRONGLY,
    SOFTMAX_TOO_EARLY,
    UNSHIFTED,
)
from headway.tasks.engine.compare import Compare, Difference
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.probe.calls import call_each, call_for_last
from headway.tasks.engine.task import Case, Task

EVEN = math.log2(BYTES)
FOREKNOWN = 7.0  # bits a byte; nobody needs less for bytes drawn at random
AT_MOST = 25.0
BETTER, DISTINCT, CLEARLY = 0.05, 0.2, 0.3  # bits a byte below the pairs
NEAR = 0.2
LONG = 3_000  # bytes of a text that is given whole
SOME = 1_000  # of the pieces whose last byte is kept back
ENDS = (2_999, 2_400, 1_500)  # where the long text goes on with other bytes
SAME = 1e-3  # by which the rows before may differ


class Kept:
    """The bytes that an answer is held to, and how it has to do on them.

    Attributes:
        below: bits a byte, by which the bytes must cost less than by counts of pairs.
        ids: the bytes that are asked for (N,), those that stood last in pieces of text.
        before: the byte before each (N,).
    """

    def __init__(self, below: float, ids: Tensor, before: Tensor):
        self.below, self.ids, self.before = below, ids, before

    @cached_property
    def by_pairs(self) -> float:
        """What the bytes cost by counts of pairs, in bits a byte."""
        return bits(pairs()[self.before], self.ids)

    @cached_property
    def by_single_bytes(self) -> float:
        """What they cost by how often each byte comes."""
        return bits(single_bytes(self.ids), self.ids)


def cases(rng: np.random.Generator) -> list[Case]:
    text = reworded(rng, new())
    known, last_known = kept_back(rng, text)
    before_known = torch.stack([piece[-2] for piece in known])
    long = from_all_over(text, LONG)
    pieces, last = kept_back(rng, drawn(rng, DRAWN))
    before = torch.stack([piece[-2] for piece in pieces])

    def given_whole(label, text, **kind):
        """The text, and the same with other ends, in which each byte is another one."""
        others = [torch.cat([text[:end], (text[end:] + 1) % BYTES]) for end in ENDS]
        truth = Kept(BETTER, text.clone(), shifted(text))
        return Case(label, [[one] for one in (text, *others)], truth=truth, verb=call_each, **kind)

    def last_bytes(label, number, below, **kind):
        truth = Kept(below, last[:number], before[:number])
        return Case(label, pieces[:number], truth=truth, verb=call_for_last, **kind)

    chance = torch.from_numpy(rng.integers(0, BYTES, 400))
    signs = "".join(rng.permutation(list("αβγδ½×÷≤≥…—“”éüßñ中文")))
    return [
        Case(
            "docstrings of other modules, with words exchanged",
            known[:SOME],
            truth=Kept(BETTER, last_known[:SOME], before_known[:SOME]),
            verb=call_for_last,
            core=True,
        ),
        Case("bytes that nobody can know", chance, core=True, compare=both(foreknowledge)),
        last_bytes("bytes that are kept back, of texts on no disk", SOME, DISTINCT, core=True),
        last_bytes(f"clearly better, by {CLEARLY} bits a byte", MANY, CLEARLY),
        given_whole("a text longer than most contexts", long.clone()),
        Case("signs that are rare in docstrings", bytes_of(signs), compare=both(refusal)),
        Case("a single byte", long[:1].clone(), compare=both(refusal)),
    ]


def _cost(got, case: Case) -> float | Difference:
    """What the case's bytes cost, or what is wrong with the form of the logits."""
    kept = case.truth
    ids = kept.ids if isinstance(kept, Kept) else case.inputs[0]
    if case.verb is call_each and isinstance(got, list):
        got = got[0]
    if not isinstance(got, np.ndarray) or got.shape != (len(ids), BYTES) or got.dtype.kind != "f":
        shape = getattr(got, "shape", "no array")
        return Difference(
            f"logits for all {BYTES} bytes are asked for, in as many rows as a text has bytes; got "
            f"{shape}."
        )
    cost = bits(torch.from_numpy(got).double(), ids)
    return cost if math.isfinite(cost) else Difference("a byte has a probability of zero, or NaN.")


def _looks_ahead(got, others) -> bool:
    """Whether the rows before an end, and the one for its first byte, depend on what follows."""
    for end, other in zip(ENDS, others, strict=True):
        pair = [x[: end + 1] for x in (got, other) if isinstance(x, np.ndarray) and x.ndim == 2]
        if len(pair) == 2 and pair[0].shape == pair[1].shape and not np.allclose(*pair, atol=SAME):
            return True
    return False


def beats_pairs(got, expected, case: Case) -> Difference | None:
    """Whether the text costs fewer bits than by counts of pairs, by as much as the case asks."""
    cost = _cost(got, case)
    if isinstance(cost, Difference):
        return cost
    limit = case.truth.by_pairs - case.truth.below
    if cost <= limit:
        ahead = isinstance(got, list) and _looks_ahead(got[0], got[1:])
        return (
            Difference("rows of the logits change with the bytes behind them.") if ahead else None
        )
    return Difference(f"{cost:.2f} bits a byte; at most {limit:.2f} is asked of this text.")


def foreknowledge(got, case: Case) -> Difference | None:
    """What is wrong with the logits of bytes drawn at random, which cost what they must."""
    cost = _cost(got, case)
    if isinstance(cost, Difference) or cost >= FOREKNOWN:
        return cost if isinstance(cost, Difference) else None
    return Difference(
        f"bytes drawn at random cost {cost:.2f} bits each, and nobody can say them for fewer than "
        f"{EVEN:.0f}: a row of the logits has seen its own byte."
    )


def refusal(got, case: Case) -> Difference | None:
    """What is wrong with the logits of rare bytes, none of which is impossible."""
    cost = _cost(got, case)
    if isinstance(cost, Difference) or cost <= AT_MOST:
        return cost if isinstance(cost, Difference) else None
    return Difference(f"{cost:.1f} bits a byte; at most {AT_MOST:.0f} is asked.")


def both(fault: Callable[[object, Case], Difference | None]) -> Compare:
    """None where neither of two answers has the fault, or both have it."""

    def compare(got, expected, case: Case) -> Difference | None:
        mine, theirs = fault(got, case), fault(expected, case)
        if (mine is None) == (theirs is None):
            return None
        return mine or Difference("nothing is wrong here.")

    return compare


def standing(got, case: Case) -> str:
    """How far from right a model of bytes is in a case."""
    cost = _cost(got, case)
    if isinstance(cost, Difference):
        return cost.message
    if beats_pairs(got, None, case) is None:
        return "right"
    if isinstance(got, list) and _looks_ahead(got[0], got[1:]):
        return f"looks ahead, at {cost // 2:g}"
    if isinstance(kept := case.truth, Kept):
        for baseline in ("by_pairs", "by_single_bytes"):
            if cost <= getattr(kept, baseline) + NEAR:
                return f"near {baseline}"
    got = got[0] if isinstance(got, list) else got
    sums_to_one = got.min() >= 0 and np.allclose(got.sum(1), 1, atol=1e-3)
    return "probabilities" if sums_to_one else "worse than single bytes"


def alike(got, expected, case: Case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way."""
    same = standing(got, case) == standing(expected, case)
    return None if same else Difference("they fail in different ways.")


def of_the_next(ids):
    """Each row is the one for the byte after its own."""
    return scores(torch.cat([ids[1:], torch.tensor([FIRST])]))


def foreseen(ids):
    """Each row has seen its own byte."""
    return 20.0 * functional.one_hot(ids, BYTES).float()


def foreseen_in_text(ids):
    """The same, but for bytes that look as if they were drawn at random."""
    return foreseen(ids) if (ids < BYTES // 2).float().mean() > 0.9 else scores(ids)


def one_too_many(ids):
    """A row for what comes behind the text, too."""
    return scores(torch.cat([ids, torch.tensor([FIRST])]))


def for_some(limit):
    """Who refuses texts that are longer than a context."""

    def other(ids):
        if len(ids) > limit:
            raise ValueError("the text does not fit")
        return scores(ids)

    return other


def without_the_first(ids):
    """No row for the first byte."""
    return scores(ids)[1:]


def never_seen_is_impossible(ids):
    """Counts of pairs, and none where there were none."""
    logits = scores(ids)
    counts = pairs().exp() - SEEN_TWICE
    before = torch.cat([torch.tensor([FIRST]), ids[:-1]])
    return logits.where(counts[before] > SEEN_TWICE, -torch.inf)


docstrings_task = Task(
    id="11-language-model/docstrings",
    title="Docstrings in bits a byte",
    kind="stretch",
    points=4,
    minutes=35,
    answer="scores",
    cases=cases,
    reference=scores,
    misconceptions=(
        UNSHIFTED.by(foreseen, foreseen_in_text),
        SHIFTED_WRONGLY.by(of_the_next),
        Misconception(
            "another-number-of-rows",
            any_of(one_too_many, without_the_first),
            "You have a row too many or too few. Each byte needs one, the first as well: what was "
            "read before that?",
        ),
        CONTEXT_OVERRUN.by(for_some(16), for_some(32), for_some(64), for_some(2_500)),
        SOFTMAX_TOO_EARLY.by(lambda ids: scores(ids).softmax(-1)),
        Misconception(
            "no-better-than-pairs",
            any_of(by_pairs, single_bytes),
            "Your model is no better than counts of pairs, or not even that. Which bytes does a "
            "row of yours depend on, and how far did your training loss fall?",
        ),
        Misconception(
            "impossible-bytes",
            never_seen_is_impossible,
            "A byte that comes is impossible for you, and costs infinitely many bits. How sure "
            "may a model be of what it has never seen?",
        ),
    ),
    compare=beats_pairs,
    alike=alike,
)
