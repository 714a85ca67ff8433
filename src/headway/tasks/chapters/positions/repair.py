"""Debug: positions of sentences that are padded on the left, counted by the column."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.positions.mistakes import OTHER_POSITIONS
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.requirements import arguments_kept
from headway.tasks.engine.task import Case, Task


def given_add_positions(x, table, lengths):
    """The faulty function, as the notebook hands it out."""
    B, T, C = x.shape
    column = torch.arange(T)
    words = column >= T - lengths[:, None]
    rows = table[:T].expand(B, T, C)
    added = torch.zeros_like(x)
    added[words] = rows[words]
    return x + added


def add_positions(x, table, lengths):
    """The same, repaired."""
    B, T, C = x.shape
    column = torch.arange(T)
    words = column >= T - lengths[:, None]
    rows = table[:T].expand(B, T, C)
    added = torch.zeros_like(x)
    added[words] = rows[column < lengths[:, None]]
    return x + added


def by_position(x, table, lengths):
    """Right, too, by the position of each column, which is below 0 in the padding."""
    T = x.shape[1]
    padding = T - lengths
    position = torch.arange(T) - padding[:, None]
    added = table[position.clamp(min=0)]
    added = added.masked_fill((position < 0)[..., None], 0.0)
    return x + added


def with_own_mask(x, table, lengths):
    """Right, too: each sentence's padding is looked up once more, for the mask."""
    T = x.shape[1]
    padding = T - lengths
    position = torch.arange(T) - padding[:, None]
    added = table[position.clamp(min=0)]
    return x + added.masked_fill((torch.arange(T) < padding[:, None])[..., None], 0.0)


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, C=4, more=3, lengths=None):
        x, table = (
            torch.from_numpy(np.round(rng.normal(size=shape), 2)).float()
            for shape in ((B, T, C), (T + more, C))
        )
        if lengths is None:
            lengths = rng.permuted(np.resize(np.arange(1, T + 1), B))
        return x, table, torch.tensor(lengths)

    return [
        Case("as many sentences as words", *draw(4, 4), core=True),
        Case("three sentences of five words", *draw(3, 5), core=True),
        Case("more sentences than words", *draw(6, 3)),
        Case("two sentences alike", *draw(2, 2, lengths=[1, 1])),
        Case("one sentence alone", *draw(1, 4)),
        Case("no padding", *draw(3, 3, lengths=[3, 3, 3])),
        Case("nothing but padding", *draw(2, 3, lengths=[0, 2])),
        Case("a table just as long as the text", *draw(3, 4, more=0)),
        Case("as wide as there are words and sentences", *draw(4, 4, C=4)),
        arguments_kept(*draw(3, 3)),
    ]


def from_the_end(of_none):
    """Sentence by sentence, in its last n columns; of_none(x) stands where n is 0."""

    def answer(x, table, lengths):
        rows = [
            row + functional.pad(table[:n], (0, 0, len(row) - n, 0)) if n else of_none(row, table)
            for row, n in zip(x, lengths.tolist(), strict=True)
        ]
        return torch.stack(rows)

    return answer


def _raising(row, table):
    """What a slice from minus zero does: it is the whole sentence, and there are no rows for it."""
    raise ValueError


OWN = "rows[column < lengths[:, None]]"
POSITION = "torch.arange(T) - padding[:, None]"
MASKED = "    added = added.masked_fill((position < 0)[..., None], 0.0)\n"

