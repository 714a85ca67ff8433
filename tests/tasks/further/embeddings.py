"""Wrong answers to assignment 06, written after its catalogue and in other words.

`FURTHER[what it does] = (task, answer, the name that it should get, or None)`.
"""

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from headway.tasks.chapters.embeddings.purity import both_sides, strongest, turned_back

# --- TF-IDF ----------------------------------------------------------------------------------


def rare_in_the_whole_text(documents):
    everything = [word for document in documents for word in document]
    return [
        {w: d.count(w) * np.log(len(documents) / everything.count(w)) for w in d} for d in documents
    ]


def share_times_rarity(documents):
    df = defaultdict(int)
    for document in documents:
        for word in dict.fromkeys(document):
            df[word] += 1
    return [
        {w: n / sum(c.values()) * math.log(len(documents) / df[w]) for w, n in c.items()}
        for c in map(Counter, documents)
    ]


def as_the_library_does(documents):
    """Smoothed, and each document brought to length one."""
    df = Counter(w for d in documents for w in set(d))
    found = []
    for d in documents:
        rarity = {w: math.log((1 + len(documents)) / (1 + df[w])) + 1 for w in d}
        row = {w: n * rarity[w] for w, n in Counter(d).items()}
        length = math.sqrt(sum(x * x for x in row.values()))
        found.append({w: x / length for w, x in row.items()})
    return found


def share_of_documents(documents):
    found = []
    for d in documents:
        row = {}
        for w in d:
            row[w] = d.count(w) * math.log(sum(w in other for other in documents) / len(documents))
        found.append(row)
    return found


def only_words_that_tell(documents):
    N = len(documents)
    rows = []
    for d in documents:
        row = {}
        for w in set(d):
            weight = d.count(w) * math.log(N / len([e for e in documents if w in e]))
            if weight > 0:
                row[w] = weight
        rows.append(row)
    return rows


def in_other_documents(documents):
    """The word's own document is not counted among those that have it."""
    rows = []
    for i, d in enumerate(documents):
        others = documents[:i] + documents[i + 1 :]
        rows.append(
            {
                w: d.count(w) * math.log(len(documents) / max(1, sum(w in e for e in others)))
                for w in d
            }
        )
    return rows


def filled_documents_only(documents):
    documents = [d for d in documents if len(d) > 0]
    df = Counter(w for d in documents for w in set(d))
    return [
        {w: n * math.log(len(documents) / df[w]) for w, n in Counter(d).items()} for d in documents
    ]


# --- latent semantic analysis ----------------------------------------------------------------


def counted(sentences, size, reaches):
    A = np.zeros((size, size))
    for words in sentences:
        for i in range(len(words)):
            for j in range(len(words)):
                if reaches(i, j):
                    A[words[i], words[j]] += 1
    return A


def cut(A, rank):
    U, S, _ = np.linalg.svd(A)
    return U[:, :rank] @ np.diag(S[:rank])


def up_to_but_not(sentences, size, window, rank):
    return cut(np.log1p(counted(sentences, size, lambda i, j: 0 < abs(i - j) < window)), rank)


def with_itself(sentences, size, window, rank):
    return cut(np.log(1 + counted(sentences, size, lambda i, j: abs(i - j) <= window)), rank)


def what_follows(sentences, size, window, rank):
    return cut(np.log1p(counted(sentences, size, lambda i, j: i < j <= i + window)), rank)


def plain_counts(sentences, size, window, rank):
    return cut(counted(sentences, size, lambda i, j: i != j and abs(i - j) <= window), rank)


def one_long_text(sentences, size, window, rank):
    text = [word for sentence in sentences for word in sentence]
    return cut(np.log1p(counted([text], size, lambda i, j: 0 < abs(i - j) <= window)), rank)


def directions_of_unit_length(sentences, size, window, rank):
    A = np.log1p(counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window))
    return np.linalg.svd(A)[0][:, :rank]


