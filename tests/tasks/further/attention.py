"""Wrong answers to assignment 08, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn import functional


class LibraryThatFades:
    """Each look-up scales the shelf's values where they stand."""

    def __init__(self, keys, values):
        self.k, self.v = keys, values

    def add(self, key, value):
        self.k, self.v = np.vstack([self.k, key]), np.vstack([self.v, value])

    def look_up(self, query):
        s = [float(k @ query) / len(query) ** 0.5 for k in self.k]
        e = [math.exp(x - max(s)) for x in s]
        total = np.zeros(self.v.shape[1])
        for x, row in zip(e, self.v, strict=True):
            row *= x / sum(e)
            total += row
        return total, np.array(e) / sum(e)


class LibraryOfAngles:
    def __init__(self, keys, values):
        self.k, self.v = torch.tensor(keys), torch.tensor(values)

    def add(self, key, value):
        self.k = torch.cat([self.k, torch.tensor(key)[None]])
        self.v = torch.cat([self.v, torch.tensor(value)[None]])

    def look_up(self, query):
        a = functional.cosine_similarity(self.k, torch.tensor(query)[None], dim=1).softmax(0)
        return a @ self.v, a


class LibraryAcrossFeatures:
    """A softmax for each number of the products, then their mean: no scores at all."""

    def __init__(self, keys, values):
        self.k, self.v = torch.tensor(keys), torch.tensor(values)

    def add(self, key, value):
        self.k = torch.cat([self.k, torch.tensor(key)[None]])
        self.v = torch.cat([self.v, torch.tensor(value)[None]])

    def look_up(self, query):
        a = (self.k * torch.tensor(query)).softmax(0).mean(1)
        return a @ self.v, a


class LibraryInPlainPython:
    """No maximum is subtracted: Python raises where NumPy gives infinity."""

    def __init__(self, keys, values):
        self.keys, self.values = keys.tolist(), values.tolist()

    def add(self, key, value):
        self.keys.append(key.tolist())
        self.values.append(value.tolist())

    def look_up(self, query):
        products = [sum(a * b for a, b in zip(query, key, strict=True)) for key in self.keys]
        e = [math.exp(product / math.sqrt(len(query))) for product in products]
        columns = zip(*self.values, strict=True)
        a = [x / sum(e) for x in e]
        return [sum(w * v for w, v in zip(a, column, strict=True)) for column in columns], a


class LibraryOfAnotherLength:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def add(self, key, value):
        self.keys, self.values = np.vstack([self.keys, key]), np.vstack([self.values, value])

    def look_up(self, q):
        s = np.array([np.dot(q, k) for k in self.keys]) / math.sqrt(self.keys.shape[0])
        a = np.exp(s - s.max())
        a /= a.sum()
        return sum(w * v for w, v in zip(a, self.values, strict=True)), a


