"""Words as short dense vectors, and back: the first and the last matrix of every model.

An embedding is a matrix W of V rows, one for each symbol, and C columns. Going in, the one-hot
vector of a word picks its row; coming out, a vector h is compared with every row:

    embed(id) = one_hot(id) W = W[id]        (...) → (..., C)
    unembed(h) = h Wᵀ                        (..., C) → (..., V), the logits

With the same W at both ends the weights are *tied*: a word's score is the dot product of the
hidden state with the very vector that stands for the word at the input.

Source: Press and Wolf 2017, for tying; Vaswani et al. 2017, section 3.4.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.shapes import ShapeError


def embed(ids: Tensor, table: Tensor) -> Tensor:
    """Rows of a table by id: C numbers copied for a word.

    Args:
        ids: integers (...), each in 0 … V−1.
        table: (V, C).

    Returns:
        (..., C)

    Raises:
        TypeError: if the ids are not integers.
        IndexError: if an id is not the number of a row (on CUDA: a device-side assertion, because
            reading the ids back to name the wrong one would stop the device at every step).
    """
    if ids.dtype not in (torch.int64, torch.int32):
        raise TypeError(f"ids must be int64 or int32, got {ids.dtype}; did you pass the vectors?")
    try:
        return functional.embedding(ids, table)
    except IndexError:
        raise IndexError(
            f"ids must be in 0 … {len(table) - 1} for a table {tuple(table.shape)}, got "
            f"{ids.min()} … {ids.max()}. Does the tokenizer know more symbols than the model?"
        ) from None


def unembed(hidden: Tensor, table: Tensor) -> Tensor:
    """The score of every symbol for every vector: hidden Wᵀ.

    Args:
        hidden: (..., C).
        table: (V, C), one row a symbol, as for `embed`.

    Returns:
        logits (..., V)

    Raises:
        ShapeError: if the widths differ.
    """
    if hidden.shape[-1] != table.shape[-1]:
        raise ShapeError(
            f"hidden {tuple(hidden.shape)} and table {tuple(table.shape)} differ in width. The "
            f"table keeps one row a symbol, (V, C), at both ends; was it transposed already?"
        )
    return functional.linear(hidden, table)


class Embedding(nn.Module):
    """An embedding matrix with its two uses; call `unembed` on it, and the weights are tied.

    Args:
        size: V, the number of symbols.
        width: C.
        generator: draws the start, N(0, std²).
        std: 0.02 as in GPT and BERT; 1/√C under a `RootWidthScale`. (With 1, the start of
            `torch.nn.Embedding`, tied logits begin with a spread of √C, and the loss far above
            ln V.)
    """

    def __init__(self, size: int, width: int, generator: torch.Generator, std: float = 0.02):
        super().__init__()
        self.weight = nn.Parameter(std * torch.randn(size, width, generator=generator))

    def forward(self, ids: Tensor) -> Tensor:
        """ids (...) → vectors (..., C); see `embed` for the errors."""
        return embed(ids, self.weight)

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., C) → logits (..., V); see `unembed` for the errors."""
        return unembed(hidden, self.weight)

    deembed = unembed  # a locked cell of assignment 13 calls it so


class RootWidthScale(nn.Module):
    """Multiplies embeddings by √C, between a tied embedding and its positions.

    A tied W needs small entries, so that the logits start near zero; the sinusoids have length
    √(C/2). Without the scale the words would drown in their positions.

        nn.Sequential(embedding, RootWidthScale(C), SinusoidalPosition(N, C))

    Source: Vaswani et al. 2017, section 3.4.
    """

    def __init__(self, width: int):
        super().__init__()
        self.factor = width**0.5

    def forward(self, x: Tensor) -> Tensor:
        """x (..., C) → √C · x, the same shape."""
        return x * self.factor
