"""Wrong answers to assignment 12, in other words than the catalogue's.

`WRONG_ANSWERS[what it does] = (task, answer, the name that it should get, or None)`.
"""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.masked_model.classify import Classifier
from headway.tasks.chapters.masked_model.sentiment import RIGHT, trained
from headway.tasks.chapters.masked_model.sentiment_model import HEADS, WIDTH, by_hand

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


def eight_one_one(rng, word, mask_id, others, size):
    draw = rng.random()
    if draw < 0.8:
        return mask_id
    return others[rng.integers(len(others))] if draw < 0.9 else word


def the_word(text, now, mask_id):
    return text


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


# --- the loss --------------------------------------------------------------------------------


def loss_without_word_zero(batches):
    total = count = 0
    for logits, labels in batches:
        asked = labels.clamp(min=0) != 0
        total = total + functional.cross_entropy(logits[asked], labels[asked], reduction="sum")
        count += int(asked.sum())
    return total / count


# --- reviews ---------------------------------------------------------------------------------


def reading(steps=500, rate=3e-3, **other):
    """Trained indeed, in another arrangement or for less long."""

    def answer(ids, positive, vocabulary):
        return trained(ids, positive, vocabulary, RIGHT | other, steps, rate)

    return answer


def reading_unsurely(ids, positive, vocabulary):
    """It looks at the right words, but so softly that the padding beside them counts, too."""
    weights = by_hand(vocabulary)
    weights["attention.qkv.weight"][[0, WIDTH // HEADS]] *= 0.1
    return RIGHT | {"sees": "all u"}, weights


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


WRONG_ANSWERS = {
    "a loop with special tokens": (
        "mask-tokens",
        mask_in_a_loop(lambda word, special: True, eight_one_one, the_word),
        "special-tokens-chosen",
    ),
    "the caller's text masked": ("mask-tokens", mask_in_place, "argument-changed"),
    "a sample without putting back": ("mask-tokens", mask_a_sample, None),
    "nobody hidden, words pooled": (
        "classify",
        attending(lambda here: None, mean_of_the_words),
        "padding-seen",
    ),
    "a softer maximum": ("classify", attending(keys, everything), None),
    "a way back without an order": ("patchify", PatchesCutOnly, "joined-without-reordering"),
    "word 0 is no word": ("repair", loss_without_word_zero, "another-sign-for-nothing"),
    "trained by columns": ("sentiment", reading(places="u"), "columns-counted"),
    "trained as a bag": ("sentiment", reading(places=None), "order-unseen"),
    "trained with the last column": ("sentiment", reading(pool="last of u"), "padding-pooled"),
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
    "padding in sight": ("sentiment", reading_unsurely, "padding-seen"),
    "five steps": ("sentiment", reading(steps=5), "not-trained"),
    "trained for the other answer": ("sentiment", reading_turned, "classes-swapped"),
    "a band one too wide": (
        "span",
        spans_of(lambda first, last, longest: (first <= last) & (last - first <= longest)),
        "another-greatest-length",
    ),
    "ends moved to fit": ("span", spans_clamped, None),
}
