"""Debug: the loss of filling in, over batches of which each asks for a few words."""

import numpy as np
import torch

from headway.tasks.chapters.masked_model.mistakes import (
    ANOTHER_SIGN,
    CHOSEN_AND_OTHERS_SWAPPED,
    EVERY_PLACE_ASKED,
    MEAN_MISCOUNTED,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task

NOTHING = -100


def given_repair(batches):
    """The mean cost of all places that the labels ask about, or so it says."""
    total, count = 0.0, 0
    for logits, labels in batches:
        labels = labels.clamp(min=0)
        log_p = logits.log_softmax(dim=-1)
        cost = -log_p.gather(-1, labels[..., None]).squeeze(-1)
        asked = labels >= 0
        total += (cost * asked).sum()
        count += asked.sum()
    return total / count


def repair(batches):
    """The mean cost of all places that the labels ask about."""
    total, count = 0.0, 0
    for logits, labels in batches:
        asked = labels >= 0
        labels = labels.clamp(min=0)
        log_p = logits.log_softmax(dim=-1)
        cost = -log_p.gather(-1, labels[..., None]).squeeze(-1)
        total += (cost * asked).sum()
        count += asked.sum()
    return total / count


def cases(rng: np.random.Generator) -> list[Case]:
    def batch(B, T, V, share, lowest=1):
        logits = torch.from_numpy(rng.normal(size=(B, T, V)) * 2).float()
        labels = rng.integers(lowest, V, (B, T))
        asked = rng.random((B, T)) < share
        asked[0, 0] = share > 0
        asked[-1, -1] = asked[-1, -1] and share == 1
        labels[~asked] = NOTHING
        return logits, torch.from_numpy(labels)

    zero = batch(2, 9, 5, 0.5)
    zero[1][0, 0] = zero[1][1, 3] = 0  # the first word of the vocabulary is a word, too
    return [
        Case("a batch with a few labels", (batch(3, 12, 7, 0.3),), core=True),
        Case(
            "two batches, one with many labels",
            (batch(2, 9, 6, 0.2), batch(2, 9, 6, 0.7)),
            core=True,
        ),
        Case("a label that is the first word", (zero,)),
        Case("a label at every place", (batch(2, 4, 5, 1.0),), path="one label or all"),
        Case("a batch without labels among others", (batch(2, 6, 5, 0.0), batch(2, 6, 5, 0.4))),
        Case("one label", (batch(1, 3, 4, 0.001),), path="one label or all"),
    ]


ASKED, TOTAL, COUNT = "labels >= 0", "total += (cost * asked).sum()", "count += asked.sum()"
MEAN = "total += (cost * asked).sum() / asked.sum()"
RETURN, STAND_IN = "return total / count", "labels = labels.clamp(min=0)"

repair_task = Task(
    id="12-masked-model/repair",
    title="The loss of filling in, repaired",
    kind="debug",
    points=2,
    minutes=8,
    answer="fill_in_loss",
    cases=cases,
    reference=repair,
    given=given_repair,
    misconceptions=(
        ANOTHER_SIGN.by(
            changed(repair, ASKED, "labels > 0"),
            changed(given_repair, ASKED, "labels > 0"),
        ),
        CHOSEN_AND_OTHERS_SWAPPED.by(
            changed(repair, ASKED, "labels < 0", "labels == NOTHING"),
            changed(given_repair, ASKED, "labels == 0"),
        ),
        EVERY_PLACE_ASKED.by(
            changed(given_repair, STAND_IN, "labels = labels % logits.shape[-1]"),
            changed(given_repair, STAND_IN, "labels = labels.where(labels >= 0, 1)"),
            changed(repair, TOTAL, "total += cost.sum()", "total += cost.mean() * asked.sum()"),
        ),
        Misconception(
            "stand-in-taken-away",
            changed(
                repair,
                STAND_IN,
                "pass",
                "labels = labels.abs()",
                "labels = labels.clamp(min=-1)",
            ),
            "Where nothing is asked, you look up a word by a number that no word has. What did "
            "the code that was handed out put there, and is it needed?",
        ),
        MEAN_MISCOUNTED.by(
            changed(repair, RETURN, "return total"),
            changed(repair, COUNT, "count += asked.numel()", "count += len(labels)", "count += 1"),
            changed(
                *changed(repair, TOTAL, f"{MEAN}.clamp(min=1)"),
                COUNT,
                "count += 1",
                "count += asked.any()",
            ),
            changed(*changed(repair, TOTAL, MEAN), COUNT, "count += 1"),  # NaN without a label
        ),
        Misconception(
            "only-the-last-batch",
            any_of(
                changed(repair, TOTAL, "total = (cost * asked).sum()"),
                changed(repair, COUNT, "count = asked.sum()"),
                changed(
                    *changed(repair, TOTAL, "total = (cost * asked).sum()"),
                    COUNT,
                    "count = asked.sum()",
                ),
            ),
            "What the batches before have added is lost. Which of your two sums starts anew?",
        ),
    ),
    compare=close(atol=1e-5, rtol=1e-5),
)
