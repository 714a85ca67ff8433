"""What a student makes of the lines of chapter 15, and what is then still missing."""

from functools import partial

import torch
from torch import nn

from headway.tasks.chapters.kv_cache.read_new import norm
from headway.tasks.chapters.kv_cache.restart import rotate
from tests.book.page_as_answer.parts import Says


def cached(file, query, key, value, keys=None, values=None, turn=lambda x, t, base: x):
    """What the file's class after chapter 15 mixes of heads (B, H, T, D), and its cache.

    Args:
        turn: in the place of the file's; None leaves that.
    """
    if turn:
        file["turn"] = turn
    H, D = query.shape[1], query.shape[-1]
    attention = file["Attention"](H * D, H, H, 10_000.0)
    for name, heads in {"query": query, "key": key, "value": value}.items():
        setattr(attention, name, Says(heads.transpose(1, 2).flatten(2)))
    attention.out = nn.Identity()
    held = {} if keys is None else {attention: (keys, values)}
    mixed = attention(attention.query(None), cache=held)
    return mixed.unflatten(-1, (H, D)).transpose(1, 2), *held[attention]


def step(file, **options):
    def answer(x, keys, values, W_q, W_k, W_v, mask):
        new = (x[:, None, None] @ W for W in (W_q, W_k, W_v))
        mixed, *longer = cached(file, *new, keys, values, **options)
        return mixed[:, :, 0], *longer

    return answer


def prefill(file):
    def answer(query, key, value, keys, values, chunk):
        mixed, longer, _ = cached(file, query, key, value, keys, values)
        return mixed, [(query.shape[2], longer.shape[2])]

    return answer


def prefill_one_by_one(file):
    def answer(query, key, value, keys, values, chunk):
        mixed, sizes = [], []
        for new in zip(*(part.split(1, dim=2) for part in (query, key, value)), strict=True):
            one, keys, values = cached(file, *new, keys, values)
            mixed.append(one)
            sizes.append((1, keys.shape[2]))
        return torch.cat(mixed, 2), sizes

    return answer


def cross(file):
    def answer(x, memory, keys, values, W_q, W_k, W_v, mask):
        return cached(file, *(x[:, None] @ W for W in (W_q, W_k, W_v)), keys, values)

    return answer


def beams(file):
    """Chapter 15 goes on with the likeliest token of each row."""

    def answer(scores, log_probabilities, keys, values):
        best, tokens = log_probabilities.max(-1)
        return tokens, scores + best, keys, values

    return answer


def cache_bytes(file):
    """Chapter 15's formula."""

    def answer(windows, heads, key_value_heads, width, length, batch, bits):
        D = width // heads
        return 2 * len(windows) * batch * length * key_value_heads * D * bits // 8

    return answer


def restart(file, turn=lambda x, t, base: rotate(x[:, 0], t)[:, None]):
    def answer(x, keys, values, start, W_q, W_k, W_v):
        new = ((x @ W)[:, None] for W in (W_q, W_k, W_v))
        held = keys[:, None], values[:, None]
        return [part[:, 0] for part in cached(file, *new, *held, turn=turn)]

    return answer


def read_new(file):
    """A copy of the notebook's `full`, with the page's attention in it."""

    def answer(weights, ids, keys, values):
        x = weights["embedding"][ids] + weights["position"][: ids.shape[1]]
        longer = []
        for layer in range(len(keys)):
            new = (norm(x)[:, None] @ weights[name][layer] for name in ("query", "key", "value"))
            mixed, *held = cached(file, *new, keys[layer], values[layer])
            longer.append(held)
            x = x + mixed.transpose(1, 2).flatten(2) @ weights["output"][layer]
            x = x + (norm(x) @ weights["wide"][layer]).relu() @ weights["narrow"][layer]
        logits = norm(x) @ weights["embedding"].T
        return logits, *(torch.stack(part) for part in zip(*longer, strict=True))

    return answer


def decode(file, held=True):
    def answer(read, context, prompt, keys, values, steps):
        made, fed, nothing = [], [], [part[:, :, :, :0] for part in (keys, values)]

        def model(ids, cache):
            before = cache.get("held", (keys, values) if held else nothing)
            logits, *cache["held"] = read(ids, *before)
            made.append(logits[:, -1])
            fed.append(ids.shape[1])
            return logits

        ids = file["generate"](model, prompt, steps, 0)
        return ids, torch.stack(made, 1), fed

    return answer


ANSWERS = [
    ("15-kv-cache/step", step, "padding-takes-weight"),
    ("15-kv-cache/step", partial(step, turn=None), "turned-by-positions"),
    ("15-kv-cache/prefill", prefill, "pieces-misjudged"),
    ("15-kv-cache/prefill", prefill_one_by_one, "pieces-misjudged"),
    ("15-kv-cache/cross", cross, "own-words-in-the-source"),
    ("15-kv-cache/beams", beams, "likelier-texts-lost"),
    ("15-kv-cache/bytes", cache_bytes, "window-misread"),
    ("15-kv-cache/restart", restart, "new-positions-mistaken"),
    ("15-kv-cache/restart", partial(restart, turn=None), "other-pairs-turned"),
    ("15-kv-cache/read-new", read_new, "new-positions-mistaken"),
    ("15-kv-cache/decode", decode, "context-miscounted"),
    ("15-kv-cache/decode", partial(decode, held=False), "held-tokens-unseen"),
]
