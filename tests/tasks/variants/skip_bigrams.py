"""Right answers to assignment 03 that are written in other ways than the reference."""

from collections import Counter, defaultdict
from itertools import product
from math import log

import numpy as np
import torch

# --- features --------------------------------------------------------------------------------


def features_by_product(prefix):
    return sorted(product(sorted(set(prefix[:-1])), prefix[-1:]))


def features_as_arrays(prefix):
    if len(prefix) < 2:
        return []
    earlier = np.unique(np.array(prefix[:-1]))
    return np.stack([earlier, np.full(len(earlier), prefix[-1])], axis=1).tolist()


# --- table -----------------------------------------------------------------------------------


def table_by_dictionary(sentences, size):
    following = defaultdict(list)
    for sentence in sentences:
        with_end = [*sentence, size]
        for t in range(len(sentence)):
            for earlier in dict.fromkeys(with_end[:t]):
                following[earlier, with_end[t]].append(with_end[t + 1])
    votes = np.zeros((size, size, size + 1))
    for pair, words in following.items():
        votes[pair] = np.bincount(words, minlength=size + 1) / len(words)
    return votes


def table_by_products(sentences, size):
    """A product of matrices for each sentence; what comes after the last word is a row more."""
    counts = torch.zeros(size, size, size + 1, dtype=torch.float64)
    for sentence in sentences:
        if sentence:
            X = torch.eye(size + 1, dtype=torch.float64)[[*sentence, size]]  # (T+1, V+1)
            latest, after = X[:-1, :size], X[1:]
            before = torch.ones(len(latest), len(latest), dtype=torch.float64).tril(-1)
            present = (before @ latest).clamp(max=1)
            counts += torch.einsum("te,tl,tw->elw", present, latest, after)
    return torch.nan_to_num(counts / counts.sum(-1, keepdim=True))


# --- masked ----------------------------------------------------------------------------------


def masked_as_product(prefix, votes, masks):
    """Feature vector × mask × votes, over all V words."""
    if not len(prefix):
        return np.zeros(votes.shape[-1])
    active = np.bincount(prefix[:-1], minlength=len(votes)) > 0
    return (active * masks[prefix[-1]]) @ votes[:, prefix[-1]]


def masked_in_torch(prefix, votes, masks):
    rows = torch.zeros(votes.shape[-1], dtype=torch.float64)
    for word in torch.unique(torch.as_tensor(prefix[:-1])):
        if bool(masks[prefix[-1], int(word)]):
            rows += torch.as_tensor(votes[int(word), prefix[-1]])
    return rows


# --- gain ------------------------------------------------------------------------------------


def gain_in_torch(counts, share):
    counts = torch.as_tensor(counts, dtype=torch.float64)
    given = counts / counts.sum(1, keepdim=True).clamp(min=1)
    alone = counts.sum(0) / counts.sum()
    terms = torch.xlogy(given, given) - given * alone.clamp(min=1e-300).log()
    gains = torch.round(terms.sum(1) / log(2), decimals=9)
    return gains, (gains >= gains.max() * share).float()


def gain_with_a_tiny_number(counts, share):
    given = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    alone = counts.sum(axis=0, keepdims=True) / counts.sum()
    gains = np.round(np.nansum(given * np.log2((given + 1e-15) / (alone + 1e-15)), axis=1), 9)
    return np.array(gains), np.array(gains >= share * np.max(gains))


def gain_rounded_for_the_mask(counts, share):
    given = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    ratio = np.divide(given, counts.sum(0) / counts.sum(), out=np.ones_like(given), where=given > 0)
    gains = (given * np.log2(ratio)).sum(axis=1)
    rounded = gains.round(9)
    return gains, rounded >= share * rounded.max()


# --- voter -----------------------------------------------------------------------------------


def vote_by_slices(sentences, prefix):
    def pairs(words):
        *earlier, latest = words
        return {(word, latest) for word in earlier}

    counts = defaultdict(Counter)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            for pair in pairs(sentence[:t]):
                counts[pair][sentence[t]] += 1
    votes = Counter()
    for pair in pairs(prefix):
        for word, count in counts[pair].items():
            votes[word] += count / counts[pair].total()
    return dict(votes)


def vote_by_places(sentences, prefix):
    """Pairs by their places, so that no word is compared with itself."""

    def pairs(words):
        return set(zip(words, words[-1:] * (len(words) - 1), strict=False))

    votes = {}
    for pair in pairs(prefix):
        after = [s[t] for s in sentences for t in range(1, len(s)) if pair in pairs(s[:t])]
        for word in after:
            votes[word] = votes.get(word, 0) + 1 / len(after)
    return votes


# --- agreement -------------------------------------------------------------------------------


