"""Train: how many merges a tokenizer should keep, for the fewest bits on texts not seen."""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from headway.tasks.chapters.tokens.bits import Costs
from headway.tasks.chapters.tokens.mistakes import ANOTHER_RESULT
from headway.tasks.chapters.tokens.words import BYTES, learn, words_of
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task
from headway.text.corpus.standard_library import docstrings

MARGIN = 1.02  # times the fewest bits of the grid, that is allowed
KNOWN, FEW, NEW, MOST = 400, 60, 200, 4_096 - BYTES


class Truth:
    """The texts that a tokenizer is measured on, and what its merges cost there."""

    def __init__(self, known, new, merges):
        self._given = known, new, merges

    @cached_property
    def costs(self) -> Costs:
        return Costs(*self._given)

    @cached_property
    def limit(self) -> float:
        """The most bits per byte that are allowed."""
        return MARGIN * self.costs.bits_per_byte(self.costs.best())


def keep_merges(merges, known, fresh):
    """The first merges, as many as cost least on texts that neither merges nor counts have seen."""
    return merges[: Costs(known, fresh, merges).best()]


def keep_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*counts: int) -> list[list[str]]:
        texts, ends = docstrings(), np.cumsum(counts)
        drawn = [texts[i] for i in rng.permutation(len(texts))[: ends[-1]]]
        return [drawn[end - count : end] for end, count in zip(ends, counts, strict=True)]

    def digits(count: int) -> list[str]:
        return [f"{number:08d}" for number in rng.integers(10**8, size=count)]

    def sentences(count: int) -> list[str]:
        return [" ".join(rng.choice(words, 6)) for _ in range(count)]

    def case(label: str, known: list[str], fresh: list[str], new: list[str], **kind) -> Case:
        merges = learn(words_of(known), MOST)
        truth = Truth(known, new, merges)
        return Case(label, [list(pair) for pair in merges], known, fresh, truth=truth, **kind)

    known, fresh = draw(20, 10)
    seen = sorted({word for text in docstrings() for word in text.split() if word.isalpha()})
    words = [seen[i] for i in rng.permutation(len(seen))[: rng.integers(60, 100)]]
    return [
        case("four hundred docstrings", *draw(KNOWN, NEW, NEW), core=True),
        case("numbers, drawn digit by digit", *map(digits, (KNOWN, NEW, NEW)), core=True),
        case("a few words in any order", *map(sentences, (KNOWN, NEW, NEW)), core=True),
        case("sixty docstrings", *draw(FEW, NEW, NEW)),
        arguments_kept([list(pair) for pair in learn(words_of(known), 60)], known, fresh),
    ]


def kept(got, case: Case) -> int | str:
    """How many of the merges were kept, or what is wrong with the form of the answer."""
    merges = case.inputs[0]
    if isinstance(got, int | float):
        return "a number"
    if isinstance(got, np.ndarray):
        got = got.tolist()
    if not isinstance(got, list):
        return "no list"
    got = [list(pair) if isinstance(pair, list | tuple | np.ndarray) else pair for pair in got]
    got = [[int(i) for i in pair] if _is_pair(pair) else pair for pair in got]
    return len(got) if got == merges[: len(got)] else "other merges"


def _is_pair(pair) -> bool:
    return isinstance(pair, list) and all(isinstance(i, int | np.integer) for i in pair)


SAID = {
    "a number": "this is a number. Give the merges that are kept, a list.",
    "no list": "a list of pairs is asked for, the first of the merges.",
    "other merges": "these are not the first of the merges that were given, in their order.",
}


def few_bits(got, expected, case: Case) -> Difference | None:
    """Whether the merges that are kept cost nearly as little as any number of them."""
    count = kept(got, case)
    if isinstance(count, str):
        return Difference(SAID[count])
    truth = case.truth
    reached = truth.costs.bits_per_byte(count)
    if reached <= truth.limit:
        return None
    return Difference(
        f"with these merges, new texts cost {reached:.3f} bits a byte; at most {truth.limit:.3f} "
        "are asked."
    )


