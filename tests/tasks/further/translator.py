"""Wrong answers to assignment 13, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.translator.rules import translate_by_rules
from headway.text.corpus.split import generator
from headway.text.corpus.translation import translations


def cross_with_padding_set_to_zero(x, memory, W_q, W_k, W_v, memory_mask):
    """Padded memory zeroed beforehand: its keys are zero, and a score of 0 is a score."""
    memory = memory * memory_mask.unsqueeze(-1)
    a = torch.softmax((x @ W_q) @ (memory @ W_k).transpose(1, 2) / W_q.size(1) ** 0.5, dim=-1)
    return torch.bmm(a, memory @ W_v), a


def cross_fused_unscaled(x, memory, W_q, W_k, W_v, memory_mask):
    q, k, v = x @ W_q, memory @ W_k, memory @ W_v
    a = torch.einsum("btd,bsd->bts", q, k).masked_fill(memory_mask[:, None] == 0, -1e30)
    a = functional.softmax(a, dim=2) * memory_mask[:, None]
    return a @ v, a


def cross_softmax_over_targets(x, memory, W_q, W_k, W_v, memory_mask):
    q, k = x @ W_q, memory @ W_k
    s = torch.stack([one @ other.T for one, other in zip(q, k, strict=True)]) / q.shape[-1] ** 0.5
    s[~memory_mask[:, None].expand_as(s)] = float("-inf")
    a = torch.nan_to_num(torch.softmax(s, 1))
    return a @ (memory @ W_v), a


def cross_with_a_small_infinity(x, memory, W_q, W_k, W_v, memory_mask):
    scores = torch.bmm(x @ W_q, (memory @ W_k).transpose(1, 2)) / W_q.size(1) ** 0.5
    a = torch.where(memory_mask[:, None], scores, torch.tensor(-50.0)).softmax(2)
    a = a * memory_mask[:, None]
    return a @ (memory @ W_v), a


def memory_zip(states, gain, bias, W_k, W_v):
    """Encoder and decoder layers zipped together."""
    n = len(W_k)
    per_layer = [functional.layer_norm(states[1 + i], [len(gain)], gain, bias) for i in range(n)]
    return (
        torch.stack([m @ w for m, w in zip(per_layer, W_k, strict=True)]),
        torch.stack([m @ w for m, w in zip(per_layer, W_v, strict=True)]),
    )


def memory_raw(states, gain, bias, W_k, W_v):
    m = states[len(states) - 1]
    return torch.einsum("bsc,ncd->nbsd", m, W_k), torch.einsum("bsc,ncd->nbsd", m, W_v)


def masks_from_lower_triangle_everywhere(source, read, padding):
    def tri(n, m):
        return torch.tensor([[j <= i for j in range(m)] for i in range(n)])

    S, T = source.shape[1], read.shape[1]
    src, tgt = source.ne(padding).unsqueeze(1), read.ne(padding).unsqueeze(1)
    return src & tri(S, S), tgt & tri(T, T), src.repeat(1, T, 1)


def masks_as_for_torch(source, read, padding):
    src, tgt = source.eq(padding), read.eq(padding)
    S, T = source.size(1), read.size(1)
    future = torch.triu(torch.ones(T, T), diagonal=1) == 1
    return src[:, None].repeat(1, S, 1), tgt[:, None] | future, src[:, None].repeat(1, T, 1)


def masks_of_pairs(source, read, padding):
    """Both ends of a look must be words: the outer product of two masks."""
    s, t = (source != padding).int(), (read != padding).int()
    enc = torch.einsum("bi,bj->bij", s, s) > 0
    dec = (torch.einsum("bi,bj->bij", t, t) > 0).tril()
    return enc, dec, torch.einsum("bi,bj->bij", t, s) > 0


def shift_by_roll(sentences, start, end, padding):
    longest = max(len(s) for s in sentences)
    rows = [s + [end] + (longest - len(s)) * [padding] for s in sentences]
    return [[start, *row[:-1]] for row in rows], rows


def shift_whole_sentences(sentences, start, end, padding):
    longest = max(len(s) for s in sentences)
    full = torch.tensor([[start, *s, end] + [padding] * (longest - len(s)) for s in sentences])
    return full, full[:, 1:]


def loss_by_true_distribution(logits, target, smoothing, padding):
    """As in the annotated code: filled with ε/(V − 2), scattered, padding column zeroed."""
    V = logits.size(-1)
    x, t = functional.log_softmax(logits, -1).view(-1, V), target.reshape(-1)
    q = torch.full_like(x, smoothing / (V - 2))
    q.scatter_(1, t[:, None], 1 - smoothing)
    q[:, padding] = 0
    x, q = x[t != padding], q[t != padding]
    return -(q * x).sum() / len(x), -torch.special.xlogy(q, q).sum() / len(x)


def loss_reduction_mean(logits, target, smoothing, padding):
    """Each position's own loss, zero at padding, and then a plain mean."""
    each = functional.cross_entropy(
        logits.transpose(1, 2),
        target,
        ignore_index=padding,
        label_smoothing=smoothing,
        reduction="none",
    )
    V = logits.size(2)
    low = [1 - smoothing + smoothing / V, *[smoothing / V] * (V - 1)]
    floor = -sum(p * math.log(p) for p in low if p > 0) * (target != padding).double()
    return each.mean(), floor.mean()


