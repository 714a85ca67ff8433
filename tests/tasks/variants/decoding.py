"""Right answers to assignment 14 that are written in other ways than the reference."""

import heapq
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import torch

from headway.inference.exact import viterbi
from headway.inference.filters import top_p as package_top_p

# --- top-k -----------------------------------------------------------------------------------


def top_k_loops(weights, k):
    rows = []
    for row in weights.tolist():
        likely = sorted(range(len(row)), key=lambda i: (-row[i], i))[:k]
        total = math.fsum(row[i] for i in likely)
        rows.append([row[i] / total if i in likely else 0.0 for i in range(len(row))])
    return rows


def top_k_torch(weights, k):
    tensor = torch.from_numpy(np.asarray(weights, dtype=float))
    order = tensor.sort(dim=1, descending=True, stable=True).indices[:, :k]
    left = torch.zeros_like(tensor).scatter(1, order, tensor.gather(1, order))
    return torch.nn.functional.normalize(left, p=1, dim=1)


# --- top-p -----------------------------------------------------------------------------------


def top_p_loops(weights, p):
    rows = np.zeros(weights.shape)
    for b, row in enumerate(weights):
        total, reached = row.sum(), 0.0
        for i in sorted(range(len(row)), key=lambda i: -row[i]):
            rows[b, i] = row[i]
            reached += row[i]
            if reached >= p * total:
                break
        rows[b] /= rows[b].sum()
    return rows


def top_p_package(weights, p):
    """The package's, which works on logits."""
    with np.errstate(divide="ignore"):
        logits = torch.from_numpy(np.log(np.asarray(weights, dtype=float)))
    return package_top_p(logits, p).softmax(-1).numpy()


# --- sampling --------------------------------------------------------------------------------


def sample_choice(logits, T, k, p, seed):
    """NumPy's `choice` draws the same way."""
    if not T:
        return [int(np.argmax(row)) for row in logits]
    rng, ids = np.random.default_rng(seed), []
    for row in logits:
        weights = np.exp(row / T - max(row / T))[None]
        weights = top_k_loops(weights, k or len(row))
        weights = top_p_loops(np.array(weights), 1.0 if p is None else p)
        ids.append(int(rng.choice(len(row), p=weights[0])))
    return ids


def sample_search(logits, T, k, p, seed):
    """Logits with −∞ for what is excluded, and a search in each row."""
    numbers = np.random.default_rng(seed).random(len(logits))
    if T == 0:
        return np.argmax(logits, 1)
    z = np.array(logits, dtype=float) / T
    order = np.argsort(-z, axis=1, kind="stable")
    ids = []
    for row, places, u in zip(z, order, numbers, strict=True):
        row = row - row.max()
        row[places[k:] if k is not None else []] = -np.inf
        share = np.exp(row) / np.exp(row).sum()
        if p is not None:
            reached = share[places].cumsum()
            row[places[int(np.searchsorted(reached, p)) + 1 :]] = -np.inf
            share = np.exp(row) / np.exp(row).sum()
        ids.append(np.searchsorted(share.cumsum(), u, side="right"))
    return np.array(ids)


# --- beam search -----------------------------------------------------------------------------


