"""Predict: `drawn`, `labels` and `patches`."""

from headway.tasks.chapters.masked_model.mistakes import (
    ANOTHER_SIGN,
    CHANNELS_APART,
    CHOSEN_AND_OTHERS_SWAPPED,
    CHOSEN_NOT_ASKED,
    COLUMNS_FIRST,
    EVERY_PLACE_ASKED,
    FATES_MIXED_UP,
    HEIGHT_AND_WIDTH_SWAPPED,
    LABELS_AFTER_MASKING,
    RANDOM_WORD,
    SHARES_OF_ANOTHER_WHOLE,
    SPECIALS_CHOSEN,
)
from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of


def expected(tokens: int, words: int = 12) -> list[float]:
    """Chosen, masked, changed, and still there, of tokens that may be chosen.

    Args:
        tokens: how many of them there are.
        words: a random word is one of these, the word itself among them.
    """
    chosen = 0.15 * tokens
    changed = chosen * (0.8 + 0.1 * (words - 1) / words)
    return [chosen, 0.8 * chosen, changed, chosen - changed]


# The question: 4 texts in 65 columns, each with [CLS] and [SEP], and 12 [PAD] in all.
TOKENS = 4 * 65
SPECIAL, FILLED = 8, 12
CHOSEN = 0.15 * (TOKENS - SPECIAL - FILLED)

drawn = by_hand(
    "12-masked-model/drawn",
    "How many words are chosen, masked, changed and kept",
    expected(TOKENS - SPECIAL - FILLED),
    SPECIALS_CHOSEN.by(
        *(expected(TOKENS - less) for less in (0, SPECIAL, FILLED)),
        *(
            [0.15 * n, 0.12 * n, 0.135 * n, 0.015 * n]
            for n in (TOKENS, TOKENS - SPECIAL, TOKENS - FILLED)
        ),
    ),
    RANDOM_WORD.by(
        *(
            [CHOSEN, 0.8 * CHOSEN, changed, kept]
            for changed, kept in ((32.4, 3.6), (32.1, 3.6), (32.4, 3.9))
        )
    ),
    SHARES_OF_ANOTHER_WHOLE.by(
        *([CHOSEN, 192.0, changed, 240 - changed] for changed in (214.0, 216.0, 192.0)),
        *([CHOSEN, 192.0, changed, CHOSEN - changed] for changed in (32.1, 32.4)),
        *([CHOSEN, 192.0, changed, kept] for changed, kept in ((214.0, 24.0), (24.0, 24.0))),
    ),
    Misconception(
        "masked-is-not-all-that-is-chosen",
        any_of(
            [CHOSEN, CHOSEN, CHOSEN, 0.0],
            [CHOSEN, 0.8 * CHOSEN, 0.8 * CHOSEN, 0.2 * CHOSEN],
            [CHOSEN, 0.8 * CHOSEN, 0.8 * CHOSEN, 0.1 * CHOSEN],
            [CHOSEN, 0.9 * CHOSEN, 0.9 * CHOSEN, 0.1 * CHOSEN],
            [CHOSEN, 0.8 * CHOSEN, CHOSEN, 0.0],
            [CHOSEN, 0.8 * CHOSEN, 0.1 * CHOSEN, 0.1 * CHOSEN],
            [CHOSEN, 0.8 * CHOSEN, 3.3, 3.9],
            [CHOSEN, 0.8 * CHOSEN, 32.1, 0.3],
            [CHOSEN, 0.8 * CHOSEN, 32.1, 0.0],
        ),
        "You leave out one of the three fates of a chosen word, or count it where it does not "
        "belong. In which of them can one still read the word?",
    ),
    minutes=5,
    answer="drawn",
)

# The question: [CLS] the old clock in the hall stopped [SEP], with three rows of draws.
TEXT = [1, 14, 9, 27, 8, 14, 30, 22, 2]
FIRST = [0.08, 0.31, 0.12, 0.66, 0.04, 0.92, 0.11, 0.50, 0.03]
SECOND = [0.20, 0.55, 0.95, 0.10, 0.35, 0.70, 0.86, 0.41, 0.93]
RANDOM = [25, 19, 11, 31, 21, 9, 14, 27, 16]
MASK, NOTHING = 3, -100


def masked(
    second_chosen=range(1, 8), nothing=NOTHING, mask_from=0.0, random_from=0.8, kept_from=0.9
):
    """Inputs and labels by the rows of draws.

    Args:
        second_chosen: the places that may be chosen.
        nothing: the label of a place that is not asked about.
        mask_from, random_from, kept_from: where the three fates begin in the second row.
    """
    inputs, labels = list(TEXT), [nothing] * len(TEXT)
    for place in second_chosen:
        if FIRST[place] < 0.15:
            labels[place] = TEXT[place]
            if mask_from <= SECOND[place] < mask_from + 0.8:
                inputs[place] = MASK
            elif random_from <= SECOND[place] < random_from + 0.1:
                inputs[place] = RANDOM[place]
    return [inputs, labels]


