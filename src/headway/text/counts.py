"""Words by the company they keep: vectors made by counting.

A word is known by where it occurs. Counted by document, its occurrences give the bag of words and
TF-IDF; counted by neighbor, they give co-occurrences. PPMI says which of these are more than
chance. Each table has a row of numbers for each word, and latent semantic analysis (LSA) makes
it short:

    bag[d, v]     = how often word v stands in document d                    (N, V)
    tf_idf[d, v]  = bag[d, v] · ln(N / documents with v)                     (N, V)
    pairs[c, o]   = how often o stands in the window around c                (V, V)
    ppmi[c, o]    = max(0, ln(pairs[c, o] / what chance would give))         (V, V)
    lsa           = L_k Σ_k, from the SVD  ln(1 + counts) = L Σ Rᵀ           (V, k)

Sentences and documents come in as lists of ids (`Vocabulary.encode` makes them). A window never
reaches over the end of a sentence. Tables are dense: at V = 5,000 a (V, V) table takes 200 MB.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from headway.text.vocabulary import check_ids


def stream(sentences: Iterable[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Sentences as one stream of ids, and the number of the sentence that each stands in.

    Args:
        sentences: lists of ids, of any lengths; empty ones are welcome.

    Returns:
        ids (n,), sentence (n,), both int64, for n words in all.

    Raises:
        TypeError: if they are words, or anything else that is no id.
    """
    sentences = list(sentences)
    lengths = [len(sentence) for sentence in sentences]
    filled = [np.asarray(sentence) for sentence in sentences if len(sentence)]
    ids = np.concatenate(filled) if filled else np.zeros(0, dtype=np.int64)
    if ids.dtype.kind not in "iu":
        raise TypeError(
            f"sentences must be lists of ids, got values of type {ids.dtype} (first: {ids[0]!r}). "
            f"Encode them with a Vocabulary; and is it a list of sentences, not one sentence?"
        )
    return ids.astype(np.int64), np.repeat(np.arange(len(lengths)), lengths)


def pairs_at(ids: np.ndarray, sentence: np.ndarray, offset: int) -> tuple[np.ndarray, np.ndarray]:
    """All pairs (word, the word `offset` places after it) within one sentence.

    Args:
        ids: (n,), a stream of words.
        sentence: (n,), the number of each word's sentence, as `stream` gives it.
        offset: 1 is the next word, −1 the word before; not 0.

    Returns:
        centers (P,), contexts (P,), in the order of the centers.
    """
    first, second = slice(0, max(0, len(ids) - abs(offset))), slice(abs(offset), None)
    here, there = (first, second) if offset > 0 else (second, first)
    together = sentence[here] == sentence[there]
    return ids[here][together], ids[there][together]


def window_pairs(
    sentences: Iterable[Sequence[int]], left: int, right: int
) -> tuple[np.ndarray, np.ndarray]:
    """All pairs (center, context) with the context in the window around the center.

    Args:
        sentences: lists of ids.
        left: how many words before the center count.
        right: how many words after it count; left=0, right=1 gives the bigrams.

    Returns:
        centers (P,), contexts (P,), int64; ordered by offset, then by place in the text.

    Raises:
        ValueError: if a side is negative, or both are 0.
    """
    if min(left, right) < 0 or left + right == 0:
        raise ValueError(f"the window needs a word on one side, got left={left}, right={right}")
    words = stream(sentences)
    found = [pairs_at(*words, offset) for offset in range(-left, right + 1) if offset]
    centers, contexts = zip(*found, strict=True)
    return np.concatenate(centers), np.concatenate(contexts)


