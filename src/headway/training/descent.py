"""Gradient descent on a few numbers, with every step kept: to look at the path.

    point ← point − η ∇L(point)        (SGD; other optimizers change the step, not the idea)

Models are trained by `headway.training.trainer`; this is for losses that are written down as a
formula of two or three numbers.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor


def descend(
    loss: Callable[[Tensor], Tensor],
    start: Sequence[float],
    make_optimizer: Callable[[Iterable[Tensor]], torch.optim.Optimizer],
    steps: int,
) -> Tensor:
    """Walk down a loss, and return where the walk came along.

    Args:
        loss: (N,) → (), differentiable.
        start: N numbers.
        make_optimizer: from a list of parameters, `lambda p: torch.optim.SGD(p, lr=0.1)`.
        steps: how many, 0 or more.

    Returns:
        float64 (steps + 1, N), the start first.

    Raises:
        ValueError: if `steps` is negative.
    """
    if steps < 0:
        raise ValueError(f"steps must be 0 or more, got {steps}")
    point = torch.tensor(start, dtype=torch.float64, requires_grad=True)
    optimizer = make_optimizer([point])
    path = [point.detach().clone()]
    for _ in range(steps):
        optimizer.zero_grad()
        loss(point).backward()
        optimizer.step()
        path.append(point.detach().clone())
    return torch.stack(path)


def walks(
    surfaces: Mapping[str, np.ndarray],
    methods: Mapping[str, Callable[..., torch.optim.Optimizer]],
    rates: Iterable[float],
    start: Sequence[float],
    steps: int,
) -> dict[str, dict[str, dict[float, np.ndarray]]]:
    """Every method at every learning rate on every surface, from the same start.

    Args:
        surfaces: name → symmetric (N, N) matrix A of the loss ½ p A p.
        methods: name → an optimizer that takes parameters and `lr`, `torch.optim.SGD`.
        rates: learning rates.
        start: N numbers.
        steps: of each walk.

    Returns:
        surface → method → rate → float64 (steps + 1, N).
    """

    def walk(matrix: np.ndarray, method: Callable, rate: float) -> np.ndarray:
        A = torch.from_numpy(matrix)
        path = descend(lambda p: 0.5 * p @ A @ p, start, lambda ps: method(ps, lr=rate), steps)
        return path.numpy()

    return {
        name: {
            called: {rate: walk(matrix, method, rate) for rate in rates}
            for called, method in methods.items()
        }
        for name, matrix in surfaces.items()
    }
