"""Wrong answers to masking with labels that differ from the right one in more than a line."""

import numpy as np

from headway.tasks.chapters.masked_model.mask_looks import NOTHING


def one_fate(ids, special, mask_id, size, seed, share=0.15):
    """Stands for every way in which all chosen words of a call share theirs."""
    return f"one fate for all, {seed}"


def fixed_number(ids, special, mask_id, size, seed, share=0.15):
    """As many labels in each row as its words and the share say."""
    rng = np.random.default_rng(seed)
    order = np.where(np.isin(ids, special), 2.0, rng.random(ids.shape)).argsort(1).argsort(1)
    count = np.rint(share * (~np.isin(ids, special)).sum(1, keepdims=True))
    return _masked(ids, order < count, special, mask_id, size, rng)


def fixed_number_of_all(ids, special, mask_id, size, seed, share=0.15):
    """As many labels in the batch as its words and the share say."""
    rng = np.random.default_rng(seed)
    places = np.flatnonzero(~np.isin(ids, special))
    chosen = np.zeros(ids.size, dtype=bool)
    chosen[rng.permutation(places)[: round(share * len(places))]] = True
    return _masked(ids, chosen.reshape(ids.shape), special, mask_id, size, rng)


def _masked(ids, chosen, special, mask_id, size, rng):
    """The right fates of places that were chosen somehow."""
    fate, words = rng.random(ids.shape), np.setdiff1d(np.arange(size), special)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), rng.choice(words, ids.shape), inputs)
    return inputs, np.where(chosen, ids, NOTHING)


def fixed_numbers_of_fates(ids, special, mask_id, size, seed, share=0.15):
    """Of the chosen words of the batch exactly eight in ten are hidden, and one in ten replaced."""
    rng = np.random.default_rng(seed)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    places = rng.permutation(np.flatnonzero(chosen))
    ends = [round(0.8 * len(places)), round(0.9 * len(places))]
    masked, replaced, _ = np.split(places, ends)
    inputs = ids.copy()
    inputs.flat[masked] = mask_id
    inputs.flat[replaced] = rng.choice(np.setdiff1d(np.arange(size), special), len(replaced))
    return inputs, np.where(chosen, ids, NOTHING)


def specials_kept_in_labels(ids, special, mask_id, size, seed, share=0.15):
    """The special tokens are never changed, and have labels now and then."""
    rng = np.random.default_rng(seed)
    chosen = rng.random(ids.shape) < share
    inputs, _ = _masked(ids, chosen & ~np.isin(ids, special), special, mask_id, size, rng)
    return inputs, np.where(chosen, ids, NOTHING)


def all_are_words(ids, special, mask_id, size, seed, share=0.15):
    """Every token may be chosen, and every id but 0 replaces one, as on the page."""
    rng = np.random.default_rng(seed)
    chosen, fate = rng.random(ids.shape) < share, rng.random(ids.shape)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    others = rng.integers(1, size, ids.shape)
    inputs = np.where(chosen & (fate >= 0.9), others, inputs)
    return inputs, np.where(chosen, ids, NOTHING)


def fates_of_all(ids, special, mask_id, size, seed, share=0.15):
    """Eight in ten of all chosen words, drawn anew for each fate."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    inputs = np.where(chosen & (rng.random(ids.shape) < 0.8), mask_id, ids)
    again = chosen & (rng.random(ids.shape) < 0.1)
    return np.where(again, rng.choice(words, ids.shape), inputs), np.where(chosen, ids, NOTHING)


def draws_for_each_fate(ids, special, mask_id, size, seed, share=0.15):
    """Three draws over all words, so that few of the labels belong to a hidden word."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    may = ~np.isin(ids, special)
    masked, replaced = (may & (rng.random(ids.shape) < share * part) for part in (0.8, 0.1))
    chosen = may & (rng.random(ids.shape) < share)
    inputs = np.where(replaced, rng.choice(words, ids.shape), np.where(masked, mask_id, ids))
    return inputs, np.where(chosen, ids, NOTHING)


def always_another(ids, special, mask_id, size, seed, share=0.15):
    """A random word is one of the others, by its place among the words."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(size), special)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    fate, step = rng.random(ids.shape), rng.integers(1, max(len(words), 2), ids.shape)
    others = words[(np.searchsorted(words, ids) + step) % len(words)]
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    return np.where(chosen & (fate >= 0.9), others, inputs), np.where(chosen, ids, NOTHING)


def words_behind_the_specials(ids, special, mask_id, size, seed, share=0.15):
    """A random word is any id behind the largest special one."""
    rng = np.random.default_rng(seed)
    chosen = ~np.isin(ids, special) & (rng.random(ids.shape) < share)
    fate, behind = rng.random(ids.shape), np.arange(min(max(special) + 1, size - 1), size)
    inputs = np.where(chosen & (fate < 0.8), mask_id, ids)
    inputs = np.where(chosen & (fate >= 0.9), rng.choice(behind, ids.shape), inputs)
    return inputs, np.where(chosen, ids, NOTHING)
