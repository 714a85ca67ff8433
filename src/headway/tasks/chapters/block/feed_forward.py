"""Build: the feed-forward network of a block, with dropout by a mask that is given."""

import numpy as np
import torch

from headway.tasks.chapters.block.layer_norm import draw
from headway.tasks.chapters.block.mistakes import (
    CURVE_MISPLACED,
    EXTRA_SKIP,
    MASK_IGNORED,
    MASK_INVERTED,
    TRANSPOSED,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.task import Case, Task


def feed_forward(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    """Two layers and the curve between them; with `keep`, a share p of the result is dropped."""
    hidden = (x @ W_1 + b_1).relu()
    update = hidden @ W_2 + b_2
    if keep is None:
        return update
    return update * keep / (1 - p)


def cases(rng: np.random.Generator) -> list[Case]:
    def inputs(*shape, hidden):
        C = shape[-1]
        weights = draw(rng, C, hidden), draw(rng, hidden), draw(rng, hidden, C), draw(rng, C)
        return draw(rng, *shape), *weights

    def kept(*shape, p):
        """Some are kept and some are not, whatever is drawn."""
        mask = rng.random(shape) >= p
        mask.reshape(-1)[:2] = True, False
        return torch.from_numpy(mask)

    half = inputs(2, 3, 5, hidden=5)
    return [
        Case("two texts of three tokens", *inputs(2, 3, 4, hidden=7), core=True),
        Case("all sizes equal", *inputs(4, 4, 4, hidden=4), path="other shapes"),
        Case("one token, without a batch", *inputs(5, hidden=3), path="other shapes"),
        Case("one hidden number", *inputs(2, 4, 3, hidden=1), path="other shapes"),
        Case(
            "a tenth is dropped",
            *inputs(3, 4, 6, hidden=8),
            kept(3, 4, 6, p=0.3),
            0.1,
            path="dropout",
        ),
        Case("six tenths are dropped", *half, kept(2, 3, 5, p=0.6), 0.6, path="dropout"),
        Case(
            "everything is dropped",
            *inputs(2, 2, 3, hidden=4),
            torch.zeros(2, 2, 3, dtype=torch.bool),
            0.25,
            path="dropout",
        ),
    ]


def another_mask(x, W_1, b_1, W_2, b_2, keep=None, p=0.0):
    """Numbers are dropped, and not those that the mask names, as by a dropout that draws."""
    update = feed_forward(x, W_1, b_1, W_2, b_2)
    if keep is None:
        return update
    own = torch.arange(update.numel()).reshape(update.shape) % 3 > 0
    return update * own / (1 - p)


def drops_others(got, case: Case) -> bool:
    """Whether some numbers are 0 and the others of the right size, by a mask that was not given."""
    x, W_1, b_1, W_2, b_2, keep, p = (*case.inputs, None, 0.0)[:7]
    got = torch.as_tensor(got)
    if keep is None or got.shape != x.shape:
        return False
    whole = feed_forward(x, W_1, b_1, W_2, b_2) / (1 - p)
    kept = torch.isclose(got.float(), whole, atol=1e-4, rtol=1e-4)
    dropped = got == 0
    ruled = bool((kept == keep).all() or (dropped == keep).all())
    return bool((kept | dropped).all()) and not ruled


def alike(got, expected, case) -> Difference | None:
    """Whether two answers give the same, or both drop numbers by a mask of their own."""
    different = SAME(got, expected, case)
    if different and drops_others(got, case) and drops_others(expected, case):
        return None
    return different


SAME = close(atol=1e-4, rtol=1e-4)
HIDDEN = "(x @ W_1 + b_1).relu()"
UPDATE = "hidden @ W_2 + b_2"
DROPPED = "update * keep / (1 - p)"

feed_forward_task = Task(
    id="10-block/feed-forward",
    title="Feed-forward, with dropout",
    kind="build",
    points=2,
    minutes=8,
    answer="feed_forward",
    cases=cases,
    reference=feed_forward,
    misconceptions=(
        CURVE_MISPLACED.by(
            changed(*changed(feed_forward, HIDDEN, "x @ W_1 + b_1"), UPDATE, f"({UPDATE}).relu()"),
            changed(feed_forward, UPDATE, f"({UPDATE}).relu()"),
            changed(
                feed_forward,
                HIDDEN,
                "x @ W_1 + b_1",
                "x.relu() @ W_1 + b_1",
                "(x @ W_1).relu() + b_1",
                "torch.nn.functional.gelu(x @ W_1 + b_1)",
                "torch.nn.functional.silu(x @ W_1 + b_1)",
                "(x @ W_1 + b_1).tanh()",
                "(x @ W_1 + b_1).sigmoid()",
                "(x @ W_1 + b_1).softmax(dim=-1)",
                "(x @ W_1 + b_1).abs()",
            ),
            changed(
                *changed(feed_forward, HIDDEN, "torch.nn.functional.silu(x @ W_1 + b_1)"),
                DROPPED,
                "update",
            ),
        ),
        Misconception(
            "bias-forgotten",
            any_of(
                changed(feed_forward, " + b_1", ""),
                changed(feed_forward, " + b_2", ""),
                changed(*changed(feed_forward, " + b_1", ""), " + b_2", ""),
                changed(*changed(feed_forward, "x @ W_1", "(x + b_2) @ W_1"), " + b_2\n", "\n"),
            ),
            "A bias is missing, or is added in another place. Where does each of the two come in?",
        ),
        EXTRA_SKIP.by(
            changed(feed_forward, UPDATE, f"x + {UPDATE}"),
            lambda x, *given: x + feed_forward(x, *given),
        ),
        TRANSPOSED.by(
            changed(
                *changed(feed_forward, "x @ W_1", "x @ W_2.T"), "hidden @ W_2", "hidden @ W_1.T"
            )
        ),
        Misconception(
            "survivors-of-another-size",
            any_of(
                changed(feed_forward, DROPPED, "update * keep"),
                changed(
                    feed_forward,
                    DROPPED,
                    "update * keep * (1 - p)",
                    "update * keep / p",
                    "update * keep * p",
                    "update * keep * (1 + p)",
                    "update * keep / keep.float().mean()",
                ),
            ),
            "The right numbers are dropped, and the others have another size than asked. If four "
            "of five survive, by how much must each grow for the mean to stay?",
        ),
        MASK_INVERTED.by(
            changed(
                feed_forward,
                DROPPED,
                "update * ~keep / (1 - p)",
                "update * ~keep",
                "update.masked_fill(keep, 0.0) / p",
            )
        ),
        MASK_IGNORED.by(
            any_of(
                changed(feed_forward, DROPPED, "update"),
                changed(feed_forward, DROPPED, "update / (1 - p)", "update * (1 - p)"),
                another_mask,
            )
        ),
        Misconception(
            "dropout-misplaced",
            any_of(
                changed(
                    feed_forward,
                    "return update * keep / (1 - p)",
                    "return (hidden * keep / (1 - p)) @ W_2 + b_2",
                    "return (x * keep / (1 - p) @ W_1 + b_1).relu() @ W_2 + b_2",
                    "return hidden @ W_2 * keep / (1 - p) + b_2",
                ),
            ),
            "Numbers are dropped in another place than asked. At which moment does the network "
            "hold one number for each in the mask, and nothing is left to add?",
        ),
    ),
    compare=SAME,
    alike=alike,
)
