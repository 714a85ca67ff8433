"""Stretch: what docstrings cost a model of bytes, in bits a byte, against counts of pairs."""

import math
from collections.abc import Callable
from functools import cache, cached_property, lru_cache

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.tasks.chapters.language_model.mistakes import CONTEXT_OVERRUN, PROBABILITIES, UNSHIFTED
from headway.tasks.engine.compare import Compare, Difference
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.probe import call_for_last
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
WHOLE, LONG = 1_500, 3_000  # bytes of a text that is given whole
SHORTEST, LONGEST = 16, 32  # bytes of a piece, of which the last is asked for and kept back
SOME, MANY = 500, 1_500  # pieces; all of them hold 36 kB of the 69 kB that are new


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


def shifted(ids: Tensor) -> Tensor:
    """What stands before each byte of a text (T,)."""
    return torch.cat([torch.tensor([FIRST]), ids[:-1]])


def by_pairs(ids: Tensor) -> Tensor:
    """The bigram's logits (T, 256) for the bytes ids (T,)."""
    return pairs()[shifted(ids)]


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


@cache
def shares() -> np.ndarray:
    """How large a part of the text each byte is (256,), and none of them none."""
    counts = np.bincount(known(), minlength=BYTES) + SEEN_TWICE
    return counts / counts.sum()


@lru_cache(maxsize=1 << 14)
def after(read: bytes) -> np.ndarray:
    """Log-probabilities (256,) of the byte after three, mixed with those after fewer.

    Each count takes as much from the shorter ones as there are kinds of bytes (Witten–Bell).
    """
    mixed = shares().copy()
    for before, (runs, counts) in enumerate(longer_counts(), start=1):
        key = int.from_bytes(read[-before:])
        first, last = np.searchsorted(runs, [key * BYTES, (key + 1) * BYTES])
        if first < last:
            seen, kinds = counts[first:last], last - first
            mixed *= kinds / (seen.sum() + kinds)
            mixed[runs[first:last] - key * BYTES] += seen / (seen.sum() + kinds)
    return np.log(mixed).astype(np.float32)


def scores(ids):
    """Logits (T, 256), each row from the three bytes before it."""
    read = bytes([FIRST] * (ORDER - 1) + ids.tolist())
    return torch.from_numpy(np.stack([after(read[t : t + ORDER - 1]) for t in range(len(ids))]))


def bits(logits: Tensor, ids: Tensor) -> float:
    """The mean cost of bytes (T,), in bits a byte."""
    return functional.cross_entropy(logits, ids).item() / math.log(2)


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


def kept_back(rng: np.random.Generator, text: Tensor) -> tuple[list[Tensor], Tensor]:
    """Pieces of a text that share no byte, in any order, and the last byte of each apart from it.

    In that byte's place stands one that is drawn from the text. So the bytes that are asked for
    never get to where the answer is.
    """
    ends = rng.integers(SHORTEST, LONGEST + 1, len(text) // SHORTEST).cumsum()
    ends = ends[ends <= len(text)]
    starts = np.concatenate([[0], ends[:-1]])
    chosen = rng.permutation(len(ends))[:MANY]
    pieces = [text[starts[i] : ends[i]].clone() for i in chosen]
    others = text[torch.from_numpy(rng.integers(0, len(text), len(pieces)))]
    for piece, other in zip(pieces, others, strict=True):
        piece[-1] = other
    return pieces, text[torch.from_numpy(ends[chosen] - 1)]


def cases(rng: np.random.Generator) -> list[Case]:
    long, rest = new().roll(int(rng.integers(len(new())))).tensor_split([LONG])
    whole = long[:WHOLE].clone()
    pieces, last = kept_back(rng, rest)
    before = torch.stack([piece[-2] for piece in pieces])

    def given_whole(label, text, **kind):
        return Case(label, text, truth=Kept(BETTER, text.clone(), shifted(text)), **kind)

    def last_bytes(label, number, below, **kind):
        truth = Kept(below, last[:number], before[:number])
        return Case(label, pieces[:number], truth=truth, verb=call_for_last, **kind)

    chance = torch.from_numpy(rng.integers(0, BYTES, 400))
    signs = "".join(rng.permutation(list("αβγδ½×÷≤≥…—“”éüßñ中文")))
    return [
        given_whole("docstrings of other modules", whole, core=True),
        Case("bytes that nobody can know", chance, core=True, compare=both(foreknowledge)),
        last_bytes("bytes that are kept back", SOME, BETTER, core=True),
        last_bytes(f"clearly better, by {CLEARLY} bits a byte", MANY, CLEARLY),
        given_whole("a text longer than most contexts", long.clone()),
        Case("signs that are rare in docstrings", bytes_of(signs), compare=both(refusal)),
        Case("a single byte", long[:1].clone(), compare=both(refusal)),
    ]


def _cost(got, case: Case) -> float | Difference:
    """What the case's bytes cost, or what is wrong with the form of the logits."""
    kept = case.truth
    ids = kept.ids if isinstance(kept, Kept) else case.inputs[0]
    if not isinstance(got, np.ndarray) or got.shape != (len(ids), BYTES) or got.dtype.kind != "f":
        shape = getattr(got, "shape", "no array")
        return Difference(
            f"logits for all {BYTES} bytes are asked for, in as many rows as a text has bytes; got "
            f"{shape}."
        )
    cost = bits(torch.from_numpy(got).double(), ids)
    return cost if math.isfinite(cost) else Difference("a byte has a probability of zero, or NaN.")


def beats_pairs(got, expected, case: Case) -> Difference | None:
    """Whether the text costs fewer bits than by counts of pairs, by as much as the case asks."""
    cost = _cost(got, case)
    if isinstance(cost, Difference):
        return cost
    limit = case.truth.by_pairs - case.truth.below
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
    if isinstance(kept := case.truth, Kept):
        for baseline in ("by_pairs", "by_single_bytes"):
            if cost <= getattr(kept, baseline) + NEAR:
                return f"near {baseline}"
    sums_to_one = got.min() >= 0 and np.allclose(got.sum(1), 1, atol=1e-3)
    return "probabilities" if sums_to_one else "worse than single bytes"


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
