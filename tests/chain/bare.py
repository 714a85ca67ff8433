"""A residual that is none: what links 10 and 16 put in the place of `PreNorm`."""

from torch import Tensor, nn

from headway.nn.block import Sublayer


class Bare(nn.Module):
    """f(x): no norm and no skip."""

    def forward(self, x: Tensor, sublayer: Sublayer) -> Tensor:
        return sublayer(x)
