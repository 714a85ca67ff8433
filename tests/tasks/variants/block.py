"""Right answers to assignment 10 that are written in other ways than the reference."""

import math
from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.block.deep import by_hand_answer, partners, trained
from headway.tasks.chapters.block.deep_model import by_hand

# --- norms and networks ----------------------------------------------------------------------


def norm_loops(x, gain, shift, eps=1e-5):
    result = torch.zeros_like(x)
    C = x.shape[-1]
    for source, target in zip(x.reshape(-1, C), result.view(-1, C), strict=True):
        numbers = source.tolist()
        mean = math.fsum(numbers) / C
        variance = math.fsum((number - mean) ** 2 for number in numbers) / C
        for c in range(C):
            target[c] = (numbers[c] - mean) / math.sqrt(variance + eps) * gain[c] + shift[c]
    return result


def norm_torch(x, gain, shift, eps=1e-5):
    return functional.layer_norm(x, gain.shape, gain, shift, eps)


def norm_var(x, gain, shift, eps=1e-5):
    variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return torch.addcmul(shift, gain, (x - mean) * torch.rsqrt(variance + eps))


def norm_numpy(x, gain, shift, eps=1e-5):
    x = x.numpy().astype(float)
    z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
    return z * gain.numpy() + shift.numpy()


