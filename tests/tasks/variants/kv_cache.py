"""Right answers to assignment 15 that are written in other ways than the reference."""

import heapq
import math

import numpy as np
import torch
from torch.nn import functional

from headway.nn.attention import attend
from headway.nn.masks import causal_mask
from headway.nn.position import frequencies

# --- one step --------------------------------------------------------------------------------


def step_loops(x, keys, values, W_q, W_k, W_v, mask):
    B, H, S, D = keys.shape
    mixed, new_keys, new_values = np.zeros((B, H, D)), [], []
    for b in range(B):
        for h in range(H):
            query, key, value = ((x[b] @ W[h]).tolist() for W in (W_q, W_k, W_v))
            rows = [*keys[b, h].tolist(), key]
            held = [*values[b, h].tolist(), value]
            scores = [math.fsum(p * q for p, q in zip(row, query, strict=True)) for row in rows]
            words = [*mask[b].tolist(), True]
            top = max(s for s, word in zip(scores, words, strict=True) if word)
            powers = [
                word and math.exp((s - top) / math.sqrt(D))
                for s, word in zip(scores, words, strict=True)
            ]
            for power, row in zip(powers, held, strict=True):
                mixed[b, h] += power / sum(powers) * np.array(row)
            new_keys.append(rows)
            new_values.append(held)
    shape = (B, H, S + 1, D)
    return mixed, np.reshape(new_keys, shape), np.reshape(new_values, shape)


def step_one_matrix(x, keys, values, W_q, W_k, W_v, mask):
    """All projections in one product, room made beforehand, torch's own attention, double."""
    B, H, S, D = keys.shape
    W = torch.stack([W_q, W_k, W_v]).permute(2, 0, 1, 3).reshape(x.shape[1], -1).double()
    query, key, value = (x.double() @ W).view(B, 3, H, 1, D).unbind(1)
    room = torch.empty(2, B, H, S + 1, D, dtype=torch.double)
    room[0, :, :, :S], room[1, :, :, :S] = keys, values
    room[:, :, :, S] = torch.stack([key, value])[:, :, :, 0]
    seen = functional.pad(mask, (0, 1), value=True)[:, None, None]
    mixed = functional.scaled_dot_product_attention(query, room[0], room[1], attn_mask=seen)
    return mixed[..., 0, :], room[0], room[1]


# --- a prompt in pieces ----------------------------------------------------------------------


def prefill_room(query, key, value, keys, values, chunk):
    """One long tensor, of which each piece sees a beginning."""
    all_keys, all_values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    S, T = keys.shape[2], query.shape[2]
    out, sizes, done = torch.empty_like(value), [], 0
    while done < T:
        end = min(done + chunk, T)
        mask = torch.arange(S + end) <= torch.arange(S + done, S + end)[:, None]
        part = all_keys[:, :, : S + end], all_values[:, :, : S + end]
        out[:, :, done:end] = attend(query[:, :, done:end], *part, mask)[0]
        sizes.append([end - done, S + end])
        done = end
    return [out, sizes]


def prefill_rows(query, key, value, keys, values, chunk):
    """Each query by itself; only the sizes speak of pieces."""
    keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    T, total = query.shape[2], keys.shape[2]
    S = total - T
    rows = [
        functional.scaled_dot_product_attention(
            query[:, :, t : t + 1], keys[:, :, : S + t + 1], values[:, :, : S + t + 1]
        )
        for t in range(T)
    ]
    ends = [*range(chunk, T, chunk), T]
    starts = [0, *ends[:-1]]
    sizes = np.array([(end - start, S + end) for start, end in zip(starts, ends, strict=True)])
    return torch.cat(rows, 2), sizes


# --- the cross cache -------------------------------------------------------------------------


def cross_einsum(x, memory, keys, values, W_q, W_k, W_v, mask):
    if keys is None and values is None:
        keys, values = (torch.einsum("bsc,hcd->bhsd", memory, W) for W in (W_k, W_v))
    query = torch.einsum("bkc,hcd->bhkd", x, W_q)
    scores = torch.einsum("bhkd,bhsd->bhks", query, keys) * keys.shape[-1] ** -0.5
    weights = functional.softmax(scores.masked_fill(~mask[:, None, None], -1e9), dim=-1)
    return torch.einsum("bhks,bhsd->bhkd", weights, values), keys, values


