"""Wrong answers to assignment 18, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import torch
from torch.nn import functional

from headway.tasks.chapters.experts.balance import balance
from headway.tasks.chapters.experts.choose import choose as right_choice
from headway.tasks.chapters.experts.facts import by_hand_answer, sizes_within, trained
from headway.tasks.chapters.experts.facts_model import Facts
from headway.tasks.chapters.experts.repair import mix_all


def choose_with_biased_shares(scores, k, renormalized=True, bias=None):
    """The bias is added once, to everything."""
    if bias is not None:
        scores = scores + bias
    shares = scores.softmax(dim=-1)
    largest, chosen = shares.topk(k)
    return largest / largest.sum(-1, keepdim=True) if renormalized else largest, chosen


def choose_always_divided(scores, k, renormalized=True, bias=None):
    chosen = torch.topk(scores if bias is None else scores + bias, k).indices
    shares = functional.softmax(scores, -1).gather(-1, chosen)
    return shares / shares.sum(-1, keepdim=True), chosen


def choose_in_place(scores, k, renormalized=True, bias=None):
    """Adds the bias to the caller's scores, and takes it off where it is not wanted."""
    plain = scores.clone()
    if bias is not None:
        scores += bias
    chosen = scores.topk(k).indices
    if renormalized:
        return plain.gather(-1, chosen).softmax(-1), chosen
    return plain.softmax(-1).gather(-1, chosen), chosen


def choose_by_size(scores, k, renormalized=True, bias=None):
    """The numbers farthest from 0, whatever their signs."""
    ranked = scores if bias is None else scores + bias
    chosen = ranked.square().topk(k).indices
    weights = (scores.gather(-1, chosen) if renormalized else scores).softmax(-1)
    return weights if renormalized else weights.gather(-1, chosen), chosen


def choose_by_exponentials(scores, k, renormalized=True, bias=None):
    """Shares without a softmax: e to the power of the score itself."""
    chosen = (scores if bias is None else scores + bias).topk(k).indices
    powers = scores.exp()
    its = powers.gather(-1, chosen)
    return its / (its if renormalized else powers).sum(-1, keepdim=True), chosen


def choose_in_order_of_weights(scores, k, renormalized=True, bias=None):
    """The largest weight first, not the largest score with its bias."""
    chosen = (scores if bias is None else scores + bias).topk(k).indices
    weights = (scores.gather(-1, chosen) if renormalized else scores).softmax(-1)
    weights = weights if renormalized else weights.gather(-1, chosen)
    weights, order = weights.sort(-1, descending=True)
    return weights, chosen.gather(-1, order)


def choose_against_the_bias(scores, k, renormalized=True, bias=None):
    return right_choice(scores, k, renormalized, None if bias is None else -bias)


def choose_the_worst(scores, k, renormalized=True, bias=None):
    _, chosen = right_choice(-scores, k, renormalized, None if bias is None else -bias)
    weights = (scores.gather(-1, chosen) if renormalized else scores).softmax(-1)
    return weights if renormalized else weights.gather(-1, chosen), chosen


def mixture_with(expert, x, router, k, words, run):
    """A loop over the experts, whose sums `run` makes: (own rows, their weights, tokens, e)."""
    tokens = x[words]
    scores = tokens @ router
    best, chosen = scores.topk(k)
    table = torch.zeros_like(scores).scatter(1, chosen, best.softmax(-1))
    mixed = torch.zeros_like(tokens)
    for e in range(router.shape[1]):
        run(mixed, table[:, e] > 0, table[:, e, None], tokens, e)
    out = torch.zeros_like(x)
    out[words] = mixed
    return out


def mixture_all_then_masked(expert, *args):
    def run(mixed, its, share, tokens, e):
        mixed += share * expert(tokens, e)

    return mixture_with(expert, *args, run=run)


def mixture_calls_the_idle(expert, *args):
    def run(mixed, its, share, tokens, e):
        mixed[its] += share[its] * expert(tokens[its], e)

    return mixture_with(expert, *args, run=run)


def mixture_row_by_row(expert, *args):
    def run(mixed, its, share, tokens, e):
        for row in its.nonzero()[:, 0].tolist():
            mixed[row] += share[row] * expert(tokens[row][None], e)[0]

    return mixture_with(expert, *args, run=run)


