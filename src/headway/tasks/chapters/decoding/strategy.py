"""Train: a strategy that finds nearly the best words, and may ask the model so often only."""

import math
from typing import NamedTuple

import numpy as np

from headway.ngram.phrases import (
    best_log_probability,
    log_probability,
    misleading_chain,
    phrase_chain,
    vocabulary_size,
)
from headway.ngram.strategies import greedy
from headway.tasks.chapters.decoding.mistakes import (
    GREEDY,
    NOT_IN_THE_FORM,
    OTHER_WORDS_THAN_CHOSEN,
    SOME_NUMBERS,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import seen
from headway.tasks.engine.probe.asks import ask_and_count
from headway.tasks.engine.task import Case, Task

TARGET = 0.01  # how much lower than the best the sum of ln P may be
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
SAME_ENDS = "phrases with the same last words"
FORM = "a list of ids is asked for, each of them a whole number in 0 … V − 1."


def choose_words(model, V, start, steps, budget):
    """Ever wider beams of different endings, and a memory of what the model said."""
    known, found = {}, (-math.inf, None)
    for width in WIDTHS:
        found = max(found, widened(model, start, steps, budget, known, width), key=lambda f: f[0])
    return found[1]


def widened(model, start, steps, budget, known, width):
    """ln P and ids of the best that a beam of endings finds; it asks what is not known yet."""
    living, before = {tuple(start): 0.0}, []
    for _ in range(steps):
        rows, parents = {}, {}  # by the last word: the best ln P of each next one, and from where
        for (a, b), log_p in living.items():
            if (a, b) not in known:
                if len(known) == budget:
                    continue
                known[a, b] = model(a, b)
            row = log_p + known[a, b]
            if b in rows:
                parents[b] = np.where(row > rows[b], a, parents[b])
                rows[b] = np.maximum(row, rows[b])
            else:
                rows[b], parents[b] = row, np.full(len(row), a)
        if not rows:
            return -math.inf, None
        lasts, grown = list(rows), np.array(list(rows.values()))
        places = np.argsort(-grown, axis=None, kind="stable")[:width]
        pairs = [
            (lasts[i], int(w)) for i, w in zip(*np.divmod(places, grown.shape[1]), strict=True)
        ]
        living = dict(zip(pairs, grown.flatten()[places], strict=True))
        before.append(parents)
    (b, w), log_p = next(iter(living.items()))
    ids = []
    for parents in reversed(before):
        ids.append(w)
        b, w = int(parents[b][w]), b
    return log_p, ids[::-1]


class Truth(NamedTuple):
    """What the answers to a case are measured by.

    Attributes:
        tables: (N, V, V, V), ln P of N chains.
        best: the sum of the largest ln P.
        greedy: the sum of what the greedy choice finds.
        limit: the lowest sum that passes.
    """

    tables: np.ndarray
    best: float
    greedy: float
    limit: float


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, N, phrases, steps, budget, as_greedy=False, same_ends=False, **options):
        """`as_greedy`: the words need only be as good as the greedy ones."""
        drawn = [
            misleading_chain(rng, phrases, steps, same_ends)
            if steps > 1
            else phrase_chain(rng, phrases)
            for _ in range(N)
        ]
        tables = np.round(np.array([table for table, *_ in drawn]), 6)
        starts = [start for _, start, *_ in drawn]
        pairs = list(zip(tables, starts, strict=True))
        best = sum(best_log_probability(table, start, steps) for table, start in pairs)
        by_greedy = sum(
            log_probability(table, start, greedy(lambda a, b, t=table: t[a, b], 0, start, steps, 0))
            for table, start in pairs
        )
        limit = by_greedy - 1e-9 if as_greedy else (1 + TARGET) * best
        given = [[vocabulary_size(phrases), start, steps, budget] for start in starts]
        truth = Truth(tables, best, by_greedy, limit)
        return Case(label, tables, given, truth=truth, **options)

    return [
        draw("six phrases", 8, 6, 40, 150, core=True),
        draw("five phrases", 6, 5, 40, 150),
        draw("longer texts", 8, 6, 80, 180, path="another length"),
        draw("one word", 4, 5, 1, 20, path="another length"),
        draw(SAME_ENDS, 6, 5, 40, 150, same_ends=True),
        draw("a budget for the greedy choice only", 4, 5, 30, 30, as_greedy=True),
    ]


