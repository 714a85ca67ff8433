"""Stretch: the best hypothesis of all, in a chain that remembers two words."""

import math
from functools import partial

import numpy as np

from headway.tasks.chapters.decoding.beam_found import DIVISORS, is_near
from headway.tasks.chapters.decoding.draw import log_softmax
from headway.tasks.chapters.decoding.mistakes import (
    AT_AN_EDGE,
    FINISHED_GOES_ON,
    FINISHED_TOO_EASILY,
    GREEDY,
    HYPOTHESES_LOST,
    IMPOSSIBLE_WORDS,
    LENGTH_TERM_MISTAKEN,
    LONGER_TEXT_MISSED,
    LOOKED_UP_ELSEWHERE,
    OTHER_WORDS_THAN_CHOSEN,
    RESULTS_IN_ANOTHER_FORM,
    SCORE_OF_OTHER_WORDS,
    UNDERFLOW,
    WRONG_WHERE_LENGTH_COUNTS,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed, either, seen
from headway.tasks.engine.task import Case, Task


def exact(table, start, steps, end, alpha):
    """[ids, score] of the best hypothesis; one best beginning for each two last words."""
    V = len(table)
    best = np.full((V, V), -np.inf)
    best[tuple(start)] = 0.0
    before, found, most = [], None, -math.inf
    for t in range(1, steps + 1):
        longer = best[:, :, None] + table
        before.append(longer.argmax(axis=0))
        best = longer.max(axis=0)
        done = best.copy()
        if t < steps:
            done[:, np.arange(V) != end] = -np.inf
        place = np.unravel_index(done.argmax(), done.shape)
        if done[place] / t**alpha > most:
            most, found = done[place] / t**alpha, (t, *place)
        best[:, end] = -np.inf
    length, a, b = found
    ids = []
    for t in reversed(range(length)):
        ids.append(int(b))
        a, b = before[t][a, b], a
    return [ids[::-1], float(most)]


def exact_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, steps, alpha, often=0.0, sharp=1.5):
        end, *start = map(int, rng.permutation(V)[:3])
        logits = sharp * rng.normal(size=(V, V, V))
        logits[:, :, end] += often
        return log_softmax(logits), start, steps, end, alpha

    def is_spared(mistake, given):
        return as_good(mistake(*given), exact(*given), Case("", *given)) is None

    def telling(mistakes, *sizes, spared=()):
        """A chain in which some mistakes come to worse words, and not all words are alike."""
        return draw_until(
            lambda given: (
                len(set(exact(*given)[0])) > 2
                and not any(is_spared(mistake, given) for mistake in mistakes)
                and all(is_spared(mistake, given) for mistake in spared)
            ),
            partial(draw, *sizes),
        )

    def rare():
        table, *rest = draw(6, 9, 0.8, -1.0)
        table[rng.random((6, 6, 6)) < 0.4] = -np.inf
        table[..., rest[2]] = rng.uniform(-4, -3, (6, 6))
        return log_softmax(table), *rest

    def twice():
        table, start, *rest = draw(6, 8, 0.7, -1.0)
        return table, [start[0]] * 2, *rest

    def sparing(draw):
        """A chain in which the best rest by itself is part of the best text."""
        return draw_until(partial(is_spared, from_the_back), draw)

    return [
        Case("ends that hardly ever come", *telling(IN_LONG_TEXTS, 8, 16, 0.0, -9.0), core=True),
        Case(
            "many ends, longer texts favored",
            *telling(ENDS, 6, 8, 1.0, 2.0, spared=(from_the_back, half_of_the_steps)),
            core=True,
        ),
        Case("ends like other words", *telling([last_end_lost], 6, 5, 0.0, -2.5)),
        Case("means of logarithms", *telling([from_the_back, a_step_more], 6, 10, 1.0, 0.0)),
        Case("a length that counts in part", *telling([from_the_back], 7, 10, 0.6, -0.5)),
        Case(
            "half of the length, many ends",
            *telling([stopped_early, from_the_back], 5, 14, 0.5, 0.5),
        ),
        Case("one step", *draw(6, 1, 1.0), path="few steps"),
        Case("two steps", *draw(6, 2, 0.0, -5.0), path="few steps"),
        Case("three steps", *sparing(partial(draw, 6, 3, 0.3, -1.0)), path="few steps"),
        Case("some words cannot follow", *sparing(rare)),
        Case("the same word twice before", *sparing(twice)),
        Case("a long text", *draw(8, 300, 1.0, -12.0)),
    ]


ENDED = "        best[:, end] = -np.inf\n"
UNENDED = "if t < steps:\n            done[:, np.arange(V) != end] = -np.inf"

(beyond_the_end,) = changed(exact, ENDED, "")


def greedy(table, start, steps, end, alpha):
    ids, total = [], 0.0
    a, b = start
    for _ in range(steps):
        w = int(table[a, b].argmax())
        ids, total, a, b = [*ids, w], total + table[a, b, w], b, w
        if w == end:
            break
    return [ids, float(total / len(ids) ** alpha)]


