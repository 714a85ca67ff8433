"""Figure: a trained language model at work in the browser, on any prompt, with its heads open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.engine import pack
from headway.figures.gallery.shared.tokens import shown
from headway.figures.gallery.tokens.live_tokens import pairs_of
from headway.text.byte_pair import BytePairTokenizer
from headway.text.tokenizer import CharacterTokenizer

END = "<end>"
ROWS = 10  # tokens that may come next, in the picture


@dataclass(frozen=True)
class Writer:
    """A trained language model, and what is needed to type a prompt for it.

    Attributes:
        config, weights: of the model, as `headway.figures.engine.pack` takes them. The last of its
            ids, V − 1, stands before each text and ends it.
        tokenizer: of V − 1 symbols, trained without special tokens; characters are of ASCII.
    """

    config: Mapping[str, object]
    weights: Mapping[str, np.ndarray]
    tokenizer: BytePairTokenizer | CharacterTokenizer

    @property
    def end(self) -> int:
        """The id before and after each text."""
        return len(self.tokenizer)

    def name(self, token: int) -> str:
        """An id as it is shown."""
        if token == self.end:
            return END
        if isinstance(self.tokenizer, CharacterTokenizer):
            return shown(self.tokenizer.vocabulary.symbols[token].encode())
        return shown(self.tokenizer.symbols[token])

    @property
    def parts(self) -> dict[str, object]:
        """The tokenizer as `engine/tokens.js` reads it: its characters, or its merges."""
        if isinstance(self.tokenizer, CharacterTokenizer):
            return {"letters": "".join(self.tokenizer.vocabulary.symbols)}
        return {"pairs": pairs_of(self.tokenizer)}


@dataclass(frozen=True)
class Prompt:
    """One prompt as the model reads it.

    Attributes:
        text: the prompt.
        ids: T ids, the end symbol first.
        logits: (T, V); those at t score the token at t + 1.
        weights: (L, H, T, T), of each head in each block; rows sum to one.
    """

    text: str
    ids: Sequence[int]
    logits: np.ndarray
    weights: np.ndarray


def live_language_model(
    writer: Writer,
    example: Prompt,
    examples: Sequence[str],
    title: str,
    caption: str,
    block: int = 0,
    head: int = 0,
) -> Interactive:
    """A line to type in, what may come next at each place, draws from it, and each head's weights.

    The model is loaded at the first use.

    Args:
        writer: what reads and writes.
        example: the prompt that is shown at first, and on paper.
        examples: prompts to choose from; the first one is that of `example`.
        title, caption: as printed.
        block, head: whose weights are shown at first.

    Raises:
        ValueError: if tokenizer and model do not fit, the example's numbers do not fit each other,
            the examples do not begin with it, or there is no such head.
    """
    check(writer, example, examples, block, head)
    log_p = log_softmax(np.asarray(example.logits, dtype=float))
    ids = [int(i) for i in example.ids]
    losses = [None, *(-log_p[t, token] for t, token in enumerate(ids[1:]))]
    best = np.argsort(-log_p[-1], kind="stable")[:ROWS]
    likely = [(int(i), float(np.exp(log_p[-1, i]))) for i in best]
    weights = np.asarray(example.weights, dtype=float)[block, head]
    size, names = writer.config["vocabulary"], [writer.name(i) for i in ids]
    return Interactive(
        script="live_language_model",
        data={
            "example": {
                "text": example.text,
                "view": {
                    "ids": ids,
                    "losses": [None if x is None else round(float(x), 4) for x in losses],
                    "next": {
                        "rows": [{"id": i, "p": round(p, 4), "q": round(p, 4)} for i, p in likely],
                        "kept": size,
                        "mass": 1,
                    },
                    "weights": [row[: t + 1] for t, row in enumerate(weights.round(3).tolist())],
                },
            },
            "examples": list(examples),
            "start": {"place": len(ids) - 1, "block": block, "head": head},
            "layers": writer.config["layers"],
            "heads": writer.config["heads"],
            "symbols": {str(i): writer.name(i) for i in sorted({*ids, *(i for i, _ in likely)})},
            "size": size,
            "context": writer.config["context"],
        },
        title=title,
        caption=caption,
        alt=f"After “{example.text}” the likeliest next tokens are "
        + ", ".join(f"“{writer.name(i)}” {number(p, 3)}" for i, p in likely[:5])
        + f". In head {head + 1} of block {block + 1} the last token looks most at "
        f"“{names[int(weights[-1].argmax())]}”.",
        header=["token", "loss in nats", "looks most at"],
        rows=[
            [name, "–" if loss is None else number(loss, 2), names[int(row.argmax())]]
            for name, loss, row in zip(names, losses, weights, strict=True)
        ],
        draw=lambda ax: draw_next(ax, [(writer.name(i), p) for i, p in likely]),
        width=4.6,
        height=0.5 + 0.27 * len(likely),
        attached={
            "model": pack(writer.config, writer.weights),
            **writer.parts,
            "end": writer.end,
        },
    )


def check(writer: Writer, example: Prompt, examples: Sequence[str], block: int, head: int) -> None:
    """Raise ValueError as `live_language_model` says."""
    V, L, H = (writer.config[name] for name in ("vocabulary", "layers", "heads"))
    if writer.end != V - 1:
        raise ValueError(
            f"the tokenizer has {writer.end} symbols and the model {V}; expected {V - 1}, and one "
            "for the end"
        )
    T = len(example.ids)
    shapes = np.shape(example.logits), np.shape(example.weights)
    if shapes != ((T, V), (L, H, T, T)):
        raise ValueError(
            f"{T} ids need logits {(T, V)} and weights {(L, H, T, T)}, got {shapes[0]} and "
            f"{shapes[1]}"
        )
    expected = [writer.end, *writer.tokenizer.encode(example.text)]
    if list(example.ids) != expected or not examples or examples[0] != example.text:
        raise ValueError(
            f"the ids must be {expected}, the end symbol and those of {example.text!r}, which must "
            "be the first of the examples"
        )
    if not (0 <= block < L and 0 <= head < H):
        raise ValueError(f"there are {L} blocks of {H} heads, got block {block} and head {head}")


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """ln of the softmax of each row (..., V)."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def draw_next(ax, likely: Sequence[tuple[str, float]]) -> None:
    """The likeliest next tokens as bars on an Axes, the likeliest on top."""
    names, shares = zip(*likely, strict=True)
    places = np.arange(len(names))
    ax.barh(places, shares, color="C0")
    for y, p in zip(places, shares, strict=True):
        ax.text(p, y, f" {number(p, 3)}", va="center", size=9)
    ax.set_yticks(places, names, family="monospace")
    ax.set(ylim=(len(names) - 0.4, -0.6), xlabel="probability of coming next")
    ax.margins(x=0.15)
