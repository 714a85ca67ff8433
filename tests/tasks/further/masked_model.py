"""Wrong answers to assignment 12, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

from functools import partial

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.masked_model.classify import Classifier
from headway.tasks.chapters.masked_model.sentiment import RIGHT, trained

# --- masking ---------------------------------------------------------------------------------


def mask_in_a_loop(choose, become, label):
    """Token by token: choose(word, special), become(rng, …) and label(text, now)."""

    def answer(ids, special, mask_id, size, seed, share=0.15):
        rng = np.random.default_rng(seed)
        others = [word for word in range(size) if word not in special]
        inputs, labels = ids.copy(), np.full_like(ids, -100)
        for at, word in np.ndenumerate(ids):
            if choose(word, special) and rng.random() < share:
                inputs[at] = become(rng, word, mask_id, others, size)
                labels[at] = label(word, inputs[at], mask_id)
        return inputs, labels

    return answer


def no_special(word, special):
    return word not in special


def eight_one_one(rng, word, mask_id, others, size):
    draw = rng.random()
    if draw < 0.8:
        return mask_id
    return others[rng.integers(len(others))] if draw < 0.9 else word


def two_draws(rng, word, mask_id, others, size):
    """The second draw is made for those that the first has left."""
    if rng.random() < 0.8:
        return mask_id
    return others[rng.integers(len(others))] if rng.random() < 0.1 else word


def any_id(rng, word, mask_id, others, size):
    draw = rng.random()
    if draw < 0.8:
        return mask_id
    return rng.integers(size) if draw < 0.9 else word


def never_the_same(rng, word, mask_id, others, size):
    draw = rng.random()
    if draw < 0.8:
        return mask_id
    return rng.choice([other for other in others if other != word]) if draw < 0.9 else word


def the_word(text, now, mask_id):
    return text


def the_word_where_it_is_hidden(text, now, mask_id):
    return text if now != text else -100


def what_is_there_now(text, now, mask_id):
    return now


def mask_in_place(ids, special, mask_id, size, seed, share=0.15):
    """Right, but for the text of the caller, and so for the labels."""
    rng = np.random.default_rng(seed)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    fate = rng.random(ids.shape)
    words = np.setdiff1d(np.arange(size), special)
    labels = np.where(chosen, ids, -100)
    ids[chosen & (fate < 0.8)] = mask_id
    swapped = chosen & (fate > 0.9)
    ids[swapped] = rng.choice(words, swapped.sum())
    return ids, labels


def mask_a_sample(ids, special, mask_id, size, seed, share=0.15):
    """Exactly so many of all words, without putting back, and then exactly eight in ten."""
    rng = np.random.default_rng(seed)
    places = np.flatnonzero(~np.isin(ids, special))
    places = rng.permutation(places)[: round(share * len(places))]
    labels, inputs = np.full(ids.size, -100), ids.ravel().copy()
    labels[places] = inputs[places]
    inputs[places[: int(0.8 * len(places))]] = mask_id
    return inputs.reshape(ids.shape), labels.reshape(ids.shape)


def mask_from(words_of, may=lambda ids, special: ~np.isin(ids, special), seeded=True, same=False):
    """With the words words_of(ids, may, special, size), the places may(ids, special), and chance.

    Args:
        seeded: whether the seed is put to use.
        same: whether one draw chooses a word and its fate.
    """

    def answer(ids, special, mask_id, size, seed, share=0.15):
        rng = np.random.default_rng(seed if seeded else None)
        here = may(ids, special)
        draw = rng.random(ids.shape)
        fate = draw if same else rng.random(ids.shape)
        chosen = here & (draw < share)
        inputs = ids.copy()
        inputs[chosen & (fate < 0.8)] = mask_id
        swapped = chosen & (fate >= 0.9)
        words = words_of(ids, here, special, size)
        if swapped.any():
            inputs[swapped] = rng.choice(words, int(swapped.sum()))
        return inputs, np.where(chosen, ids, -100)

    return answer


def all_words(ids, here, special, size):
    return [word for word in range(size) if word not in special]


def words_at_hand(ids, here, special, size):
    return ids[here]


def mask_exactly(ids, special, mask_id, size, seed, share=0.15):
    """So many of the batch's words, neither more nor less; then a draw for each fate."""
    rng = np.random.default_rng(seed)
    places = np.argwhere(~np.isin(ids, special))
    rng.shuffle(places)
    inputs, labels = ids.copy(), np.full(ids.shape, -100)
    words = all_words(ids, None, special, size)
    for b, t in places[: int(share * len(places) + 0.5)]:
        labels[b, t] = ids[b, t]
        fate = rng.random()
        if fate < 0.8:
            inputs[b, t] = mask_id
        elif fate < 0.9:
            inputs[b, t] = rng.choice(words)
    return inputs, labels


