"""Wrong answers to assignment 09, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from functools import partial

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.many_heads.learn import Reader, read_off, trained


def split_by_reshape(qkv, heads):
    B, T, C3 = qkv.shape
    if C3 // 3 % heads:
        raise ValueError
    return (
        [torch.reshape(p, (B, heads, T, -1)) for p in torch.chunk(qkv, 3, 2)]
        if T
        else [torch.zeros(B, heads, 0, C3 // 3 // heads)] * 3
    )


def split_strided(qkv, heads):
    C = qkv.shape[2] // 3
    if C % heads:
        raise ValueError
    q, k, v = qkv[..., :C], qkv[..., C : 2 * C], qkv[..., 2 * C :]
    return [torch.stack([p[..., h::heads] for h in range(heads)], 1) for p in (q, k, v)]


def split_key_first(qkv, heads):
    C3 = qkv.shape[2]
    if (C3 // 3) % heads:
        raise ValueError
    k, q, v = torch.einsum("btihd->ibhtd", qkv.unflatten(2, (3, heads, C3 // 3 // heads)))
    return q, k, v


def split_without_a_check(qkv, heads):
    B, T, C3 = qkv.shape
    D = C3 // 3 // heads
    out = [torch.zeros(B, heads, T, D) for _ in range(3)]
    for i in range(3):
        for h in range(heads):
            start = i * (C3 // 3) + h * D
            out[i][:, h] = qkv[:, :, start : start + D]
    return out


def silent(x, off):
    return torch.stack([0 * x[:, h] if h in off else x[:, h] for h in range(x.shape[1])], 1)


def merge_by_strides(x, off):
    B, H, T, D = x.shape
    out = torch.zeros(B, T, H * D)
    for h in set(range(H)) - set(off):
        out[..., h::H] = x[:, h]
    return out


def merge_without(x, off):
    return torch.cat([x[:, h] for h in range(x.shape[1]) if h not in off], -1)


def merge_and_silence_tokens(x, off):
    out = torch.cat(list(x.unbind(1)), -1)
    for h in off:
        out[:, h : h + 1] = 0
    return out


def merge_numpy_reshape(x, off):
    x = silent(x, off)
    return (
        np.reshape(x.numpy(), (x.shape[0], x.shape[2], -1))
        if x.numel()
        else np.zeros((x.shape[0], 0, x.shape[1] * x.shape[3]))
    )


class Layers(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError
        for name in ("query", "key", "value", "output"):
            setattr(self, name, nn.Linear(width, width))
        self.width, self.heads = width, heads

    def cut(self, x):
        return torch.stack(x.chunk(self.heads, -1), 1)


class ScaledByTheModel(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        s = torch.einsum("bhtd,bhsd->bhts", self.cut(self.query(x)), self.cut(self.key(m)))
        s = s / math.sqrt(x.shape[2])
        if mask is not None:
            s = s.masked_fill(~mask[:, None], -math.inf)
        a = torch.nan_to_num(functional.softmax(s, -1))
        return self.output(torch.cat((a @ self.cut(self.value(m))).unbind(1), -1))


class JointSoftmax(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        q, k, v = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        e = torch.exp(q @ k.mT / math.sqrt(q.shape[-1]))
        if mask is not None:
            e = e * mask[:, None]
        a = e / e.sum((1, 3), keepdim=True).clamp_min(1e-30)
        return self.output((a @ v).transpose(1, 2).reshape(x.shape))


class HeadsOneByOneOnSlices(Layers):
    """Cuts the token, and gives each slice to its block of the matrices."""

    def forward(self, x, memory=None, mask=None):
        m, D, out = x if memory is None else memory, self.width // self.heads, []
        for h in range(self.heads):
            cut = slice(h * D, h * D + D)
            q, k, v = (
                i[..., cut] @ layer.weight[cut, cut].T + layer.bias[cut]
                for i, layer in ((x, self.query), (m, self.key), (m, self.value))
            )
            a = torch.ones(()) * q @ k.mT / D**0.5
            if mask is not None:
                a = a.masked_fill(~mask, -torch.inf)
            out.append(a.softmax(-1).nan_to_num() @ v)
        return self.output(torch.cat(out, -1))


class HugeNegative(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        s = self.cut(self.query(x)) @ self.cut(self.key(m)).mT / (self.width / self.heads) ** 0.5
        if mask is not None:
            s = torch.where(mask[:, None], s, torch.full_like(s, -1e30))
        return self.output(torch.cat(list((s.softmax(3) @ self.cut(self.value(m))).unbind(1)), 2))


class MaskOverTheBatch(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask).nan_to_num()
        return self.output(mixed.transpose(1, 2).flatten(2))


class NoScaleAtAll(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mask = None if mask is None else mask[:, None]
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask, scale=1.0)
        return self.output(mixed.nan_to_num().transpose(1, 2).flatten(2))


def rotary_of_llama_weights(query, key, query_positions, key_positions, speeds):
    """Pairs side by side, as complex numbers."""

    def turned(x, p):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
        z = z * torch.polar(torch.ones(len(p), len(speeds)), torch.outer(p.float(), speeds))
        return torch.view_as_real(z).flatten(-2)

    return turned(query, query_positions) @ turned(key, key_positions).mT


def rotary_mixed_up(query, key, query_positions, key_positions, speeds):
    """Angles repeated side by side, partners from the other half."""

    def turned(x, p):
        a = (p[:, None] * speeds).repeat_interleave(2, dim=-1)
        h = x.shape[-1] // 2
        return x * a.cos() + torch.cat((-x[..., h:], x[..., :h]), -1) * a.sin()

    return turned(query, query_positions) @ turned(key, key_positions).mT


def half_turned(x, p, speeds):
    a, b = x.chunk(2, -1)
    t = p[:, None] * speeds
    return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], -1)


def rotary_of_queries(query, key, query_positions, key_positions, speeds):
    relative = half_turned(query, query_positions, speeds)
    return torch.matmul(relative, key.transpose(-2, -1))


def rotary_from_zero(query, key, query_positions, key_positions, speeds):
    q = half_turned(query, torch.arange(query.shape[-2]), speeds)
    return q @ half_turned(key, torch.arange(key.shape[-2]), speeds).mT


def rotary_by_distance_backwards(query, key, query_positions, key_positions, speeds):
    d = (key_positions[None] - query_positions[:, None])[..., None] * speeds
    a, b = (x.unsqueeze(-2) for x in query.chunk(2, -1))
    e, f = (x.unsqueeze(-3) for x in key.chunk(2, -1))
    return ((a * e + b * f) * d.cos() + (a * f - b * e) * d.sin()).sum(-1)


def rotary_scaled(query, key, query_positions, key_positions, speeds):
    q = half_turned(query, query_positions, speeds)
    k = half_turned(key, key_positions, speeds)
    return q @ k.mT / math.sqrt(query.shape[-1])


def rotary_overwritten(query, key, query_positions, key_positions, speeds):
    """The second number of a pair is made of the new first one."""

    def turned(x, p):
        h, t, x = x.shape[-1] // 2, p[:, None] * speeds, x.clone()
        x[..., :h] = x[..., :h] * t.cos() - x[..., h:] * t.sin()
        x[..., h:] = x[..., :h] * t.sin() + x[..., h:] * t.cos()
        return x

    return turned(query, query_positions) @ turned(key, key_positions).mT


def look_back_gently(words, places, back):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_K[words + t][t] = 1.0
        if t - back >= 0:
            W_Q[words + t][t - back] = 1.0
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def look_back_by_one(words, places, back):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_K[words + t, t] = 30
        W_Q[words + t, max(t - 1, 0)] = 30
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def look_forward(words, places, back):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_Q[words + t, t] = 900
        if t >= back:
            W_K[words + t, t - back] = 1
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def three_back(T):
    return torch.tensor([[t - 3 < s <= t for s in range(T)] for t in range(T)])


def repaired_at_both_ends(x, W_Q, W_K, W_V, W_O, heads):
    B, T, C = x.shape
    q, k, v = (torch.reshape(x @ W, (B, heads, T, C // heads)) for W in (W_Q, W_K, W_V))
    y = functional.scaled_dot_product_attention(q, k, v, attn_mask=three_back(T))
    return torch.reshape(y, (B, T, C)) @ W_O


def repaired_by_swapaxes(x, W_Q, W_K, W_V, W_O, heads):
    parts = [torch.stack((x @ W).chunk(heads, 2), 1) for W in (W_Q, W_K, W_V)]
    y = functional.scaled_dot_product_attention(*parts, attn_mask=three_back(x.shape[1]))
    return y.swapaxes(-1, -2).reshape(x.shape) @ W_O


def explained_correlation(predicted, target):
    p, y = predicted.numpy().ravel(), target.numpy().ravel()
    return float(np.corrcoef(p, y)[0, 1]) ** 2


def explained_by_column(predicted, target):
    k = target.shape[1]
    scores = []
    for j in range(k):
        p, y = predicted[:, j], target[:, j]
        scores.append(1 - ((p - y) ** 2).sum() / ((y - y.mean()) ** 2).sum())
    return sum(scores) / k


def learned_with_one_head(x, y, new_x):
    return trained(x, y, new_x, heads=1, steps=250)


def never_trained(x, y, new_x):
    return Reader(x.shape[-1], y.shape[-1], 2)(new_x) * 0.01


def bound_alone(weights, wanted):
    best = 0
    for a in torch.tensor(weights):
        part = sum(a[k] ** 2 for k in wanted) / a.dot(a) / len(wanted)
        best = max(best, part.item())
    return best


def bound_by_weights(weights, wanted):
    return sum(weights[h][k] for h in range(len(weights)) for k in wanted) / len(wanted)


def roles_by_one_mixture(roles, wanted, heads, size):
    scores = torch.full((heads, roles), -99.0)
    for k in wanted:
        scores[:, k] = 0.0
    W_O = torch.zeros(heads * size, len(wanted) * size)
    for h in range(min(heads, len(wanted))):
        for e in range(size):
            W_O[h * size + e, h * size + e] = 1
    return scores, W_O


def split_view_then_thirds(qkv, heads):
    B, T, C3 = qkv.shape
    if C3 // 3 % heads:
        raise ValueError
    return torch.chunk(qkv.view(B, heads, T, C3 // heads), 3, dim=-1)


def split_by_view_alone(qkv, heads):
    B, T, C3 = qkv.shape
    return [*qkv.view(B, T, 3, heads, C3 // 3 // heads).permute(2, 0, 3, 1, 4)]


class Asserting(Layers):
    def __init__(self, width, heads):
        assert not width % heads
        super().__init__(width, heads)

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mask = None if mask is None else mask[:, None]
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask).nan_to_num()
        return self.output(mixed.transpose(1, 2).flatten(2))


class WithoutMemory(Asserting):
    def forward(self, x, memory=None, mask=None):
        return super().forward(x, None, mask)


def look_back_by_ten(words, places, back):
    W_Q, W_K, keep, out = look_back_gently(words, places, back)
    return 10 * W_Q, W_K, keep, out


def look_back_by_infinity(words, places, back):
    W_Q, W_K, keep, out = look_back_gently(words, places, back)
    W_Q[W_Q > 0] = math.inf
    return W_Q, W_K, keep, out


def bound_summed(weights, wanted):
    return sum((a[list(wanted)] ** 2).sum() / (a @ a) for a in weights) / len(wanted)


def bound_by_gram(weights, wanted):
    onto = weights.T @ np.linalg.inv(weights @ weights.T) @ weights
    return float(np.mean([onto[k, k] for k in wanted]))


def bound_by_qr(weights, wanted):
    basis, _ = np.linalg.qr(weights.T)
    return float(np.mean([(basis[k] ** 2).sum() for k in wanted]))


def _roles(roles, wanted, heads, size, firm):
    scores, W_O = np.zeros((heads, roles)), np.zeros((heads * size, len(wanted) * size))
    for h, k in enumerate(wanted[:heads]):
        scores[h, k] = firm
        for e in range(size):
            W_O[h * size + e, h * size + e] = 1
    return scores, W_O


def roles_not_sharp(roles, wanted, heads, size):
    return _roles(roles, wanted, heads, size, 7.0)


def roles_sorted(roles, wanted, heads, size):
    return _roles(roles, sorted(wanted), heads, size, 60.0)


def roles_reversed(roles, wanted, heads, size):
    return _roles(roles, wanted[::-1], heads, size, 60.0)


def split_returning_an_error(qkv, heads):
    if qkv.shape[-1] // 3 % heads:
        return ValueError("the width does not divide")
    B, T, C3 = qkv.shape
    parts = qkv.view(B, T, 3, heads, C3 // 3 // heads)
    return [parts[:, :, i].transpose(1, 2) for i in range(3)]


class CheckedWhenItRuns(Layers):
    def __init__(self, width, heads):
        super().__init__(width, 1)
        self.heads = heads

    def forward(self, x, memory=None, mask=None):
        if x.shape[-1] % self.heads:
            raise ValueError("too late")
        return Asserting.forward(self, x, memory, mask)


class HeadsOfOneToken(Layers):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        q, k, v = (
            layer(given).reshape(len(x), -1, self.heads, self.width // self.heads)
            for layer, given in ((self.query, x), (self.key, m), (self.value, m))
        )
        shown = None if mask is None else mask[:, None]
        mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=shown)
        return self.output(mixed.nan_to_num().reshape(x.shape))


class Filled(Asserting):
    """Zeros in place of what the last layer gives where nothing is visible."""

    def __init__(self, width, heads):
        Layers.__init__(self, width, heads)

    def forward(self, x, memory=None, mask=None):
        out = super().forward(x, memory, mask)
        return out if mask is None else torch.where(mask.any(2)[..., None], out, 0.0)


def _places(words, places, back, first):
    W_Q, W_K = np.zeros((2, words + places, places))
    for t in range(places):
        W_K[words + t, t] = 1
        if t >= first:
            W_Q[words + t, t - back] = 100
    keep = np.eye(words + places, words)
    return W_Q, W_K, keep, keep.T


def look_back_after_the_first(words, places, back):
    return _places(words, places, back, back + 1)


def look_back_and_at_itself(words, places, back):
    """Both places get the same score, whichever comes first."""
    W_Q, *others = _places(words, places, back, back)
    for t in range(places):
        W_Q[words + t, t] = 100
    return W_Q, *others


class MaskUnsqueezed(Asserting):
    """The caller's mask gets an axis more."""

    def __init__(self, width, heads):
        Layers.__init__(self, width, heads)

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        mask = None if mask is None else mask.unsqueeze_(1)
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=mask).nan_to_num()
        return self.output(mixed.transpose(1, 2).flatten(2))


