"""Debug: a norm's gain and shift folded into the layers that read it, with a fault."""

import numpy as np
import torch

from headway.tasks.chapters.block.layer_norm import draw
from headway.tasks.engine.compare import close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def given_fold(gain, shift, weights, biases):
    """The faulty function that the notebook hands out."""
    folded_weights, folded_biases = [], []
    for W, b in zip(weights, biases, strict=True):
        scaled = gain[:, None] * W
        moved = shift @ scaled
        folded_weights.append(scaled)
        folded_biases.append(b + moved)
    return folded_weights, folded_biases


def repaired_fold(gain, shift, weights, biases):
    """The same with line 5 mended."""
    folded_weights, folded_biases = [], []
    for W, b in zip(weights, biases, strict=True):
        scaled = gain[:, None] * W
        moved = shift @ W
        folded_weights.append(scaled)
        folded_biases.append(b + moved)
    return folded_weights, folded_biases


def cases(rng: np.random.Generator) -> list[Case]:
    def inputs(C, *widths):
        weights = tuple(draw(rng, C, width) for width in widths)
        biases = tuple(draw(rng, width) for width in widths)
        return 1 + draw(rng, C), draw(rng, C), weights, biases

    fresh = inputs(4, 4, 4)
    return [
        Case("the three layers of attention", *inputs(5, 5, 5, 5), core=True),
        Case("the first layer of a feed-forward", *inputs(3, 12)),
        Case("layers of several widths", *inputs(4, 2, 7)),
        Case("a norm that has not been trained", torch.ones(4), torch.zeros(4), *fresh[2:]),
        Case("a norm without shifts", fresh[0], torch.zeros(4), *inputs(4, 4, 4)[2:]),
        Case("a single number", *inputs(1, 3)),
    ]


SCALED = "scaled = gain[:, None] * W"
MOVED = "moved = shift @ W"

repair_task = Task(
    id="10-block/repair",
    title="Repair the folding",
    kind="debug",
    points=2,
    minutes=10,
    answer="fold",
    cases=cases,
    reference=repaired_fold,
    given=given_fold,
    misconceptions=(
        Misconception(
            "shift-mistaken",
            any_of(
                changed(repaired_fold, "b + moved", "b"),
                any_of(
                    changed(
                        repaired_fold, MOVED, "moved = shift[:, None].expand(-1, len(b)).sum(0)"
                    ),
                    changed(repaired_fold, MOVED, "moved = shift.sum()", "moved = W.sum(0)"),
                ),
                changed(repaired_fold, "b + moved", "b - moved"),
            ),
            "Your weights are right. Your biases do not hold what a layer makes of the shift: it "
            "is missing, has another sign, or is not what the layer puts together of it. Which "
            "numbers does a layer put together for each of its outputs, and by which weights?",
        ),
        Misconception(
            "gain-mistaken",
            any_of(
                changed(repaired_fold, SCALED, "scaled = W"),
                any_of(
                    changed(repaired_fold, SCALED, "scaled = W / gain[:, None]"),
                    changed(repaired_fold, MOVED, "moved = shift @ (W / gain[:, None])"),
                    changed(repaired_fold, MOVED, "moved = (shift / gain) @ W"),
                ),
                any_of(
                    changed(given_fold, "b + moved", "(b + moved) * gain.mean()"),
                    changed(repaired_fold, "b + moved", "b * gain + moved"),
                    changed(given_fold, MOVED.replace("W", "scaled"), "moved = shift @ gain @ W"),
                ),
            ),
            "A gain is missing, is divided by, or meets a bias that it did not meet before. Which "
            "of the two, weights and biases, was right in what was handed out?",
        ),
        Misconception(
            "gain-of-the-outputs",
            any_of(
                changed(
                    repaired_fold, SCALED, "scaled = gain * W if W.shape[1] == len(gain) else W"
                ),
                changed(repaired_fold, SCALED, "scaled = gain * W"),
                changed(
                    *changed(repaired_fold, SCALED, "scaled = gain * W"),
                    MOVED,
                    "moved = shift @ scaled",
                ),
            ),
            "Your gain multiplies columns. Which numbers does a gain belong to, those that a layer "
            "reads or those that it gives?",
        ),
        Misconception(
            "old-bias-lost",
            changed(repaired_fold, "b + moved", "moved"),
            "Your new biases lack the old ones. Has a layer lost its own bias because it takes "
            "over the shift?",
        ),
    ),
    compare=close(atol=1e-4, rtol=1e-4),
)