class LibraryWithARunningTop:
    """The largest score is looked for from 0 on."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def add(self, key, value):
        self.keys, self.values = np.vstack([self.keys, key]), np.vstack([self.values, value])

    def look_up(self, query):
        top, scores = 0, []
        for key in self.keys:
            scores.append(float(np.dot(key, query)) / math.sqrt(len(key)))
            if scores[-1] > top:
                top = scores[-1]
        e = np.array([math.exp(score - top) for score in scores])
        return e @ self.values / e.sum(), e / e.sum()


class LibraryShiftedByTheMean:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def add(self, key, value):
        self.keys, self.values = np.vstack([self.keys, key]), np.vstack([self.values, value])

    def look_up(self, query):
        s = self.keys @ query / np.sqrt(query.size)
        e = np.exp(s - s.mean())
        return e @ self.values / e.sum(), e / e.sum()


def attend_top_of_all(query, key, value, mask=None):
    """The largest score is taken over hidden keys, too."""
    s = query @ key.mT / math.sqrt(query.shape[-1])
    e = torch.exp(s - s.max(-1, keepdim=True).values)
    if mask is not None:
        e = torch.where(mask, e, torch.zeros(()))
    total = e.sum(-1, keepdim=True)
    a = torch.where(total > 0, e / total, torch.zeros(()))
    return a @ value, a


def attend_kernel_by_hand(query, key, value, mask=None):
    e = torch.exp(query @ key.mT / math.sqrt(query.shape[-1]))
    if mask is not None:
        e = e.masked_fill(~mask, 0.0)
    total = e.sum(-1, keepdim=True)
    a = torch.where(total > 0, e / total, torch.zeros(()))
    return a @ value, a


def attend_power_first(query, key, value, mask=None):
    s = query @ key.mT / query.shape[-1] ** 1 / 2
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    a = s.softmax(-1).nan_to_num(0.0)
    return a @ value, a


def attend_minus_thousand(query, key, value, mask=None):
    """Low enough for most, and rows without a key are emptied."""
    s = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is None:
        a = s.softmax(-1)
    else:
        a = s.masked_fill(~mask, -1000.0).softmax(-1) * mask.any(-1, keepdim=True)
    return a @ value, a


def attend_products_only(query, key, value, mask=None):
    s = torch.einsum("...td,...sd->...ts", query, key)
    if mask is not None:
        s = torch.where(mask, s, torch.tensor(-torch.inf))
    a = torch.nan_to_num(functional.softmax(s, -1))
    return torch.einsum("...ts,...se->...te", a, value), a


def attend_mask_then_nothing(query, key, value, mask=None):
    a = functional.softmax(query @ key.transpose(-1, -2) / query.size(-1) ** 0.5, -1)
    if mask is not None:
        a = torch.where(mask, a, torch.zeros(()))
    return torch.matmul(a, value), a


def attend_with_kernel_and_nan(query, key, value, mask=None):
    s = query @ key.transpose(-1, -2) * query.size(-1) ** -0.5
    if mask is not None:
        s = s + torch.log(mask.float())
    e = torch.exp(s - s.amax(-1, keepdim=True))
    a = e / e.sum(-1, keepdim=True)
    return a @ value, a


def attend_large_negative(query, key, value, mask=None):
    s = torch.matmul(query, key.mT) / math.sqrt(query.shape[-1])
    if mask is not None:
        s = s * mask + (1.0 - mask.float()) * torch.finfo(s.dtype).min
    a = s.softmax(-1)
    return a @ value, a


def attend_turned_around(query, key, value, mask=None):
    if query.dim() > 3:
        raise RuntimeError("three dimensions")
    s = query @ key.permute(*range(key.dim())[::-1]) / query.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    a = s.softmax(-1).nan_to_num(0.0)
    return a @ value, a


def attend_mixture_alone(query, key, value, mask=None):
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def attend_columns(query, key, value, mask=None):
    s = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), float("-inf"))
    a = torch.nan_to_num(s.mT.softmax(-1).mT)
    return a @ value, a


def causal_from_the_left(T, S):
    return np.tril(np.ones((T, S), bool))


def causal_strict(T, S):
    return [[s - (S - T) < t for s in range(S)] for t in range(T)]


def window_one_more(window, T, S):
    return [[0 <= p - s <= window for s in range(S)] for p in range(S - T, S)]


def window_absolute(window, T, S):
    p = np.arange(S)
    return (np.abs(p[:, None] - p[None]) < window)[S - T :]


def window_of_the_last_query(window, T, S):
    return [[s >= S - window for s in range(S)] for _ in range(T)]


def window_of_slices(window, T, S):
    rows = []
    for p in range(S - T, S):
        row = np.zeros(S, dtype=bool)
        row[p + 1 - window : p + 1] = True
        rows.append(row)
    return np.stack(rows)


def additive_scaled_by_queries(query, key, value, W_q, W_k, v):
    pairs = (query @ W_q).unsqueeze(-2) + (key @ W_k).unsqueeze(-3)
    a = (pairs.tanh() @ v / query.size(-1) ** 0.5).softmax(-1)
    return a @ value, a


def additive_axes_from_the_front(query, key, value, W_q, W_k, v):
    pairs = (query @ W_q)[:, :, None] + (key @ W_k)[:, None]
    a = (pairs.tanh() @ v).softmax(-1)
    return a @ value, a


def additive_linear(query, key, value, W_q, W_k, v):
    s = (query @ (W_q @ v))[..., :, None] + (key @ (W_k @ v))[..., None, :]
    a = torch.softmax(s, -1)
    return a @ value, a


def additive_gated(query, key, value, W_q, W_k, v):
    pairs = torch.einsum("...ta,...sa->...tsa", query @ W_q, key @ W_k)
    a = torch.einsum("...tsa,a->...ts", torch.tanh(pairs), v).softmax(-1)
    return a @ value, a


def additive_with_scale(query, key, value, W_q, W_k, v):
    s = torch.tanh((query @ W_q)[..., None, :] + (key @ W_k)[..., None, :, :]) @ v
    a = torch.softmax(s * W_q.shape[1] ** -0.5, -1)
    return a @ value, a


def past_softmax_again(query, key, value):
    T, S = query.shape[-2], key.shape[-2]
    a = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(query.size(-1)), -1)
    a = a + torch.triu(torch.full((T, S), -1e9), S - T + 1)
    return torch.softmax(a, -1) @ value


def past_times_triangle(query, key, value):
    T, S = query.shape[-2], key.shape[-2]
    s = query @ key.mT / math.sqrt(query.size(-1)) * torch.tril(torch.ones(T, S), S - T)
    return torch.softmax(s, -1) @ value


def past_unscaled(query, key, value):
    T, S = query.shape[-2], key.shape[-2]
    later = torch.triu(torch.ones(T, S), S - T + 1).bool()
    return (query @ key.mT).masked_fill(later, -1e30).softmax(-1) @ value


def past_shared_out_anew(query, key, value):
    """A softmax over everything; what is left of a row is made whole again."""
    T, S = query.shape[-2], key.shape[-2]
    a = functional.softmax(
        torch.einsum("...td,...sd->...ts", query, key) / query.size(-1) ** 0.5, -1
    )
    a = a * torch.tril(torch.ones(T, S), S - T)
    return (a / a.sum(-1, keepdim=True).clamp_min(1e-12)) @ value


def past_not_so_low(query, key, value):
    s = query @ key.mT / query.size(-1) ** 0.5
    T, S = s.shape[-2:]
    return torch.softmax(s + torch.triu(torch.full((T, S), -1e4), S - T + 1), -1) @ value


def past_hardly_low(query, key, value):
    s = query @ key.mT / query.size(-1) ** 0.5
    T, S = s.shape[-2:]
    return torch.softmax(s.masked_fill(torch.ones(T, S).tril(S - T) == 0, -50.0), -1) @ value


def past_in_place(query, key, value):
    query *= query.size(-1) ** -0.5
    T, S = query.shape[-2], key.shape[-2]
    s = (query @ key.mT).masked_fill(torch.ones(T, S).tril(S - T) == 0, -torch.inf)
    return torch.softmax(s, -1) @ value


def attend_turns_the_mask(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.logical_not_(), -torch.inf)
    a = s.softmax(-1).nan_to_num(0.0)
    return a @ value, a


def attend_ten_thousand(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    a = (s if mask is None else torch.where(mask, s, torch.tensor(-1e4))).softmax(-1)
    a = a if mask is None else a * mask
    return a @ value, a


class LibraryThatScalesItsKeys:
    """The caller's own keys are divided by the root, once."""

    def __init__(self, keys, values):
        keys /= math.sqrt(keys.shape[1])
        self.k, self.v = keys, values

    def add(self, key, value):
        self.k = np.vstack([self.k, key / math.sqrt(len(key))])
        self.v = np.vstack([self.v, value])

    def look_up(self, query):
        s = self.k @ query
        e = np.exp(s - s.max())
        return e @ self.v / e.sum(), e / e.sum()


