"""Figure: a projection's columns on their way through the heads and back, step by step."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.palette import QUERY

STEPS = (
    ("projected", "(T, C)", "wide", "", "One product with W_Q made C numbers of each word. Each of "
     "them has read all of the word. Shades show which head a column is for."),
    ("split", "(T, H, D)", "split", "", "Each row is cut into H pieces of D = C/H numbers. "
     "Nothing is computed."),
    ("heads first", "(H, T, D)", "heads", "", "The axes of words and heads change places. Now "
     "each head has a table of its own, one row a word."),
    ("attended", "(H, T, D)", "heads", "words", "Keys and values came the same way. Each head has "
     "replaced its rows by means over words, with weights of its own."),
    ("words first", "(T, H, D)", "split", "words", "The axes change back: all that the heads found "
     "for a word stands in one row again."),
    ("side by side", "(T, C)", "wide", "words", "The pieces of a row are joined. Each column "
     "still belongs to one head."),
    ("after W_O", "(T, C)", "wide", "heads", "The product with W_O mixes the columns. From here "
     "on, every number holds something from every head."),
)  # fmt: skip


def head_reshape(words: Sequence[str], order: np.ndarray, title: str, caption: str) -> Interactive:
    """Numbered cells that move as split, transpose and merge move them.

    Args:
        words: T names of the rows.
        order: (H, T, D) ints; where the numbers 0 … T·C−1 of a (T, C) table stand after they
            were split into heads.
        title, caption: as printed.

    Raises:
        ValueError: if `order` is not an arrangement of these numbers.
    """
    words, order = [str(word) for word in words], np.asarray(order)
    if order.ndim != 3 or order.shape[1] != len(words):
        raise ValueError(f"order must be (H, T, D) with T = {len(words)}, got {order.shape}")
    H, T, D = order.shape
    if sorted(order.ravel().tolist()) != list(range(H * T * D)):
        raise ValueError("order must hold each of the numbers 0 … T·C−1 once")
    return Interactive(
        script="head_reshape",
        data={
            "words": words,
            "heads": H,
            "order": order.tolist(),
            "steps": [
                {"name": name, "shape": shape, "place": place, "mixed": mixed, "text": text}
                for name, shape, place, mixed, text in STEPS
            ],
        },
        title=title,
        caption=caption,
        alt=(
            f"A table of {T} rows and {H * D} columns, in {H} shades of {D} columns each; beside "
            f"it the same numbers as {H} tables of {T} rows and {D} columns."
        ),
        header=["step", "shape", "what happens"],
        rows=[[name, shape, text] for name, shape, _, _, text in STEPS],
        draw=lambda ax: draw_split(ax, words, order),
        width=6.4,
        height=0.32 * (H * (T + 0.6) + 1),
    )


def draw_split(ax, words, order) -> None:
    """The static picture: the table before the split, and the heads' tables after it."""
    H, T, D = order.shape
    C = H * D
    right = C + 4
    ax.set(xlim=(-2.4, right + D), ylim=(H * (T + 0.6), -0.8))
    ax.axis("off")
    for head, t, d in np.ndindex(H, T, D):
        row, column = divmod(int(order[head, t, d]), C)
        after = (right + d, head * (T + 0.6) + t)
        for x, y in ((column, row), after):
            ax.fill(
                [x + 0.05, x + 0.95, x + 0.95, x + 0.05],
                [y + 0.05, y + 0.05, y + 0.95, y + 0.95],
                color=QUERY, alpha=0.06 + 0.18 * (head % 4), lw=0,
            )  # fmt: skip
            ax.text(x + 0.5, y + 0.5, f"{row},{column}", ha="center", va="center", size=8)
    for t, word in enumerate(words):
        ax.text(-0.2, t + 0.5, word, ha="right", va="center", size=9)
    for head in range(H):
        middle = head * (T + 0.6) + T / 2
        ax.text(right - 0.3, middle, f"head {head + 1}", ha="right", va="center", size=9)
