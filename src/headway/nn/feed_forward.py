"""The feed-forward network of a block: it works on each token by itself.

    plain   activation(x W_1 + b_1) W_2 + b_2            C → M → C      Vaswani et al. 2017
    gated   (activation(x W_G) ⊙ x W_U) W_2              C → M → C      Shazeer 2020

The gate decides, for each hidden number and each token anew, how much of that number passes; with
SiLU it is SwiGLU. It has a third matrix, so that M is 8/3·C where a plain one with as many weights
has 4·C.
"""

from collections.abc import Callable

from torch import Tensor, nn
from torch.nn import functional

from headway.nn.attention import check_width


class FeedForward(nn.Module):
    """Two layers with an activation between them, applied to each token by itself.

    Args:
        width: C.
        hidden: M, usually 4·C.
        activation: between the layers; ReLU in the paper, GELU in GPT and BERT.
        bias: whether the layers add b_1 and b_2.

    Raises:
        ShapeError: when called with another width. So does `GatedFeedForward`.
    """

    def __init__(
        self,
        width: int,
        hidden: int,
        activation: Callable[[Tensor], Tensor] = functional.relu,
        bias: bool = True,
    ):
        super().__init__()
        self.width = width
        self.expand = nn.Linear(width, hidden, bias)  # W_1, b_1
        self.contract = nn.Linear(hidden, width, bias)  # W_2, b_2
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., C)."""
        check_width("x", x, self.width)
        return self.contract(self.activation(self.expand(x)))


class GatedFeedForward(nn.Module):
    """Two layers side by side, one the gate of the other, then a third.

        (activation(x W_G) ⊙ x W_U) W_2

    W_G and W_U lie in one matrix, the gate's rows first, so that one product makes both.

    Args:
        width: C.
        hidden: M; 8/3·C for as many weights as a plain network of 4·C.
        activation: of the gate; SiLU makes it SwiGLU, GELU makes it GEGLU.
        bias: whether the layers add biases; Llama's do not.
    """

    def __init__(
        self,
        width: int,
        hidden: int,
        activation: Callable[[Tensor], Tensor] = functional.silu,
        bias: bool = False,
    ):
        super().__init__()
        self.width = width
        self.expand = nn.Linear(width, 2 * hidden, bias)  # W_G, then W_U
        self.contract = nn.Linear(hidden, width, bias)  # W_2
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., C)."""
        check_width("x", x, self.width)
        gate, passed = self.expand(x).chunk(2, dim=-1)  # (..., M) each
        return self.contract(self.activation(gate) * passed)
