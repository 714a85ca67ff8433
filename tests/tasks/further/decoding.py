"""Wrong answers to assignment 14, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from functools import partial

import numpy as np

from headway.ngram import strategies


def top_k_threshold(weights, k):
    """Everything at least as likely as the k-th."""
    out = []
    for row in weights:
        least = sorted(row, reverse=True)[min(k, len(row)) - 1]
        kept = [x if x >= least else 0 for x in row]
        out.append([x / sum(kept) for x in kept])
    return np.array(out)


def top_k_partition(weights, k):
    """The k smallest, because `argpartition` puts the small ones first."""
    k = min(k, weights.shape[1])
    left = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        ids = np.argpartition(row, k - 1)[:k]
        left[b, ids] = row[ids]
    return left / left.sum(1, keepdims=True)


def top_k_softmax(weights, k):
    """Zeros go through a softmax and come back."""
    left = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        ids = sorted(range(len(row)), key=lambda i: -row[i])[:k]
        left[b, ids] = row[ids]
    e = np.exp(left - left.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def top_k_by_the_old_total(weights, k):
    shares = weights / weights.sum(1, keepdims=True)
    for b in range(len(shares)):
        for i in np.argsort(-shares[b], kind="stable")[k:]:
            shares[b, i] = 0
    return shares


def top_k_in_place(weights, k):
    for row in weights:
        for i in np.argsort(-row, kind="stable")[k:]:
            row[i] = 0
    return weights / weights.sum(1, keepdims=True)


def top_k_last_of_equals(weights, k):
    left = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        for i in np.lexsort((np.arange(len(row)), row))[::-1][:k]:
            left[b, i] = row[i]
    return left / left.sum(1)[:, None]


def top_p_loop(weights, p):
    """Stops before the token that crosses."""
    out = np.zeros(weights.shape)
    for b, row in enumerate(weights / weights.sum(1)[:, None]):
        total = 0
        for i in np.argsort(-row, kind="stable"):
            total += row[i]
            if total > p:
                break
            out[b, i] = row[i]
        if not out[b].any():
            out[b, row.argmax()] = 1
        out[b] /= out[b].sum()
    return out


def top_p_counts(weights, p):
    """Sums of weights, not of shares."""
    out = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        total = 0
        for i in np.argsort(-row, kind="stable"):
            out[b, i] = row[i]
            total += row[i]
            if total >= p:
                break
        out[b] /= out[b].sum()
    return out


def top_p_sorted_mask(weights, p):
    """The mask of the sorted row is laid over the row as it is."""
    shares = weights / weights.sum(1, keepdims=True)
    falling = np.flip(np.sort(shares, 1), 1)
    mask = np.concatenate([np.ones((len(shares), 1), bool), falling.cumsum(1)[:, :-1] < p], axis=1)
    left = shares * mask
    return left / left.sum(1, keepdims=True)


def top_p_minimum(weights, p):
    """Keeps tokens that have at least 1 − p."""
    shares = weights / weights.sum(1, keepdims=True)
    left = np.where(shares >= min(1 - p, shares.max()), shares, 0)
    left[np.arange(len(left)), shares.argmax(1)] = shares.max(1)
    return left / left.sum(1, keepdims=True)


def top_p_in_order(weights, p):
    shares = weights / weights.sum(1, keepdims=True)
    sums = np.cumsum(shares, 1)
    left = np.where(sums - shares < p, shares, 0)
    return left / left.sum(1, keepdims=True)


def top_p_strictly(weights, p):
    """Goes on where the sum equals p."""
    out = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        row, total = row / row.sum(), 0
        for i in np.argsort(-row, kind="stable"):
            if total > p:
                break
            out[b, i] = row[i]
            total += row[i]
    return out / out.sum(1, keepdims=True)


def top_p_sums_as_they_come(weights, p):
    """Right on paper: 0.4 + 0.3 + 0.2 is a little less than 0.9."""
    out = np.zeros(weights.shape)
    for b, row in enumerate(weights / weights.sum(1, keepdims=True)):
        total = 0.0
        for i in np.argsort(-row, kind="stable"):
            out[b, i] = row[i]
            total += row[i]
            if total >= p:
                break
        out[b] /= out[b].sum()
    return out


def top_k_of_the_batch(weights, k):
    """The k largest of all numbers there are."""
    places = sorted(range(weights.size), key=lambda i: -weights.flat[i])[:k]
    left = np.zeros(weights.shape)
    for place in places:
        left.flat[place] = weights.flat[place]
    return left / left.sum(1, keepdims=True)


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


def sample_nucleus_first(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(logits, T, k, p, first="p"), numbers)


def sample_hot_is_cold(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(logits, 1 / T, k, p), numbers)


def sample_legacy(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    np.random.seed(seed)
    return drawn(filtered(logits, T, k, p), np.random.random(len(logits)))


def sample_tiny_temperature(logits, T, k, p, seed):
    """No case of its own for T = 0, but a small number."""
    T = T or 1e-6
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(logits, T, k, p), numbers)


def sample_divides_by_zero(logits, T, k, p, seed):
    z = logits / T
    q = np.exp(z - z.max(1, keepdims=True))
    q = q / q.sum(1, keepdims=True)
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(np.log(q), 1.0, k, p), numbers)


def sample_overflows(logits, T, k, p, seed):
    """No maximum subtracted."""
    if T == 0:
        return logits.argmax(1)
    powers = np.exp(logits / T)
    shares = powers / powers.sum(1, keepdims=True)
    if k is not None or p is not None:
        shares = filtered(logits, T, k, p)
    numbers = np.random.default_rng(seed).random((len(logits), 1))
    return (shares.cumsum(1) <= numbers).sum(1)


def sample_one_number(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    number = np.random.default_rng(seed).random()
    return drawn(filtered(logits, T, k, p), [number] * len(logits))


def sample_only_one_filter(logits, T, k, p, seed):
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(logits, T, k, None if k else p), numbers)


def sample_one_on(logits, T, k, p, seed):
    """The token behind the one that the number falls on."""
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return np.minimum(drawn(filtered(logits, T, k, p), numbers) + 1, logits.shape[1] - 1)


def sample_at_temperature_one(logits, T, k, p, seed):
    """Probabilities divided by T, and by their sum."""
    if T == 0:
        return logits.argmax(1)
    numbers = np.random.default_rng(seed).random(len(logits))
    return drawn(filtered(logits, 1.0, k, p), numbers)


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


def beam_that_stops(table, start, K, steps, end, alpha):
    """Has enough when K hypotheses have ended."""
    living, done = [((), 0.0)], []
    for t in range(steps):
        if len(done) >= K:
            break
        new = [
            ((*ids, w), s + table[t, (start, *ids)[-1], w])
            for ids, s in living
            for w in range(table.shape[2])
        ]
        new = sorted((c for c in new if c[1] > -np.inf), key=lambda c: -c[1])
        done += [c for c in new[:K] if c[0][-1] == end or t == steps - 1]
        living = [c for c in new if c[0][-1] != end][:K]
    scored = [[list(ids), s / len(ids) ** alpha] for ids, s in done]
    return sorted(scored, key=lambda h: -h[1])[:K]


def beam_by_logarithms(table, start, K, steps, end, alpha):
    """The K likeliest are taken, and their scores worked out."""

    def in_order(scored, K, start):
        return sorted(scored, key=lambda h: -h[1] * len(h[0]) ** alpha)[:K]

    return beam_like(result=in_order)(table, start, K, steps, end, alpha)


def beam_copies_table(table, start, K, steps, end, alpha):
    """Leaves the table changed: nothing shall follow an end."""
    table[:, end, :] = -1e9
    return beam_like()(table, start, K, steps, end, alpha)


def beam_by_products(table, start, K, steps, end, alpha):
    """Probabilities are multiplied, and logarithms taken at the end."""
    living, done = [((), 1.0)], []
    for t in range(steps):
        new = [
            ((*ids, w), s * math.exp(table[t, (start, *ids)[-1], w]))
            for ids, s in living
            for w in range(table.shape[2])
        ]
        new = sorted((c for c in new if c[1] > 0), key=lambda c: -c[1])
        done += [c for c in new[:K] if c[0][-1] == end or t == steps - 1]
        living = [c for c in new if c[0][-1] != end][:K]
    scored = [[list(ids), math.log(s) / len(ids) ** alpha] for ids, s in done]
    return sorted(scored, key=lambda h: -h[1])[:K]


def draw_with_a_warm_floor(logits, T, floor, numbers):
    """The floor gets the temperature, too, and the wrong way round."""
    z = logits / T
    weights = np.exp(z - z.max(axis=1, keepdims=True))
    weights[weights < floor**T] = 0
    sums = weights.cumsum(axis=1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(axis=1)


def draw_of_probabilities(logits, T, floor, numbers):
    """The floor is taken for a probability."""
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    weights = np.where(p < floor, 0.0, p ** (1 / T))
    sums = weights.cumsum(axis=1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(axis=1)


def draw_above_the_floor(logits, T, floor, numbers):
    """What equals the floor is left out."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = np.where(weights > floor, weights, 0.0) ** (1 / T)
    sums = weights.cumsum(axis=1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(axis=1)


def draw_raised(logits, T, floor, numbers):
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = np.where(weights < floor, 0.0, weights) ** T
    sums = weights.cumsum(axis=1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(axis=1)


def draw_without_temperature(logits, T, floor, numbers):
    """Divides all weights by T, which changes nothing."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights = np.where(weights < floor, 0.0, weights) / T
    sums = weights.cumsum(axis=1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(axis=1)


def words_of_a_plain_beam(model, V, start, steps, budget):
    beams = [(0.0, [])]
    for _ in range(steps):
        new = []
        for s, ids in beams:
            a, b = (list(start) + ids)[-2:]
            for w, log_p in enumerate(model(a, b)):
                new.append((s + log_p, [*ids, w]))
        beams = sorted(new)[::-1][:3]
    return [int(w) for w in beams[0][1]]


def words_with_a_memory(model, V, start, steps, budget):
    """Remembers answers; the beam is full of copies."""
    said, beams = {}, [(0.0, [])]
    for _ in range(steps):
        new = []
        for s, ids in beams:
            context = tuple((list(start) + ids)[-2:])
            if context not in said:
                said[context] = model(*context)
            for w in np.argsort(said[context])[::-1][:5]:
                new.append((s + said[context][w], [*ids, int(w)]))
        beams = sorted(new)[::-1][:10]
    return beams[0][1]


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


def words_of_a_wide_beam(model, V, start, steps, budget):
    """As without copies, and thirty wide."""
    return words_without_copies(model, V, start, steps, 30 * steps)


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


def exact_normalized_on_the_way(table, start, steps, end, alpha):
    """Beginnings are compared by scores, which is the same, and lengths by ln P, which is not."""
    best, found = {tuple(start): (0.0, [])}, []
    for t in range(steps):
        new = {}
        for (a, b), (s, ids) in best.items():
            for w in range(len(table)):
                if s + table[a, b, w] > new.get((b, w), (-math.inf,))[0]:
                    new[b, w] = s + table[a, b, w], [*ids, w]
        found += [c for (_, w), c in new.items() if w == end or t == steps - 1]
        best = {key: c for key, c in new.items() if key[1] != end}
    s, ids = max(found, key=lambda c: c[0])
    return ids, s


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


def exact_of_a_beam(table, start, steps, end, alpha):
    """The best that a beam of three finds."""
    living, found = [(0.0, list(start))], []
    for t in range(steps):
        new = [
            (s + table[words[-2], words[-1], w], [*words, w])
            for s, words in living
            for w in range(len(table))
        ]
        new.sort(key=lambda c: -c[0])
        found += [(s, words[2:]) for s, words in new[:3] if words[-1] == end or t == steps - 1]
        living = [c for c in new if c[1][-1] != end][:3]
    s, ids = max(found, key=lambda c: c[0] / len(c[1]) ** alpha)
    return ids, s / len(ids) ** alpha


FURTHER = {
    "the greedy sentence twice": ("sequence", [0.1, 0.1], "greedy"),
    "the best second word of the likeliest first": (
        "sequence",
        [0.1, 0.105],
        "best-sentence-missed",
    ),
    "products of maxima": ("sequence", [0.1, 0.36], "best-of-each-column"),
    "two words of three": ("sequence", [0.25, 0.16], "a-word-left-out"),
    "the crossing token": ("support", [[1, 5, 7], [1, 5], [5]], "one-token-off"),
    "ranks": ("support", [[0, 1, 2, 3], [0, 1, 2], [0, 1]], "order-not-undone"),
    "roots for squares": (
        "support",
        [[1, 3, 5, 7], [1, 5, 7], [1, 3, 5, 7]],
        "temperature-upside-down",
    ),
    "no temperature": (
        "support",
        [[1, 3, 5, 7], [1, 5, 7], [1, 5, 7]],
        "temperature-without-effect",
    ),
    "an end far behind": (
        "beams",
        [["ca", "cb"], ["cbc", "caa"], ["a.", "ca."]],
        "finished-too-easily",
    ),
    "a beam of one": ("beams", [["ca"], ["caa"], ["ca."]], "greedy"),
    "as likely as the k-th": ("top-k", top_k_threshold, "ties-broken-otherwise"),
    "the first of a partition": ("top-k", top_k_partition, "least-likely-kept"),
    "a softmax behind": ("top-k", top_k_softmax, "second-softmax"),
    "the old total": ("top-k", top_k_by_the_old_total, "not-renormalized"),
    "zeros written into the weights": ("top-k", top_k_in_place, "argument-changed"),
    "equals from behind": ("top-k", top_k_last_of_equals, "ties-broken-otherwise"),
    "a loop that stops too soon": ("top-p", top_p_loop, "one-token-off"),
    "sums of counts": ("top-p", top_p_counts, "counts-taken-for-shares"),
    "a mask of the sorted row": ("top-p", top_p_sorted_mask, "order-not-undone"),
    "one minus p for each token": ("top-p", top_p_minimum, "threshold-for-sum"),
    "floating-point sums": ("top-p", top_p_sums_as_they_come, "equality-mistaken"),
    "the largest of all rows": ("top-k", top_k_of_the_batch, "rows-mixed"),
    "one on": ("sample", sample_one_on, "one-place-off"),
    "a temperature of one": ("sample", sample_at_temperature_one, "temperature-without-effect"),
    "enough when K have ended": ("beam", beam_that_stops, "search-ended-early"),
    "the likeliest first": ("beam", beam_by_logarithms, "length-term-mistaken"),
    "divided by α times the length": (
        "beam",
        beam_like(score=lambda s, ids, alpha, steps: s / (len(ids) * alpha)),
        "length-term-mistaken",
    ),
    "above the floor only": ("repair", draw_above_the_floor, "equality-mistaken"),
    "ids in their order": ("top-p", top_p_in_order, "summed-in-another-order"),
    "beyond p only": ("top-p", top_p_strictly, "equality-mistaken"),
    "the nucleus first": ("sample", sample_nucleus_first, "steps-in-another-order"),
    "hot is cold": ("sample", sample_hot_is_cold, "temperature-upside-down"),
    "NumPy's older generator": ("sample", sample_legacy, "chance-from-elsewhere"),
    "a small temperature for none": ("sample", sample_tiny_temperature, "temperature-zero-divides"),
    "divided by zero": ("sample", sample_divides_by_zero, "temperature-zero-divides"),
    "exponentials of large logits": ("sample", sample_overflows, "overflow"),
    "one random number for all": ("sample", sample_one_number, "rows-mixed"),
    "one filter at most": ("sample", sample_only_one_filter, "filter-ignored"),
    "ends wherever they are": (
        "beam",
        beam_like(
            ends=lambda new, K, end, last: [c for c in new if c[0][-1] == end] + new[:K] * last
        ),
        "finished-too-easily",
    ),
    "what has ended fills the beam": (
        "beam",
        beam_like(on=lambda new, K, end, waiting: [c for c in new[:K] if c[0][-1] != end]),
        "beam-of-another-width",
    ),
    "ended texts go on": (
        "beam",
        beam_like(on=lambda new, K, end, waiting: new[:K]),
        "finished-goes-on",
    ),
    "ends thrown away": (
        "beam",
        beam_like(ends=lambda new, K, end, last: new[:K] * last),
        "hypotheses-lost",
    ),
    "only what has ended": (
        "beam",
        beam_like(ends=lambda new, K, end, last: [c for c in new[:K] if c[0][-1] == end]),
        "hypotheses-lost",
    ),
    "always the mean": (
        "beam",
        beam_like(score=lambda s, ids, alpha, steps: s / len(ids)),
        "length-term-mistaken",
    ),
    "the end not counted": (
        "beam",
        beam_like(score=lambda s, ids, alpha, steps: s / (len(ids) + 1) ** alpha),
        "length-term-mistaken",
    ),
    "start and score first": (
        "beam",
        beam_like(result=lambda scored, K, start: [[[start, *ids], s] for ids, s in scored[:K]]),
        "other-words-than-chosen",
    ),
    "all that was finished": (
        "beam",
        beam_like(result=lambda scored, K, start: scored),
        "results-in-another-form",
    ),
    "products that vanish": ("beam", beam_by_products, "underflow"),
    "the table rewritten": ("beam", beam_copies_table, "argument-changed"),
    "twice as wide": (
        "beam",
        beam_like(on=lambda new, K, end, w: [c for c in new if c[0][-1] != end][: 2 * K]),
        "beam-of-another-width",
    ),
    "a floor to the power of T": ("repair", draw_with_a_warm_floor, "floor-of-another-size"),
    "a floor for probabilities": ("repair", draw_of_probabilities, "floor-of-another-size"),
    "to the power of T": ("repair", draw_raised, "temperature-upside-down"),
    "a factor for all": ("repair", draw_without_temperature, "temperature-without-effect"),
    "a plain beam of three": ("strategy", words_of_a_plain_beam, "questions-asked-again"),
    "a memory alone": ("strategy", words_with_a_memory, "alternatives-lost"),
    "endings alone": ("strategy", words_without_copies, "questions-asked-again"),
    "endings without a budget": ("strategy", words_of_a_wide_beam, "budget-exceeded"),
    "endings of one word": ("strategy", words_of_the_last_word_only, "alternatives-lost"),
    "two given words too many": ("strategy", words_with_the_start, "other-words-than-chosen"),
    "whole lengths only": ("exact", exact_by_lengths, "hypotheses-lost"),
    "lengths compared by ln P": ("exact", exact_normalized_on_the_way, "length-term-mistaken"),
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
    "the end of an unfinished text": (
        "beams",
        [["ca", "cb"], ["cbc", "caa"], ["ca.", "cbc"]],
        "finished-too-easily",
    ),
    "no filter": (
        "top-k",
        lambda weights, k: weights / weights.sum(1, keepdims=True),
        "nothing-dropped",
    ),
    "one part for each": (
        "top-k",
        lambda weights, k: (top_k_as(weights, k, lambda order, k: order[:k]) > 0) / k,
        "all-kept-alike",
    ),
    "every other one": (
        "top-k",
        partial(top_k_as, kept=lambda order, k: order[::2][:k]),
        "likelier-token-dropped",
    ),
    "k more": ("top-k", partial(top_k_as, kept=lambda order, k: order[: 2 * k]), "too-many-kept"),
    "half of k": (
        "top-k",
        partial(top_k_as, kept=lambda order, k: order[: max(k - 2, 1)]),
        "too-few-kept",
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
        "nothing-dropped",
    ),
    "parts alike": ("top-p", partial(top_p_as, share=np.ones_like), "all-kept-alike"),
    "the second passed over": ("top-p", top_p_every_other, "likelier-token-dropped"),
    "three more": (
        "top-p",
        partial(top_p_as, count=lambda sums, p: (sums < p).sum() + 3),
        "too-many-kept",
    ),
    "two fewer": (
        "top-p",
        partial(top_p_as, count=lambda sums, p: max((sums < p).sum() - 1, 1)),
        "too-few-kept",
    ),
    "always three": ("top-p", partial(top_p_as, count=lambda sums, p: 3), "another-number-kept"),
    "shares squared": ("top-p", partial(top_p_as, share=np.square), "proportions-changed"),
    "flags of the nucleus": (
        "top-p",
        lambda weights, p: top_p_as(weights, p) > 0,
        "results-in-another-form",
    ),
    "numbers beyond the sum": ("sample", sample_with(lambda q, T: 0.7 * q), "no-such-token"),
    "a little for everyone": (
        "sample",
        sample_with(lambda q, T: 0.7 * q + 0.3 / q.shape[1]),
        "unlikely-too-often",
    ),
    "wider filters": (
        "sample",
        lambda logits, T, k, p, seed: sample_with(lambda q, T: q)(
            logits, T, k and k + 2, p and p**0.5, seed
        ),
        "dropped-tokens-drawn",
    ),
    "half of the temperature": (
        "sample",
        sample_with(lambda q, T: powers(q, T**0.7)),
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
    "weights to the fifth root": (
        "repair",
        draw_with(lambda kept, *rest: kept**0.2),
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
    "ranked by the first word": (
        "beam",
        beam_like(rank=lambda c, K: c[1] - 0.5 * c[0][0]),
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
    "words and a score": ("strategy", words_and_score, "results-in-another-form"),
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
    "the best beginnings of a beam": ("exact", exact_of_a_beam, "search-not-exact"),
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
        "no-list-of-pairs",
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
