"""Wrong answers to assignment 16, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.graph_attention import graph_attention
from headway.tasks.chapters.outlook.nodes import RIGHT, STEPS, trained
from headway.tasks.chapters.outlook.recurrent import recurrent
from headway.tasks.chapters.outlook.repair import repair

# --- attention along edges -------------------------------------------------------------------


def by_nodes(heard_by, share, both=True, unique=True):
    """Node by node: heard_by(pairs, t) → senders, share(scores) → weights."""

    def answer(query, key, value, edges, both_ways=False):
        pairs = edges.T.tolist()
        if both_ways and both:
            pairs = pairs + [[t, s] for s, t in pairs]
        if unique:
            pairs = sorted(set(map(tuple, pairs)))
        mixed = torch.zeros(*query.shape[:2], value.shape[2])
        for t in range(query.shape[1]):
            senders = heard_by(pairs, t)
            if senders:
                scores = (query[:, t, None] * key[:, senders]).sum(-1) / math.sqrt(query.shape[2])
                mixed[:, t] = (share(scores)[..., None] * value[:, senders]).sum(1)
        return mixed

    return answer


def zeros_for_nan(query, key, value, edges, both_ways=False):
    """Over all pairs; what a stranger's NaN has spoiled becomes zero, too."""
    hears = torch.zeros(query.shape[1], key.shape[1], dtype=torch.bool)
    hears[edges[1], edges[0]] = True
    hears = hears | hears.T if both_ways else hears
    scores = (query @ key.mT / math.sqrt(query.shape[2])).masked_fill(~hears, -math.inf)
    return (scores.softmax(-1) @ value).nan_to_num(0.0)


def incoming(pairs, t):
    return [s for s, end in pairs if end == t]


def itself_too(pairs, t):
    return sorted({t, *incoming(pairs, t)})


def softmax(scores):
    return scores.softmax(-1)


def shares_of_scores(scores):
    return scores / scores.sum(-1, keepdim=True)


# --- blocks ----------------------------------------------------------------------------------


def mask_of_first_tokens(T, block, pairs, causal=False):
    """Of another block, a block sees the first token only."""
    mask = torch.zeros(T, T, dtype=torch.bool)
    for b in range(0, T, block):
        mask[b : b + block, b : b + block] = True
    for i, j in pairs:
        mask[i * block : (i + 1) * block, j * block] = True
    return mask.tril() if causal else mask


# --- cost ------------------------------------------------------------------------------------


def pairs_of(T, pattern, size):
    if pattern == "window":
        return sum(min(t + 1, size) for t in range(T))
    if pattern == "blocks":
        return sum(min(size, T - start) ** 2 for start in range(0, T, size))
    return T * T


def cost_with(flops, number=4, of_heads=True):
    """flops(weights, products along pairs or to a state) → FLOPs, and bytes of a number."""

    def answer(T, C, M, H, pattern="full", size=None):
        weights, D = T * C * (4 * C + 2 * M), C // H
        heads = H if of_heads else 1
        if pattern == "linear":
            return flops(weights, T * H * D * D), number * heads * D * D
        pairs = pairs_of(T, pattern, size)
        return flops(weights, pairs * C), number * heads * pairs

    return answer


# --- the layer -------------------------------------------------------------------------------


def layer_with(weights):
    """Weights of the edges, (strength, source, target, n) → (E,), before the sum."""

    def answer(x, edges, strength, own, others):
        source, target = edges
        share = weights(strength, source, target, len(x))
        mean = torch.zeros(len(x), others.shape[1])
        mean.index_add_(0, target, share[:, None] * (x @ others)[source])
        return functional.elu(x @ own + mean)

    return answer


def totals(numbers, nodes, n):
    return torch.zeros(n).index_add(0, nodes, numbers)[nodes]


# --- trades ----------------------------------------------------------------------------------


def trades_with(steps=STEPS, **arrangement):
    return lambda signs, edges, trades: trained(signs, edges, trades, RIGHT | arrangement, steps)


def trades_in(steps):
    return lambda signs, edges, trades: trained(signs, edges, trades, steps=steps)


def trades_as_signed(signs, edges, trades):
    """Each sign is replaced by the trade that it stands for most often, also where it is wrong."""
    meaning = (functional.one_hot(trades).float().T @ signs).argmax(dim=0)
    return trained(signs, edges, meaning[signs.argmax(dim=1)])


# --- recurrence ------------------------------------------------------------------------------


def recurrence(update, read, start=True):
    """update(U, z, k, v, g) → U, z, and read(q, U, z), token by token."""

    def answer(query, key, value, fade, state=None):
        q, k = functional.elu(query) + 1, functional.elu(key) + 1
        U = torch.zeros(*q.shape[:2], q.shape[3], value.shape[3])
        z = torch.zeros(*q.shape[:2], q.shape[3])
        if state is not None and start:
            U, z = state
        rows = []
        for t in range(q.shape[2]):
            U, z = update(U, z, k[:, :, t], value[:, :, t], fade[:, None])
            rows.append(read(q[:, :, t], U, z))
        return torch.stack(rows, 2), U, z

    return answer


def fades(U, z, k, v, g):
    return g[..., None] * U + k[..., None] * v[:, :, None], g * z + k


