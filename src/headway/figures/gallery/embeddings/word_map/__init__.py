"""Figure: word vectors on a map, and the nearest neighbors of a chosen word."""

from collections.abc import Mapping, Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, place
from headway.figures.gallery.embeddings.word_vectors import checked_vectors

MOST_GROUPS = 5  # as many as there are hues


def word_map(
    words: Sequence[str],
    vectors: np.ndarray,
    groups: Mapping[str, Sequence[str]],
    start: str,
    title: str,
    caption: str = (
        "Drag across the map. Then measure on it, too: which neighbors are near only because the "
        "map is flat?"
    ),
    count: int = 6,
) -> Interactive:
    """Words as points, and the neighbors of one of them by cosine, dot product or on the map.

    The map is the plane through the unit vectors in which they are spread most (`flatten`).

    Args:
        words: V different words.
        vectors: (V, C), none of them zero.
        groups: up to five names, each with the words that it colors; others stay gray.
        start: the word whose neighbors are shown at first.
        title, caption: as printed.
        count: how many neighbors are listed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a vector is zero, a word or
            `start` is unknown, or a word is in two groups.
    """
    words, vectors = checked_vectors(words, vectors)
    if (vectors == 0).all(axis=1).any():
        raise ValueError("a vector is zero, and has no direction to compare")
    if not 1 <= count < len(words):
        raise ValueError(f"count must be in 1 … {len(words) - 1}, got {count}")
    of = group_of(words, groups)
    here = place(words, start, default=0)
    points, kept = flatten(vectors)
    points = points.round(3)
    near, cosines = by_cosine(vectors, here, count)
    listed = ", ".join(f"{words[i]} {number(x, 2)}" for i, x in zip(near, cosines, strict=True))
    names = list(groups)
    return Interactive(
        script="word_map",
        data={
            "words": words,
            "vectors": vectors.tolist(),
            "points": points.tolist(),
            "groups": names,
            "of": of,
            "start": here,
            "count": count,
        },
        title=title,
        caption=caption,
        alt=(
            f"{len(words)} words as points on a map that keeps {kept:.0%} of their spread. The "
            f"nearest neighbors of “{words[here]}” by cosine: {listed}."
        ),
        header=["word", "group", "across", "up", "nearest neighbor", "cosine"],
        rows=[
            [word, names[of[i]] if of[i] >= 0 else "", *(number(x, 2) for x in points[i]),
             *nearest_one(words, vectors, i)]
            for i, word in enumerate(words)
        ],
        draw=lambda ax: draw_map(ax, words, points, of, here, near),
        width=6.0,
        height=4.4,
    )  # fmt: skip


def group_of(words: list[str], groups: Mapping[str, Sequence[str]]) -> list[int]:
    """For each word the number of its group, −1 if it has none.

    Raises:
        ValueError: if there are too many groups, or a word is unknown or in two of them.
    """
    if len(groups) > MOST_GROUPS:
        raise ValueError(f"{MOST_GROUPS} groups can be told apart, got {len(groups)}")
    of = [-1] * len(words)
    for g, (name, members) in enumerate(groups.items()):
        for word in members:
            i = place(words, word, default=0)
            if of[i] >= 0:
                raise ValueError(f"{word!r} is in two groups, {name!r} is the second")
            of[i] = g
    return of


def unit(vectors: np.ndarray) -> np.ndarray:
    """Each row at length one."""
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def flatten(vectors: np.ndarray) -> tuple[np.ndarray, float]:
    """The two principal components of the unit vectors.

    Args:
        vectors: (V, C).

    Returns:
        points (V, 2), whose largest coordinate is positive in each direction; and the share of
        the spread, the sum of squared distances from the mean, that they keep.
    """
    centered = unit(vectors) - unit(vectors).mean(axis=0)
    _, strengths, directions = np.linalg.svd(centered, full_matrices=False)
    points = centered @ directions[:2].T
    largest = np.abs(points).argmax(axis=0)
    points *= np.where(points[largest, [0, 1]] < 0, -1, 1)
    squares = strengths**2
    return points, float(squares[:2].sum() / squares.sum())


def by_cosine(vectors: np.ndarray, here: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The nearest other words (count,) and their cosines (count,), nearest first."""
    cosines = unit(vectors) @ unit(vectors)[here]
    order = np.argsort(-cosines, kind="stable")
    order = order[order != here][:count]
    return order, cosines[order]


def nearest_one(words: list[str], vectors: np.ndarray, here: int) -> list[str]:
    (near,), (cosine,) = by_cosine(vectors, here, 1)
    return [words[near], number(cosine, 2)]


def draw_map(ax, words, points, of, here, near) -> None:
    """The static picture: all words as points, the chosen one and its neighbors with names."""
    colors = [f"C{g}" if g >= 0 else "0.55" for g in of]
    ax.scatter(*points.T, c=colors, s=14, alpha=0.8, linewidths=0)
    ax.set(xlabel="first direction", ylabel="second direction")
    for i in near:
        ax.plot(*points[[here, i]].T, color="0.6", lw=0.8, zorder=0)
        ax.annotate(words[i], points[i], (4, 3), textcoords="offset points", size=9)
    ax.annotate(words[here], points[here], (4, 3), textcoords="offset points", weight="bold")