def cross_by_sentence(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Padding cut off, one sentence and head at a time."""
    B, H = len(x), len(W_q)
    if keys is None:
        keys = torch.stack([torch.stack([row @ W for W in W_k]) for row in memory])
        values = torch.stack([torch.stack([row @ W for W in W_v]) for row in memory])
    mixed = [
        attend(x[b] @ W_q[h], keys[b, h][mask[b]], values[b, h][mask[b]])[0]
        for b in range(B)
        for h in range(H)
    ]
    return torch.stack(mixed).unflatten(0, (B, H)), keys, values


# --- beams -----------------------------------------------------------------------------------


def beams_lists(scores, log_probabilities, keys, values):
    B, K, V = log_probabilities.shape
    tokens, best, rows = [], [], []
    for b in range(B):
        found = [
            (float(scores[b, k]) + float(log_probabilities[b, k, v]), k, v)
            for k in range(K)
            for v in range(V)
        ]
        chosen = heapq.nlargest(K, found)
        best.append([score for score, _, _ in chosen])
        tokens.append([v for _, _, v in chosen])
        rows += [b * K + k for _, k, _ in chosen]
    return tokens, best, keys[:, rows].clone(), values[:, rows].clone()


def beams_gather(scores, log_probabilities, keys, values):
    B, K, V = log_probabilities.shape
    order = (scores.unsqueeze(-1) + log_probabilities).view(B, -1).sort(1, descending=True)
    places = order.indices[:, :K]
    parents, tokens = places.div(V, rounding_mode="floor"), places.remainder(V)

    def follow(cache):
        apart = cache.unflatten(1, (B, K))
        index = parents.view(1, B, K, *[1] * (apart.dim() - 3)).expand_as(apart)
        return apart.gather(2, index).flatten(1, 2)

    return tokens, order.values[:, :K], follow(keys), follow(values)


# --- bytes -----------------------------------------------------------------------------------


def bytes_loop(windows, heads, key_value_heads, width, length, batch, bits):
    total = 0
    for window in windows:
        for token in range(length):
            if window is None or token >= length - window:
                total += 2 * key_value_heads * width // heads
    return total * batch * bits // 8


def bytes_numpy(windows, heads, key_value_heads, width, length, batch, bits):
    kept = np.minimum([np.inf if window is None else window for window in windows], length).sum()
    return int(kept * np.prod([2, batch, key_value_heads, width / heads, bits / 8]))


# --- rotary positions ------------------------------------------------------------------------


def rotary_package(x, keys, values, start, W_q, W_k, W_v):
    S, T, D = keys.shape[1], x.shape[1], keys.shape[2]
    angles = torch.arange(start, start + T).double()[:, None] * frequencies(D)
    turn = torch.polar(torch.ones_like(angles), angles)

    def rotate(part):
        pairs = torch.complex(*part.double().chunk(2, -1)) * turn
        return torch.cat([pairs.real, pairs.imag], -1).float()

    keys = torch.cat([keys, rotate(x @ W_k)], 1)
    values = torch.cat([values, x @ W_v], 1)
    return attend(rotate(x @ W_q), keys, values, causal_mask(T, S + T))[0], keys, values


def rotary_one_by_one(x, keys, values, start, W_q, W_k, W_v):
    D, mixed = keys.shape[2], []
    speeds = frequencies(D)
    for place, token in enumerate(x.split(1, dim=1), start):
        angle = place * speeds
        cos, sin = angle.cos().float(), angle.sin().float()
        matrix = torch.cat(
            [
                torch.cat([torch.diag(cos), torch.diag(sin)], 1),
                torch.cat([torch.diag(-sin), torch.diag(cos)], 1),
            ]
        )
        keys = torch.cat([keys, token @ W_k @ matrix], 1)
        values = torch.cat([values, token @ W_v], 1)
        mixed.append(attend(token @ W_q @ matrix, keys, values)[0])
    return torch.cat(mixed, 1), keys, values


# --- the whole model -------------------------------------------------------------------------


def model_one_by_one(weights, ids, keys, values):
    """No mask at all: each new token by itself, in double precision."""
    weights = {name: part.double() for name, part in weights.items()}
    keys, values, said = keys.double(), values.double(), []
    L, _, C, D = weights["key"].shape
    for token in ids.T:
        x = weights["embedding"][token] + weights["position"][keys.shape[3]]  # (B, C)
        new = []
        for n in range(L):
            y = (x - x.mean(1, keepdim=True)) / (x.var(1, correction=0, keepdim=True) + 1e-5).sqrt()
            q, k, v = (
                torch.einsum("bc,hcd->bhd", y, weights[name][n])
                for name in ("query", "key", "value")
            )
            k = torch.cat([keys[n], k[:, :, None]], 2)
            v = torch.cat([values[n], v[:, :, None]], 2)
            new.append((k, v))
            score = torch.einsum("bhd,bhsd->bhs", q, k) / D**0.5
            mixed = torch.einsum("bhs,bhsd->bhd", score.softmax(-1), v).flatten(1)
            x = x + mixed @ weights["output"][n]
            y = functional.layer_norm(x, (C,))
            x = x + (y @ weights["wide"][n]).clamp(min=0) @ weights["narrow"][n]
        keys, values = (torch.stack(part) for part in zip(*new, strict=True))
        said.append(functional.layer_norm(x, (C,)) @ weights["embedding"].T)
    return torch.stack(said, 1), keys, values


def model_room(weights, ids, keys, values):
    """Room made beforehand for all layers, and torch's own attention."""
    (B, T), S = ids.shape, keys.shape[3]
    room = [
        torch.cat([part, part.new_empty(*part.shape[:3], T, part.shape[4])], 3)
        for part in (keys, values)
    ]
    places = torch.arange(S, S + T)
    mask = places[:, None] >= torch.arange(S + T)
    x = functional.embedding(ids, weights["embedding"]) + weights["position"][places]
    for n, W_q in enumerate(weights["query"]):
        y = functional.layer_norm(x, x.shape[2:]).unsqueeze(1)
        room[0][n][:, :, S:] = y @ weights["key"][n]
        room[1][n][:, :, S:] = y @ weights["value"][n]
        mixed = functional.scaled_dot_product_attention(y @ W_q, room[0][n], room[1][n], mask)
        x = x + mixed.transpose(1, 2).reshape(B, T, -1) @ weights["output"][n]
        y = functional.layer_norm(x, x.shape[2:])
        x = x + functional.relu(y @ weights["wide"][n]) @ weights["narrow"][n]
    return functional.layer_norm(x, x.shape[2:]) @ weights["embedding"].T, *room


# --- decoding --------------------------------------------------------------------------------


def decode_loop(read, context, prompt, keys, values, steps):
    if context < keys.shape[3] + prompt.shape[1] + steps - 1:
        raise ValueError("the context is too short")
    logits, *cache = read(prompt, keys, values)
    made, words, fed = [logits[:, -1:]], [logits[:, -1:].argmax(2)], [prompt.shape[1]]
    while len(words) < steps:
        logits, *cache = read(words[-1], *cache)
        fed.append(1)
        made.append(logits)
        words.append(logits.argmax(2))
    return torch.cat([prompt, *words], 1), torch.cat(made, 1), fed


def decode_texts_apart(read, context, prompt, keys, values, steps):
    """Each text with a cache of its own."""
    parts = [
        decode_loop(read, context, row[None], keys[:, b : b + 1], values[:, b : b + 1], steps)
        for b, row in enumerate(prompt)
    ]
    ids, logits, fed = zip(*parts, strict=True)
    return torch.cat(ids), torch.cat(logits), np.array(fed[0])


# --- a ring ----------------------------------------------------------------------------------


def ring_unrolled(query, key, value, keys, values, read, slopes):
    """Puts the slots into the order of their tokens, and looks there."""
    W, H, D = keys.shape[2], *query.shape[1:]
    keys, values = keys.clone(), values.clone()
    keys[:, :, read % W], values[:, :, read % W] = key, value
    tokens = range(max(0, read - W + 1), read + 1)
    slots = [t % W for t in tokens]
    group = torch.arange(H) // (H // key.shape[1])
    held, mix = keys[:, group][:, :, slots], values[:, group][:, :, slots]
    ages = torch.tensor([read - t for t in tokens])
    scores = (held * query[:, :, None]).sum(-1) / math.sqrt(D) - ages * slopes[:, None]
    return (scores.softmax(-1)[..., None] * mix).sum(2), keys, values


def ring_loops(query, key, value, keys, values, read, slopes):
    B, H, D = query.shape
    keys, values, mixed = keys.numpy().copy(), values.numpy().copy(), np.zeros((B, H, D))
    G, W = keys.shape[1:3]
    keys[:, :, read % W], values[:, :, read % W] = key.numpy(), value.numpy()
    for b in range(B):
        for h in range(H):
            g, found = h * G // H, []
            for back in range(min(W, read + 1)):
                slot = (read - back) % W
                score = query[b, h].numpy() @ keys[b, g, slot] / D**0.5 - float(slopes[h]) * back
                found.append((score, values[b, g, slot]))
            top = max(score for score, _ in found)
            powers = [math.exp(score - top) for score, _ in found]
            for power, (_, row) in zip(powers, found, strict=True):
                mixed[b, h] += power / sum(powers) * row
    return mixed, keys, values


VARIANTS = {
    "15-kv-cache/positions": {
        "tuple": (30, 9),
        "array": np.array([30, 9]),
    },
    "15-kv-cache/shapes": {
        "tuples": [(5, 6, 3, 8), (5, 6, 3, 13), (5, 6, 3, 7), (5, 2, 13, 8)],
        "array": np.array([[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 13, 8]]),
    },
    "15-kv-cache/token-bytes": {
        "float": 24.0,
        "array": np.array(24),
    },
    "15-kv-cache/step": {
        "loops": step_loops,
        "one matrix": step_one_matrix,
    },
    "15-kv-cache/prefill": {
        "one long tensor": prefill_room,
        "rows": prefill_rows,
    },
    "15-kv-cache/cross": {
        "einsum": cross_einsum,
        "sentence by sentence": cross_by_sentence,
    },
    "15-kv-cache/beams": {
        "lists": beams_lists,
        "gather": beams_gather,
    },
    "15-kv-cache/bytes": {
        "loop": bytes_loop,
        "numpy": bytes_numpy,
    },
    "15-kv-cache/faulty-line": {
        "float": 5.0,
        "numpy": np.int64(5),
    },
    "15-kv-cache/restart": {
        "complex numbers": rotary_package,
        "one by one": rotary_one_by_one,
    },
    "15-kv-cache/read-new": {
        "one by one": model_one_by_one,
        "room beforehand": model_room,
    },
    "15-kv-cache/decode": {
        "loop": decode_loop,
        "each text alone": decode_texts_apart,
    },
    "15-kv-cache/ring": {
        "unrolled": ring_unrolled,
        "loops": ring_loops,
    },
}
