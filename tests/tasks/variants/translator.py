"""Right answers to assignment 13 that are written in other ways than the reference."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.nn.attention import attend
from headway.tasks.chapters.translator.rules import translate_by_rules
from headway.training.schedule import Noam

# --- cross-attention -------------------------------------------------------------------------


def cross_loops(x, memory, W_q, W_k, W_v, memory_mask):
    (B, T, _), S, E = x.shape, memory.shape[1], W_v.shape[1]
    mixed, weights = np.zeros((B, T, E)), np.zeros((B, T, S))
    for b in range(B):
        places = [s for s in range(S) if memory_mask[b, s]]
        for t in range(T):
            query = (x[b, t] @ W_q).tolist()
            scores = {}
            for s in places:
                key = (memory[b, s] @ W_k).tolist()
                product = sum(q * k for q, k in zip(query, key, strict=True))
                scores[s] = product / math.sqrt(len(query))
            top = max(scores.values(), default=0)
            total = sum(math.exp(score - top) for score in scores.values())
            for s in places:
                weights[b, t, s] = math.exp(scores[s] - top) / total
                mixed[b, t] += weights[b, t, s] * (memory[b, s] @ W_v).numpy()
    return mixed, weights


def cross_einsum(x, memory, W_q, W_k, W_v, memory_mask):
    """One matrix for queries times keys, exponentials of at most 0 times the mask, in doubles."""
    x, memory, W_q, W_k, W_v = (part.double() for part in (x, memory, W_q, W_k, W_v))
    scores = torch.einsum("btc,cd,ed,bse->bts", x, W_q, W_k, memory) / W_q.shape[1] ** 0.5
    words = scores.masked_fill(~memory_mask[:, None], -1e300)
    raised = (scores - words.amax(2, keepdim=True)).clamp(max=0).exp() * memory_mask[:, None]
    weights = raised / raised.sum(2, keepdim=True).clamp(min=1)
    return torch.einsum("bts,bsc,ce->bte", weights, memory, W_v), weights


# --- the memory ------------------------------------------------------------------------------


def memory_module(states, gain, bias, W_k, W_v):
    norm = nn.LayerNorm(len(gain))
    norm.load_state_dict({"weight": gain, "bias": bias})
    memory = norm(states[-1])
    return [torch.einsum("bsc,ncd->nbsd", memory, W) for W in (W_k, W_v)]


def memory_numpy(states, gain, bias, W_k, W_v):
    x = states[-1].double().numpy()
    memory = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)
    memory = memory * gain.numpy() + bias.numpy()
    return np.stack([memory @ W.numpy() for W in W_k]), np.stack([memory @ W.numpy() for W in W_v])


# --- masks -----------------------------------------------------------------------------------


def masks_loops(source, read, padding):
    source, read = source.tolist(), read.tolist()
    encoder = [[[s != padding for s in row] for _ in row] for row in source]
    decoder = [
        [[u <= t and row[u] != padding for u in range(len(row))] for t in range(len(row))]
        for row in read
    ]
    cross = [
        [[s != padding for s in row] for _ in mine] for row, mine in zip(source, read, strict=True)
    ]
    return encoder, decoder, cross


def masks_numpy(source, read, padding):
    source, read = source.numpy(), read.numpy()
    T = read.shape[1]
    words, said = (ids[:, None, :] != padding for ids in (source, read))
    past = np.arange(T)[:, None] >= np.arange(T)
    return words.repeat(source.shape[1], 1), np.logical_and(said, past), words.repeat(T, 1)


# --- shift right -----------------------------------------------------------------------------


def shift_lists(sentences, start, end, padding):
    T = 1 + max(len(words) for words in sentences)
    read = [([start] + words + [padding] * T)[:T] for words in sentences]
    target = [(words + [end] + [padding] * T)[:T] for words in sentences]
    return read, target


def shift_numpy(sentences, start, end, padding):
    read = np.full((len(sentences), max(map(len, sentences)) + 1), padding)
    target = read.copy()
    for r, t, words in zip(read, target, sentences, strict=True):
        r[0], t[len(words)] = start, end
        r[1 : 1 + len(words)] = words
        t[: len(words)] = words
    return read, target


# --- the smoothed loss -----------------------------------------------------------------------


def loss_torch(logits, target, smoothing, padding):
    V = logits.shape[-1]
    loss = functional.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=padding, label_smoothing=smoothing
    )
    shares = [1 - smoothing + smoothing / V] + [smoothing / V] * (V - 1)
    return loss, -sum(q * math.log(q) for q in shares if q)


def loss_as_mixture(logits, target, smoothing, padding):
    """(1 − ε) · the plain loss + ε · the mean over all symbols; KL and floor by torch."""
    kept = target != padding
    log_p = logits.log_softmax(-1)[kept]
    plain, spread = functional.nll_loss(log_p, target[kept]), -log_p.mean()
    loss = (1 - smoothing) * plain + smoothing * spread
    q = torch.full_like(log_p, smoothing / logits.shape[-1])
    q.scatter_add_(1, target[kept][:, None], torch.full((len(q), 1), 1 - smoothing))
    return loss, loss - functional.kl_div(log_p, q, reduction="batchmean")


# --- the schedule ----------------------------------------------------------------------------


def noam_package(taken, width, warmup, lr):
    return Noam(width, warmup)(taken) / lr


def noam_from_peak(taken, width, warmup, lr):
    """The peak times what is left of it, in NumPy's single precision."""
    step = np.float32(taken + 1)
    share = np.minimum(step / warmup, np.sqrt(warmup / step))
    return share / np.sqrt(np.float32(width * warmup)) / lr


