"""Wrong answers to assignment 19, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch
from gguf import GGMLQuantizationType, quants
from torch.nn import functional


def quantize_by_rows(weights, bits, block):
    """One scale for a whole row, cut into blocks afterwards."""
    C, top = weights.shape[-1], 2 ** (bits - 1) - 1
    scale = weights.abs().max(-1, keepdim=True).values / top
    numbers = (weights / scale).round()
    scale = scale.half()
    meant = numbers * scale.float()
    blocks = functional.pad(numbers, (0, -C % block)).unflatten(-1, (-1, block))
    return blocks.char(), scale.expand(*weights.shape[:-1], blocks.shape[-2]), meant


def quantize_in_integers(weights, bits, block):
    """A conversion to int8 alone, which cuts off what is behind the point."""
    C = weights.shape[-1]
    blocks = functional.pad(weights, (0, -C % block)).unflatten(-1, (-1, block))
    scales = blocks.abs().max(-1).values / (2 ** (bits - 1) - 1)
    numbers = torch.div(blocks, scales.clamp(min=1e-30)[..., None]).to(torch.int8)
    scales = scales.half()
    return numbers, scales, (numbers * scales.float()[..., None]).flatten(-2)[..., :C]


def quantize_and_change(weights, bits, block):
    C, top = weights.shape[-1], 2 ** (bits - 1) - 1
    blocks = functional.pad(weights, (0, -C % block)).unflatten(-1, (-1, block))
    exact = blocks.abs().amax(-1) / top
    numbers = (blocks / exact.clamp(min=1e-30)[..., None]).round()
    scales = exact.half()
    weights[:] = (numbers * scales.float()[..., None]).flatten(-2)[..., :C]
    return numbers.char(), scales, weights


def _state(largest, total, mixed, query, key, value, mask, measured):
    scores = (query @ key.mT / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    return measured(largest, total, mixed, scores, value)


def add_keys_by_rescaling_the_sum_only(*inputs):
    def measured(largest, total, mixed, scores, value):
        larger = torch.maximum(largest, scores.max(-1, keepdim=True).values)
        base = larger.clamp(min=-1e30)
        powers = (scores - base).exp()
        total = total * (largest - base).exp() + powers.sum(-1, keepdim=True)
        return larger, total, mixed + powers @ value

    return _state(*inputs, measured=measured)


def add_keys_as_a_mean(*inputs):
    """The mixture is kept divided, as FlashAttention's first version keeps it."""

    def measured(largest, total, mixed, scores, value):
        larger = torch.maximum(largest, scores.max(-1, keepdim=True).values)
        base = larger.clamp(min=-1e30)
        powers, down = (scores - base).exp(), (largest - base).exp()
        longer = total * down + powers.sum(-1, keepdim=True)
        mean = (mixed * down + powers @ value) / longer.clamp(min=1e-30)
        return larger, longer, mean

    return _state(*inputs, measured=measured)


def add_keys_without_a_guard(*inputs):
    def measured(largest, total, mixed, scores, value):
        larger = torch.maximum(largest, scores.max(-1, keepdim=True).values)
        powers, down = (scores - larger).exp(), (largest - larger).exp()
        return larger, total * down + powers.sum(-1, keepdim=True), mixed * down + powers @ value

    return _state(*inputs, measured=measured)


def join_by_counting(mixed, logs):
    return mixed.mean(0), logs.logsumexp(0)


def join_without_a_guard(mixed, logs):
    shares = logs.softmax(0)
    return (shares.unsqueeze(-1) * mixed).sum(0), torch.logsumexp(logs, 0)


def join_in_exponentials(mixed, logs):
    sums = logs.exp()
    total = sums.sum(0)
    mean = (sums.unsqueeze(-1) * mixed).sum(0) / total.clamp(min=1e-37).unsqueeze(-1)
    return mean, total.log()


def _rounds(p, q, drafts, chances, redraws, end, left, keeps=None):
    texts = []
    for P, Q, draft, numbers, u in zip(p, q, drafts, chances, redraws, strict=True):
        words = []
        for i, word in enumerate(draft):
            ratio = P[i, word] / Q[i, word]
            if not (keeps(P[i], Q[i], word, numbers[i]) if keeps else numbers[i] < ratio):
                weights = left(P[i], Q[i], word)
                words.append(int((weights.cumsum(0) / weights.sum() <= u).sum()))
                break
            words.append(int(word))
            if end is not None and word == end:
                break
        else:
            words.append(int((P[-1].cumsum(0) / P[-1].sum() <= u).sum()))
        texts.append(words)
    return texts


def rounds_redrawn_from_the_model(*inputs):
    return _rounds(*inputs, left=lambda P, Q, word: P)