def beam_of(K, table, start, steps, end, alpha):
    """The best hypothesis of a beam of K."""
    living, finished = [([], 0.0)], []
    for t in range(1, steps + 1):
        grown = []
        for ids, total in living:
            a, b = [*start, *ids][-2:]
            grown += [([*ids, w], total + table[a, b, w]) for w in range(len(table))]
        grown.sort(key=lambda c: -c[1])
        finished += [c for c in grown[:K] if c[0][-1] == end or t == steps]
        living = [c for c in grown if c[0][-1] != end][:K]
    ids, total = max(finished, key=lambda c: c[1] / len(c[0]) ** alpha)
    return [ids, float(total / len(ids) ** alpha)]


def one_word_remembered(table, start, steps, end, alpha):
    """One best beginning for each last word only."""
    best = {start[1]: (0.0, [])}
    found = []
    for t in range(1, steps + 1):
        grown = {}
        for total, ids in best.values():
            a, b = [*start, *ids][-2:]
            for w in range(len(table)):
                c = total + table[a, b, w], [*ids, w]
                if w not in grown or c[0] > grown[w][0]:
                    grown[w] = c
        found += [c for w, c in grown.items() if w == end or t == steps]
        best = {w: c for w, c in grown.items() if w != end}
    total, ids = max(found, key=lambda c: c[0] / len(c[1]) ** alpha)
    return [ids, float(total / len(ids) ** alpha)]


def from_the_back(table, start, steps, end, alpha):
    """For each two words the rest that has the best score by itself."""
    V = len(table)
    best = {(a, b): (0.0, ()) for a in range(V) for b in range(V)}

    def rest(a, b):
        ways = [(table[a, b, end], (end,))]
        for w in range(V):
            if w != end:
                total, ids = best[b, w]
                ways.append((table[a, b, w] + total, (w, *ids)))
        return max(ways, key=lambda way: way[0] / len(way[1]) ** alpha)

    for _ in range(steps):
        best = {pair: rest(*pair) for pair in best}
    total, ids = best[tuple(start)]
    return [list(ids), float(total / len(ids) ** alpha)]


traced_wrongly = changed(
    exact,
    "before[t][a, b], a",
    "before[length - 1][a, b], a",
    "before[t][b, a], a",
    "before[t - 1][a, b], a",
)
ends_lost, unended_lost = changed(
    exact,
    UNENDED,
    "if t < steps:\n            done[:] = -np.inf",
    "done[:, np.arange(V) != end] = -np.inf",
)
(last_end_lost,) = changed(
    exact, UNENDED, f"{UNENDED}\n        else:\n            done[:, end] = -np.inf"
)
(stopped_early,) = changed(
    exact, ENDED, f"{ENDED}        if best.max() / t**alpha <= most:\n            break\n"
)
a_step_more, half_of_the_steps = changed(
    exact, "range(1, steps + 1)", "range(1, steps + 2)", "range(1, steps // 2 + 1)"
)
BEAMS = tuple(partial(beam_of, K) for K in (3, 5))
BEAMS_AND_GREED = (greedy, *BEAMS, partial(beam_of, 10))
IN_LONG_TEXTS = (*BEAMS_AND_GREED, one_word_remembered, *traced_wrongly, half_of_the_steps)
ENDS = (beyond_the_end, ends_lost)


def as_good(got, expected, case) -> Difference | None:
    """Whether the words have the best score, and the score is theirs: equally good ones will do."""
    table, start, steps, end, alpha = case.inputs
    V = len(table)
    if not (isinstance(got, list) and len(got) == 2 and isinstance(got[0], list | np.ndarray)):
        return Difference("two things are asked for: the ids, and their score.")
    ids, score = list(map(int, got[0])), got[1]
    if not ids or not isinstance(score, float | int) or not all(0 <= i < V for i in ids):
        return Difference("the ids are whole numbers in 0 … V − 1, and the score is a number.")
    if len(ids) > steps or end in ids[:-1] or (len(ids) < steps and ids[-1] != end):
        return Difference(f"{ids} is no hypothesis of up to {steps} words with the end {end}.")
    words = [*start, *ids]
    log_p = sum(table[words[t - 2], words[t - 1], words[t]] for t in range(2, len(words)))
    own, best = log_p / len(ids) ** alpha, expected[1]
    limit = 1e-6 + 1e-6 * abs(best)
    if not abs(own - score) <= limit:
        return Difference(f"the score of the ids is {own:.4f}; got {score:.4f}.")
    if own >= best - limit:
        return None
    return Difference(f"the score is {own:.4f}; there are words that have {best:.4f}.")


