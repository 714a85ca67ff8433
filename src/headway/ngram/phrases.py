"""Second-order chains in which the likely word leads astray.

Such a chain speaks in phrases: an opening word, then two slots with two words each to choose from,
nearly equally likely. What phrase comes next depends on the last one. Some phrases open with likely
words and go on vaguely; others open with less likely words and go on surely. So the greedy choice
pays later for what it takes now, and the many ways to fill the slots crowd a beam. Words are ids in
no order, and every word may follow every two, though it hardly ever does.
"""

from collections.abc import Sequence

import numpy as np

from headway.ngram.strategies import greedy, narrow_beam

SLOTS, CHOICES = 2, 2
VAGUE, TILT = 2, 2.0  # phrases that go on vaguely, and how much likelier their opening words are
GREEDY_LOSES, BEAM_LOSES, BEAM = 0.1, 0.02, 24  # shares of ln P, and how wide a beam
HOLD_VAGUE, HOLD_SURE, HOLD_NEXT = 0.4, 0.9, 0.95  # what the words of the pattern share


def vocabulary_size(phrases: int) -> int:
    """How many words the phrases have."""
    return phrases * (1 + SLOTS * CHOICES)


def phrase_chain(
    rng: np.random.Generator, phrases: int, same_ends: bool = False
) -> tuple[np.ndarray, list[int]]:
    """A chain, and where to begin.

    Args:
        rng: draws the words' ids and all probabilities.
        phrases: their number, more than `VAGUE`.
        same_ends: whether all phrases choose their last word from the same two, so that only the
            word before it tells which phrase it was.

    Returns:
        table, float64 (V, V, V): table[a, b, w] = ln P(w | a, b), the latest word being b;
        the last two words of a phrase, with which a text begins.

    Raises:
        ValueError: if there is no phrase that goes on surely.
    """
    if phrases <= VAGUE:
        raise ValueError(f"{VAGUE} phrases go on vaguely; got {phrases}, and needs one more")
    V = vocabulary_size(phrases)
    words = rng.permutation(V)
    opening, slots = words[:phrases], words[phrases:].reshape(phrases, SLOTS, CHOICES)
    if same_ends:
        slots[:, -1] = slots[0, -1]
    anything = rng.uniform(0.2, 1.8, (V, V, V))
    anything /= anything.sum(axis=-1, keepdims=True)
    P = anything.copy()
    follows = rng.gamma(1.0, size=(phrases, phrases))
    follows[:, :VAGUE] *= TILT
    follows /= follows.sum(axis=1, keepdims=True)
    for phrase in range(phrases):
        hold = HOLD_VAGUE if phrase < VAGUE else HOLD_SURE
        first, second = slots[phrase]
        into_first = [(before, opening[phrase]) for before in range(V)]
        into_second = [(opening[phrase], before) for before in first]
        for contexts, slot in ((into_first, first), (into_second, second)):
            for context in contexts:
                P[context] *= 1 - hold
                P[context][slot] += hold * rng.dirichlet(np.full(CHOICES, 30.0))
        for context in ((a, b) for a in first for b in second):
            near = follows[phrase] * rng.uniform(0.95, 1.05, phrases)
            P[context] *= 1 - HOLD_NEXT
            P[context][opening] += HOLD_NEXT * near / near.sum()
    phrase = rng.integers(phrases)
    return np.log(P), [int(rng.choice(slot)) for slot in slots[phrase]]


def log_probability(table: np.ndarray, start: Sequence[int], ids: Sequence[int]) -> float:
    """ln P of words `ids` after the two words `start`, by a table as `phrase_chain` gives it."""
    words = [*start, *ids]
    return float(sum(table[words[t - 2], words[t - 1], words[t]] for t in range(2, len(words))))


def best_log_probability(table: np.ndarray, start: Sequence[int], steps: int) -> float:
    """The largest ln P that any `steps` words have after the two words `start`.

    It needs the whole table, V³ numbers; `headway.inference.exact.viterbi` finds the words, too.
    """
    best = np.full(table.shape[:2], -np.inf)
    best[tuple(start)] = 0.0
    for _ in range(steps):
        best = (best[:, :, None] + table).max(axis=0)
    return float(best.max())


def misleading_chain(
    rng: np.random.Generator, phrases: int, steps: int, same_ends: bool = False
) -> tuple[np.ndarray, list[int], float]:
    """A chain in which the greedy choice and a plain beam lose, if they write so many words.

    ln P of the greedy words is 10 % below the best, that of a beam of 24 is 2 % below it. Of three
    chains that are drawn, about one is such a chain.

    Args:
        rng, phrases, same_ends: as those of `phrase_chain`.
        steps: the words of a text, some ten or more: in short ones nothing is lost.

    Returns:
        table and start, as `phrase_chain` gives them; and the largest ln P of `steps` words.
    """
    while True:
        table, start = phrase_chain(rng, phrases, same_ends)
        best = best_log_probability(table, start, steps)

        def lost(strategy, *width, table=table, start=start, best=best):
            words = strategy(lambda a, b: table[a, b], len(table), start, steps, steps, *width)
            return log_probability(table, start, words) / best - 1

        if lost(greedy) > GREEDY_LOSES and lost(narrow_beam, BEAM) > BEAM_LOSES:
            return table, start, best
