"""Build: a learned number for each head and each distance, for any positions."""

import numpy as np

from headway.tasks.chapters.positions.mistakes import (
    DIRECTION_LOST,
    FURTHER_THAN_ASKED,
    ONE_HEAD_FOR_ALL,
    OTHER_POSITIONS,
    ROWS_AND_COLUMNS_SWAPPED,
)
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def distance_bias(table, query_positions, key_positions):
    """(H, T, S): table[h, clip(s − p, −R, R) + R], for a query at p and a key at s."""
    reach = table.shape[1] // 2
    distance = key_positions[None, :] - query_positions[:, None]
    return table[:, np.clip(distance, -reach, reach) + reach]


def cases(rng: np.random.Generator) -> list[Case]:
    def table(heads, reach):
        return np.round(rng.normal(size=(heads, 2 * reach + 1)), 2)

    def places(count, among=30):
        return rng.permutation(among)[:count]

    start = int(rng.integers(4, 9))
    return [
        Case(
            "two heads, three ask seven",
            table(2, 4),
            np.arange(start, start + 3),
            np.arange(7),
            core=True,
        ),
        Case("places in any order, some far apart", table(3, 5), places(4), places(6), core=True),
        Case("all within reach", table(2, 9), np.arange(5), np.arange(5)),
        Case("a reach of 0", table(4, 0), np.arange(3), np.arange(5)),
        Case("a reach of 1", table(3, 1), np.arange(6), np.arange(6)),
        Case("the last of many asks", table(1, 3), np.array([40]), np.arange(41)),
        Case("many ask the first", table(2, 3), np.arange(12), np.array([0])),
        Case("one asks itself", table(3, 2), np.array([5]), np.array([5])),
        Case("before the beginning", table(2, 4), np.arange(-3, 3), np.arange(-2, 6)),
    ]


INDEX = "np.clip(distance, -reach, reach) + reach"
DISTANCE = "key_positions[None, :] - query_positions[:, None]"

bias_task = Task(
    id="07-positions/bias",
    title="A number for each distance",
    kind="build",
    points=2,
    minutes=8,
    answer="distance_bias",
    cases=cases,
    reference=distance_bias,
    misconceptions=(
        Misconception(
            "bias-sign",
            any_of(
                changed(
                    distance_bias, DISTANCE, "query_positions[:, None] - key_positions[None, :]"
                ),
                changed(distance_bias, INDEX, "reach - np.clip(distance, -reach, reach)"),
            ),
            "A key before its query gets the number of a key behind it. Is the distance to an "
            "earlier word negative or positive, and at which end of the table does it stand?",
        ),
        DIRECTION_LOST.by(
            changed(
                distance_bias,
                INDEX,
                "np.clip(np.abs(distance), 0, reach) + reach",
                "reach - np.clip(np.abs(distance), 0, reach)",
                "np.clip(np.abs(distance), 0, reach)",
                "np.clip(distance, -reach, 0) + reach",
                "np.clip(distance, 0, reach) + reach",
            ),
        ),
        Misconception(
            "distance-not-clipped",
            any_of(
                changed(
                    distance_bias,
                    INDEX,
                    "distance + reach",
                    "np.minimum(distance, reach) + reach",
                    "np.maximum(distance, -reach) + reach",
                    "np.minimum(distance + reach, 2 * reach)",
                ),
            ),
            "This is right for words that are near. Beyond the reach you ask for a column that is "
            "not there, or that Python counts from the end. Which number do all words share that "
            "are far off?",
        ),
        Misconception(
            "distance-wraps",
            any_of(
                changed(
                    distance_bias,
                    INDEX,
                    "(distance + reach) % (2 * reach + 1)",
                    "distance % (2 * reach + 1)",
                    "np.clip(distance, -reach, reach)",
                    "np.clip(distance, -reach, reach) % (2 * reach + 1)",
                ),
            ),
            "Your table is entered at the wrong column: a negative distance counts from its end, "
            "or a long one comes round again. In which column does distance 0 stand?",
        ),
        Misconception(
            "column-off-by-one",
            any_of(
                changed(
                    distance_bias,
                    INDEX,
                    "np.clip(distance + 1, -reach, reach) + reach",
                    "np.clip(distance - 1, -reach, reach) + reach",
                    "np.clip(distance, -reach, reach) + reach - 1",
                    "np.clip(distance, -reach, reach) + reach + 1",
                    "np.clip(distance, 1 - reach, reach - 1) + reach",
                    "np.clip(distance, -reach, reach - 1) + reach",
                    "np.clip(distance, 1 - reach, reach) + reach",
                ),
            ),
            "You are one column off, in the middle of the table or where it ends. Which distances "
            "have the first, the middle and the last column?",
        ),
        Misconception(
            "cut-off-beyond-the-reach",
            any_of(
                changed(
                    distance_bias,
                    f"table[:, {INDEX}]",
                    f"np.where(np.abs(distance) <= reach, table[:, {INDEX}], 0.0)",
                    f"np.where(np.abs(distance) <= reach, table[:, {INDEX}], -np.inf)",
                ),
            ),
            "Words beyond the reach get nothing, or are hidden. What do they share, by the text?",
        ),
        ROWS_AND_COLUMNS_SWAPPED.by(
            changed(
                distance_bias,
                DISTANCE,
                "key_positions[:, None] - query_positions[None, :]",
                "query_positions[None, :] - key_positions[:, None]",
            ),
            lambda table, query_positions, key_positions: np.moveaxis(
                distance_bias(table, query_positions, key_positions), 0, -1
            ),
        ),
        OTHER_POSITIONS.by(
            changed(
                distance_bias,
                DISTANCE,
                "np.arange(len(key_positions))[None, :] - np.arange(len(query_positions))[:, None]",
                "key_positions[None, :] - np.arange(len(query_positions))[:, None]",
                "np.arange(len(key_positions))[None, :] - query_positions[:, None]",
                "key_positions[None, :] - (key_positions[-1] - len(query_positions) + 1"
                " + np.arange(len(query_positions)))[:, None]",
                "np.broadcast_to(key_positions, (len(query_positions), len(key_positions)))",
            ),
        ),
        ONE_HEAD_FOR_ALL.by(
            changed(
                distance_bias,
                "table[:, np",
                "table[0][np",
                "table[:1, np",
                "table.mean(0)[np",
                "table.sum(0)[np",
            ),
        ),
        FURTHER_THAN_ASKED.by(
            lambda table, query_positions, key_positions: (lambda e: e / e.sum(-1, keepdims=True))(
                np.exp(distance_bias(table, query_positions, key_positions))
            ),
            lambda table, query_positions, key_positions: np.exp(
                distance_bias(table, query_positions, key_positions)
            ),
        ),
    ),
)