def mask_with_shuffled_fates(of_all, ids, special, mask_id, size, seed, share=0.15):
    """Chosen by chance; what becomes of them is dealt out like cards, or by one card for all.

    Args:
        of_all: whether all share the first card.
    """
    rng = np.random.default_rng(seed)
    chosen = (rng.random(ids.shape) < share) & ~np.isin(ids, special)
    number = int(chosen.sum())
    hidden, changed = (8 * number) // 10, number // 10
    cards = np.repeat([0, 1, 2], [hidden, changed, number - hidden - changed])
    rng.shuffle(cards)
    if of_all:
        cards = np.full(number, rng.choice(3, p=[0.8, 0.1, 0.1]))
    random_words = rng.choice(all_words(ids, None, special, size), number)
    inputs = ids.copy()
    inputs[chosen] = np.choose(cards, [mask_id, random_words, ids[chosen]])
    return inputs, np.where(chosen, ids, -100)


def mask_each_row_alike(ids, special, mask_id, size, seed, share=0.15):
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    columns = rng.random(ids.shape[1]) < share
    chosen = np.tile(columns, (len(ids), 1)) & ~np.isin(ids, special)
    fate = rng.random(ids.shape)
    inputs = np.where(chosen & (fate <= 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate > 0.8) & (fate < 0.9), rng.choice(words, ids.shape), inputs)
    return inputs, np.where(chosen, ids, -100)


# --- classification --------------------------------------------------------------------------


def attending(look, pool):
    """look(here) → the mask; pool(x, here) → one vector a text, for "mean"."""

    class Answer(Classifier):
        def forward(self, ids):
            here = ids.ne(self.padding)
            e = self.word(ids)
            x = e + self.attention(self.norm(e), mask=look(here))
            return self.output(x[:, 0] if self.pool == "first" else pool(x, here))

    return Answer


def keys(here):
    return here.unsqueeze(1).unsqueeze(2)


def mean_of_the_words(x, here):
    return torch.einsum("bt,btc->bc", here.float(), x) / here.float().sum(1).clamp_min(1)[:, None]


def mean_of_a_longer_text(x, here):
    return x.masked_fill(~here[..., None], 0.0).mean(dim=1)


def mean_of_nothing(x, here):
    return torch.einsum("bt,btc->bc", here / here.sum(1, keepdim=True), x)


def everything(x, here):
    return torch.logsumexp(x, dim=1)


# --- patches ---------------------------------------------------------------------------------


class PatchesCutOnly:
    """By loops; the way back only undoes the last reshape."""

    def __init__(self, p, q):
        self.p, self.q = p, q

    def cut(self, images):
        B, h, w, _ = images.shape
        if h % self.p or w % self.q:
            raise ValueError("left over")
        cells = [
            images[:, i : i + self.p, j : j + self.q].reshape(B, -1) for i, j in self.corners(h, w)
        ]
        return np.stack(cells, 1)

    def corners(self, h, w):
        return [(i, j) for i in range(0, h, self.p) for j in range(0, w, self.q)]

    def join(self, patches, h, w):
        return np.reshape(patches, (len(patches), h, w, -1))


