"""Quantization: weights as small whole numbers, and a scale for each block of them.

    scale = max(abs(w)) / (2ᵇ⁻¹ − 1)       one for the N weights of a block
    q     = round(w / scale)           b bits each, −(2ᵇ⁻¹ − 1) … 2ᵇ⁻¹ − 1
    w     ≈ scale · q                  off by half a scale at the most

A step of generation reads every weight once, so its time is that of their bytes. With b bits and a
scale of 16 bits a weight takes b/8 + 2/N bytes: 1.0625 for 8 bits in blocks of 32, 0.5625 for 4.
The largest weight of a block sets the scale for all of it, so one outlier costs its neighbors their
digits; blocks are short for that reason.

Blocks are cut from the last dimension, (..., C) → (..., C/N, N): a row of a linear layer's weight,
which is what one output is a sum over. `quantize` is absmax as above, at 8 bits the numbers of
GGUF's Q8_0. `quantize_to_extreme` is GGUF's rule for fewer bits (Q4_0, Q5_0): the weight of the
largest size, with its sign, becomes −2ᵇ⁻¹, so all 2ᵇ numbers are in use and not all but one.

Source: Dettmers et al. 2022 (8-bit optimizers: blocks; LLM.int8(): outliers); `ggml-quants.c` of
llama.cpp (Q8_0, Q4_0).
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from headway.nn.attention import check_width
from headway.shapes import ShapeError

BLOCK = 32  # GGUF's
BITS = range(2, 9)


class Quantized(NamedTuple):
    """Weights (..., C) as small numbers.

    - numbers: int8 (..., C/N, N).
    - scales: float16 (..., C/N, 1).
    - bits: b, of one number.
    """

    numbers: Tensor
    scales: Tensor
    bits: int

    def weights(self) -> Tensor:
        """What the numbers stand for: float32 (..., C)."""
        return (self.scales.float() * self.numbers).flatten(-2)

    @property
    def bytes(self) -> float:
        """The memory of the numbers, b bits each, and of the scales."""
        return self.numbers.numel() * self.bits / 8 + 2 * self.scales.numel()


Quantize = Callable[[Tensor, int, int], Quantized]


def quantize(weight: Tensor, bits: int, block: int = BLOCK) -> Quantized:
    """Absmax: the largest size in each block becomes 2ᵇ⁻¹ − 1, and zero stays zero.

    Args:
        weight: (..., C) float.
        bits: b, from 2 to 8.
        block: N, divides C.

    Raises:
        ShapeError: if N does not divide C.
        ValueError: if b is not from 2 to 8, or a weight is no number or beyond what a scale of 16
            bits reaches.
    """
    blocks = in_blocks(weight, bits, block)
    scales = blocks.abs().amax(dim=-1, keepdim=True) / (2 ** (bits - 1) - 1)
    sizes = blocks * inverse(scales)
    numbers = sizes.sign() * (sizes.abs() + 0.5).floor()  # halves away from zero
    return Quantized(numbers.to(torch.int8), halved(scales), bits)


def quantize_to_extreme(weight: Tensor, bits: int, block: int = BLOCK) -> Quantized:
    """GGUF's rule for fewer than 8 bits: the weight of the largest size becomes −2ᵇ⁻¹.

    The scale is negative where that weight is positive; on the other side the numbers end one
    earlier, at 2ᵇ⁻¹ − 1. Arguments and errors as for `quantize`.
    """
    blocks, half = in_blocks(weight, bits, block), 2 ** (bits - 1)
    largest = blocks.gather(-1, blocks.abs().argmax(dim=-1, keepdim=True))
    scales = largest / -half
    numbers = (blocks * inverse(scales) + (half + 0.5)).floor() - half
    return Quantized(numbers.clamp(max=half - 1).to(torch.int8), halved(scales), bits)


def relative_error(weight: Tensor, rounded: Tensor) -> float:
    """‖w − ŵ‖ / ‖w‖: how much of the weights is lost, 0 for nothing."""
    return float((weight - rounded).norm() / weight.norm())


class QuantizedLinear(nn.Module):
    """A linear layer that keeps small numbers, and makes weights of one block at a time.

        y = Σₙ (x[n] · q[n]ᵀ) · scale[n] + bias        n: the blocks of a row

    It is `nn.Linear` of the rounded weights, to rounding; it is not trained. Numbers of 4 bits and
    fewer lie two in a byte.

    Args:
        linear: the layer whose weight (E, C) is rounded, and whose bias is kept as it is.
        bits, block: as for `quantize`.
        by: the rule.

    Raises:
        ShapeError, ValueError: as `quantize`.
    """

    numbers: Tensor
    scales: Tensor

    def __init__(self, linear: nn.Linear, bits: int, block: int = BLOCK, by: Quantize = quantize):
        super().__init__()
        rounded = by(linear.weight.detach(), bits, block)
        self.in_features, self.out_features, self.bits = (
            linear.in_features,
            len(linear.weight),
            bits,
        )
        self.packed = bits <= 4 and block % 2 == 0
        numbers = pack(rounded.numbers) if self.packed else rounded.numbers
        self.register_buffer("numbers", numbers.movedim(-2, 0).contiguous())  # (C/N, E, N)
        self.register_buffer("scales", rounded.scales.movedim(-2, 0).contiguous())  # (C/N, E, 1)
        self.bias = linear.bias

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., E)."""
        check_width("x", x, self.in_features)
        y: Tensor | float = 0.0
        parts = x.chunk(len(self.numbers), dim=-1)
        for part, numbers, scales in zip(parts, self.numbers, self.scales, strict=True):
            small = unpack(numbers) if self.packed else numbers
            y = y + part @ (scales.to(x.dtype) * small).mT
        return y if self.bias is None else y + self.bias


