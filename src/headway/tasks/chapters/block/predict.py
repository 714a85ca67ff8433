"""Values to work out by hand: parameters of a block, a normed token, what is left of a word."""

import numpy as np

from headway.tasks.chapters.block.mistakes import (
    ANOTHER_SPREAD,
    BIASES_MISCOUNTED,
    FEED_FORWARD_MISCOUNTED,
    GAIN_AND_SHIFT_MISUSED,
    HEADS_MISCOUNTED,
    NORMS_MISCOUNTED,
    NOT_CENTERED,
    OUTPUT_FORGOTTEN,
    RESULTS_IN_ANOTHER_ORDER,
    UNBIASED_VARIANCE,
    WRONG_NUMBERS_TOGETHER,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception, any_of

# Width 10, two heads, a feed-forward of width 30; five blocks and a final norm.
parameters = by_hand(
    "10-block/parameters",
    "Parameters of five blocks",
    [440, 640, 220],
    BIASES_MISCOUNTED.by(
        [400, 600, 220],
        [400, 640, 220],
        [440, 600, 220],
        [440, 630, 220],
        [440, 610, 220],
        [440, 620, 220],
        [440, 660, 220],
        [410, 640, 220],
    ),
    OUTPUT_FORGOTTEN.by([330, 640, 220], [300, 600, 220], [300, 640, 220]),
    HEADS_MISCOUNTED.by([880, 640, 220], [220, 640, 220], [770, 640, 220], [275, 640, 220]),
    FEED_FORWARD_MISCOUNTED.by(
        [440, 330, 220],
        [440, 310, 220],
        [440, 300, 220],
        [400, 300, 220],
        [440, 850, 220],
        [400, 800, 220],
    ),
    NORMS_MISCOUNTED.by(
        *([440, 640, norms] for norms in (200, 110, 100, 120, 60, 50, 40, 44, 20, 22, 10))
    ),
    Misconception(
        "all-blocks-counted",
        any_of([2_200, 3_200, 220], [2_200, 3_200, 200], [2_200, 3_200, 40]),
        "The first two numbers are those of all blocks together. Of how many blocks are they "
        "asked for, and of how many the third?",
    ),
    minutes=4,
    answer="parameters",
    compare=equal(),
)

TOKENS = np.array([[2.0, 10.0, 4.0, 4.0], [6.0, 4.0, 0.0, 2.0]])
GAIN, SHIFT = np.array([2.0, 3.0, 3.0, 6.0]), np.array([1.0, -1.0, 2.0, 0.0])


def _normed(x=TOKENS, gain=GAIN, shift=SHIFT, axis=-1, correction=0, power=0.5, mean=1.0):
    """The first token after a layer norm with something else in it, as a list."""
    centered = x - mean * x.mean(axis=axis, keepdims=True)
    variance = centered.var(axis=axis, keepdims=True, ddof=correction)
    if not mean:
        variance = np.square(x).mean(axis=axis, keepdims=True)
    return (gain * centered / variance**power + shift)[0].tolist()


normed = by_hand(
    "10-block/normed",
    "A token after a layer norm",
    _normed(),
    UNBIASED_VARIANCE.by(
        _normed(correction=1),
        [round(number, 1) for number in _normed(correction=1)],
        _normed(correction=1, power=1.0),
        _normed(correction=1, gain=1.0, shift=0.0),
        _normed(correction=1, shift=0.0),
    ),
    WRONG_NUMBERS_TOGETHER.by(_normed(axis=0), _normed(axis=(0, 1))),
    NOT_CENTERED.by(_normed(mean=0.0), (GAIN * TOKENS[0] / 3 + SHIFT).tolist()),
    ANOTHER_SPREAD.by(_normed(power=1.0), _normed(power=0.0)),
    GAIN_AND_SHIFT_MISUSED.by(
        _normed(gain=1.0, shift=0.0),
        _normed(gain=1.0),
        _normed(shift=0.0),
        _normed(shift=GAIN * SHIFT),
        _normed(gain=SHIFT, shift=GAIN),
        _normed(GAIN * TOKENS, gain=1.0),
        _normed(GAIN * TOKENS + SHIFT, gain=1.0, shift=0.0),
    ),
    minutes=5,
    answer="normed",
)

share = by_hand(
    "10-block/share",
    "What is left of the word",
    [1 / 7, 1 / 64],
    RESULTS_IN_ANOTHER_ORDER.by([1 / 64, 1 / 7]),
    Misconception(
        "sums-miscounted",
        any_of(
            any_of([1 / 3, 1 / 4], [1 / 3, 1 / 64], [1 / 7, 1 / 4]),
            any_of([1 / 5, 1 / 16], [1 / 5, 1 / 64], [1 / 7, 1 / 16]),
            any_of([1 / 4, 1 / 8], [1 / 4, 1 / 64], [1 / 5, 1 / 32], [1 / 6, 1 / 16]),
            any_of(
                [1 / 6, 1 / 64],
                [1 / 6, 1 / 32],
                [1 / 7, 1 / 32],
                [1 / 7, 1 / 128],
                [1 / 8, 1 / 64],
                [1 / 8, 1 / 128],
            ),
        ),
        "Your stream is made of another number of sums. How many times does one block add "
        "something, and how large is the word's share after the first sum?",
    ),
    Misconception(
        "spread-for-variance",
        any_of([1 / 7**0.5, 1 / 8], [1 / 7**0.5, 1 / 64], [1 / 7, 1 / 8]),
        "This is a share of the standard deviation. What adds up when independent numbers are "
        "added?",
    ),
    Misconception(
        "norm-thought-harmless",
        any_of([1 / 7, 1 / 7], [1 / 64, 1 / 64]),
        "In your stack the place of the norm makes no difference. After the first sum, what does "
        "the next update meet with a norm there, and what without?",
    ),
    Misconception(
        "another-part-asked-for",
        any_of(
            any_of([6 / 7, 63 / 64], [6 / 7, 1 / 64], [1 / 7, 63 / 64]),
            any_of([7, 64], [7, 1], [1 / 7, 1]),
        ),
        "One of your numbers is the part that the sub-layers have brought, or the whole stream's "
        "variance. Which part of it is asked for?",
    ),
    minutes=6,
    answer="share",
    compare=close(atol=1e-3),
)
