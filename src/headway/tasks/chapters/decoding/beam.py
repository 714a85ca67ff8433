"""Build beam search on a chain: hypotheses that finish, and scores that know their length."""

import math
from functools import partial

import numpy as np

from headway.tasks.chapters.decoding.draw import log_softmax
from headway.tasks.chapters.decoding.mistakes import (
    ANOTHER_NUMBER_OF_BEAMS,
    CHOSEN_BY_THE_LAST_WORD,
    CONTEXT_IN_ANOTHER_ORDER,
    FINISHED_GOES_ON,
    FINISHED_LOST,
    FINISHED_TAKES_A_PLACE,
    FINISHED_TOO_EASILY,
    GREEDY,
    IMPOSSIBLE_KEPT,
    LENGTH_OFF,
    LOGARITHMS_MULTIPLIED,
    NO_LENGTH_TERM,
    ONE_CHILD_EACH,
    ORDER_OF_RESULTS,
    PROBABILITIES_ADDED,
    SCORES_WITHOUT_LENGTH,
    START_IN_THE_TEXT,
    UNDERFLOW,
    UNFINISHED_LOST,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

ONE, SIZES, RARE = "a beam of one", "sizes at an edge", "words that cannot follow"


def beam(table, start, K, steps, end, alpha):
    """The K best hypotheses [ids, score]: those that ended, and those that had no step left."""
    living, finished = [([], 0.0)], []
    for t in range(1, steps + 1):
        candidates = []
        for ids, log_p in living:
            last = ids[-1] if ids else start
            for w in range(table.shape[-1]):
                candidates.append(([*ids, w], log_p + table[t - 1, last, w]))
        candidates = [c for c in candidates if c[1] > -math.inf]
        candidates.sort(key=lambda c: c[1], reverse=True)
        finished += [c for c in candidates[:K] if c[0][-1] == end or t == steps]
        living = [c for c in candidates if c[0][-1] != end][:K]
    scored = [[ids, log_p / len(ids) ** alpha] for ids, log_p in finished]
    scored.sort(key=lambda h: h[1], reverse=True)
    return scored[:K]


def beam_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, K, steps, alpha, often=0.0, sharp=1.5):
        """`often` is what the logit of the end gets besides."""
        end, start = map(int, rng.permutation(V)[:2])
        logits = sharp * rng.normal(size=(steps, V, V))
        logits[:, :, end] += often
        return log_softmax(logits), start, K, steps, end, alpha

    def telling(told, spared, draw):
        """A chain on which some mistakes come to something else, and others do not."""

        def suits(given):
            right = beam(*given)
            return all(wrong(*given) != right for wrong in told) and all(
                wrong(*given) == right for wrong in spared
            )

        return draw_until(suits, draw)

    def greedy_loses(*sizes):
        return draw_until(
            lambda given: of_one(*given)[0][0] != beam(*given)[0][0], partial(draw, *sizes)
        )

    def rarely(V, K, steps, few):
        """Half of the words cannot follow; `few` is whether there are fewer hypotheses than K."""
        while True:
            table, *rest = draw(V, K, steps, 0.5)
            table[rng.random(table.shape) < 0.5] = -np.inf
            table[:, np.arange(V), rng.permutation(V)] = -1.0
            given = log_softmax(table), *rest
            if (len(beam(*given)) < K) == few:
                return given

    return [
        Case(
            "a beam of three",
            *telling(OF_ENDS, EARLY, partial(greedy_loses, 6, 3, 5, 0.0, 0.5)),
            core=True,
        ),
        Case(
            "a beam of four, ends that come often",
            *telling(OF_CHILDREN, EARLY, partial(greedy_loses, 7, 4, 6, 0.0, 1.0)),
            core=True,
        ),
        Case(
            "means of logarithms",
            *telling((*BY_LOGARITHMS, *OFF), EARLY, partial(draw, 6, 3, 5, 1.0, 0.5)),
        ),
        Case(
            "a length that counts in part",
            *telling(OF_LENGTH, (), partial(draw, 7, 4, 6, 0.6, 0.8)),
        ),
        Case(
            "a wide beam, half of the length",
            *telling(OF_LENGTH, (), partial(draw, 5, 6, 6, 0.5, 1.0)),
        ),
        Case("a beam of one", *draw(6, 1, 6, 0.0, -1.0), path=ONE),
        Case(
            "a beam of one, longer texts favored",
            *telling(OFF, (*EARLY, *BY_LOGARITHMS), partial(draw, 5, 1, 7, 1.0, 1.0)),
            path=ONE,
        ),
        Case(
            "more beams than words",
            *telling((), EARLY, partial(draw, 4, 9, 4, 0.0, 0.5)),
            path=SIZES,
        ),
        Case("one step", *draw(5, 3, 1, 0.0, 0.5), path=SIZES),
        Case("one step, the end first", *draw(5, 2, 1, 1.0, 6.0), path=SIZES),
        Case(
            "some words cannot follow",
            *telling((*OFF, *BY_LOGARITHMS), EARLY, partial(rarely, 5, 4, 4, False)),
            path=RARE,
        ),
        Case(
            "fewer hypotheses than beams",
            *telling((), EARLY, partial(rarely, 5, 8, 3, True)),
            path=RARE,
        ),
        Case("ends that hardly ever come", *draw(6, 3, 7, 0.0, -6.0)),
        Case("a long text", *draw(3, 2, 800, 1.0, -9.0, 0.3)),
    ]


