"""Build the three masks of an encoder–decoder."""

import numpy as np
import torch

from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def masks(source, read, padding):
    """Encoder (B, S, S), decoder (B, T, T) and cross (B, T, S): True where a query may look."""
    (B, S), T = source.shape, read.shape[1]
    words, said = (source != padding)[:, None, :], (read != padding)[:, None, :]
    return words.expand(B, S, S), said & causal(T), words.expand(B, T, S)


def causal(T):
    return torch.ones(T, T, dtype=torch.bool).tril()


def mask_cases(rng: np.random.Generator) -> list[Case]:
    def ids(lengths, width, padding):
        drawn = rng.integers(10, 90, (len(lengths), width))
        drawn[np.arange(width) >= np.array(lengths)[:, None]] = padding
        return torch.from_numpy(drawn)

    def draw(source, read, S, T, padding=0):
        return ids(source, S, padding), ids(read, T, padding), padding

    left = torch.tensor([[0, 0, 31, 45], [12, 61, 34, 33]])
    return [
        Case("sources and targets of different lengths", *draw([3, 5], [4, 2], 5, 4), core=True),
        Case("a target longer than the source", *draw([2, 1, 2], [5, 3, 4], 2, 5), core=True),
        Case("source and target of the same width", *draw([4, 2], [1, 4], 4, 4)),
        Case("another id for the padding", *draw([2, 4], [3, 2], 4, 3, 7)),
        Case("no padding", *draw([3], [4], 3, 4)),
        Case("as many sentences as tokens", *draw([3, 1, 2], [2, 3, 1], 3, 3)),
        Case("one token each", *draw([1], [1], 1, 1)),
        Case("a source of padding only", *draw([0, 3], [2, 2], 3, 2)),
        Case("a source padded on the left", left, *draw([4, 4], [3, 2], 4, 3)[1:]),
    ]


def _changed(encoder=None, decoder=None, cross=None):
    """The right masks but for some: each is change(source, read, padding, right)."""

    def three(source, read, padding):
        right = masks(source, read, padding)
        return tuple(
            mask if change is None else change(source, read, padding, mask)
            for mask, change in zip(right, (encoder, decoder, cross), strict=True)
        )

    return three


def _causal_too(source, read, padding, right):
    return right & torch.ones(right.shape[1:], dtype=torch.bool).tril()


def _all(source, read, padding, right):
    return torch.ones_like(right)


def _causal_only(source, read, padding, right):
    return causal(read.shape[1]).expand_as(right)


def _padding_only(source, read, padding, right):
    return (read != padding)[:, None, :].expand_as(right)


def _with(mask):
    def decoder(source, read, padding, right):
        T = read.shape[1]
        return (read != padding)[:, None, :] & mask(torch.ones(T, T, dtype=torch.bool))

    return decoder


def _targets_padding(source, read, padding, right):
    """A row of the cross mask is hidden where the target is padding; no column is."""
    return (read != padding)[:, :, None].expand_as(right)


def _rows_too(source, read, padding):
    encoder, decoder, cross = masks(source, read, padding)
    words, said = (source != padding)[:, :, None], (read != padding)[:, :, None]
    return encoder & words, decoder & said, cross & said


def _own_rows_too(source, read, padding):
    """Outer products in self-attention; the cross mask is right."""
    encoder, decoder, _ = _rows_too(source, read, padding)
    return encoder, decoder, masks(source, read, padding)[2]


def _cross_rows_too(source, read, padding, right):
    return _rows_too(source, read, padding)[2]


def _one_row(source, read, padding, right):
    """A single row for all queries, which an attention spreads over them."""
    return right[:, :1]


def _to_be_added(source, read, padding):
    return tuple(
        torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
        for mask in masks(source, read, padding)
    )


def _padding_only_seen(source, read, padding):
    """Only padding is visible; the triangle is right."""
    (B, S), T = source.shape, read.shape[1]
    gaps, unsaid = (source == padding)[:, None, :], (read == padding)[:, None, :]
    return gaps.expand(B, S, S), unsaid & causal(T), gaps.expand(B, T, S)


def _by_lengths(source, read, padding):
    """Words counted, and as many places seen from the left."""
    rows = []
    for ids in (source, read):
        lengths = (ids != padding).sum(1, keepdim=True)
        rows.append(torch.where(torch.arange(ids.shape[1]) < lengths, padding + 1, padding))
    return masks(*rows, padding)


def _rows_for_columns(source, read, padding):
    encoder, _, cross = masks(source, read, padding)
    said = (read != padding)[:, :, None] & causal(read.shape[1])
    return encoder.mT, said, cross


