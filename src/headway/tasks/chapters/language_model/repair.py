"""Debug: training examples made of prompts and replies, whose first word nobody is asked for."""

from functools import partial

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from headway.tasks.chapters.language_model.mistakes import (
    END_NEVER_ASKED,
    GIVEN_COUNTED,
    PADDING_BY_ID,
    PADDING_COUNTED,
    SHIFTED_WRONGLY,
    UNSHIFTED,
)
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def given_examples(prompts, replies, end, padding):
    """The faulty function that the notebook hands out."""
    texts = [[*prompt, *reply, end] for prompt, reply in zip(prompts, replies, strict=True)]
    longest = max(map(len, texts)) - 1
    inputs = torch.full((len(texts), longest), padding)
    targets = torch.full((len(texts), longest), -100)
    for row, text in enumerate(texts):
        first, last = len(prompts[row]), len(text) - 1
        inputs[row, :last] = torch.tensor(text[:last])
        targets[row, first:last] = torch.tensor(text[first + 1 : last + 1])
    return inputs, targets


def repaired_examples(prompts, replies, end, padding):
    """The same with line 7 mended: the last token of a prompt is the first to say something."""
    texts = [[*prompt, *reply, end] for prompt, reply in zip(prompts, replies, strict=True)]
    longest = max(map(len, texts)) - 1
    inputs = torch.full((len(texts), longest), padding)
    targets = torch.full((len(texts), longest), -100)
    for row, text in enumerate(texts):
        first, last = len(prompts[row]) - 1, len(text) - 1
        inputs[row, :last] = torch.tensor(text[:last])
        targets[row, first:last] = torch.tensor(text[first + 1 : last + 1])
    return inputs, targets


def cases(rng: np.random.Generator) -> list[Case]:
    def draw(*lengths, end=1, padding=0):
        """Prompts and replies of these lengths, whose tokens differ from their neighbors."""
        texts = [(2 + rng.permutation(20))[: p + r].tolist() for p, r in lengths]
        prompts, replies = zip(
            *((text[:p], text[p:]) for text, (p, _) in zip(texts, lengths, strict=True)),
            strict=True,
        )
        return list(prompts), list(replies), end, padding

    return [
        Case("three examples", *draw((3, 4), (5, 2), (2, 3)), core=True),
        Case("a single example", *draw((4, 3))),
        Case("prompts of one token", *draw((1, 2), (1, 4))),
        Case("an empty reply among others", *draw((3, 0), (2, 2))),
        Case("the end symbol pads, too", *draw((2, 4), (4, 1), end=0, padding=0)),
    ]


SHIFT = "torch.tensor(text[first + 1 : last + 1])"
SPAN = "targets[row, first:last]"
LINE = f"{SPAN} = {SHIFT}"


def page_rows(prompts, replies, end, padding, starts=False, nothing=-100):
    """Rows that are filled up and then shifted, as on the page; all of them to be learned.

    Args:
        starts: whether the end symbol stands before a prompt as well.
        nothing: where a row has ended, in the targets.
    """
    texts = [[*prompt, *reply, end] for prompt, reply in zip(prompts, replies, strict=True)]
    rows = [torch.tensor([end] * starts + text) for text in texts]
    ids = pad_sequence(rows, batch_first=True, padding_value=nothing)
    return ids[:, :-1].where(ids[:, :-1] >= 0, torch.tensor(padding)), ids[:, 1:]


def page_rows_of_replies(prompts, replies, end, padding):
    """The same, and prompts are not to be learned."""
    inputs, targets = page_rows(prompts, replies, end, padding)
    for row, prompt in zip(targets, prompts, strict=True):
        row[: len(prompt) - 1] = -100
    return inputs, targets


repair_task = Task(
    id="11-language-model/repair",
    title="Repair the examples",
    kind="debug",
    points=2,
    minutes=12,
    answer="examples",
    cases=cases,
    reference=repaired_examples,
    given=given_examples,
    misconceptions=(
        UNSHIFTED.by(
            changed(
                repaired_examples,
                LINE,
                "targets[row, first + 1 : last] = torch.tensor(text[first + 1 : last])",
            ),
            changed(
                repaired_examples,
                LINE,
                "targets[row, : last] = torch.tensor(text[: last])",
                "targets[row, first:last] = torch.tensor(text[first:last])",
            ),
        ),
        SHIFTED_WRONGLY.by(
            changed(
                repaired_examples,
                LINE,
                "targets[row, first : last - 1] = torch.tensor(text[first + 2 :])",
                "targets[row, first:last] = torch.tensor([*text[first + 2 :], end])",
                "targets[row, first:last] = torch.tensor([*text[first + 2 :], padding])",
            ),
            changed(
                repaired_examples,
                "inputs[row, :last] = torch.tensor(text[:last])",
                "inputs[row, :last] = torch.tensor([padding, *text[: last - 1]])",
            ),
            changed(repaired_examples, SHIFT, "torch.tensor([text[0], *text][first:last])"),
            changed(
                repaired_examples,
                LINE,
                "targets[row, first + 1 : last] = torch.tensor(text[first : last - 1])",
            ),
            changed(
                repaired_examples,
                "inputs[row, :last] = torch.tensor(text[:last])\n        "
                "targets[row, first:last] = torch.tensor(text[first + 1 : last + 1])",
                "inputs[row, :last] = torch.tensor(text[1 : last + 1])\n        "
                "targets[row, first:last] = torch.tensor(text[first:last])",
            ),
        ),
        END_NEVER_ASKED.by(
            changed(
                repaired_examples,
                LINE,
                "targets[row, first : last - 1] = torch.tensor(text[first + 1 : last])",
            ),
            changed(repaired_examples, "[*prompt, *reply, end]", "[*prompt, *reply, padding]"),
        ),
        GIVEN_COUNTED.by(
            changed(
                repaired_examples,
                LINE,
                "targets[row, :last] = torch.tensor(text[1:])",
                "start = max(first - 1, 0)\n        "
                "targets[row, start:last] = torch.tensor(text[start + 1 :])",
            ),
            *(
                partial(page_rows, starts=starts, nothing=nothing)
                for starts in (False, True)
                for nothing in (-100, -1)
            ),
        ),
        PADDING_BY_ID.by(
            changed(
                repaired_examples,
                "return inputs, targets",
                "return inputs, targets.masked_fill(targets == padding, -100)",
            ),
        ),
        Misconception(
            "end-read",
            any_of(
                page_rows_of_replies,
                changed(
                    repaired_examples,
                    "longest = max(map(len, texts)) - 1",
                    "longest = max(map(len, texts))",
                ),
                changed(
                    *changed(
                        repaired_examples,
                        "inputs[row, :last] = torch.tensor(text[:last])",
                        "inputs[row, : len(text)] = torch.tensor(text)",
                    ),
                    "longest = max(map(len, texts)) - 1",
                    "longest = max(map(len, texts))",
                ),
            ),
            "An end symbol is read in your inputs, for which they may have a column more. What "
            "would a model have to say after it?",
        ),
        PADDING_COUNTED.by(
            changed(repaired_examples, "longest), -100)", "longest), padding)"),
            changed(repaired_examples, LINE, f"{LINE}\n        targets[row, last:] = padding"),
        ),
    ),
    compare=equal(),
)
