"""Build: inputs and targets of conversations, of which only what the model says counts."""

import numpy as np
import torch

from headway.tasks.chapters.answering.draw import IGNORE
from headway.tasks.chapters.answering.mistakes import (
    END_NOT_COUNTED,
    GIVEN_COUNTED,
    MARKERS_COUNTED,
    MASK_UNSHIFTED,
    ONE_TURN_ONLY,
    PADDING_COUNTED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import changed, seen
from headway.tasks.engine.task import Case, Task

EMPTY, OPEN = "an empty answer", "an open question at the end"
LONG = "longer than the context"


def answer_batch(rows, question, answer, end, padding, context):
    """Inputs and targets (B, T); the oldest exchanges go where a row doesn't fit."""
    inputs, targets = [], []
    for row in rows:
        starts = [at for at, token in enumerate(row) if token == question]
        first = next(at for at in starts if len(row) - 1 - at <= context)
        kept, said, speaking = row[first:], [], False
        for token in kept:
            said.append(speaking)
            speaking = token == answer or (speaking and token != end)
        inputs.append(kept[:-1])
        targets.append([t if s else -100 for t, s in zip(kept[1:], said[1:], strict=True)])
    T = max(map(len, inputs))
    return (
        torch.tensor([row + [padding] * (T - len(row)) for row in inputs]),
        torch.tensor([row + [-100] * (T - len(row)) for row in targets]),
    )


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(label, *rows, context=99, padding=None, **options):
        """Rows of lengths: of a question, of its answer, of a question, …"""
        V = 12
        ids = rng.permutation(V + 4)
        question, answer, end, free = (int(i) for i in ids[:4])
        words = ids[4:]
        made = []
        for lengths in rows:
            row = []
            for turn, length in enumerate(lengths):
                said = [int(i) for i in rng.choice(words, length)]
                row += [*said, end] if turn % 2 else [question, *said, answer]
            made.append(row)
        fill = {None: free, "end": end, "word": made[0][1], "answer": answer}[padding]
        return Case(label, made, question, answer, end, fill, context, **options)

    def n(low=2, high=6):
        return int(rng.integers(low, high))

    return [
        draw("questions and answers of different lengths", (n(), 3), (n(), 5), (n(), 2), core=True),
        draw("several turns", (n(), 3, n(), 4), (n(), 2), (2, 2, 3, 1, 2, 3), core=True),
        draw("one conversation", (n(), n())),
        draw("rows of one length", (3, 2), (2, 3)),
        draw("padding with the id of the end", (n(), 2), (n(), 6), padding="end", path="padding"),
        draw("padding with the id of a word", (5, 7), (3, 2, 2, 1), padding="word", path="padding"),
        draw("padding with the id of <answer>", (3, 2), (5, 6), padding="answer", path="padding"),
        draw(EMPTY, (n(), 0), (n(), 3, 2, 0)),
        draw(OPEN, (n(), 3, n()), (n(), 4, 2, 2, 3)),
        draw(LONG, (3, 4, 2, 3), (2, 2, 3, 3, 2, 4), (2, 3), context=12, path="the context"),
        draw(
            "just as long as the context, and one longer",
            *((3, 2, 2, 2), (3, 2, 2, 3), (2, 2)),
            context=14,
            path="the context",
        ),
    ]


# What a wrong value is told by: what it would be with another mark for each token.


def _rows(case):
    """Each kept row, its marks and its targets, by hand."""
    rows, question, answer, end, _, context = case.inputs
    for row in rows:
        starts = [at for at, token in enumerate(row) if token == question]
        kept = row[next(at for at in starts if len(row) - 1 - at <= context) :]
        speaks, said = False, []
        for token in kept:
            said.append(speaks)
            speaks = token == answer or (speaks and token != end)
        yield kept, said


def _targets(got, case):
    """For each conversation what is kept of it, its marks, and the row of targets that came."""
    given = np.asarray(got[1])
    for (kept, said), row in zip(_rows(case), given, strict=True):
        yield kept, said, row


def _counted(tells):
    """A predicate on (kept, said, targets) that holds for some row of as many targets as asked."""
    return lambda got, expected, case: (
        np.shape(got[1]) == np.shape(expected[1])
        and any(tells(*one, case) for one in _targets(got, case))
    )


def _in_place(kept, row):
    """Whether every target that counts is the token right after what is read there."""
    after = np.append(np.asarray(kept[1:]), np.full(len(row) - len(kept) + 1, IGNORE))
    return bool(((row == IGNORE) | (row == after)).all())


def _end_missing(kept, said, row, case):
    end = case.inputs[3]
    at = [t for t in range(1, len(kept)) if said[t] and kept[t] == end]
    return _in_place(kept, row) and bool(at) and all(row[t - 1] == IGNORE for t in at)


def _given_counts(kept, said, row, case):
    words = [t for t in range(1, len(kept)) if not said[t] and kept[t] not in case.inputs[1:4]]
    return _in_place(kept, row) and any(row[t - 1] == kept[t] for t in words)


def _marker_counts(kept, said, row, case):
    markers = [t for t in range(1, len(kept)) if not said[t] and kept[t] in case.inputs[1:4]]
    return _in_place(kept, row) and any(row[t - 1] == kept[t] for t in markers)


def _one_turn(kept, said, row, case):
    words = [t for t in range(1, len(kept)) if said[t]]
    turns = [[]]
    for t in words:
        if turns[-1] and turns[-1][-1] != t - 1:
            turns.append([])
        turns[-1].append(t)
    counts = [any(row[t - 1] == kept[t] for t in turn) for turn in turns]
    return _in_place(kept, row) and len(turns) > 1 and sum(counts) == 1


def _padding_counts(kept, said, row, case):
    return bool((row[len(kept) - 1 :] != IGNORE).any())


def _padding_lost(kept, said, row, case):
    """A token that counts is missing that has the id of the padding, and no other is."""
    fill = case.inputs[4]
    lost = [kept[t] for t in range(1, len(kept)) if said[t] and row[t - 1] != kept[t]]
    return bool(lost) and set(lost) == {fill}


def _unshifted_targets(got, expected, case):
    inputs, targets = map(np.asarray, got)
    counts = targets != IGNORE
    return counts.any() and (targets[counts] == inputs[counts]).all()


def _apart(got, expected, case):
    """As many count in a row as should, or one less, and they are one place off."""
    mine, right = np.asarray(got[1]) != IGNORE, np.asarray(expected[1]) != IGNORE
    for by in (1, -1):
        moved = np.zeros_like(right)
        if by == 1:
            moved[:, 1:] = right[:, :-1]
        else:
            moved[:, :-1] = right[:, 1:]
        if mine.shape == right.shape and mine.any() and (mine == moved).all():
            return True
    return False


def _not_cut(got, expected, case):
    mine, right = np.asarray(got[0]), np.asarray(expected[0])
    return mine.ndim == 2 and mine.shape[1] == right.shape[1] + 1


def _other_inputs(got, expected, case):
    mine, right = np.asarray(got[0]), np.asarray(expected[0])
    return (
        mine.shape == right.shape
        and (mine != right).any()
        and bool((np.asarray(got[1]) == np.asarray(expected[1])).all())
    )


def _nothing_counts(got, expected, case):
    return bool((np.asarray(got[1]) == IGNORE).all())


SPEAKS = "speaking = token == answer or (speaking and token != end)"
MARKED = "[t if s else -100 for t, s in zip(kept[1:], said[1:], strict=True)]"
FITS = "next(at for at in starts if len(row) - 1 - at <= context)"

batch_task = Task(
    id="17-answering/batch",
    title="What counts in a batch of conversations",
    kind="build",
    points=3,
    minutes=25,
    answer="answer_batch",
    cases=cases,
    reference=answer_batch,
    misconceptions=(
        seen(
            "nothing-counts",
            "Not one of your targets counts. What sets a target apart from the rest?",
            _nothing_counts,
        ),
        seen(
            "last-token-read",
            "Your rows are one longer than they should be. After the last token of a "
            "conversation, what is left to predict?",
            _not_cut,
        ),
        seen(
            "targets-unshifted",
            "Each of your targets is the token that was read in the same place. What is a model "
            "asked to say that it has not read yet?",
            _unshifted_targets,
        ),
        PADDING_COUNTED.by(
            changed(answer_batch, "row + [-100]", "row + [padding]"),
            shows=_counted(_padding_counts),
        ),
        MASK_UNSHIFTED.by(
            changed(answer_batch, "said[1:]", "said[:-1]"),
            changed(
                answer_batch,
                "said.append(speaking)\n            " + SPEAKS,
                SPEAKS + "\n            said.append(speaking)",
            ),
            shows=_apart,
        ),
        seen(
            "padding-guessed-from-the-ids",
            "Tokens that have the id of the padding are lost, though the model says them. What "
            "else says where a conversation ends?",
            _counted(_padding_lost),
            only_at=(
                "padding with the id of the end",
                "padding with the id of a word",
                "padding with the id of <answer>",
            ),
        ),
        seen(
            "cut-elsewhere",
            "Only what is too long, or just short enough, goes wrong. How many tokens are read of "
            "a row of the context's length and one more, and what goes first?",
            only_at=(LONG, "just as long as the context, and one longer"),
        ),
        seen(
            "turn-without-words",
            "Only an unusual turn goes wrong: an answer without words, or a question that is not "
            "answered yet. What is there for the model to say in it?",
            only_at=(EMPTY, OPEN),
        ),
        ONE_TURN_ONLY.by(shows=_counted(_one_turn)),
        GIVEN_COUNTED.by(
            changed(answer_batch, MARKED, "kept[1:]"),
            changed(answer_batch, SPEAKS, "speaking = speaking or token == answer"),
            shows=_counted(_given_counts),
        ),
        END_NOT_COUNTED.by(
            changed(
                answer_batch, "said.append(speaking)", "said.append(speaking and token != end)"
            ),
            shows=_counted(_end_missing),
        ),
        MARKERS_COUNTED.by(
            changed(
                answer_batch,
                "said.append(speaking)",
                "said.append(speaking or token == answer)",
            ),
            shows=_counted(_marker_counts),
        ),
        seen(
            "inputs-spoiled",
            "Your targets are right, and the inputs are not. Does the model read the question, and "
            "what stands behind a row that is shorter?",
            _other_inputs,
        ),
    ),
    compare=equal(),
)