def half_of_the_strength(sentences, size, window, rank):
    """Each side of the product gets the root of the singular values."""
    A = np.log1p(counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window))
    U, S, _ = np.linalg.svd(A)
    return U[:, :rank] * np.sqrt(S)[:rank]


def largest_eigenvalues(sentences, size, window, rank):
    A = np.log1p(counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window))
    values, vectors = np.linalg.eigh(A)
    return (vectors * values)[:, ::-1][:, :rank]


def dampened_on_the_way(sentences, size, window, rank):
    """The logarithm is taken of each pair as it is found."""
    A = counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window)
    return cut(A * math.log(2), rank)


def two_slices(sentences, size, window, rank):
    """The slice before a word begins below zero where the sentence begins."""
    A = np.zeros((size, size))
    for s in sentences:
        for t in range(len(s)):
            for other in s[t - window : t] + s[t + 1 : t + window + 1]:
                A[s[t], other] += 1
    return cut(np.log1p(A), rank)


def other_words(sentences, size, window, rank):
    A = np.zeros((size, size))
    for s in sentences:
        for t, word in enumerate(s):
            for other in s[max(t - window, 0) : t + window + 1]:
                A[word, other] += other != word
    return cut(np.log1p(A), rank)


def logarithm_of_those_that_met(sentences, size, window, rank):
    A = counted(sentences, size, lambda i, j: 0 < abs(i - j) <= window)
    A[A > 0] = np.log(A[A > 0])
    return cut(A, rank)


def just_so_far_away(sentences, size, window, rank):
    return cut(np.log1p(counted(sentences, size, lambda i, j: abs(i - j) == window)), rank)


# --- skip-gram -------------------------------------------------------------------------------


def windows(ids, window):
    for t, center in enumerate(ids):
        for s in range(t - window, t + window + 1):
            if s != t and 0 <= s < len(ids):
                yield center, ids[s]


def the_other_way_round(ids, given, guessed, window):
    costs = [
        functional.cross_entropy((given @ guessed[c])[None], o[None])
        for c, o in windows(ids, window)
    ]
    return sum(costs, torch.zeros(())) / len(ids)


def center_from_context_bag(ids, given, guessed, window):
    losses = []
    for t, center in enumerate(ids):
        around = torch.cat([ids[max(0, t - window) : t], ids[t + 1 : t + window + 1]])
        if len(around):
            losses.append(
                functional.cross_entropy((guessed @ given[around].mean(0))[None], center[None])
            )
    return sum(losses, torch.zeros(())) / len(ids)


def added_up(ids, given, guessed, window):
    total = torch.zeros(())
    for c, o in windows(ids, window):
        total -= (guessed @ given[c]).log_softmax(0)[o]
    return total


def a_word_s_mean_of_its_pairs(ids, given, guessed, window):
    by_center = []
    for t, c in enumerate(ids):
        costs = [
            -(guessed @ given[c]).log_softmax(0)[ids[s]]
            for s in range(len(ids))
            if 0 < abs(s - t) <= window
        ]
        if costs:
            by_center.append(sum(costs) / len(costs))
    return sum(by_center) / len(by_center) if by_center else torch.zeros(())


def likelihood(ids, given, guessed, window):
    shares = [(guessed @ given[c]).softmax(0)[o] for c, o in windows(ids, window)]
    return -sum(shares, torch.zeros(())) / len(ids)


def exponentials_by_hand(ids, given, guessed, window):
    costs = []
    for c, o in windows(ids, window):
        parts = torch.exp(guessed @ given[c])
        costs.append(-torch.log(parts[o] / parts.sum()))
    return sum(costs, torch.zeros(())) / len(ids)


def next_words(ids, given, guessed, window):
    costs = [
        functional.cross_entropy((guessed @ given[ids[t]])[None], ids[t + k][None])
        for k in range(1, window + 1)
        for t in range(len(ids) - k)
    ]
    return sum(costs, torch.zeros(())) / len(ids)