NEXT = "table[t - 1, last, w]"
ADDED = f"log_p + {NEXT}"
SORTED = "candidates.sort(key=lambda c: c[1], reverse=True)"
FINISHED = "finished += [c for c in candidates[:K] if c[0][-1] == end or t == steps]"
LIVING = "living = [c for c in candidates if c[0][-1] != end][:K]"
SCORED = "log_p / len(ids) ** alpha"
RANKED = "scored.sort(key=lambda h: h[1], reverse=True)"
BY_LOGARITHM = "scored.sort(key=lambda h: h[1] * len(h[0]) ** alpha, reverse=True)"
RESULT = "return scored[:K]"
POSSIBLE = "candidates = [c for c in candidates if c[1] > -math.inf]"


def best_child_of_each(candidates):
    """The best continuation of each beginning, from candidates in falling order."""
    first = {}
    for c in candidates:
        first.setdefault(tuple(c[0][:-1]), c)
    return list(first.values())


def of_one(table, start, K, steps, end, alpha):
    return beam(table, start, 1, steps, end, alpha)


narrowing, narrowing_for_good = changed(
    beam,
    LIVING,
    "living = [c for c in candidates[:K] if c[0][-1] != end]",
    "living = [c for c in candidates if c[0][-1] != end][: max(K - len(finished), 0)]",
)
one_child, one_child_that_lives = changed(
    beam,
    LIVING,
    "living = [c for c in best_child_of_each(candidates) if c[0][-1] != end][:K]",
    "living = best_child_of_each([c for c in candidates if c[0][-1] != end])[:K] "
    "if t > 1 else [c for c in candidates if c[0][-1] != end][:K]",
)
(any_end_counts,) = changed(beam, FINISHED, FINISHED.replace("candidates[:K]", "candidates"))
(beyond_the_end,) = changed(beam, LIVING, "living = candidates[:K]")
ended_only, without_the_last_ends = changed(
    beam,
    "c[0][-1] == end or t == steps",
    "c[0][-1] == end",
    "(c[0][-1] == end) != (t == steps)",
)
twice_as_wide, one_wider = changed(
    beam, LIVING, LIVING.replace("[:K]", "[: 2 * K]"), LIVING.replace("[:K]", "[: K + 1]")
)
(unsorted,) = changed(beam, RANKED, "pass")
BY_LOGARITHMS = changed(
    beam, RANKED, BY_LOGARITHM, f"{BY_LOGARITHM}\n    del scored[K:]\n    {RANKED}"
)
EARLY = changed(
    beam,
    LIVING,
    f"{LIVING}\n        if len(finished) >= K:\n            break",
    f"{LIVING}\n        if len(finished) > K:\n            break",
)
OFF = changed(
    beam,
    SCORED,
    "log_p / max(len(ids) - (ids[-1] == end), 1) ** alpha",
    "log_p / steps ** alpha",
)
# What the cases have to tell in every draw, or in none.
OF_ENDS = (narrowing, beyond_the_end, ended_only, twice_as_wide, one_wider, unsorted)
OF_CHILDREN = (one_child_that_lives, any_end_counts, without_the_last_ends)
OF_LENGTH = (*BY_LOGARITHMS, *EARLY, *OFF)