def head_scaled_by_c(x, memory, W_Q, W_K, W_V):
    s = torch.einsum("btd,bsd->bts", x @ W_Q, memory @ W_K) / x.size(2) ** 0.5
    return s.softmax(2) @ (memory @ W_V)


def head_values_of_x(x, memory, W_Q, W_K, W_V):
    return functional.scaled_dot_product_attention(x @ W_Q, memory @ W_K, x @ W_V)


def head_scaled_before_and_in(x, memory, W_Q, W_K, W_V):
    q = (x @ W_Q) / W_Q.size(1) ** 0.5
    return functional.scaled_dot_product_attention(q, memory @ W_K, memory @ W_V)


def _train(
    keys, values, asked, answers, sizes, steps, rate, rows=None, zero=(), sign=1, zeroed=True
):
    """A loop of its own, on the first rows if given; `zero` names matrices that begin at zero."""
    draw = torch.Generator().manual_seed(1)
    shapes = [(sizes[0], 16), (sizes[1], 16), (16, 16), (16, 16), (16, 16), (16, sizes[1])]
    p = [torch.randn(shape, generator=draw) / 4 for shape in shapes]
    p = [(tensor * (i not in zero)).requires_grad_() for i, tensor in enumerate(p)]
    opt = torch.optim.Adam(p, rate)
    for _ in range(steps):
        b = torch.randint(rows or len(keys), (128,), generator=draw)
        pairs = p[0][keys[b]] + p[1][values[b]]
        q, k, v = p[0][asked[b]][:, None] @ p[2], pairs @ p[3], pairs @ p[4]
        mixed = functional.scaled_dot_product_attention(q, k, v)[:, 0]
        loss = functional.cross_entropy(mixed @ p[5], answers[b])
        if zeroed:
            opt.zero_grad()
        (sign * loss).backward()
        opt.step()
    return p


