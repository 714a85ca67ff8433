"""Build: the sinusoidal encoding in closed form, for any positions."""

import numpy as np

from headway.tasks.chapters.positions.mistakes import (
    A_SPEED_FOR_EACH_COLUMN,
    ANOTHER_LAYOUT,
    ANOTHER_UNIT,
    OTHER_POSITIONS,
    OTHER_SPEEDS,
    PRECISION_LOST,
    SINE_AND_COSINE_SWAPPED,
    SINES_ONLY,
    TURNED_THE_WRONG_WAY,
)
from headway.tasks.chapters.positions.rounding import FAR, alike_but_for_rounding
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

FOUR_DECIMALS = close(atol=1e-4)


def sinusoids(positions, width, base=10_000.0):
    """(..., C): the sine and the cosine of position · base^(−2i/C), side by side."""
    if width % 2:
        raise ValueError(f"sines and cosines come in pairs, and {width} is odd")
    speeds = base ** (-np.arange(0, width, 2) / width)
    angles = positions[..., None] * speeds
    encoding = np.empty((*positions.shape, width))
    encoding[..., 0::2] = np.sin(angles)
    encoding[..., 1::2] = np.cos(angles)
    return encoding


def cases(rng: np.random.Generator) -> list[Case]:
    def places(*shape):
        return np.round(rng.uniform(0, 40, size=shape), 1)

    def ints(T):
        return np.sort(rng.permutation(60)[:T])

    two = places(2, 5)
    # A thousand times as large, this place is told apart from what single precision makes of it.
    two.ravel()[rng.integers(two.size)] = 39.8
    return [
        Case("places of two sentences", two, 6, core=True),
        Case("whole numbers, with their default speeds", ints(7), 12, core=True),
        Case("another base", places(3, 4), 8, 100.0, path="the base"),
        Case("a base below 1", places(5), 6, 0.5, path="the base"),
        Case("before the beginning", -places(4) - 1, 6),
        Case("a single position", np.array(float(places())), 8),
        Case("a batch with heads", places(2, 3, 4), 4),
        Case("a single pair of columns", places(6), 2),
        Case("wider than the text is long", ints(3), 64),
        Case("no position at all", np.zeros(0), 4),
        Case(FAR, np.arange(99_990, 100_000) + 0.5, 16),
        Case("an odd width", places(3), 5),
    ]


SPEEDS = "base ** (-np.arange(0, width, 2) / width)"
ANGLES = "positions[..., None] * speeds"
CHECK = """    if width % 2:
        raise ValueError(f"sines and cosines come in pairs, and {width} is odd")
"""


def at_speeds(*speeds):
    """Encodings whose pairs turn at other speeds."""
    return changed(sinusoids, SPEEDS, *speeds)


def by_column(exponent):
    """Each column has a speed of its own, by its exponent."""

    def encode(positions, width, base=10_000.0):
        sinusoids(positions, width, base)
        column = np.arange(width)
        angles = positions[..., None] * base ** -exponent(column, width)
        return np.where(column % 2, np.cos(angles), np.sin(angles))

    return encode