beam_task = Task(
    id="14-decoding/beam",
    title="Beam search to the end",
    kind="build",
    points=3,
    minutes=30,
    answer="beam",
    cases=beam_cases,
    reference=beam,
    excused=("kind-of-numbers",),  # rounded logarithms are equal too often
    misconceptions=(
        ONE_CHILD_EACH.by(
            one_child,
            one_child_that_lives,
            changed(
                beam,
                SORTED,
                f"{SORTED}\n"
                "        candidates = best_child_of_each(candidates) if t > 1 else candidates",
            ),
        ),
        GREEDY.by(of_one, changed(beam, LIVING, LIVING.replace("[:K]", "[:1]"))),
        ANOTHER_NUMBER_OF_BEAMS.by(twice_as_wide, one_wider),
        FINISHED_TAKES_A_PLACE.by(narrowing, narrowing_for_good),
        FINISHED_GOES_ON.by(beyond_the_end),
        FINISHED_LOST.by(
            changed(beam, "c[0][-1] == end or t == steps", "t == steps"),
            changed(beam, "finished += [", "finished = ["),
        ),
        FINISHED_TOO_EASILY.by(
            any_end_counts,
            changed(
                beam,
                FINISHED,
                "finished += [c for c in candidates if c[0][-1] == end]\n"
                "        finished += candidates[:K] if t == steps else []",
            ),
            changed(beam, FINISHED, FINISHED.replace("candidates[:K]", "candidates[: 2 * K]")),
        ),
        UNFINISHED_LOST.by(ended_only, without_the_last_ends),
        NO_LENGTH_TERM.by(
            changed(
                beam,
                SCORED,
                "log_p",
                "log_p / len(ids)",
                "log_p * len(ids) ** alpha",
                "log_p / (len(ids) * (alpha or 1))",
                "log_p + alpha * len(ids)",
                "log_p / alpha ** len(ids) if alpha else log_p",
                "log_p / (len(ids) * alpha)",
                "float(log_p) / (len(ids) * alpha)",
                "log_p / (len(ids) * alpha) if alpha else log_p",
            ),
            BY_LOGARITHMS,
        ),
        Misconception(
            "search-ended-early",
            any_of(
                EARLY,
                changed(beam, LIVING, f"{LIVING}\n        if finished:\n            break"),
            ),
            "Your search ends before the last step, when enough hypotheses have ended. Can one "
            "that is still alive get a better score than those, and when is that settled?",
        ),
        LENGTH_OFF.by(
            OFF,
            changed(
                beam,
                SCORED,
                "log_p / (len(ids) + 1) ** alpha",
                "log_p / max(len(ids) - 1, 1) ** alpha",
            ),
        ),
        SCORES_WITHOUT_LENGTH.by(
            changed(
                beam,
                RESULT,
                "return [[h[0], math.exp(h[1])] for h in scored[:K]]",
                "return [[h[0], -h[1]] for h in scored[:K]]",
                "return [[h[0], h[1] * len(h[0]) ** alpha] for h in scored[:K]]",
            ),
        ),
        IMPOSSIBLE_KEPT.by(changed(beam, POSSIBLE, "pass")),
        LOGARITHMS_MULTIPLIED.by(
            changed(beam, ADDED, f"(log_p or -1.0) * {NEXT}", f"(log_p or 1.0) * {NEXT}"),
        ),
        PROBABILITIES_ADDED.by(
            changed(beam, ADDED, f"log_p + math.exp({NEXT})"),
        ),
        UNDERFLOW.by(
            changed(beam, ADDED, f"math.log(math.exp(log_p) * math.exp({NEXT}) or 1e-300)"),
            changed(beam, POSSIBLE, "candidates = [c for c in candidates if math.exp(c[1]) > 0]"),
        ),
        CHOSEN_BY_THE_LAST_WORD.by(
            changed(
                beam,
                SORTED,
                "candidates.sort(key=lambda c: -table[t - 1, [start, *c[0]][-2], c[0][-1]])",
            ),
            changed(beam, ADDED, NEXT),
        ),
        Misconception(
            "table-of-another-step",
            changed(
                beam, NEXT, "table[0, last, w]", "table[-t, last, w]", "table[t % steps, last, w]"
            ),
            "You look up some words in the table of another step. Which table belongs to the first "
            "word, and does each step have its own?",
        ),
        CONTEXT_IN_ANOTHER_ORDER.by(
            changed(beam, NEXT, "table[t - 1, w, last]", "table[t - 1, start, w]"),
            changed(beam, "ids[-1] if ids", "ids[0] if ids"),
        ),
        ORDER_OF_RESULTS.by(
            unsorted,
            changed(beam, RANKED, "scored.sort(key=lambda h: h[1])"),
            changed(beam, RESULT, "return scored", "return scored[:1]", "return scored[0]"),
        ),
        START_IN_THE_TEXT.by(
            changed(
                beam,
                RESULT,
                "return [[[start, *h[0]], h[1]] for h in scored[:K]]",
                "return [[[w for w in h[0] if w != end], h[1]] for h in scored[:K]]",
            ),
        ),
    ),
    compare=close(atol=1e-6),
)