def table_of(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """How often each pair (row, column) occurs, as an int64 table."""
    flat = check_ids(rows, shape[0]) * shape[1] + check_ids(columns, shape[1])
    return np.bincount(flat, minlength=shape[0] * shape[1]).reshape(shape)


def bag_of_words(documents: Sequence[Sequence[int]], size: int) -> np.ndarray:
    """How often each word stands in each document; their order is lost.

    Args:
        documents: N lists of ids, each id in 0 … V−1.
        size: V.

    Returns:
        (N, V) int64; row sums are the lengths of the documents.

    Raises:
        IndexError: if an id is outside 0 … V−1.
    """
    ids, document = stream(documents)
    return table_of(document, ids, (len(documents), size))


def tf_idf(counts: np.ndarray) -> np.ndarray:
    """Counts weighted by how few documents have the word: tf · ln(N / df).

    tf is the raw count of the word in the document, df the number of *documents* with the word
    (not of its occurrences). A word in every document weighs 0, a word in none has 0 anyway.
    (Libraries differ: scikit-learn's default is tf · (ln((1 + N) / (1 + df)) + 1), each row then
    scaled to length 1.)

    Args:
        counts: (N, V), as `bag_of_words` gives them.

    Returns:
        (N, V) float64.

    Raises:
        ValueError: if counts are not a table.

    Source: Spärck Jones 1972, with the natural logarithm.
    """
    if counts.ndim != 2:
        raise ValueError(f"counts must be (documents, words), got shape {counts.shape}")
    documents_with_word = np.maximum((counts > 0).sum(axis=0), 1)  # (V,)
    return counts * np.log(len(counts) / documents_with_word)


def co_occurrences(
    sentences: Iterable[Sequence[int]], size: int, left: int, right: int
) -> np.ndarray:
    """How often word o stands in the window around word c.

    Args:
        sentences: lists of ids, each in 0 … V−1.
        size: V.
        left: how many words before the center count.
        right: how many words after it count.

    Returns:
        (V, V) int64, rows are centers; symmetric if left = right.

    Raises:
        IndexError: if an id is outside 0 … V−1.
        ValueError: if a side is negative, or both are 0.
    """
    return table_of(*window_pairs(sentences, left, right), (size, size))


def ppmi(counts: np.ndarray) -> np.ndarray:
    """Positive pointwise mutual information: how much more often two words meet than by chance.

    max(0, ln(counts[c, o] / expected[c, o])), where
    expected[c, o] = (sum of row c) · (sum of column o) / (sum of all counts)

    A pair that meets as often as chance would have it, more rarely, or never has 0.

    Args:
        counts: (V, M) not negative, as `co_occurrences` gives them.

    Returns:
        (V, M) float64, nowhere negative.

    Raises:
        ValueError: if counts are not a table, or one is negative.

    Source: Church and Hanks 1990.
    """
    if counts.ndim != 2:
        raise ValueError(f"counts must be (words, contexts), got shape {counts.shape}")
    if counts.size and counts.min() < 0:
        raise ValueError(f"counts cannot be negative, got {counts.min()}; is this PPMI already?")
    shares = counts.sum(axis=0) / (counts.sum() or 1)  # (M,)
    expected = counts.sum(axis=1, keepdims=True) * shares  # (V, M)
    ratio = np.divide(counts, expected, out=np.ones(counts.shape), where=counts > 0)
    return np.log(np.maximum(ratio, 1.0))


def lsa(counts: np.ndarray, rank: int) -> np.ndarray:
    """Word vectors of width k: the strongest directions of a table of dampened counts.

    The logarithm comes first, because a handful of frequent words would otherwise own every
    direction: A = ln(1 + counts) = L Σ Rᵀ, of which the k largest singular values are kept. Dot
    products of the result are the best approximation of rank k to those of the table's rows.
    L Σ = A R, and R holds the eigenvectors of AᵀA, which are found several times faster than a
    singular value decomposition.

    Args:
        counts: (V, M) not negative, one row a *word*: co-occurrences, or the bag of words
            transposed.
        rank: k, at most min(V, M).

    Returns:
        L_k Σ_k (V, k) float64, strongest direction first. The sign of a direction is free; here
        its largest entry is positive, so that every machine draws the same map.

    Raises:
        ValueError: if the rank is not in 1 … min(V, M), or a count is negative.

    Source: Deerwester et al. 1990, whose table is of words by documents; Landauer and Dumais 1997
    for the logarithm.
    """
    if not 1 <= rank <= min(counts.shape):
        raise ValueError(f"a table {counts.shape} has ranks 1 … {min(counts.shape)}, got {rank}")
    if counts.min() < 0:
        raise ValueError(f"counts cannot be negative, got {counts.min()}; is this TF-IDF already?")
    dampened = np.log1p(counts)
    if len(counts) < counts.shape[1]:  # a (V, V) triangle has the same dot products between rows
        dampened = np.linalg.qr(dampened.T, mode="r").T  # type: ignore[attr-defined]  # numpy types no mode
    _, directions = np.linalg.eigh(dampened.T @ dampened)  # R, the weakest first
    vectors = dampened @ directions[:, ::-1][:, :rank]  # (V, k)
    largest = np.abs(vectors).argmax(axis=0)
    return vectors * np.where(vectors[largest, np.arange(rank)] < 0, -1.0, 1.0)


def nearest(vectors: np.ndarray, query: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """The words whose vectors point most nearly the same way as the query's, itself left out.

    cosine(a, b) = a · b / (‖a‖ ‖b‖); 0 where a vector is zero.

    Args:
        vectors: (V, C), one row a word.
        query: the id of the word that asks.
        number: how many neighbors to name, at most V − 1.

    Returns:
        ids (number,) int64 and cosines (number,), the nearest first; ties by id.

    Raises:
        IndexError: if the query is not the number of a row.
        ValueError: if `number` is not in 0 … V − 1.
    """
    if not 0 <= number < len(vectors):
        raise ValueError(
            f"a word among {len(vectors)} has {len(vectors) - 1} neighbors, asked for {number}"
        )
    query = int(check_ids(query, len(vectors)))
    lengths = np.linalg.norm(vectors, axis=1)
    unit = vectors / np.where(lengths == 0, 1, lengths)[:, None]
    cosines = unit @ unit[query]  # (V,)
    order = np.argsort(-cosines, kind="stable")
    order = order[order != query][:number]
    return order, cosines[order]