def loss_kl(logits, target, smoothing, padding):
    V = logits.size(-1)
    q = torch.eye(V)[target] * (1 - smoothing) + smoothing / V
    kl = (
        functional.kl_div(functional.log_softmax(logits, 2), q, reduction="none")
        .sum(2)[target != padding]
        .mean()
    )
    return kl, -torch.special.xlogy(q, q).sum(2)[target != padding].mean()


def noam_of_the_paper(taken, width, warmup, lr):
    """The rate itself, which the optimizer's own is multiplied by."""
    return min((taken + 1) ** -0.5, (taken + 1) / warmup**1.5) / math.sqrt(width)


def noam_one_behind(taken, width, warmup, lr):
    step = np.float64(taken)
    with np.errstate(divide="ignore"):
        return (width * 1.0) ** -0.5 * min(step**-0.5, step / warmup**1.5) / lr


def noam_by_exponents(taken, width, warmup, lr):
    n = taken + 1
    return math.exp(-0.5 * math.log(width)) * max(1 / math.sqrt(n), n / math.sqrt(warmup) ** 3) / lr


def decoder_unshifted(target, memory, memory_mask, embedding, start):
    """Reads the answers, and hides what is ahead of them."""
    h = functional.embedding(target, embedding)
    h = h + functional.scaled_dot_product_attention(h, h, h, is_causal=True)
    h = h + functional.scaled_dot_product_attention(h, memory, memory, memory_mask[:, None])
    return h @ embedding.t()


def decoder_without_own_place(target, memory, memory_mask, embedding, start):
    read = torch.cat((torch.full_like(target[:, :1], start), target[:, :-1]), 1)
    h = embedding[read]
    T = h.shape[1]
    s = h @ h.transpose(1, 2) / h.shape[-1] ** 0.5
    s = s.masked_fill(torch.triu(torch.ones(T, T)) == 1, -torch.inf)
    h = h + torch.nan_to_num(s.softmax(-1)) @ h
    h = h + functional.scaled_dot_product_attention(h, memory, memory, memory_mask[:, None])
    return h @ embedding.t()


def step_that_never_stops(logits, written, end, padding):
    token = torch.argmax(logits[:, written.shape[1] - 1], dim=1, keepdim=True)
    out = torch.cat((written, token), dim=1)
    return out, torch.tensor([end in row for row in out.tolist()])


def step_asks_only_the_new_token(logits, written, end, padding):
    token = logits[:, -1].max(1).indices
    token[[end in row for row in written.tolist()]] = padding
    return torch.cat((written, token[:, None]), dim=1), token == end


def step_done_at_padding(logits, written, end, padding):
    """What is neither word nor start counts as the end of a row."""
    over = torch.isin(written, torch.tensor([end, padding])).any(1)
    token = logits[:, -1].argmax(-1)
    token[over] = padding
    return torch.cat([written, token[:, None]], 1), over | (token == end) | (token == padding)


def masks_changed_in_place(source, read, padding):
    """Right, and the ids become ones and zeros under the caller's hands."""
    S, T = source.shape[1], read.shape[1]
    source.copy_(source.ne(padding))
    words, said = source.bool(), read != padding
    past = torch.arange(T)[:, None] >= torch.arange(T)
    return words[:, None].repeat(1, S, 1), said[:, None] & past, words[:, None].repeat(1, T, 1)


def step_by_chance(logits, written, end, padding):
    """Draws a token by its probability where the best one is asked for."""
    draw = torch.Generator().manual_seed(logits.shape[0])
    token = torch.multinomial(logits[:, -1].softmax(-1), 1, generator=draw)
    done = (written == end).any(1, keepdim=True)
    longer = torch.cat([written, torch.where(done, padding, token)], 1)
    return longer, (longer == end).any(1)


def step_with_a_look_at_the_last_token(logits, written, end, padding):
    over = written[:, -1] == end
    token = torch.where(over, padding, logits[:, -1].argmax(-1))
    return torch.cat([written, token[:, None]], 1), over | (token == end)