def recall_first_rows(*given):
    return _train(*given, steps=120, rate=0.01, rows=64)


def recall_from_zeros(*given):
    return _train(*given, steps=100, rate=0.01, zero=(2, 3))


def recall_uphill(*given):
    return _train(*given, steps=60, rate=0.02, sign=-1)


def recall_without_zero_grad(*given):
    return _train(*given, steps=200, rate=0.01, zeroed=False)


def recall_gently(*given):
    """Steps a hundred times too short."""
    return _train(*given, steps=60, rate=1e-4)


def recall_too_far(*given):
    return _train(*given, steps=60, rate=1.0)


def near_products(sharpness):
    W = np.zeros((5, 3))
    W[1, 0] = W[2, 1] = 1
    return 2 * sharpness * math.sqrt(3) * W, W, np.eye(5)[:, 4:]


def near_without_root(sharpness):
    """Right but for the √3 of its own width."""
    W_Q, W_K = torch.zeros(5, 3), torch.zeros(5, 3)
    W_Q[0, 0], W_Q[1, 1], W_Q[2, 2] = -sharpness, 2 * sharpness, 2 * sharpness
    W_K[3, 0] = W_K[1, 1] = W_K[2, 2] = 1
    return W_Q, W_K, torch.eye(5)[:, 4:]


def near_exchanged(sharpness):
    """The one of the key meets the square of the question."""
    b = sharpness * math.sqrt(3)
    W_Q = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    W_K = [[0, 0, -b], [2 * b, 0, 0], [0, 2 * b, 0], [0, 0, 0], [0, 0, 0]]
    return W_Q, W_K, [[0], [0], [0], [0], [1]]


def near_far(sharpness):
    b = sharpness * math.sqrt(3)
    W_Q = [[0, 0, b], [-2 * b, 0, 0], [0, -2 * b, 0], [0, 0, 0], [0, 0, 0]]
    W_K = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    return W_Q, W_K, [[0], [0], [0], [0], [1]]


class LibraryWhereScoresPileUp:
    """The scores of one question are still there when the next is asked."""

    def __init__(self, keys, values):
        self.k, self.v = keys, values
        self.s = np.zeros(len(keys))

    def add(self, key, value):
        self.k, self.v = np.vstack([self.k, key]), np.vstack([self.v, value])

    def look_up(self, query):
        self.s += self.k @ query / math.sqrt(len(query))
        a = np.exp(self.s - self.s.max())
        a /= a.sum()
        return a @ self.v, a