def _matrices(sentences, prefixes):
    """Presence of earlier words (N, E), and what came next (N, W), of all sentences."""
    latest = prefixes[0][-1]
    places = [(s, t) for s in sentences for t in range(len(s) - 1) if s[t] == latest]
    earlier = sorted({word for s, t in places for word in s[:t]})
    following = sorted({s[t + 1] for s, t in places})
    X = np.array([[word in s[:t] for word in earlier] for s, t in places], dtype=float)
    Y = np.array([[s[t + 1] == word for word in following] for s, t in places], dtype=float)
    Z = np.array([[word in p[:-1] for word in earlier] for p in prefixes], dtype=float)
    return X.T @ Y, Z, following


def choose_by_matrices(sentences, prefixes):
    counts, Z, following = _matrices(sentences, prefixes)
    votes = Z @ (counts / counts.sum(axis=1, keepdims=True))
    return [following[i] for i in votes.argmax(axis=1)]


def choose_by_product_of_smoothed_rows(sentences, prefixes):
    """Reaches the target by another rule: logarithms of rows with a little added."""
    counts, Z, following = _matrices(sentences, prefixes)
    rows = (counts + 0.1) / (counts + 0.1).sum(axis=1, keepdims=True)
    return [following[i] for i in (Z @ np.log(rows)).argmax(axis=1)]


def _shares_of(votes):
    totals = votes.sum(axis=1, keepdims=True)
    return np.where(totals > 0, votes / np.where(totals > 0, totals, 1), 1 / votes.shape[1])


def shares_by_matrices(sentences, prefixes, choices):
    counts, Z, following = _matrices(sentences, prefixes)
    counts = counts[:, [following.index(choice) for choice in choices]]
    P = counts / counts.sum(axis=1, keepdims=True)
    alone = counts.sum(axis=0) / counts.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = np.nan_to_num(P * np.log(P / alone)).sum(axis=1)
    return _shares_of((Z * (gains > 0.1 * gains.max())) @ P)


def shares_by_a_limit_in_bits(sentences, prefixes, choices):
    """The limit is a number of bits, and is put on the distance of the rows."""
    latest = prefixes[0][-1]
    rows = defaultdict(Counter)
    for s in sentences:
        t = s.index(latest)
        for word in set(s[:t]):
            rows[word][s[t + 1]] += 1
    alone = sum(rows.values(), Counter())
    base = alone[choices[0]] / alone.total()
    shares = []
    for prefix in prefixes:
        told = [rows[word][choices[0]] / rows[word].total() for word in {*prefix[:-1]} & {*rows}]
        kept = [p for p in told if abs(p - base) > 0.2]
        mean = sum(kept) / len(kept) if kept else 0.5
        shares.append((mean, 1 - mean))
    return torch.tensor(shares)


# --- every prefix ----------------------------------------------------------------------------


def prefixes_by_loop(ids, votes, masks):
    rows = np.zeros((len(ids), votes.shape[-1]))
    for t, latest in enumerate(ids):
        for earlier in set(ids[:t].tolist()):
            rows[t] += masks[latest, earlier] * votes[earlier, latest]
    return rows


def prefixes_in_torch(ids, votes, masks):
    ids = torch.as_tensor(ids)
    X = torch.nn.functional.one_hot(ids, len(votes)).double()
    present = torch.ones(len(ids), len(ids), dtype=torch.double).tril(-1) @ X
    heard = present.bool() & torch.as_tensor(masks)[ids]
    return torch.einsum("te,tl,elw->tw", heard.double(), X, torch.as_tensor(votes))


VARIANTS = {
    "03-skip-bigrams/count-features": {
        "float": 5.0,
        "array": np.array(5),
    },
    "03-skip-bigrams/count-rows": {
        "array": np.array([1e8, 1e2]),
        "floats": [1e8, 1e2],
    },
    "03-skip-bigrams/add-votes": {
        "array": np.array([0.75, 2.25], dtype=np.float32),
        "tensor": torch.tensor([0.75, 2.25]),
    },
    "03-skip-bigrams/features": {
        "product": features_by_product,
        "arrays": features_as_arrays,
    },
    "03-skip-bigrams/table": {
        "dictionary of lists": table_by_dictionary,
        "matrix products in torch": table_by_products,
    },
    "03-skip-bigrams/masked": {
        "one product": masked_as_product,
        "torch": masked_in_torch,
    },
    "03-skip-bigrams/gain-mask": {
        "torch": gain_in_torch,
        "a tiny number in the logarithm": gain_with_a_tiny_number,
        "rounded for the mask alone": gain_rounded_for_the_mask,
    },
    "03-skip-bigrams/faulty-line": {
        "float": 18.0,
        "array": np.array(18),
    },
    "03-skip-bigrams/voter": {
        "unpacked": vote_by_slices,
        "places": vote_by_places,
    },
    "03-skip-bigrams/by-votes": {
        "matrices": choose_by_matrices,
        "product of smoothed rows": choose_by_product_of_smoothed_rows,
    },
    "03-skip-bigrams/by-mask": {
        "matrices": shares_by_matrices,
        "a limit on the distance": shares_by_a_limit_in_bits,
    },
    "03-skip-bigrams/every-prefix": {
        "loop": prefixes_by_loop,
        "torch": prefixes_in_torch,
    },
}
