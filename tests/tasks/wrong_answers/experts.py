"""Wrong answers to assignment 18, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math

import torch
from torch.nn import functional

from headway.tasks.chapters.experts.facts import by_hand_answer, sizes_within, trained
from headway.tasks.chapters.experts.facts_model import Facts


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


def choose_by_exponentials(scores, k, renormalized=True, bias=None):
    """Shares without a softmax: e to the power of the score itself."""
    chosen = (scores if bias is None else scores + bias).topk(k).indices
    powers = scores.exp()
    its = powers.gather(-1, chosen)
    return its / (its if renormalized else powers).sum(-1, keepdim=True), chosen


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


def mix_all_with_small_numbers(x, router, wide, narrow, k, words):
    scores = x @ router
    least = scores.topk(k, dim=-1).values[..., -1:]
    scores = torch.where(scores >= least, scores, torch.tensor(-2.0))
    made = torch.einsum("btem,emc->btec", torch.einsum("btc,ecm->btem", x, wide).relu(), narrow)
    return (scores.softmax(-1)[..., None] * made).sum(2) * words[..., None]


def mix_all_shares(x, router, wide, narrow, k, words):
    shares = (x @ router).softmax(-1)
    shares = torch.where(shares >= shares.topk(k).values[..., -1:], shares, torch.tensor(0.0))
    made = torch.einsum("btem,emc->btec", torch.einsum("btc,ecm->btem", x, wide).relu(), narrow)
    return (shares[..., None] * made).sum(2) * words[..., None]


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


def facts_other_sizes(*args):
    sizes, weights = by_hand_answer(*args)
    return {**sizes, "hidden": 5}, weights


def facts_half_trained(*args):
    torch.manual_seed(0)
    return trained(*args, steps=150)


def facts_in_small_experts(*args):
    """Two experts, kept even, and a dense network's room twice."""
    torch.manual_seed(0)
    return trained(*args, experts=2, steps=300)


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
    "biased shares": ("choose", choose_with_biased_shares, "bias-in-the-weights"),
    "always divided": ("choose", choose_always_divided, "renormalized-unasked"),
    "the caller's scores": ("choose", choose_in_place, "argument-changed"),
    "exponentials of large scores": ("choose", choose_by_exponentials, "overflow"),
    "all experts for all": ("mixture", mixture_all_then_masked, "experts-run-for-all"),
    "idle experts called": ("mixture", mixture_calls_the_idle, "called-for-nothing"),
    "row by row": ("mixture", mixture_row_by_row, "called-again-and-again"),
    "the last expert stays": ("mixture", mixture_keeps_the_last, "updates-overwritten"),
    "no weights": ("mixture", mixture_without_weights, "weights-missing"),
    "padding sent along": ("mixture", mixture_with_padding, "padding-takes-part"),
    "the caller's padding": ("mixture", mixture_blanks_the_padding, "argument-changed"),
    "layers below each other": ("balance", balance_all_layers_at_once, "layers-pooled"),
    "all places": ("balance", balance_of_all_places, "padding-takes-part"),
    "one choice": ("balance", balance_of_one_choice, "first-choices-only"),
    "small numbers": ("repair", mix_all_with_small_numbers, "left-out-too-little"),
    "shares of all": ("repair", mix_all_shares, "not-renormalized"),
    "a dense network": ("facts", facts_dense, "everybody-asked"),
    "the favorite": ("facts", facts_left_alone, "favorite-left"),
    "weights as drawn": ("facts", facts_untrained, "not-trained"),
    "eight of thirty": ("facts", facts_over_budget, "budget-exceeded"),
    "another width": ("facts", facts_other_sizes, "another-model"),
    "a few steps": ("facts", facts_half_trained, "not-all-learned"),
    "two experts": ("facts", facts_in_small_experts, "room-too-small"),
    "all that is held": ("absorbed", absorbed_expands, "latents-fetched"),
    "no scale": ("absorbed", absorbed_with(scale=lambda D, P: 1), "wrong-scale"),
    "the whole row": (
        "absorbed",
        absorbed_with(mask=lambda T, S, words: words.expand(T, S)),
        "causal-mask-misplaced",
    ),
}
