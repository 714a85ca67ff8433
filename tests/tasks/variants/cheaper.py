"""Right answers to assignment 19 that are written in other ways than the reference."""

import math
from collections import Counter, defaultdict

import numpy as np
import torch

from headway.nn.quantization import pack as package_pack
from headway.nn.quantization import quantize_to_extreme
from headway.nn.running_softmax import Partial, look

# --- quantize --------------------------------------------------------------------------------


def quantize_loops(weights, bits, block):
    """In plain Python, halves away from zero."""
    top, C = 2 ** (bits - 1) - 1, weights.shape[-1]
    numbers, scales, meant = [], [], []
    for row in weights.reshape(-1, C).tolist():
        row += [0.0] * (-C % block)
        came = []
        for start in range(0, len(row), block):
            part = row[start : start + block]
            scale = max(map(abs, part)) / top
            small = [int(math.copysign(abs(w) / scale + 0.5, w)) if scale else 0 for w in part]
            kept = float(np.float16(scale))
            numbers.append(small)
            scales.append(kept)
            came += [kept * n for n in small]
        meant.append(came[:C])
    rows = weights.shape[:-1]
    return (
        torch.tensor(numbers).reshape(*rows, -1, block),
        torch.tensor(scales).reshape(*rows, -1),
        torch.tensor(meant).reshape(weights.shape),
    )