def quantize_layers(
    model: nn.Module, bits: int, block: int = BLOCK, by: Quantize = quantize
) -> int:
    """Put a `QuantizedLinear` in the place of every `nn.Linear` of a model.

    Embeddings and norms stay. Read it with what calls its layers, not with
    `headway.inference.fused`, which asks for whole matrices.

    Returns:
        how many layers were replaced.
    """
    found = [
        (parent, name, layer)
        for parent in model.modules()
        for name, layer in parent.named_children()
        if isinstance(layer, nn.Linear)
    ]
    for parent, name, layer in found:
        setattr(parent, name, QuantizedLinear(layer, bits, block, by))
    return len(found)


def pack(numbers: Tensor) -> Tensor:
    """Numbers of 4 bits, int8 (..., N) → uint8 (..., N/2): GGUF's order, i and i + N/2 in a byte.

    8 is added to each; the first half of a block takes the lower four bits.
    """
    first, second = (numbers + 8).to(torch.uint8).chunk(2, dim=-1)
    return first | (second << 4)


def unpack(packed: Tensor) -> Tensor:
    """What `pack` was given, int8 (..., N)."""
    return torch.cat((packed & 15, packed >> 4), dim=-1).to(torch.int8) - 8


def in_blocks(weight: Tensor, bits: int, block: int) -> Tensor:
    """Weights (..., C) as (..., C/N, N), float32; errors as `quantize` says."""
    if bits not in BITS:
        raise ValueError(f"a number takes from {BITS[0]} to {BITS[-1]} bits, got {bits}")
    if block < 1 or weight.dim() == 0 or weight.shape[-1] % block:
        raise ShapeError(
            f"weights {tuple(weight.shape)} cannot be cut into blocks of {block}: the last "
            "dimension has to be a multiple of it. Take a block that divides it, or leave this "
            "matrix as it is."
        )
    if not weight.isfinite().all():
        raise ValueError("a weight is inf or nan; no scale fits it")
    return weight.float().unflatten(-1, (-1, block))


def inverse(scales: Tensor) -> Tensor:
    """1 / scale; zero for a block of zeros."""
    return torch.where(scales == 0, 0.0, 1 / scales)


def halved(scales: Tensor) -> Tensor:
    """Scales in 16 bits; ValueError where one is too large for them."""
    halves = scales.half()
    if not halves.isfinite().all():
        raise ValueError(
            f"a block has a scale of {float(scales.abs().max()):g}, and 16 bits end at 65,504. "
            "Are these weights?"
        )
    return halves