def of_other_words(ids, given, guessed, window):
    """A neighbor is another word, and not another place."""
    costs = []
    for t in range(len(ids)):
        for s in range(len(ids)):
            if abs(s - t) <= window and ids[s] != ids[t]:
                costs.append(-(guessed @ given[ids[t]]).log_softmax(0)[ids[s]])
    return sum(costs, torch.zeros(())) / len(ids)


def cross_entropy_of_shares(ids, given, guessed, window):
    """The loss takes logits, and is given probabilities."""
    found = list(windows(ids, window))
    if not found:
        return torch.zeros(())
    centers, neighbors = (torch.stack(side) for side in zip(*found, strict=True))
    shares = (given[centers] @ guessed.T).softmax(dim=1)
    return functional.cross_entropy(shares, neighbors, reduction="sum") / len(ids)


def at_the_ends_of_the_window(ids, given, guessed, window):
    left, right = ids[:-window], ids[window:]
    c, o = torch.cat([left, right]), torch.cat([right, left])
    return functional.cross_entropy(given[c] @ guessed.T, o, reduction="sum") / len(ids)


def sliced_from_below_zero(ids, given, guessed, window):
    costs = []
    for t in range(len(ids)):
        logs = (given[ids[t]] @ guessed.T).log_softmax(-1)
        near = torch.cat([ids[t - window : t], ids[t + 1 : t + 1 + window]])
        costs += [-logs[o] for o in near]
    return sum(costs, torch.zeros(())) / len(ids)


# --- one matrix, in and out ------------------------------------------------------------------


class TwoLayers(nn.Module):
    """The layers of PyTorch begin alike, and are not one."""

    def __init__(self, table):
        super().__init__()
        V, C = table.shape
        self.words, self.scores = nn.Embedding(V, C), nn.Linear(C, V, bias=False)
        self.words.weight.data.copy_(table)
        self.scores.weight.data.copy_(table)

    def embed(self, ids):
        return self.words(ids) * self.words.embedding_dim**0.5

    def deembed(self, hidden):
        return self.scores(hidden)

    def learn(self, ids, targets, rate):
        self.zero_grad()
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        loss.backward()
        with torch.no_grad():
            for p in self.parameters():
                p -= rate * p.grad
        return loss


class OneLayer(TwoLayers):
    """Tied as it should be."""

    def __init__(self, table):
        super().__init__(table)
        self.scores.weight = self.words.weight


class PlainRows(OneLayer):
    def embed(self, ids):
        return self.words(ids)


class NeverCleared(OneLayer):
    def zero_grad(self):
        pass


class Climbs(OneLayer):
    def learn(self, ids, targets, rate):
        return super().learn(ids, targets, -rate)


class HalfFrozen(OneLayer):
    def deembed(self, hidden):
        return hidden @ self.words.weight.data.mT


class InPlaceOfTheTable:
    """The table that was handed over is the model's own."""

    def __init__(self, table):
        self.t = table.requires_grad_()

    def embed(self, ids):
        return self.t.shape[1] ** 0.5 * self.t[ids]

    def deembed(self, hidden):
        return hidden @ self.t.T

    def learn(self, ids, targets, rate):
        loss = functional.cross_entropy(self.deembed(self.embed(ids)), targets)
        slope = torch.autograd.grad(loss, self.t)[0]
        with torch.no_grad():
            self.t -= rate * slope
        return loss.detach()


# --- negative sampling -----------------------------------------------------------------------


def far_from_the_true_word(hidden, guessed, targets, negatives):
    """Both terms ask for high scores."""
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    drawn = torch.where(negatives == targets[:, None], 0.0, drawn)
    return -(true + drawn.sum(1)).mean()