masks_task = Task(
    id="13-translator/masks",
    title="Three masks",
    kind="build",
    points=2,
    minutes=12,
    answer="masks",
    cases=mask_cases,
    reference=masks,
    misconceptions=(
        Misconception(
            "causal-mask-on-the-encoder",
            _changed(encoder=_causal_too),
            "In your encoder a source word does not see those after it. Is there anything in the "
            "source that is still to be written?",
        ),
        Misconception(
            "causal-mask-on-the-memory",
            _changed(cross=_causal_too),
            "Encoder and decoder are right. Your first target word sees one source word, the "
            "second two. Is any of the source still to be written?",
        ),
        Misconception(
            "source-padding-visible-to-the-target",
            _changed(cross=_all),
            "Encoder and decoder are right. In cross-attention the target looks at the source's "
            "padding. The encoder hid it from the source: is it gone from the memory?",
        ),
        Misconception(
            "source-padding-visible",
            _changed(encoder=_all, cross=_all),
            "Your decoder is right. The padding of the source is seen by everyone. Where do the "
            "shorter sources end?",
        ),
        Misconception(
            "source-padding-visible-in-the-encoder",
            _changed(encoder=_all),
            "Decoder and cross mask are right. In the encoder, padding is seen by the words. Does "
            "it change what they become?",
        ),
        Misconception(
            "target-padding-mask-on-the-memory",
            _changed(cross=_targets_padding),
            "Your cross mask depends on the padding of the target. The keys are source tokens: "
            "whose padding stands among them?",
        ),
        Misconception(
            "causal-forgotten",
            _changed(decoder=_padding_only),
            "Your decoder sees words that come later. What would be left to learn?",
        ),
        Misconception(
            "target-padding-visible",
            _changed(decoder=_causal_only),
            "Your decoder mask is causal and says nothing of padding. In a row without padding "
            "behind the words that is enough; here the text asks for both.",
        ),
        Misconception(
            "causal-the-wrong-way",
            _changed(decoder=_with(torch.triu)),
            "Your decoder sees what comes after a word and not what came before. Which triangle "
            "of the table is the past, if rows are queries?",
        ),
        Misconception(
            "own-position-hidden",
            _changed(decoder=_with(lambda ones: ones.tril(-1))),
            "Your first target position sees nothing. What is read has been shifted already: may "
            "a position look at itself?",
        ),
        Misconception(
            "one-step-ahead",
            _changed(decoder=_with(lambda ones: ones.tril(1))),
            "Each of your positions sees the next one. What is read there is the answer here.",
        ),
        Misconception(
            "true-for-hidden",
            lambda source, read, padding: tuple(~mask for mask in masks(source, read, padding)),
            "All three are right, with True and False exchanged. PyTorch's own layers use both "
            "conventions. Which one does this course use?",
        ),
        Misconception(
            "padding-must-not-ask",
            _rows_too,
            "The columns are right, and you also hide whole rows: padding that asks. Nobody reads "
            "those rows, and a softmax over nothing is NaN in many programs. What does the text "
            "ask for?",
        ),
        Misconception(
            "padding-must-not-ask-its-own-side",
            _own_rows_too,
            "Your cross mask is right. In encoder and decoder you hide whole rows, too: padding "
            "that asks. Nobody reads those rows, and a softmax over nothing is NaN in many "
            "programs. What does the text ask for?",
        ),
        Misconception(
            "padding-must-not-ask-across",
            _changed(cross=_cross_rows_too),
            "Encoder and decoder are right. In the cross mask you also hide whole rows: padding of "
            "the target that asks. Nobody reads those rows. What does the text ask for?",
        ),
        Misconception(
            "masks-to-be-added",
            _to_be_added,
            "Your masks are meant to be added to scores: 0 where a query may look, minus infinity "
            "where not. What does a mask hold in this course?",
        ),
        Misconception(
            "axis-left-to-broadcasting",
            _changed(encoder=_one_row, cross=_one_row),
            "The values are right, and two masks have a single row for all queries. An attention "
            "would spread it itself; here the text gives the shapes. How many rows has each?",
        ),
        Misconception(
            "only-padding-seen",
            _padding_only_seen,
            "The past is right. Of the keys, your queries see the padding and not the words. What "
            "does True stand for in this course?",
        ),
        Misconception(
            "lengths-counted",
            _by_lengths,
            "Right where padding stands on the right. You count the words and let so many places "
            "be seen from the left. Where are the words of a source that is padded on the left?",
        ),
        Misconception(
            "rows-for-columns",
            _rows_for_columns,
            "In encoder and decoder you hide the queries that are padding, and all keys are seen. "
            "Which axis are the keys?",
        ),
        Misconception(
            "cross-the-other-way-round",
            lambda source, read, padding: (
                *masks(source, read, padding)[:2],
                masks(source, read, padding)[2].mT,
            ),
            "Your cross mask has source rows and target columns. Who asks?",
        ),
        Misconception(
            "padding-taken-for-zero",
            lambda source, read, padding: masks(source, read, 0),
            "Right where the padding has the id 0. Here it has another one, and it is given.",
        ),
    ),
    compare=equal(same_kind=True),
    alike=equal(),
)