def beam_arrays(table, start, K, steps, end, alpha):
    V = table.shape[-1]
    ids, log_p, lasts = np.zeros((1, 0), int), np.zeros(1), np.array([start])
    found = []
    for t in range(steps):
        grown = (log_p[:, None] + table[t][lasts]).ravel()
        order = np.argsort(-grown)
        order = order[np.isfinite(grown[order])]
        rows = np.hstack([ids[order // V], order[:, None] % V])
        ends = order % V == end
        for row, score, ended in zip(rows[:K], grown[order[:K]], ends[:K], strict=True):
            if ended or t == steps - 1:
                found.append((float(score / (t + 1) ** alpha), row.tolist()))
        keep = np.flatnonzero(~ends)[:K]
        ids, log_p, lasts = rows[keep], grown[order[keep]], rows[keep, -1]
        if not len(keep):
            break
    return [[words, score] for score, words in sorted(found, reverse=True)[:K]]


def beam_heap(table, start, K, steps, end, alpha):
    """Negative logarithms, tuples, and a heap."""
    living, finished = [(0.0, (start,))], []
    for t in range(steps):
        candidates = [
            (cost - float(table[t, words[-1], w]), (*words, w))
            for cost, words in living
            for w in range(table.shape[2])
        ]
        candidates = sorted(c for c in candidates if c[0] < math.inf)
        for cost, words in candidates[:K]:
            if t + 1 == steps or words[-1] == end:
                finished.append((cost / pow(len(words) - 1, alpha), words[1:]))
        living = [c for c in candidates if c[1][-1] != end][:K]
    return [(list(words), -cost) for cost, words in heapq.nsmallest(K, finished)]


# --- the repaired draw -----------------------------------------------------------------------


def draw_logits(logits, T, floor, numbers):
    """The temperature on logits, behind the floor."""
    shares = np.exp(logits - logits.max(1, keepdims=True))
    tempered = np.where(shares < floor, -np.inf, logits) / T
    powers = np.exp(tempered - tempered.max(1, keepdims=True))
    sums = powers.cumsum(1)
    return (sums <= numbers[:, None] * sums[:, -1:]).sum(1)


def draw_loops(logits, T, floor, numbers):
    ids = []
    for row, number in zip(logits.tolist(), numbers.tolist(), strict=True):
        weights = [math.exp(x - max(row)) for x in row]
        weights = [w ** (1 / T) if w >= floor else 0.0 for w in weights]
        aim, reached, i = number * sum(weights), weights[0], 0
        while reached <= aim:
            i += 1
            reached += weights[i]
        ids.append(i)
    return ids


# --- strategies ------------------------------------------------------------------------------


def wide_with_reserve(model, V, start, steps, budget):
    """One beam of endings; it becomes narrower when its questions run out."""
    known = {}

    def search(width, allowed):
        living = {tuple(start): (0.0, ())}
        for _ in range(steps):
            grown = defaultdict(lambda: (-math.inf, ()))
            for (a, b), (log_p, words) in living.items():
                if (a, b) not in known:
                    if len(known) >= allowed:
                        continue
                    known[a, b] = np.asarray(model(a, b))
                for w in np.argpartition(-known[a, b], min(width, V - 1))[: width + 1].tolist():
                    total = log_p + float(known[a, b][w])
                    if total > grown[b, w][0]:
                        grown[b, w] = (total, (*words, w))
            best = sorted(grown.items(), key=lambda item: -item[1][0])
            living = dict(best[:width])
        return max(living.values(), default=(-math.inf, ()))

    first = search(1, budget)
    rest = [search(width, budget) for width in (3, 6, 12, 24, 48)]
    return np.array(max([first, *rest])[1])


def best_first(model, V, start, steps, budget):
    """Layers of costs kept in arrays over pairs of words."""
    known, answer = {}, None
    for width in (1, 5, 10, 20, 40):
        cost, trail = {tuple(start): 0.0}, []
        for _ in range(steps):
            arrived, origin = {}, {}
            for a, b in sorted(cost, key=cost.get)[:width]:
                if (a, b) not in known and len(known) < budget:
                    known[a, b] = -model(a, b)
                for w, price in enumerate(known.get((a, b), ())):
                    total = cost[a, b] + price
                    if total < arrived.get((b, w), math.inf):
                        arrived[b, w], origin[b, w] = total, a
            cost = arrived
            trail.append(origin)
            if not cost:
                break
        if cost:
            a, b = min(cost, key=cost.get)
            total, words = cost[a, b], []
            for origin in trail[::-1]:
                words.insert(0, b)
                a, b = origin[a, b], a
            if answer is None or total < answer[0]:
                answer = total, words
    return answer[1]


# --- exact search ----------------------------------------------------------------------------


def exact_package(table, start, steps, end, alpha):
    ids, score = viterbi(torch.from_numpy(table).double(), start, steps, end, alpha)
    return ids.tolist(), score


def exact_backwards(table, start, steps, end, alpha):
    """For each length by itself, from the end to the beginning."""
    V = len(table)
    open_table = table.copy()
    open_table[:, :, end] = -np.inf
    best, rest, choices = (-math.inf, None), np.zeros((V, V)), []
    last = table.copy()
    ended = np.full_like(table, -np.inf)
    ended[:, :, end] = table[:, :, end]
    for length in range(1, steps + 1):
        closing = last if length == steps else ended
        rest, choices = closing.max(2), [closing.argmax(2)]
        for _ in range(length - 1):
            total = open_table + rest[None]
            rest = total.max(2)
            choices.append(total.argmax(2))
        score = rest[tuple(start)] / length**alpha
        if score > best[0]:
            a, b = start
            ids = []
            for choice in reversed(choices):
                w = int(choice[a, b])
                ids.append(w)
                a, b = b, w
            best = score, ids
    return [best[1], float(best[0])]


VARIANTS = {
    "14-decoding/sequence": {
        "array": np.array([0.1, 0.144]),
        "fractions": [Fraction(1, 10), Fraction(18, 125)],
    },
    "14-decoding/support": {
        "ranges": [list(range(1, 8, 2)), [1, 5, 7], [1, 5]],
        "arrays": [np.array([1, 3, 5, 7]), np.array([1, 5, 7]), np.array([1, 5])],
    },
    "14-decoding/beams": {
        "tuples": (("ca", "cb"), ("cbc", "caa"), ("ca.",)),
        "sorted": [sorted(["cb", "ca"]), ["cbc", "caa"], ["ca."]],
    },
    "14-decoding/top-k": {
        "loops": top_k_loops,
        "torch": top_k_torch,
    },
    "14-decoding/top-p": {
        "loops": top_p_loops,
        "the package": top_p_package,
    },
    "14-decoding/sample": {
        "choice": sample_choice,
        "search": sample_search,
    },
    "14-decoding/beam": {
        "arrays": beam_arrays,
        "a heap": beam_heap,
    },
    "14-decoding/faulty-line": {
        "float": 4.0,
        "numpy": np.int64(4),
    },
    "14-decoding/repair": {
        "logits": draw_logits,
        "loops": draw_loops,
    },
    "14-decoding/strategy": {
        "a reserve": wide_with_reserve,
        "costs": best_first,
    },
    "14-decoding/exact": {
        "the package": exact_package,
        "from the end": exact_backwards,
    },
}
