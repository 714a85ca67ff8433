"""Debug: positions of sentences that are padded on the left, counted by the column."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.positions.mistakes import COUNTED_FROM_ONE, OTHER_POSITIONS
from headway.tasks.engine.compare import close
from headway.tasks.engine.duties import arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of, changed
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
            "works-for-some-sizes-only",
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
            ),
            "This raises, or is wrong, where there are more sentences than words or fewer. Which "
            "axis counts sentences and which counts words, and how many numbers has each of the "
            "two that you subtract or compare?",
        ),
        Misconception(
            "sentence-for-word",
            any_of(
                changed(by_position, POSITION, "(torch.arange(T)[:, None] - padding)"),
                changed(
                    by_position,
                    POSITION,
                    "(torch.arange(len(x)) - padding)[:, None].expand(-1, T)",
                ),
                changed(by_position, POSITION, "torch.arange(T) - padding[:, None].flip(0)"),
                changed(add_positions, OWN, "rows[words.flip(0)]", "rows[words.flip(0, 1)]"),
            ),
            "A word's position depends on where its sentence stands in the batch, or words and "
            "sentences have changed places. Along which axis does the padding differ, and along "
            "which one do the places go on?",
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
                ),
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
            "All your sentences are counted as if they had the same padding. How many paddings are "
            "there in a batch?",
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
            "padding-gets-a-position",
            any_of(
                changed(by_position, MASKED, ""),
                changed(by_position, "position < 0", "position < -1"),
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
            "Your padding is not what it was: it gets a row of the table. What should be added "
            "before the first word?",
        ),
        Misconception(
            "slice-from-minus-zero",
            any_of(
                from_the_end(_raising),
                from_the_end(lambda row, table: row + table[: len(row)]),
            ),
            "All is right but for a sentence without a word. Which columns does a slice take that "
            "begins n from the end, for n of 2, of 1 and of 0?",
        ),
        Misconception(
            "first-word-left-out",
            any_of(
                changed(by_position, "position < 0", "position <= 0"),
            ),
            "The first word of a sentence gets no position. Which row of the table is its own?",
        ),
        Misconception(
            "padding-on-the-right",
            any_of(
                lambda x, table, lengths: (
                    x
                    + table[: x.shape[1]] * (torch.arange(x.shape[1]) < lengths[:, None])[..., None]
                ),
            ),
            "You treat the sentences as if their padding stood behind them. Where does it stand "
            "here?",
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
        COUNTED_FROM_ONE.by(
            changed(
                changed(by_position, "(position < 0)", "(position < 1)")[0],
                POSITION,
                "(torch.arange(T) - padding[:, None] + 1).clamp(max=len(table) - 1)",
            ),
        ),
        OTHER_POSITIONS.by(
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