def quantize_by_the_kept_scale(weights, bits, block):
    """The scale is rounded first, and numbers are made with it."""
    full = weights.new_zeros(*weights.shape[:-1], -(-weights.shape[-1] // block) * block)
    full[..., : weights.shape[-1]] = weights
    blocks = full.reshape(*weights.shape[:-1], -1, block)
    top = 2 ** (bits - 1) - 1
    scales = (torch.linalg.vector_norm(blocks, torch.inf, dim=-1) / top).to(torch.float16)
    numbers = (blocks / scales.float().unsqueeze(-1)).nan_to_num(0.0).round()
    meant = (numbers * scales.float().unsqueeze(-1)).reshape(full.shape)
    return numbers.char(), scales, meant[..., : weights.shape[-1]]


# --- the running softmax ---------------------------------------------------------------------


def add_keys_by_the_package(largest, total, mixed, query, key, value, mask):
    return tuple(Partial(largest, total, mixed).merge(look(query, key, value, mask)))


def add_keys_one_by_one(largest, total, mixed, query, key, value, mask):
    """A key at a time, in double precision."""
    mask = mask.expand(*query.shape[:-1], key.shape[-2])
    largest, total, mixed = (part.double() for part in (largest, total, mixed))
    for s in range(key.shape[-2]):
        score = (query * key[..., None, s, :]).double().sum(-1, keepdim=True)
        score = score / math.sqrt(query.shape[-1])
        seen = mask[..., s : s + 1]
        larger = torch.where(seen, torch.maximum(largest, score), largest)
        down = torch.where(largest == larger, 1.0, (largest - larger).exp())
        new = torch.where(seen, (score - larger).exp(), 0.0)
        total, mixed = down * total + new, down * mixed + new * value[..., None, s, :]
        largest = larger
    return [largest, total, mixed]


# --- parts -----------------------------------------------------------------------------------


def join_two_by_two(mixed, logs):
    """One part after the other, by logaddexp."""
    whole, log = mixed[0].clone(), logs[0].clone()
    for part, more in zip(mixed[1:], logs[1:], strict=True):
        both = torch.logaddexp(log, more)
        base = torch.where(both == -torch.inf, 0.0, both)
        whole = (log - base).exp()[..., None] * whole + (more - base).exp()[..., None] * part
        log = both
    return whole, log


def join_numpy(mixed, logs):
    mixed, logs = mixed.double().numpy(), logs.double().numpy()
    with np.errstate(divide="ignore"):
        log = np.logaddexp.reduce(logs, axis=0)
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(np.exp(logs - log))
    return np.einsum("p...,p...e->...e", shares, mixed), log


# --- a round ---------------------------------------------------------------------------------


def rounds_in_the_batch(p, q, drafts, chances, redraws, end):
    """All texts at once; lists come last."""
    (B, k), V = drafts.shape, p.shape[-1]
    said = drafts[..., None]
    keep = chances < p[:, :k].gather(2, said)[..., 0] / q.gather(2, said)[..., 0]
    kept = keep.long().cumprod(dim=1).sum(dim=1)  # (B,)
    nothing = torch.cat([q, torch.zeros(B, 1, V)], dim=1)  # nothing is taken off behind the draft
    rows = torch.arange(B)
    left = (p[rows, kept] - nothing[rows, kept]).clamp(min=0)
    sums = left.cumsum(1) / left.sum(1, keepdim=True)
    own = (sums <= redraws[:, None]).sum(1)
    texts = []
    for draft, count, word in zip(drafts.tolist(), kept.tolist(), own.tolist(), strict=True):
        words = draft[:count]
        texts.append(words[: words.index(end) + 1] if end in words else [*words, word])
    return texts


def rounds_numpy(p, q, drafts, chances, redraws, end):
    out = []
    for b in range(len(p)):
        k, i = drafts.shape[1], 0
        P, Q = p[b].numpy().astype(float), q[b].numpy().astype(float)
        while i < k and float(chances[b, i]) < P[i, drafts[b, i]] / Q[i, drafts[b, i]]:
            i += 1
            if int(drafts[b, i - 1]) == end:
                break
        words = drafts[b, :i].tolist()
        if not words or words[-1] != end:
            left = np.maximum(P[i] - Q[i], 0) if i < k else P[k]
            heights = np.cumsum(left / left.sum())
            words.append(int(np.searchsorted(heights, float(redraws[b]), side="right")))
        out.append(words)
    return out


# --- the product -----------------------------------------------------------------------------


def product_in_floats(x, x_scales, w, w_scales):
    real = [
        (n.double() * s.double()[..., None]).flatten(1) for n, s in ((x, x_scales), (w, w_scales))
    ]
    return real[0] @ real[1].T


def product_einsum(x, x_scales, w, w_scales):
    sums = torch.einsum("bkn,ekn->bek", x.long(), w.long())
    return (sums * x_scales.float()[:, None] * w_scales.float()).sum(-1)


# --- a draft ---------------------------------------------------------------------------------


def draft_in_dictionaries(texts, V, temperature, begun):
    """Counted in dictionaries, with a share that is guessed from the texts at sight."""
    one, two = defaultdict(Counter), defaultdict(Counter)
    for row in texts.tolist():
        for a, b, w in zip(row, row[1:], row[2:], strict=False):
            one[b][w] += 1
            two[a, b][w] += 1
    rows = []
    for ids in begun:
        a, b = ids[-2:]
        near, far = two[a, b], one[b]
        total = sum(far.values()) + V
        behind = [(far[w] + 1) / total for w in range(V)]
        count = sum(near.values())
        row = [(near[w] + 2 * behind[w]) / (count + 2) for w in range(V)]
        places = [t for t in range(len(ids) - 1) if ids[t] == b]
        if places:
            row = [0.58 * share for share in row]
            row[ids[places[-1] + 1]] += 0.42
        row = [share ** (1 / temperature) for share in row]
        rows.append([share / sum(row) for share in row])
    return rows


def draft_by_gradient(texts, V, temperature, begun):
    """What each part counts is learned by Adam, from texts that the chains have not seen."""

    def parts(counted, ids, ends):
        """Chain of one, chain of two, and the word that is repeated: three times (R, V)."""
        one, two = np.ones((V, V)), np.zeros((V, V, V))
        np.add.at(one, (counted[:, :-1], counted[:, 1:]), 1)
        np.add.at(two, (counted[:, :-2], counted[:, 1:-1], counted[:, 2:]), 1)
        rows = []
        for row, end in zip(ids, ends, strict=True):
            a, b = row[end - 2], row[end - 1]
            near = one[b] / one[b].sum()
            far = (two[a, b] + near) / (two[a, b].sum() + 1)
            places = [t for t in range(end - 1) if row[t] == b]
            again = np.eye(V)[row[places[-1] + 1]] if places else far
            rows.append([near, far, again])
        return torch.tensor(np.array(rows)).movedim(1, 0)

    half = len(texts) // 2
    rng = np.random.default_rng(0)
    some = texts[half:][rng.integers(0, len(texts) - half, 2_000)].tolist()
    ends = rng.integers(2, texts.shape[1], 2_000)
    known = parts(texts[:half], some, ends)
    said = torch.tensor([row[end] for row, end in zip(some, ends, strict=True)])
    weights = torch.zeros(3, 1, 1, dtype=torch.double, requires_grad=True)
    optimizer = torch.optim.Adam([weights], lr=0.1)
    for _ in range(100):
        mixed = (weights.softmax(0) * known).sum(0)
        loss = -mixed[torch.arange(len(said)), said].log().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    now = parts(texts, begun, [len(ids) for ids in begun])
    mixed = (weights.detach().softmax(0) * now).sum(0) ** (1 / temperature)
    return mixed / mixed.sum(1, keepdim=True)


# --- bytes -----------------------------------------------------------------------------------


def pack_by_the_package(weights, block):
    found = quantize_to_extreme(weights, 4, block)
    scales = torch.from_numpy(found.scales.numpy().view(np.uint8))
    return torch.cat([scales, package_pack(found.numbers)], dim=-1).flatten(1)


def pack_loops(weights, block):
    rows, half = [], block // 2
    for row in weights.tolist():
        out = b""
        for start in range(0, len(row), block):
            part = row[start : start + block]
            scale = max(part, key=abs) / -8
            numbers = [min(15, int(w / scale + 8.5)) if scale else 8 for w in part]
            out += np.float16(scale).tobytes()
            out += bytes(
                low + 16 * high for low, high in zip(numbers[:half], numbers[half:], strict=True)
            )
        rows.append(list(out))
    return np.array(rows)


VARIANTS = {
    "19-cheaper/kept": {
        "tuple": (0.6, 0.75),
        "array": np.array([0.6, 0.75]),
    },
    "19-cheaper/size": {
        "tuple": (5.25, 3.9375),
        "rounded": [5.25, 3.94],
    },
    "19-cheaper/expected": {
        "rounded": [2.18, 1.67],
        "array": np.array([2.176, 1.6738]),
    },
    "19-cheaper/quantize": {
        "loops": quantize_loops,
        "by the kept scale": quantize_by_the_kept_scale,
    },
    "19-cheaper/add-keys": {
        "the package": add_keys_by_the_package,
        "one by one": add_keys_one_by_one,
    },
    "19-cheaper/join": {
        "two by two": join_two_by_two,
        "numpy": join_numpy,
    },
    "19-cheaper/rounds": {
        "in the batch": rounds_in_the_batch,
        "numpy": rounds_numpy,
    },
    "19-cheaper/faulty-line": {
        "float": 4.0,
        "numpy": np.int64(4),
    },
    "19-cheaper/product": {
        "floats": product_in_floats,
        "einsum": product_einsum,
    },
    "19-cheaper/draft": {
        "dictionaries": draft_in_dictionaries,
        "gradient": draft_by_gradient,
    },
    "19-cheaper/pack": {
        "the package": pack_by_the_package,
        "loops": pack_loops,
    },
}
