"""Build the three masks of an encoder–decoder."""

from itertools import permutations

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import near
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    CAUSAL_MISPLACED,
    CAUSAL_ON_THE_SOURCE,
    IDS_GUESSED,
    MASK_AXES,
    MASK_INVERTED,
    NOTHING_VISIBLE,
    PADDING_ON_THE_RIGHT,
    PADDING_SEEN,
    SOME_SIZES,
    SOURCE_ASKS,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import changed
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
        Case("another id for the padding", *draw([2, 4], [3, 2], 4, 3, 95)),
        Case("no padding", *draw([3], [4], 3, 4)),
        Case("as many sentences as tokens", *draw([3, 1, 2], [2, 3, 1], 3, 3)),
        Case("one token each", *draw([1], [1], 1, 1)),
        Case("a source of padding only", *draw([0, 3], [2, 2], 3, 2)),
        Case("a source padded on the left", left, *draw([4, 4], [3, 2], 4, 3)[1:]),
    ]


ENCODER, CROSS = "words.expand(B, S, S)", "words.expand(B, T, S)"
RETURN = "return encoder, decoder, cross"
SOURCE_WORDS = "(source != padding)[:, None, :]"
(source_lengths,) = changed(
    masks,
    SOURCE_WORDS,
    "(torch.arange(S) < (source != padding).sum(1, keepdim=True))[:, None, :]",
)


def one_shows(shows):
    """By one wrong mask of the right shape: shows(mine, right, padding among keys, whose it is)."""

    def shown(got, expected, case) -> bool:
        source, read, padding = case.inputs
        keys = [(ids == padding).numpy()[:, None] for ids in (source, read, source)]
        return any(
            mine.shape == right.shape
            and not near(mine, right)
            and shows(mine > 0, right, out, kind)
            for mine, right, out, kind in zip(
                got, expected, keys, ("encoder", "decoder", "cross"), strict=True
            )
        )

    return shown


rows_hidden = one_shows(
    lambda mine, right, out, kind: (
        not (mine & ~right & ~out).any()
        and (mine.any(-1) < right.any(-1))[:, kind == "decoder" :].any()
    )
)


def in_another_form(got, expected, case) -> bool:
    """Right masks in another order, for adding, as numbers, or with an axis for the heads."""
    flat = [[np.asarray(mask).squeeze() for mask in masks] for masks in (got, expected)]
    ways = flat[0], [mask == 0 for mask in flat[0] if mask.dtype.kind == "f"]
    return any(
        len(way) == 3 and all(map(near, mine, flat[1]))
        for way in ways
        for mine in permutations(way)
    )


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
        NOTHING_VISIBLE.by(only_at=("a source of padding only",)),
        SOME_SIZES.by(
            only_at=(
                "source and target of the same width",
                "as many sentences as tokens",
                "one token each",
                "no padding",
            )
        ),
        PADDING_ON_THE_RIGHT.by(
            changed(
                source_lengths,
                "(read != padding)[:, None, :]",
                "(torch.arange(T) < (read != padding).sum(1, keepdim=True))[:, None, :]",
            ),
            only_at=("a source padded on the left",),
        ),
        IDS_GUESSED.by(
            lambda source, read, padding: masks(source, read, 0),
            only_at=("another id for the padding",),
        ),
        ANOTHER_FORM.by(
            changed(masks, RETURN, "return encoder, cross, decoder"), shows=in_another_form
        ),
        SOURCE_ASKS.by(
            changed(masks, RETURN, "return encoder, decoder, cross.mT"),
            shows=lambda got, expected, case: (
                len({*got[2].shape[1:]}) > 1 and got[2].shape == expected[2].mT.shape
            ),
        ),
        CAUSAL_ON_THE_SOURCE.by(
            changed(masks, ENCODER, "words & torch.ones(S, S).bool().tril()"),
            shows=one_shows(
                lambda mine, right, out, kind: kind != "decoder" and near(mine, np.tril(right))
            ),
        ),
        MASK_INVERTED.by(
            changed(masks, RETURN, "return ~encoder, ~decoder, ~cross"),
            shows=one_shows(
                lambda mine, right, out, kind: (
                    near(mine, ~right)
                    or ((mine.any() or not out.any()) and not (mine & ~out).any())
                )
            ),
        ),
        MASK_AXES.by(
            changed(masks, CROSS, "said.mT.expand(B, T, S)"),
            shows=lambda got, expected, case: (
                any(
                    mine.shape != right.shape and near(np.broadcast_to(mine, right.shape), right)
                    for mine, right in zip(got, expected, strict=True)
                )
                or rows_hidden(got, expected, case)
            ),
        ),
        PADDING_SEEN.by(
            changed(masks, SOURCE_WORDS, "torch.ones(B, 1, S).bool()"),
            shows=one_shows(lambda mine, right, out, kind: (mine & ~right & out).any()),
        ),
        CAUSAL_MISPLACED.by(
            changed(masks, ".tril()", ".tril(1)"),
            shows=one_shows(lambda mine, right, out, kind: kind == "decoder"),
        ),
    ),
    compare=equal(same_kind=True),
)
