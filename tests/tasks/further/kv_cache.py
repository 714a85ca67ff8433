"""Wrong answers to assignment 15, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import torch
from torch.nn import functional

from headway.nn.attention import attend
from headway.nn.position import frequencies


def step_looks_then_stores(x, keys, values, W_q, W_k, W_v, mask):
    """The query meets the cache as it came in; only then the new row is stored."""
    q = torch.einsum("bc,hcd->bhd", x, W_q)
    s = torch.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.size(-1))
    a = torch.softmax(s.masked_fill(~mask[:, None], -torch.inf), -1)
    out = (a[..., None] * values).sum(2)
    k, v = torch.einsum("bc,hcd->bhd", x, W_k), torch.einsum("bc,hcd->bhd", x, W_v)
    return out, torch.cat([keys, k[:, :, None]], -2), torch.cat([values, v[:, :, None]], -2)


def step_causal_from_torch(x, keys, values, W_q, W_k, W_v, mask):
    """A causal mask as torch makes it on a step: the corner of its triangle is top left."""
    q, k, v = ((x[:, None] @ W.transpose(0, 1).flatten(1)) for W in (W_q, W_k, W_v))
    q, k, v = (part.unflatten(-1, (len(W_q), -1)).transpose(1, 2) for part in (q, k, v))
    keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    seen = functional.pad(mask, (0, 1), value=True)[:, None, None].tril()
    mixed = functional.scaled_dot_product_attention(q, keys, values, attn_mask=seen)
    return mixed.squeeze(2), keys, values


def prefill_causal_from_torch(query, key, value, keys, values, chunk):
    mixed, sizes = [], []
    pieces = (part.split(chunk, 2) for part in (query, key, value))
    for q, k, v in zip(*pieces, strict=True):
        keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
        mixed.append(functional.scaled_dot_product_attention(q, keys, values, is_causal=True))
        sizes.append([q.shape[2], keys.shape[2]])
    return torch.cat(mixed, 2), sizes


def prefill_last_mask_kept(query, key, value, keys, values, chunk):
    """One mask for all pieces, made for the first: later columns are open."""
    first, S = min(chunk, query.shape[2]), keys.shape[2]
    square = torch.ones(first, first, dtype=torch.bool).tril()
    mixed, sizes = [], []
    for at in range(0, query.shape[2], chunk):
        q = query[:, :, at : at + chunk]
        keys = torch.cat([keys, key[:, :, at : at + chunk]], 2)
        values = torch.cat([values, value[:, :, at : at + chunk]], 2)
        T = q.shape[2]
        mask = torch.ones(T, keys.shape[2], dtype=torch.bool)
        mask[:, S : S + T] = square[:T, :T]
        mixed.append(attend(q, keys, values, mask)[0])
        sizes.append((T, keys.shape[2]))
    return torch.cat(mixed, 2), sizes


def prefill_strictly_before(query, key, value, keys, values, chunk):
    """A plain softmax, in which the very first token has nothing to look at: NaN."""
    mixed, sizes = [], []
    for at in range(0, query.shape[2], chunk):
        q = query[:, :, at : at + chunk]
        keys = torch.cat([keys, key[:, :, at : at + chunk]], 2)
        values = torch.cat([values, value[:, :, at : at + chunk]], 2)
        T, S = q.shape[2], keys.shape[2]
        later = torch.arange(S) >= torch.arange(S - T, S)[:, None]
        scores = (q @ keys.mT / math.sqrt(q.size(-1))).masked_fill(later, -torch.inf)
        mixed.append(scores.softmax(-1) @ values)
        sizes.append((T, S))
    return torch.cat(mixed, 2), sizes


def cross_memory_wins(x, memory, keys, values, W_q, W_k, W_v, mask):
    """Takes the memory whenever there is one."""
    if memory is not None:
        keys = torch.einsum("bsc,hcd->bhsd", memory, W_k)
        values = torch.einsum("bsc,hcd->bhsd", memory, W_v)
    q = torch.einsum("bkc,hcd->bhkd", x, W_q)
    return attend(q, keys, values, mask[:, None, None])[0], keys, values


def cross_mask_on_queries(x, memory, keys, values, W_q, W_k, W_v, mask):
    """The padding is cut out of the memory by zeros, which still take weight."""
    if keys is None:
        memory = memory * mask[..., None]
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    return attend(x[:, None] @ W_q, keys, values)[0], keys, values


def cross_with_a_small_infinity(x, memory, keys, values, W_q, W_k, W_v, mask):
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    scores = (x[:, None] @ W_q) @ keys.mT / keys.shape[-1] ** 0.5
    scores = torch.where(mask[:, None, None], scores, -50.0)
    return scores.softmax(-1) @ values, keys, values


def cross_by_lengths(x, memory, keys, values, W_q, W_k, W_v, mask):
    """The first so many places of each source, sentence by sentence."""
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    mixed = [
        attend(q, k[:, :n], v[:, :n])[0]
        for q, k, v, n in zip(x[:, None] @ W_q, keys, values, mask.sum(1).tolist(), strict=True)
    ]
    return torch.stack(mixed), keys, values


def beams_tokens_for_rows(scores, log_probabilities, keys, values):
    """Division and remainder confused: a token for a parent."""
    B, K, V = log_probabilities.shape
    best, places = (scores[..., None] + log_probabilities).view(B, -1).topk(K)
    rows = (torch.arange(B)[:, None] * K + places % V % K).flatten()
    return places // V, best, keys[:, rows], values[:, rows]


def beams_local_rows(scores, log_probabilities, keys, values):
    B, K, V = log_probabilities.shape
    tokens, best, rows = [], [], []
    for b in range(B):
        top = torch.topk((scores[b, :, None] + log_probabilities[b]).flatten(), K)
        tokens.append(top.indices % V)
        best.append(top.values)
        rows.append(top.indices // V)
    rows = torch.cat(rows)
    return torch.stack(tokens), torch.stack(best), keys[:, rows], values[:, rows]


def beams_likeliest_tokens(scores, log_probabilities, keys, values):
    """Sums are handed back, and the last tokens choose."""
    tokens, best, rows = [], [], []
    B, K, V = log_probabilities.shape
    for b in range(B):
        pairs = [(k, v) for k in range(K) for v in range(V)]
        pairs = sorted(pairs, key=lambda pair: -log_probabilities[b][pair].item())[:K]
        tokens.append([v for _, v in pairs])
        best.append([float(scores[b, k] + log_probabilities[b, k, v]) for k, v in pairs])
        rows += [b * K + k for k, _ in pairs]
    return torch.tensor(tokens), torch.tensor(best), keys[:, rows], values[:, rows]


def beams_scattered(scores, log_probabilities, keys, values):
    B, K, V = log_probabilities.shape
    best, places = (scores[..., None] + log_probabilities).view(B, -1).topk(K)
    new_keys, new_values = torch.clone(keys), torch.clone(values)
    for b in range(B):
        for k in range(K):
            parent = b * K + int(places[b, k]) // V
            new_keys[:, parent], new_values[:, parent] = keys[:, b * K + k], values[:, b * K + k]
    return places.remainder(V), best, new_keys, new_values


def bytes_of_all_heads(windows, heads, key_value_heads, width, length, batch, bits):
    """Keys and values as wide as the model."""
    numbers = 0
    for window in windows:
        numbers += 2 * width * (length if window is None or window > length else window)
    return numbers * batch * bits // 8


def bytes_of_the_window_less_one(windows, heads, key_value_heads, width, length, batch, bits):
    """The token itself is not counted among those that it sees."""
    kept = sum(length if w is None else min(length, w - 1) for w in windows)
    return 2 * kept * key_value_heads * (width // heads) * batch * bits // 8


def _turn(x, places):
    angles = places[:, None] * frequencies(x.shape[-1]).float()
    c, s = angles.cos(), angles.sin()
    one, two = x[..., : len(c.T)], x[..., len(c.T) :]
    return torch.cat((one * c - two * s, two * c + one * s), -1)


def rotary_keys_turned_when_read(x, keys, values, start, W_q, W_k, W_v):
    """As if the cache held keys that have not been turned, and leaves them so."""
    (_, T, _), S = x.shape, keys.shape[1]
    keys = torch.cat((keys, x @ W_k), 1)
    values = torch.cat((values, x @ W_v), 1)
    turned = _turn(keys, torch.arange(start - S, start + T))
    mask = torch.arange(S + T) <= torch.arange(S, S + T)[:, None]
    query = _turn(x @ W_q, torch.arange(start, start + T))
    return attend(query, turned, values, mask)[0], keys, values


def rotary_pieces_from_zero(x, keys, values, start, W_q, W_k, W_v):
    """Each piece is turned as if it were a text of its own."""
    (_, T, _), S = x.shape, keys.shape[1]
    keys = torch.cat((keys, _turn(x @ W_k, torch.arange(T))), 1)
    values = torch.cat((values, x @ W_v), 1)
    mask = torch.ones(T, S + T).triu(S + 1) == 0
    return attend(_turn(x @ W_q, torch.arange(T)), keys, values, mask)[0], keys, values


def rotary_end_position(x, keys, values, start, W_q, W_k, W_v):
    (_, T, _), S = x.shape, keys.shape[1]
    here = torch.tensor([start + T - 1] * T)
    keys = torch.cat((keys, _turn(x @ W_k, here)), 1)
    values = torch.cat((values, x @ W_v), 1)
    mask = torch.ones(T, S + T).triu(S + 1) == 0
    return attend(_turn(x @ W_q, here), keys, values, mask)[0], keys, values


def _norm(x):
    return functional.layer_norm(x, x.shape[-1:])


def model_position_of_rows(weights, ids, keys, values, at=None, held=None):
    """`full` with a longer cache, and its positions left as they are."""
    (B, T), S = ids.shape, keys.size(3)
    at = 0 if at is None else at(S, T)
    x = weights["embedding"][ids] + weights["position"][at : at + T]
    mask = torch.arange(S + T) <= torch.arange(S, S + T)[:, None]
    new = [], []
    for n in range(keys.size(0)):
        q, k, v = (_norm(x)[:, None] @ weights[w][n] for w in ("query", "key", "value"))
        m = n if held is None else held(n)
        k, v = torch.cat([keys[m], k], 2), torch.cat([values[m], v], 2)
        new[0].append(k)
        new[1].append(v)
        y = attend(q, k, v, mask)[0].transpose(1, 2).reshape(B, T, -1)
        x = x + y @ weights["output"][n]
        x = x + functional.relu(_norm(x) @ weights["wide"][n]) @ weights["narrow"][n]
    return _norm(x) @ weights["embedding"].T, torch.stack(new[0]), torch.stack(new[1])


def model_layer_before(weights, ids, keys, values):
    """Each layer goes on with the cache of the one before it."""
    return model_position_of_rows(
        weights, ids, keys, values, at=lambda S, T: S, held=lambda n: max(n - 1, 0)
    )


def decode_whole_text_each_time(read, context, prompt, keys, values, steps):
    """A new cache for each choice, filled with all that there is."""
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    logits, fed = [], []
    while len(logits) < steps:
        out, *_ = read(prompt, keys[:, :, :, :0], values[:, :, :, :0])
        fed.append(len(prompt[0]))
        logits.append(out[:, -1])
        prompt = torch.cat([prompt, out[:, -1].argmax(1, True)], 1)
    return prompt, torch.stack(logits, 1), fed


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


def decode_reads_the_last_choice(read, context, prompt, keys, values, steps):
    """To fill the cache, it says; it only counts it."""
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    text, logits, fed = _decoded(read, context, prompt, keys, values, steps)
    return text, logits, [*fed, 1]


def decode_checks_nothing(read, context, prompt, keys, values, steps):
    """An error from inside, of another kind, once the positions have run out."""
    return _decoded(read, context, prompt, keys, values, steps)


def decode_refuses_in_the_loop(read, context, prompt, keys, values, steps):
    """A ValueError, once most of the text has been read."""
    return _decoded(read, context, prompt, keys, values, steps, room=context)


def decode_reads_on(read, context, prompt, keys, values, steps):
    """What was chosen last goes through the model too: an error where the context ends there."""
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    cache, new, logits, fed = (keys, values), prompt, [], []
    out, *cache = read(new, *cache)
    fed.append(new.shape[1])
    for _ in range(steps):
        logits.append(out[:, -1])
        new = out[:, -1].argmax(1, True)
        prompt = torch.cat([prompt, new], 1)
        out, *cache = read(new, *cache)
        fed.append(1)
    return prompt, torch.stack(logits, 1), fed


def decode_if(fits):
    """Refuses unless fits(held, of the prompt, steps, positions)."""

    def decode(read, context, prompt, keys, values, steps):
        if not fits(keys.shape[3], prompt.shape[1], steps, context):
            raise ValueError
        return _decoded(read, context, prompt, keys, values, steps)

    return decode


def decode_and_report(report):
    """Right but for the report, which is made of the lengths that were read."""

    def decode(read, context, prompt, keys, values, steps):
        if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
            raise ValueError
        text, logits, fed = _decoded(read, context, prompt, keys, values, steps)
        return text, logits, report(fed, len(prompt))

    return decode


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


def ring_one_hidden(*args):
    """NaN for the first token, which sees nothing."""
    return _ring(*args, group=lambda h, H, G: h * G // H, seen=lambda age, read: age < read)


def ring_all_slots(*args):
    return _ring(*args, group=lambda h, H, G: h * G // H, seen=lambda age, read: age >= 0)


def ring_in_place(query, key, value, keys, values, read, slopes):
    """Right, and the caller's slots are written to."""
    slot = read % keys.shape[2]
    keys[:, :, slot], values[:, :, slot] = key, value
    group = {"group": lambda h, H, G: h * G // H, "seen": lambda age, read: age <= read}
    mixed, *_ = _ring(query, key, value, keys, values, read, slopes, **group)
    return mixed, keys.clone(), values.clone()


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


def prefill_in_one_pass(query, key, value, keys, values, chunk):
    S, T = keys.shape[2], query.shape[2]
    keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    seen = torch.ones(T, S + T, dtype=torch.bool).tril(S)
    mixed = functional.scaled_dot_product_attention(query, keys, values, attn_mask=seen)
    ends = [min(start + chunk, T) for start in range(0, T, chunk)]
    return mixed, [(e - s, S + e) for s, e in zip(range(0, T, chunk), ends, strict=True)]


def prefill_in_one_clean_pass(query, key, value, keys, values, chunk):
    """What is no number becomes one at the start and at the end, and never shows."""
    key, value = (torch.nan_to_num(part, nan=0.0) for part in (key, value))
    mixed, sizes = prefill_in_one_pass(query, key, value, keys, values, chunk)
    return torch.nan_to_num(mixed), sizes


def beams_flattened_the_other_way(scores, log_probabilities, keys, values):
    """Candidates in the order of tokens, read as if in the order of beams."""
    B, K, _ = log_probabilities.shape
    best, places = (scores[..., None] + log_probabilities).view(B, -1).topk(K)
    parents, tokens = places % K, places // K
    rows = (torch.arange(B)[:, None] * K + parents).flatten()
    return tokens, best, keys[:, rows], values[:, rows]


def beams_one_child_each(scores, log_probabilities, keys, values):
    likely, tokens = log_probabilities.max(-1)
    best, order = torch.sort(scores + likely, dim=-1, descending=True)
    B, K = scores.shape
    rows = (torch.arange(B)[:, None] * K + order).flatten()
    return torch.gather(tokens, 1, order), best, keys[:, rows], values[:, rows]


def beams_in_their_places(scores, log_probabilities, keys, values):
    likely, tokens = log_probabilities.max(-1)
    return tokens, scores + likely, keys.clone(), values.clone()


def beams_of_the_best(scores, log_probabilities, keys, values):
    B, K, _ = log_probabilities.shape
    parent, sentence = scores.argmax(1), torch.arange(B)
    best, tokens = (scores[..., None] + log_probabilities)[sentence, parent].topk(K)
    rows = (sentence * K + parent).repeat_interleave(K)
    return tokens, best, keys[:, rows], values[:, rows]


def beams_by(choose, told=lambda best, parents, scores: best):
    """choose(summed, K) gives places; `told` makes the scores."""

    def step(scores, log_probabilities, keys, values):
        B, K, V = log_probabilities.shape
        summed = (scores[..., None] + log_probabilities).view(B, -1)
        places = choose(summed, K)
        parents, best = places // V, summed.gather(1, places)
        rows = (torch.arange(B)[:, None] * K + parents).flatten()
        return places % V, told(best, parents, scores), keys[:, rows], values[:, rows]

    return step


def decode_says_one_and_reads_all(read, context, prompt, keys, values, steps):
    if keys.shape[3] + prompt.shape[1] + steps - 1 > context:
        raise ValueError
    P, logits = prompt.shape[1], []
    for _ in range(steps):
        out, *_ = read(prompt, keys, values)
        logits.append(out[:, -1])
        prompt = torch.cat([prompt, out[:, -1].argmax(1, True)], 1)
    return prompt, torch.stack(logits, 1), [P] + [1] * (steps - 1)


def step_with_heads_reshaped(x, keys, values, W_q, W_k, W_v, mask):
    """The matrices of all heads as one, by a reshape alone."""
    H, C, D = W_q.shape
    q, k, v = ((x @ W.reshape(C, H * D)).view(-1, H, 1, D) for W in (W_q, W_k, W_v))
    keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
    padding = functional.pad(~mask, (0, 1))[:, None, None]
    scores = (q @ keys.mT / D**0.5).masked_fill(padding, -torch.inf)
    return (scores.softmax(-1) @ values)[:, :, 0], keys, values


def prefill_masked_as_at_the_call(query, key, value, keys, values, chunk):
    held, mixed, sizes = keys.shape[2], [], []
    for t in range(0, query.shape[2], chunk):
        q = query[:, :, t : t + chunk]
        keys = torch.cat([keys, key[:, :, t : t + chunk]], 2)
        values = torch.cat([values, value[:, :, t : t + chunk]], 2)
        mask = torch.ones(q.shape[2], keys.shape[2]).tril(held).bool()
        mixed.append(attend(q, keys, values, mask)[0])
        sizes.append((q.shape[2], keys.shape[2]))
    return torch.cat(mixed, 2), sizes


def cross_masked_at_first(x, memory, keys, values, W_q, W_k, W_v, mask):
    first = keys is None
    if first:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    seen = mask[:, None, None, :] if first else None
    return attend(x[:, None] @ W_q, keys, values, seen)[0], keys, values


def cross_one_mask_for_all(x, memory, keys, values, W_q, W_k, W_v, mask):
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    return attend(x[:, None] @ W_q, keys, values, mask[:1, None, None, :])[0], keys, values


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


def rotary_unmasked(*args):
    return _rotary(*args, places=lambda positions, S: positions, seen=False)


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


def model_steps_unmasked(*args):
    """A step of one token needs no mask; several do."""
    logits, longer, _ = _model(
        *args, mask=lambda T, S: torch.ones(T, S + T).tril(0 if S == 0 else T + S).bool()
    )
    return logits, *longer


def model_with_new_columns_first(*args):
    logits, longer, _ = _model(
        *args, mask=lambda T, S: torch.cat([torch.ones(T, T).tril(), torch.ones(T, S)], 1).bool()
    )
    return logits, *longer


def model_new_keys_only(*args):
    logits, _, fresh = _model(*args)
    return logits, *fresh


def model_last_logits_only(*args):
    logits, longer, _ = _model(*args)
    return logits[:, -1:], *longer


def model_positions_taken_off(weights, ids, keys, values):
    logits, longer, _ = _model(weights, ids, keys, values)
    weights["position"] = weights["position"][keys.shape[3] :]
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


RIGHT = [[5, 6, 3, 8], [5, 6, 3, 13], [5, 6, 3, 7], [5, 2, 13, 8]]
SHAPES = {
    (0, (5, 2, 3, 8)): "shared-heads-miscounted",
    (0, (5, 6, 13, 8)): "everything-read-again",
    (0, (5, 3, 6, 8)): "results-in-another-order",
    (1, (5, 6, 13, 13)): "everything-read-again",
    (1, (5, 6, 3, 3)): "held-tokens-unseen",
    (1, (5, 2, 3, 13)): "shared-heads-miscounted",
    (2, (5, 6, 13, 7)): "everything-read-again",
    (2, (5, 6, 7, 3)): "results-in-another-order",
    (2, (5, 2, 3, 7)): "shared-heads-miscounted",
}
POSITIONS = {
    (34, 9): "read-for-no-choice",
    (24, 4): "positions-miscounted",
    (24, 10): "positions-miscounted",
    (10, 10): "positions-miscounted",
    (30, 40): "everything-read-again",
}
KIB = {24.576: "bits-and-bytes-mixed-up", 196.608: "bits-and-bytes-mixed-up"}
KIB |= {3: "bits-and-bytes-mixed-up", 8: "shared-heads-miscounted"}


def cross_scores_times_mask(x, memory, keys, values, W_q, W_k, W_v, mask):
    if keys is None:
        keys, values = memory[:, None] @ W_k, memory[:, None] @ W_v
    query = x[:, None] @ W_q
    scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5
    return (scores * mask[:, None, None, :]).softmax(dim=-1) @ values, keys, values


FURTHER = {
    "scores times the mask": ("cross", cross_scores_times_mask, "padding-takes-weight"),
    **{
        f"shapes, {place}: {shape}": (
            "shapes",
            [*RIGHT[:place], list(shape), *RIGHT[place + 1 :]],
            name,
        )
        for (place, shape), name in SHAPES.items()
    },
    **{f"positions, {said}": ("positions", list(said), name) for said, name in POSITIONS.items()},
    **{f"{said} KiB": ("token-bytes", said, name) for said, name in KIB.items()},
    "the cache filled up": ("decode", decode_fills_the_cache, "read-for-no-choice"),
    "a context without what is held": (
        "decode",
        decode_if(lambda S, P, steps, N: P + steps <= N),
        "context-miscounted",
    ),
    "a context too short for an empty cache": (
        "decode",
        decode_if(lambda S, P, steps, N: S + P + steps - 1 + (S == 0) <= N),
        "context-miscounted",
    ),
    "texts counted as positions": (
        "decode",
        decode_and_report(lambda fed, B: [n * B for n in fed]),
        "pieces-misjudged",
    ),
    "no report of the prompt": (
        "decode",
        decode_and_report(lambda fed, B: fed[1:]),
        "pieces-misjudged",
    ),
    "a last piece reported as full": (
        "prefill",
        prefill_and_report(lambda T, S, chunk: (chunk, S - T + chunk)),
        "pieces-misjudged",
    ),
    "own keys not reported": (
        "prefill",
        prefill_and_report(lambda T, S, chunk: (T, S - T)),
        "pieces-misjudged",
    ),
    "new columns first": ("read-new", model_with_new_columns_first, "causal-mask-misplaced"),
    "a child in each place": ("beams", beams_in_their_places, "likelier-texts-lost"),
    "children of the best": ("beams", beams_of_the_best, "likelier-texts-lost"),
    "sorted the other way": (
        "beams",
        beams_by(lambda summed, K: summed.argsort(1)[:, :K]),
        "likelier-texts-lost",
    ),
    "the parents' scores": (
        "beams",
        beams_by(
            lambda summed, K: summed.topk(K)[1],
            lambda best, parents, scores: scores.gather(1, parents),
        ),
        "scores-not-summed",
    ),
    "heads reshaped": ("step", step_with_heads_reshaped, "heads-scrambled"),
    "the mask of the call": ("prefill", prefill_masked_as_at_the_call, "causal-mask-misplaced"),
    "a mask in the first step": ("cross", cross_masked_at_first, "padding-takes-weight"),
    "the first sentence's mask": ("cross", cross_one_mask_for_all, "texts-mixed-up"),
    "the last position in later pieces": ("restart", rotary_steps_only, "new-positions-mistaken"),
    "pieces without a mask": ("restart", rotary_unmasked, "causal-mask-misplaced"),
    "no mask in a step": ("read-new", model_steps_unmasked, "causal-mask-misplaced"),
    "new keys alone handed on": ("read-new", model_new_keys_only, "cache-not-handed-on"),
    "logits of the last": ("read-new", model_last_logits_only, "other-positions-scored"),
    "the caller's positions": ("read-new", model_positions_taken_off, "argument-changed"),
    "the caller's keys": ("read-new", model_keys_halved, "argument-changed"),
    "the caller's prompt": ("decode", decode_into_the_prompt, "argument-changed"),
    "a step that looks before it stores": ("step", step_looks_then_stores, "own-token-unseen"),
    "torch's causal flag on a step": ("step", step_causal_from_torch, "causal-mask-misplaced"),
    "torch's causal flag on a piece": (
        "prefill",
        prefill_causal_from_torch,
        "causal-mask-misplaced",
    ),
    "the mask of the first piece": ("prefill", prefill_last_mask_kept, "causal-mask-misplaced"),
    "one pass, and pairs by arithmetic": (
        "prefill",
        prefill_in_one_pass,
        "later-keys-scored-and-hidden",
    ),
    "one pass, cleaned before and after": (
        "prefill",
        prefill_in_one_clean_pass,
        "later-keys-scored-and-hidden",
    ),
    "keys scaled in place": ("step", step_in_place_of_the_values, "argument-changed"),
    "everything strictly before": ("prefill", prefill_strictly_before, "own-token-unseen"),
    "sources cut to their lengths": ("cross", cross_by_lengths, "source-mask-misread"),
    "the memory read whenever it is there": ("cross", cross_memory_wins, "source-projected-again"),
    "minus fifty for minus infinity": (
        "cross",
        cross_with_a_small_infinity,
        "padding-takes-weight",
    ),
    "padding zeroed in the memory": ("cross", cross_mask_on_queries, "padding-takes-weight"),
    "division and remainder confused": ("beams", beams_tokens_for_rows, "place-misread"),
    "all rows of candidates side by side": (
        "beams",
        beams_flattened_the_other_way,
        "place-misread",
    ),
    "one child for each beam": ("beams", beams_one_child_each, "likelier-texts-lost"),
    "rows counted within a sentence": ("beams", beams_local_rows, "texts-mixed-up"),
    "the likeliest last tokens": ("beams", beams_likeliest_tokens, "likelier-texts-lost"),
    "rows sent to their parents": ("beams", beams_scattered, "caches-of-other-beams"),
    "bytes of the model's width": ("bytes", bytes_of_all_heads, "shared-heads-miscounted"),
    "a window without its own token": ("bytes", bytes_of_the_window_less_one, "window-misread"),
    "keys turned when they are read": (
        "restart",
        rotary_keys_turned_when_read,
        "turned-too-often-or-never",
    ),
    "pieces turned from 0": ("restart", rotary_pieces_from_zero, "new-positions-mistaken"),
    "the position of the last for all": ("restart", rotary_end_position, "new-positions-mistaken"),
    "the model with positions from 0": (
        "read-new",
        model_position_of_rows,
        "new-positions-mistaken",
    ),
    "the cache of the layer before": ("read-new", model_layer_before, "layers-mixed-up"),
    "a new cache for each choice": ("decode", decode_whole_text_each_time, "everything-read-again"),
    "everything read again, and one position reported": (
        "decode",
        decode_says_one_and_reads_all,
        "everything-read-again",
    ),
    "the last choice counted": ("decode", decode_reads_the_last_choice, "read-for-no-choice"),
    "the last choice read": ("decode", decode_reads_on, "read-for-no-choice"),
    "a check at each step": ("decode", decode_refuses_in_the_loop, "context-miscounted"),
    "no check of the context": ("decode", decode_checks_nothing, "context-miscounted"),
    "heads shared modulo": ("ring", ring_modulo_heads, "heads-tiled"),
    "one slot of the ring hidden": ("ring", ring_one_hidden, "filled-slots-miscounted"),
    "exponentials of large scores": ("ring", ring_by_exponentials, "overflow"),
    "the ring changed in place": ("ring", ring_in_place, "argument-changed"),
    "all slots of the ring": ("ring", ring_all_slots, "filled-slots-miscounted"),
}
