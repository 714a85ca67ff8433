"""Train, first part: one step of writing a translation, for a whole batch."""

from collections import Counter

import numpy as np
import torch

from headway.tasks.chapters.translator.drawn import draw_tensor, near
from headway.tasks.chapters.translator.mistakes import (
    ANOTHER_FORM,
    END_MISPLACED,
    IDS_GUESSED,
    PADDING_MISPLACED,
    SOME_SIZES,
    WORDS_LOST,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, changed, seen
from headway.tasks.engine.requirements import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.task import Case, Task


def greedy_step(logits, written, end, padding):
    """Appends the best next token (B, T + 1), or padding behind an end; and which rows are done."""
    best = logits[:, -1:].argmax(-1)
    done = (written == end).any(1, keepdim=True)
    longer = torch.cat([written, best.masked_fill(done, padding)], 1)
    return longer, (longer == end).any(1)


NOT_DONE, DONE = "rows that go on", "rows that are done"


def greedy_cases(rng: np.random.Generator) -> list[Case]:
    def draw(rows, V=8, end=2, padding=0, best=None):
        """`best` has the next token of each row; the others are drawn."""
        written = torch.tensor(rows)
        B, T = written.shape
        logits = draw_tensor(rng, B, T, V)
        words = [v for v in range(V) if v not in (end, padding)]
        for b in range(B):
            order = rng.permutation(words)[:T] if len(words) >= T else rng.choice(words, T)
            logits[b, torch.arange(T), torch.from_numpy(order)] += 9
            if best is not None and best[b] is not None:
                logits[b, -1, best[b]] += 20
        return logits, written, end, padding

    return [
        Case(
            "some rows done before, one by this token",
            *draw([[1, 5, 2, 0], [1, 4, 6, 5], [1, 3, 7, 4]], best=[5, 2, 6]),
            core=True,
        ),
        Case("another token nearly as likely", *close_calls(rng), core=True),
        Case("nothing done yet", *draw([[1, 5, 3], [1, 4, 6]]), path=NOT_DONE),
        Case(
            "padding among the words, and no end",
            *draw([[1, 0, 5, 3], [1, 4, 6, 0], [1, 7, 5, 4]], best=[None, None, 0]),
        ),
        Case("the first word", *draw([[1], [1], [1]]), path=NOT_DONE),
        Case("all end with this token", *draw([[1, 5], [1, 6]], best=[2, 2]), path=DONE),
        Case("all done before", *draw([[1, 5, 2], [1, 2, 0]]), path=DONE),
        Case("a single sentence", *draw([[1, 3, 4, 5]]), path=NOT_DONE),
        Case(
            "other ids for end and padding",
            *draw([[1, 5, 0, 6], [1, 4, 3, 2]], end=0, padding=6),
        ),
        Case(
            "done long before",
            *draw([[1, 2, 0, 0, 0], [1, 5, 4, 3, 7]], best=[4, None]),
            path=DONE,
        ),
        Case("padding written last, and no end", *draw([[1, 5, 0], [1, 4, 6]], best=[3, 0])),
        arguments_kept(
            *draw([[1, 5, 2, 0], [1, 4, 6, 5]], best=[5, 2]),
        ),
    ]


def close_calls(rng, B=12, T=3, V=40, end=2, padding=0):
    """Rows in which the best token is ahead by a little: who draws by chance takes another one."""
    logits = draw_tensor(rng, B, T, V)
    best = torch.from_numpy(rng.integers(3, V, (B, T)))[..., None]
    logits.scatter_(-1, best, logits.amax(-1, keepdim=True) + 0.05)
    return logits, torch.from_numpy(rng.integers(3, V, (B, T))), end, padding


DONE_BEFORE, DONE_NOW = "(written == end).any(1, keepdim=True)", "(longer == end).any(1)"
(end_counts_at_once,) = changed(greedy_step, DONE_BEFORE, f"{DONE_BEFORE} | (best == end)")


def rows_show(shows):
    """By a row: shows(its new token, the right one, written before, its best, (end, padding))."""

    def shown(got, expected, case) -> bool:
        logits, written, end, padding = case.inputs
        longer, rows = np.asarray(got[0]), written.tolist()
        if longer.shape != expected[0].shape or not near(longer[:, :-1], written):
            return False
        best = logits[:, -1].argmax(-1).tolist()
        ids = longer[:, -1].tolist(), expected[0][:, -1].tolist(), rows, best
        return any(
            new != right and shows(new, right, row, top, (end, padding))
            for new, right, row, top in zip(*ids, strict=True)
        )

    return shown


padding_too_early = rows_show(
    lambda new, right, row, best, ids: ids[0] not in row and new == ids[1] != best
)


def in_another_form(got, expected, case) -> bool:
    """The right ids and flags, as other kinds of numbers or in other shapes, or swapped."""
    mine, right = ([np.asarray(x, float).ravel() for x in pair] for pair in (got, expected))
    return all(map(near, mine, right)) or all(map(near, mine[::-1], right))


def written_into_the_logits(logits, written, end, padding):
    """What a done row would say is overwritten where the caller keeps it.

    It fails where no row is done: else a right answer of another kind would be taken for it.
    """
    done = (written == end).any(1).nonzero()[:, 0]
    if len(done) == 0:
        raise IndexError
    logits[done] = -torch.inf
    logits[done, :, padding] = 0.0
    return greedy_step(logits, written, end, padding)


greedy = Task(
    id="13-translator/greedy-step",
    title="Write one more word",
    kind="train",
    points=2,
    minutes=12,
    answer="greedy_step",
    cases=greedy_cases,
    reference=greedy_step,
    misconceptions=(
        ANOTHER_FORM.by(
            changed(greedy_step, f"return longer, {DONE_NOW}", f"return {DONE_NOW}, longer"),
            shows=in_another_form,
        ),
        IDS_GUESSED.by(
            changed(greedy_step, "masked_fill(done, padding)", "masked_fill(done, 0)"),
            only_at=("other ids for end and padding",),
        ),
        ARGUMENTS_KEPT.by(written_into_the_logits),
        WORDS_LOST.by(
            changed(
                greedy_step,
                "return longer,",
                "return torch.cat([written[:, :-1], longer[:, -1:]], 1),",
            ),
            shows=lambda got, expected, case: any(
                Counter(row) - Counter(longer)
                for row, longer in zip(case.inputs[1].tolist(), got[0].tolist(), strict=True)
            ),
        ),
        seen(
            "written-in-another-place",
            "Your rows aren't what was written before and one token more. Where does a new one go, "
            "and does each row get one?",
            lambda got, expected, case: (
                got[0].shape != expected[0].shape or not near(got[0][:, :-1], case.inputs[1])
            ),
        ),
        END_MISPLACED.by(
            changed(end_counts_at_once, DONE_NOW, "done[:, 0]"),
            shows=rows_show(
                lambda new, right, row, best, ids: right == best == ids[0] and new == ids[1]
            ),
        ),
        Misconception(
            "other-rows-done",
            changed(
                greedy_step,
                DONE_BEFORE,
                "((written == end) | (written == padding)).any(1, keepdim=True)",
            ),
            "You take other rows for done than those that hold an end symbol after the step. "
            "Where in a row may it be, and what does True say?",
            shows=lambda got, expected, case: (
                not near(got[1], (got[0] == case.inputs[2]).any(1))
                or padding_too_early(got, expected, case)
            ),
        ),
        PADDING_MISPLACED.by(
            changed(greedy_step, "best.masked_fill(done, padding)", "best"),
            shows=rows_show(lambda new, right, row, best, ids: ids[0] in row),
        ),
        Misconception(
            "other-predictions-taken",
            changed(greedy_step, "logits[:, -1:]", "logits"),
            "You take a prediction of another position, or not the best one, or keep too many. "
            "Which position predicts the token that isn't in the row yet?",
            shows=rows_show(lambda new, right, row, best, ids: right == best),
        ),
        SOME_SIZES.by(only_at=("the first word", "a single sentence")),
    ),
    compare=equal(same_kind=True),  # the next step looks these ids up
)