INPUTS, LABELS = masked()


def asked(keep) -> list[int]:
    """Labels at those places only for which keep(place) holds."""
    return [
        word if word != NOTHING and keep(place) else NOTHING for place, word in enumerate(LABELS)
    ]


labels = by_hand(
    "12-masked-model/labels",
    "The input and the labels of a masked sentence",
    [INPUTS, LABELS],
    CHOSEN_NOT_ASKED.by(
        [INPUTS, asked(lambda place: INPUTS[place] == MASK)],
        [INPUTS, asked(lambda place: INPUTS[place] != TEXT[place])],
        [INPUTS, asked(lambda place: INPUTS[place] in (MASK, TEXT[place]))],
    ),
    LABELS_AFTER_MASKING.by(
        [
            INPUTS,
            [
                NOTHING if label == NOTHING else now
                for label, now in zip(LABELS, INPUTS, strict=True)
            ],
        ]
    ),
    SPECIALS_CHOSEN.by(
        masked(range(9)),
        masked(range(8)),
        masked(range(1, 9)),
        [INPUTS, masked(range(9))[1]],
    ),
    EVERY_PLACE_ASKED.by(
        [INPUTS, TEXT],
        [INPUTS, [NOTHING, *TEXT[1:-1], NOTHING]],
    ),
    CHOSEN_AND_OTHERS_SWAPPED.by(
        [
            INPUTS,
            [
                word if label == NOTHING else NOTHING
                for label, word in zip(LABELS, TEXT, strict=True)
            ],
        ],
        [
            INPUTS,
            [NOTHING if place in (0, 2, 4, 6, 8) else word for place, word in enumerate(TEXT)],
        ],
    ),
    ANOTHER_SIGN.by(*([INPUTS, masked(nothing=sign)[1]] for sign in (0, -1, 100, 3))),
    FATES_MIXED_UP.by(
        masked(random_from=0.9),  # the last tenth is replaced, the one before it kept
        [masked(mask_from=0.2)[0], LABELS],
        [[1, 14, 9, 27, 3, 14, 30, 22, 2], LABELS],
        [[1, 14, 11, 27, 3, 14, 14, 22, 2], LABELS],
        [[1, 14, 3, 27, 3, 14, 3, 22, 2], LABELS],
        [[1, 14, 11, 27, 21, 14, 14, 22, 2], LABELS],
    ),
    Misconception(
        "inputs-and-labels-swapped",
        [LABELS, INPUTS],
        "Both lists are right, in the other order. Which of them does the model read?",
    ),
    minutes=5,
    answer="labels",
    compare=equal(),
)

# The question: an image of 24 × 40 with 3 channels, patches of 8 × 8, the pixel (13, 30), its
# last channel.
patches = by_hand(
    "12-masked-model/patches",
    "An image as patches",
    [15, 192, 8, 140],
    COLUMNS_FIRST.by(
        *(
            [15, 192, patch, place]
            for patch in (8, 10)
            for place in (140, 161)
            if patch + place != 148
        )
    ),
    CHANNELS_APART.by(
        *([15, 192, patch, 174] for patch in (8, 10)),
        [15, 64, 8, 46],
        [15, 64, 8, 140],
        [45, 64, 8, 46],
        [45, 64, 23, 46],
        [15, 192, 8, 46],
        [15, 64, 10, 53],
        [45, 64, 38, 46],
        [45, 64, 26, 46],
    ),
    HEIGHT_AND_WIDTH_SWAPPED.by(
        [15, 192, 6, 140],  # one row of three patches is left behind, and three more
        [15, 192, 16, 140],  # column 1 of row 3, of five in a row
        [15, 192, 16, 161],
    ),
    Misconception(
        "counted-from-one",
        any_of(
            *(
                [15, 192, patch, place]
                for patch in (8, 9)
                for place in (140, 141)
                if patch + place != 148
            ),
            [15, 192, 8, 139],
            [15, 192, 9, 164],
            [15, 192, 9, 167],
        ),
        "You are one off, in the patch or in the place. From which number does the text count?",
    ),
    Misconception(
        "place-in-the-image",
        any_of(
            [15, 192, 8, 1652],
            [15, 192, 8, 13 * 40 + 30],
            [15, 192, 8, 2 * 960 + 550],
            [15, 192, 8, 13 * 24 + 30 * 3 + 2],
        ),
        "The patch is right, and the place is where the number is in the image. Where is the "
        "pixel within its patch?",
    ),
    minutes=5,
    answer="patches",
    compare=equal(),
)
