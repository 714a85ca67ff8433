"""Right answers to assignment 09 that are written in other ways than the reference."""

import math
from fractions import Fraction

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.attention import attend
from headway.tasks.chapters.many_heads.learn import Reader, trained

# --- into the heads and out ------------------------------------------------------------------


def split_chunks(qkv, heads):
    C = qkv.size(-1) // 3
    if C / heads != C // heads:
        raise ValueError
    return tuple(
        torch.stack(part.chunk(heads, dim=-1), dim=1) for part in torch.chunk(qkv, 3, dim=-1)
    )


def split_numpy(qkv, heads):
    B, T, width = qkv.shape
    if width % (3 * heads):
        raise ValueError(width, heads)
    parts = qkv.numpy().reshape(B, T, 3, heads, width // 3 // heads)
    return [np.swapaxes(parts[:, :, i], 1, 2) for i in range(3)]


def merge_recursive(x, off):
    first = x[:, 0] * (0 not in off)
    if x.shape[1] == 1:
        return first
    return torch.cat([first, merge_recursive(x[:, 1:], [h - 1 for h in off])], dim=-1)


def merge_numpy(x, off):
    said = np.where(np.isin(np.arange(x.shape[1]), off)[:, None, None], 0, x.numpy())
    return np.concatenate(list(np.moveaxis(said, 1, 0)), axis=-1)


# --- the module ------------------------------------------------------------------------------


class Layers(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError("no equal parts")
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.H, self.D = heads, width // heads


class ByTheKernel(Layers):
    def forward(self, x, memory=None, mask=None):
        memory = memory if memory is not None else x
        parts = self.query(x), self.key(memory), self.value(memory)
        q, k, v = (part.view(*part.shape[:2], self.H, self.D).transpose(1, 2) for part in parts)
        mask = None if mask is None else mask.unsqueeze(1)
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.output(mixed.nan_to_num().permute(0, 2, 1, 3).contiguous().view(x.shape))


class ByLoops(Layers):
    """The last matrix is cut into the heads' blocks, and the heads' contributions are added."""

    def forward(self, x, memory=None, mask=None):
        outputs = []
        for b in range(len(x)):
            asked = x[b] if memory is None else memory[b]
            total = self.output.bias.expand(x.shape[1], -1)
            for h in range(self.H):
                rows = slice(h * self.D, (h + 1) * self.D)
                q, k, v = (
                    given @ layer.weight[rows].T + layer.bias[rows]
                    for layer, given in ((self.query, x[b]), (self.key, asked), (self.value, asked))
                )
                shown = None if mask is None else mask[b]
                total = total + attend(q, k, v, shown)[0] @ self.output.weight[:, rows].T
            outputs.append(total)
        return torch.stack(outputs)


# --- weights by hand -------------------------------------------------------------------------


def look_back_numpy(words, places, back):
    nothing = np.zeros((words, places))
    keep = np.eye(words, words + places)
    W_Q = np.vstack([nothing, 1000 * np.eye(places, k=-back)])
    return W_Q, np.vstack([nothing, np.eye(places)]), keep.T, keep


def look_back_by_the_keys(words, places, back):
    """The keys are shifted, and the queries are not."""
    W_Q, W_K = np.zeros((2, words + places, places))
    for place in range(places):
        W_Q[words + place, place] = 60
        if place + back < places:
            W_K[words + place, place + back] = 5
    W_V = [[float(i == j) for j in range(words)] for i in range(words + places)]
    return W_Q, W_K, W_V, np.array(W_V).T.tolist()


# --- rotary ----------------------------------------------------------------------------------


def rotary_of_complex_numbers(query, key, query_positions, key_positions, speeds):
    def points(x, positions):
        first, second = x.tensor_split(2, dim=-1)
        turns = torch.polar(torch.ones(len(positions), len(speeds)), positions[:, None] * speeds)
        return torch.complex(first.contiguous(), second.contiguous()) * turns

    a, b = points(query, query_positions), points(key, key_positions)
    return (a @ b.mH).real


def rotary_rotate_half(query, key, query_positions, key_positions, speeds):
    """As the Hugging Face library writes it."""

    def rotate_half(x):
        half = x.shape[-1] // 2
        return torch.cat((-x[..., half:], x[..., :half]), dim=-1)

    def apply(x, positions):
        angles = torch.outer(positions.float(), speeds)
        both = torch.cat((angles, angles), dim=-1)
        return x * both.cos() + rotate_half(x) * both.sin()

    q, k = apply(query, query_positions), apply(key, key_positions)
    return torch.einsum("...td,...sd->...ts", q, k)


# --- the repair ------------------------------------------------------------------------------


def repaired_with_contiguous(x, W_Q, W_K, W_V, W_O, heads):
    B, T, C = x.shape
    q, k, v = ((x @ W).view(B, T, heads, C // heads).transpose(1, 2) for W in (W_Q, W_K, W_V))
    mixed, _ = attend(q, k, v, torch.ones(T, T, dtype=torch.bool).tril().triu(-2))
    return mixed.transpose(1, 2).contiguous().view(B, T, C) @ W_O


def repaired_head_by_head(x, W_Q, W_K, W_V, W_O, heads):
    B, T, C = x.shape
    D, total = C // heads, torch.zeros(B, T, C)
    for b in range(B):
        for h in range(heads):
            of_head = slice(h * D, (h + 1) * D)
            q, k, v = (x[b] @ W[:, of_head] for W in (W_Q, W_K, W_V))
            for t in range(T):
                near = slice(max(t - 2, 0), t + 1)
                weights = (k[near] @ q[t] / math.sqrt(D)).softmax(0)
                total[b, t] += (weights @ v[near]) @ W_O[of_head]
    return total


# --- the measure, and what is learned --------------------------------------------------------


def r_squared_loops(predicted, target):
    rows, columns = target.shape
    errors = spread = 0.0
    for j in range(columns):
        column = target[:, j].tolist()
        mean = sum(column) / rows
        spread += sum((y - mean) ** 2 for y in column)
        errors += sum((p - y) ** 2 for p, y in zip(predicted[:, j].tolist(), column, strict=True))
    return 1 - errors / spread


def r_squared_numpy(predicted, target):
    predicted, target = (tensor.double().numpy() for tensor in (predicted, target))
    residual = np.linalg.norm(predicted - target) ** 2
    return (1.0 - residual / np.linalg.norm(target - target.mean(axis=0)) ** 2).item()


def learned_by_a_reader(x, y, new_x):
    return trained(x, y, new_x, heads=2, steps=300)


def learned_in_order(x, y, new_x):
    """Batches in order, plain Adam, four questions in place of more heads."""
    model = Reader(x.shape[-1], y.shape[-1], 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
    for step in range(350):
        rows = slice(step * 64 % 1_920, step * 64 % 1_920 + 64)
        optimizer.zero_grad()
        (model(x[rows]) - y[rows]).square().mean().backward()
        optimizer.step()
    return model(new_x).detach().numpy()


# --- the stretch -----------------------------------------------------------------------------


def bound_by_least_squares(weights, wanted):
    targets = np.eye(weights.shape[1])[list(wanted)].T  # (R, K)
    found, *_ = np.linalg.lstsq(weights.T, targets, rcond=1e-9)
    return 1 - np.square(weights.T @ found - targets).sum() / len(wanted)


def bound_by_covariances(weights, wanted):
    """Σ cov(v, m) cov(m)⁻¹ cov(m, v), by the eigenvectors of cov(m)."""
    values, vectors = torch.linalg.eigh(torch.tensor(weights @ weights.T))
    kept = values > 1e-12
    with_wanted = torch.tensor(weights[:, list(wanted)]).T @ vectors[:, kept]
    return (with_wanted.square() / values[kept]).sum().item() / len(wanted)


def by_roles_with_a_shared_mixture(roles, wanted, heads, size):
    """The last head mixes all that is left over, and each gets the mixture."""
    scores, share = np.full((heads, roles), -60.0), np.zeros((heads, len(wanted)))
    for h in range(heads):
        last = h == heads - 1
        mine = wanted[h:] if last else wanted[h : h + 1]
        scores[h, list(mine)] = 0.0
        share[h, h : len(wanted) if last else h + 1] = 1
    return scores, np.kron(share, np.eye(size))


def by_roles_unmixed(roles, wanted, heads, size):
    """Head h looks at the first h + 1 wanted roles alike; W_O is the inverse of these weights."""
    found = min(heads, len(wanted))
    scores, share = np.full((heads, roles), -60.0), np.zeros((heads, len(wanted)))
    for h in range(found):
        scores[h, list(wanted[: h + 1])] = 0.0
    weights = np.tril(np.ones((found, found))) / np.arange(1, found + 1)[:, None]
    share[:found, :found] = np.linalg.inv(weights).T
    return scores, np.kron(share, np.eye(size))


VARIANTS = {
    "09-many-heads/shapes": {
        "lists": [[2, 3, 5, 4], [2, 3, 5, 7], [2, 5, 12]],
        "torch": tuple(
            tuple(torch.zeros(s).shape) for s in ((2, 3, 5, 4), (2, 3, 5, 7), (2, 5, 12))
        ),
    },
    "09-many-heads/counts": {
        "tuple": (16_384, 24_576, 960),
        "array": np.array([16_384, 24_576, 960]),
    },
    "09-many-heads/two-heads-by-hand": {
        "tensor": torch.tensor([3.0, 5.0]) @ torch.tensor([[1.0, 1.0], [0.0, 2.0]]),
        "fractions": [float(Fraction(4 + 2, 2)), float(3 + 2 * (Fraction(2, 4) + Fraction(18, 4)))],
    },
    "09-many-heads/split": {
        "chunks": split_chunks,
        "NumPy": split_numpy,
    },
    "09-many-heads/merge": {
        "recursive": merge_recursive,
        "NumPy": merge_numpy,
    },
    "09-many-heads/attention": {
        "torch's kernel": ByTheKernel,
        "loops, and sums in place of concatenation": ByLoops,
    },
    "09-many-heads/look-back": {
        "NumPy": look_back_numpy,
        "shifted keys": look_back_by_the_keys,
    },
    "09-many-heads/rotary": {
        "complex numbers": rotary_of_complex_numbers,
        "rotate half": rotary_rotate_half,
    },
    "09-many-heads/faulty-line": {
        "float": 9.0,
        "NumPy": np.int64(9),
    },
    "09-many-heads/repair": {
        "contiguous": repaired_with_contiguous,
        "head by head": repaired_head_by_head,
    },
    "09-many-heads/r-squared": {
        "loops": r_squared_loops,
        "NumPy": r_squared_numpy,
    },
    "09-many-heads/learn": {
        "a reader": learned_by_a_reader,
        "batches in order": learned_in_order,
    },
    "09-many-heads/bound": {
        "least squares": bound_by_least_squares,
        "covariances": bound_by_covariances,
    },
    "09-many-heads/by-roles": {
        "a shared mixture": by_roles_with_a_shared_mixture,
        "mixed and unmixed": by_roles_unmixed,
    },
}