def mixture_place_by_place(expert, x, router, k, words):
    """Calls experts for the first choices, and then again for the second."""
    tokens, out = x[words], torch.zeros_like(x)
    best, chosen = (tokens @ router).topk(k)
    mixed = torch.zeros_like(tokens)
    for shares, its in zip(best.softmax(-1).T, chosen.T, strict=True):
        for e in its.unique().tolist():
            mixed[its == e] += shares[its == e, None] * expert(tokens[its == e], e)
    out[words] = mixed
    return out


def mixture_keeps_the_last(expert, *args):
    def run(mixed, its, share, tokens, e):
        if its.any():
            mixed[its] = share[its] * expert(tokens[its], e)

    return mixture_with(expert, *args, run=run)


def mixture_without_weights(expert, *args):
    def run(mixed, its, share, tokens, e):
        if its.any():
            mixed[its] += expert(tokens[its], e)

    return mixture_with(expert, *args, run=run)


def mixture_with_padding(expert, x, router, k, words):
    flat = mixture_with(
        expert, x, router, k, torch.ones_like(words), lambda *args: _own(expert, *args)
    )
    return flat.masked_fill(~words[..., None], 0)


def _own(expert, mixed, its, share, tokens, e):
    if its.any():
        mixed[its] += share[its] * expert(tokens[its], e)


def mixture_blanks_the_padding(expert, x, router, k, words):
    """Right, and writes zeros into the caller's padding."""
    x *= words[..., None]
    return mixture_with(expert, x, router, k, words, lambda *args: _own(expert, *args))


def balance_all_layers_at_once(scores, k, words):
    """As a well-known library does it: the layers one below the other."""
    E = scores.shape[-1]
    rows = torch.cat([layer[words] for layer in scores])
    mask = functional.one_hot(rows.topk(k).indices, E).float()
    f, P = mask.mean(0), rows.softmax(-1).mean(0)
    counts = torch.stack(
        [torch.bincount(s[words].topk(k).indices.flatten(), minlength=E) for s in scores]
    )
    return (f * P[None]).sum() * E, counts


def balance_of_all_places(scores, k, words):
    L, B, T, E = scores.shape
    flat = scores.view(L, B * T, E)
    counts = functional.one_hot(flat.topk(k).indices, E).sum((1, 2))
    P = flat.softmax(-1).mean(1)
    return E * (counts / (B * T) * P).sum(), counts


def balance_of_one_choice(scores, k, words):
    its = scores[:, words]
    counts = functional.one_hot(its.argmax(-1), its.shape[-1]).sum(1)
    f = counts / its.shape[1]
    return its.shape[-1] * (f * its.softmax(-1).mean(1)).sum(), counts


def balance_of_those_met(scores, k, words):
    """Counts up to the last expert that somebody has chosen."""
    its = scores[:, words]
    counts = torch.stack([torch.bincount(layer.topk(k).indices.flatten()) for layer in its])
    f = counts / its.shape[1]
    return its.shape[-1] * (f * its.softmax(-1).mean(1)).sum(), counts


def balance_per_text(scores, k, words):
    """Shares and means of each text, and then the means of the texts."""
    E, real = scores.shape[-1], words[None, :, :, None]
    length = words.sum(-1)[None, :, None]
    chosen = functional.one_hot(scores.topk(k).indices, E).sum(-2) * real
    f, P = (((part * real).sum(2) / length).mean(1) for part in (chosen, scores.softmax(-1)))
    return E * (f * P).sum(), chosen.sum((1, 2))


def balance_with(made):
    """What is made of the right sum and the right counts."""
    return lambda *args: made(*balance(*args))


def mix_all_with(shares):
    """With other weights, made of the scores and of who is kept."""

    def answer(x, router, wide, narrow, k, words):
        scores = x @ router
        kept = scores >= scores.topk(k).values[..., -1:]
        made = torch.einsum("btem,emc->btec", torch.einsum("btc,ecm->btem", x, wide).relu(), narrow)
        return (shares(scores, kept)[..., None] * made).sum(2) * words[..., None]

    return answer


