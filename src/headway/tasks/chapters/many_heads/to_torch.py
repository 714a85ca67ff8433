"""Build the bridge to `torch.nn.MultiheadAttention`: the weights of each head, under its names."""

import numpy as np
import torch
from torch import nn

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.chapters.many_heads.mistakes import (
    HEADS_INTERLEAVED,
    HEADS_SWAPPED,
    HIDDEN_SCORE_TOO_HIGH,
    MASK_IGNORED,
    MASK_INVERTED,
    MATRIX_TRANSPOSED,
    THIRDS_IN_ANOTHER_ORDER,
    THIRDS_MIXED_UP,
    VIEW_WITHOUT_TRANSPOSE,
)
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception, changed
from headway.tasks.engine.task import Case, Task

NAMES = ("in_proj_weight", "out_proj.weight")
near = close(atol=1e-5, rtol=1e-4)


def by_torch(W_Q, W_K, W_V, W_O, x, mask=None):
    """The weights under torch's names, and torch's output for `x`."""
    H, C, _ = W_Q.shape
    beside = [W.transpose(0, 1).flatten(1) for W in (W_Q, W_K, W_V)]  # each (C, H·D)
    fused, last = torch.cat(beside, dim=1).T, W_O.T
    module = nn.MultiheadAttention(C, H, bias=False, batch_first=True)
    module.load_state_dict({"in_proj_weight": fused, "out_proj.weight": last})
    hidden = None if mask is None else ~mask
    output, _ = module(x, x, x, attn_mask=hidden, need_weights=False)
    return module.state_dict(), output


def torch_cases(rng: np.random.Generator) -> list[Case]:
    def heads(H, C):
        W = (0.7 * draw(rng, H, C, C // H) for _ in range(3))
        return (*W, 0.7 * draw(rng, C, C))

    shown = torch.from_numpy(rng.random((4, 4)) < 0.5) | torch.eye(4, dtype=torch.bool)
    shown[0, 1:] = torch.tensor([True, False, True])
    shown[:, 3] = torch.tensor([True, False, False, True])
    return [
        Case("three heads", *heads(3, 12), draw(rng, 2, 5, 12), None, core=True),
        Case(
            "a causal mask",
            *heads(4, 8),
            draw(rng, 2, 3, 8),
            torch.ones(3, 3).bool().tril(),
            core=True,
        ),
        Case("two heads", *heads(2, 8), draw(rng, 3, 4, 8), None),
        Case("some other mask", *heads(2, 6), draw(rng, 3, 4, 6), shown),
        Case("one head", *heads(1, 4), draw(rng, 2, 3, 4), None),
        Case("heads of width one", *heads(3, 3), draw(rng, 1, 2, 3), None),
    ]


def agrees(got, expected, case) -> Difference | None:
    """Whether weights and output are the same; biases may be there, as long as they are 0."""
    if not (isinstance(got, list) and len(got) == 2 and isinstance(got[0], dict)):
        return Difference("two things are asked for: the module's state_dict, and its output.")
    state, output = got
    for name in NAMES:
        if name not in state:
            return Difference(
                f"there is no {name} in the state_dict; it has {', '.join(state) or 'nothing'}."
            )
        if found := near(state[name], expected[0][name], case):
            return Difference(f"{name}: {found.message}", found.got, found.expected)
    for name, weight in state.items():
        if name not in NAMES and expected[0].get(name) is None and np.any(weight):
            return Difference(f"{name} is not zero.")
    if found := near(output, expected[1], case):
        return Difference(f"the output: {found.message}", found.got, found.expected)
    return None


def _alike(got, expected, case) -> Difference | None:
    """The same, but for tokens that see nothing: torch gives them zeros on one way, NaN on another.

    They occur where a mask is taken the wrong way round.
    """
    return agrees(_without_nan(got), _without_nan(expected), case)


def _without_nan(value):
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], np.ndarray):
        return [value[0], np.nan_to_num(value[1])]
    return value


BESIDE = "W.transpose(0, 1).flatten(1)"
READ_ON = "W.reshape(C, C)"
FUSED = "torch.cat(beside, dim=1).T"
BELOW = "torch.cat(beside, dim=0)"

to_torch = Task(
    id="09-many-heads/to-torch",
    title="The same in torch",
    kind="build",
    points=2,
    minutes=20,
    answer="by_torch",
    cases=torch_cases,
    reference=by_torch,
    misconceptions=(
        MATRIX_TRANSPOSED.by(
            changed(by_torch, FUSED, BELOW),
            changed(by_torch, "W_O.T", "W_O"),
            changed(*changed(by_torch, FUSED, BELOW), "W_O.T", "W_O"),
        ),
        VIEW_WITHOUT_TRANSPOSE.by(
            changed(by_torch, BESIDE, READ_ON),
            changed(*changed(by_torch, BESIDE, READ_ON), FUSED, BELOW),
            changed(*changed(by_torch, BESIDE, READ_ON), f"{FUSED}, W_O.T", f"{BELOW}, W_O"),
        ),
        HEADS_INTERLEAVED.by(changed(by_torch, BESIDE, "W.permute(1, 2, 0).flatten(1)")),
        HEADS_SWAPPED.by(changed(by_torch, BESIDE, "W.flip(0).transpose(0, 1).flatten(1)")),
        THIRDS_IN_ANOTHER_ORDER.by(
            changed(
                by_torch,
                "(W_Q, W_K, W_V)",
                "(W_K, W_Q, W_V)",
                "(W_Q, W_V, W_K)",
                "(W_K, W_V, W_Q)",
                "(W_V, W_Q, W_K)",
                "(W_V, W_K, W_Q)",
                "(W_Q, W_Q, W_V)",
                "(W_K, W_K, W_V)",
                "(W_Q, W_K, W_K)",
            )
        ),
        THIRDS_MIXED_UP.by(
            changed(
                by_torch,
                FUSED,
                "torch.stack([W.unflatten(1, (H, -1)) for W in beside], dim=2).flatten(1).T",
            )
        ),
        MASK_INVERTED.by(changed(by_torch, "~mask", "mask")),
        HIDDEN_SCORE_TOO_HIGH.by(changed(by_torch, "~mask", "(~mask).float()")),
        MASK_IGNORED.by(changed(by_torch, "attn_mask=hidden, ", "")),
        Misconception(
            "batch-taken-for-time",
            changed(by_torch, "batch_first=True", "batch_first=False"),
            "The weights are right, the output is not. Torch takes your first axis for time unless "
            "it is told otherwise. Which tokens look at which, then?",
        ),
    ),
    compare=agrees,
    excused=("result-shared",),  # a state may hold the weights that were given
    alike=_alike,
)
