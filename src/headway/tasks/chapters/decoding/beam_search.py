"""Beam search on a chain, and wrong ways to do it that the cases have to tell from it."""

import math

from headway.tasks.engine.mistakes import changed


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


def places_held(table, start, K, steps, end, alpha):
    """Where a hypothesis that has ended keeps its place in the beam."""
    beams = [([], 0.0)]
    for t in range(steps):
        candidates = [one for one in beams if one[0][-1:] == [end]]
        for ids, log_p in beams:
            if ids[-1:] != [end]:
                row = table[t, ids[-1] if ids else start]
                candidates += [([*ids, w], log_p + more) for w, more in enumerate(row)]
        candidates = [c for c in candidates if c[1] > -math.inf]
        candidates.sort(key=lambda c: c[1], reverse=True)
        beams = candidates[: min(K, table.shape[-1])]  # no wider than the first step makes it
    scored = [[ids, log_p / len(ids) ** alpha] for ids, log_p in beams]
    return sorted(scored, key=lambda h: h[1], reverse=True)


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
# Of one beginning's K best continuations an end may be one.
(few_words,) = changed(
    beam,
    "range(table.shape[-1])",
    "sorted(range(table.shape[-1]), key=lambda w: -table[t - 1, last, w])[:K]",
)
(any_end_counts,) = changed(beam, FINISHED, FINISHED.replace("candidates[:K]", "candidates"))
# Whoever walks down the ranking for K that live on meets ends below the K best on the way.
(end_on_the_way,) = changed(
    beam,
    FINISHED,
    "finished += [\n"
    "            c for n, c in enumerate(candidates)\n"
    "            if (n < K and t == steps)\n"
    "            or (c[0][-1] == end and sum(o[0][-1] != end for o in candidates[:n]) < K)\n"
    "        ]",
)
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
# Scores of the living may still rise.
(until_overtaken,) = changed(
    beam,
    LIVING,
    f"{LIVING}\n"
    "        if living and len(finished) >= K and sorted(c[1] / len(c[0]) ** alpha "
    "for c in finished)[-K] >= living[0][1] / t**alpha:\n            break",
)
OFF = changed(
    beam,
    SCORED,
    "log_p / max(len(ids) - (ids[-1] == end), 1) ** alpha",
    "log_p / steps ** alpha",
)
# What the cases have to tell in every draw, or in none.
OF_ENDS = (narrowing, beyond_the_end, ended_only, places_held, twice_as_wide, one_wider, unsorted)
OF_CHILDREN = (one_child_that_lives, any_end_counts, end_on_the_way, without_the_last_ends)
OF_LENGTH = (*BY_LOGARITHMS, *EARLY, *OFF)