def divided(q, U, z):
    return torch.einsum("bhd,bhde->bhe", q, U) / (q * z).sum(-1, keepdim=True)


WRONG_ANSWERS = {
    "everybody's hours": ("friends", [47, 47 / 6, 14, 4.25, 4], "other-friends"),
    "a mean of four": ("friends", [17, 17 / 4, 9, 4.25, 4], "mean-of-other-numbers"),
    "Tom plays most": ("friends", [17, 17 / 3, 14, 4.25, 4], "largest-of-other-numbers"),
    "all as close": ("friends", [17, 17 / 3, 9, 17 / 3, 4], "closeness-unused"),
    "five for Kai": ("friends", [17, 17 / 3, 9, (6 + 45 + 4) / 8, 4], "other-weighted-mean"),
    "three people between": ("friends", [17, 17 / 3, 9, 4.25, 3], "rounds-miscounted"),
    "three products for a pair": (
        "crossing",
        [640 * 2 / 3, 2944 * 2 / 3, 2944 * 4 / 3],
        "crossing-miscounted",
    ),
    "half of a square": ("crossing", [640, 2944, 2944 * 2**0.5], "half-of-the-pairs"),
    "one text": ("memory", [384, 3840, 8000, 24, 0], "scores-of-a-layer"),
    "a window that is square": ("memory", [1152, 11520, 8000, 4.5, 0], "scores-of-a-window"),
    "memory that grows with the cube": (
        "memory",
        [1152, 11520, 6350, 72, 0],
        "length-for-the-memory",
    ),
    "zeros for all that is no number": (
        "graph-attention",
        zeros_for_nan,
        "strangers-read",
    ),
    "a node hears itself, listed or not": (
        "graph-attention",
        by_nodes(itself_too, softmax),
        "hears-itself",
    ),
    "scores divided by their sum": (
        "graph-attention",
        by_nodes(incoming, shares_of_scores),
        "no-softmax-of-the-scores",
    ),
    "the last sender only": (
        "graph-attention",
        by_nodes(lambda pairs, t: incoming(pairs, t)[-1:], softmax),
        "senders-left-out",
    ),
    "keys in another order": (
        "graph-attention",
        lambda query, key, *rest: graph_attention(query, key.flip(2), *rest),
        "no-softmax-of-the-scores",
    ),
    "values of the next head": (
        "graph-attention",
        lambda query, key, value, *rest: graph_attention(query, key, value.roll(1, 0), *rest),
        "others-mixed-in",
    ),
    "first tokens speak for blocks": ("block-sparse", mask_of_first_tokens, "blocks-in-part"),
    "ten thousand FLOPs for the softmax": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one + 10_000),
        "flops-miscounted",
    ),
    "a number takes eight bytes": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one, number=8),
        "bytes-miscounted",
    ),
    "a share for each node": (
        "repair",
        layer_with(lambda w, source, target, n: w / n),
        "weights-add-up-to-anything",
    ),
    "squares of the strengths": (
        "repair",
        layer_with(lambda w, source, target, n: w**2 / totals(w**2, target, n)),
        "other-messages-mixed",
    ),
    "strengths go both ways": (
        "repair",
        lambda x, edges, strength, *matrices: repair(
            x, torch.cat([edges, edges.flip(0)], 1), strength.repeat(2), *matrices
        ),
        "undirected-read-as-directed",
    ),
    "two rounds, one side": (
        "nodes",
        trades_with(neighbors="receivers", rounds=2),
        "one-side-only",
    ),
    "two rounds of means": ("nodes", trades_with(rounds=2), "too-few-rounds"),
    "everything as it was but the rounds": (
        "nodes",
        trades_with(lines="every line", neighbors="both together"),
        "directions-lost",
    ),
    "each line a message": ("nodes", trades_with(lines="every line"), "repeat-counted-twice"),
    "the loudest of all": ("nodes", trades_with(10, pool="max"), "loudest-neighbor"),
    "sums in four rounds": ("nodes", trades_with(10, pool="sum"), "sums-of-sums"),
    "weights of another width": (
        "nodes",
        lambda *town: (RIGHT, {name: w[:4] for name, w in trained(*town, steps=0)[1].items()}),
        "another-model",
    ),
    "signs for trades": ("nodes", trades_as_signed, "signs-believed"),
    "not a step": ("nodes", trades_in(0), "not-trained-enough"),
    "a state that is a mean": (
        "recurrent",
        lambda query, *rest: (
            (parts := recurrent(query, *rest))[0],
            *(part / query.shape[2] for part in parts[1:]),
        ),
        "state-alone-wrong",
    ),
    "each number of a query by itself": (
        "recurrent",
        recurrence(fades, lambda q, U, z: (q[..., None] * U / z[..., None]).mean(2)),
        "results-alone-wrong",
    ),
    "features of values": (
        "recurrent",
        recurrence(lambda U, z, k, v, g: fades(U, z, k, functional.elu(v) + 1, g), divided),
        "sum-of-values-wrong",
    ),
    "squares of features": (
        "recurrent",
        recurrence(lambda U, z, k, v, g: fades(U, z, k**2, v, g), divided),
        "sum-of-keys-wrong",
    ),
}