def one_after_another(positions, width, base=10_000.0):
    """With loops, for one sentence only."""
    sinusoids(np.zeros(1), width, base)
    encoding = np.zeros((len(positions), width))
    for row, position in zip(encoding, positions, strict=True):
        for i in range(width // 2):
            angle = position / base ** (2 * i / width)
            row[2 * i], row[2 * i + 1] = np.sin(angle), np.cos(angle)
    return encoding


def for_one_text(positions, width, base=10_000.0):
    """For a row of positions, and with no look at the width."""
    angles = positions[:, None] * base ** (-np.arange(0, width, 2) / width)
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return waves.reshape(len(positions), 2 * angles.shape[-1])


(halves,) = changed(
    *changed(sinusoids, "encoding[..., 0::2]", "encoding[..., : width // 2]"),
    "encoding[..., 1::2]",
    "encoding[..., width // 2 :]",
)

sinusoids_task = Task(
    id="07-positions/sinusoids",
    title="The waves in closed form",
    kind="build",
    points=4,
    minutes=10,
    answer="sinusoids",
    cases=cases,
    reference=sinusoids,
    misconceptions=(
        ANOTHER_LAYOUT.by(halves),
        SINE_AND_COSINE_SWAPPED.by(
            changed(
                *changed(sinusoids, "encoding[..., 0::2]", "encoding[..., 2 - 1 :: 2]"),
                "encoding[..., 1::2]",
                "encoding[..., ::2]",
            ),
            changed(
                *changed(halves, "encoding[..., : width // 2]", "encoding[..., -width // 2 :]"),
                "encoding[..., width // 2 :]",
                "encoding[..., : width // 2]",
            ),
        ),
        SINES_ONLY.by(
            changed(sinusoids, "np.cos(angles)", "np.sin(angles)"),
            changed(sinusoids, "np.sin(angles)", "np.cos(angles)"),
            changed(
                *changed(sinusoids, "np.empty", "np.zeros"),
                "    encoding[..., 1::2] = np.cos(angles)\n",
                "",
            ),
        ),
        OTHER_SPEEDS.by(
            at_speeds(
                "base ** (-np.arange(width // 2) / width)",
                "base ** (np.arange(0, width, 2) / width)",
                "base ** (-2 * np.arange(0, width, 2) / width)",
                "base ** (-np.arange(0, width, 2) / (width - 2 or 1))",
                "base ** (-np.arange(0, width, 2) // width)",
                "base ** (-np.arange(0, width, 2) / 2)",
                "base ** -np.arange(0.0, width, 2)",
                "base ** -np.arange(0.0, width, 2) / width",
                "np.linspace(1, 1 / base, width // 2)",
                "base ** (-np.arange(0, width, 2) / width)[::-1]",
                "np.ones(width // 2)",
                "np.full(width // 2, 1 / base)",
                "base ** (-np.arange(2, width + 1, 2) / width)",
            )
        ),
        A_SPEED_FOR_EACH_COLUMN.by(
            by_column(lambda column, width: column / width),
            by_column(lambda column, width: 2 * column / width),
            by_column(lambda column, width: 2 * ((column + 1) // 2) / width),
        ),
        TURNED_THE_WRONG_WAY.by(changed(sinusoids, ANGLES, "-positions[..., None] * speeds")),
        Misconception(
            "base-ignored",
            any_of(
                at_speeds("10_000.0 ** (-np.arange(0, width, 2) / width)"),
                at_speeds("1_000.0 ** (-np.arange(0, width, 2) / width)"),
                lambda positions, width, base=1_000.0: sinusoids(positions, width, base),
            ),
            "This is right for one base, and for another one it is not. Where does the third "
            "argument come in, and what is it if nobody gives it?",
        ),
        ANOTHER_UNIT.by(
            changed(
                sinusoids,
                ANGLES,
                "2 * np.pi * positions[..., None] * speeds",
                "np.radians(positions[..., None] * speeds)",
            )
        ),
        OTHER_POSITIONS.by(
            changed(
                sinusoids,
                ANGLES,
                "(positions[..., None] + 1) * speeds",
                "np.arange(positions.shape[-1])[:, None] * speeds",
                "np.arange(positions.size).reshape(positions.shape)[..., None] * speeds",
            ),
            changed(
                sinusoids,
                ANGLES,
                "(positions - positions.reshape(-1)[:1])[..., None] * speeds"
                " if positions.ndim else 0 * speeds",
            ),
            changed(
                sinusoids,
                ANGLES,
                "np.floor(positions)[..., None] * speeds",
                "np.abs(positions)[..., None] * speeds",
                "np.maximum(positions, 0)[..., None] * speeds",
            ),
        ),
        Misconception(
            "one-shape-only",
            any_of(
                one_after_another,
                for_one_text,
                changed(
                    sinusoids,
                    ANGLES,
                    "np.outer(positions, speeds)",
                    "positions[:, None] * speeds",
                    "positions[:, :, None] * speeds",
                ),
            ),
            "This works for one number of axes, and raises or mixes things up for others. How do "
            "you add a last axis, however many there are?",
        ),
        PRECISION_LOST.by(
            changed(
                sinusoids,
                ANGLES,
                "np.float32(positions)[..., None] * np.float32(speeds)",
                "positions[..., None] * np.float32(speeds)",
            ),
        ),
        Misconception(
            "odd-width-accepted",
            any_of(
                changed(
                    sinusoids,
                    "raise ValueError",
                    "width += 1  # ",
                    "width -= 1  # ",
                ),
                changed(
                    *changed(sinusoids, CHECK, ""),
                    "np.cos(angles)",
                    "np.cos(angles[..., : width // 2])",
                ),
            ),
            "You take an odd width as if it were even. Which column is the partner of the last one "
            "there, and what does the text ask for?",
        ),
    ),
    compare=FOUR_DECIMALS,
    alike=alike_but_for_rounding(sinusoids, FOUR_DECIMALS),
)
