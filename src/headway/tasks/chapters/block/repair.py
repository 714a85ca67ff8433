"""Debug: how far words reach through blocks with different masks, with a fault."""

import numpy as np
import torch

from headway.tasks.chapters.block.mistakes import SKIP_MISSING, TRANSPOSED
from headway.tasks.engine.compare import equal
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def given_reach(masks):
    """The faulty function that the notebook hands out."""
    T = masks[0].shape[-1]
    seen = torch.eye(T, dtype=torch.bool)
    for mask in masks:
        brought = (seen.float() @ mask.float()) > 0
        seen = seen | brought
    return seen


def repaired_reach(masks):
    """The same with line 5 mended."""
    T = masks[0].shape[-1]
    seen = torch.eye(T, dtype=torch.bool)
    for mask in masks:
        brought = (mask.float() @ seen.float()) > 0
        seen = seen | brought
    return seen


def cases(rng: np.random.Generator) -> list[Case]:
    def masks(T, number, share=0.25, itself=None):
        """Masks with which the order of the blocks makes a difference."""
        drawn = torch.from_numpy(rng.random((number, T, T)) < share).unbind()
        if itself is not None:
            drawn = tuple(mask.fill_diagonal_(itself) for mask in drawn)
        alike = torch.equal(given_reach(drawn), repaired_reach(drawn))
        return masks(T, number, share, itself) if alike else drawn

    window = torch.ones(7, 7, dtype=torch.bool).tril().triu(-1)
    nowhere = torch.zeros(6, 6, dtype=torch.bool)
    return [
        Case("two blocks, two masks", masks(6, 2, itself=True), core=True),
        Case("three blocks, three masks", masks(8, 3, 0.15, itself=True)),
        Case("no word may look at itself", masks(6, 2, itself=False), path="no look at itself"),
        Case("a block that looks nowhere", (*masks(6, 2), nowhere), path="no look at itself"),
        Case("the same window in all blocks", (window,) * 3),
        Case("a single block", masks(5, 2, itself=False)[:1]),
        Case("a single word", (torch.ones(1, 1, dtype=torch.bool),) * 2),
    ]


READ = "(mask.float() @ seen.float()) > 0"
KEPT = "seen = seen | brought"

repair_task = Task(
    id="10-block/repair",
    title="Repair the reach",
    kind="debug",
    points=2,
    minutes=15,
    answer="reach",
    cases=cases,
    reference=repaired_reach,
    given=given_reach,
    misconceptions=(
        SKIP_MISSING.by(
            changed(repaired_reach, KEPT, "seen = brought"),
            changed(given_reach, KEPT, "seen = brought"),
        ),
        Misconception(
            "masks-not-chained",
            any_of(
                changed(repaired_reach, READ, "mask"),
                changed(repaired_reach, KEPT, "seen = torch.eye(T).bool() | brought & mask"),
                changed(repaired_reach, "in masks:", "in masks[:1]:", "in masks[-1:]:"),
                changed(repaired_reach, KEPT, "seen = seen & brought"),
                changed(
                    repaired_reach,
                    "in masks:",
                    "in [torch.stack(list(masks)).any(0)] * len(masks):",
                    "in [torch.stack(list(masks)).any(0)] * T:",
                ),
            ),
            "Your blocks do not build on each other, or they use each other's masks. If the third "
            "word reads the second after the second has read the first, what does it hold then?",
        ),
        TRANSPOSED.by(
            changed(
                repaired_reach,
                READ,
                "(mask.float().T @ seen.float()) > 0",
                "(seen.float() @ mask.float().T) > 0",
                "(mask.float() @ seen.float().T) > 0",
                "(seen.float().T @ mask.float()) > 0",
            ),
            changed(repaired_reach, "return seen", "return seen.T"),
        ),
        Misconception(
            "ways-counted",
            changed(
                *changed(repaired_reach, READ, "mask.float() @ seen.float()"),
                KEPT,
                "seen = seen + brought",
            ),
            "Your table counts the ways on which a word has come to a place. What is asked for?",
        ),
    ),
    compare=equal(),
)
