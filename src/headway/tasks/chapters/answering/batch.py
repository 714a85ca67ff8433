"""Build: inputs and targets of conversations, of which only what the model says counts."""

import numpy as np
import torch

from headway.tasks.chapters.answering.draw import IGNORE
from headway.tasks.chapters.answering.mistakes import (
    ANSWERS_NOT_COUNTED,
    END_NOT_COUNTED,
    GIVEN_COUNTED,
    PADDING_COUNTED,
    TAKEN_FOR_GRANTED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import seen
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


# What a wrong value is told by: which targets should count, and which do.


def _rows(got, case):
    """Of each conversation what is kept, whether the model says it, and the targets that came."""
    rows, question, answer, end, _, context = case.inputs
    for row, targets in zip(rows, np.asarray(got[1]), strict=True):
        starts = [at for at, token in enumerate(row) if token == question]
        kept = row[next(at for at in starts if len(row) - 1 - at <= context) :]
        speaks, said = False, []
        for token in kept:
            said.append(speaks)
            speaks = token == answer or (speaks and token != end)
        yield kept, said, targets


def _in_some_row(tells):
    """Whether (kept, said, targets, case) tells of a row, where as many targets came as asked."""
    return lambda got, expected, case: (
        np.shape(got[1]) == np.shape(expected[1])
        and any(tells(*row, case) for row in _rows(got, case))
    )


def _lost_and_won(kept, said, targets):
    """Which places of a row should count and don't, and which do and shouldn't.

    None if a target is another token than the one after what is read there.
    """
    counts = targets != IGNORE
    behind = np.full(len(targets) - len(kept) + 1, IGNORE)
    if (counts & (targets != np.append(kept[1:], behind))).any():
        return None
    places = range(len(kept) - 1)
    return (
        [t + 1 for t in places if said[t + 1] and not counts[t]],
        [t + 1 for t in places if counts[t] and not said[t + 1]],
    )


def _end_missing(kept, said, targets, case):
    found = _lost_and_won(kept, said, targets)
    return found is not None and any(kept[t] == case.inputs[3] for t in found[0])


def _given_counts(kept, said, targets, case):
    found = _lost_and_won(kept, said, targets)
    return found is not None and bool(found[1])


def _answer_missing(kept, said, targets, case):
    """All words of some answer are missing."""
    found = _lost_and_won(kept, said, targets)
    _, answer, end = case.inputs[1:4]
    begins = [t + 1 for t, token in enumerate(kept) if token == answer and end in kept[t:]]
    answers = [{*range(begin, kept.index(end, begin))} for begin in begins]
    return found is not None and any(words and words <= {*found[0]} for words in answers)


def _padding_counts(kept, said, targets, case):
    return bool((targets[len(kept) - 1 :] != IGNORE).any())


def _padding_lost(kept, said, targets, case):
    """Of what should count, only what has the id of the padding is missing."""
    lost = {kept[t] for t in range(1, len(kept)) if said[t] and targets[t - 1] != kept[t]}
    return lost == {case.inputs[4]}


def _a_place_off(got, expected, case):
    """What counts is a place too early or too late, or each target is what is read there."""
    inputs, targets = map(np.asarray, got)
    counts = targets != IGNORE
    if counts.any() and inputs.shape == targets.shape and (targets == inputs)[counts].all():
        return True
    rows = [(said, (row != IGNORE)[: len(kept) - 1]) for kept, said, row in _rows(got, case)]
    return any(
        all([*said, False][by:][: len(mine)] == mine.tolist() for said, mine in rows)
        for by in (0, 2)
    )


def _other_inputs(got, expected, case):
    """The targets are right, but for more of what doesn't count behind them."""
    inputs, targets = map(np.asarray, got)
    T = np.shape(expected[1])[1]
    return (
        inputs.ndim == targets.ndim == 2
        and np.array_equal(targets[:, :T], expected[1])
        and (targets[:, T:] == IGNORE).all()
        and not np.array_equal(inputs, expected[0])
    )


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
        PADDING_COUNTED.by(shows=_in_some_row(_padding_counts)),
        seen(
            "marks-and-targets-apart",
            "Your targets, or what marks them, are a place too early or too late. Where in a row "
            "is a token predicted, and where is it read?",
            _a_place_off,
        ),
        seen(
            "padding-guessed-from-the-ids",
            "Tokens that have the id of the padding are lost, though the model says them. What "
            "else says where a conversation ends?",
            _in_some_row(_padding_lost),
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
        TAKEN_FOR_GRANTED.by(only_at=(EMPTY, OPEN)),
        ANSWERS_NOT_COUNTED.by(shows=_in_some_row(_answer_missing)),
        GIVEN_COUNTED.by(shows=_in_some_row(_given_counts)),
        END_NOT_COUNTED.by(shows=_in_some_row(_end_missing)),
        seen(
            "inputs-spoiled",
            "Your targets are right, and your inputs aren't. Is the question read, and after which "
            "token is there nothing left to predict?",
            _other_inputs,
        ),
    ),
    compare=equal(),
)
