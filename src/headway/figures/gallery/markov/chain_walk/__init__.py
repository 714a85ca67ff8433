"""Figure: a Markov chain as a graph to walk, one random number a step."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number, place

MOST_STATES, MOST_SIDE_BY_SIDE = 14, 3
COLUMN, LAYER, LANE = 116, 62, 30  # px: a column of states, a layer, the lane of arrows back
LETTER, PADDING = 4.1, 10  # px: half of a letter of a state's name, and of what is left around it


def chain_walk(
    states: Sequence[str],
    matrix: np.ndarray,
    start: str,
    draws: np.ndarray,
    title: str = "Each step looks at one row, and a random number picks the next word from it",
    caption: str = (
        "Take steps until the sentence ends; or press a word yourself, and see what your choice "
        "does to the probability. Then write twenty sentences at a time and compare the two last "
        "columns."
    ),
) -> Interactive:
    """A chain drawn as a graph, with the row in use and the sentence so far.

    A draw u in [0, 1) picks the first state whose cumulative probability exceeds u. The draws
    are handed over, so that the same walk can be taken in Python.

    Args:
        states: V different names.
        matrix: (V, V), rows sum to one.
        start: the state where each sentence begins and ends.
        draws: (K, N), each in [0, 1); a row for each of K seeds.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other or the page, a row does not sum to one,
            a draw is outside [0, 1), or a state cannot be reached.
    """
    states, matrix = [str(state) for state in states], np.asarray(matrix, dtype=float)
    V = len(states)
    if matrix.shape != (V, V):
        raise ValueError(f"{V} states need a matrix of shape ({V}, {V}), got {matrix.shape}")
    if len(set(states)) != V or not 2 <= V <= MOST_STATES:
        raise ValueError(f"the graph is legible for 2 to {MOST_STATES} different states")
    if (matrix < 0).any() or not np.allclose(matrix.sum(axis=1), 1):
        raise ValueError("each row of the matrix must hold probabilities that sum to one")
    draws = np.asarray(draws, dtype=float)
    if draws.ndim != 2 or not draws.size or not ((draws >= 0) & (draws < 1)).all():
        raise ValueError(f"draws must be (seeds, steps) of numbers in [0, 1), got {draws.shape}")
    first = place(states, start, default=0)
    places = in_layers(matrix, first)
    branches = [i for i in range(V) if (matrix[i] > 0).sum() > 1]
    where = "; ".join(
        f"after {states[i]}: "
        + ", ".join(f"{states[j]} {number(matrix[i, j], 2)}" for j in np.flatnonzero(matrix[i]))
        for i in branches
    )
    return Interactive(
        script="chain_walk",
        data={
            "states": states,
            "matrix": matrix.tolist(),
            "places": places.astype(int).tolist(),
            "width": 3 * COLUMN + LANE,
            "height": int(places[:, 1].max()) + LAYER // 2,
            "halves": [half_width(state) for state in states],
            "start": first,
            "draws": np.floor(draws * 1e4).astype(int).tolist(),  # short to write
        },
        title=title,
        caption=caption,
        alt=(
            f"A graph of {V} states. Every sentence starts and ends at {states[first]}. "
            f"The chain branches {where or 'nowhere'}."
        ),
        header=["from", "to", "probability"],
        rows=[[states[i], states[j], number(matrix[i, j], 4)] for i, j in np.argwhere(matrix > 0)],
        draw=lambda ax: draw_graph(ax, states, matrix, places, first),
        width=3.9,
        height=0.0085 * (int(places[:, 1].max()) + LAYER),
    )


def walk(matrix: np.ndarray, start: int, draws: np.ndarray) -> np.ndarray:
    """The states that the draws lead to, one after the other: what the figure's script does.

    Args:
        matrix: (V, V), rows sum to one.
        start: the state before the first step.
        draws: (N,), each in [0, 1).

    Returns:
        int64 (N,).
    """
    reached = np.cumsum(matrix, axis=1)
    path, here = np.empty(len(draws), dtype=np.int64), start
    for t, draw in enumerate(draws):
        here = path[t] = min(np.searchsorted(reached[here], draw, side="right"), len(matrix) - 1)
    return path


def in_layers(matrix: np.ndarray, start: int) -> np.ndarray:
    """Where to draw each state: (V, 2) px, in layers by its distance from the start.

    Raises:
        ValueError: if a state cannot be reached, or a layer is too wide.
    """
    layers, seen = [[start]], {start}
    while layers[-1]:
        following = np.flatnonzero((matrix[layers[-1]] > 0).any(axis=0))
        layers.append([int(j) for j in following if j not in seen])
        seen.update(layers[-1])
    if len(seen) < len(matrix):
        raise ValueError(f"{len(matrix) - len(seen)} states cannot be reached from the start")
    widest = max(map(len, layers))
    if widest > MOST_SIDE_BY_SIDE:
        raise ValueError(f"{widest} states in a layer; {MOST_SIDE_BY_SIDE} are legible")
    places = np.empty((len(matrix), 2))
    for depth, layer in enumerate(layers[:-1]):
        for i, state in enumerate(layer):
            places[state] = (1.5 + i - (len(layer) - 1) / 2) * COLUMN, (depth + 0.5) * LAYER
    return places


def half_width(state: str) -> float:
    """Half the width of the box around a state's name, in px."""
    return LETTER * len(state) + PADDING


def draw_graph(ax, states, matrix, places, start) -> None:
    """The static picture: states in layers, arrows as thick as they are probable."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    lane = 3 * COLUMN + LANE - 8
    ax.set_axis_off()
    ax.set(xlim=(0, lane + 8), ylim=(places[:, 1].max() + LAYER / 2, 0))
    for i, j in np.argwhere(matrix > 0):
        (x1, y1), (x2, y2) = places[i], places[j]
        if y2 > y1:
            steps, kind = [(x1, y1 + 14), (x2, y2 - 14)], [Path.MOVETO, Path.LINETO]
        elif y2 == y1 and i != j:
            side = np.sign(x2 - x1)
            ends = x1 + side * half_width(states[i]), x2 - side * half_width(states[j])
            steps, kind = [(ends[0], y1), (ends[1], y2)], [Path.MOVETO, Path.LINETO]
        else:
            ends = x1 + half_width(states[i]), x2 + half_width(states[j])
            middle = (lane, (y1 + y2) / 2)
            steps = [(ends[0], y1), (lane, y1), (lane, y1), middle]
            steps += [(lane, y2), (lane, y2), (ends[1], y2)]
            kind = [Path.MOVETO] + 6 * [Path.CURVE4]
        arrow = {"arrowstyle": "-|>", "mutation_scale": 10, "lw": 0.7 + 1.5 * matrix[i, j]}
        ax.add_patch(FancyArrowPatch(path=Path(steps, kind), color="C0", **arrow))
        if matrix[i, j] < 0.995:
            aside = 14 if x2 >= x1 else -14
            at = (x1 + x2) / 2 + aside, (y1 + y2) / 2
            says = number(matrix[i, j], 2)
            ax.text(*at, says, size=9, ha="center", va="center", color="C1", weight="bold")
    for i, (name, (x, y)) in enumerate(zip(states, places, strict=True)):
        box = {"boxstyle": "round,pad=0.3", "fc": "white", "ec": "C0" if i == start else "0.6"}
        ax.text(x, y, name, ha="center", va="center", size=10, bbox=box)
