"""Drawing: one blank, as a model sees it that reads from the left, and one that sees both sides."""

import numpy as np

from headway.figures.gallery.masked_model.both_sides_forms import UPRIGHT, WIDE, draw
from headway.figures.gallery.masked_model.looked import Likely, Looked, check, percent
from headway.figures.gallery.shared.stepped import Stepped, stepped


def both_sides(looked: Looked, title: str, caption: str) -> Stepped:
    """The drawing: the decoder above the sentence, the encoder below it.

    Args:
        looked: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the weights do not fit the words, or there are too many words to read.
    """
    check(looked)
    guess, answer = looked.guesses[0], looked.answers[0]
    most = looked.words[int(np.argmax(looked.both))]
    right = float(np.sum(looked.both[looked.blank + 1 :]))
    alt = (
        f"“{' '.join(looked.words)}”. From the left, a decoder says {told(looked.guesses)}. "
        f"From both sides, the blank looks at "
        + ", ".join(
            f"{word} {weight:.2f}" for word, weight in zip(looked.words, looked.both, strict=True)
        )
        + f", and an encoder says {told(looked.answers)}."
    )
    return stepped(
        draw(looked, alt, WIDE),
        steps=[
            "A sentence with a blank. The words that give it away come after it.",
            "A decoder has to answer when it gets to the blank, so its last word, "
            f"“{looked.words[looked.blank - 1]}”, can only ask the words before.",
            f"They don’t tell. Its best guess is “{guess[0]}”, with {percent(guess[1])}.",
            "In an encoder, the blank itself asks, and every word on either side may answer.",
            f"It listens most to “{most}”; {right:.0%} of its weight is on the words that come "
            "after it.",
            f"Now it’s easy: “{answer[0]}”, with {percent(answer[1])}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        upright=draw(looked, alt, UPRIGHT),
        header=["word", "weight in the decoder", "weight in the encoder"],
        rows=[
            [
                word,
                f"{looked.left[t]:.2f}" if t < looked.blank else "hidden",
                f"{looked.both[t]:.2f}",
            ]
            for t, word in enumerate(looked.words)
        ],
    )


def told(likely: Likely) -> str:
    """Words with their probabilities."""
    return ", ".join(f"{word} {p:.2f}" for word, p in likely)
