"""Stretch: what docstrings cost a model of bytes, in bits a byte, against counts of pairs."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.language_model.mistakes import CONTEXT_OVERRUN, PROBABILITIES, UNSHIFTED
from headway.tasks.engine.compare import Compare, Difference
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.standard_library import MODULES, docstrings

BYTES, FIRST = 256, 10  # a text begins as if a line had ended
HELD_OUT = ("calendar", "heapq", "queue", "random", "shutil", "statistics", "textwrap", "threading")
EVEN = math.log2(BYTES)
FOREKNOWN = 7.0  # bits a byte; nobody needs less for bytes drawn at random
AT_MOST = 25.0
BETTER, CLEARLY = 0.05, 0.3  # bits a byte below the pairs
NEAR = 0.2
ORDER, SEEN_TWICE = 4, 0.1


def bytes_of(text: str) -> Tensor:
    """The bytes of a text in UTF-8, int64 (T,)."""
    return torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8).long()


@cache
def known() -> Tensor:
    """The docstrings to learn from, one after the other."""
    names = tuple(name for name in MODULES if name not in HELD_OUT)
    return bytes_of("\n\n".join(docstrings(names)))


@cache
def new() -> Tensor:
    """Docstrings of other modules; what stands in both is taken out."""
    seen = set(docstrings(tuple(name for name in MODULES if name not in HELD_OUT)))
    return bytes_of("\n\n".join(text for text in docstrings(HELD_OUT) if text not in seen))


@cache
def pairs() -> Tensor:
    """Logits (256, 256) of the byte after each byte, by counts of pairs."""
    counts = torch.bincount(BYTES * known()[:-1] + known()[1:], minlength=BYTES**2)
    return (counts.view(BYTES, BYTES) + SEEN_TWICE).log()


def by_pairs(ids: Tensor) -> Tensor:
    """The bigram's logits (T, 256) for the bytes ids (T,)."""
    return pairs()[torch.cat([torch.tensor([FIRST]), ids[:-1]])]


@cache
def longer_counts() -> list[tuple[np.ndarray, np.ndarray]]:
    """For one byte before, two and three: the runs that were seen, in order, and how often."""
    text = known().numpy()
    found = []
    for before in range(1, ORDER):
        key = np.zeros(len(text) - before, dtype=np.int64)
        for place in range(before + 1):
            key = key * BYTES + text[place : len(text) - before + place]
        found.append(np.unique(key, return_counts=True))
    return found


def scores(ids):
    """Logits (T, 256) from the last three bytes, mixed with those from fewer (Witten–Bell)."""
    mixed = np.tile(np.bincount(known(), minlength=BYTES) + SEEN_TWICE, (len(ids), 1))
    mixed /= mixed.sum(1, keepdims=True)
    read = np.array([*[FIRST] * (ORDER - 1), *ids.tolist()])
    for before, (runs, counts) in enumerate(longer_counts(), start=1):
        for t in range(len(ids)):
            key = 0
            for byte in read[t + ORDER - 1 - before : t + ORDER - 1]:
                key = key * BYTES + int(byte)
            first, last = np.searchsorted(runs, [key * BYTES, (key + 1) * BYTES])
            if first < last:
                seen, kinds = counts[first:last], last - first
                mixed[t] *= kinds / (seen.sum() + kinds)
                mixed[t, runs[first:last] - key * BYTES] += seen / (seen.sum() + kinds)
    return torch.from_numpy(np.log(mixed)).float()


def bits(logits: Tensor, ids: Tensor) -> float:
    """The mean cost of bytes (T,), in bits a byte."""
    return functional.cross_entropy(logits, ids).item() / math.log(2)