class Symptoms(NamedTuple):
    """How the answers to a case did.

    Attributes:
        total: the sum of ln P of the words that came.
        most: the most questions that were asked about one chain.
        again: the share of questions that had been asked before.
        as_greedy: whether all words are the greedy ones.
    """

    total: float
    most: int
    again: float
    as_greedy: bool


def steps_of(case: Case) -> int:
    """How many words each text of a case has."""
    return case.inputs[1][0][2]


def examine(got, case: Case) -> Symptoms | str:
    """What came of the case's chains, or what is wrong with its form."""
    tables, given = case.inputs
    total, most, asked, distinct, as_greedy = 0.0, 0, 0, 0, True
    given_again = steps_of(case) > 2
    for table, (V, start, steps, _), (ids, count, different) in zip(
        tables, given, got, strict=True
    ):
        ids = ids.tolist() if isinstance(ids, np.ndarray) else ids
        if not isinstance(ids, list) or not all(type(i) is int and 0 <= i < V for i in ids):
            return FORM
        if len(ids) != steps:
            return f"{len(ids)} words came where {steps} are asked for."
        given_again &= ids[:2] == list(start)
        total += log_probability(table, start, ids)
        most, asked, distinct = max(most, count), asked + count, distinct + different
        as_greedy &= ids == greedy(lambda a, b, t=table: t[a, b], V, start, steps, 0)
    if given_again:
        return "every text begins with the two words that were given."
    return Symptoms(total, most, 1 - distinct / max(asked, 1), as_greedy)


def near_the_best(got, expected, case) -> Difference | None:
    """Whether the words are likely enough, and the questions few enough."""
    found, truth = examine(got, case), case.truth
    if isinstance(found, str):
        return Difference(found)
    budget = case.inputs[1][0][3]
    if found.most > budget:
        return Difference(
            f"the model was asked {found.most} times about a chain; {budget} are allowed."
        )
    if found.total >= truth.limit:
        return None
    return Difference(
        f"the sum of ln P is {found.total:.1f}, {found.total / truth.best - 1:.1%} below the "
        f"best there is, {truth.best:.1f}; at least {truth.limit:.1f} is asked. The greedy choice "
        f"has {truth.greedy:.1f}. Of your questions, {found.again:.0%} had been asked before."
    )


def on(tells):
    """A predicate on what came of a case's chains, in the form that was asked for."""

    def shows(got, expected, case) -> bool:
        found = examine(got, case)
        return not isinstance(found, str) and tells(found, case.truth)

    return shows


strategy_task = Task(
    id="14-decoding/strategy",
    title="Nearly the best, for few questions",
    kind="train",
    points=5,
    minutes=40,
    answer="choose_words",
    cases=cases,
    verb=ask_and_count,
    own_draw=True,
    reference=choose_words,
    misconceptions=(
        NOT_IN_THE_FORM.by(shows=lambda got, expected, case: examine(got, case) == FORM),
        OTHER_WORDS_THAN_CHOSEN.by(
            shows=lambda got, expected, case: isinstance(examine(got, case), str)
        ),
        seen(
            "budget-exceeded",
            "Your strategy asks the model more often than it may. How many questions come at each "
            "step, and which of them do you need?",
            lambda got, expected, case: max(n for _, n, _ in got) > case.inputs[1][0][3],
        ),
        GREEDY.by(shows=on(lambda found, truth: found.as_greedy)),
        seen(
            "worse-than-greedy",
            "What you return is less likely than the greedy words. Do your numbers add up to ln P "
            "of the words that you return?",
            on(lambda found, truth: found.total < truth.greedy),
        ),
        seen(
            "beginnings-merged-by-the-last-word",
            "It goes wrong where all phrases end in the same words. Which two beginnings do you "
            "take for one, and on how many words does this model's next word depend?",
            only_at=(SAME_ENDS,),
        ),
        SOME_NUMBERS.by(
            only_at=(
                "five phrases",
                "longer texts",
                "one word",
                "a budget for the greedy choice only",
            )
        ),
        seen(
            "questions-asked-again",
            "You beat the greedy choice, but more than a fifth of your questions had been asked "
            "before. How often must this model be asked the same?",
            on(lambda found, truth: found.total > truth.greedy and found.again > 0.2),
        ),
        seen(
            "alternatives-lost",
            "You beat the greedy choice, but not by enough, and most of your questions are new. "
            "Print what is alive after twenty words: where do your hypotheses still differ?",
            on(lambda found, truth: found.total > truth.greedy and found.again <= 0.2),
        ),
    ),
    compare=near_the_best,
)
