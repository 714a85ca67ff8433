"""Figure: a trained masked model fills blanks in the browser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.engine import pack

BLANK = "_"
Likely = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Filler:
    """A trained masked model with its head, and what is needed to type sentences for it.

    Attributes:
        config, weights: of the model, as `headway.figures.engine.pack` takes them. The head is
            the embedding's table once more, and "output_bias" if there is one.
        words: the symbols, by id; those of `specials` first.
        specials: symbols that are neither typed nor filled in.
        mask: the id of a blank.
    """

    config: Mapping[str, object]
    weights: Mapping[str, np.ndarray]
    words: Sequence[str]
    specials: Sequence[str]
    mask: int


def fill_in(
    filler: Filler,
    filled: Sequence[Likely],
    examples: Sequence[str],
    title: str,
    caption: str,
) -> Interactive:
    """A line to type in, words that can be hidden, and what the model puts in their places.

    The model is loaded at the first use.

    Args:
        filler: what fills in.
        filled: for each blank of the first example the five likeliest words, the best first.
        examples: sentences to choose from, blanks as "_".
        title, caption: as printed.

    Raises:
        ValueError: if the words do not fit the model, an example holds a word that the model does
            not know, or the first one has not a blank for each list in `filled`.
    """
    check(filler, filled, examples)
    first = examples[0].split()
    blanks = [t for t, word in enumerate(first) if word == BLANK]
    likely = [[[word, round(float(p), 4)] for word, p in five] for five in filled]
    told = [
        f"word {t + 1}: " + ", ".join(f"{word} {number(p)}" for word, p in five)
        for t, five in zip(blanks, likely, strict=True)
    ]
    return Interactive(
        script="fill_in",
        data={"examples": list(examples), "filled": likely},
        title=title,
        caption=caption,
        alt=f"The likeliest words for the blanks of “{examples[0]}”. {'; '.join(told)}.",
        header=["blank", "word", "probability"],
        rows=[
            [f"word {t + 1}", word, number(p)]
            for t, five in zip(blanks, likely, strict=True)
            for word, p in five
        ],
        draw=lambda ax: draw_bars(ax, first, blanks, likely),
        width=6.4,
        height=0.9 + 0.27 * sum(len(five) for five in likely),
        attached={
            "model": pack({**filler.config, "tied": True}, filler.weights),
            "words": list(filler.words),
            "specials": len(filler.specials),
            "mask": filler.mask,
        },
    )


def check(filler: Filler, filled: Sequence[Likely], examples: Sequence[str]) -> None:
    """Raise ValueError as `fill_in` says."""
    if len(filler.words) != filler.config["vocabulary"]:
        raise ValueError(
            f"there are {len(filler.words)} words, the model has {filler.config['vocabulary']}"
        )
    if list(filler.words[: len(filler.specials)]) != list(filler.specials):
        raise ValueError(f"the words must begin with {', '.join(filler.specials)}")
    if not examples or examples[0].split().count(BLANK) != len(filled) or not filled:
        raise ValueError(
            f"the first example needs a blank, {BLANK!r}, for each of {len(filled)} lists of the "
            "likeliest words, and one at least"
        )
    known = {BLANK, *filler.words[len(filler.specials) :]}
    if unknown := {word for text in examples for word in text.split()} - known:
        raise ValueError(f"the model does not know {', '.join(sorted(unknown))}")


def draw_bars(ax, words, blanks, filled) -> None:
    """The static picture: a group of bars for each blank."""
    rows = [(t, word, p) for t, five in zip(blanks, filled, strict=True) for word, p in five]
    places = np.arange(len(rows))
    ax.barh(places, [p for *_, p in rows], color=[f"C{blanks.index(t)}" for t, *_ in rows])
    ax.set_yticks(places, [word for _, word, _ in rows])
    ax.set(xlim=(0, 1.12), xlabel="probability")
    ax.set_title(" ".join(words), size=10, loc="left")
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    for i, (*_, p) in enumerate(rows):
        ax.text(p + 0.01, i, number(p, 2), va="center", size=9)
