"""Build the bridge to `torch.nn.MultiheadAttention`: the weights of each head, under its names."""

import numpy as np
import torch
from torch import nn

from headway.tasks.chapters.many_heads.heads import draw
from headway.tasks.engine.compare import Difference, close
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

NAMES = ("in_proj_weight", "out_proj.weight")
near = close(atol=1e-5, rtol=1e-4)


def beside(W):
    """The matrices of the heads, (H, C, D), side by side: (C, H·D)."""
    return torch.cat(list(W), dim=1)


def by_torch(W_Q, W_K, W_V, W_O, x, mask=None):
    """The weights under torch's names, and torch's output for `x`."""
    return _by_torch(W_Q, W_K, W_V, W_O, x, mask)


def _by_torch(
    W_Q,
    W_K,
    W_V,
    W_O,
    x,
    mask=None,
    join=beside,
    stack=lambda q, k, v: torch.cat([q, k, v], dim=1).T,
    last=lambda W: W.T,
    hide=lambda mask: ~mask,
    batch_first=True,
):
    H, C, _ = W_Q.shape
    module = nn.MultiheadAttention(C, H, bias=False, batch_first=batch_first)
    state = {
        "in_proj_weight": stack(*(join(W) for W in (W_Q, W_K, W_V))),
        "out_proj.weight": last(W_O),
    }
    module.load_state_dict(state)
    hidden = None if mask is None else hide(mask)
    output = module(x, x, x, attn_mask=hidden, need_weights=False)[0]
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
        Case("two heads", *heads(2, 8), draw(rng, 3, 4, 8), None, core=True),
        Case("a causal mask", *heads(4, 8), draw(rng, 2, 3, 8), torch.ones(3, 3).bool().tril()),
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


def _with(**changes):
    return lambda *args: _by_torch(*args, **changes)


def _interleaved(W):
    return W.permute(1, 2, 0).flatten(1)


def _inside(q, k, v, H):
    parts = (part.unflatten(1, (H, -1)) for part in (q, k, v))  # (C, H, D)
    return torch.stack(list(parts), dim=2).flatten(1).T


def _thirds_inside(*args):
    H = len(args[0])
    return _by_torch(*args, stack=lambda q, k, v: _inside(q, k, v, H))


def _mask_dropped(W_Q, W_K, W_V, W_O, x, mask=None):
    return _by_torch(W_Q, W_K, W_V, W_O, x)


def _last_square(W):
    """Numbers of a head's matrix read on, row after row, in place of being put side by side."""
    H, C, D = W.shape
    return W.reshape(C, H * D)


def _below(q, k, v):
    return torch.cat([q, k, v], dim=0)


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
        Misconception(
            "projections-not-transposed",
            _with(stack=_below),
            "Your matrices have the right shape and are turned: torch multiplies by the transpose. "
            "Do its rows belong to inputs or to outputs?",
        ),
        Misconception(
            "output-not-transposed",
            _with(last=lambda W: W),
            "The first matrix is right. The last is turned: does torch multiply by it or by its "
            "transpose?",
        ),
        Misconception(
            "nothing-transposed",
            _with(stack=_below, last=lambda W: W),
            "All your matrices are turned: torch multiplies by the transpose. Do its rows belong "
            "to inputs or to outputs?",
        ),
        Misconception(
            "mask-not-inverted",
            _with(hide=lambda mask: mask),
            "Right without a mask. With one, torch looks exactly where it should not. What does "
            "True mean to torch, and what in this book?",
        ),
        Misconception(
            "mask-as-numbers",
            _with(hide=lambda mask: (~mask).float()),
            "Right without a mask. Yours is one of numbers, and torch adds numbers to the scores: "
            "a hidden token gets 1 more. Which type of mask is not added?",
        ),
        Misconception(
            "mask-dropped",
            _mask_dropped,
            "The weights are right. With a mask, your result is the same as without. How does "
            "torch's module take a mask?",
        ),
        Misconception(
            "batch-second",
            _with(batch_first=False),
            "The weights are right, the output is not. Torch takes your first axis for time unless "
            "it is told otherwise. Which tokens look at which, then?",
        ),
        Misconception(
            "query-and-key-swapped",
            _with(stack=lambda q, k, v: torch.cat([k, q, v], dim=1).T),
            "Keys stand where torch looks for the queries. In which order does it cut the fused "
            "matrix?",
        ),
        Misconception(
            "values-first",
            _with(stack=lambda q, k, v: torch.cat([v, q, k], dim=1).T),
            "Values stand where torch looks for the queries. In which order does it cut the fused "
            "matrix?",
        ),
        Misconception(
            "reversed-order",
            _with(stack=lambda q, k, v: torch.cat([v, k, q], dim=1).T),
            "Values stand where torch looks for the queries, and queries where it looks for the "
            "values. In which order does it cut the fused matrix?",
        ),
        Misconception(
            "interleaved",
            _with(join=_interleaved),
            "Your heads take turns in the columns of the fused matrix. Torch gives each head "
            "neighbors. Which axis must run slowest?",
        ),
        Misconception(
            "heads-read-on",
            _with(join=_last_square),
            "The numbers of a head's matrix have lost their rows: a reshape reads on where one row "
            "ends. Which two axes have to stand next to each other first?",
        ),
        Misconception(
            "stacked-as-they-are",
            _with(join=_last_square, stack=_below),
            "The last matrix is right. In the fused one, a row of yours is made of rows of a "
            "head's matrix. Torch wants a row for each number of a query: which two axes have to "
            "change places before the reshape?",
        ),
        Misconception(
            "stacked-as-they-are-and-output-too",
            _with(join=_last_square, stack=_below, last=lambda W: W),
            "The shapes fit, and nothing has been turned. Torch multiplies by the transpose: do "
            "its rows belong to inputs or to outputs?",
        ),
        Misconception(
            "thirds-inside-heads",
            _thirds_inside,
            "Your fused matrix has query, key and value of the first head, then those of the "
            "second. Torch cuts into thirds first. What has to stand in the first third?",
        ),
    ),
    compare=agrees,
    alike=_alike,
)