def cases(rng: np.random.Generator) -> list[Case]:
    def piece(length):
        start = int(rng.integers(len(new()) - length))
        return new()[start : start + length].clone()

    chance = torch.from_numpy(rng.integers(0, BYTES, 400))
    signs = "".join(rng.permutation(list("αβγδ½×÷≤≥…—“”éüßñ中文")))
    return [
        Case("docstrings of other modules", piece(1_500), truth=BETTER, core=True),
        Case("bytes that nobody can know", chance, core=True, compare=both(foreknowledge)),
        Case(f"clearly better, by {CLEARLY} bits a byte", piece(2_000), truth=CLEARLY),
        Case("a text longer than most contexts", piece(3_000), truth=BETTER),
        Case("signs that are rare in docstrings", bytes_of(signs), compare=both(refusal)),
        Case("a single byte", piece(1), compare=both(refusal)),
    ]


def _cost(got, case: Case) -> float | Difference:
    """What the case's bytes cost, or what is wrong with the form of the logits."""
    (ids,) = case.inputs
    expected = (len(ids), BYTES)
    if not isinstance(got, np.ndarray) or got.shape != expected or got.dtype.kind != "f":
        shape = getattr(got, "shape", "no array")
        return Difference(f"logits of shape {expected} are asked for; got {shape}.")
    cost = bits(torch.from_numpy(got).double(), ids)
    return cost if math.isfinite(cost) else Difference("a byte has a probability of zero, or NaN.")


def beats_pairs(got, expected, case: Case) -> Difference | None:
    """Whether the text costs fewer bits than by counts of pairs, by as much as the case asks."""
    cost = _cost(got, case)
    if isinstance(cost, Difference):
        return cost
    (ids,) = case.inputs
    limit = bits(by_pairs(ids), ids) - case.truth
    if cost <= limit:
        return None
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
    (ids,) = case.inputs
    for baseline in (by_pairs, single_bytes):
        if cost <= bits(baseline(ids), ids) + NEAR:
            return f"near {baseline.__name__}"
    shares = got.min() >= 0 and np.allclose(got.sum(1), 1, atol=1e-3)
    return "probabilities" if shares else "worse than single bytes"


def alike(got, expected, case: Case) -> Difference | None:
    """Whether two answers are both right, or fail in the same way."""
    same = standing(got, case) == standing(expected, case)
    return None if same else Difference("they fail in different ways.")


def single_bytes(ids):
    """Logits of how often each byte comes, whatever stands before it."""
    return (torch.bincount(known(), minlength=BYTES) + SEEN_TWICE).log().repeat(len(ids), 1)


def of_the_next(ids):
    """Each row is the one for the byte after its own."""
    return scores(torch.cat([ids[1:], torch.tensor([FIRST])]))


def foreseen(ids):
    """Each row has seen its own byte."""
    return 20.0 * functional.one_hot(ids, BYTES).float()


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
        UNSHIFTED.by(foreseen),
        Misconception(
            "row-of-the-next-byte",
            of_the_next,
            "Your rows are one place off: the row that stands at a byte was made for the one after "
            "it. What has the model read when it gives its first row, and which row is the first "
            "that is asked for?",
        ),
        Misconception(
            "another-number-of-rows",
            any_of(one_too_many, without_the_first),
            "You have a row too many or too few. Each byte needs one, the first as well: what "
            "stands before it?",
        ),
        CONTEXT_OVERRUN.by(
            any_of(for_some(16), for_some(32), for_some(64), for_some(2_500)),
        ),
        PROBABILITIES.by(
            lambda ids: scores(ids).softmax(-1),
        ),
        Misconception(
            "no-better-than-pairs",
            any_of(by_pairs, single_bytes),
            "Your model is no better than counts of pairs, or not even that. Which bytes does a "
            "row of yours depend on, and did your training loss fall below that of the pairs?",
        ),
        Misconception(
            "impossible-bytes",
            never_seen_is_impossible,
            "A byte that comes is impossible for you, and costs infinitely many bits. What has "
            "your model seen of it, and how sure may it be?",
        ),
    ),
    compare=beats_pairs,
    alike=alike,
)
