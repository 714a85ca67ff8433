"""Wrong answers to assignment 14, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from functools import partial

import numpy as np

from headway.ngram import strategies


def filtered(logits, T, k, p, first="k"):
    """Probabilities after both filters, in plain Python."""
    rows = []
    for row in np.asarray(logits, dtype=float):
        q = np.exp((row - row.max()) / T)
        q /= q.sum()
        for name in ("k", "p") if first == "k" else ("p", "k"):
            order = np.argsort(-q, kind="stable")
            if name == "k" and k is not None:
                q[order[k:]] = 0
            if name == "p" and p is not None:
                sums = q[order].cumsum()
                q[order[int((sums < p - 1e-12).sum()) + 1 :]] = 0
            q /= q.sum()
        rows.append(q)
    return np.array(rows)


def drawn(q, numbers):
    return np.array(
        [np.searchsorted(row.cumsum(), u, side="right") for row, u in zip(q, numbers, strict=True)]
    )


def sample_legacy(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    np.random.seed(seed)
    return drawn(filtered(logits, T, k, p), np.random.random(len(logits)))


def sample_one_number(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    number = np.random.default_rng(seed).random()
    return drawn(filtered(logits, T, k, p), [number] * len(logits))


def sample_one_on(logits, T, k, p, seed):
    """The token behind the one that the number falls on."""
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return np.minimum(drawn(filtered(logits, T, k, p), numbers) + 1, logits.shape[1] - 1)


def beam_like(rank=None, ends=None, on=None, score=None, result=None):
    """Beam search with some of its decisions made another way."""

    def search(table, start, K, steps, end, alpha):
        living, waiting = [((), 0.0)], []
        for t in range(steps):
            new = [
                ((*ids, w), s + table[t, (start, *ids)[-1], w])
                for ids, s in living
                for w in range(table.shape[2])
                if table[t, (start, *ids)[-1], w] > -np.inf
            ]
            new.sort(key=(lambda c: -rank(c, K)) if rank else (lambda c: -c[1]))
            last = t == steps - 1
            done = [c for c in new[:K] if c[0][-1] == end or last]
            waiting += ends(new, K, end, last) if ends else done
            alive = [c for c in new if c[0][-1] != end][:K]
            living = on(new, K, end, waiting) if on else alive
        scored = [
            [list(ids), score(s, ids, alpha, steps) if score else s / len(ids) ** alpha]
            for ids, s in waiting
        ]
        scored.sort(key=lambda h: -h[1])
        return result(scored, K, start) if result else scored[:K]

    return search


def words_without_copies(model, V, start, steps, budget):
    """One beginning for each ending, and every question asked anew."""
    beams = {tuple(start): (0.0, [])}
    for _ in range(steps):
        new = {}
        for context, (s, ids) in beams.items():
            for w, log_p in enumerate(model(*context)):
                key = context[1], w
                new[key] = max(new.get(key, (-math.inf, [])), (s + log_p, [*ids, w]))
        best = sorted(new, key=lambda key: -new[key][0])[: max(budget // steps, 1)]
        beams = {key: new[key] for key in best}
    return max(beams.values())[1]


def words_of_the_last_word_only(model, V, start, steps, budget):
    """Endings of one word: what stands before it is taken from the better one."""
    said, beams = {}, {start[1]: (0.0, list(start))}
    for _ in range(steps):
        new = {}
        for s, ids in beams.values():
            context = tuple(ids[-2:])
            if context not in said:
                said[context] = model(*context)
            for w, log_p in enumerate(said[context]):
                if w not in new or s + log_p > new[w][0]:
                    new[w] = s + log_p, [*ids, w]
        beams = dict(sorted(new.items(), key=lambda kv: -kv[1][0])[:3])
    return max(beams.values())[1][2:]


def words_with_the_start(model, V, start, steps, budget):
    words = list(start)
    while len(words) < steps:
        words.append(int(np.argmax(model(words[-2], words[-1]))))
    return words


def exact_by_lengths(table, start, steps, end, alpha):
    """Only texts of exactly `steps` words."""
    best, origin = {tuple(start): 0.0}, []
    for _ in range(steps):
        new, back = {}, {}
        for (a, b), s in best.items():
            for w in range(len(table)):
                if b == end and origin:
                    continue
                if s + table[a, b, w] > new.get((b, w), -math.inf):
                    new[b, w], back[b, w] = s + table[a, b, w], a
        best = new
        origin.append(back)
    a, b = max(best, key=best.get)
    score, ids = best[a, b], []
    for back in origin[::-1]:
        ids.append(b)
        a, b = back[a, b], a
    return ids[::-1], score / steps**alpha


def exact_greedy(table, start, steps, end, alpha):
    words, s = list(start), 0.0
    while len(words) < steps + 2 and (len(words) == 2 or words[-1] != end):
        row = table[words[-2], words[-1]]
        words.append(int(np.argmax(row)))
        s += row[words[-1]]
    return words[2:], s / (len(words) - 2) ** alpha


def top_k_as(weights, k, kept):
    """The right proportions of other tokens: kept(order, k) -> which places of the order."""
    left = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        ids = kept(np.argsort(-row, kind="stable"), k)
        left[b, ids] = row[ids]
    return left / left.sum(1, keepdims=True)


def top_p_as(weights, p, count=lambda sums, p: (sums < p - 1e-9).sum() + 1, share=lambda x: x):
    """Another number of the likeliest, or other shares of theirs."""
    left = np.zeros(weights.shape)
    for b, row in enumerate(weights / weights.sum(1, keepdims=True)):
        order = np.argsort(-row, kind="stable")
        ids = order[: count(row[order].cumsum(), p)]
        left[b, ids] = share(row[ids])
    return left / left.sum(1, keepdims=True)


def top_p_every_other(weights, p):
    """Passes over the second token, and goes on until the others reach p."""
    shares = weights / weights.sum(1, keepdims=True)
    second = np.argsort(-shares, axis=1, kind="stable")[:, 1:2]
    np.put_along_axis(shares, second, 0.0, axis=1)
    return top_p_as(shares, p)


def sample_with(change):
    """Draws from changed probabilities: change(q, T)."""

    def sample(logits, T, k, p, seed):
        if T == 0:
            return logits.argmax(1)
        numbers = np.random.default_rng(seed).random(len(logits))
        return drawn(change(filtered(logits, T, k, p), T), numbers)

    return sample


def powers(q, a):
    return q**a / (q**a).sum(1, keepdims=True)


def sample_from_above(logits, T, k, p, seed):
    """Tokens are added up from the last one, in rows of an even number."""
    if T == 0:
        return logits.argmax(1)
    q, numbers = filtered(logits, T, k, p), np.random.default_rng(seed).random(len(logits))
    ids = drawn(q, numbers)
    ids[::4] = q.shape[1] - 1 - drawn(q[::4, ::-1], numbers[::4])
    return ids


def draw_with(change, T_of=lambda T: T, numbers_of=lambda u: u):
    """Draws rightly from changed shares: change(shares, kept, floor)."""

    def draw(logits, T, floor, numbers):
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = change(np.where(shares < floor, 0.0, shares), shares, floor) ** (1 / T_of(T))
        sums = shares.cumsum(axis=1)
        return (sums <= numbers_of(numbers)[:, None] * sums[:, -1:]).sum(axis=1)

    return draw


def draw_off_by_one(logits, T, floor, numbers):
    return draw_with(lambda kept, *rest: kept)(logits, T, floor, numbers) - 1


def draw_without_numbers(logits, T, floor, numbers):
    """The likeliest, and in each fourth row the least likely that is left."""
    left = np.where(np.exp(logits - logits.max(axis=1, keepdims=True)) < floor, np.inf, logits)
    fourth = np.arange(len(logits)) % 4 == 0
    return np.where(fourth, left.argmin(axis=1), logits.argmax(axis=1))


def draw_ids_from_v(logits, T, floor, numbers):
    return draw_with(lambda kept, *rest: kept)(logits, T, floor, numbers) + logits.shape[1]


def words_from_strategies(name, **options):
    """A strategy of the package."""
    return partial(getattr(strategies, name), **options)


def words_of_everything(model, V, start, steps, budget):
    """Asks about every pair of words first."""
    for a in range(V):
        for b in range(V):
            model(a, b)
    return strategies.greedy(model, V, start, steps, budget)


def words_and_score(model, V, start, steps, budget):
    return strategies.greedy(model, V, start, steps, budget), -1.0


def exact_by(
    change_table=lambda table: table,
    result=lambda ids, s, L, alpha: (ids, s / L**alpha),
    goes_on=False,
    until=lambda steps: steps,
):
    """Exact in a changed table, or with another result."""

    def search(table, start, steps, end, alpha):
        table = change_table(table)
        best, found = {tuple(start): (0.0, [])}, []
        for t in range(until(steps)):
            new = {}
            for (a, b), (s, ids) in best.items():
                for w in range(len(table)):
                    if s + table[a, b, w] > new.get((b, w), (-math.inf,))[0]:
                        new[b, w] = s + table[a, b, w], [*ids, w]
            found += [c for (_, w), c in new.items() if w == end or t == steps - 1]
            best = {key: c for key, c in new.items() if goes_on or key[1] != end}
        s, ids = max(found, key=lambda c: c[0] / len(c[1]) ** alpha)
        return result(ids, s, len(ids), alpha)

    return search


WRONG_ANSWERS = {
    "one on": ("sample", sample_one_on, "one-place-off"),
    "NumPy's older generator": ("sample", sample_legacy, "chance-from-elsewhere"),
    "one random number for all": ("sample", sample_one_number, "rows-mixed"),
    "endings alone": ("strategy", words_without_copies, "questions-asked-again"),
    "endings of one word": ("strategy", words_of_the_last_word_only, "alternatives-lost"),
    "two given words too many": ("strategy", words_with_the_start, "other-words-than-chosen"),
    "whole lengths only": ("exact", exact_by_lengths, "hypotheses-lost"),
    "the greedy text": ("exact", exact_greedy, "greedy"),
    "two factors added": ("sequence", [0.1, 0.33], "no-probability-of-a-sentence"),
    "another first sentence": ("sequence", [0.0875, 0.144], "not-the-greedy-sentence"),
    "the lightest of four": (
        "support",
        [[1, 3, 5, 7], [3, 5, 7], [1, 5]],
        "likelier-token-dropped",
    ),
    "everything": ("support", [[*range(8)], [1, 5, 7], [1, 5]], "another-number-kept"),
    "no beginning with c": (
        "beams",
        [["aa", "ba"], ["aaa", "baa"], ["a."]],
        "another-beginning-lives",
    ),
    "a letter after a period": (
        "beams",
        [["ca", "cb"], ["cbc", "a.a"], ["ca."]],
        "finished-goes-on",
    ),
    "no filter": (
        "top-k",
        lambda weights, k: weights / weights.sum(1, keepdims=True),
        "filter-ignored",
    ),
    "one part for each": (
        "top-k",
        lambda weights, k: (top_k_as(weights, k, lambda order, k: order[:k]) > 0) / k,
        "proportions-changed",
    ),
    "every other one": (
        "top-k",
        partial(top_k_as, kept=lambda order, k: order[::2][:k]),
        "likelier-token-dropped",
    ),
    "more in some rows": (
        "top-k",
        partial(top_k_as, kept=lambda order, k: order[: k + 2 if order[0] % 2 else max(k - 2, 1)]),
        "another-number-kept",
    ),
    "squares": (
        "top-k",
        lambda weights, k: top_k_as(weights, k, lambda order, k: order[:k]) ** 2,
        "proportions-changed",
    ),
    "flags for shares": (
        "top-k",
        lambda weights, k: top_k_as(weights, k, lambda order, k: order[:k]) > 0,
        "results-in-another-form",
    ),
    "all tokens": (
        "top-p",
        lambda weights, p: weights / weights.sum(1, keepdims=True),
        "filter-ignored",
    ),
    "the second passed over": ("top-p", top_p_every_other, "likelier-token-dropped"),
    "always three": ("top-p", partial(top_p_as, count=lambda sums, p: 3), "another-number-kept"),
    "shares squared": ("top-p", partial(top_p_as, share=np.square), "proportions-changed"),
    "flags of the nucleus": (
        "top-p",
        lambda weights, p: top_p_as(weights, p) > 0,
        "results-in-another-form",
    ),
    "numbers beyond the sum": ("sample", sample_with(lambda q, T: 0.7 * q), "no-such-token"),
    "wider filters": (
        "sample",
        lambda logits, T, k, p, seed: sample_with(lambda q, T: q)(
            logits, T, k and k + 2, p and p**0.5, seed
        ),
        "dropped-tokens-drawn",
    ),
    "a temperature for the filters alone": (
        "sample",
        sample_with(lambda q, T: powers(q, T)),
        "temperature-too-weak",
    ),
    "cubes": ("sample", sample_with(lambda q, T: powers(q, 3.0)), "likely-too-often"),
    "roots": ("sample", sample_with(lambda q, T: powers(q, 0.2)), "unlikely-too-often"),
    "some rows from behind": ("sample", sample_from_above, "another-token-drawn"),
    "ids from V on": ("repair", draw_ids_from_v, "no-such-token"),
    "what is below the floor": (
        "repair",
        draw_with(lambda kept, shares, floor: shares - kept + 1e-9),
        "dropped-tokens-drawn",
    ),
    "one before": ("repair", draw_off_by_one, "one-place-off"),
    "a temperature of its root": (
        "repair",
        draw_with(lambda kept, *rest: kept, lambda T: T**0.2),
        "temperature-too-weak",
    ),
    "cubed weights": (
        "repair",
        draw_with(lambda kept, *rest: kept**3),
        "likely-too-often",
    ),
    "all that are left alike": (
        "repair",
        draw_with(lambda kept, *rest: 1.0 * (kept > 0)),
        "unlikely-too-often",
    ),
    "numbers of other rows": (
        "repair",
        draw_with(lambda kept, *rest: kept, numbers_of=np.flip),
        "chance-from-elsewhere",
    ),
    "one number": (
        "repair",
        draw_with(lambda kept, *rest: kept, numbers_of=lambda u: np.full(len(u), u[0])),
        "rows-mixed",
    ),
    "no use for numbers": ("repair", draw_without_numbers, "another-token-drawn"),
    "scores of the words before": (
        "beam",
        beam_like(score=lambda s, ids, alpha, steps: (s - 0.1 * ids[0]) / len(ids) ** alpha),
        "score-of-other-words",
    ),
    "the least likely live on": (
        "beam",
        beam_like(rank=lambda c, K: -c[1]),
        "another-beginning-lives",
    ),
    "without the second": (
        "beam",
        beam_like(result=lambda scored, K, start: [*scored[:1], *scored[2 : K + 1]]),
        "better-text-missing",
    ),
    "the greedy words": ("strategy", words_from_strategies("greedy"), "greedy"),
    "the best of samples": (
        "strategy",
        words_from_strategies("best_of_samples"),
        "worse-than-greedy",
    ),
    "all pairs": ("strategy", words_of_everything, "budget-exceeded"),
    "words and a score": ("strategy", words_and_score, "not-in-the-form-asked-for"),
    "an end that goes on": ("exact", exact_by(goes_on=True), "finished-goes-on"),
    "the two words before": (
        "exact",
        lambda table, start, *rest: (lambda ids, s: ([*start, *ids], s))(
            *exact_by()(table, start, *rest)
        ),
        "other-words-than-chosen",
    ),
    "the last word cut off": (
        "exact",
        exact_by(result=lambda ids, s, L, alpha: (ids[:-2] or ids, s / L**alpha)),
        "finished-too-easily",
    ),
    "the score first": (
        "exact",
        exact_by(result=lambda ids, s, L, alpha: (s / L**alpha, ids)),
        "results-in-another-form",
    ),
    "a probability": (
        "exact",
        exact_by(result=lambda ids, s, L, alpha: (ids, math.exp(s / L**alpha))),
        "results-in-another-form",
    ),
    "the words from behind": (
        "exact",
        exact_by(result=lambda ids, s, L, alpha: ([*ids[-2::-1], ids[-1]], s / L**alpha)),
        "traced-back-wrongly",
    ),
    "the words before exchanged": (
        "exact",
        exact_by(lambda table: table.transpose(1, 0, 2)),
        "looked-up-elsewhere",
    ),
    "a table that is cut off": (
        "exact",
        exact_by(lambda table: np.maximum(table, -1.5)),
        "score-of-other-words",
    ),
    "a sum for a score": (
        "exact",
        exact_by(result=lambda ids, s, L, alpha: (ids, s)),
        "length-term-mistaken",
    ),
    "half of the steps": (
        "exact",
        exact_by(until=lambda steps: max(steps // 2, min(steps, 3))),
        "longer-text-missed",
    ),
    "none at all": (
        "top-p",
        partial(top_p_as, count=lambda sums, p: 0),
        "no-token-left",
    ),
    "none of k": (
        "top-k",
        partial(top_k_as, kept=lambda order, k: order[:0]),
        "no-token-left",
    ),
    "the best alone": (
        "beam",
        beam_like(result=lambda scored, K, start: scored[0]),
        "not-in-the-form-asked-for",
    ),
    "every other end": (
        "beam",
        beam_like(
            ends=lambda new, K, end, last: (
                [c for c in new if c[0][-1] == end][1::2] + new[:K] * last
            )
        ),
        "ranked-apart",
    ),
}
