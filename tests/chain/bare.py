"""A residual that is none: what links 10 and 16 put in the place of `PreNorm`."""

from torch import Tensor, nn


class Bare(nn.Module):
    """f(x): no norm and no skip."""

    def before(self, x: Tensor) -> Tensor:
        return x

    def after(self, x: Tensor, update: Tensor) -> Tensor:
        return update
