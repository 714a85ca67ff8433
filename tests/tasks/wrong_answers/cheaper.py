"""Wrong answers to assignment 19, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch

from headway.tasks.chapters.cheaper.quantize import quantize


def quantize_by_rows(weights, bits, block):
    """One scale for a whole row, cut into blocks afterwards."""
    C, top = weights.shape[-1], 2 ** (bits - 1) - 1
    scale = weights.abs().max(-1, keepdim=True).values / top
    numbers, scale = (weights / scale).round(), scale.half()
    meant = numbers * scale.float()
    blocks = torch.nn.functional.pad(numbers, (0, -C % block)).unflatten(-1, (-1, block))
    return blocks.char(), scale.expand(*weights.shape[:-1], blocks.shape[-2]), meant


def quantize_and_change(weights, bits, block):
    numbers, scales, meant = quantize(weights, bits, block)
    weights[:] = meant
    return numbers, scales, weights


def quantize_with_a_bit_more(weights, bits, block):
    return quantize(weights, bits + 1, block)


def quantize_upside_down(weights, bits, block):
    numbers, scales, meant = quantize(weights, bits, block)
    return numbers, 1 / scales, meant


def quantize_whole_blocks(weights, bits, block):
    return quantize(weights[..., : weights.shape[-1] // block * block], bits, block)


def _state(largest, total, mixed, query, key, value, mask, measured):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return measured(largest, total, mixed, scores, value, mask)


def add_keys_as_a_mean(*inputs):
    """The mixture is kept divided, as FlashAttention's first version keeps it."""

    def measured(largest, total, mixed, scores, value, mask):
        scores = scores.masked_fill(~mask, -torch.inf)
        larger = torch.maximum(largest, scores.max(-1, keepdim=True).values)
        base = larger.clamp(min=-1e30)
        powers, down = (scores - base).exp(), (largest - base).exp()
        longer = total * down + powers.sum(-1, keepdim=True)
        return larger, longer, (mixed * down + powers @ value) / longer.clamp(min=1e-30)

    return _state(*inputs, measured=measured)


def add_keys_masking_weights(*inputs):
    """A hidden key adds nothing, but may have the largest score."""

    def measured(largest, total, mixed, scores, value, mask):
        larger = torch.maximum(largest, scores.max(-1, keepdim=True).values)
        powers, down = (scores - larger).exp() * mask, (largest - larger).exp()
        return larger, total * down + powers.sum(-1, keepdim=True), mixed * down + powers @ value

    return _state(*inputs, measured=measured)


def join_without_a_guard(mixed, logs):
    shares = logs.softmax(0)
    return (shares.unsqueeze(-1) * mixed).sum(0), torch.logsumexp(logs, 0)


def join_in_exponentials(mixed, logs):
    sums = logs.exp()
    total = sums.sum(0)
    mean = (sums.unsqueeze(-1) * mixed).sum(0) / total.clamp(min=1e-37).unsqueeze(-1)
    return mean, total.log()


def join_over_the_queries(mixed, logs):
    return (logs.softmax(-1).unsqueeze(-1) * mixed).sum(0), logs.logsumexp(0)


def join_by_the_mean_of_logs(mixed, logs):
    return (logs.softmax(0).nan_to_num(0).unsqueeze(-1) * mixed).sum(0), logs.mean(0)


def _rounds(p, q, drafts, chances, redraws, end, keeps=None, left=None):
    texts = []
    for P, Q, draft, numbers, u in zip(p, q, drafts.tolist(), chances, redraws, strict=True):
        words, weights = [], P[-1]
        for i, word in enumerate(draft):
            ratio = P[i, word] / Q[i, word]
            if not (keeps(ratio, numbers[i]) if keeps else numbers[i] < ratio):
                weights = left(P[i], word) if left else (P[i] - Q[i]).relu()
                break
            words.append(word)
            if word == end:
                weights = None
                break
        if weights is not None:
            words.append(int((weights.cumsum(0) / weights.sum() <= u).sum()))
        texts.append(words)
    return texts


def rounds_without_the_rejected_word(*inputs):
    return _rounds(*inputs, left=lambda P, word: P * (torch.arange(len(P)) != word))


def rounds_kept_half_the_time(*inputs):
    return _rounds(*inputs, keeps=lambda ratio, number: number < ratio / 2)


