"""Figure: bars of votes before and after the mask."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, require_sentence
from headway.figures.gallery.skip_bigrams.votes import Prefix, check_choices, tally


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
