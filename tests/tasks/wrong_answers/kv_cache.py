"""Wrong answers to assignment 15, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import torch
from torch.nn import functional

from headway.nn.attention import attend
from headway.nn.position import frequencies


def bytes_of_all_heads(windows, heads, key_value_heads, width, length, batch, bits):
    """Keys and values as wide as the model."""
    numbers = 0
    for window in windows:
        numbers += 2 * width * (length if window is None or window > length else window)
    return numbers * batch * bits // 8


def _decoded(read, context, prompt, keys, values, steps, room=None, filled=False):
    """Decoding with a cache; refuses where it has come to the end of the room, if that is given.

    `filled` reads the last choice for those who go on, where there is a position for it.
    """
    cache, new, logits, fed = (keys, values), prompt, [], []
    for _ in range(steps):
        if room is not None and cache[0].shape[3] + new.shape[1] > room:
            raise ValueError("the context is full")
        out, *cache = read(new, *cache)
        fed.append(new.shape[1])
        logits.append(out[:, -1])
        new = out[:, -1].argmax(1, True)
        prompt = torch.cat([prompt, new], 1)
    if filled and cache[0].shape[3] < context:
        read(new, *cache)
    return prompt, torch.stack(logits, 1), fed


def decode_fills_the_cache(read, context, prompt, keys, values, steps):
    """Reads the last choice, too, and keeps it to itself."""
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    return _decoded(read, context, prompt, keys, values, steps, filled=True)


def prefill_and_report(report):
    """Right but for what is told of each piece: report(queries, keys, chunk)."""

    def prefill(query, key, value, keys, values, chunk):
        mixed, told = [], []
        for t in range(query.shape[2]):
            keys = torch.cat([keys, key[:, :, [t]]], 2)
            values = torch.cat([values, value[:, :, [t]]], 2)
            mixed.append(attend(query[:, :, [t]], keys, values)[0])
            if (t + 1) % chunk == 0 or t + 1 == query.shape[2]:
                told.append(report(t % chunk + 1, keys.shape[2], chunk))
        return torch.cat(mixed, 2), told

    return prefill


def _ring(query, key, value, keys, values, read, slopes, group, seen):
    H, D = query.shape[1:]
    W = keys.shape[2]
    keys, values = keys.clone(), values.clone()
    keys[:, :, read % W], values[:, :, read % W] = key, value
    heads = torch.tensor([group(h, H, key.shape[1]) for h in range(H)])
    age = torch.tensor([(read - slot) % W for slot in range(W)])
    scores = torch.einsum("bhd,bhwd->bhw", query, keys[:, heads]) / D**0.5
    scores = scores - slopes.outer(age.float())
    scores[:, :, ~seen(age, read)] = -torch.inf
    return torch.einsum("bhw,bhwd->bhd", scores.softmax(2), values[:, heads]), keys, values


def ring_modulo_heads(*args):
    return _ring(*args, group=lambda h, H, G: h % G, seen=lambda age, read: age <= read)


def ring_by_exponentials(query, key, value, keys, values, read, slopes):
    """Shares without a softmax: e to the power of the score itself."""
    H, D = query.shape[1:]
    G, W = keys.shape[1:3]
    keys, values = keys.clone(), values.clone()
    keys[:, :, read % W], values[:, :, read % W] = key, value
    heads, age = torch.arange(H) // (H // G), (read - torch.arange(W)) % W
    scores = torch.einsum("bhd,bhwd->bhw", query, keys[:, heads]) / D**0.5
    raised = (scores - slopes.outer(age.float())).exp() * (age <= read)
    shares = raised / raised.sum(2, keepdim=True)
    return torch.einsum("bhw,bhwd->bhd", shares, values[:, heads]), keys, values


def step_in_place_of_the_values(x, keys, values, W_q, W_k, W_v, mask):
    """Scales the keys that it was given, to save a division later."""
    q, k, v = (torch.einsum("bc,hcd->bhd", x, W)[:, :, None] for W in (W_q, W_k, W_v))
    longer, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    keys /= keys.shape[-1] ** 0.5
    scores = q @ torch.cat([keys, k / k.shape[-1] ** 0.5], 2).mT
    padding = functional.pad(~mask, (0, 1))[:, None, None]
    scores = scores.masked_fill(padding, -torch.inf)
    return (scores.softmax(-1) @ values)[:, :, 0], longer, values


def beams_in_their_places(scores, log_probabilities, keys, values):
    likely, tokens = log_probabilities.max(-1)
    return tokens, scores + likely, keys.clone(), values.clone()


def step_with_heads_reshaped(x, keys, values, W_q, W_k, W_v, mask):
    """The matrices of all heads as one, by a reshape alone."""
    H, C, D = W_q.shape
    q, k, v = ((x @ W.reshape(C, H * D)).view(-1, H, 1, D) for W in (W_q, W_k, W_v))
    keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    padding = functional.pad(~mask, (0, 1))[:, None, None]
    scores = (q @ keys.mT / D**0.5).masked_fill(padding, -torch.inf)
    return (scores.softmax(-1) @ values)[:, :, 0], keys, values


def _rotary(x, keys, values, start, W_q, W_k, W_v, places, seen=True):
    T, S = x.shape[1], keys.shape[1]
    positions = torch.arange(start, start + T)
    keys = torch.cat([keys, _turned(x @ W_k, places(positions, S))], 1)
    values = torch.cat([values, x @ W_v], 1)
    mask = torch.ones(T, S + T).tril(S).bool() if seen else None
    return attend(_turned(x @ W_q, positions), keys, values, mask)[0], keys, values


def _turned(x, positions):
    angles = positions[:, None] * frequencies(x.shape[-1])
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], -1)


def rotary_steps_only(*args):
    return _rotary(*args, places=lambda positions, S: positions[-1:] if S else positions)


def _model(weights, ids, keys, values, mask=None):
    T, S = ids.shape[1], keys.shape[3]
    x = weights["embedding"][ids] + weights["position"][S : S + T]
    mask = torch.ones(T, S + T).tril(S).bool() if mask is None else mask(T, S)
    longer, fresh = [], []
    for layer in range(len(keys)):
        q, k, v = (
            functional.layer_norm(x, x.shape[-1:])[:, None] @ weights[name][layer]
            for name in ("query", "key", "value")
        )
        fresh.append((k, v))
        k, v = torch.cat([keys[layer], k], 2), torch.cat([values[layer], v], 2)
        longer.append((k, v))
        mixed = attend(q, k, v, mask)[0]
        x = x + mixed.transpose(1, 2).flatten(2) @ weights["output"][layer]
        wide = functional.layer_norm(x, x.shape[-1:]) @ weights["wide"][layer]
        x = x + wide.relu() @ weights["narrow"][layer]
    logits = functional.layer_norm(x, x.shape[-1:]) @ weights["embedding"].T
    return logits, *(
        [torch.stack(part) for part in zip(*each, strict=True)] for each in (longer, fresh)
    )


def model_with_new_columns_first(*args):
    logits, longer, _ = _model(
        *args, mask=lambda T, S: torch.cat([torch.ones(T, T).tril(), torch.ones(T, S)], 1).bool()
    )
    return logits, *longer


def model_keys_halved(weights, ids, keys, values):
    logits, longer, _ = _model(weights, ids, keys, values)
    keys *= 0.5
    return logits, *longer


def decode_into_the_prompt(read, context, prompt, keys, values, steps):
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    ids, new, logits, fed = prompt.clone(), prompt.clone(), [], []
    for _ in range(steps):
        out, keys, values = read(new, keys, values)
        fed.append(new.shape[1])
        logits.append(out[:, -1])
        new = out[:, -1:].argmax(-1)
        ids = torch.cat([ids, new], 1)
    prompt.copy_(ids[:, -prompt.shape[1] :])
    return ids, torch.stack(logits, 1), fed


def cross_scores_times_mask(x, memory, keys, values, W_q, W_k, W_v, mask):
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    query = x[:, None] @ W_q
    scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5
    return (scores * mask[:, None, None, :]).softmax(dim=-1) @ values, keys, values


WRONG_ANSWERS = {
    "scores times the mask": ("cross", cross_scores_times_mask, "padding-takes-weight"),
    "the cache filled up": ("decode", decode_fills_the_cache, "read-for-no-choice"),
    "a last piece reported as full": (
        "prefill",
        prefill_and_report(lambda T, S, chunk: (chunk, S - T + chunk)),
        "pieces-misjudged",
    ),
    "new columns first": ("read-new", model_with_new_columns_first, "causal-mask-misplaced"),
    "a child in each place": ("beams", beams_in_their_places, "likelier-texts-lost"),
    "heads reshaped": ("step", step_with_heads_reshaped, "heads-scrambled"),
    "the last position in later pieces": ("restart", rotary_steps_only, "new-positions-mistaken"),
    "the caller's keys": ("read-new", model_keys_halved, "argument-changed"),
    "the caller's prompt": ("decode", decode_into_the_prompt, "argument-changed"),
    "keys scaled in place": ("step", step_in_place_of_the_values, "argument-changed"),
    "bytes of the model's width": ("bytes", bytes_of_all_heads, "shared-heads-miscounted"),
    "heads shared modulo": ("ring", ring_modulo_heads, "heads-tiled"),
    "exponentials of large scores": ("ring", ring_by_exponentials, "overflow"),
}