def masks_from_lengths(source, read, padding):
    def seen(ids):
        n = [sum(i != padding for i in row) for row in ids.tolist()]
        return torch.tensor([[s < one for s in range(ids.shape[1])] for one in n])

    S, T = source.shape[1], read.shape[1]
    words, said = seen(source)[:, None], seen(read)[:, None]
    past = torch.arange(T)[:, None] >= torch.arange(T)
    return words.repeat(1, S, 1), said & past, words.repeat(1, T, 1)


def cross_all_but_queries_from_x(x, memory, W_q, W_k, W_v, memory_mask):
    scores = torch.einsum("btd,bsd->bts", x @ W_q, x @ W_k) / W_q.shape[1] ** 0.5
    scores = torch.where(memory_mask[:, None], scores, torch.tensor(-torch.inf))
    weights = torch.nan_to_num(torch.softmax(scores, -1))
    return weights @ (x @ W_v), weights


def cross_with_the_mask_upside_down(x, memory, W_q, W_k, W_v, memory_mask):
    scores = (x @ W_q) @ (memory @ W_k).transpose(1, 2) / math.sqrt(W_q.shape[1])
    weights = scores.masked_fill(memory_mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return weights @ (memory @ W_v), weights


def loss_by_torch_and_the_wrong_count(logits, target, smoothing, padding):
    V = logits.size(2)
    total = functional.cross_entropy(
        logits.flatten(0, 1),
        target.flatten(),
        ignore_index=padding,
        label_smoothing=smoothing,
        reduction="sum",
    )
    low = [1 - smoothing + smoothing / V, *[smoothing / V] * (V - 1)]
    return total / target.numel(), -sum(p * math.log(p) for p in low if p > 0)


def loss_with_the_true_word_overwritten(logits, target, smoothing, padding):
    V = logits.size(2)
    q = torch.full_like(logits, smoothing / V).scatter(2, target[..., None], 1 - smoothing)
    words = target != padding
    loss = -(q * logits.log_softmax(2)).sum(2)[words].mean()
    return loss, -torch.xlogy(q, q).sum(2)[words].mean()


def translate_like_a_copying_decoder(sentences):
    """Whatever it says first it says again, and that depends on the sentence."""
    return [" ".join([("arbres", "rouges")[len(s) % 2]] * 20) for s in sentences]


def translate_longest_first(sentences):
    """Sorted for padding's sake, and never put back."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    return [translate_by_rules(s) for s in sorted(sentences, key=lambda s: len(s.split()))]


def translate_printed(sentences):
    from headway.tasks.chapters.translator.rules import translate_by_rules

    return [translate_by_rules(s).replace("l' ", "l'").replace("' ", "'") for s in sentences]


def translate_badly(sentences):
    """A network that is right in nine of ten."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    return ["" if i % 10 == 3 else translate_by_rules(s) for i, s in enumerate(sentences)]


def translate_without_an_end(sentences):
    """Where two in three go on after their end, as with padding in sight."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    texts = [translate_by_rules(s) for s in sentences]
    return [f"{t} {t.split()[-1]} chats" if i % 3 else t for i, t in enumerate(texts)]


def translate_half_learned(sentences):
    """French of the right length, whose every second word has been forgotten."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    texts = [translate_by_rules(s).split() for s in sentences]
    return [" ".join("chat" if i % 2 else w for i, w in enumerate(words)) for words in texts]


def translate_in_circles(sentences):
    from headway.tasks.chapters.translator.rules import translate_by_rules

    return [" ".join((translate_by_rules(s).split()[:3] * 7)[:20]) for s in sentences]


def translate_without_positions(sentences):
    """Every second text has its words in an order of its own."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    texts = [translate_by_rules(s).split() for s in sentences]
    return [" ".join(w[i % 2 * 3 :] + w[: i % 2 * 3]) for i, w in enumerate(texts)]


def translate_like_a_network_that_learned_nothing(sentences):
    """The end symbol comes first, whatever the source."""
    return [""] * len(sentences)


def shift_into_tensors_of_zeros(sentences, start, end, padding):
    """Right numbers, and an embedding would refuse them: zeros are floats."""
    read = torch.zeros(len(sentences), 1 + max(map(len, sentences))) + padding
    target = read.clone()
    for b, words in enumerate(sentences):
        read[b, : len(words) + 1] = torch.tensor([start, *words])
        target[b, : len(words) + 1] = torch.tensor([*words, end])
    return read, target


def step_into_a_tensor_of_zeros(logits, written, end, padding):
    longer = torch.zeros(len(written), written.shape[1] + 1)
    longer[:, :-1] = written
    longer[:, -1] = torch.where((written == end).any(1), padding, logits[:, -1].argmax(-1))
    return longer, (longer == end).any(1)


def memory_with_another_epsilon(states, gain, bias, W_k, W_v):
    memory = functional.layer_norm(states[-1], gain.shape, gain, bias, eps=1e-6)
    return memory @ W_k[:, None], memory @ W_v[:, None]


def merge_by_plain_sums(mixed, log_sums):
    z = torch.exp(log_sums)
    x = torch.nan_to_num((z[:, :, None] * mixed).sum(0) / z.sum(0)[:, None])
    return x, torch.log(z.sum(0))


def merge_by_division(mixed, log_sums):
    z = log_sums.exp()
    return torch.einsum("nt,nte->te", z / z.sum(0), mixed), z.sum(0).log()


def merge_evenly(mixed, log_sums):
    return mixed.mean(0), torch.logsumexp(log_sums, 0)


def merge_adding_logs(mixed, log_sums):
    w = torch.nan_to_num(torch.softmax(log_sums, 0))
    return torch.einsum("nt,nte->te", w, mixed), sum(log_sums)


def cross_by_exponentials(x, memory, W_q, W_k, W_v, memory_mask):
    """Without the maximum taken off, and a sum that is kept from zero."""
    raised = torch.exp((x @ W_q) @ (memory @ W_k).mT / W_k.shape[1] ** 0.5)
    raised = raised * memory_mask[:, None, :]
    weights = raised / raised.sum(-1, keepdim=True).clamp(min=1e-9)
    return weights @ (memory @ W_v), weights


def cross_less_a_hundred(x, memory, W_q, W_k, W_v, memory_mask):
    scores = (x @ W_q) @ (memory @ W_k).mT / W_k.shape[1] ** 0.5 - 100.0 * ~memory_mask[:, None]
    weights = scores.softmax(-1) * memory_mask.any(1)[:, None, None]
    return weights @ (memory @ W_v), weights


def memory_counted_from_the_end(states, gain, bias, W_k, W_v):
    states = functional.layer_norm(states, gain.shape, gain, bias)
    memory = states[[max(len(states) - len(W_k) + n, 0) for n in range(len(W_k))]]
    return memory @ W_k[:, None], memory @ W_v[:, None]


def masks_with_an_open_diagonal(source, read, padding):
    """Every token may see itself, against NaN."""
    (B, S), T = source.shape, read.shape[1]
    words, said = (source != padding)[:, None], (read != padding)[:, None]
    decoder = said & torch.ones(T, T).tril().bool() | torch.eye(T).bool()
    return words.expand(B, S, S), decoder, words.expand(B, T, S)


def loss_kept_from_the_log_of_zero(logits, target, smoothing, padding):
    V, kept = logits.shape[-1], target != padding
    q = functional.one_hot(target, V) * (1 - smoothing) + smoothing / V
    crossed = -(q * (logits.softmax(-1) + 1e-9).log()).sum(-1)
    return crossed[kept].mean(), -torch.xlogy(q, q).sum(-1)[kept].mean()


def step_that_padding_ends(logits, written, end, padding):
    """Done is who ends with the end symbol or with padding."""
    last = written[:, -1]
    done = (last == end) | (last == padding)
    best = torch.where(done, padding, logits[:, -1].argmax(-1))
    longer = torch.cat([written, best[:, None]], 1)
    return longer, (best == end) | (best == padding)


def step_written_into_the_logits(logits, written, end, padding):
    done = (written == end).any(1)
    logits[done, -1] = -torch.inf
    logits[done, -1, padding] = 0.0
    longer = torch.cat([written, logits[:, -1].argmax(-1, keepdim=True)], 1)
    return longer, (longer == end).any(1)


def translate_eight_tokens(sentences):
    return [" ".join(translate_by_rules(text).split()[:8]) for text in sentences]


def translate_by_looking_up(sentences):
    """The nearest of the sentences that are known."""
    pairs = translations(generator(13), 3_000)
    words = [set(pair.source.split()) for pair in pairs]
    asked = [set(text.split()) for text in sentences]
    near = [max(range(len(pairs)), key=lambda i: len(words[i] & one)) for one in asked]
    return [pairs[i].target for i in near]


def translate_sorted_by_letters(sentences):
    return [translate_by_rules(text) for text in sorted(sentences, key=len)]


def merge_clamped(mixed, log_sums):
    log_sums = log_sums.clamp(min=-1e9)
    return (log_sums.softmax(0)[..., None] * mixed).sum(0), log_sums.logsumexp(0)


def memory_by_the_sample(states, gain, bias, W_k, W_v):
    """A deviation of the sample, and the small number beside the root."""
    z = states[-1]
    z = (z - z.mean(-1, keepdim=True)) / (z.std(-1, keepdim=True) + 1e-5) * gain + bias
    return torch.stack([z @ W for W in W_k]), torch.stack([z @ W for W in W_v])


def noam_of_its_peak(by_lr):
    """The share of the highest rate, which is reached after the warm-up."""

    def factor(taken, width, warmup, lr):
        share = min((taken + 1) / warmup, math.sqrt(warmup / (taken + 1)))
        return share / lr if by_lr else share

    return factor


def step_with(over, told):
    """`over(written)` ends rows, and `told(over, new)` are done after the step."""

    def step(logits, written, end, padding):
        ended = over(written, end, padding)
        new = logits[:, -1].argmax(-1)
        new[ended] = padding
        return torch.hstack([written, new[:, None]]), told(ended, new, end, padding)

    return step


def or_padding(new, end, padding):
    return (new == end) | (new == padding)


PADDING_ENDS = {
    "in the last place": step_with(
        lambda written, *ids: or_padding(written[:, -1], *ids),
        lambda ended, new, end, padding: ended | (new == end),
    ),
    "anywhere": step_with(
        lambda written, *ids: or_padding(written, *ids).any(1),
        lambda ended, new, end, padding: ended | (new == end),
    ),
    "when it is written": step_with(
        lambda written, end, padding: (written == end).any(1),
        lambda ended, *new: or_padding(*new),
    ),
}


def shift_for_the_loss(sentences, start, end, padding):
    """Targets are padded by what `cross_entropy` leaves out unless it is told otherwise."""
    n = max(map(len, sentences))
    read = torch.tensor([[start, *s] + [padding] * (n - len(s)) for s in sentences])
    return read, torch.tensor([[*s, end] + [-100] * (n - len(s)) for s in sentences])


def loss_with_another(floor):
    """The loss is PyTorch's; floor(low, high, V, share of words)."""

    def loss(logits, target, smoothing, padding):
        V, words = logits.shape[2], (target != padding).float().mean().item()
        crossed = functional.cross_entropy(
            logits.mT, target, ignore_index=padding, label_smoothing=smoothing
        )
        low = smoothing / V
        cost = [p * math.log(1 / p) if p else 0.0 for p in (1 - smoothing + low, low)]
        return crossed, floor(*cost, V, words)

    return loss


def decoder_that_turns_round(target, memory, memory_mask, embedding, start):
    """What is read begins with the last word."""
    x = embedding[target.roll(1, 1)]
    x = x + functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    x = x + functional.scaled_dot_product_attention(x, memory, memory, memory_mask[:, None])
    return x @ embedding.T


def cross_with(scores=None, weights=None, values=None, returned=None):
    """Cross-attention in which one step is another: each is a function of what it should be."""

    def answer(x, memory, W_q, W_k, W_v, memory_mask):
        words = memory_mask[:, None, :]
        s = (x @ W_q) @ (memory @ W_k).mT / W_q.shape[1] ** 0.5
        s = scores(x, memory, W_q, W_k) if scores else s
        a = s.masked_fill(~words, -torch.inf).softmax(-1).nan_to_num()
        a = weights(a, s, words) if weights else a
        v = values(memory @ W_v) if values else memory @ W_v
        return a @ v, returned(a, s) if returned else a

    return answer


def memory_reshaped(states, gain, bias, W_k, W_v):
    """All layers in one product, and a reshape where axes should change places."""
    m = functional.layer_norm(states[-1], gain.shape, gain, bias)
    (N, _, D), (B, S, _) = W_k.shape, m.shape
    return tuple((m.flatten(0, 1) @ torch.cat([*W], 1) + 0.1).view(N, B, S, D) for W in (W_k, W_v))


def masks_of_near_words(source, read, padding):
    """A target token sees the source words up to one place behind its own."""
    (B, S), T = source.shape, read.shape[1]
    words, said = (source != padding)[:, None], (read != padding)[:, None]
    near = torch.ones(T, S).bool().tril(1) | (torch.arange(S) > S - 3)
    return words.expand(B, S, S), said & torch.ones(T, T).bool().tril(), words & near


def masks_of_ids_above(source, read, padding):
    """Takes for granted that no word has a lower id than the padding."""
    (B, S), T = source.shape, read.shape[1]
    words, said = (source > padding)[:, None], (read > padding)[:, None]
    return words.expand(B, S, S), said & torch.ones(T, T).bool().tril(), words.expand(B, T, S)


def decoder_for_two(target, *others):
    """One word alone is taken for one that is already said, and gets no logits."""
    return decoder_with(99, 1)(target, *others) * (target.shape[1] > 1)


def decoder_with(T_read, skip):
    """`T_read` is the place of what is read twice; `skip` how much of the stream goes on."""

    def decoder(target, memory, memory_mask, embedding, start):
        read = torch.cat((torch.full_like(target[:, :1], start), target[:, :-1]), 1)
        read[:, T_read:] = read[:, T_read : T_read + 1]
        h = embedding[read]
        h = skip * h + functional.scaled_dot_product_attention(h, h, h, is_causal=True)
        h = h + functional.scaled_dot_product_attention(h, memory, memory, memory_mask[:, None])
        return h @ embedding.T

    return decoder


def step_in_place(logits, written, end, padding):
    """What is new takes the place of the oldest token."""
    best = logits[:, -1].argmax(-1).masked_fill((written == end).any(1), padding)
    longer = torch.cat([written[:, -1:], best[:, None]], 1)
    longer = torch.cat([written, longer], 1)
    return longer, (longer == end).any(1)


def step_at_the_front(logits, written, end, padding):
    best = logits[:, -1].argmax(-1).masked_fill((written == end).any(1), padding)
    longer = torch.cat([best[:, None], written], 1)
    return longer, (longer == end).any(1)


def loss_of(weigh, add=0.0):
    """The loss with other numbers in place of log-probabilities; the floor and a number."""

    def loss(logits, target, smoothing, padding):
        words, V = target != padding, logits.shape[-1]
        q = functional.one_hot(target[words], V) * (1 - smoothing) + smoothing / V
        floor = -torch.xlogy(q, q).sum(-1).mean()
        return -(q * weigh(logits[words].double())).sum(-1).mean(), floor + add

    return loss


def shift_without_the_first(sentences, start, end, padding):
    """The start symbol is followed by a word that nobody has asked for."""
    n = max(map(len, sentences)) + 1
    read = [[start, *s] + [padding] * (n - 1 - len(s)) for s in sentences]
    target = [[*s[1:], end] + [padding] * (n - len(s[1:]) - 1) for s in sentences]
    return torch.tensor(read), torch.tensor(target)


def merge_of_sums(mixed, log_sums):
    """Each part weighs as much as its own share of the largest sum."""
    shares = (log_sums - log_sums.amax(0).clamp(min=-1e9)).exp()
    return torch.einsum("nt,nte->te", shares, mixed), log_sums.logsumexp(0)


def translate_with_a_restart(sentences):
    """What a padded row says may begin with its end, and then the text is empty."""
    texts = [translate_by_rules(text).split() for text in sentences]
    return [
        "" if i % 3 == 0 else " ".join(["chats", *words[1:-1]]) for i, words in enumerate(texts)
    ]


def translate_by_the_wrong_vocabulary(sentences):
    return [" ".join(["the", *text.split(), *text.split()]) for text in sentences]


READ = {
    "end-symbol-misplaced": [["<start>", "elle", "<end>"], ["<start>", "il"]],
    "written-words-lost": [["<start>"]] * 2,
    "answer-read": [["elle", "aime"], ["il"]],
}
SHARES = {
    (0.28, 0.05): "spread-over-fewer-symbols",
    (0.32, 0.05): "wrong-amount-of-smoothing",
    (0.245, 0.035): "wrong-amount-of-smoothing",
    (0.33, 0.05): "spread-over-fewer-symbols",
    (0.33, 0.047): "spread-over-fewer-symbols",
}


def memory_of_the_last(states, gain, bias, W_k, W_v):
    """The last N states, one for each layer."""
    kept = functional.layer_norm(states, (len(gain),), gain, bias)[-W_k.size(0) :]
    return torch.matmul(kept, W_k.unsqueeze(1)), torch.matmul(kept, W_v.unsqueeze(1))


def memory_of_the_last_layer_by_layer(states, gain, bias, W_k, W_v):
    N = W_k.size(0)
    last = [functional.layer_norm(state, (len(gain),), gain, bias) for state in states[-N:]]
    pairs = [(last[n] @ W_k[n], last[n] @ W_v[n]) for n in range(N)]
    return torch.stack([k for k, _ in pairs]), torch.stack([v for _, v in pairs])


FURTHER = {
    "an end in training": ("what-is-read", READ["end-symbol-misplaced"], "end-symbol-misplaced"),
    "scores for weights": (
        "cross-attention",
        cross_with(returned=lambda a, scores: scores),
        "mix-and-weights-apart",
    ),
    "values turned round": (
        "cross-attention",
        cross_with(values=lambda v: v.flip(-1)),
        "mix-and-weights-apart",
    ),
    "weights doubled": (
        "cross-attention",
        cross_with(weights=lambda a, scores, words: 2 * a),
        "shares-of-another-sum",
    ),
    "the largest score gets all": (
        "cross-attention",
        cross_with(weights=lambda a, scores, words: (a == a.amax(-1, keepdim=True)) * words * 1.0),
        "other-scores",
    ),
    "matrices of query and key swapped": (
        "cross-attention",
        cross_with(scores=lambda x, memory, W_q, W_k: (x @ W_k) @ (memory @ W_q).mT / 2),
        "other-scores",
    ),
    "reshaped, not transposed": ("memory", memory_reshaped, "a-memory-for-each-layer"),
    "ids above the padding's": ("masks", masks_of_ids_above, "special-ids-guessed"),
    "one word alone": ("leak", decoder_for_two, "right-for-some-sizes"),
    "near words of the source": ("masks", masks_of_near_words, "too-little-allowed"),
    "one word again and again": ("leak", decoder_with(2, 1), "later-positions-differ"),
    "half of the stream": ("leak", decoder_with(99, 0.5), "first-position-differs"),
    "at the front": ("greedy-step", step_at_the_front, "written-in-another-place"),
    "two tokens a step": ("greedy-step", step_in_place, "written-in-another-place"),
    "probabilities weighed": (
        "smoothed-loss",
        loss_of(lambda logits: logits.softmax(-1) - 1),
        "loss-of-other-numbers",
    ),
    "both moved": (
        "smoothed-loss",
        loss_of(lambda logits: logits.log_softmax(-1) - 0.3, add=0.5),
        "loss-of-other-numbers",
    ),
    "the first word not asked": ("shift", shift_without_the_first, "other-words-asked-for"),
    "shares of the largest": ("merge", merge_of_sums, "shares-of-another-sum"),
    "empty texts": ("translate", translate_with_a_restart, "start-symbol-missing"),
    "the wrong vocabulary": (
        "translate",
        translate_by_the_wrong_vocabulary,
        "far-from-the-source",
    ),
    **{f"shares, {said}": ("shares", list(said), name) for said, name in SHARES.items()},
    "sample variance": ("memory", memory_by_the_sample, "norm-formula-wrong"),
    "a share of the peak": ("noam", noam_of_its_peak(by_lr=False), "rate-for-a-factor"),
    "a share of the peak, by the rate": ("noam", noam_of_its_peak(by_lr=True), "rate-for-a-factor"),
    **{
        f"padding ends, {where}": ("greedy-step", step, "other-rows-done")
        for where, step in PADDING_ENDS.items()
    },
    "targets padded for the loss": ("shift", shift_for_the_loss, "special-ids-guessed"),
    "one other symbol in the floor": (
        "smoothed-loss",
        loss_with_another(lambda true, other, V, words: true + other),
        "loss-divergence-and-floor-confused",
    ),
    "all symbols are others in the floor": (
        "smoothed-loss",
        loss_with_another(lambda true, other, V, words: true + V * other),
        "loss-divergence-and-floor-confused",
    ),
    "a floor for padding as well": (
        "smoothed-loss",
        loss_with_another(lambda true, other, V, words: words * (true + (V - 1) * other)),
        "mean-over-other-places",
    ),
    "the last word read first": ("leak", decoder_that_turns_round, "start-symbol-missing"),
    "heads last": ("weights-shape", [3, 10, 14, 6], "axes-of-the-weights-confused"),
    "nothing but a start": ("what-is-read", READ["written-words-lost"], "written-words-lost"),
    "one word ahead": ("what-is-read", READ["answer-read"], "answer-read"),
    "exponentials, clamped": ("cross-attention", cross_by_exponentials, "numbers-out-of-range"),
    "a hundred less": ("cross-attention", cross_less_a_hundred, "padding-takes-weight"),
    "states from the end": ("memory", memory_counted_from_the_end, "a-memory-for-each-layer"),
    "an open diagonal": ("masks", masks_with_an_open_diagonal, "padding-visible"),
    "a small number in the logarithm": (
        "smoothed-loss",
        loss_kept_from_the_log_of_zero,
        "numbers-out-of-range",
    ),
    "padding that ends": ("greedy-step", step_that_padding_ends, "other-rows-done"),
    "into the logits": ("greedy-step", step_written_into_the_logits, "argument-changed"),
    "eight tokens": ("translate", translate_eight_tokens, "words-cut-off"),
    "looked up": ("translate", translate_by_looking_up, "nothing-translated"),
    "sorted by letters": ("translate", translate_sorted_by_letters, "results-in-another-form"),
    "clamped": ("merge", merge_clamped, "nothing-visible"),
    "memory zeroed at the padding": (
        "cross-attention",
        cross_with_padding_set_to_zero,
        "padding-takes-weight",
    ),
    "no root of D": ("cross-attention", cross_fused_unscaled, "wrong-scale"),
    "target words compete": (
        "cross-attention",
        cross_softmax_over_targets,
        "softmax-over-the-wrong-axis",
    ),
    "minus fifty for minus infinity": (
        "cross-attention",
        cross_with_a_small_infinity,
        "padding-takes-weight",
    ),
    "the last states": ("memory", memory_of_the_last, "a-memory-for-each-layer"),
    "the last states, layer by layer": (
        "memory",
        memory_of_the_last_layer_by_layer,
        "a-memory-for-each-layer",
    ),
    "layers zipped": ("memory", memory_zip, "a-memory-for-each-layer"),
    "no norm": ("memory", memory_raw, "not-the-output-of-the-encoder"),
    "triangles everywhere": (
        "masks",
        masks_from_lower_triangle_everywhere,
        "causal-mask-on-the-source",
    ),
    "True for what is hidden": ("masks", masks_as_for_torch, "mask-inverted"),
    "outer products": ("masks", masks_of_pairs, "mask-axes-confused"),
    "a finished batch shifted": ("shift", shift_by_roll, "end-symbol-misplaced"),
    "whole sentences read": ("shift", shift_whole_sentences, "end-symbol-misplaced"),
    "filled and scattered": (
        "smoothed-loss",
        loss_by_true_distribution,
        "spread-over-fewer-symbols",
    ),
    "a plain mean": ("smoothed-loss", loss_reduction_mean, "mean-over-other-places"),
    "divergence alone": ("smoothed-loss", loss_kl, "loss-divergence-and-floor-confused"),
    "the paper's step too early": ("noam", noam_one_behind, "one-update-behind"),
    "the rate itself": ("noam", noam_of_the_paper, "rate-for-a-factor"),
    "the larger branch": ("noam", noam_by_exponents, "another-curve"),
    "answers read": ("leak", decoder_unshifted, "answer-read"),
    "diagonal hidden": ("leak", decoder_without_own_place, "causal-mask-misplaced"),
    "words behind the end": ("greedy-step", step_that_never_stops, "padding-misplaced"),
    "asked of the new token": ("greedy-step", step_asks_only_the_new_token, "other-rows-done"),
    "done at padding": ("greedy-step", step_done_at_padding, "other-rows-done"),
    "ids overwritten by a mask": ("masks", masks_changed_in_place, "argument-changed"),
    "drawn by chance": ("greedy-step", step_by_chance, "other-predictions-taken"),
    "a look at the last token": (
        "greedy-step",
        step_with_a_look_at_the_last_token,
        "other-rows-done",
    ),
    "lengths": ("masks", masks_from_lengths, "padding-assumed-on-the-right"),
    "only the queries right": (
        "cross-attention",
        cross_all_but_queries_from_x,
        "self-attention-for-cross-attention",
    ),
    "upside down": ("cross-attention", cross_with_the_mask_upside_down, "mask-inverted"),
    "the wrong count": (
        "smoothed-loss",
        loss_by_torch_and_the_wrong_count,
        "mean-over-other-places",
    ),
    "overwritten": (
        "smoothed-loss",
        loss_with_the_true_word_overwritten,
        "wrong-amount-of-smoothing",
    ),
    "a copying decoder": ("translate", translate_like_a_copying_decoder, "stuck-on-one-word"),
    "sorted by length": ("translate", translate_longest_first, "results-in-another-form"),
    "as printed": ("translate", translate_printed, "results-in-another-form"),
    "nine of ten": ("translate", translate_badly, "trained-too-little"),
    "texts that run on": ("translate", translate_without_an_end, "trained-too-little"),
    "nouns and verbs guessed": ("translate", translate_half_learned, "trained-too-little"),
    "the last token fed alone": ("translate", translate_in_circles, "stuck-on-one-word"),
    "who does what guessed": (
        "translate",
        translate_without_positions,
        "in-the-order-of-the-source",
    ),
    "nothing learned": (
        "translate",
        translate_like_a_network_that_learned_nothing,
        "source-not-heard",
    ),
    "ids in floats": ("shift", shift_into_tensors_of_zeros, "results-in-another-form"),
    "a step in floats": ("greedy-step", step_into_a_tensor_of_zeros, "results-in-another-form"),
    "another epsilon": ("memory", memory_with_another_epsilon, "norm-formula-wrong"),
    "plain sums": ("merge", merge_by_plain_sums, "numbers-out-of-range"),
    "sums divided": ("merge", merge_by_division, "numbers-out-of-range"),
    "the mean of all": ("merge", merge_evenly, "parts-not-weighed-by-their-sums"),
    "logarithms added": ("merge", merge_adding_logs, "wrong-log-of-the-total"),
}