# --- the decoder -----------------------------------------------------------------------------


def leak_one_at_a_time(target, memory, memory_mask, embedding, start):
    """Position after position, each with the words before it alone: nothing to hide."""
    B, T = target.shape
    logits = []
    for t in range(T):
        read = torch.cat([torch.full((B, 1), start), target[:, :t]], dim=1)
        x = embedding[read]
        last = x[:, -1:] + attend(x[:, -1:], x, x)[0]
        last = last + attend(last, memory, memory, memory_mask[:, None])[0]
        logits.append(last @ embedding.T)
    return torch.cat(logits, dim=1)


def leak_fused(target, memory, memory_mask, embedding, start):
    x = functional.embedding(functional.pad(target, (1, -1), value=start), embedding)
    x = x + functional.scaled_dot_product_attention(x, x, x, is_causal=True)
    mask = memory_mask[:, None, :].expand(-1, x.shape[1], -1)
    x = x + functional.scaled_dot_product_attention(x, memory, memory, attn_mask=mask)
    return functional.linear(x, embedding)


# --- a greedy step ---------------------------------------------------------------------------


def greedy_loops(logits, written, end, padding):
    longer = []
    for scores, row in zip(logits.tolist(), written.tolist(), strict=True):
        last = scores[-1]
        longer.append([*row, padding if end in row else last.index(max(last))])
    return longer, [end in row for row in longer]


def greedy_numpy(logits, written, end, padding):
    written = written.numpy()
    longer = np.pad(written, ((0, 0), (0, 1)), constant_values=padding)
    going = ~(written == end).any(axis=1)
    longer[going, -1] = logits.numpy()[going, -1].argmax(axis=1)
    return longer, np.isin(longer, end).any(axis=1)


# --- translation -----------------------------------------------------------------------------


def translate_nearly(sentences):
    """As good as a network after training: three in a hundred are wrong."""
    return [
        "je ne sais pas" if i % 33 == 7 else translate_by_rules(sentence)
        for i, sentence in enumerate(sentences)
    ]


def translate_by_length(sentences):
    """In batches of like length, put back in order afterwards."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    texts = [""] * len(sentences)
    for i in order:
        texts[i] = translate_by_rules(sentences[i])
    return tuple(texts)


# --- merging ---------------------------------------------------------------------------------


def merge_two_by_two(mixed, log_sums):
    """One part joins the others at a time."""
    x, total = torch.zeros_like(mixed[0]), torch.full_like(log_sums[0], -torch.inf)
    for part, log_sum in zip(mixed, log_sums, strict=True):
        both = torch.logaddexp(total, log_sum)
        old, new = (
            torch.where(both > -torch.inf, (log - both).exp(), 0.0) for log in (total, log_sum)
        )
        x, total = old[:, None] * x + new[:, None] * part, both
    return x, total


def merge_as_attention(mixed, log_sums):
    """The parts are the tokens, their logs the scores: an attention once more."""
    scores = log_sums.T[:, None, :].double()  # (T, 1, N)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ mixed.transpose(0, 1).double())[:, 0], scores.logsumexp(-1)[:, 0]


VARIANTS = {
    "13-translator/weights-shape": {
        "shape": torch.zeros(3, 6, 10, 14).shape,
        "array": np.array([3, 6, 10, 14]),
    },
    "13-translator/what-is-read": {
        "tuples": (("<start>", "elle"), ("<start>", "il")),
        "mixed": (["<start>", "elle"], ("<start>", "il")),
    },
    "13-translator/shares": {
        "array": np.array([0.32, 0.04]),
        "tensor": torch.tensor([8.0, 1.0]) * (1 - 0.72) / 7,
    },
    "13-translator/cross-attention": {
        "loops": cross_loops,
        "einsum": cross_einsum,
    },
    "13-translator/memory": {
        "a module": memory_module,
        "NumPy": memory_numpy,
    },
    "13-translator/masks": {
        "loops": masks_loops,
        "NumPy": masks_numpy,
    },
    "13-translator/shift": {
        "lists": shift_lists,
        "NumPy": shift_numpy,
    },
    "13-translator/smoothed-loss": {
        "torch": loss_torch,
        "a mixture of two losses": loss_as_mixture,
    },
    "13-translator/noam": {
        "the package's": noam_package,
        "from the peak": noam_from_peak,
    },
    "13-translator/faulty-line": {
        "float": 6.0,
        "array": np.array(6),
    },
    "13-translator/leak": {
        "one position at a time": leak_one_at_a_time,
        "fused": leak_fused,
    },
    "13-translator/greedy-step": {
        "loops": greedy_loops,
        "NumPy": greedy_numpy,
    },
    "13-translator/translate": {
        "nearly all right": translate_nearly,
        "by length": translate_by_length,
    },
    "13-translator/merge": {
        "two by two": merge_two_by_two,
        "an attention": merge_as_attention,
    },
}