def by_exponentials(scores, kept):
    """Right, but with exponentials of scores as they are."""
    powers = scores.exp() * kept
    return powers / powers.sum(-1, keepdim=True)


def without_the_last(scores, kept):
    least = scores.masked_fill(~kept, torch.inf).amin(-1, keepdim=True)
    return scores.masked_fill(scores <= least, -torch.inf).softmax(-1)


def mix_all_with_padding(x, router, wide, narrow, k, words):
    return mix_all(x, router, wide, narrow, k, torch.ones_like(words))


def facts_dense(*args):
    """One network of the same work."""
    return trained(*args, experts=1, even=0.0, steps=200)


def facts_left_alone(*args):
    return trained(*args, experts=8, even=0.0, steps=200)


def facts_untrained(ids, answers, languages, words, budget):
    sizes = sizes_within(languages, words, budget)
    return sizes, Facts(languages, words, **sizes).state_dict()


def facts_over_budget(ids, answers, languages, words, budget):
    sizes, weights = by_hand_answer(ids, answers, languages, words, budget)
    return {**sizes, "active": 8}, weights


def facts_half_trained(*args):
    torch.manual_seed(0)
    return trained(*args, steps=150)


def absorbed_expands(cache, query, turned, words, W_K, W_V):
    """Fetches what is held, and attends as usual."""
    T, D = query.shape[1:]
    P, S, R = turned.shape[2], len(words), W_K.shape[1]
    held = cache(torch.eye(R + P), "match").T  # (S, R + P)
    latents, keys = held.split([R, P], -1)
    scores = query @ (latents @ W_K).mT + turned @ keys.T
    seen = words & torch.ones(T, S).tril(S - T).bool()
    scores = (scores / math.sqrt(D + P)).masked_fill(~seen, -torch.inf)
    return scores.softmax(-1) @ (latents @ W_V)


def absorbed_token_by_token(cache, query, turned, words, W_K, W_V):
    """Sends all heads of a token together, and reads what comes back head by head."""
    (H, T, D), P, S = query.shape, turned.shape[2], len(words)
    rows = torch.cat([query @ W_K.mT, turned], -1).transpose(0, 1).reshape(H * T, -1)
    scores = cache(rows, "match").view(H, T, S) / math.sqrt(D + P)
    past = torch.ones(T, S, dtype=torch.bool).tril(S - T) & words
    shares = scores.masked_fill(~past, -torch.inf).softmax(-1)
    return cache(shares.reshape(H * T, S), "mix").view(H, T, -1) @ W_V


def absorbed_by_exponentials(cache, query, turned, words, W_K, W_V):
    """Shares without a softmax: e to the power of the score itself."""
    (H, T, D), P, S = query.shape, turned.shape[2], len(words)
    rows = torch.cat([query @ W_K.mT, turned], -1).reshape(H * T, -1)
    powers = (cache(rows, "match").reshape(H, T, S) / math.sqrt(D + P)).exp()
    powers = powers * (torch.ones(T, S, dtype=torch.bool).tril(S - T) & words)
    shares = powers / powers.sum(-1, keepdim=True)
    return cache(shares.reshape(H * T, S), "mix").reshape(H, T, -1) @ W_V


def absorbed_with(scale=None, mask=None):
    def answer(cache, query, turned, words, W_K, W_V):
        (H, T, D), P, S = query.shape, turned.shape[2], len(words)
        rows = torch.cat([torch.einsum("htd,hrd->htr", query, W_K), turned], 2)
        scores = cache(rows.reshape(H * T, -1), "match").reshape(H, T, S)
        scores = scores / (math.sqrt(D + P) if scale is None else scale(D, P))
        past = torch.ones(T, S, dtype=torch.bool).tril(S - T) & words
        shares = scores.masked_fill(~(past if mask is None else mask(T, S, words)), -torch.inf)
        mixed = cache(shares.softmax(-1).reshape(H * T, S), "mix").reshape(H, T, -1)
        return torch.einsum("htr,hrd->htd", mixed, W_V)

    return answer


