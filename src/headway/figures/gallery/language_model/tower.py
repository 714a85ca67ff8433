"""Drawing: a language model as a tower, and one text's numbers on their way up through it."""

import numpy as np

from headway.figures.gallery.language_model.storeys import NARROW, SHOWN, WIDE, Rising, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_TOKENS = 7


def tower(rising: Rising, title: str, caption: str) -> Stepped:
    """The drawing: text, embedding, a step for each block, the way out, and the next word.

    Args:
        rising: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there are too many tokens to read.
    """
    check(rising)
    levels, _, width = np.shape(rising.stream)
    last, word = rising.tokens[-1], rising.says[0][0]
    blocks = []
    for block, (row, said) in enumerate(zip(rising.looks, rising.would_say[1:], strict=True), 1):
        most = int(np.argmax(row))
        whom = "itself" if most == len(row) - 1 else f"“{rising.tokens[most].strip()}”"
        blocks.append(
            f"Block {block}: “{last.strip()}” looks most at {whom}, and adds what it finds to its "
            f"row. Read out here, it would say “{said[0].strip()}” ({said[1]:.0%})."
        )
    read = ", ".join(token.strip() for token in rising.tokens)
    alt = f"The tokens {read} go up through {levels - 1} blocks. "
    alt += "; ".join(
        f"after {'the embedding' if i == 0 else f'block {i}'} the last row would say "
        f"{name.strip()} with {p:.2f}"
        for i, (name, p) in enumerate(rising.would_say)
    )
    alt += f". In the end: {', '.join(f'{name.strip()} {p:.2f}' for name, p in rising.says)}."
    return stepped(
        draw(rising, WIDE, alt).svg(),
        steps=[
            "The text is cut into tokens, and each token has a number, its id.",
            f"Each id takes its row of the embedding, {width} numbers; three of them are shown.",
            *blocks,
            f"The last row meets the embedding once more: a score for each of {rising.size:,} "
            f"tokens, and a softmax makes probabilities of them.",
            f"“{word.strip()}” is chosen, and it joins the text. Then everything begins again.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["row of the last token", "first three numbers", "would say", "probability"],
        rows=[
            [
                "embedding" if i == 0 else f"after block {i}",
                ", ".join(f"{x:.2f}".replace("-", "−") for x in rising.stream[i, -1, :SHOWN]),
                name.strip(),
                f"{p:.2f}",
            ]
            for i, (name, p) in enumerate(rising.would_say)
        ],
        upright=draw(rising, NARROW, alt).svg(upright=True),
    )


def check(rising: Rising) -> None:
    """Raise ValueError as `tower` says."""
    levels, T, _ = np.shape(rising.stream)
    wanted = (T, T, (levels - 1, T), levels)
    given = (
        len(rising.tokens),
        len(rising.ids),
        np.shape(rising.looks),
        len(rising.would_say),
    )
    if given != wanted:
        raise ValueError(
            f"a stream {np.shape(rising.stream)} needs tokens, ids, looks and readings "
            f"{wanted}, got {given}"
        )
    if T > MOST_TOKENS:
        raise ValueError(f"one can read up to {MOST_TOKENS} tokens, got {T}")
