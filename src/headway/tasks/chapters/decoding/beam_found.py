"""What a wrong result of beam search shows: its words, its scores, and what is missing."""

import math
from functools import cached_property

import numpy as np

from headway.tasks.chapters.decoding.beam_search import FINISHED, RESULT, beam
from headway.tasks.engine.mistakes import Shows, changed

(all_finished,) = changed(beam, RESULT, "return scored")
(with_every_end,) = changed(
    all_finished, FINISHED, FINISHED.replace("candidates[:K]", "candidates")
)

# What a sum of ln P may be divided by instead, of length L and α.
DIVISORS = (
    lambda L, alpha, steps: 1.0,
    lambda L, alpha, steps: L,
    lambda L, alpha, steps: L * alpha,
    lambda L, alpha, steps: alpha**L,
    lambda L, alpha, steps: (L + 1) ** alpha,
    lambda L, alpha, steps: max(L - 1, 1) ** alpha,
    lambda L, alpha, steps: steps**alpha,
    lambda L, alpha, steps: float(L) ** -alpha,
    lambda L, alpha, steps: ((5 + L) / 6) ** alpha,
)


def is_near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)


class Found:
    """A result of beam search, and what can be read off it.

    Attributes:
        ids: the words of each hypothesis, as tuples.
        scores: the scores that stand beside them.

    Raises:
        ValueError, TypeError: if the result has not the form of hypotheses.
    """

    def __init__(self, got, expected, case):
        self.table, self.start, self.K, self.steps, self.end, self.alpha = self.given = case.inputs
        self.ids = [tuple(map(int, ids)) for ids, _ in got]
        self.scores = [float(score) for _, score in got]
        self.right = {tuple(ids): score for ids, score in expected}
        words = [word for ids in self.ids for word in ids]
        if not all(self.ids) or not all(0 <= word < self.table.shape[-1] for word in words):
            raise ValueError(f"expected hypotheses of words, got {self.ids}")

    def terms(self, ids) -> list[float]:
        """ln P of each word, of no more words than there are steps."""
        before = (self.start, *ids)
        return [float(row[a, b]) for row, a, b in zip(self.table, before, ids, strict=False)]

    @cached_property
    def sums(self) -> list[float]:
        """ln P of each hypothesis."""
        return [sum(self.terms(ids)) for ids in self.ids]

    @cached_property
    def scores_are_right(self) -> bool:
        """Whether the scores are those of the words beside them."""
        return self.scores_by(lambda ids: sum(self.terms(ids)))

    def scores_by(self, total, divisor=lambda L, alpha, steps: float(L) ** alpha) -> bool:
        """Whether the scores come from another sum, or another term for the length."""
        return all(
            is_near(score, total(ids) / (divisor(len(ids), self.alpha, self.steps) or math.nan))
            for ids, score in zip(self.ids, self.scores, strict=True)
        )

    @cached_property
    def finished(self) -> dict[tuple[int, ...], float]:
        """All hypotheses that finish in the right search, with their scores."""
        return {tuple(ids): score for ids, score in all_finished(*self.given)}

    @cached_property
    def extra(self) -> set[tuple[int, ...]]:
        """Hypotheses that never finish in the right search."""
        return set(self.ids) - self.finished.keys()

    @cached_property
    def missing(self) -> set[tuple[int, ...]]:
        return self.right.keys() - set(self.ids)


def not_pairs(got, expected, case) -> bool:
    try:
        return not Found(got, expected, case)
    except (ValueError, TypeError):
        return True


def on(tells) -> Shows:
    """A predicate on what was found."""
    return lambda got, expected, case: bool(tells(Found(got, expected, case)))


@on
def goes_on(found):
    return any(found.end in ids[:-1] for ids in found.ids)


@on
def other_words(found):
    """Words that were given come first, there are too many, or an end is left out of its text."""

    def is_told_otherwise(ids, score):
        given = ids[0] == found.start and ids[1:] in found.finished
        ended = found.finished.get((*ids, found.end), math.nan)
        return given or len(ids) > found.steps or is_near(score, ended)

    return any(
        ids not in found.finished and is_told_otherwise(ids, score)
        for ids, score in zip(found.ids, found.scores, strict=True)
    )


