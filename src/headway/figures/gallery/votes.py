"""Figures: a table of votes with a mask to switch, and bars of votes before and after the mask."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, require_sentence

MOST_FEATURES, MOST_WORDS, MOST_PREFIXES = 14, 4, 3


@dataclass(frozen=True)
class Prefix:
    """The words so far, of which the figures ask what comes next.

    Attributes:
        text: as printed, "check the log and see whether it ran".
        following: the word that does come next, as in the figure's `words`.
    """

    text: str
    following: str


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


def vote_bars(
    words: Sequence[str],
    prefixes: Sequence[Prefix],
    stops: Sequence[str],
    slider: str,
    before: np.ndarray,
    after: np.ndarray,
    start: int,
    title: str,
    caption: str,
) -> Interactive:
    """Votes for the next word before and after the mask, at every stop of a slider.

    Args:
        words: W next words that get votes.
        prefixes: P sentences so far, to choose from.
        stops: K names of the slider's places.
        slider: what the slider changes.
        before, after: (K, P, W) votes without and with the mask.
        start: the stop that is shown at first.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, a vote is negative, the stop does not
            exist, or what follows a prefix is none of the words.
    """
    words, stops = [str(word) for word in words], [str(stop) for stop in stops]
    before, after = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    shape = (len(stops), len(prefixes), len(words))
    if before.shape != shape or after.shape != shape:
        raise ValueError(
            f"{shape[0]} stops, {shape[1]} prefixes and {shape[2]} words need votes {shape} before "
            f"and after the mask; got {before.shape} and {after.shape}"
        )
    check_choices(words, prefixes)
    if not (np.isfinite(before).all() and min(before.min(), after.min()) >= 0):
        raise ValueError("votes are finite numbers of 0 or more")
    if not 0 <= start < len(stops):
        raise ValueError(f"stop {start} does not exist; there are {len(stops)}")
    return Interactive(
        script="vote_bars",
        data={
            "words": words,
            "prefixes": [prefix.text for prefix in prefixes],
            "following": [words.index(prefix.following) for prefix in prefixes],
            "stops": stops,
            "slider": require_sentence("slider", slider),
            "start": start,
            "before": before.tolist(),
            "after": after.tolist(),
        },
        title=title,
        caption=caption,
        alt=(
            f"Bars of votes after “{prefixes[0].text}”. Before the mask: "
            f"{tally(words, before[start, 0])}. After the mask: {tally(words, after[start, 0])}."
        ),
        header=[slider, "sentence"]
        + [f"{w}, {when}" for when in ("before", "after") for w in words],
        rows=[
            [stop, str(p + 1), *(number(x, 2) for x in (*before[k, p], *after[k, p]))]
            for k, stop in enumerate(stops)
            for p in range(len(prefixes))
        ],
        draw=lambda fig: draw_bars(fig, words, before[start, 0], after[start, 0]),
        width=6.0,
        height=0.7 + 0.45 * len(words),
    )


def check_choices(words: list[str], prefixes: Sequence[Prefix]) -> None:
    """Raise ValueError unless words and prefixes can be shown, and fit each other."""
    if len(set(words)) != len(words) or not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(f"2 to {MOST_WORDS} different next words are legible, got {words}")
    if not 1 <= len(prefixes) <= MOST_PREFIXES:
        raise ValueError(f"1 to {MOST_PREFIXES} prefixes can be chosen from, got {len(prefixes)}")
    for prefix in prefixes:
        require_sentence("a prefix", prefix.text)
        if prefix.following not in words:
            raise ValueError(f"{prefix.following!r} is none of the words {', '.join(words)}")


def tally(words: Sequence[str], votes: np.ndarray) -> str:
    """Votes in words: "4 for down and 5 for please"."""
    return " and ".join(f"{number(x, 2)} for {w}" for w, x in zip(words, votes, strict=True))


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


def draw_bars(fig, words, before, after) -> None:
    """The static picture: two panels of bars on one scale."""
    panels = fig.subplots(1, 2, sharey=True)
    widest = max(before.max(), after.max(), 1)
    places = np.arange(len(words))
    for ax, votes, name in zip(panels, (before, after), ("before", "after"), strict=True):
        ax.barh(places, votes, color="C0" if name == "before" else "C2", height=0.6)
        for place, x in zip(places, votes, strict=True):
            ax.annotate(
                number(x, 2), (x, place), xytext=(5, 0), textcoords="offset points", va="center"
            )
        ax.set(xlim=(0, widest * 1.18), yticks=places, yticklabels=words)
        ax.set(title=f"{name} the mask", xlabel="votes")
        ax.grid(axis="y", visible=False)
    panels[0].invert_yaxis()
