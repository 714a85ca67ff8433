"""Figure: one word in many sentences, as points, after each layer of a model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.gallery.embeddings.word_map import flatten

HUES = 2


@dataclass(frozen=True)
class Mentions:
    """A word with two senses, in n sentences.

    Attributes:
        word: the word.
        senses: the names of its senses.
        texts: n sentences.
        of: (n,) int, which of the senses each sentence means.
        vectors: (L + 1, n, C), the word's vector in each sentence, before the first layer and
            after each of them.
        shares: (L + 1,) how often a mention of the same sense is nearer than one of the other.
    """

    word: str
    senses: tuple[str, str]
    texts: Sequence[str]
    of: np.ndarray
    vectors: np.ndarray
    shares: np.ndarray


def sense_layers(mentions: Sequence[Mentions], title: str, caption: str) -> Interactive:
    """Points for the mentions of a word, a color for each sense, and a slider for the layer.

    Each layer has a map of its own: the plane in which the unit vectors are spread most.

    Args:
        mentions: of the words to choose from; all have vectors of the same layers.
        title, caption: as printed.

    Raises:
        ValueError: if there are no mentions, their numbers do not fit each other, or a sense is
            not one of two.
    """
    data = [checked(each) for each in mentions]
    if not data or len({len(each["points"]) for each in data}) > 1:
        raise ValueError("sense_layers needs words, all with the same number of layers")
    first, last = data[0], len(data[0]["points"]) - 1
    name, other = first["senses"]
    return Interactive(
        script="sense_layers",
        data={"words": data, "start": last},
        title=title,
        caption=caption,
        alt=f"“{first['word']}” in {len(first['texts'])} sentences, as points. A mention of the "
        f"same sense, {name} or {other}, is nearer than one of the other sense in "
        + ", ".join(f"{share:.0%} {told(n)}" for n, share in enumerate(first["shares"]))
        + ".",
        header=["word", "layer", "the same sense is nearer"],
        rows=[
            [each["word"], told(n), f"{share:.0%}"]
            for each in data
            for n, share in enumerate(each["shares"])
        ],
        draw=lambda fig: draw_layers(fig, first),
        width=2.5 * (last + 1),
        height=2.9,
    )


def checked(mentions: Mentions) -> dict:
    """Mentions as data for the script; raises ValueError as `sense_layers` says."""
    vectors, of = np.asarray(mentions.vectors, dtype=float), np.asarray(mentions.of)
    n = len(mentions.texts)
    if vectors.ndim != 3 or vectors.shape[1] != n or of.shape != (n,) or n < 3:
        raise ValueError(
            f"{n} sentences need vectors (L + 1, {n}, C) and senses ({n},), got {vectors.shape} "
            f"and {of.shape}; three at least make a map"
        )
    if len(mentions.shares) != len(vectors):
        raise ValueError(f"{len(vectors)} layers need a share each, got {len(mentions.shares)}")
    if len(mentions.senses) != HUES or not set(of.tolist()) <= {0, 1}:
        raise ValueError(f"each sentence has one of two senses, got {sorted(set(of.tolist()))}")
    points = [flatten(layer)[0] for layer in vectors]
    return {
        "word": mentions.word,
        "senses": list(mentions.senses),
        "texts": list(mentions.texts),
        "of": of.tolist(),
        "points": [(layer / np.abs(layer).max()).round(3).tolist() for layer in points],
        "shares": [round(float(share), 4) for share in mentions.shares],
    }


def told(layer: int) -> str:
    """The place of a layer in words."""
    return "before the first layer" if not layer else f"after layer {layer}"


def draw_layers(fig, word: dict) -> None:
    """The static picture: a map for each layer."""
    for n, (points, share) in enumerate(zip(word["points"], word["shares"], strict=True)):
        ax = fig.add_subplot(1, len(word["points"]), n + 1)
        for sense, name in enumerate(word["senses"]):
            chosen = np.array(points)[np.array(word["of"]) == sense]
            ax.scatter(*chosen.T, s=16, marker="os"[sense], color=f"C{sense}", label=name)
        ax.set(xticks=[], yticks=[], xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
        ax.set_title(f"{told(n)}: {share:.0%}", size=9)
        if not n:
            ax.legend(fontsize=8, loc="best")
