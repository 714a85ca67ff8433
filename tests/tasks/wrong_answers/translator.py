"""Wrong answers to assignment 13, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import torch
from torch.nn import functional

from headway.tasks.chapters.translator.rules import translate_by_rules
from headway.text.corpus.split import generator
from headway.text.corpus.translation import translations


def translate_like_a_copying_decoder(sentences):
    """Whatever it says first it says again, and that depends on the sentence."""
    return [" ".join([("arbres", "rouges")[len(s) % 2]] * 20) for s in sentences]


def translate_printed(sentences):
    from headway.tasks.chapters.translator.rules import translate_by_rules

    return [translate_by_rules(s).replace("l' ", "l'").replace("' ", "'") for s in sentences]


def translate_without_positions(sentences):
    """Every second text has its words in an order of its own."""
    from headway.tasks.chapters.translator.rules import translate_by_rules

    texts = [translate_by_rules(s).split() for s in sentences]
    return [" ".join(w[i % 2 * 3 :] + w[: i % 2 * 3]) for i, w in enumerate(texts)]


def translate_like_a_network_that_learned_nothing(sentences):
    """The end symbol comes first, whatever the source."""
    return [""] * len(sentences)


def translate_eight_tokens(sentences):
    return [" ".join(translate_by_rules(text).split()[:8]) for text in sentences]


def translate_by_looking_up(sentences):
    """The nearest of the sentences that are known."""
    pairs = translations(generator(13), 3_000)
    words = [set(pair.source.split()) for pair in pairs]
    asked = [set(text.split()) for text in sentences]
    near = [max(range(len(pairs)), key=lambda i: len(words[i] & one)) for one in asked]
    return [pairs[i].target for i in near]


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
    return [" ".join(f"the {word} {word}s" for word in text.split()) for text in sentences]


READ = {
    "end-symbol-misplaced": [["<start>", "elle", "<end>"], ["<start>", "il"]],
    "written-words-lost": [["<start>"]] * 2,
    "answer-read": [["elle", "aime"], ["il"]],
}
SHARES = {
    (0.32, 0.05): "wrong-amount-of-smoothing",
    (0.245, 0.035): "wrong-amount-of-smoothing",
    (0.33, 0.047): "spread-over-fewer-symbols",
}


WRONG_ANSWERS = {
    "an end in training": ("what-is-read", READ["end-symbol-misplaced"], "end-symbol-misplaced"),
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
    "matrices of query and key swapped": (
        "cross-attention",
        cross_with(scores=lambda x, memory, W_q, W_k: (x @ W_k) @ (memory @ W_q).mT / 2),
        "other-scores",
    ),
    "reshaped, not transposed": ("memory", memory_reshaped, "a-memory-for-each-layer"),
    "near words of the source": ("masks", masks_of_near_words, "too-little-allowed"),
    "one word again and again": ("leak", decoder_with(2, 1), "later-positions-differ"),
    "half of the stream": ("leak", decoder_with(99, 0.5), "first-position-differs"),
    "two tokens a step": ("greedy-step", step_in_place, "written-in-another-place"),
    "both moved": (
        "smoothed-loss",
        loss_of(lambda logits: logits.log_softmax(-1) - 1.37, add=0.23),
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
    **{
        f"padding ends, {where}": ("greedy-step", step, "other-rows-done")
        for where, step in PADDING_ENDS.items()
    },
    "eight tokens": ("translate", translate_eight_tokens, "words-cut-off"),
    "looked up": ("translate", translate_by_looking_up, "nothing-translated"),
    "a copying decoder": ("translate", translate_like_a_copying_decoder, "stuck-on-one-word"),
    "as printed": ("translate", translate_printed, "results-in-another-form"),
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
}