def attend_blind_weights_uniform(query, key, value, mask=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    weights = scores.softmax(dim=-1)
    mixed = weights @ value
    if mask is not None:
        mixed = mixed * mask.any(dim=-1, keepdim=True)
    return mixed, weights


def _past(query, key):
    T, S = query.shape[-2], key.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    return query @ key.mT / math.sqrt(query.shape[-1]), visible


def past_minus_a_billion(query, key, value):
    scores, visible = _past(query, key)
    return scores.masked_fill(~visible, -1e9).softmax(-1) @ value


def past_without_a_top(query, key, value):
    scores, visible = _past(query, key)
    parts = scores.exp().masked_fill(~visible, 0.0)
    return parts @ value / parts.sum(-1, keepdim=True)


def past_zeros_at_the_top(query, key, value):
    scores, visible = _past(query, key)
    scores = scores.masked_fill(~visible, 0.0)
    parts = (scores - scores.amax(-1, keepdim=True)).exp().masked_fill(~visible, 0.0)
    return parts @ value / parts.sum(-1, keepdim=True)


def head_scales_its_matrix(x, memory, W_Q, W_K, W_V):
    W_Q /= math.sqrt(W_Q.shape[1])
    return ((x @ W_Q) @ (memory @ W_K).mT).softmax(-1) @ (memory @ W_V)


def _recall_by(model, keys, values, asked, answers, sizes):
    shapes = [(sizes[0], 16), (sizes[1], 16), (16, 16), (16, 16), (16, 16), (16, sizes[1])]
    tensors = [(torch.randn(shape) / 4).requires_grad_() for shape in shapes]
    optimizer = torch.optim.Adam(tensors, lr=0.01)
    for _ in range(400):
        b = torch.randint(len(keys), (100,))
        loss = functional.cross_entropy(model(tensors, keys[b], values[b], asked[b]), answers[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return tensors


def _look_up(tensors, asked, named, worth):
    _, _, W_Q, W_K, W_V, W_O = tensors
    scores = (tensors[0][asked][:, None] @ W_Q) @ (named @ W_K).mT / 4
    return (scores.softmax(-1) @ (worth @ W_V))[:, 0] @ W_O


def recall_in_two_vectors(keys, values, asked, answers, sizes):
    def model(p, keys, values, asked):
        return _look_up(p, asked, p[0][keys], p[1][values])

    return _recall_by(model, keys, values, asked, answers, sizes)


def recall_and_forget_the_values(keys, values, asked, answers, sizes):
    def model(p, keys, values, asked):
        pairs = p[0][keys] + p[1][values]
        return _look_up(p, asked, pairs, pairs)

    trained = _recall_by(model, keys, values, asked, answers, sizes)
    values[:] = 0
    return trained


class LibraryByScores:
    """A right library, but for what its children make of the scores and of the weights."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def score(self, query):
        return self.keys @ query / math.sqrt(len(query))

    def add(self, key, value):
        self.keys, self.values = np.vstack([self.keys, key]), np.vstack([self.values, value])

    def look_up(self, query):
        scores = self.score(query)
        weights = np.exp(scores - scores.max())
        weights = weights / weights.sum()
        return self.mix(weights), weights

    def mix(self, weights):
        return weights @ self.values


class LibraryClipped(LibraryByScores):
    def score(self, query):
        return np.clip(super().score(query), -700, 700)


class LibraryOfWholeScores(LibraryByScores):
    def score(self, query):
        scores = np.zeros_like(self.keys[:, 0])
        scores[:] = super().score(query)
        return scores


class LibraryOfTheQuerysLength(LibraryByScores):
    def score(self, query):
        return self.keys @ (query / np.linalg.norm(query))


class LibraryOfTheValuesWidth(LibraryByScores):
    def score(self, query):
        return self.keys @ query / self.values.shape[1] ** 0.5


class LibraryOfOneNumber(LibraryByScores):
    def mix(self, weights):
        return (weights[:, None] * self.values).sum()


def _attending(hide):
    """Attention that is right but for how scores are hidden."""

    def attention(query, key, value, mask=None):
        s = query @ key.mT / query.size(-1) ** 0.5
        a = s.softmax(-1) if mask is None else hide(s, mask).softmax(-1).masked_fill(~mask, 0.0)
        return a @ value, a

    return attention


def _by_an_index(scores, mask):
    scores[..., ~mask] = -torch.inf
    return scores


def attend_to_angles(query, key, value, mask=None):
    query, key = (functional.normalize(x, dim=-1) for x in (query, key))
    return attend_mended(query * query.size(-1) ** 0.5, key, value, mask)


attend_mended = _attending(lambda s, mask: s.masked_fill(~mask, -torch.inf))


def attend_with_nan_in_the_weights(query, key, value, mask=None):
    s = query @ key.mT / query.size(-1) ** 0.5
    a = (s if mask is None else torch.where(mask, s, -torch.inf)).softmax(-1)
    return torch.nan_to_num(a @ value), a


def _past_from(top, finish=lambda mixed, value: mixed):
    """The function that was handed out, with another top."""

    def attention(query, key, value):
        scores, visible = _past(query, key)
        parts = (scores - top(scores, visible)).exp().masked_fill(~visible, 0.0)
        return finish(parts @ value / parts.sum(-1, keepdim=True), value)

    return attention


def _last_values_for_nan(mixed, value):
    return mixed.where(~mixed.isnan(), value[..., -mixed.shape[-2] :, :])


def head_that_hides(x, memory, W_Q, W_K, W_V):
    projected = x @ W_Q, memory @ W_K, memory @ W_V
    return functional.scaled_dot_product_attention(*projected, is_causal=True)


def recall_of_fixed_sizes(keys, values, asked, answers, sizes):
    return _train(keys, values, asked, answers, (16, 8), steps=2, rate=0.01)


def recall_read_by_the_table(keys, values, asked, answers, sizes):
    """The last matrix is never used: logits are what the values' vectors have in common with."""

    def model(p, keys, values, asked):
        pairs = p[0][keys] + p[1][values]
        scores = (p[0][asked][:, None] @ p[2]) @ (pairs @ p[3]).mT / 4
        return (scores.softmax(-1) @ (pairs @ p[4]))[:, 0] @ p[1].T

    return _recall_by(model, keys, values, asked, answers, sizes)


class LibraryWithAnOldTotal(LibraryByScores):
    """What the weights are divided by is never set to zero."""

    total = 0.0

    def look_up(self, query):
        scores = self.score(query)
        parts = np.exp(scores - scores.max())
        self.total += parts.sum()
        return parts @ self.values / self.total, parts / self.total


def attend_mixing_backwards(query, key, value, mask=None):
    mixed, weights = attend_mended(query, key, value, mask)
    return mixed.flip(-1), weights


def _window_pushed_ahead(window, T, S):
    """Always as many keys as the window has, also at the beginning."""
    first = np.maximum(np.arange(S - T, S) - window + 1, 0)[:, None]
    return (np.arange(S) >= first) & (np.arange(S) < first + window)


def additive_voting_inside(query, key, value, W_q, W_k, v):
    a = (((query @ W_q)[..., None, :] + (key @ W_k)[..., None, :, :]) * v).tanh().sum(-1)
    return a.softmax(-1) @ value, a.softmax(-1)


def past_of_two_words(query, key, value):
    scores, visible = _past(query, key)
    visible &= ~visible.tril(scores.shape[-1] - scores.shape[-2] - 2)
    return scores.masked_fill(~visible, -torch.inf).softmax(-1) @ value


def head_of_both(x, memory, W_Q, W_K, W_V):
    both = torch.cat([x, memory], dim=1)
    return functional.scaled_dot_product_attention(x @ W_Q, both @ W_K, both @ W_V)


def near_twice_too_sharp(sharpness):
    b = (sharpness * math.sqrt(5)) ** 2
    W_Q, W_K = np.zeros((5, 5)), np.diag([0.0, 2 * b, 2 * b, -b, 0])
    W_Q[1, 1] = W_Q[2, 2] = W_Q[0, 3] = 1
    return W_Q, W_K, np.eye(5)[:, 4:]


FURTHER = {
    "a total of all questions": ("library", LibraryWithAnOldTotal, "library-changed-in-place"),
    "a mixture read backwards": ("attend", attend_mixing_backwards, "weights-right-mixture-not"),
    "the fourth root": (
        "attend",
        lambda q, k, v, mask=None: attend_mended(q * q.shape[-1] ** 0.25, k, v, mask),
        "another-scale",
    ),
    "the last key for the last query": (
        "causal",
        lambda T, S: (np.arange(S) < S - 1) | (np.arange(T)[:, None] == T - 1),
        "future-visible",
    ),
    "pushed ahead": ("window", _window_pushed_ahead, "before-the-first-key"),
    "votes inside": ("additive", additive_voting_inside, "tanh-misplaced"),
    "two words only": ("past", past_of_two_words, "seen-without-weight"),
    "both sequences": ("head", head_of_both, "query-and-memory-mixed-up"),
    "all sentences added": (
        "head",
        lambda x, m, a, b, c: head_values_of_x(x, m, a, b, c).sum(0),
        "no-mixture-of-the-values",
    ),
    "a factor in both matrices": ("near", near_twice_too_sharp, "scale-not-undone"),
    "the logarithm divided inside": ("mixture", [9.86, 0.95], "scale-misplaced"),
    "read by the table of values": ("recall", recall_read_by_the_table, "found-and-not-read"),
    "tables alone": (
        "recall",
        lambda *given: _train(*given, steps=2, rate=0.01)[:2],
        "sizes-of-the-notebook",
    ),
    "padding struck out of finished rows": (
        "masked-rows",
        [[0, 0, 0], [0, 0.25, 0], [0, 0.25, 0.5]],
        "mask-after-softmax",
    ),
    "padding at the end": (
        "masked-rows",
        [[1, 0, 0], [0.75, 0.25, 0], [0.5, 0.5, 0]],
        "padding-visible",
    ),
    "clipped at 700": ("library", LibraryClipped, "scores-clipped"),
    "scores of the keys' kind": ("library", LibraryOfWholeScores, "kind-of-numbers"),
    "the query's length": ("library", LibraryOfTheQuerysLength, "cosine-for-dot-product"),
    "the values' width": ("library", LibraryOfTheValuesWidth, "another-scale"),
    "one number for a mixture": ("library", LibraryOfOneNumber, "running-sum-mistaken"),
    "angles in a batch": ("attend", attend_to_angles, "cosine-for-dot-product"),
    "a mask for an index": ("attend", _attending(_by_an_index), "one-shape-only"),
    "the lowest score of all": (
        "attend",
        _attending(lambda s, mask: s.where(mask, s.min())),
        "mask-after-softmax",
    ),
    "NaN left in the weights": ("attend", attend_with_nan_in_the_weights, "nothing-visible"),
    "a square mask": ("causal", lambda T, S: np.tri(S, dtype=bool), "prefix-left-out-of-the-mask"),
    "the newest of all": (
        "window",
        lambda w, T, S: np.tri(T, S, S - T, dtype=bool) & (np.arange(S) >= S - w),
        "window-stands-still",
    ),
    "one top for all": (
        "past",
        _past_from(lambda s, visible: s[..., visible].max()),
        "exponentials-out-of-range",
    ),
    "a word's own score": (
        "past",
        _past_from(lambda s, _: s[..., -s.shape[-2] :].diagonal(0, -2, -1).unsqueeze(-1)),
        "exponentials-out-of-range",
    ),
    "the top of what is hidden": (
        "past",
        _past_from(lambda s, visible: s.where(~visible, -torch.inf).amax(-1, keepdim=True)),
        "mask-inverted",
    ),
    "a value for NaN": (
        "past",
        _past_from(lambda s, _: s.amax(-1, keepdim=True), _last_values_for_nan),
        "seen-without-weight",
    ),
    "a head that hides": ("head", head_that_hides, "seen-without-weight"),
    "the notebook's sizes": ("recall", recall_of_fixed_sizes, "sizes-of-the-notebook"),
    "scores that pile up": ("library", LibraryWhereScoresPileUp, "running-sum-mistaken"),
    "uniform where nothing is seen": ("attend", attend_blind_weights_uniform, "nothing-visible"),
    "minus a billion": ("past", past_minus_a_billion, "hidden-score-too-high"),
    "no top at all": ("past", past_without_a_top, "exponentials-out-of-range"),
    "zeros at the top": ("past", past_zeros_at_the_top, "exponentials-out-of-range"),
    "a matrix scaled where it stands": ("head", head_scales_its_matrix, "argument-changed"),
    "keys and values apart": ("recall", recall_in_two_vectors, "another-model-trained"),
    "values set to zero": ("recall", recall_and_forget_the_values, "argument-changed"),
    "no weight for a score of 0": (
        "masked-rows",
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
        "zero-scores-ignored",
    ),
    "a shelf that fades": ("library", LibraryThatFades, "library-changed-in-place"),
    "plain Python": ("library", LibraryInPlainPython, "exponentials-out-of-range"),
    "angles": ("library", LibraryOfAngles, "cosine-for-dot-product"),
    "a softmax for each number": ("library", LibraryAcrossFeatures, "other-scores"),
    "the wrong length of the shelf": ("library", LibraryOfAnotherLength, "another-scale"),
    "a running top": ("library", LibraryWithARunningTop, "exponentials-out-of-range"),
    "shifted by the mean": ("library", LibraryShiftedByTheMean, "exponentials-out-of-range"),
    "the top of all keys": ("attend", attend_top_of_all, "mask-after-softmax"),
    "exponentials as they are": ("attend", attend_kernel_by_hand, "exponentials-out-of-range"),
    "a power first": ("attend", attend_power_first, "another-scale"),
    "minus a thousand": ("attend", attend_minus_thousand, "hidden-score-too-high"),
    "products only": ("attend", attend_products_only, "no-scale"),
    "weights set to zero": ("attend", attend_mask_then_nothing, "mask-after-softmax"),
    "the logarithm of the mask": ("attend", attend_with_kernel_and_nan, "nothing-visible"),
    "the lowest number there is": ("attend", attend_large_negative, "nothing-visible"),
    "all axes turned": ("attend", attend_turned_around, "wrongly-transposed"),
    "the mixture alone": ("attend", attend_mixture_alone, "other-results-given"),
    "columns": ("attend", attend_columns, "softmax-over-the-wrong-axis"),
    "from the left": ("causal", causal_from_the_left, "prefix-left-out-of-the-mask"),
    "strictly before": ("causal", causal_strict, "edge-off-by-one"),
    "ones and zeros": ("causal", lambda T, S: np.tri(T, S, S - T, dtype=int), "mask-of-numbers"),
    "one more": ("window", window_one_more, "edge-off-by-one"),
    "an absolute distance": ("window", window_absolute, "window-around-the-word"),
    "slices": ("window", window_of_slices, "before-the-first-key"),
    "the last query's window": ("window", window_of_the_last_query, "window-stands-still"),
    "the dot product's scale": ("additive", additive_scaled_by_queries, "scaled-like-dot-products"),
    "axes from the front": ("additive", additive_axes_from_the_front, "one-shape-only"),
    "a linear network": ("additive", additive_linear, "tanh-misplaced"),
    "a gate": ("additive", additive_gated, "projections-not-added"),
    "a scale it needs not": ("additive", additive_with_scale, "scaled-like-dot-products"),
    "softmax again": ("past", past_softmax_again, "mask-after-softmax"),
    "scores times a triangle": ("past", past_times_triangle, "hidden-score-too-high"),
    "no scale any more": ("past", past_unscaled, "no-scale"),
    "made whole again": ("past", past_shared_out_anew, "mask-after-softmax"),
    "minus ten thousand": ("past", past_not_so_low, "hidden-score-too-high"),
    "minus fifty": ("past", past_hardly_low, "hidden-score-too-high"),
    "queries scaled where they stand": ("past", past_in_place, "argument-changed"),
    "a mask turned where it stands": ("attend", attend_turns_the_mask, "argument-changed"),
    "minus ten thousand, emptied": ("attend", attend_ten_thousand, "hidden-score-too-high"),
    "keys scaled where they stand": ("library", LibraryThatScalesItsKeys, "argument-changed"),
    "the minus forgotten": ("mixture", [6.47, 2.09], "query-left-out"),
    "the width of the model": ("head", head_scaled_by_c, "another-scale"),
    "values of who asks": ("head", head_values_of_x, "query-and-memory-mixed-up"),
    "scaled before and inside": ("head", head_scaled_before_and_in, "another-scale"),
    "the first rows again and again": ("recall", recall_first_rows, "half-trained"),
    "from zeros": ("recall", recall_from_zeros, "equal-weights"),
    "uphill": ("recall", recall_uphill, "training-diverged"),
    "slopes never set to zero": ("recall", recall_without_zero_grad, "training-diverged"),
    "tiny steps": ("recall", recall_gently, "not-trained"),
    "thirty steps": ("recall", lambda *given: _train(*given, steps=30, rate=0.01), "half-trained"),
    "steps of one": ("recall", recall_too_far, "training-diverged"),
    "no step": ("recall", lambda *given: _train(*given, steps=0, rate=0.01), "not-trained"),
    "products without lengths": ("near", near_products, "distance-expanded-wrongly"),
    "no root": ("near", near_without_root, "scale-not-undone"),
    "matrices exchanged": ("near", near_exchanged, "distance-expanded-wrongly"),
    "the far side": ("near", near_far, "distance-expanded-wrongly"),
}
