"""Right answers to assignment 10 that are written in other ways than the reference."""

from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.multihead import MultiHeadAttention
from headway.tasks.chapters.block.deep import by_hand_answer, trained

# --- norms and networks ----------------------------------------------------------------------


def norm_torch(x, gain, shift, eps=1e-5):
    return functional.layer_norm(x, gain.shape, gain, shift, eps)


def norm_numpy(x, gain, shift, eps=1e-5):
    x = x.numpy().astype(float)
    z = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
    return z * gain.numpy() + shift.numpy()


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


# --- reach ------------------------------------------------------------------------------------


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


def by_louder_updates(*given):
    return {"norm": False, "keep": 1, "add": 3}, by_hand_answer(*given)[1]


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


VARIANTS = {
    "10-block/parameters": {
        "a tuple": (440, 640, 220),
        "counted by torch": np.array([440, 640, 220]),
    },
    "10-block/normed": {
        "floats": (-1.0, 4.0, 1.0, -2.0),
        "computed": norm_numpy(
            *map(torch.tensor, ([2.0, 10, 4, 4], [2.0, 3, 3, 6], [1.0, -1, 2, 0])), 0.0
        ),
    },
    "10-block/share": {
        "fractions": [Fraction(1, 7), Fraction(1, 64)],
        "decimals": (0.143, 0.0156),
    },
    "10-block/layer-norm": {
        "torch's": norm_torch,
        "NumPy": norm_numpy,
    },
    "10-block/feed-forward": {
        "unit by unit": network_by_units,
        "NumPy": network_numpy,
    },
    "10-block/block": {
        "one step for all": StackOfGeneralSteps,
        "a sequence": StackOfNamedModules,
    },
    "10-block/cost": {
        "one formula": cost_by_formula,
        "modules that are counted": cost_by_modules,
    },
    "10-block/faulty-line": {"a float": 5.0, "NumPy": np.int64(5)},
    "10-block/repair": {
        "sets of words": reach_by_sets,
        "one product": reach_by_a_product,
    },
    "10-block/deep": {
        "trained with norms": by_training,
        "by hand, louder": by_louder_updates,
        "arrays in a list": by_arrays,
    },
    "10-block/gated": {
        "side by side": gates_side_by_side,
        "the factor before": factor_before,
    },
}