def every_draw_counts(hidden, guessed, targets, negatives):
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(-torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    return -(true + drawn.sum(1)).mean()


def one_minus_the_sigmoid(hidden, guessed, targets, negatives):
    true = torch.sigmoid((hidden * guessed[targets]).sum(1))
    drawn = 1 - torch.sigmoid(torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    drawn = torch.where(negatives == targets[:, None], 1.0, drawn)
    return -(true.log() + drawn.log().sum(1)).mean()


def an_even_mean(hidden, guessed, targets, negatives):
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(-torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    drawn = torch.where(negatives == targets[:, None], 0.0, drawn)
    return -torch.cat([true[:, None], drawn], dim=1).mean()


def mean_of_what_is_kept(hidden, guessed, targets, negatives):
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(-torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    kept = negatives != targets[:, None]
    return -((true + (drawn * kept).sum(1)) / (1 + kept.sum(1))).mean()


def minus_in_front(hidden, guessed, targets, negatives):
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    drawn = torch.where(negatives == targets[:, None], 0.0, drawn)
    return -(true - drawn.sum(1)).mean()


def true_of_another(hidden, guessed, targets, negatives):
    """The true words of the examples are compared with the columns, and not with the rows."""
    kept = negatives != targets[0]
    true = functional.logsigmoid((hidden * guessed[targets]).sum(1))
    drawn = functional.logsigmoid(-torch.einsum("bc,bkc->bk", hidden, guessed[negatives]))
    return -(true + (drawn * kept).sum(1)).mean()


# --- vectors for categories ------------------------------------------------------------------


def usual_skip_gram(sentences, asks, size, side=lambda s, t: True, steps=250, rate=0.02):
    draw = torch.Generator().manual_seed(3)
    pairs = [
        (c, x[s])
        for x in sentences
        for t, c in enumerate(x)
        for s in range(max(0, t - 2), min(len(x), t + 3))
        if s != t and side(s, t)
    ]
    centers, contexts = torch.tensor(pairs).T
    E, U = (torch.randn(size, 24, generator=draw) * 0.1 for _ in range(2))
    optimizer = torch.optim.Adam([E.requires_grad_(), U.requires_grad_()], lr=rate)
    for _ in range(steps):
        rows = torch.randint(len(centers), (512,), generator=draw)
        loss = functional.cross_entropy(E[centers[rows]] @ U.mT, contexts[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return E.detach()


def what_comes_after(sentences, asks, size):
    return usual_skip_gram(sentences, asks, size, side=lambda s, t: s > t)


def barely_moved(sentences, asks, size):
    return usual_skip_gram(sentences, asks, size, steps=3)


def documents_for_neighbors(sentences, asks, size):
    """Words by the sentences that they stand in."""
    table = np.zeros((size, len(sentences)))
    for number, sentence in enumerate(sentences):
        for word in sentence:
            table[word, number] += 1
    U, S, _ = np.linalg.svd(np.log1p(table), full_matrices=False)
    return U[:, :32] * S[:32]


def rows_of_bigrams(sentences, asks, size):
    """Chapter 2's counts of what comes next, uncut."""
    counts = np.zeros((size, size))
    for sentence in sentences:
        for a, b in pairwise(sentence):
            counts[a, b] += 1
    return counts


def bigrams_cut(sentences, asks, size):
    U, S, _ = np.linalg.svd(np.log1p(rows_of_bigrams(sentences, asks, size)))
    return U[:, :24] * S[:24]


def hyperspace_analogue(sentences, asks, size):
    """The rows and columns of HAL, cut as LSA does."""
    before = np.zeros((size, size))
    for sentence in sentences:
        for t, word in enumerate(sentence):
            for away, other in enumerate(reversed(sentence[:t][-3:])):
                before[word, other] += 3 - away
    U, S, _ = np.linalg.svd(np.log1p(np.hstack([before, before.T])), full_matrices=False)
    return U[:, :32] * S[:32]


def skip_gram_with_sides(sentences, asks, size):
    """Guesses neighbors on the left and on the right by tables of their own, in every sentence."""
    return np.hstack(
        [
            usual_skip_gram(sentences, asks, size, side=side)[:, :16]
            for side in (lambda s, t: s > t, lambda s, t: s < t)
        ]
    )


def both_sides_few(sentences, asks, size):
    sentences = [s[::-1] if asked else s for s, asked in zip(sentences, asks, strict=True)]
    left, right = rows_of_bigrams(sentences, asks, size).T, rows_of_bigrams(sentences, asks, size)
    U, S, _ = np.linalg.svd(np.hstack([left, right]), full_matrices=False)
    return U[:, :5] * S[:5]


# --- vectors for a table ---------------------------------------------------------------------


def truncated(P, width):
    U, S, Vh = np.linalg.svd(np.log(P), full_matrices=False)
    return U[:, :width] * S[:width], Vh[:width].T


def of_the_probabilities(P, width):
    U, S, Vh = np.linalg.svd(P - P.mean(1, keepdims=True), full_matrices=False)
    return U[:, :width] * S[:width], Vh[:width].T


def one_hot_contexts(P, width):
    return np.eye(len(P)), np.log(P).T


def centered_by_column(P, width):
    L = np.log(P)
    U, S, Vh = np.linalg.svd(L - L.mean(0), full_matrices=False)
    return U[:, :width] * S[:width], Vh[:width].T


def not_turned(P, width):
    L = np.log(P)
    U, S, Vh = np.linalg.svd(L - L.mean(1, keepdims=True), full_matrices=False)
    return U[:, :width] * S[:width], Vh[:width]


FURTHER = {
    "rarity with ten": ("weight", 5 + 3 * math.log10(2), "another-logarithm"),
    "twice as rare, twice the weight": ("weight", 10, "no-logarithm"),
    "the commoner word weighs more": ("weight", 5 - math.log(8), "quotient-inverted"),
    "the count forgotten": ("weight", 5 + math.log(2), "one-factor-alone"),
    "the weight taken for the quotient": ("weight", 3 * math.log(2 * 5), None),
    "the product": ("similarity", 64, "lengths-miscounted"),
    "Euclid": ("similarity", np.hypot(np.hypot(12, 3), 12), "distance-for-cosine"),
    "nothing but “the” in common": ("similarity", 0, None),
    "a bias each way": ("parameters", [606_000, 100], "bias-miscounted"),
    "no bias": ("parameters", (600_000, 100), "bias-miscounted"),
    "one end": ("parameters", [300_000, 49], "ends-miscounted"),
    "rare in the whole text": ("tf-idf", rare_in_the_whole_text, "documents-miscounted"),
    "share times rarity": ("tf-idf", share_times_rarity, "another-recipe"),
    "as the library does": ("tf-idf", as_the_library_does, "another-recipe"),
    "share of documents": ("tf-idf", share_of_documents, "quotient-inverted"),
    "only words that tell": ("tf-idf", only_words_that_tell, "words-or-documents-changed"),
    "in other documents": ("tf-idf", in_other_documents, None),
    "filled documents only": ("tf-idf", filled_documents_only, None),
    "up to, but not": ("latent", up_to_but_not, "window-off-by-one"),
    "with itself": ("latent", with_itself, "center-mistaken"),
    "what follows": ("latent", what_follows, "one-side-only"),
    "plain counts": ("latent", plain_counts, "not-dampened-as-asked"),
    "one long text": ("latent", one_long_text, "edges-of-the-sentence"),
    "directions of unit length": ("latent", directions_of_unit_length, "strengths-miscounted"),
    "half of the strength": ("latent", half_of_the_strength, "strengths-miscounted"),
    "largest eigenvalues": ("latent", largest_eigenvalues, "weakest-kept"),
    "dampened on the way": ("latent", dampened_on_the_way, None),
    "the logarithm of those that met": (
        "latent",
        logarithm_of_those_that_met,
        "not-dampened-as-asked",
    ),
    "just so far away": ("latent", just_so_far_away, "weighed-by-distance"),
    "two slices": ("latent", two_slices, "edges-of-the-sentence"),
    "other words": ("latent", other_words, "center-mistaken"),
    "cross-entropy of shares": ("skip-gram", cross_entropy_of_shares, "softmax-before-the-loss"),
    "at the ends of the window": ("skip-gram", at_the_ends_of_the_window, "weighed-by-distance"),
    "of other words": ("skip-gram", of_other_words, "center-mistaken"),
    "sliced from below zero": ("skip-gram", sliced_from_below_zero, "edges-of-the-sentence"),
    "the other way round": ("skip-gram", the_other_way_round, "given-and-guessed-mixed-up"),
    "a bag around": ("skip-gram", center_from_context_bag, "given-and-guessed-mixed-up"),
    "added up": ("skip-gram", added_up, "sum-and-mean"),
    "a word's mean of its pairs": ("skip-gram", a_word_s_mean_of_its_pairs, "sum-and-mean"),
    "likelihood": ("skip-gram", likelihood, "probability-for-logarithm"),
    "exponentials by hand": ("skip-gram", exponentials_by_hand, "out-of-range"),
    "next words": ("skip-gram", next_words, "one-side-only"),
    "two layers": ("tied", TwoLayers, "two-matrices"),
    "plain rows": ("tied", PlainRows, "root-of-the-width"),
    "never cleared": ("tied", NeverCleared, "old-slopes-kept"),
    "climbs": ("tied", Climbs, "wrong-sign"),
    "half frozen": ("tied", HalfFrozen, "a-part-of-the-slope"),
    "in place of the table": ("tied", InPlaceOfTheTable, "argument-changed"),
    "after the logarithm": ("faulty-line", 9, "symptom-for-cause"),
    "both ask for high scores": ("negatives", far_from_the_true_word, "signs-of-some-words"),
    "every draw counts": ("negatives", every_draw_counts, "left-out-or-kept"),
    "true of another example": ("negatives", true_of_another, "of-another-example"),
    "one minus the sigmoid": ("negatives", one_minus_the_sigmoid, "out-of-range"),
    "an even mean": ("negatives", an_even_mean, "sum-and-mean"),
    "the mean of what is kept": ("negatives", mean_of_what_is_kept, "sum-and-mean"),
    "minus in front": ("negatives", minus_in_front, "order-around-the-sigmoid"),
    "the usual skip-gram": ("purity", usual_skip_gram, "sides-not-told-apart"),
    "what comes after": ("purity", what_comes_after, "one-side-only"),
    "barely moved": ("purity", barely_moved, "like-a-guess"),
    "documents for neighbors": ("purity", documents_for_neighbors, "sides-not-told-apart"),
    "rows of bigrams": ("purity", rows_of_bigrams, "table-for-vectors"),
    "bigrams cut": ("purity", bigrams_cut, "one-side-only"),
    "HAL, then LSA": ("purity", hyperspace_analogue, "questions-like-statements"),
    "skip-gram with sides": ("purity", skip_gram_with_sides, "questions-like-statements"),
    "the whole sentence on either side": (
        "purity",
        lambda *text: strongest(np.log1p(both_sides(turned_back(*text[:2]), text[2], 99)), 24),
        "half-way",
    ),
    "logarithms of 0": (
        "purity",
        lambda sentences, asks, size: np.log(rows_of_bigrams(sentences, asks, size))[:, :24],
        "no-numbers-left",
    ),
    "both sides, few": ("purity", both_sides_few, "too-few-directions"),
    "truncated": ("by-hand", truncated, "rows-not-centered"),
    "of the probabilities": ("by-hand", of_the_probabilities, "logarithm-missing"),
    "one-hot contexts": ("by-hand", one_hot_contexts, "table-for-vectors"),
    "centered by column": ("by-hand", centered_by_column, "rows-not-centered"),
    "not turned": ("by-hand", not_turned, "transposed"),
}