class PatchesDownwards(PatchesCutOnly):
    def corners(self, h, w):
        return [(i, j) for j in range(0, w, self.q) for i in range(0, h, self.p)]

    def join(self, patches, h, w):
        out = np.zeros((len(patches), h, w, patches.shape[2] // (self.p * self.q)), patches.dtype)
        for place, (i, j) in enumerate(self.corners(h, w)):
            cell = patches[:, place].reshape(len(patches), self.p, self.q, -1)
            out[:, i : i + self.p, j : j + self.q] = cell
        return out


class PatchesToTheEdge(PatchesCutOnly):
    """What is left over at the edges is passed over."""

    def cut(self, images):
        B, h, w, _ = images.shape
        corners = [
            (i, j)
            for i in range(0, h - self.p + 1, self.p)
            for j in range(0, w - self.q + 1, self.q)
        ]
        cells = [images[:, i : i + self.p, j : j + self.q].reshape(B, -1) for i, j in corners]
        return np.stack(cells, 1)

    join = PatchesDownwards.join


# --- the loss --------------------------------------------------------------------------------


def loss_without_word_zero(batches):
    total = count = 0
    for logits, labels in batches:
        asked = labels.clamp(min=0) != 0
        total = total + functional.cross_entropy(logits[asked], labels[asked], reduction="sum")
        count += int(asked.sum())
    return total / count


def loss_of_numbers_without_a_word(batches):
    """The stand-in taken away: −100 is looked up."""
    total, count = 0.0, 0
    for logits, labels in batches:
        log_p = torch.log_softmax(logits, -1)
        cost = -torch.gather(log_p, 2, labels.unsqueeze(-1))[..., 0]
        total, count = total + cost[labels >= 0].sum(), count + (labels >= 0).sum()
    return total / count


def loss_of_batches(batches):
    """The mean of torch's means, where there is one."""
    costs = [
        functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        for logits, labels in batches
        if (labels >= 0).any()
    ]
    return torch.stack(costs).mean()


def loss_of_all_batches(batches):
    """The same, with that of nothing among them."""
    costs = []
    for logits, labels in batches:
        at = labels != -100
        costs.append(functional.cross_entropy(logits[at], labels[at]))
    return sum(costs) / len(costs)


def loss_over_all_places(batches):
    costs = [
        functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
        for logits, labels in batches
    ]
    return torch.cat(costs).mean()


def loss_with_words_for_everything(batches):
    """A word stands in wherever nothing is asked, and is asked for."""
    some = [
        functional.cross_entropy(
            logits.flatten(0, 1), labels.flatten().remainder(logits.shape[-1]), reduction="none"
        )
        for logits, labels in batches
    ]
    return torch.cat(some).mean()


# --- reviews ---------------------------------------------------------------------------------


def reading(steps=500, rate=3e-3, **other):
    """Trained indeed, in another arrangement or for less long."""

    def answer(ids, positive, vocabulary):
        return trained(ids, positive, vocabulary, RIGHT | other, steps, rate)

    return answer


def reading_without_padding(ids, positive, vocabulary):
    """The padding is no word to it, so there is a row too few."""
    arrangement, weights = trained(ids, positive, vocabulary, steps=1)
    return arrangement, weights | {"word.weight": weights["word.weight"][1:]}


def reading_turned(ids, positive, vocabulary):
    return trained(ids, 1 - positive, vocabulary)


# --- spans -----------------------------------------------------------------------------------


def spans_of(mask):
    """The best pair that mask(first, last, longest) lets stand, in the passage or nowhere."""

    def answer(start, end, passage, longest):
        T = start.shape[1]
        first, last = torch.arange(T)[:, None], torch.arange(T)[None]
        may = passage[:, :, None] & passage[:, None, :] & mask(first, last, longest)
        may[:, 0, 0] = True
        scores = (start[:, :, None] + end[:, None, :]).masked_fill(~may, -torch.inf)
        p = scores.flatten(1).softmax(1)
        return torch.stack([p.argmax(1) // T, p.argmax(1) % T], 1), p.amax(1)

    return answer


def spans_clamped(start, end, passage, longest):
    """Both ends by themselves, and then the end moved to where it may be."""
    hide = ~passage
    hide[:, 0] = False
    i = start.masked_fill(hide, -torch.inf).argmax(1)
    j = end.masked_fill(hide, -torch.inf).argmax(1)
    j = torch.minimum(torch.maximum(i, j), i + longest - 1)
    p = start.softmax(1).gather(1, i[:, None]) * end.softmax(1).gather(1, j[:, None])
    return torch.stack([i, j], 1), p[:, 0]


FURTHER = {
    "a loop with special tokens": (
        "mask-tokens",
        mask_in_a_loop(lambda word, special: True, eight_one_one, the_word),
        "special-tokens-chosen",
    ),
    "a second draw for the rest": (
        "mask-tokens",
        mask_in_a_loop(no_special, two_draws, the_word),
        "fates-mixed-up",
    ),
    "a random word that is another": (
        "mask-tokens",
        mask_in_a_loop(no_special, never_the_same, the_word),
        "random-word-drawn-wrongly",
    ),
    "random ids of all sorts": (
        "mask-tokens",
        mask_in_a_loop(no_special, any_id, the_word),
        "random-word-drawn-wrongly",
    ),
    "labels of hidden words": (
        "mask-tokens",
        mask_in_a_loop(no_special, eight_one_one, the_word_where_it_is_hidden),
        "chosen-words-not-asked",
    ),
    "labels of what is there": (
        "mask-tokens",
        mask_in_a_loop(no_special, eight_one_one, what_is_there_now),
        "labels-after-masking",
    ),
    "the caller's text masked": ("mask-tokens", mask_in_place, "argument-changed"),
    "words of the batch only": (
        "mask-tokens",
        mask_from(words_at_hand),
        "random-word-drawn-wrongly",
    ),
    "special by number": (
        "mask-tokens",
        mask_from(all_words, lambda ids, special: ids > len(special) - 1),
        "special-by-number",
    ),
    "words behind the last special one": (
        "mask-tokens",
        mask_from(lambda ids, here, special, size: [*range(max(special) + 1, size)] or [size - 1]),
        "special-by-number",
    ),
    "chance from nowhere": (
        "mask-tokens",
        mask_from(all_words, seeded=False),
        "chance-without-the-seed",
    ),
    "one draw for both": ("mask-tokens", mask_from(all_words, same=True), "one-draw-for-both"),
    "exactly so many of the batch": ("mask-tokens", mask_exactly, "no-draw-for-each-word"),
    "cards for fates": (
        "mask-tokens",
        partial(mask_with_shuffled_fates, False),
        "no-draw-for-each-word",
    ),
    "one card for all": (
        "mask-tokens",
        partial(mask_with_shuffled_fates, True),
        "no-draw-for-each-word",
    ),
    "a sample without putting back": ("mask-tokens", mask_a_sample, None),
    "the same columns in all rows": ("mask-tokens", mask_each_row_alike, "no-draw-for-each-word"),
    "nobody hidden, words pooled": (
        "classify",
        attending(lambda here: None, mean_of_the_words),
        "padding-seen",
    ),
    "padding as zeros in the mean": (
        "classify",
        attending(keys, mean_of_a_longer_text),
        "padding-pooled",
    ),
    "the mean of nothing": (
        "classify",
        attending(keys, mean_of_nothing),
        "empty-text-divides-by-zero",
    ),
    "a softer maximum": ("classify", attending(keys, everything), None),
    "a triangle over the words": (
        "classify",
        attending(
            lambda here: keys(here) & torch.ones(here.shape[1], here.shape[1]).tril().bool(),
            mean_of_the_words,
        ),
        "causal-mask-left-on",
    ),
    "a way back without an order": ("patchify", PatchesCutOnly, "joined-without-reordering"),
    "patches downwards": ("patchify", PatchesDownwards, "columns-first"),
    "the edges passed over": ("patchify", PatchesToTheEdge, "remainder-dropped"),
    "word 0 is no word": ("repair", loss_without_word_zero, "another-sign-for-nothing"),
    "the mean of torch's means": ("repair", loss_of_batches, "mean-miscounted"),
    "the mean of all of torch's means": ("repair", loss_of_all_batches, "mean-miscounted"),
    "no stand-in": ("repair", loss_of_numbers_without_a_word, "stand-in-taken-away"),
    "a word for each place": ("repair", loss_with_words_for_everything, "every-place-asked"),
    "zeros in the mean": ("repair", loss_over_all_places, "mean-miscounted"),
    "trained by columns": ("sentiment", reading(places="u"), "columns-counted"),
    "trained as a bag": ("sentiment", reading(places=None), "order-unseen"),
    "trained with the last column": ("sentiment", reading(pool="last of u"), "padding-pooled"),
    "trained for the first word alone": (
        "sentiment",
        reading(sees="earlier v", pool="first of v"),
        "first-word-sees-nothing",
    ),
    "trained for the first word alone, without places": (
        "sentiment",
        reading(places=None, sees="earlier v", pool="first of v"),
        "first-word-sees-nothing",
    ),
    "no row for the padding": ("sentiment", reading_without_padding, "another-reader"),
    "weights alone": (
        "sentiment",
        lambda *given: trained(*given, steps=1)[1],
        "no-arrangement-or-no-weights",
    ),
    "padding in sight": ("sentiment", reading(sees="all u", steps=150), "padding-seen"),
    "too few steps": ("sentiment", reading(steps=100), "half-trained"),
    "five steps": ("sentiment", reading(steps=5), "not-trained"),
    "trained for the other answer": ("sentiment", reading_turned, "classes-swapped"),
    "a band one too wide": (
        "span",
        spans_of(lambda first, last, longest: (first <= last) & (last - first <= longest)),
        "another-greatest-length",
    ),
    "any two places": (
        "span",
        spans_of(lambda first, last, longest: (last - first).abs() < longest),
        "end-before-start",
    ),
    "spans of any length": (
        "span",
        spans_of(lambda first, last, longest: first <= last),
        "another-greatest-length",
    ),
    "ends moved to fit": ("span", spans_clamped, None),
}