class Found:
    """A result, and what can be read off it.

    Attributes:
        ids: the words.
        score: the score that stands beside them.
        total: ln P of the words.
        right: their score.
        best, longest: the best score of all, and the length of the words that have it.

    Raises:
        ValueError, TypeError, IndexError: if the result has not the form of a hypothesis.
    """

    def __init__(self, got, expected, case):
        self.table, self.start, self.steps, self.end, self.alpha = self.given = case.inputs
        ids, self.score = got
        self.ids, self.length = list(map(int, ids)), len(ids)
        if not self.ids or min(self.ids) < 0:
            raise ValueError(f"expected ids, got {self.ids}")
        self.total = self.total_in(self.table)
        self.right, self.best = self.total / self.length**self.alpha, expected[1]
        self.longest = len(expected[0])
        self.score_is_right = is_near(self.score, self.right)
        self.words_are_best = is_near(self.right, self.best)

    def total_in(self, table) -> float:
        words = [*self.start, *self.ids]
        return float(
            sum(table[a, b, w] for a, b, w in zip(words, words[1:], words[2:], strict=False))
        )

    def is_as_good_as(self, *others) -> bool:
        """Whether the words are as good as those that a search with another rule finds."""
        return any(is_near(self.right, other(*self.given)[1]) for other in others)

    def is_the_best_by(self, alpha) -> bool:
        return alpha != self.alpha and is_near(
            self.total / self.length**alpha, exact(*self.given[:-1], alpha)[1]
        )


def on(tells):
    """A predicate on what was found."""
    return lambda got, expected, case: bool(tells(Found(got, expected, case)))


def other_words(found) -> bool:
    """Words that were given come first, or the end of the best text is left out."""
    ended = [*found.ids, found.end]
    given = found.steps < found.length or (found.length > 2 and found.ids[:2] == [*found.start])
    found.ids = ended
    return given or is_near(found.total_in(found.table) / len(ended) ** found.alpha, found.best)


def told_otherwise(found) -> bool:
    """The best words, with their score as a probability or with another sign."""
    told = (-found.best, math.exp(found.best))
    return found.words_are_best and any(is_near(found.score, score) for score in told)


def the_score_first(got, expected, case) -> bool:
    return isinstance(got[1], list) and as_good(got[::-1], expected, case) is None


def length_term(found) -> bool:
    if not found.score_is_right:
        divisors = (divided(found.length, found.alpha, found.steps) for divided in DIVISORS)
        return any(d and is_near(found.score, found.total / d) for d in divisors)
    return found.is_the_best_by(0.0) or found.is_the_best_by(1.0)


def longer_text_missed(got, expected, case) -> bool:
    """Shorter words with their own score; but who ignores the length fails the core cases, too."""
    found = Found(got, expected, case)
    by_sums = case.core and found.is_the_best_by(0.0)
    return found.score_is_right and found.longest > found.length and not by_sums


exact_task = Task(
    id="14-decoding/exact",
    title="The best of all",
    kind="stretch",
    points=4,
    minutes=35,
    answer="exact",
    cases=exact_cases,
    reference=exact,
    excused=("kind-of-numbers",),  # rounded logarithms are equal too often
    misconceptions=(
        AT_AN_EDGE.by(only_at=("one step", "two steps", "three steps")),
        UNDERFLOW.by(only_at=("a long text",)),
        FINISHED_GOES_ON.by(shows=on(lambda found: found.end in found.ids[:-1])),
        OTHER_WORDS_THAN_CHOSEN.by(shows=on(other_words)),
        FINISHED_TOO_EASILY.by(
            shows=on(lambda found: found.steps > found.length and found.ids[-1] != found.end)
        ),
        RESULTS_IN_ANOTHER_FORM.by(shows=either(the_score_first, on(told_otherwise))),
        seen(
            "traced-back-wrongly",
            "Your score is right, and the words are not those that have it. Which table of "
            "decisions belongs to which step on the way back?",
            on(lambda found: is_near(found.score, found.best)),
        ),
        LONGER_TEXT_MISSED.by(shows=longer_text_missed),
        LENGTH_TERM_MISTAKEN.by(
            shows=on(length_term),
        ),
        WRONG_WHERE_LENGTH_COUNTS.by(
            from_the_back,
            only_at=(
                "means of logarithms",
                "a length that counts in part",
                "half of the length, many ends",
            ),
        ),
        LOOKED_UP_ELSEWHERE.by(
            shows=on(
                lambda found: any(
                    is_near(
                        found.score,
                        found.total_in(found.table.transpose(axes)) / found.length**found.alpha,
                    )
                    for axes in ((1, 0, 2), (0, 2, 1), (2, 1, 0))
                )
            )
        ),
        SCORE_OF_OTHER_WORDS.by(shows=on(lambda found: not found.score_is_right)),
        HYPOTHESES_LOST.by(
            shows=on(lambda found: found.is_as_good_as(ends_lost, unended_lost, last_end_lost))
        ),
        IMPOSSIBLE_WORDS.by(only_at=("some words cannot follow",)),
        GREEDY.by(shows=on(lambda found: found.ids == greedy(*found.given)[0])),
        Misconception(
            "search-not-exact",
            any_of(one_word_remembered, BEAMS[0]),
            "Your words have the score that you say, but there are better ones. Which beginnings "
            "does your search drop, and which may be dropped without any risk?",
            on(lambda found: found.score_is_right),
        ),
    ),
    compare=as_good,
)
