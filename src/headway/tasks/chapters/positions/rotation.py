"""Build: the matrix that moves the encoding of any position by an offset."""

import numpy as np

from headway.tasks.chapters.positions.mistakes import (
    ANOTHER_LAYOUT,
    ANOTHER_OFFSET,
    ANOTHER_UNIT,
    ENCODING_OF_THE_OFFSET,
    OTHER_SPEEDS,
    PRECISION_LOST,
    TURNED_THE_WRONG_WAY,
)
from headway.tasks.chapters.positions.rounding import FAR, alike_but_for_rounding
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

FOUR_DECIMALS = close(atol=1e-4)


def rotation(offset, speeds):
    """(C, C), with R PE(p) = PE(p + offset): a block for each pair (sine, cosine)."""
    width = 2 * len(speeds)
    matrix = np.zeros((width, width))
    for i, angle in enumerate(offset * speeds):
        cos, sin = np.cos(angle), np.sin(angle)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cos, sin], [-sin, cos]]
    return matrix


def cases(rng: np.random.Generator) -> list[Case]:
    def speeds(pairs, least=0.05):
        return np.round(np.sort(rng.uniform(least, 1, size=pairs))[::-1], 3).copy()

    return [
        # The first case comes once more with whole numbers, of which none is to be 0.
        Case("some places on", int(rng.integers(2, 9)), speeds(3, 0.2), core=True),
        Case("back again", -int(rng.integers(1, 6)), speeds(2)),
        Case("half a place on", 0.5, speeds(4)),
        Case("no move at all", 0, speeds(2)),
        Case("a single pair", 3, speeds(1)),
        Case("a pair that stands still", 5, np.array([1.0, 0.0])),
        Case(FAR, 300_007, speeds(3)),
    ]


BLOCK = "[[cos, sin], [-sin, cos]]"


def by_halves(offset, speeds):
    cos, sin = np.diag(np.cos(offset * speeds)), np.diag(np.sin(offset * speeds))
    return np.block([[cos, sin], [-sin, cos]])


def diagonals(offset, speeds):
    """Cosines on the diagonal as they come, each sine beside its cosine."""
    pairs = len(speeds)
    cos, sin = np.tile(np.cos(offset * speeds), 2), np.tile(np.sin(offset * speeds), 2)
    beside = np.arange(2 * pairs) ^ 1
    matrix = np.diag(cos)
    matrix[np.arange(2 * pairs), beside] = sin * np.tile([1, -1], pairs)
    return matrix


rotation_task = Task(
    id="07-positions/rotation",
    title="A matrix that moves on",
    kind="build",
    points=3,
    minutes=12,
    answer="rotation",
    cases=cases,
    reference=rotation,
    misconceptions=(
        TURNED_THE_WRONG_WAY.by(
            changed(rotation, BLOCK, "[[cos, -sin], [sin, cos]]"),
        ),
        ANOTHER_LAYOUT.by(
            by_halves,
            lambda offset, speeds: by_halves(offset, speeds).T,
            diagonals,
            lambda offset, speeds: diagonals(offset, speeds).T,
        ),
        Misconception(
            "block-mixed-up",
            changed(
                rotation,
                BLOCK,
                "[[cos, sin], [sin, cos]]",
                "[[cos, -sin], [-sin, cos]]",
                "[[sin, cos], [-cos, sin]]",
                "[[sin, cos], [cos, -sin]]",
                "[[-cos, sin], [-sin, -cos]]",
                "[[cos, 0], [0, cos]]",
                "[[cos, sin], [0, 0]]",
                # As least squares have it: what a hand at speed 0 never shows goes to 0.
                "[[cos * (speeds[i] != 0), sin], [-sin, cos]]",
            ),
            "Your block for a pair is wrong, for a hand that stands still or for all. Where should "
            "it take the hands (0, 1) and (1, 0)?",
        ),
        ENCODING_OF_THE_OFFSET.by(
            lambda offset, speeds: np.stack(
                [np.sin(offset * speeds), np.cos(offset * speeds)], -1
            ).ravel(),
            lambda offset, speeds: np.diag(
                np.stack([np.sin(offset * speeds), np.cos(offset * speeds)], -1).ravel()
            ),
            lambda offset, speeds: np.diag(
                np.stack([np.cos(offset * speeds), np.sin(offset * speeds)], -1).ravel()
            ),
        ),
        OTHER_SPEEDS.by(
            changed(
                rotation,
                "offset * speeds",
                "offset * speeds[:1].repeat(len(speeds))",
                "offset * np.ones(len(speeds))",
                "offset * speeds[::-1]",
                "offset * 10_000.0 ** (-np.arange(len(speeds)) / len(speeds))",
                "offset * speeds ** np.arange(len(speeds))",
            )
        ),
        ANOTHER_OFFSET.by(
            changed(
                rotation,
                "offset * speeds",
                "abs(offset) * speeds",
                "int(offset) * speeds",
                "round(offset + 0.01) * speeds",
                "max(offset, 0) * speeds",
                "(offset + 1) * speeds",
                "(offset - 1) * speeds",
                "speeds",
            ),
        ),
        Misconception(
            "all-pairs-in-one-block",
            any_of(
                lambda offset, speeds: np.array(
                    [
                        [
                            np.cos(offset * s) if i == j else np.sin(offset * s) * np.sign(j - i)
                            for j in range(2 * len(speeds))
                        ]
                        for i, s in enumerate(np.repeat(speeds, 2))
                    ]
                ),
                lambda offset, speeds: np.kron(
                    np.ones((len(speeds), len(speeds))), rotation(offset, speeds[:1])
                ),
            ),
            "In your matrix the pairs mix: a row has numbers outside the block of its pair. Which "
            "columns does the new sine of one pair depend on?",
        ),
        PRECISION_LOST.by(
            changed(
                rotation,
                "offset * speeds",
                "np.float32(offset) * speeds.astype(np.float32)",
                "offset * speeds.astype(np.float32)",
            ),
        ),
        ANOTHER_UNIT.by(
            changed(
                rotation,
                "offset * speeds",
                "np.degrees(offset * speeds)",
                "np.radians(offset * speeds)",
                "2 * np.pi * offset * speeds",
            )
        ),
    ),
    compare=FOUR_DECIMALS,
    alike=alike_but_for_rounding(rotation, FOUR_DECIMALS),
)