def rounds_without_the_rejected_word(*inputs):
    def left(P, Q, word):
        P = P.clone()
        P[word] = 0
        return P if P.sum() else torch.ones_like(P)

    return _rounds(*inputs, left=left)


def rounds_kept_if_likelier(*inputs):
    return _rounds(
        *inputs,
        left=lambda P, Q, word: (P - Q).relu(),
        keeps=lambda P, Q, word, number: P[word] >= Q[word],
    )


def rounds_by_the_models_share(*inputs):
    return _rounds(
        *inputs,
        left=lambda P, Q, word: (P - Q).relu(),
        keeps=lambda P, Q, word, number: number < P[word],
    )


def rounds_of_all_kept_words(p, q, drafts, chances, redraws, end):
    """A sum in the place of a running product: words behind a rejection count."""
    k = drafts.shape[1]
    ratio = p[:, :k].gather(2, drafts[..., None])[..., 0] / q.gather(2, drafts[..., None])[..., 0]
    kept = (chances < ratio).sum(1)
    texts = []
    for b, count in enumerate(kept.tolist()):
        words = drafts[b, :count].tolist()
        if end in words:
            texts.append(words[: words.index(end) + 1])
            continue
        left = p[b, k] if count == k else (p[b, count] - q[b, count]).relu()
        left = left if left.sum() else p[b, count]
        texts.append([*words, int((left.cumsum(0) / left.sum() <= redraws[b]).sum())])
    return texts


def rounds_that_stop(p, q, drafts, chances, redraws, end):
    """The model adds nothing of its own."""
    texts = []
    for b, draft in enumerate(drafts.tolist()):
        words = []
        for i, word in enumerate(draft):
            if not chances[b, i] < p[b, i, word] / q[b, i, word]:
                break
            words.append(word)
            if word == end:
                break
        texts.append(words)
    return texts


def rounds_that_never_end(p, q, drafts, chances, redraws, end):
    return _rounds(
        p, q, drafts, chances, redraws, None, left=lambda P, Q, word: (P - Q).clamp(min=0)
    )


def product_in_shorts(x, x_scales, w, w_scales):
    sums = torch.einsum("bkn,ekn->bke", x.short(), w.short()).permute(0, 2, 1)
    return (sums.float() * x_scales.float()[:, None] * w_scales.float()).sum(-1)


def product_in_halves(x, x_scales, w, w_scales):
    sums = torch.einsum("bkn,ekn->bek", x.int(), w.int())
    return (sums * (x_scales[:, None] * w_scales).float()).sum(-1)


def product_of_first_scales(x, x_scales, w, w_scales):
    sums = torch.einsum("bkn,ekn->be", x.int(), w.int())
    return sums * x_scales[:, :1].float() * w_scales[:, 0].float()


def _chain(texts, V):
    counts = np.full((V, V, V), 0.1)
    np.add.at(counts, (texts[:, :-2], texts[:, 1:-1], texts[:, 2:]), 1)
    return counts / counts.sum(-1, keepdims=True)


def _copying(row, ids, share):
    places = [t for t in range(len(ids) - 1) if ids[t] == ids[-1]]
    if places:
        row = (1 - share) * row
        row[ids[places[-1] + 1]] += share
    return row


def draft_of_two_words(texts, V, temperature, begun):
    return np.stack([_chain(texts, V)[ids[-2], ids[-1]] for ids in begun])


def draft_of_two_words_cooled(texts, V, temperature, begun):
    q = draft_of_two_words(texts, V, temperature, begun) ** (1 / temperature)
    return q / q.sum(1, keepdims=True)


def draft_of_one_word(texts, V, temperature, begun):
    counts = np.ones((V, V))
    np.add.at(counts, (texts[:, :-1], texts[:, 1:]), 1)
    return np.stack([counts[ids[-1]] / counts[ids[-1]].sum() for ids in begun])


def draft_of_any_text(texts, V, temperature, begun):
    counts = np.bincount(texts.ravel(), minlength=V)
    return np.tile(counts / counts.sum(), (len(begun), 1))


def draft_of_the_likeliest(texts, V, temperature, begun):
    return np.eye(V)[draft_of_two_words(texts, V, temperature, begun).argmax(1)]


def draft_at_temperature_one(texts, V, temperature, begun):
    chain = _chain(texts, V)
    return np.stack([_copying(chain[ids[-2], ids[-1]], ids, 0.42) for ids in begun])


def draft_cooled_too_often(texts, V, temperature, begun):
    q = draft_at_temperature_one(texts, V, temperature, begun) ** (1 / temperature**3)
    return q / q.sum(1, keepdims=True)


def draft_that_copies(texts, V, temperature, begun):
    counts = np.bincount(texts.ravel(), minlength=V)
    return np.stack([_copying(counts / counts.sum(), ids, 0.95) for ids in begun])


