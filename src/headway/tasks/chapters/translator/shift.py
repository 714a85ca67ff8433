"""Build the two sides of teacher forcing: what the decoder reads and what it is to say."""

from collections import Counter

import numpy as np
import torch

from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANSWER_READ,
    END_MISPLACED,
    IDS_GUESSED,
    PADDING_MISPLACED,
    SOME_SIZES,
    START_MISSING,
    WORDS_LOST,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import changed, seen
from headway.tasks.engine.task import Case, Task


def teacher_forcing(sentences, start, end, padding):
    """read (B, T) = start, words, padding and target (B, T) = words, end, padding."""
    read = [[start, *words] for words in sentences]
    target = [[*words, end] for words in sentences]
    return fill(read, padding), fill(target, padding)


def fill(rows, padding):
    """Rows of different lengths as (B, T), filled up on the right."""
    T = max(map(len, rows))
    return torch.tensor([[*row, *[padding] * (T - len(row))] for row in rows])


def shift_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, specials=(1, 2, 0)):
        return [rng.integers(3, 50, n).tolist() for n in lengths], *specials

    return [
        Case("sentences of different lengths", *draw(3, 5, 2), core=True),
        Case("a single sentence", *draw(4)),
        Case("sentences of the same length", *draw(3, 3)),
        Case("sentences of one word", *draw(1, 1)),
        Case("an empty sentence beside others", *draw(2, 0, 4)),
        Case("an empty sentence alone", *draw(0)),
        Case("other ids for the special symbols", *draw(2, 4, 3, specials=(60, 0, 51))),
        Case("a word that repeats", [[7, 7, 7], [8, 7]], 1, 2, 0),
    ]


READ, TARGET = "[start, *words]", "[*words, end]"
FILLED = "fill(read, padding), fill(target, padding)"

(end_read,) = changed(teacher_forcing, READ, "[start, *words, end]")


def rows_show(shows):
    """By shows(read, target, words, (start, end, padding)) of any sentence."""

    def shown(got, expected, case) -> bool:
        sentences, *specials = case.inputs
        mine = [[list(map(int, row)) for row in side] for side in got]
        return len(mine[0]) == len(mine[1]) == len(sentences) and any(
            shows(*three, specials) for three in zip(*mine, sentences, strict=True)
        )

    return shown


def padding_moved(read, target, words, specials) -> bool:
    """Right but for padding, which comes before something else."""
    start, end, padding = specials
    sides = (read, [start, *words]), (target, [*words, end])
    right = all([i for i in mine if i != padding] == side for mine, side in sides)
    return right and any(mine[: len(side)] != side for mine, side in sides)


def otherwise_filled(got, expected, case) -> bool:
    """What is wrong is another number at places that are to be filled up."""
    _, start, end, padding = case.inputs
    wrong = [
        (mine[mine != right], right[mine != right])
        for mine, right in zip(map(np.asarray, got), expected, strict=True)
        if mine.shape == right.shape
    ]
    return any(len(mine) for mine, _ in wrong) and all(
        (right == padding).all() and not np.isin(mine, (start, end)).any() for mine, right in wrong
    )


def handed_over_otherwise(got, expected, case) -> bool:
    """The right rows, swapped, of another type or width."""
    padding = case.inputs[-1]
    mine, right = (
        [[" ".join(str(int(i)) for i in row if i != padding) for row in side] for side in sides]
        for sides in (got, expected)
    )
    return mine in (right, right[::-1])


shift = Task(
    id="13-translator/shift",
    title="Shift right",
    kind="build",
    points=1,
    minutes=10,
    answer="teacher_forcing",
    cases=shift_cases,
    reference=teacher_forcing,
    misconceptions=(
        SOME_SIZES.by(
            only_at=(
                "a single sentence",
                "sentences of the same length",
                "sentences of one word",
                "an empty sentence beside others",
                "an empty sentence alone",
            )
        ),
        PADDING_MISPLACED.by(
            changed(
                teacher_forcing,
                FILLED,
                "tuple(\n"
                "        fill([row[::-1] for row in side], padding).flip(1)\n"
                "        for side in (read, target)\n"
                "    )",
            ),
            shows=rows_show(padding_moved),
        ),
        ANOTHER_FORM.by(
            changed(teacher_forcing, FILLED, "fill(target, padding), fill(read, padding)"),
            shows=handed_over_otherwise,
        ),
        IDS_GUESSED.by(
            changed(teacher_forcing, "fill(target, padding)", "fill(target, -100)"),
            shows=otherwise_filled,
            only_at=("other ids for the special symbols",),
        ),
        ANSWER_READ.by(
            changed(teacher_forcing, "fill(read, padding),", "fill(target, padding),"),
            shows=rows_show(
                lambda read, target, words, specials: (
                    read == target or read[: len(words) + 1] == [*words, specials[1]]
                )
            ),
        ),
        START_MISSING.by(
            changed(teacher_forcing, READ, "[*words]"),
            shows=rows_show(lambda read, target, words, specials: read[0] != specials[0]),
        ),
        END_MISPLACED.by(
            changed(end_read, TARGET, "[start, *words, end]"),
            shows=rows_show(
                lambda read, target, words, specials: (
                    specials[1] in read or specials[1] not in target
                )
            ),
        ),
        WORDS_LOST.by(
            changed(teacher_forcing, READ, "[start, start, *words][: len(words) + 1]"),
            shows=rows_show(lambda read, target, words, specials: Counter(words) - Counter(read)),
        ),
        seen(
            "other-words-asked-for",
            "What has to be said isn't the words of a sentence and an end, in this order. Which "
            "target belongs to the start symbol?",
            rows_show(
                lambda read, target, words, specials: (
                    [i for i in target if i != specials[2]] != [*words, specials[1]]
                )
            ),
        ),
    ),
    compare=equal(same_kind=True),  # ids that are floats would stop the training
)
