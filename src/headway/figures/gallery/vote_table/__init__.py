"""Figure: a table of votes with a mask to switch."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.votes import Prefix, check_choices, tally

MOST_FEATURES = 14


def vote_table(
    features: Sequence[str],
    words: Sequence[str],
    votes: np.ndarray,
    prefixes: Sequence[Prefix],
    present: np.ndarray,
    mask: np.ndarray,
    title: str,
    caption: str = (
        "Switch off one feature after the other. Which of them change the winner, and which only "
        "the sums? How few can you leave switched on so that both sentences still come out right?"
    ),
) -> Interactive:
    """The votes of each feature, with a switch for each: the sums follow.

    Args:
        features: F names of rows, "battery … ran".
        words: W next words, the names of the columns.
        votes: (F, W), what each feature votes for.
        prefixes: P sentences so far, to choose from.
        present: (P, F) bool, the features that stand in each.
        mask: (F,) bool, the features that inform; a button sets the switches so.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a vote is not in 0 … 1, or
            what follows a prefix is no column.
    """
    features, words = [str(name) for name in features], [str(word) for word in words]
    votes, present, mask = np.asarray(votes, dtype=float), np.asarray(present), np.asarray(mask)
    F, W, P = len(features), len(words), len(prefixes)
    if votes.shape != (F, W) or present.shape != (P, F) or mask.shape != (F,):
        raise ValueError(
            f"{F} features, {W} words and {P} prefixes need votes ({F}, {W}), present ({P}, {F}) "
            f"and a mask ({F},); got {votes.shape}, {present.shape} and {mask.shape}"
        )
    if not 1 <= F <= MOST_FEATURES:
        raise ValueError(f"the table is legible for 1 to {MOST_FEATURES} features, got {F}")
    check_choices(words, prefixes)
    if present.dtype != bool or mask.dtype != bool:
        raise ValueError(
            f"present and mask hold booleans, got {present.dtype} and {mask.dtype}; True means "
            "that the feature stands there, and that it may vote"
        )
    if not ((votes >= 0) & (votes <= 1)).all():
        raise ValueError("votes are shares in 0 … 1; are they counts that nobody divided?")
    sums = [votes[row].sum(axis=0) for row in present]
    masked = [votes[row & mask].sum(axis=0) for row in present]
    return Interactive(
        script="vote_table",
        data={
            "features": features,
            "words": words,
            "votes": votes.tolist(),
            "prefixes": [prefix.text for prefix in prefixes],
            "following": [words.index(prefix.following) for prefix in prefixes],
            "present": present.tolist(),
            "mask": mask.tolist(),
        },
        title=title,
        caption=caption,
        alt=(
            f"“{prefixes[0].text}”: {present[0].sum()} of {F} features are present. "
            f"Summed, they give {tally(words, sums[0])}; the features of the mask alone, "
            f"{tally(words, masked[0])}."
        ),
        header=["feature", *words, *(f"present in sentence {p + 1}" for p in range(P)), "mask"],
        rows=[
            [
                name,
                *(number(x, 2) for x in votes[f]),
                *("yes" if present[p, f] else "no" for p in range(P)),
                "1" if mask[f] else "0",
            ]
            for f, name in enumerate(features)
        ],
        draw=lambda ax: draw_table(ax, features, words, votes, present[0], sums[0]),
        width=2.3 + 1.0 * (W + 1),
        height=0.32 * (F + 2.6),
    )


def draw_table(ax, features, words, votes, present, sums) -> None:
    """The static picture: the rows that vote lit, their sums below."""
    ax.set_axis_off()
    bottom = len(features) + 0.3
    ax.set(xlim=(-2.1, len(words) + 1), ylim=(bottom + 0.6, -1.2))
    for c, name in enumerate(["present", *words]):
        ax.text(c + 0.5, -0.7, name, ha="center", va="center", weight="bold")
    for f, name in enumerate(features):
        lit = bool(present[f])
        if lit:
            ax.axhspan(f - 0.5, f + 0.5, color="C0", alpha=0.15, lw=0)
        weight = "bold" if lit else "normal"
        ax.text(-0.15, f, name, ha="right", va="center", weight=weight)
        for c, x in enumerate([lit, *votes[f]]):
            ax.text(c + 0.5, f, number(x, 2), ha="center", va="center", weight=weight)
    ax.axhline(len(features) - 0.4, color="C0", lw=1)
    ax.text(0.9, bottom, "sum of the votes", ha="right", va="center", color="C0")
    for c, x in enumerate(sums):
        ax.text(c + 1.5, bottom, number(x, 2), ha="center", va="center", color="C0", weight="bold")
