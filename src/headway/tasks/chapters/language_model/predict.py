"""Values to work out by hand: what a batch asks, a model's parameters, what a text costs."""

import math

from headway.tasks.chapters.language_model.mistakes import (
    ANOTHER_POSITION_READ,
    END_NEVER_ASKED,
    GIVEN_COUNTED,
    LAST_NORM_MISPLACED,
    MEAN_MISCOUNTED,
    PADDING_COUNTED,
    POSITIONS_MISSING,
    SHIFTED_WRONGLY,
    UNSHIFTED,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import close, equal
from headway.tasks.engine.mistakes import Misconception, SharedMisconception, any_of

RESULTS_IN_ANOTHER_ORDER = SharedMisconception(
    "results-in-another-order",
    "Your results are right, in another order. Which one is asked for first, and which one last?",
)

# The question: texts of 5, 9 and 3 words, each between a start and an end symbol.
positions = by_hand(
    "11-language-model/positions",
    "What a padded batch asks",
    [30, 20, 3],
    RESULTS_IN_ANOTHER_ORDER.by([20, 30, 3], [3, 20, 30], [3, 30, 20]),
    UNSHIFTED.by([30, 20, 4], [33, 20, 4], [33, 23, 4], [30, 23, 4], [33, 33, 4]),
    SHIFTED_WRONGLY.by([30, 20, 5], [33, 20, 5], [33, 23, 5]),
    PADDING_COUNTED.by([30, 30, 3], [30, 27, 3], [33, 33, 3], [33, 30, 3]),
    END_NEVER_ASKED.by([30, 17, 3], [30, 17, 2], [27, 17, 2], [27, 17, 3], [30, 20, 2]),
    GIVEN_COUNTED.by([30, 23, 3], [33, 23, 3]),
    ANOTHER_POSITION_READ.by(
        *([30, targets, last] for targets in (20, 30, 17, 23) for last in (9, 10, -1)),
        *([33, targets, last] for targets in (20, 33, 23) for last in (9, 10, -1)),
    ),
    Misconception(
        "columns-miscounted",
        any_of([33, 20, 3], [27, 20, 3], [36, 20, 3], [10, 20, 3], [11, 20, 3], [20, 20, 3]),
        "The model is run on all rows at once, up to the longest. How many columns has the batch "
        "with its symbols, and which of them is never read?",
    ),
    minutes=5,
    answer="positions",
    compare=equal(),
)


def count(tables=1, width=20, context=40, inner=12, small=13, positions=True, last_norm=True):
    """Parameters of the model of the question, or of one that was counted otherwise.

    Args:
        tables: of words, 2 where the output has its own.
        inner: matrices of C² numbers in a block.
        small: rows of C numbers in a block, biases and norms.
    """
    blocks = 3 * (inner * width**2 + small * width)
    places = context * width if positions else 0
    return blocks + tables * 500 * width + places + (2 * width if last_norm else 0)


def counted(**options):
    """The three numbers of the question, counted otherwise."""
    return [count(**options), count(2, **options), count(context=80, **options)]


# The question: V = 500, N = 40, C = 20, H = 4, three blocks.
parameters = by_hand(
    "11-language-model/parameters",
    "Parameters of a GPT",
    counted(),
    RESULTS_IN_ANOTHER_ORDER.by([count(), count(context=80), count(2)]),
    LAST_NORM_MISPLACED.by(counted(last_norm=False)),
    POSITIONS_MISSING.by(
        counted(positions=False),
        [count(positions=False), count(2, positions=False), count()],
        [count(), count(2), count()],
    ),
    Misconception(
        "biases-or-norms-miscounted",
        any_of(
            *(counted(small=small) for small in (0, 4, 8, 9, 11, 12, 10, 5)),
            [n + 500 for n in counted()],
            [n + more for n, more in zip(counted(), (0, 500, 0), strict=True)],
        ),
        "A bias, a gain or a shift is missing in your count, or is one too many. Which layers have "
        "a bias, how wide is each, and what are the norms made of?",
    ),
    Misconception(
        "feed-forward-miscounted",
        any_of(*(counted(inner=inner) for inner in (4, 6, 8, 5, 9)), counted(inner=6, small=10)),
        "The matrices of your blocks are too few or too small. How wide is the hidden layer of the "
        "feed-forward network, and how many matrices lead there and back?",
    ),
    Misconception(
        "output-counted-twice",
        any_of(
            [count(2), count(2), count(2, context=80)],
            [count(2), count(3), count(2, context=80)],
            [count(), count(), count(context=80)],
            [count(2), count(), count(2, context=80)],
        ),
        "The matrix that scores the words is counted although it is the table that reads them, or "
        "is not counted although it isn't. What does tied mean?",
    ),
    Misconception(
        "heads-miscounted",
        any_of(
            [count(), count(2), count(context=80) + 3 * 4 * 20**2],
            [count(), count(2), count(context=80) + 3 * 3 * 20**2],
            [count(), count(2), count(context=80) + 3 * 6 * 20**2],
            *(
                [
                    n + 3 * 4 * (heads - 1) * 20**2
                    for n, heads in zip(counted(), heads_of, strict=True)
                ]
                for heads_of in ((4, 4, 10), (4, 4, 4))
            ),
        ),
        "Your model grows with its heads. What do they share out among themselves, and how wide "
        "is one of them if there are more?",
    ),
    minutes=8,
    answer="parameters",
    compare=equal(),
)

# The question: 600 targets at 2.0 nats on average and 200 at 3.2, 3,200 bytes in 3,000 characters.
TOKENS, NATS, BYTES = 800, 600 * 2.0 + 200 * 3.2, 3_200


def costs(mean=NATS / TOKENS, perplexity=None, bits=None):
    """Mean, perplexity and bits per byte, of which two follow from the first if not given."""
    nats = mean * TOKENS
    perplexity = math.exp(mean) if perplexity is None else perplexity
    return [mean, perplexity, nats / math.log(2) / BYTES if bits is None else bits]


perplexity = by_hand(
    "11-language-model/perplexity",
    "What a text costs",
    costs(),
    MEAN_MISCOUNTED.by(
        costs(2.6),
        costs(2.6, bits=costs()[2]),
        costs(perplexity=costs(2.6)[1]),
        costs(perplexity=(math.exp(2.0) + math.exp(3.2)) / 2),
        costs(perplexity=(600 * math.exp(2.0) + 200 * math.exp(3.2)) / 800),
        costs(2.6, (math.exp(2.0) + math.exp(3.2)) / 2),
        costs(5.2),
    ),
    Misconception(
        "wrong-base",
        any_of(
            costs(bits=2.3 / 4),
            costs(perplexity=2**2.3),
            costs(perplexity=10**2.3),
            costs(perplexity=2 ** (2.3 / math.log(2)), bits=2.3 * math.log(2) / 4),
            costs(bits=2.3 * math.log(2) / 4),
            costs(perplexity=2**2.3, bits=2.3 / 4),
            costs(2.3 / math.log(2), math.exp(2.3)),
            costs(perplexity=math.exp(2.3 / math.log(2))),
        ),
        "A logarithm or a power has another base than asked. Which number, raised to the mean, "
        "gives the perplexity, and how many nats are a bit?",
    ),
    Misconception(
        "per-token-or-per-character",
        any_of(
            costs(bits=2.3 / math.log(2)),
            costs(bits=NATS / math.log(2) / 3_000),
            costs(bits=NATS / 3_000),
            costs(bits=2.3 / math.log(2) * 4),
            costs(bits=2.3 / math.log(2) / 3_200),
        ),
        "Your last number is not bits for a byte. How many bits does the whole text cost, and "
        "among how many bytes are they shared out?",
    ),
    minutes=7,
    answer="perplexity",
    compare=close(atol=6e-3, rtol=2e-3),
)
