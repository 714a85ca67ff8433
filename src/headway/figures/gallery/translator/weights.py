"""The static picture of attention weights between two sentences, which two figures show."""

import numpy as np

from headway.figures.core.page import number


def draw_weights(ax, source, target, weights) -> None:
    """Cells (T, S) shaded by weight, on an Axes, the numbers where there is something."""
    T, S = weights.shape
    ax.set(xlim=(0, S), ylim=(T, 0))
    ax.grid(False)
    ax.tick_params(length=0)
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(S) + 0.5, source, rotation=35, ha="left")
    ax.set_yticks(np.arange(T) + 0.5, target)
    for spine in ax.spines.values():
        spine.set_visible(False)
    for t, s in np.argwhere(weights > 0.005):
        ax.fill(
            *([s, s + 1, s + 1, s], [t, t, t + 1, t + 1]),
            color="C0", alpha=0.7 * weights[t, s], lw=0, clip_on=False,
        )  # fmt: skip
        ax.text(s + 0.5, t + 0.5, number(weights[t, s], 2), ha="center", va="center", size=9)
