"""Wrong answers to assignment 16, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.outlook.graph_attention import graph_attention
from headway.tasks.chapters.outlook.nodes import RIGHT, trained
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


def incoming(pairs, t):
    return [s for s, end in pairs if end == t]


def outgoing(pairs, t):
    return [end for s, end in pairs if s == t]


def itself_too(pairs, t):
    return sorted({t, *incoming(pairs, t)})


def softmax(scores):
    return scores.softmax(-1)


def shares_of_scores(scores):
    return scores / scores.sum(-1, keepdim=True)


def attention_of_senders_share(query, key, value, edges, both_ways=False):
    """A loop over senders, each of which gives away a whole."""
    if both_ways:
        edges = torch.cat([edges, edges.flip(0)], 1)
    mixed = torch.zeros(*query.shape[:2], value.shape[2])
    for s in edges[0].unique():
        ends = edges[1, edges[0] == s].unique()
        scores = (query[:, ends] @ key[:, s, :, None])[..., 0] / query.shape[2] ** 0.5
        mixed[:, ends] += scores.softmax(1)[..., None] * value[:, s, None]
    return mixed


def attention_masked_with_a_table(query, key, value, edges, both_ways=False):
    mask = np.zeros((query.shape[1], key.shape[1]), dtype=bool)
    for s, t in edges.T.tolist():
        mask[t, s] = True
        if both_ways:
            mask[s, t] = True
    scores = torch.einsum("htd,hsd->hts", query, key) / math.sqrt(query.shape[-1])
    powers = torch.exp(scores - scores.amax(-1, keepdim=True)) * torch.from_numpy(mask)
    return powers / powers.sum(-1, keepdim=True).clamp(min=1e-30) @ value


def attention_of_scores_times_table(query, key, value, edges, both_ways=False):
    table = torch.zeros(query.shape[1], key.shape[1])
    table[edges[1], edges[0]] = 1
    if both_ways:
        table = torch.maximum(table, table.T)
    scores = table * (query @ key.transpose(1, 2)) / query.shape[2] ** 0.5
    return torch.softmax(scores, dim=2) @ value


# --- blocks ----------------------------------------------------------------------------------


def mask_that_forgets_unlisted_own(T, block, pairs, causal=False):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for i, j in pairs:
        mask[i * block : (i + 1) * block, j * block : (j + 1) * block] = True
    mask.fill_diagonal_(True)
    return mask.tril() if causal else mask


def mask_of_whole_blocks_ahead(T, block, pairs, causal=False):
    seen = {(i, j) for i, j in pairs if not (causal and j > i)}
    return np.array(
        [[t // block == s // block or (t // block, s // block) in seen for s in range(T)]
         for t in range(T)]
    )  # fmt: skip


def mask_in_columns(T, block, pairs, causal=False):
    mask = torch.zeros(T, T, dtype=torch.bool)
    for i, j in [*pairs, *[(b, b) for b in range(T // block + 1)]]:
        mask[j * block : (j + 1) * block, i * block : (i + 1) * block] = True
    return mask.tril() if causal else mask


def mask_of_mutual_blocks(T, block, pairs, causal=False):
    seen = set(pairs) | {(j, i) for i, j in pairs}
    of = [t // block for t in range(T)]
    return [
        [(of[t] == of[s] or (of[t], of[s]) in seen) and (s <= t or not causal) for s in range(T)]
        for t in range(T)
    ]


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


def trades_with(**arrangement):
    return lambda signs, edges, trades: trained(signs, edges, trades, RIGHT | arrangement)


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


def fades_all(U, z, k, v, g):
    return g[..., None] * (U + k[..., None] * v[:, :, None]), g * (z + k)


def fades_none(U, z, k, v, g):
    return U + k[..., None] * v[:, :, None], z + k


def fades(U, z, k, v, g):
    return g[..., None] * U + k[..., None] * v[:, :, None], g * z + k


def divided(q, U, z):
    return torch.einsum("bhd,bhde->bhe", q, U) / (q * z).sum(-1, keepdim=True)


def undivided(q, U, z):
    return torch.einsum("bhd,bhde->bhe", q, U)


def state_in_place(query, key, value, fade, state=None):
    """The state that was given is updated where it is."""
    B, H, T, D = query.shape
    given = state or (torch.zeros(B, H, D, value.shape[-1]), torch.zeros(B, H, D))
    mixed = []
    for t in range(T):
        q, k = (torch.nn.functional.elu(x[:, :, t]) + 1 for x in (query, key))
        for part, more in zip(given, (k[..., None] * value[:, :, t, None], k), strict=True):
            part *= fade.view(-1, *[1] * (part.ndim - 2))
            part += more
        U, z = given
        mixed.append((q[..., None] * U).sum(-2) / (q * z).sum(-1, keepdim=True))
    return torch.stack(mixed, 2), *given


FURTHER = {
    "everybody's hours": ("friends", [47, 47 / 6, 14, 4.25, 4], "other-friends"),
    "a mean of two": ("friends", [17, 17 / 2, 9, 4.25, 4], "mean-of-other-numbers"),
    "Tom plays most": ("friends", [17, 17 / 3, 14, 4.25, 4], "largest-of-other-numbers"),
    "all as close": ("friends", [17, 17 / 3, 9, 17 / 3, 4], "closeness-unused"),
    "five for Kai": ("friends", [17, 17 / 3, 9, (6 + 45 + 4) / 8, 4], "other-weighted-mean"),
    "three people between": ("friends", [17, 17 / 3, 9, 4.25, 3], "rounds-miscounted"),
    "half of a square": ("crossing", [640, 2944, 2944 * 2**0.5], "half-of-the-pairs"),
    "four layers": ("memory", [1152, 11520, 8000, 4 * 72, 0], "scores-of-a-window"),
    "heads and texts added up": ("memory", [480, 4800, 8000, 30, 0], "scores-of-a-layer"),
    "memory that grows with the cube": (
        "memory",
        [1152, 11520, 6350, 72, 0],
        "length-for-the-memory",
    ),
    "the given state is changed": ("recurrent", state_in_place, "argument-changed"),
    "the neighbors are those one sends to": (
        "graph-attention",
        by_nodes(outgoing, softmax),
        "direction-turned",
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
        "other-scores",
    ),
    "values of the next head": (
        "graph-attention",
        lambda query, key, value, *rest: graph_attention(query, key, value.roll(1, 0), *rest),
        "others-mixed-in",
    ),
    "sigmoids for weights": (
        "graph-attention",
        by_nodes(incoming, torch.sigmoid),
        "weights-add-up-to-anything",
    ),
    "one way of both": (
        "graph-attention",
        by_nodes(incoming, softmax, both=False),
        "undirected-read-as-directed",
    ),
    "a list with its repeats": (
        "graph-attention",
        by_nodes(incoming, softmax, unique=False),
        "repeat-counted-twice",
    ),
    "each sender gives away a whole": (
        "graph-attention",
        attention_of_senders_share,
        "whole-of-other-edges",
    ),
    "a table of powers": ("graph-attention", attention_masked_with_a_table, "strangers-read"),
    "a table times the scores": (
        "graph-attention",
        attention_of_scores_times_table,
        "zeroed-before-softmax",
    ),
    "own tokens only, on the diagonal": (
        "block-sparse",
        mask_that_forgets_unlisted_own,
        "own-block-hidden",
    ),
    "later blocks are hidden": ("block-sparse", mask_of_whole_blocks_ahead, "future-by-blocks"),
    "rows and columns of slices": ("block-sparse", mask_in_columns, "direction-turned"),
    "blocks that see each other": (
        "block-sparse",
        mask_of_mutual_blocks,
        "undirected-read-as-directed",
    ),
    "first tokens speak for blocks": ("block-sparse", mask_of_first_tokens, "blocks-in-part"),
    "multiplications only": (
        "cost",
        cost_with(lambda weights, one: weights + 2 * one),
        "multiplications-for-flops",
    ),
    "the scores and no mixing": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 2 * one),
        "multiplications-for-flops",  # the same numbers
    ),
    "scores of one head": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one, of_heads=False),
        "heads-miscounted",
    ),
    "numbers of two bytes": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one, number=2),
        "unit-mistaken",
    ),
    "ten thousand FLOPs for the softmax": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one + 10_000),
        "flops-miscounted",
    ),
    "a number takes three bytes": (
        "cost",
        cost_with(lambda weights, one: 2 * weights + 4 * one, number=3),
        "bytes-miscounted",
    ),
    "shares over the outgoing edges": (
        "repair",
        layer_with(lambda w, source, target, n: w / totals(w, source, n)),
        "whole-of-other-edges",
    ),
    "a mean without strengths": (
        "repair",
        layer_with(lambda w, source, target, n: 1 / totals(torch.ones_like(w), target, n)),
        "counted-for-weighed",
    ),
    "a softmax of the strengths of all": (
        "repair",
        layer_with(lambda w, source, target, n: w.softmax(0)),
        "softmax-of-the-strength",
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
    "the loudest of all": ("nodes", trades_with(pool="max"), "loudest-neighbor"),
    "sums in four rounds": ("nodes", trades_with(pool="sum"), "sums-of-sums"),
    "weights of another width": (
        "nodes",
        lambda *town: (RIGHT, {name: w[:4] for name, w in trained(*town, steps=0)[1].items()}),
        "another-model",
    ),
    "signs for trades": ("nodes", trades_as_signed, "signs-believed"),
    "not a step": ("nodes", trades_in(0), "not-trained-enough"),
    "ten steps": ("nodes", trades_in(10), "not-trained-enough"),
    "fades before it is read": ("recurrent", recurrence(fades_all, divided), "fade-misplaced"),
    "a sum of everything": ("recurrent", recurrence(fades_none, divided), "fade-misplaced"),
    "no sum of weights": ("recurrent", recurrence(fades, undivided), "weights-add-up-to-anything"),
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
    "a new text at every call": (
        "recurrent",
        recurrence(fades, divided, start=False),
        "state-begun-anew",
    ),
}
