"""Build the two sides of teacher forcing: what the decoder reads and what it is to say."""

import numpy as np
import torch

from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    ANSWER_READ,
    END_MISPLACED,
    IDS_GUESSED,
    PADDING_MISPLACED,
    START_MISSING,
    WORDS_LOST,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import changed
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
FILLED_READ = "fill(read, padding),"
FILLED = "fill(read, padding), fill(target, padding)"

# Both sides are filled up to the longer one, where it would show that they differ.
(filled_alike,) = changed(teacher_forcing, FILLED, "fill([*read, *target], padding).chunk(2)")
(end_never_said,) = changed(teacher_forcing, TARGET, "[*words]")
(end_read,) = changed(teacher_forcing, READ, "[start, *words, end]")


def finished_batch_shifted(sentences, start, end, padding):
    """What is read is made of the target, which has been filled up already."""
    _, target = teacher_forcing(sentences, start, end, padding)
    read = target.roll(1, dims=1)
    read[:, 0] = start
    return read, target


def end_behind_the_padding(sentences, start, end, padding):
    read, target = teacher_forcing(sentences, start, end, padding)
    target[target == end] = padding
    target[:, -1] = end
    return read, target


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
        ANSWER_READ.by(
            changed(
                teacher_forcing,
                FILLED_READ,
                "fill(target, padding),",
                "fill(target, padding).roll(-1, dims=1),",
            )
        ),
        START_MISSING.by(
            *(changed(version, READ, "[*words]") for version in (teacher_forcing, filled_alike)),
            changed(teacher_forcing, FILLED_READ, "fill(target, padding).roll(1, dims=1),"),
            changed(teacher_forcing, READ, "[end, *words]"),
        ),
        END_MISPLACED.by(
            end_read,
            changed(filled_alike, READ, "[start, *words, end]"),
            changed(end_read, TARGET, "[start, *words, end]"),
            finished_batch_shifted,
            changed(teacher_forcing, FILLED_READ, "fill(read, end),"),
            end_never_said,
            changed(teacher_forcing, TARGET, "[*words, start]"),
            changed(filled_alike, TARGET, "[*words]"),
            changed(end_never_said, READ, "[start, *words][: len(words)]"),
        ),
        WORDS_LOST.by(changed(teacher_forcing, READ, "[start, start, *words][: len(words) + 1]")),
        ANOTHER_FORM.by(
            changed(teacher_forcing, FILLED, "fill(target, padding), fill(read, padding)")
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
            end_behind_the_padding,
        ),
        IDS_GUESSED.by(
            lambda sentences, start, end, padding: teacher_forcing(sentences, start, end, 0),
            changed(teacher_forcing, "fill(target, padding)", "fill(target, -100)"),
        ),
    ),
    compare=equal(same_kind=True),  # ids that are floats would stop the training
    alike=equal(),
)