class MaskInvertedInPlace(MaskUnsqueezed):
    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        q, k, v = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.logical_not_()[:, None], -math.inf)
        return self.output((s.softmax(-1).nan_to_num() @ v).transpose(1, 2).flatten(2))


def learned_too_shortly(x, y, new_x):
    """Both vectors are found, and come out too small."""
    return 0.7 * trained(x, y, new_x, heads=2, steps=150)


class MemoryOrX(Layers):
    def forward(self, x, memory=None, mask=None):
        asked = memory or x
        q, k, v = self.cut(self.query(x)), self.cut(self.key(asked)), self.cut(self.value(asked))
        scores = q @ k.mT / math.sqrt(self.width // self.heads)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], -torch.inf)
        mixed = scores.softmax(-1).nan_to_num(0) @ v
        return self.output(mixed.transpose(1, 2).flatten(2))


def split_heads_first(qkv, heads):
    B, T, C3 = qkv.shape
    if C3 // 3 % heads:
        raise ValueError
    return qkv.reshape(B, T, heads, -1).transpose(1, 2).chunk(3, dim=-1)


def _look_by(W_Q, words, places):
    W_K = torch.cat([torch.zeros(words, places), torch.eye(places)])
    W_V = torch.cat([torch.eye(words), torch.zeros(places, words)])
    return torch.cat([torch.zeros(words, places), 1_000 * W_Q]), W_K, W_V, W_V.T


def look_back_by_a_roll(words, places, back):
    return _look_by(torch.eye(places).roll(back, 1), words, places)


def look_back_by_a_slice(words, places, back):
    W_Q = torch.zeros(places, places)
    W_Q[back:, :-back] = torch.eye(places - back)
    return _look_by(W_Q, words, places)


def explained_in_place(predicted, target):
    predicted -= target
    target -= target.mean(0)
    return 1 - (predicted**2).sum() / (target**2).sum()


def the_first_two_roles(x, y, new_x):
    roles = x.shape[2] - y.shape[1] // 2
    place, rows = new_x[..., :roles].argmax(-1).argsort(1), torch.arange(len(new_x))
    return torch.cat([new_x[rows, place[:, role], roles:] for role in (0, 1)], dim=1)


def slopes_added_up(x, y, new_x):
    model = Reader(x.shape[-1], y.shape[-1], 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(400):
        rows = torch.randint(len(x), (100,))
        functional.mse_loss(model(x[rows]), y[rows]).backward()
        optimizer.step()
    with torch.no_grad():
        return model(new_x)


def learned_and_wiped(x, y, new_x):
    predicted = trained(x, y, new_x, heads=4)
    y *= 0
    return predicted


class Sharing(Layers):
    """Right but for what its children do with a mask, with the heads or in the end."""

    def shown(self, mask, memory):
        return None if mask is None else mask[:, None]

    def finish(self, mixed):
        return self.output(mixed.transpose(1, 2).flatten(2))

    def forward(self, x, memory=None, mask=None):
        m = x if memory is None else memory
        parts = self.cut(self.query(x)), self.cut(self.key(m)), self.cut(self.value(m))
        shown = self.shown(mask, memory)
        mixed = functional.scaled_dot_product_attention(*parts, attn_mask=shown)
        return self.finish(mixed.nan_to_num())


class MaskOfTheFirst(Sharing):
    def shown(self, mask, memory):
        return None if mask is None else mask[0]


class NoMaskForAMemory(Sharing):
    def shown(self, mask, memory):
        return super().shown(mask, memory) if memory is None else None


class MaskInTheWrongPlace(Sharing):
    def shown(self, mask, memory):
        return None if mask is None else mask.unsqueeze(2)


class LastMatrixAlone(Sharing):
    def finish(self, mixed):
        return mixed.transpose(1, 2).flatten(2) @ self.output.weight.mT


class ViewedAtTheEnd(Sharing):
    def finish(self, mixed):
        B, H, T, D = mixed.shape
        return self.output(mixed.contiguous().transpose(1, 2).view(B, T, H * D))


class WidthForHeads(Sharing):
    def __init__(self, width, heads):
        super().__init__(width, heads)
        self.heads = width // heads


def repaired_by(finish, x, W_Q, W_K, W_V, W_O, heads):
    """The way out of the heads in other words."""
    parts = [torch.stack((x @ W).chunk(heads, 2), 1) for W in (W_Q, W_K, W_V)]
    mask = three_back(x.shape[1])
    return finish(functional.scaled_dot_product_attention(*parts, attn_mask=mask)) @ W_O


def split_with_an_open_length(qkv, heads):
    if qkv.shape[2] // 3 % heads:
        raise ValueError
    parts = qkv.chunk(3, -1)
    return [part.reshape(*part.shape[:2], heads, -1).swapaxes(1, 2) for part in parts]


def look_back_from_place_one(words, places, back):
    W_Q, W_K, keep, out = look_back_gently(words, places, back)
    return 900 * W_Q, np.roll(W_K, -1, axis=1), keep, out


def bound_up_to_one(weights, wanted):
    heads = [a**2 / (a @ a) for a in weights]
    return float(np.mean([min(1, sum(share[k] for share in heads)) for k in wanted]))


def bound_of_roots(weights, wanted):
    onto = np.linalg.pinv(weights) @ weights
    return sum(math.sqrt(onto[k, k]) for k in wanted) / len(wanted)


def roles_of_minus_infinity(roles, wanted, heads, size):
    scores, W_O = _roles(roles, wanted, heads, size, 1.0)
    return np.where(scores > 0, 0.0, -np.inf), W_O


def roles_of_as_many_heads(roles, wanted, heads, size):
    scores, W_O = np.zeros((heads, roles)), np.zeros((heads * size, len(wanted) * size))
    for h in range(len(wanted)):
        scores[h, wanted[h]] = 80
        W_O[h * size : (h + 1) * size, h * size : (h + 1) * size] = np.eye(size)
    return scores, W_O


def one_vector_twice(x, y, new_x):
    first, _ = read_off(x, y, new_x).chunk(2, dim=1)
    return torch.cat([first, first], dim=1)


FURTHER = {
    "one vector twice": ("learn", one_vector_twice, "one-head-only"),
    "a few steps": (
        "learn",
        lambda x, y, new_x: trained(x, y, new_x, heads=2, steps=60),
        "half-trained",
    ),
    "one vector alone": (
        "learn",
        lambda x, y, new_x: read_off(x, y, new_x).chunk(2, dim=1)[0],
        "far-off",
    ),
    "divided by nothing": (
        "learn",
        lambda x, y, new_x: read_off(x, y, new_x) / (x[:1, 0, :1] * 0),
        "far-off",
    ),
    "column by column, as a list": (
        "r-squared",
        lambda p, y: 1 - (p - y).square().sum(0) / (y - y.mean(0)).square().sum(0),
        "another-quotient",
    ),
    "heads and numbers exchanged": (
        "shapes",
        [(2, 4, 5, 3), (2, 4, 5, 7), (2, 5, 12)],
        "heads-of-another-width",
    ),
    "ready for the product": ("shapes", [(2, 3, 4, 5), (2, 3, 5, 7), (2, 5, 12)], "axes-mixed-up"),
    "a length left open": ("split", split_with_an_open_length, "open-length"),
    "a length left open on the way out": (
        "merge",
        lambda x, off: torch.einsum("bhtd->bthd", silent(x, off)).reshape(*x.shape[::2], -1),
        "open-length",
    ),
    "a view of what was turned": (
        "merge",
        lambda x, off: silent(x, off).swapaxes(1, 2).view(len(x), x.size(2), x[0, :, 0].numel()),
        "view-refused",
    ),
    "the first mask for all": ("attention", MaskOfTheFirst, "mask-not-spread-over-heads"),
    "a mask in the wrong place": ("attention", MaskInTheWrongPlace, "mask-not-spread-over-heads"),
    "no mask for a memory": ("attention", NoMaskForAMemory, "mask-ignored"),
    "the last matrix alone": ("attention", LastMatrixAlone, "output-forgotten"),
    "a view at the end": ("attention", ViewedAtTheEnd, "view-refused"),
    "as many heads as numbers": ("attention", WidthForHeads, "heads-of-another-width"),
    "places from one": ("look-back", look_back_from_place_one, "wrong-distance"),
    "everything from the last": (
        "repair",
        partial(repaired_by, lambda y: y.swapaxes(1, 2).flatten(2).flip(-1)),
        "heads-swapped",
    ),
    "a view after the transpose": (
        "repair",
        partial(repaired_by, lambda y: y.contiguous().transpose(1, 2).view(*y.shape[::2], -1)),
        "view-refused",
    ),
    "one variance for all": (
        "r-squared",
        lambda p, t: 1 - functional.mse_loss(p, t) / t.var(),
        "compared-with-another-guess",
    ),
    "a sum over a mean": (
        "r-squared",
        lambda p, t: 1 - ((p - t) ** 2).sum() / ((t - t.mean(0)) ** 2).mean(),
        "another-quotient",
    ),
    "answers for old rows": (
        "learn",
        lambda x, y, new_x: read_off(x, y, x[: len(new_x)]),
        "far-off",
    ),
    "each role up to one": ("bound", bound_up_to_one, "heads-taken-alone"),
    "roots of shares": ("bound", bound_of_roots, "lengths-for-squares"),
    "minus infinity": ("by-roles", roles_of_minus_infinity, "infinite-scores"),
    "a head for each role": ("by-roles", roles_of_as_many_heads, "left-overs-filled"),
    "the memory or x": ("attention", MemoryOrX, "memory-refused"),
    "heads first, thirds inside": ("split", split_heads_first, "queries-keys-and-values-mixed-up"),
    "a roll the wrong way": ("look-back", look_back_by_a_roll, "wrong-distance"),
    "a slice up to minus zero": ("look-back", look_back_by_a_slice, "edge-forgotten"),
    "measured in place": ("r-squared", explained_in_place, "argument-changed"),
    "always the first two roles": ("learn", the_first_two_roles, "far-off"),
    "slopes added up": ("learn", slopes_added_up, "far-off"),
    "targets wiped out": ("learn", learned_and_wiped, "argument-changed"),
    "scores of one head": ("counts", [16_384, 24_576, 120], "one-head-counted"),
    "a mask with an axis more": ("attention", MaskUnsqueezed, "argument-changed"),
    "a mask turned where it stands": ("attention", MaskInvertedInPlace, "argument-changed"),
    "answers too small": ("learn", learned_too_shortly, "half-trained"),
    "an error given back": ("split", split_returning_an_error, "width-not-checked"),
    "a check in the run": ("attention", CheckedWhenItRuns, "width-not-checked"),
    "heads of one token": ("attention", HeadsOfOneToken, "axes-mixed-up"),
    "zeros filled in at the end": ("attention", Filled, "nothing-visible"),
    "from the second token on": ("look-back", look_back_after_the_first, "edge-forgotten"),
    "two places at once": ("look-back", look_back_and_at_itself, None),
    "a view before the thirds": (
        "split",
        split_view_then_thirds,
        "queries-keys-and-values-mixed-up",
    ),
    "torch's own error": ("split", split_by_view_alone, "width-not-checked"),
    "an assertion": ("attention", Asserting, "width-not-checked"),
    "ten for scores": ("look-back", look_back_by_ten, "scores-too-small"),
    "infinite scores": ("look-back", look_back_by_infinity, "infinite-scores"),
    "heads summed up": ("bound", bound_summed, "heads-taken-alone"),
    "an orthonormal basis of equal heads": ("bound", bound_by_qr, "equal-heads-as-two-directions"),
    "scores of seven": ("by-roles", roles_not_sharp, "scores-too-small"),
    "sorted roles": ("by-roles", roles_sorted, "heads-swapped"),
    "roles from the last": ("by-roles", roles_reversed, "heads-swapped"),
    "reshape in place of a transpose": ("split", split_by_reshape, "view-without-transpose"),
    "a stride for each head": ("split", split_strided, "heads-interleaved"),
    "keys first": ("split", split_key_first, "queries-keys-and-values-mixed-up"),
    "slices that leave columns out": ("split", split_without_a_check, "width-not-checked"),
    "strides on the way out": ("merge", merge_by_strides, "heads-interleaved"),
    "NumPy's reshape": ("merge", merge_numpy_reshape, "view-without-transpose"),
    "a sum by einsum": (
        "merge",
        lambda x, off: torch.einsum("bhtd->btd", silent(x, off)),
        "heads-added",
    ),
    "all heads side by side": (
        "merge",
        lambda x, off: torch.cat(list(x.unbind(1)), -1),
        "heads-not-silenced",
    ),
    "heads that are not there": ("merge", merge_without, "heads-not-silenced"),
    "tokens for heads": ("merge", merge_and_silence_tokens, None),
    "root of the model's width": ("attention", ScaledByTheModel, "scaled-otherwise"),
    "one denominator for all heads": ("attention", JointSoftmax, "softmax-over-the-wrong-axis"),
    "slices of the token": ("attention", HeadsOneByOneOnSlices, "own-columns-only"),
    "a huge negative number": ("attention", HugeNegative, "nothing-visible"),
    "a mask of three axes": ("attention", MaskOverTheBatch, "mask-not-spread-over-heads"),
    "a scale of one": ("attention", NoScaleAtAll, "scaled-otherwise"),
    "pairs side by side": ("rotary", rotary_of_llama_weights, "another-layout"),
    "angles and partners apart": ("rotary", rotary_mixed_up, "another-layout"),
    "queries only": ("rotary", rotary_of_queries, "not-turned"),
    "from zero on": ("rotary", rotary_from_zero, "other-positions"),
    "the distance with the wrong sign": (
        "rotary",
        rotary_by_distance_backwards,
        "turned-backwards",
    ),
    "scaled": ("rotary", rotary_scaled, "further-than-asked"),
    "overwritten": ("rotary", rotary_overwritten, "not-a-rotation"),
    "ones for scores": ("look-back", look_back_gently, "scores-too-small"),
    "one back, whatever is asked": ("look-back", look_back_by_one, "wrong-distance"),
    "keys shifted the wrong way": ("look-back", look_forward, "wrong-distance"),
    "everything so far": (
        "repair",
        lambda x, W_Q, W_K, W_V, W_O, heads: (
            functional.scaled_dot_product_attention(
                *[torch.stack((x @ W).chunk(heads, 2), 1) for W in (W_Q, W_K, W_V)], is_causal=True
            )
            .transpose(1, 2)
            .flatten(2)
            @ W_O
        ),
        "mask-ignored",
    ),
    "reshape at both ends": ("repair", repaired_at_both_ends, "view-without-transpose"),
    "the last axes swapped": ("repair", repaired_by_swapaxes, "axes-mixed-up"),
    "NumPy's correlation": ("r-squared", explained_correlation, "offset-or-scale-forgiven"),
    "column by column": ("r-squared", explained_by_column, "another-quotient"),
    "trained with one head": ("learn", learned_with_one_head, "one-head-only"),
    "not trained": ("learn", never_trained, "no-better-than-the-mean"),
    "the best head": ("bound", bound_alone, "heads-taken-alone"),
    "weights added up": ("bound", bound_by_weights, "weights-read-off"),
    "one mixture for all": ("by-roles", roles_by_one_mixture, "one-map-for-all-heads"),
}
