"""Low-rank adaptation (LoRA): a trained matrix stays, and learns by a product of two thin ones.

    W x + (α/r) B A x        W (out, in) frozen;  A (r, in), B (out, r) trained

r·(in + out) numbers are trained in place of in·out. B begins at zero, so that the model begins as
it was. Of all matrices W + Δ, exactly those can be reached whose Δ has rank r or less. With s = α/r
and G = ∂loss/∂W, what full training would follow,

    ∂loss/∂B = s G Aᵀ        ∂loss/∂A = s Bᵀ G

so at the beginning only B moves, and a first step of gradient descent changes W by −η s² G AᵀA: the
step of full training, seen through the r directions in A. What has been learned can be added to W,
and then costs nothing. Where a layer holds several matrices, as "qkv" does, they share one A.

    add_low_rank(model, ["qkv", "output"], rank=4, alpha=8, generator=generator)
    …                                            # train; all else is frozen
    merge_low_rank(model)                        # the model as it was built, with other numbers

Source: Hu et al. 2021, section 4.1; A is drawn as in their code, uniform in ±1/√in.
"""

from collections.abc import Collection

import torch
from torch import Tensor, nn
from torch.nn import functional


class LowRank(nn.Module):
    """A linear layer with a low-rank update beside it.

    Args:
        linear: frozen from here on; (..., in) → (..., out).
        rank: r, at least 1; beyond min(in, out) it reaches no more.
        alpha: α, how strong the update is: s = α/r.
        generator: draws A, on the CPU.

    Raises:
        ValueError: if the rank is below 1.
    """

    def __init__(self, linear: nn.Linear, rank: int, alpha: float, generator: torch.Generator):
        super().__init__()
        if rank < 1:
            raise ValueError(f"rank must be at least 1, got {rank}")
        self.linear = linear.requires_grad_(False)
        self.scale = alpha / rank
        drawn = torch.empty(rank, linear.in_features)
        nn.init.kaiming_uniform_(drawn, a=5**0.5, generator=generator)
        self.A = nn.Parameter(drawn.to(linear.weight))
        self.B = nn.Parameter(linear.weight.new_zeros(linear.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) → (..., out); the product B A is never made."""
        return self.linear(x) + self.scale * functional.linear(functional.linear(x, self.A), self.B)

    @property
    def weight(self) -> Tensor:
        """W + s B A (out, in), for whoever multiplies by the weight itself."""
        return self.linear.weight + self.scale * self.B @ self.A

    @property
    def bias(self) -> Tensor | None:
        """That of the linear layer."""
        return self.linear.bias


def add_low_rank(
    model: nn.Module, layers: Collection[str], rank: int, alpha: float, generator: torch.Generator
) -> None:
    """Freeze a model, and give some of its linear layers an update that is trained.

    Args:
        model: changed in place.
        layers: the last names of the layers: "qkv" is the one in every block's attention.
        rank, alpha, generator: as for `LowRank`.

    Raises:
        ValueError: if a name belongs to no linear layer, or the rank is below 1.
    """
    linear = {name: part for name, part in model.named_modules() if isinstance(part, nn.Linear)}
    last = {name: name.rpartition(".")[2] for name in linear}
    if missing := set(layers) - set(last.values()):
        raise ValueError(
            f"no linear layer is called {min(missing)!r}; there are "
            f"{', '.join(sorted(set(last.values()))) or 'none'}"
        )
    model.requires_grad_(False)
    for name, part in linear.items():
        if last[name] in layers:
            model.set_submodule(name, LowRank(part, rank, alpha, generator))


@torch.no_grad()
def merge_low_rank(model: nn.Module) -> None:
    """Add every update to its matrix, and put the linear layers back.

    Afterwards nothing is trained; `model.requires_grad_()` thaws all of it.

    Args:
        model: changed in place; nothing happens where it has no updates.
    """
    for name, part in list(model.named_modules()):
        if isinstance(part, LowRank):
            part.linear.weight.copy_(part.weight)
            model.set_submodule(name, part.linear)