@on
def impossible(found):
    return any(total == -math.inf for total in found.sums)


@on
def another_form(found):
    """The right hypotheses with others behind them, in another order, or with scores retold."""
    told, right = dict(zip(found.ids, found.scores, strict=True)), found.right.items()
    retold = (lambda score: score, lambda score: -score, math.exp)
    return not found.missing and any(
        all(is_near(told[ids], tell(score)) for ids, score in right) for tell in retold
    )


@on
def looked_up_elsewhere(found):
    table = found.table
    others = (
        table[:1].repeat(len(table), axis=0),
        table.swapaxes(1, 2),
        table[::-1],
        np.roll(table, -1, axis=0),
        np.roll(table, 1, axis=0),
        table[:, [found.start]].repeat(table.shape[1], axis=1),
    )

    def total_in(other):
        return lambda ids: sum(
            float(row[a, b]) for row, a, b in zip(other, (found.start, *ids), ids, strict=False)
        )

    return not found.scores_are_right and any(found.scores_by(total_in(t)) for t in others)


@on
def sum_for_product(found):
    totals = (
        lambda ids: sum(map(math.exp, found.terms(ids))),
        lambda ids: math.prod(found.terms(ids)),
        lambda ids: -abs(math.prod(found.terms(ids))),
    )
    return not found.scores_are_right and any(map(found.scores_by, totals))


@on
def length_term(found):
    """Scores that another term for the length explains, or the likeliest in place of the best."""
    if not found.scores_are_right:
        return any(found.scores_by(lambda ids: sum(found.terms(ids)), d) for d in DIVISORS)
    likeliest = sorted(
        found.finished, key=lambda ids: -found.finished[ids] * len(ids) ** found.alpha
    )
    return {*likeliest[: found.K]} == {*found.ids} != found.right.keys()


@on
def greedy(found):
    """All hypotheses leave the path of the likeliest words at their last word only."""
    path, last = [], found.start
    for row in found.table:
        last = int(row[last].argmax())
        path.append(last)

    def along(some):
        return all(ids[:-1] == tuple(path[: len(ids) - 1]) for ids in some)

    return along(found.ids) and not along(found.right)


@on
def ended_early(found):
    """The best of those that have finished up to some step before the last."""
    longest = max(map(len, found.ids))
    until = [ids for ids in found.finished if len(ids) <= longest]
    best = sorted(until, key=found.finished.get, reverse=True)[: found.K]
    return longest < max(map(len, found.right)) and {*best} == {*found.ids} and not found.extra


@on
def lost(found):
    """The best of those that ended, or of those that didn't, where others are among the best."""
    ranked = sorted(found.finished, key=found.finished.get, reverse=True)
    kinds = ([ids for ids in ranked if (ids[-1] == found.end) == ends] for ends in (True, False))
    return found.missing and any({*kind[: found.K]} == {*found.ids} for kind in kinds)


def _wait_in_the_right_search(found):
    """Whether what never finishes in the right search continues what lives there."""
    return found.extra <= {tuple(ids) for ids, _ in with_every_end(*found.given)}


@on
def finished_too_easily(found):
    """Some stop without an end, or there are more and all the right ones that can be the best."""
    if any(ids[-1] != found.end and len(ids) < found.steps for ids in found.extra):
        return True
    worst = min(found.scores)
    due = {ids for ids, score in found.finished.items() if score > worst}
    return found.extra and due <= set(found.ids) and _wait_in_the_right_search(found)


@on
def ranked_apart(found):
    return found.extra and _wait_in_the_right_search(found)


@on
def score_of_other_words(found):
    return not found.scores_are_right


@on
def another_beginning(found):
    return found.extra


@on
def better_text_missing(found):
    return found.missing and not found.extra and found.scores_are_right
