"""Where training starts: random weights whose size keeps signals and gradients alive.

    xavier           U(−a, a), a = √(6 / (fan_in + fan_out))     Glorot and Bengio 2010
    normal           N(0, 0.02²)                                 GPT and BERT
    scale_residual   the last product of each sub-layer / √n     GPT-2; n sub-layers add up

They change a module in place and draw from the generator that is given, in the order of
`module.modules()`: same seed and same architecture give the same weights. They redraw what torch
drew from its global stream when the module was made, the weights of `nn.Linear` and
`nn.Embedding`, and set the biases to zero. Gains of norms are one already; modules that were
given a generator of their own, such as the position schemes, keep what they drew.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from headway.nn.block import Block, DecoderBlock
from headway.nn.feed_forward import FeedForward, GatedFeedForward
from headway.nn.multihead import MultiHeadAttention


def xavier(module: nn.Module, generator: torch.Generator) -> None:
    """Uniform weights with variance 2 / (fan_in + fan_out), after Glorot and Bengio (2010).

    A fused projection is drawn as the three matrices that it stands for; drawn as one, with
    fan_out = 3C, its weights would be too small by √2.

    Args:
        module: any module; changed in place.
        generator: on the device of the weights.
    """
    draw_weights(module, lambda weight: nn.init.xavier_uniform_(weight, generator=generator))


def normal(module: nn.Module, generator: torch.Generator, std: float = 0.02) -> None:
    """Gaussian weights, N(0, std²), as in GPT (Radford et al. 2018) and BERT.

    Args:
        module: any module; changed in place.
        generator: on the device of the weights.
        std: standard deviation of every weight.
    """
    draw_weights(module, lambda weight: nn.init.normal_(weight, std=std, generator=generator))


def scale_residual(module: nn.Module) -> int:
    """Divide the last product of every sub-layer by √n (Radford et al. 2019, section 2.3).

    The residual stream adds up what n sub-layers return: if each is smaller by √n, the sum has
    the size of one. After `normal` the scaled weights are N(0, std²/n). Call it once.

    Args:
        module: a model or a stack of blocks; changed in place.

    Returns:
        n: two for each `Block` and three for each `DecoderBlock`, shared ones counted as often
        as they run.

    Raises:
        ValueError: if there is no block.
    """
    runs = [part for _, part in module.named_modules(remove_duplicate=False)]
    n = sum(2 * isinstance(part, Block) + 3 * isinstance(part, DecoderBlock) for part in runs)
    if n == 0:
        raise ValueError(f"{type(module).__name__} holds no Block or DecoderBlock to scale")
    for part in module.modules():
        if isinstance(part, MultiHeadAttention):
            part.output.weight.data /= math.sqrt(n)
        elif isinstance(part, FeedForward | GatedFeedForward):
            part.contract.weight.data /= math.sqrt(n)
    return n


@torch.no_grad()
def draw_weights(module: nn.Module, draw: Callable[[Tensor], object]) -> None:
    """Draw the matrices of linear layers and embeddings anew; their biases become zero."""
    fused: dict[nn.Module, Any] = {}  # several matrices in one
    for part in module.modules():
        if isinstance(part, MultiHeadAttention):
            fused[part.qkv] = part.widths
        elif isinstance(part, GatedFeedForward):
            fused[part.expand] = part.contract.in_features
    for part in module.modules():
        if isinstance(part, nn.Linear | nn.Embedding):
            for matrix in part.weight.split(fused.get(part, len(part.weight))):
                draw(matrix)
            if isinstance(part, nn.Linear) and part.bias is not None:
                part.bias.zero_()
