"""Debug: how far words reach through blocks with different masks, with a fault."""

import numpy as np
import torch

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
        Misconception(
            "way-around-forgotten",
            any_of(
                changed(repaired_reach, KEPT, "seen = brought"),
                changed(given_reach, KEPT, "seen = brought"),
            ),
            "A word that may not look at itself disappears from its own stream. Does what a block "
            "brings take the place of what was there?",
        ),
        Misconception(
            "masks-not-chained",
            any_of(
                any_of(
                    changed(repaired_reach, READ, "mask"),
                    changed(repaired_reach, KEPT, "seen = torch.eye(T).bool() | brought & mask"),
                ),
                any_of(
                    changed(repaired_reach, "in masks:", "in masks[:1]:", "in masks[-1:]:"),
                    changed(repaired_reach, KEPT, "seen = seen & brought"),
                ),
                changed(
                    repaired_reach,
                    "in masks:",
                    "in [torch.stack(list(masks)).any(0)] * len(masks):",
                    "in [torch.stack(list(masks)).any(0)] * T:",
                ),
            ),
            "Your table is that of a single block, of what each block shows by itself, or of all "
            "masks taken together. If the third word has read the second, and the second had read "
            "the first before: what does the third then hold?",
        ),
        Misconception(
            "rows-for-columns",
            any_of(
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
            "In your table, or in a mask as you use it, rows and columns have changed places. Whom "
            "does a row of a mask belong to, the word that looks or the one that is looked at?",
        ),
        Misconception(
            "ways-counted",
            any_of(
                changed(
                    *changed(repaired_reach, READ, "mask.float() @ seen.float()"),
                    KEPT,
                    "seen = seen + brought",
                ),
            ),
            "Your table holds numbers: on how many ways a word has come to a place. What is asked "
            "for?",
        ),
    ),
    compare=equal(),
)