def draft_in_counts(texts, V, temperature, begun):
    counts = np.zeros((V, V))
    np.add.at(counts, (texts[:, :-1], texts[:, 1:]), 1)
    return np.stack([counts[ids[-1]] for ids in begun])


def _packed(weights, block, scale_of, pairs):
    out = []
    for row in weights.numpy():
        line = b""
        for part in row.reshape(-1, block):
            scale = scale_of(part)
            numbers = np.rint(part / scale) + 8 if scale else np.full(block, 8.0)
            low, high = pairs(np.clip(numbers, 0, 15).astype(np.uint8))
            line += np.float16(scale).tobytes() + (low | high << 4).tobytes()
        out.append(list(line))
    return np.array(out)


def _extreme(part):
    return part[abs(part).argmax()] / -8


def pack_by_absmax(weights, block):
    return _packed(weights, block, lambda part: abs(part).max() / 7, lambda n: np.split(n, 2))


def pack_neighbors(weights, block):
    return _packed(weights, block, _extreme, lambda n: (n[::2], n[1::2]))


def pack_upper_first(weights, block):
    return _packed(weights, block, _extreme, lambda n: np.split(n, 2)[::-1])


def pack_without_a_sign(weights, block):
    return _packed(weights, block, lambda part: abs(part).max() / 8, lambda n: np.split(n, 2))


def pack_as_files_do(weights, block):
    """What the library that writes such files makes, which knows blocks of 32 alone."""
    return quants.quantize(weights.numpy(), GGMLQuantizationType.Q4_0)


WRONG_ANSWERS = {
    "a scale for each row": ("quantize", quantize_by_rows, "blocks-miscut"),
    "cut off behind the point": ("quantize", quantize_in_integers, "rounded-otherwise"),
    "weights changed": ("quantize", quantize_and_change, "argument-changed"),
    "the sum alone rescaled": (
        "add-keys",
        add_keys_by_rescaling_the_sum_only,
        "earlier-keys-not-brought-down",
    ),
    "a mean kept": ("add-keys", add_keys_as_a_mean, "divided-too-early"),
    "minus infinity from itself": ("add-keys", add_keys_without_a_guard, "nothing-seen-is-nan"),
    "a mean of the parts": ("join", join_by_counting, "parts-weigh-the-same"),
    "a softmax over nothing": ("join", join_without_a_guard, "nothing-seen-is-nan"),
    "exponentials of large logarithms": ("join", join_in_exponentials, "exponentials-too-large"),
    "redrawn from p": ("rounds", rounds_redrawn_from_the_model, "redrawn-from-another-rest"),
    "redrawn without the rejected word": (
        "rounds",
        rounds_without_the_rejected_word,
        "redrawn-from-another-rest",
    ),
    "kept if likelier": ("rounds", rounds_kept_if_likelier, "kept-by-another-rule"),
    "kept by p alone": ("rounds", rounds_by_the_models_share, "kept-by-another-rule"),
    "a sum of what is kept": ("rounds", rounds_of_all_kept_words, "words-behind-a-rejection"),
    "nothing of the model's own": ("rounds", rounds_that_stop, "models-own-word-miscounted"),
    "no end": ("rounds", rounds_that_never_end, "end-misread"),
    "sums of 16 bits": ("product", product_in_shorts, "sums-wrap-around"),
    "scales multiplied in 16 bits": (
        "product",
        product_in_halves,
        "scales-too-small-for-their-type",
    ),
    "the first block's scales": ("product", product_of_first_scales, "blocks-miscut"),
    "a chain of two words": ("draft", draft_of_two_words, "last-two-words-only"),
    "a cooled chain of two words": ("draft", draft_of_two_words_cooled, "last-two-words-only"),
    "a chain of one word": ("draft", draft_of_one_word, "last-word-only"),
    "how often words come": ("draft", draft_of_any_text, "the-same-after-every-text"),
    "the likeliest word": ("draft", draft_of_the_likeliest, "a-draft-that-is-certain"),
    "temperature one": ("draft", draft_at_temperature_one, "temperature-forgotten"),
    "cooled thrice": ("draft", draft_cooled_too_often, "temperature-exaggerated"),
    "copies and little else": ("draft", draft_that_copies, "guessed-otherwise"),
    "counts": ("draft", draft_in_counts, "not-probabilities"),
    "absmax": ("pack", pack_by_absmax, "range-misjudged"),
    "neighbors in a byte": ("pack", pack_neighbors, "other-pairs-in-a-byte"),
    "the second half below": ("pack", pack_upper_first, "other-pairs-in-a-byte"),
    "blocks of 32 always": ("pack", pack_as_files_do, "blocks-miscut"),
    "no sign": ("pack", pack_without_a_sign, "sign-of-the-largest"),
}