def network_by_torch(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    hidden = functional.relu(functional.linear(x, W_1.T, b_1))
    update = functional.linear(hidden, W_2.T, b_2)
    return update if keep is None else torch.where(keep, update / (1 - p), 0.0)


def network_by_units(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    """A sum over hidden units, each with its own slope."""
    update = b_2.expand_as(x).clone()
    for unit in range(len(b_1)):
        hidden = (x * W_1[:, unit]).sum(-1, keepdim=True) + b_1[unit]
        update += hidden.clamp(min=0) * W_2[unit]
    if keep is not None:
        update[~keep] = 0
        update /= 1 - p
    return update


def network_numpy(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    x, W_1, b_1, W_2, b_2 = (given.numpy() for given in (x, W_1, b_1, W_2, b_2))
    update = np.maximum(0, x @ W_1 + b_1) @ W_2 + b_2
    return update if keep is None else update * (keep.numpy() / (1 - p))


# --- blocks ----------------------------------------------------------------------------------


class Layers(nn.Module):
    def __init__(self, width, heads, hidden, pre=True):
        super().__init__()
        self.attention = MultiHeadAttention(width, heads)
        self.expand, self.contract = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.pre = pre

    def network(self, x):
        return self.contract(functional.relu(self.expand(x)))


class BlockByGeneralSteps(Layers):
    """One step for any sub-layer; the other norm does nothing."""

    def step(self, x, f, norm):
        nothing = nn.Identity()
        before, after = (norm, nothing) if self.pre else (nothing, norm)
        return after(f(before(x)) + x)

    def forward(self, x, mask=None):
        x = self.step(x, lambda h: self.attention(h, None, mask), self.attention_norm)
        return self.step(x, self.network, self.feed_forward_norm)


class BlockWithNormsByHand(Layers):
    """Norms written out."""

    def normalize(self, x, norm):
        return norm_var(x, norm.weight, norm.bias)

    def forward(self, x, mask=None):
        for f, norm in ((None, self.attention_norm), (self.network, self.feed_forward_norm)):
            h = self.normalize(x, norm) if self.pre else x
            h = x + (self.attention(h, mask=mask) if f is None else f(h))
            x = h if self.pre else self.normalize(h, norm)
        return x


class StackOfGeneralSteps(nn.Module):
    made = BlockByGeneralSteps

    def __init__(self, width, heads, hidden, depth, pre=True):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(self.made(width, heads, hidden, pre))
        if pre:
            self.norm = nn.LayerNorm(width)

    def forward(self, x, mask=None):
        for i in range(len(self.blocks)):
            x = self.blocks[i](x, mask)
        return self.norm(x) if hasattr(self, "norm") else x


class StackWithNormsByHand(StackOfGeneralSteps):
    made = BlockWithNormsByHand


class StackOfNamedModules(nn.Module):
    """Blocks in a sequence, called one by one; an identity in place of the norm."""

    def __init__(self, width, heads, hidden, depth, pre=True):
        super().__init__()
        blocks = [BlockByGeneralSteps(width, heads, hidden, pre) for _ in range(depth)]
        self.blocks = nn.Sequential(*blocks)
        self.norm = nn.LayerNorm(width) if pre else None

    def forward(self, x, mask=None):
        for _, block in self.blocks.named_children():
            x = block(x, mask=mask)
        return x if self.norm is None else self.norm(x)


# --- costs -----------------------------------------------------------------------------------


def cost_by_formula(width, heads, key_value_heads, hidden, length, bias=True):
    share = Fraction(key_value_heads, heads)
    parameters = width * (width * (2 + 2 * share) + 2 * hidden + 4)
    flops = 2 * length * width * (width * (2 + 2 * share) + 2 * hidden + 2 * length)
    if bias:
        parameters += width * (3 + 2 * share) + hidden
    return [int(parameters), int(flops)]


def cost_by_modules(width, heads, key_value_heads, hidden, length, bias=True):
    """Parameters counted in modules that are made; FLOPs from their matrices."""
    made = nn.ModuleList(
        [
            MultiHeadAttention(width, heads, key_value_heads, bias),
            nn.Linear(width, hidden, bias),
            nn.Linear(hidden, width, bias),
            nn.LayerNorm(width),
            nn.LayerNorm(width),
        ]
    )
    matrices = sum(p.numel() for p in made.parameters() if p.dim() == 2)
    scores = heads * length * length * (width // heads)
    return sum(p.numel() for p in made.parameters()), 2 * length * matrices + 4 * scores


def cost_head_by_head(width, heads, key_value_heads, hidden, length, bias=True):
    D, one = width // heads, 1 if bias else 0
    parameters = flops = 0
    for _ in range(heads):
        parameters += (width + one) * D
        flops += 2 * length * width * D + 2 * length * D * length + 2 * length * length * D
    for _ in range(2 * key_value_heads):
        parameters += (width + one) * D
        flops += 2 * length * width * D
    parameters += (width + one) * width + (width + one) * hidden + (hidden + one) * width
    flops += 2 * length * width * width + 4 * length * width * hidden
    return parameters + 2 * (width + width), flops


# --- reach ------------------------------------------------------------------------------------


def reach_by_the_last(masks):
    """As handed out, but from the last block down: what does a place look for?"""
    seen = torch.eye(len(masks[0]), dtype=torch.bool)
    for mask in reversed(masks):
        seen = seen | ((seen.float() @ mask.float()) > 0)
    return seen


def reach_by_sets(masks):
    holds = [{s} for s in range(len(masks[0]))]
    for mask in masks:
        rows = mask.tolist()
        holds = [
            own.union(*(holds[u] for u, shown in enumerate(row) if shown))
            for own, row in zip(holds, rows, strict=True)
        ]
    return [[s in own for s in range(len(holds))] for own in holds]


def reach_by_a_product(masks):
    """One matrix product for each block, the way around as an identity in it."""
    ways = np.eye(len(masks[0]))
    for mask in masks:
        ways = (mask.numpy() + np.eye(len(mask))) @ ways
    return ways > 0


# --- the deep stack --------------------------------------------------------------------------


def by_training(*given):
    torch.manual_seed(0)
    return trained(*given, steps=150)


def by_a_louder_stream(*given):
    torch.manual_seed(0)
    return trained(*given, {"norm": 1, "keep": 100.0, "add": 1.0}, steps=130)


def by_smaller_updates(*given):
    torch.manual_seed(0)
    return trained(*given, {"keep": 1, "add": 0.02, "norm": False}, steps=130)


def by_louder_updates(ids, answers, words, depth):
    return {"norm": False, "keep": 1, "add": 3}, by_hand(partners(ids, answers, words), depth)


def by_arrays(*given):
    arrangement, weights = by_hand_answer(*given)
    return [arrangement, {name: value.numpy() for name, value in weights.items()}]


# --- the gated network -----------------------------------------------------------------------


def gates_side_by_side(width, terms):
    """All that open for positive numbers, then all that open for negative ones."""
    gate, up = np.zeros((width, len(terms))), np.zeros((width, len(terms)))
    down = np.zeros((len(terms), width))
    for n, (i, j, k, factor) in enumerate(terms):
        gate[i, n] = up[j, n] = 1
        down[n, k] = factor
    return np.hstack([gate, -gate]), np.hstack([up, -up]), np.vstack([down, down])


def factor_before(width, terms):
    """The factor in W_up, the signs in W_down, numbers swapped."""
    columns = [torch.zeros(width, 0)] * 2, [torch.zeros(0, width)]
    eye = torch.eye(width)
    gates, ups, downs = [columns[0][0]], [columns[0][1]], [columns[1][0]]
    for i, j, k, factor in terms:
        gates += [eye[:, [j]], -eye[:, [j]]]
        ups += [factor * eye[:, [i]]] * 2
        downs += [eye[[k]], -eye[[k]]]
    return torch.cat(gates, 1), torch.cat(ups, 1), torch.cat(downs, 0)


def all_pairs(width, terms):
    """Two hidden numbers for each pair of columns, whether it is asked for or not."""
    gate, up = torch.zeros(width, 0), torch.zeros(width, 0)
    down = []
    for i in range(width):
        for j in range(width):
            a, b = torch.eye(width)[:, [i]], torch.eye(width)[:, [j]]
            gate, up = torch.cat([gate, a, -a], 1), torch.cat([up, b, -b], 1)
            row = torch.zeros(width)
            for p, q, k, factor in terms:
                if (p, q) == (i, j):
                    row[k] += factor
            down += [row, row]
    return gate, up, torch.stack(down)


VARIANTS = {
    "10-block/parameters": {
        "a tuple": (440, 640, 220),
        "computed": [4 * 11 * 10, 11 * 30 + 31 * 10, 11 * 20],
        "counted by torch": np.array([440, 640, 220]),
    },
    "10-block/normed": {
        "floats": (-1.0, 4.0, 1.0, -2.0),
        "computed": norm_numpy(
            *map(torch.tensor, ([2.0, 10, 4, 4], [2.0, 3, 3, 6], [1.0, -1, 2, 0])), 0.0
        ),
        "with a small eps": functional.layer_norm(
            torch.tensor([2.0, 10, 4, 4]),
            (4,),
            torch.tensor([2.0, 3, 3, 6]),
            torch.tensor([1.0, -1, 2, 0]),
        ),
    },
    "10-block/share": {
        "fractions": [Fraction(1, 7), Fraction(1, 64)],
        "decimals": (0.143, 0.0156),
        "powers": np.array([7.0**-1, 0.5**6]),
    },
    "10-block/layer-norm": {
        "loops": norm_loops,
        "torch's": norm_torch,
        "variance and mean at once": norm_var,
        "NumPy": norm_numpy,
    },
    "10-block/feed-forward": {
        "torch's": network_by_torch,
        "unit by unit": network_by_units,
        "NumPy": network_numpy,
    },
    "10-block/block": {
        "one step for all": StackOfGeneralSteps,
        "norms by hand": StackWithNormsByHand,
        "a sequence": StackOfNamedModules,
    },
    "10-block/cost": {
        "one formula": cost_by_formula,
        "modules that are counted": cost_by_modules,
        "head by head": cost_head_by_head,
    },
    "10-block/faulty-line": {"a number": 5, "a float": 5.0, "NumPy": np.int64(5)},
    "10-block/repair": {
        "from the last block down": reach_by_the_last,
        "sets of words": reach_by_sets,
        "one product": reach_by_a_product,
    },
    "10-block/deep": {
        "trained with norms": by_training,
        "trained without norms": by_smaller_updates,
        "trained with a louder stream": by_a_louder_stream,
        "by hand, louder": by_louder_updates,
        "arrays in a list": by_arrays,
    },
    "10-block/gated": {
        "side by side": gates_side_by_side,
        "the factor before": factor_before,
        "all pairs": all_pairs,
    },
}