WRONG_ANSWERS = {
    "e to the 0 is 0": ("weights", [6 / 9, 3 / 9, 6 / 11, 3 / 11], "whole-too-small"),
    "two columns": ("parameters", [6_299_648, 787_456, 5.28], "router-miscounted"),
    "one expert": ("parameters", [6_299_648, 401_408, 5.28], "experts-miscounted"),
    "six draws": ("parameters", [6_299_648, 794_624, 5.14], "meetings-miscounted"),
    "a key for each head": ("cache", [64, 88], "latent-cache-miscounted"),
    "keys without values": ("cache", [32, 28], "grouped-heads-miscounted"),
    "one layer": ("cache", [2, 0.875], "layers-or-bytes-miscounted"),
    "biased shares": ("choose", choose_with_biased_shares, "bias-in-the-weights"),
    "always divided": ("choose", choose_always_divided, "whole-too-small"),
    "in order of weights": ("choose", choose_in_order_of_weights, "in-another-order"),
    "against the bias": ("choose", choose_against_the_bias, "bias-unused"),
    "the farthest from 0": ("choose", choose_by_size, "other-experts-chosen"),
    "the worst": ("choose", choose_the_worst, "other-experts-chosen"),
    "the caller's scores": ("choose", choose_in_place, "argument-changed"),
    "exponentials of large scores": ("choose", choose_by_exponentials, "overflow"),
    "all experts for all": ("mixture", mixture_all_then_masked, "experts-run-for-all"),
    "idle experts called": ("mixture", mixture_calls_the_idle, "called-for-nothing"),
    "row by row": ("mixture", mixture_row_by_row, "called-again-and-again"),
    "place by place": ("mixture", mixture_place_by_place, "called-again-and-again"),
    "the last expert stays": ("mixture", mixture_keeps_the_last, "updates-overwritten"),
    "no weights": ("mixture", mixture_without_weights, "weights-missing"),
    "padding sent along": ("mixture", mixture_with_padding, "padding-takes-part"),
    "the caller's padding": ("mixture", mixture_blanks_the_padding, "argument-changed"),
    "layers below each other": ("balance", balance_all_layers_at_once, "layers-pooled"),
    "all places": ("balance", balance_of_all_places, "padding-takes-part"),
    "one choice": ("balance", balance_of_one_choice, "other-experts-chosen"),
    "experts up to the last": ("balance", balance_of_those_met, "stops-with-an-exception"),
    "text by text": ("balance", balance_per_text, "texts-apart"),
    "a mean": ("balance", balance_with(lambda s, n: (s / len(n), n)), "off-by-a-size"),
    "shares": ("balance", balance_with(lambda s, n: (s, n / n.sum())), "counts-not-handed-back"),
    "a plain number": ("balance", balance_with(lambda s, n: (s.item(), n)), "slope-lost"),
    "small numbers": (
        "repair",
        mix_all_with(lambda scores, kept: scores.masked_fill(~kept, -2.0).softmax(-1)),
        "left-out-too-little",
    ),
    "numbers that seem small": (
        "repair",
        mix_all_with(lambda scores, kept: scores.masked_fill(~kept, -1e3).softmax(-1)),
        "overflow",
    ),
    "exponentials of large products": ("repair", mix_all_with(by_exponentials), "overflow"),
    "the last one lost": ("repair", mix_all_with(without_the_last), "other-experts-chosen"),
    "padding gets a result": ("repair", mix_all_with_padding, "padding-takes-part"),
    "a dense network": ("facts", facts_dense, "room-too-small"),
    "the favorite": ("facts", facts_left_alone, "favorite-left"),
    "weights as drawn": ("facts", facts_untrained, "not-trained"),
    "eight of thirty": ("facts", facts_over_budget, "budget-exceeded"),
    "a few steps": ("facts", facts_half_trained, "not-all-learned"),
    "all that is held": ("absorbed", absorbed_expands, "latents-fetched"),
    "token by token": ("absorbed", absorbed_token_by_token, "heads-mixed-up"),
    "exponentials of large sums": ("absorbed", absorbed_by_exponentials, "overflow"),
    "no scale": ("absorbed", absorbed_with(scale=lambda D, P: 1), "wrong-scale"),
    "the whole row": (
        "absorbed",
        absorbed_with(mask=lambda T, S, words: words.expand(T, S)),
        "causal-mask-misplaced",
    ),
}
