"""Drawing: one word asks several questions at once, and each head brings home an answer."""

import numpy as np

from headway.figures.gallery.many_heads.asking import NARROW, WIDE, Heads, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_WORDS, MOST_HEADS, MOST_NUMBERS = 8, 4, 4


def heads_side_by_side(heads: Heads, title: str, caption: str) -> Stepped:
    """The drawing: a word, what it asks, what its heads bring home, and what becomes of that.

    Args:
        heads: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there is too much to read.
    """
    check(heads)
    asker, H = heads.words[heads.asks], len(heads.questions)
    most = [heads.words[int(np.argmax(row))] for row in heads.weights]
    said = [f"{name} ({p:.0%})" for name, p in heads.answers]
    looks = [
        f"“{question}” gives {row.max():.0%} of its weight to “{word}”"
        for question, word, row in zip(heads.questions, most, heads.weights, strict=True)
    ]
    alt = f"“{asker}” asks {H} questions at once. {'; '.join(looks)}. The answers: "
    alt += f"{', '.join(said)}."
    return stepped(
        draw(heads, WIDE, alt).svg(),
        steps=[
            f"“{asker}” has {H} questions for the other words.",
            f"It asks them all at the same time, each with a head of its own: {'; '.join(looks)}.",
            "Each head brings home what it has found, in a short row of its own.",
            "The rows are put side by side, so nothing is mixed up, and one more matrix makes one "
            f"row of them. From it the answers are read: {', '.join(said)}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["word", *(f"weight of head {h + 1}" for h in range(H))],
        rows=[
            [word, *(f"{w:.2f}" for w in heads.weights[:, t])] for t, word in enumerate(heads.words)
        ],
        upright=draw(heads, NARROW, alt).svg(upright=True),
    )


def check(heads: Heads) -> None:
    """Raise ValueError as `heads_side_by_side` says."""
    H, T, D = len(heads.questions), len(heads.words), np.shape(heads.found)[-1]
    given = (np.shape(heads.weights), np.shape(heads.found), len(heads.answers))
    if given != ((H, T), (H, D), H) or not 0 <= heads.asks < T:
        raise ValueError(
            f"{T} words and {H} questions need weights ({H}, {T}), a row and an answer a head, and "
            f"a word that asks; got {given}, and word {heads.asks} asks"
        )
    if T > MOST_WORDS or H > MOST_HEADS or D > MOST_NUMBERS:
        raise ValueError(
            f"one can read up to {MOST_WORDS} words, {MOST_HEADS} heads and {MOST_NUMBERS} numbers "
            f"a head; got {T}, {H} and {D}"
        )
