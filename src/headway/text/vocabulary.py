"""Words to integers and back, and integers to one-hot vectors.

A vocabulary is a list of V distinct symbols. The place of a symbol in the list is its id, and
the id says nothing but *which* symbol: it has no size and no neighbors. `one_hot` gives ids a
form with which arithmetic is harmless: a vector of V numbers, all zero but a one at the id.

Batch shapes come first, as everywhere in the course: ids of shape (..., T) become one-hot
vectors of shape (..., T, V).
"""

from collections.abc import Iterable, Sequence

import numpy as np

UNKNOWN = "<unk>"


class UnknownWordError(KeyError):
    """A word is not in the vocabulary, and the vocabulary has no id for unknown words."""

    def __str__(self) -> str:
        return self.args[0]


class Vocabulary:
    """A fixed list of symbols, and the two-way table between symbols and ids.

    Special symbols come first, in the order given; words follow in alphabetical (code point)
    order, so that the same set of words gives the same ids in every run and on every machine.

    Args:
        words: the words to know; repeats are welcome and counted once.
        specials: symbols that no text contains by itself. If `<unk>` is among them, unknown
            words take its id; if not, they raise.

    Raises:
        TypeError: if `words` is one string (its letters would become the words), or a word is
            no string.
        ValueError: if a special symbol is given twice.
    """

    def __init__(self, words: Iterable[str], specials: Sequence[str] = (UNKNOWN,)):
        for name, given in (("words", words), ("specials", specials)):
            if isinstance(given, str):
                raise TypeError(
                    f"{name} is the single string {given!r}; expected a list of words. "
                    f"Did you mean {name}={given!r}.split()?"
                )
        words, specials = list(words), list(specials)
        if wrong := [symbol for symbol in (*words, *specials) if not isinstance(symbol, str)]:
            raise TypeError(f"words and specials must be strings, got {wrong[0]!r}")
        if len(set(specials)) != len(specials):
            raise ValueError(f"specials must differ from each other, got {specials}")
        self.specials = tuple(specials)
        self.symbols = (*self.specials, *sorted(set(words) - set(specials)))
        self._ids = {symbol: i for i, symbol in enumerate(self.symbols)}

    @classmethod
    def from_text(cls, text: str, specials: Sequence[str] = (UNKNOWN,)) -> "Vocabulary":
        """The vocabulary of all words that stand in `text`, split at white space."""
        return cls(text.split(), specials)

    def __len__(self) -> int:
        """V, the number of symbols, special ones included."""
        return len(self.symbols)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._ids

    def __repr__(self) -> str:
        shown = ", ".join(self.symbols[:8]) + (", …" if len(self) > 8 else "")
        return f"Vocabulary({len(self)} symbols: {shown})"

    def id(self, symbol: str) -> int:
        """The id of one symbol.

        Raises:
            UnknownWordError: if the symbol is unknown and there is no `<unk>`.
        """
        if (known := self._ids.get(symbol)) is not None:
            return known
        if UNKNOWN in self.specials:
            return self._ids[UNKNOWN]
        raise UnknownWordError(
            f"{symbol!r} is not among the {len(self)} symbols of this vocabulary, "
            f"which has no {UNKNOWN}. Add the word, or build it with specials=({UNKNOWN!r},)."
        )

    def encode(self, words: str | Iterable[str]) -> np.ndarray:
        """Ids of a text or of a list of words.

        Args:
            words: a list of words, or a string, which is split at white space.

        Returns:
            int64 array of shape (T,); T = 0 for an empty text.
        """
        words = words.split() if isinstance(words, str) else list(words)
        try:
            ids = [self._ids[word] for word in words]
        except KeyError:  # an unknown word: the slower way, which knows what to do
            ids = [self.id(word) for word in words]
        return np.array(ids, dtype=np.int64)

    def decode(self, ids: Iterable[int]) -> list[str]:
        """Symbols of a sequence of ids, shape (T,).

        Raises:
            IndexError: if an id is not in 0 … V−1 (−1 does not mean "the last" here).
            ValueError: if the ids are a batch; decode its sentences one by one.
        """
        return [self.symbols[i] for i in check_sentence(ids, len(self))]


def check_ids(ids, size: int) -> np.ndarray:
    """`ids` as an int64 array of any shape, after checking that each is in 0 … size−1.

    Raises:
        TypeError: if they are no regular array of integers.
        IndexError: if one lies outside.
        ValueError: if the size is no whole number.
    """
    if not isinstance(size, int | np.integer) or size < 0:
        raise ValueError(f"the size of a vocabulary must be a whole number, got {size!r}")
    try:
        array = np.asarray(ids if hasattr(ids, "__array__") or np.isscalar(ids) else list(ids))
    except (TypeError, ValueError) as error:
        raise TypeError(f"ids must be integers in a regular array, got {ids!r}") from error
    if array.size == 0 and not isinstance(ids, str):
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"ids must be integers, got values of type {array.dtype} (first: {array.flat[0]})"
        )
    outside = array[(array < 0) | (array >= size)]
    if outside.size:
        allowed = f"in 0 … {size - 1}" if size else "none at all"
        raise IndexError(f"ids must be {allowed} for a vocabulary of {size}, got {outside.flat[0]}")
    return array.astype(np.int64)


def check_sentence(ids, size: int) -> np.ndarray:
    """`check_ids` for the ids of one sentence, (T,).

    Raises:
        TypeError, IndexError: as `check_ids`.
        ValueError: if they have another shape.
    """
    array = check_ids(ids, size)
    if array.ndim != 1:
        raise ValueError(
            f"decode takes the ids of one sentence, (T,), got shape {array.shape}. "
            "Of a batch, decode the sentences one by one."
        )
    return array


def one_hot(ids, size: int) -> np.ndarray:
    """One-hot vectors of ids, of any batch shape.

    one_hot(ids, V)[..., v] = 1 where v equals the id, 0 elsewhere.

    Args:
        ids: integers of shape (...), each in 0 … size−1.
        size: V, the size of the vocabulary (not of the sentence).

    Returns:
        float64 array of shape (..., V); each vector sums to one.

    Raises:
        TypeError: if the ids are not integers.
        IndexError: if an id lies outside 0 … size−1.
    """
    ids = check_ids(ids, size)
    vectors = np.zeros((*ids.shape, size))
    np.put_along_axis(vectors, ids[..., None], 1.0, axis=-1)
    return vectors


def look_up(ids, table: np.ndarray) -> np.ndarray:
    """Rows of a table by id: what `one_hot(ids, V) @ table` computes, without the products.

    Args:
        ids: integers of shape (...), each in 0 … V−1.
        table: (V, C).

    Returns:
        (..., C); C numbers are copied for an id, where the product makes V·C multiplications.

    Raises:
        IndexError: if an id is not the number of a row.
        ValueError: if the table has not two axes.
    """
    table = np.asarray(table)
    if table.ndim != 2:
        raise ValueError(f"the table must have shape (V, C), got {table.shape}")
    return table[check_ids(ids, len(table))]
