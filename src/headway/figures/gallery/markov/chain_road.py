"""A chain as a graph whose arrows all lead forward, and a sentence's walk through it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

MOST_COLUMNS, MOST_STATES = 10, 2
DOT = "●"  # the boundary


@dataclass(frozen=True)
class Memory:
    """A chain as arrays, words being ids 0 … V−1 and V the boundary.

    Attributes:
        contexts: int (K, n), what the chain has met, the oldest word first.
        matrix: (K, V + 1), what follows each context; rows sum to one.

    Raises:
        ValueError: if there is not one row a context, or a row does not sum to one.
    """

    contexts: np.ndarray
    matrix: np.ndarray

    def __post_init__(self):
        contexts, matrix = np.shape(self.contexts), np.shape(self.matrix)
        if len(contexts) != 2 or len(matrix) != 2 or contexts[0] != matrix[0]:
            raise ValueError(f"a row of the matrix a context: got {contexts} and {matrix}")
        if not np.allclose(np.sum(self.matrix, axis=1), 1) or np.min(self.matrix) < 0:
            raise ValueError("each row of the matrix must hold probabilities that sum to one")

    @property
    def order(self) -> int:
        """n, how many words back it looks."""
        return np.shape(self.contexts)[1]

    @property
    def boundary(self) -> int:
        """V, the id of the mark around a sentence."""
        return np.shape(self.matrix)[1] - 1


@dataclass(frozen=True)
class Road:
    """A chain as a graph, and a sentence's walk through it.

    Attributes:
        names: what each state remembers, the oldest word first; the end comes last.
        arrows: (from, to, probability), states by their places in `names`.
        columns: for each state, how many steps it is from the start at most.
        path: (T + 2,) the states that the sentence visits, from the start to the end.
        factors: (T + 1,) the probability of each word and of the end.
    """

    names: Sequence[tuple[str, ...]]
    arrows: Sequence[tuple[int, int, float]]
    columns: Sequence[int]
    path: Sequence[int]
    factors: np.ndarray

    @property
    def products(self) -> np.ndarray:
        """(T + 1,) the factors multiplied up."""
        return np.cumprod(self.factors)

    @property
    def perplexity(self) -> float:
        """Among how many equally likely words a model would be as unsure."""
        return float(np.exp(-np.log(self.factors).mean()))


def road(chain: Memory, sentence: Sequence[int], symbols: Sequence[str]) -> Road:
    """The graph of a chain, and a walk through it.

    Args:
        chain: of order 1 or more.
        sentence: T ids, which the chain can write.
        symbols: V names.

    Raises:
        ValueError: if the sentence cannot come, a word can come back in a sentence, or the graph
            is too large to be read.
    """
    names = [*symbols, DOT]
    contexts = [tuple(context) for context in np.asarray(chain.contexts).tolist()]
    end, at = len(contexts), {context: i for i, context in enumerate(contexts)}
    P = np.asarray(chain.matrix)
    arrows = [
        (i, end if j == chain.boundary else at[(*context[1:], int(j))], float(P[i, j]))
        for i, context in enumerate(contexts)
        for j in np.flatnonzero(P[i])
    ]
    here = at[(chain.boundary,) * chain.order]
    columns = in_columns(len(contexts) + 1, arrows, here)
    follows, path, factors = {(i, j): p for i, j, p in arrows}, [here], []
    for word in [*sentence, chain.boundary]:
        ahead = end if word == chain.boundary else at.get((*contexts[path[-1]][1:], int(word)), -1)
        if (path[-1], ahead) not in follows:
            raise ValueError(f"“{' '.join(symbols[i] for i in sentence)}” has probability 0 here")
        factors.append(follows[path[-1], ahead])
        path.append(ahead)
    widest = Counter(columns).most_common(1)[0][1]
    if max(columns) >= MOST_COLUMNS or widest > MOST_STATES:
        raise ValueError(
            f"one can read up to {MOST_COLUMNS} columns of {MOST_STATES} states; "
            f"got {max(columns) + 1} columns, and {widest} states in one"
        )
    known = [tuple(names[i] for i in context) for context in contexts]
    return Road([*known, (DOT,)], arrows, columns, path, np.array(factors))


def in_columns(states: int, arrows: Sequence[tuple[int, int, float]], start: int) -> list[int]:
    """How many steps each state is from the start on the longest way.

    Raises:
        ValueError: if there is a way back to a state.
    """
    columns = [0] * states
    for _ in range(states):
        longer = [(j, columns[i] + 1) for i, j, _ in arrows if columns[j] <= columns[i]]
        if not longer:
            return columns
        for j, column in longer:
            columns[j] = max(columns[j], column)
    raise ValueError("a word can come back in a sentence, so the graph has no first and last")


def segments(factors: np.ndarray) -> list[tuple[int, int]]:
    """The walk in parts: each ends behind a choice, the last one at the end of the sentence."""
    choices = [t + 1 for t, p in enumerate(factors) if p < 1]
    return list(pairwise([0, *choices, len(factors)]))