def rounds_that_stop(*inputs):
    """The model adds nothing of its own."""
    longer, drafts = _rounds(*inputs), inputs[2].tolist()
    return [
        words if words == draft[: len(words)] else words[:-1]
        for words, draft in zip(longer, drafts, strict=True)
    ]


def rounds_that_end_too_early(p, q, drafts, chances, redraws, end):
    """An end that is drafted isn't judged."""
    if end is not None:
        chances = chances.masked_fill(drafts == end, -1.0)
    return _rounds(p, q, drafts, chances, redraws, end)


def rounds_up_to_the_number(*inputs):
    """A word is kept as well if its number is exactly p/q."""
    return _rounds(*inputs, keeps=lambda ratio, number: number <= ratio)


def product_in_halves(x, x_scales, w, w_scales):
    sums = torch.einsum("bkn,ekn->bek", x.int(), w.int())
    return (sums * (x_scales[:, None] * w_scales).float()).sum(-1)


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


def pack_by_absmax(weights, block):
    out = []
    for row in weights.numpy():
        line = b""
        for part in row.reshape(-1, block):
            scale = abs(part).max() / 7
            numbers = np.rint(part / scale) + 8 if scale else np.full(block, 8.0)
            low, high = np.split(np.clip(numbers, 0, 15).astype(np.uint8), 2)
            line += np.float16(scale).tobytes() + (low | high << 4).tobytes()
        out.append(list(line))
    return np.array(out)


WRONG_ANSWERS = {
    "another mean": ("kept", [0.696, 0.75], "kept-by-another-rule"),
    "kept and never redrawn": ("kept", [0.6, 0.3], "redrawn-from-another-rest"),
    "gibibytes": ("size", [5.25, 3.667], "bits-and-bytes-mixed-up"),
    "six bits each": ("size", [6.25, 4.69], "bits-miscounted"),
    "three drafted words": ("expected", [1.8, 1.38], "words-behind-a-rejection"),
    "no word of its own": ("expected", [1.176, 0.9], "models-own-word-miscounted"),
    "a draft at the model's price": ("expected", [2.18, 0.54], "price-of-a-round-mistaken"),
    "a scale for each row": ("quantize", quantize_by_rows, "blocks-miscut"),
    "a bit more": ("quantize", quantize_with_a_bit_more, "range-misjudged"),
    "the way there": ("quantize", quantize_upside_down, "another-scale-than-is-kept"),
    "whole blocks alone": ("quantize", quantize_whole_blocks, "last-block-mistaken"),
    "weights changed": ("quantize", quantize_and_change, "argument-changed"),
    "a mean kept": ("add-keys", add_keys_as_a_mean, "divided-too-early"),
    "a mask on the weights": ("add-keys", add_keys_masking_weights, "hidden-keys-counted"),
    "a softmax over nothing": ("join", join_without_a_guard, "nothing-seen-is-nan"),
    "exponentials of large logarithms": ("join", join_in_exponentials, "exponentials-too-large"),
    "a softmax over the queries": ("join", join_over_the_queries, "parts-weigh-otherwise"),
    "a mean of logarithms": ("join", join_by_the_mean_of_logs, "logarithm-of-another-sum"),
    "redrawn without the rejected word": (
        "rounds",
        rounds_without_the_rejected_word,
        "redrawn-from-another-rest",
    ),
    "kept half the time": ("rounds", rounds_kept_half_the_time, "kept-by-another-rule"),
    "nothing of the model's own": ("rounds", rounds_that_stop, "models-own-word-miscounted"),
    "any end": ("rounds", rounds_that_end_too_early, "end-misread"),
    "up to the number": ("rounds", rounds_up_to_the_number, "edge-misjudged"),
    "scales multiplied in 16 bits": (
        "product",
        product_in_halves,
        "scales-too-small-for-their-type",
    ),
    "a chain of two words": ("draft", draft_of_two_words, "last-two-words-only"),
    "a cooled chain of two words": ("draft", draft_of_two_words_cooled, "last-two-words-only"),
    "how often words come": ("draft", draft_of_any_text, "last-two-words-only"),
    "the likeliest word": ("draft", draft_of_the_likeliest, "a-draft-that-is-certain"),
    "temperature one": ("draft", draft_at_temperature_one, "another-temperature"),
    "cooled thrice": ("draft", draft_cooled_too_often, "another-temperature"),
    "copies and little else": ("draft", draft_that_copies, "guessed-otherwise"),
    "counts": ("draft", draft_in_counts, "not-probabilities"),
    "absmax": ("pack", pack_by_absmax, "range-misjudged"),
}