repair_task = Task(
    id="07-positions/repair",
    title="Repair the positions of padded sentences",
    kind="debug",
    points=2,
    minutes=8,
    answer="add_positions",
    cases=cases,
    reference=add_positions,
    given=given_add_positions,
    misconceptions=(
        Misconception(
            "sentence-for-word",
            any_of(
                changed(
                    by_position,
                    POSITION,
                    "torch.arange(T) - padding",
                    "torch.arange(T) - padding[:T]",
                    "torch.arange(len(x)) - padding",
                ),
                changed(add_positions, "T - lengths[:, None]", "T - lengths"),
                changed(add_positions, OWN, "rows[column < lengths]"),
                changed(by_position, POSITION, "(torch.arange(T)[:, None] - padding)"),
                changed(
                    by_position,
                    POSITION,
                    "(torch.arange(len(x)) - padding)[:, None].expand(-1, T)",
                ),
            ),
            "You mix up the axis of the sentences with that of the words. Which of your numbers "
            "differ from sentence to sentence, and which from word to word?",
        ),
        Misconception(
            "padding-of-another-sentence",
            any_of(
                changed(
                    by_position,
                    POSITION,
                    "torch.arange(T) - padding[:1, None]",
                    "torch.arange(T) - padding.max()",
                    "torch.arange(T) - padding.min()",
                    "torch.arange(T) - padding[0]",
                    "torch.arange(T) - padding[:, None].flip(0)",
                ),
                changed(add_positions, OWN, "rows[words.flip(0)]", "rows[words.flip(0, 1)]"),
                changed(by_position, POSITION, "(torch.arange(T) - padding.float().mean()).long()"),
                # The same where the padding itself is left alone.
                *(
                    changed(with_own_mask, POSITION, other)
                    for other in (
                        "(torch.arange(T) - padding[:1, None]).expand(len(x), T)",
                        "(torch.arange(T) - padding.max()).expand(len(x), T)",
                        "(torch.arange(T) - padding.min()).expand(len(x), T)",
                    )
                ),
            ),
            "You count a sentence by the padding of another one, or of all. How many paddings are "
            "there in a batch, and which belongs to which sentence?",
        ),
        Misconception(
            "padding-not-taken-off",
            any_of(
                changed(by_position, POSITION, "torch.arange(T).expand(len(x), T)"),
                changed(
                    changed(by_position, MASKED, "")[0],
                    POSITION,
                    "torch.arange(T).expand(len(x), T)",
                ),
            ),
            "Your first word after the padding does not stand at position 0. From where is a "
            "sentence counted that begins behind some padding?",
        ),
        Misconception(
            "padding-masked-inexactly",
            any_of(
                changed(by_position, MASKED, ""),
                changed(by_position, "position < 0", "position < -1", "position <= 0"),
                changed(
                    changed(by_position, ".clamp(min=0)", ".abs()")[0],
                    MASKED,
                    "",
                ),
                changed(
                    changed(by_position, ".clamp(min=0)", "")[0],
                    MASKED,
                    "",
                ),
            ),
            "Some padding gets a position, or a first word gets none. Which columns should stay as "
            "they are?",
        ),
        Misconception(
            "slice-from-minus-zero",
            any_of(
                from_the_end(_raising),
                from_the_end(lambda row, table: row + table[: len(row)]),
            ),
            "Only a sentence without words goes wrong. Which columns does a slice take that begins "
            "n from the end, for n = 2, 1 and 0?",
        ),
        Misconception(
            "padding-on-the-right",
            any_of(
                lambda x, table, lengths: (
                    x
                    + table[: x.shape[1]] * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
                ),
            ),
            "You treat the sentences as if their padding came last. Where is it here?",
        ),
        Misconception(
            "words-lost",
            any_of(
                changed(by_position, "return x + added", "return added"),
                changed(
                    by_position,
                    "return x + added",
                    "return (x + added).masked_fill((position < 0)[..., None], 0.0)",
                ),
            ),
            "Words are lost: what comes out is the positions alone, or padding has become zeros. "
            "What is added to what?",
        ),
        OTHER_POSITIONS.by(
            changed(
                changed(by_position, "(position < 0)", "(position < 1)")[0],
                POSITION,
                "(torch.arange(T) - padding[:, None] + 1).clamp(max=len(table) - 1)",
            ),
            changed(
                by_position,
                POSITION,
                "(torch.arange(T) - padding[:, None]).flip(1)",
                "torch.arange(T) - lengths[:, None]",
                "padding[:, None] - torch.arange(T)",
            ),
            changed(
                add_positions,
                OWN,
                "rows.flip(1)[words]",
                "rows[column < lengths[:, None]].flip(0)",
            ),
        ),
    ),
    compare=close(atol=1e-4),
)
