"""Build the three masks of an encoder–decoder."""

import numpy as np
import torch

from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    CAUSAL_MISPLACED,
    CAUSAL_ON_THE_SOURCE,
    IDS_GUESSED,
    MASK_AXES,
    MASK_INVERTED,
    PADDING_SEEN,
    SOURCE_ASKS,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task


def masks(source, read, padding):
    """Encoder (B, S, S), decoder (B, T, T) and cross (B, T, S): True where a query may look."""
    (B, S), T = source.shape, read.shape[1]
    words = (source != padding)[:, None, :]
    said = (read != padding)[:, None, :]
    past = torch.ones(T, T, dtype=torch.bool).tril()
    encoder = words.expand(B, S, S)
    decoder = said & past
    cross = words.expand(B, T, S)
    return encoder, decoder, cross


def mask_cases(rng: np.random.Generator) -> list[Case]:
    def ids(lengths, width, padding):
        drawn = rng.integers(10, 90, (len(lengths), width))
        drawn[np.arange(width) >= np.array(lengths)[:, None]] = padding
        return torch.from_numpy(drawn)

    def draw(source, read, S, T, padding=0):
        return ids(source, S, padding), ids(read, T, padding), padding

    def lengths(longest):
        return [*rng.integers(1, longest + 1, 4), longest]

    left = torch.tensor([[0, 0, 31, 45], [12, 61, 34, 33]])
    return [
        Case(
            "sources and targets of different lengths",
            *draw(lengths(6), lengths(4), 6, 4),
            core=True,
        ),
        Case("a target longer than the source", *draw(lengths(3), lengths(7), 3, 7), core=True),
        Case("source and target of the same width", *draw([4, 2], [1, 4], 4, 4)),
        Case("another id for the padding", *draw([2, 4], [3, 2], 4, 3, 7)),
        Case("no padding", *draw([3], [4], 3, 4)),
        Case("as many sentences as tokens", *draw([3, 1, 2], [2, 3, 1], 3, 3)),
        Case("one token each", *draw([1], [1], 1, 1)),
        Case("a source of padding only", *draw([0, 3], [2, 2], 3, 2)),
        Case("a source padded on the left", left, *draw([4, 4], [3, 2], 4, 3)[1:]),
    ]


ENCODER, DECODER, CROSS = "words.expand(B, S, S)", "said & past", "words.expand(B, T, S)"
RETURN = "return encoder, decoder, cross"
SOURCE_WORDS = "(source != padding)[:, None, :]"
(padding_of_the_source,) = changed(masks, "source != padding", "source == padding")
(source_lengths,) = changed(
    masks,
    SOURCE_WORDS,
    "(torch.arange(S) < (source != padding).sum(1, keepdim=True))[:, None, :]",
)

# As on the chapter's page, whose batches have no padding in the source.
(no_padding,) = changed(masks, SOURCE_WORDS, "torch.ones(B, 1, S).bool()")

masks_task = Task(
    id="13-translator/masks",
    title="Three masks",
    kind="build",
    points=2,
    minutes=15,
    answer="masks",
    cases=mask_cases,
    reference=masks,
    misconceptions=(
        CAUSAL_ON_THE_SOURCE.by(
            changed(masks, ENCODER, "words & torch.ones(S, S).bool().tril()"),
            changed(masks, CROSS, "words & torch.ones(T, S).bool().tril()"),
        ),
        PADDING_SEEN.by(
            changed(masks, ENCODER, "torch.ones(B, S, S).bool()"),
            changed(masks, CROSS, "torch.ones(B, T, S).bool()"),
            no_padding,
            changed(no_padding, DECODER, "past.expand(B, T, T)"),
            changed(masks, DECODER, "past.expand(B, T, T)", "said & past | torch.eye(T).bool()"),
        ),
        CAUSAL_MISPLACED.by(
            changed(masks, DECODER, "said.expand(B, T, T)", "said | past"),
            changed(masks, ".tril()", ".tril(1)", ".triu()", ".triu(1)", ".tril(-1)"),
        ),
        MASK_INVERTED.by(
            changed(masks, RETURN, "return ~encoder, ~decoder, ~cross"),
            padding_of_the_source,
            changed(padding_of_the_source, "read != padding", "read == padding"),
            changed(masks, "read != padding", "read == padding"),
        ),
        MASK_AXES.by(
            changed(masks, CROSS, "said.mT.expand(B, T, S)"),
            changed(
                masks,
                RETURN,
                "return encoder[:, :1], decoder, cross[:, :1]",
                "return encoder & words.mT, decoder & said.mT, cross & said.mT",
                "return encoder & words.mT, decoder & said.mT, cross",
                "return encoder, decoder, cross & said.mT",
                "return encoder.mT, said.mT & past, cross",
                "return encoder.mT, decoder, cross",
                "return encoder, said.mT & past, cross",
            ),
        ),
        Misconception(
            "padding-assumed-on-the-right",
            changed(
                source_lengths,
                "(read != padding)[:, None, :]",
                "(torch.arange(T) < (read != padding).sum(1, keepdim=True))[:, None, :]",
            ),
            "You count the words and let so many places be seen from the left. Where are the "
            "words of a source that is padded on the left?",
        ),
        ANOTHER_FORM.by(
            changed(
                masks,
                RETURN,
                "return encoder, cross, decoder",
                "return cross, decoder, encoder",
                "return decoder, encoder, cross",
                "return encoder.int(), decoder.int(), cross.int()",
                "three = encoder, decoder, cross\n"
                "    return tuple(torch.zeros(m.shape).masked_fill(~m, -torch.inf) for m in three)",
            )
        ),
        SOURCE_ASKS.by(changed(masks, RETURN, "return encoder, decoder, cross.mT")),
        IDS_GUESSED.by(lambda source, read, padding: masks(source, read, 0)),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
