"""Figure: a trained translator at work in the browser, every stage of it open on its numbers.

Two sentences and the threads between their words come first; the machine, each part of which opens
its numbers, is in a fold below.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import new_id, number, table, text
from headway.figures.engine import pack
from headway.figures.gallery.translator.live_translator.threads import picture
from headway.figures.machine.buttons import machine_buttons
from headway.figures.machine.parts import PARTS


@dataclass(frozen=True)
class Machine:
    """A trained translator, and what is needed to type sentences for it.

    Attributes:
        config, weights: of the model, as `headway.figures.engine.pack` takes them.
        english, french: the symbols of source and target, by id.
        start, end: ids of the French symbols that begin and end a sentence; the one that ends it
            ends the English sentence too.
        sentences: English ones from the training data; what follows a word there is offered first.
    """

    config: Mapping[str, object]
    weights: Mapping[str, np.ndarray]
    english: Sequence[str]
    french: Sequence[str]
    start: int
    end: int
    sentences: Sequence[str]


@dataclass(frozen=True)
class Translated:
    """One sentence as the machine translates it, greedily.

    Attributes:
        source: S words that were read, the end symbol last.
        said: T words that were said, the end symbol last.
        likeliest: for each of them the five likeliest words with their probabilities.
        weights: (H, T, S), of the cross-attention of each head; rows sum to one.
    """

    source: Sequence[str]
    said: Sequence[str]
    likeliest: Sequence[Sequence[tuple[str, float]]]
    weights: np.ndarray


@dataclass(frozen=True)
class LiveTranslator(Interactive):
    """A translator at work. Made by `live_translator`.

    Attributes:
        lying, standing: the first translation as SVG, for wide and for narrow pages.
    """

    lying: str = ""
    standing: str = ""

    def frame(self, stage: str = "", data: str = "") -> str:
        """The picture between its title and what operates it."""
        name = new_id("figure")
        return (
            f'<figure class="hw-figure hw-live-translator" data-headway-figure="{self.script}" '
            f'role="group" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n'
            f'<div class="hw-drawing hw-threads">{self.lying}{self.standing}</div>\n'
            f'<div class="hw-stage">{stage}</div>\n'
            f"<figcaption>{text(self.caption)}</figcaption>\n"
            '<details class="hw-numbers"><summary>The numbers as a table</summary>\n'
            '<div class="hw-scroll" tabindex="0" role="region" aria-label="Table of the numbers">'
            f"{table(self.header, self.rows, self.title)}</div></details>\n{data}</figure>"
        )


def live_translator(
    machine: Machine,
    example: Translated,
    examples: Sequence[str],
    title: str,
    caption: str,
    beams: int = 4,
) -> LiveTranslator:
    """A sentence, its translation, and the machine, each part of which opens its numbers.

    The model is loaded at the first change.

    Args:
        machine: what translates.
        example: the sentence that is shown at first, and on paper.
        examples: sentences to choose from; the first one is that of `example`.
        title, caption: as printed.
        beams: how many beams the search has that may be chosen instead of greedy decoding.

    Raises:
        ValueError: if the vocabularies do not fit the model, the example's numbers do not fit each
            other, the examples do not begin with it or hold a word that the model does not know,
            or there are less than two beams.
    """
    check(machine, example, examples, beams)
    weights = np.asarray(example.weights, dtype=float)
    mean = weights.mean(axis=0)
    firsts = [", ".join(f"{word} {number(p)}" for word, p in five) for five in example.likeliest]
    looks = ", ".join(
        f"“{word}” looks most at “{example.source[s]}”"
        for word, s in zip(example.said, mean.argmax(axis=1), strict=True)
    )
    alt = (
        f"“{examples[0]}” becomes “{' '.join(example.said[:-1])}”. Threads show where the decoder "
        f"looks: {looks}."
    )
    lying, standing = (
        picture(example.source, example.said, mean.tolist(), alt, standing=form)
        for form in (False, True)
    )
    return LiveTranslator(
        script="live_translator",
        data={
            "example": {
                "text": examples[0],
                "source": list(example.source),
                "said": list(example.said),
                "likeliest": [
                    [[w, round(float(p), 4)] for w, p in five] for five in example.likeliest
                ],
                "weights": weights.round(3).tolist(),
            },
            "examples": list(examples),
            "beams": beams,
            "drawing": machine_buttons("Parts of the machine, each with its numbers"),
            "does": {part.id: part.does for part in PARTS.values()},
            "depth": depth(machine.config),
        },
        title=title,
        caption=caption,
        alt=alt,
        header=["says", *example.source, "likeliest words"],
        rows=[
            [word, *(number(w, 2) for w in row), five]
            for word, row, five in zip(example.said, mean, firsts, strict=True)
        ],
        draw=lambda ax: None,
        lying=lying,
        standing=standing,
        attached={
            "model": pack(machine.config, machine.weights),
            "english": list(machine.english),
            "french": list(machine.french),
            "start": machine.start,
            "end": machine.end,
            "followers": followers(machine.sentences),
        },
    )


def check(machine: Machine, example: Translated, examples: Sequence[str], beams: int) -> None:
    """Raise ValueError as `live_translator` says."""
    for name, words, size in (
        ("french", machine.french, machine.config["vocabulary"]),
        ("english", machine.english, machine.config["source_vocabulary"]),
    ):
        if len(words) != size:
            raise ValueError(f"{name} has {len(words)} symbols, the model {size}")
    S, T = len(example.source), len(example.said)
    shape = np.shape(example.weights)
    if len(shape) != 3 or shape[1:] != (T, S) or len(example.likeliest) != T:
        raise ValueError(
            f"{T} words said and {S} words read need weights (H, {T}, {S}) and {T} lists of the "
            f"likeliest words, got {shape} and {len(example.likeliest)}"
        )
    if not examples or examples[0].split() != list(example.source[:-1]):
        raise ValueError(f"the first of the examples must be {' '.join(example.source[:-1])!r}")
    if unknown := {word for text in examples for word in text.split()} - set(machine.english):
        raise ValueError(f"the model does not know {', '.join(sorted(unknown))}")
    if beams < 2:
        raise ValueError(f"one beam is greedy decoding; beams must be at least 2, got {beams}")


def depth(config: Mapping[str, object]) -> dict[str, object]:
    """How many blocks each side has; the decoder as many as the encoder unless the model says."""
    own = config.get("decoder_layers")
    return {"encoder": config["layers"], "decoder": config["layers"] if own is None else own}


def followers(sentences: Sequence[str]) -> dict[str, list[str]]:
    """What follows each word in the sentences, the most frequent first; "" stands for the start."""
    pairs = Counter(
        pair for text in sentences for pair in zip(["", *text.split()], text.split(), strict=False)
    )
    found: dict[str, list[str]] = {}
    for (before, word), _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        found.setdefault(before, []).append(word)
    return found
