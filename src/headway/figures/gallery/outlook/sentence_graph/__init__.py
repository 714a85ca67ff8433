"""Figure: a sentence as a graph, whose edges are the weights of attention."""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Arc

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number

MOST_WORDS = 14
EDGE = 0.05  # a lighter edge is not drawn at first


def sentence_graph(
    words: Sequence[str],
    heads: Sequence[str],
    weights: np.ndarray,
    title: str,
    caption: str,
    word: int = 0,
    head: int = 0,
) -> Interactive:
    """Words below each other, and an arc for each edge, as thick as its weight.

    The edge from word s to word t has the weight that the query of t gives to the key of s, so
    that messages flow from s to t.

    Args:
        words: T words, the nodes.
        heads: a name for each head.
        weights: (heads, T, T); row t holds the weights of the edges into word t, which sum to one.
        title, caption: as printed.
        word, head: those that are chosen at first.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a row does not hold weights,
            or there is no such word or head.
    """
    words, heads = [str(word) for word in words], [str(name) for name in heads]
    weights = np.asarray(weights, dtype=float)
    T = len(words)
    if weights.shape != (len(heads), T, T):
        raise ValueError(
            f"{T} words and {len(heads)} heads need weights ({len(heads)}, {T}, {T}), got "
            f"{weights.shape}"
        )
    if not 2 <= T <= MOST_WORDS:
        raise ValueError(f"the figure is legible for 2 to {MOST_WORDS} words, got {T}")
    if not ((weights >= 0).all() and np.allclose(weights.sum(axis=-1), 1, atol=1e-4)):
        raise ValueError("each row must hold weights that sum to one")
    if not (0 <= word < T and 0 <= head < len(heads)):
        raise ValueError(f"word {word} or head {head} does not exist")
    chosen = weights[head]
    into = ", ".join(
        f"from “{words[s]}” {number(chosen[word, s], 2)}"
        for s in np.argsort(-chosen[word], kind="stable")
        if chosen[word, s] >= EDGE
    )
    return Interactive(
        script="sentence_graph",
        data={
            "words": words,
            "heads": heads,
            "weights": weights.round(3).tolist(),
            "word": word,
            "head": head,
            "least": EDGE,
        },
        title=title,
        caption=caption,
        alt=f"Arcs between {T} words, thicker where the weight is larger; {heads[head]}. "
        f"Edges into “{words[word]}”: {into}.",
        header=["into", *words],
        rows=[
            [name, *(number(weight, 2) for weight in row)]
            for name, row in zip(words, chosen, strict=True)
        ],
        draw=lambda ax: draw_arcs(ax, words, chosen, word),
        width=4.6,
        height=0.5 + 0.32 * T,
    )


def draw_arcs(ax, words, weights, chosen) -> None:
    """The static picture: the edges into one word in color, the others in gray."""
    T = len(words)
    for t, row in enumerate(weights):
        for s, weight in enumerate(row):
            if weight < EDGE:
                continue
            color, order = ("C1", 3) if t == chosen else ("0.6", 2)
            middle, span = (0.0, (s + t) / 2), max(abs(s - t), 0.5)
            ax.add_patch(Arc(middle, 0.75 * span, span, theta1=-90, theta2=90,
                             lw=4 * weight + 0.3, color=color, zorder=order))  # fmt: skip
    for t, word in enumerate(words):
        weight = "bold" if t == chosen else "normal"
        ax.annotate(word, (0, t), (-6, 0), textcoords="offset points", ha="right", va="center",
                    weight=weight)  # fmt: skip
    ax.set(xlim=(-0.3 * T, 0.42 * T), ylim=(T - 0.4, -0.6))
    ax.axis("off")