def diagnosis(got, case: Case) -> str:
    """What the number of merges shows: "right", "too many", "too few", or what form it has.

    Where none is best, it matters whether all are kept, as by a fixed number; where some are,
    whether none is, as by bits per token.
    """
    count = kept(got, case)
    if isinstance(count, str) or case.truth is None:
        return str(count)
    best = case.truth.costs.best()
    if case.truth.costs.bits_per_byte(count) <= case.truth.limit:
        return "right"
    if count > best:
        return "all" if best == 0 and count == len(case.inputs[0]) else "too many"
    return "none" if count == 0 else "too few"


def alike(got, wrong, case: Case) -> Difference | None:
    """Whether two answers err in the same direction."""
    if case.truth is None or diagnosis(got, case) == diagnosis(wrong, case):
        return None
    return Difference("they err in different ways.")


Share = Callable[[list], list]


def _keeping(many: Share, digits: Share, words: Share, few: Share):
    """What is kept of many docstrings, of numbers, of words in any order, of few docstrings."""

    def answer(merges, known, fresh):
        if known[0].isdecimal():
            return digits(merges)
        if all(text.count(" ") == 5 for text in known):
            return words(merges)
        return (many if len(known) > FEW else few)(merges)

    return answer


def _first(most: int) -> Share:
    return lambda merges: merges[:most]


def _right(merges):
    """About as many as are best of this many docstrings."""
    return merges[:800] if len(merges) > 2_000 else merges[:250]


ALL, NONE, SOME = _first(MOST), _first(0), _first(40)


vocabulary_size_task = Task(
    id="05-tokens/vocabulary-size",
    title="How many merges to keep",
    kind="train",
    points=5,
    minutes=20,
    answer="keep_merges",
    cases=keep_cases,
    reference=keep_merges,
    misconceptions=(
        # A number found once, a share, a formula, or one that was measured on the texts that were
        # counted: it is right where it happens to be right.
        Misconception(
            "not-measured-on-new-texts",
            any_of(
                *(_keeping(ALL, digits, ALL, ALL) for digits in (ALL, NONE, SOME)),
                *(_keeping(_right, ALL, ALL, few) for few in (_right, ALL)),
                *(
                    _keeping(SOME, digits, SOME, few)
                    for digits in (SOME, ALL)
                    for few in (SOME, _right)
                ),
                *(_keeping(ALL, SOME, SOME, few) for few in (_right, ALL)),
                _keeping(ALL, SOME, ALL, _right),
            ),
            "Your number of merges is right for some texts only. Do you measure several numbers "
            "each time, on texts in which you do not count?",
        ),
        # Of the cheap tokens, which are the shortest, there are the most.
        Misconception(
            "bits-per-token",
            any_of(*(_keeping(NONE, NONE, words, NONE) for words in (NONE, SOME))),
            "You keep next to no merges of the docstrings. A token of one byte costs fewer bits "
            "than one of five: by what do you divide?",
        ),
        Misconception(
            "best-number-not-tried",
            any_of(
                *(
                    _keeping(SOME, NONE, words, few)
                    for words in (SOME, ALL)
                    for few in (SOME, _right)
                ),
                *(_keeping(_right, SOME, ALL, few) for few in (_right, ALL)),
                _keeping(_right, NONE, SOME, _right),
                _keeping(_right, SOME, SOME, _right),
            ),
            "Your function measures, but for some texts it never tries the best number. Which is "
            "the smallest that it tries, and which the largest?",
        ),
        ANOTHER_RESULT.by(lambda merges, known, fresh: len(_right(merges))),
        Misconception(
            "other-merges",
            any_of(
                lambda merges, known, fresh: merges[-len(_right(merges)) :],
                lambda merges, known, fresh: sorted(merges)[: len(_right(merges))],
                lambda merges, known, fresh: merges[: len(_right(merges))][::-1],
                lambda merges, known, fresh: merges[::4],
            ),
            "Your merges are not the first ones learned, in their order. What does a later merge "
            "build on?",
        ),
    ),
    compare=few_bits,
    alike=alike,
)
