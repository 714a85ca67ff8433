"""Figure: the softmax of a few scores, at any temperature."""

from collections.abc import Mapping

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.gallery.shared.bars import Bars, Case, sliding_bars

COLDEST, HOTTEST, STOPS = 0.05, 20.0, 27  # 1 is among them


def softmax_by_temperature(
    examples: Mapping[str, Mapping[str, float]], title: str, caption: str
) -> Interactive:
    """Bars of softmax(scores / τ); the reader heats and cools them.

    Args:
        examples: a name → word → score.
        title, caption: as printed.

    Raises:
        ValueError: if an example has fewer than two scores, or a score is not finite.
    """
    temperatures = np.geomspace(COLDEST, HOTTEST, STOPS)
    nearest = int(np.abs(np.log(temperatures)).argmin())
    temperatures[nearest] = 1.0
    return sliding_bars(
        [as_case(name, scores, temperatures) for name, scores in examples.items()],
        [f"{t:.2g}" for t in temperatures],
        slider="Temperature",
        title=title,
        caption=caption,
        start=nearest,
        choose="Scores",
    )


def as_case(name: str, given: Mapping[str, float], temperatures: np.ndarray) -> Case:
    """The weights of one example at all temperatures, and how evenly they are spread."""
    scores = np.array(list(given.values()), dtype=float)
    if len(scores) < 2 or not np.isfinite(scores).all():
        raise ValueError(f"{name!r} needs two finite scores or more, got {dict(given)}")
    scaled = (scores - scores.max()) / temperatures[:, None]  # (stops, N), at most 0
    weights = np.exp(scaled) / np.exp(scaled).sum(axis=1, keepdims=True)
    entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(axis=1)
    first, second = np.sort(scores)[[-1, -2]]
    return Case(
        name,
        [
            Bars(
                "weight of each word, its score in brackets",
                [f"{word} ({number(score)})" for word, score in given.items()],
                weights,
            )
        ],
        {
            "as if shared evenly by": [f"{words:.2f} words" for words in np.exp(entropy)],
            "first against second": [ratio((first - second) / t) for t in temperatures],
        },
    )


def ratio(logarithm: float) -> str:
    """e to this power, against 1."""
    if logarithm > np.log(1000):
        return "more than 1000 to 1"
    return f"{np.exp(logarithm):.3g} to 1"
