"""Drawing: what an encoder reads, what a decoder writes, and where it looks for each word."""

import numpy as np

from headway.figures.gallery.masked_model.looked import percent
from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.translator.crossing_forms import UPRIGHT, WIDE, draw
from headway.figures.gallery.translator.looks import Crossing, check, most_other


def crossing(made: Crossing, title: str, caption: str) -> Stepped:
    """The drawing: the source, the memory, then a step for each word that is written.

    Args:
        made: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, rows are no weights, or there are too
            many words to read.
    """
    check(made)
    looks = ", ".join(
        f"“{word}” looks most at “{made.source[int(row.argmax())]}” ({row.max():.2f})"
        for word, row in zip(made.target, made.weights, strict=True)
    )
    alt = (
        f"The encoder reads “{' '.join(made.source)}”. The decoder writes "
        f"“{' '.join(made.target)}”: while it writes, {looks}."
    )
    own = " and ".join(
        f"“{made.source[i]}” most to “{made.source[most_other(made.own, i)]}” "
        f"({percent(made.own[i, most_other(made.own, i)])})"
        for i in made.asking
    )
    return stepped(
        draw(made, alt, WIDE),
        steps=[
            "A sentence to translate.",
            f"The encoder reads it all at once, and its words listen to each other: {own}. "
            "It returns a row for each: the memory.",
            *(written(made, t) for t in range(len(made.target))),
        ],
        title=title,
        caption=caption,
        alt=alt,
        upright=draw(made, alt, UPRIGHT),
        header=["writes", *made.source, "probability"],
        rows=[
            [word, *(f"{w:.2f}" for w in row), f"{p:.3f}"]
            for word, row, p in zip(made.target, made.weights, made.sure, strict=True)
        ],
    )


def written(made: Crossing, t: int) -> str:
    """What happens while the word at place t is written, in a sentence."""
    looks = np.argmax(made.weights, axis=1)
    word, most = made.target[t], made.source[int(looks[t])]
    share = percent(float(made.weights[t, looks[t]]))
    read = f"The decoder has read {made.start}" if t == 0 else f"It reads “{made.target[t - 1]}”"
    before = looks[:t].max(initial=-1)
    if looks[t] > before + 1:
        passed = " ".join(made.source[s] for s in range(before + 1, looks[t]))
        way = f"jumps ahead, past “{passed}”, to “{most}” ({share})"
    elif looks[t] < before:
        way = f"goes back to “{most}” ({share})"
    else:
        way = f"goes on to “{most}” ({share})" if t else f"looks at “{most}” ({share})"
    return f"{read}, {way}, and writes “{word}”."
