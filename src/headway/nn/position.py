"""Where a word stands: six ways to tell a model that is blind to order.

Attention treats its input as a set. A position scheme breaks the tie, at one of three places:

    added to the embeddings     x + P[p]             SinusoidalPosition, LearnedPosition, …
    mixed into the embeddings   x + conv(x)          ConvolutionalPosition
    inside the scores           q·k + b[distance]    RelativeBias
    inside the scores           (R_p q)·(R_s k)      RotaryPosition

Shapes: embeddings x (B, T, C); queries and keys (B, H, T, D); scores (B, H, T, S). Positions count
from 0. `offset` is the position of the first token of the input: 0 for a whole text, the number of
tokens already in the cache for a cached step.

Two layouts of pairs of columns are in use. `sinusoids` keeps sine and cosine side by side, in
columns 2i and 2i + 1, as Vaswani et al. print it. `RotaryPosition` knows both, by name:

    "halves"         column i with column i + D/2        GPT-NeoX, Hugging Face's Llama
    "interleaved"    column 2i with column 2i + 1        RoFormer, GPT-J, Meta's Llama

The layout is a convention, and `halves_order` leads from one to the other; but a query and its key
must share it.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.shapes import ShapeError


def frequencies(width: int, base: float = 10_000.0) -> Tensor:
    """How fast each pair of columns turns: ω_i = base^(−2i / width), for i in 0 … width/2 − 1.

    Returns:
        (width/2,) float64, falling from 1 radian a position towards 1/base.

    Raises:
        ShapeError: if the width is odd.

    Source: Vaswani et al. 2017, section 3.5.
    """
    if width % 2:
        raise ShapeError(f"sines and cosines come in pairs: the width must be even, got {width}")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoids(positions: Tensor, width: int, base: float = 10_000.0) -> Tensor:
    """The sinusoidal encoding of positions, in closed form.

    PE[p, 2i] = sin(p ω_i),  PE[p, 2i + 1] = cos(p ω_i)

    Args:
        positions: (...) of any number type; halves and negative positions are fine.
        width: C, even.

    Returns:
        (..., C) float32, computed in double precision.

    Raises:
        ShapeError: if the width is odd.

    Source: Vaswani et al. 2017, section 3.5.
    """
    speeds = frequencies(width, base).to(positions.device)
    angles = positions.double()[..., None] * speeds  # (..., C/2)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2).float()


def rotation(offset: float, width: int, base: float = 10_000.0) -> Tensor:
    """The matrix that moves the sinusoidal encoding of any position by `offset`.

    PE(p + k) = R_k PE(p): a block of R_k turns the pair (sine, cosine) by the angle k ω_i,

        [ cos kω_i   sin kω_i]
        [−sin kω_i   cos kω_i]

    Returns:
        (C, C) float32, orthogonal; R_j R_k = R_(j+k), and R_0 is the identity.

    Raises:
        ShapeError: if the width is odd.
    """
    angles = offset * frequencies(width, base)
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).view(-1, 2, 2)  # (C/2, 2, 2)
    return torch.block_diag(*blocks).float()


class EmbeddingPosition(nn.Module):
    """What works on embeddings: position(x, offset, past), (B, T, C) → (B, T, C).

    x (B, T, C) are new embeddings. `offset` is the position of x[:, 0], one number or one for each
    sentence, (B,): minus the padding before it, where texts padded on the left count from their
    first token. `past` (B, P, C) are the embeddings before x, for cached steps: at least the last
    `lookback`, or all of them if they are fewer; None if x begins the text.

    Attributes:
        lookback: how many embeddings before x a scheme reads.
    """

    lookback = 0


class AddedPosition(EmbeddingPosition):
    """What the schemes with one vector a position share: a `table` (N, C), and adding its rows."""

    table: Tensor

    def forward(self, x: Tensor, offset: int | Tensor = 0, past: Tensor | None = None) -> Tensor:
        """x (B, T, C) + table[offset … offset + T − 1], which is (T, C), whatever the past was.

        Padding on the left, at positions below zero, takes row 0.

        Raises:
            ShapeError: if C differs from the table's, or a position lies beyond N − 1.
            IndexError: the latter, where each sentence has its own offset.
        """
        if isinstance(offset, Tensor):
            places = offset[:, None] + torch.arange(x.shape[1], device=x.device)  # (B, T)
            return x + self.table[places.clamp(min=0)]
        return x + rows(self.table, x, offset)


class SinusoidalPosition(AddedPosition):
    """Adds the fixed sinusoidal encoding: no parameters, nothing in the state dict.

    Args:
        length: N, the number of positions tabled; a larger one costs memory, never a parameter.
        width: C, even.
    """

    def __init__(self, length: int, width: int):
        super().__init__()
        self.register_buffer("table", sinusoids(torch.arange(length), width), persistent=False)


class LearnedPosition(AddedPosition):
    """Adds one trained vector for each position: N × C parameters, and none beyond N.

    Args:
        length: N, the longest text that can be read.
        width: C.
        generator: draws the start, N(0, 0.02²) as in GPT and BERT.

    Source: Gehring et al. 2017, section 3.1; Radford et al. 2018.
    """

    def __init__(self, length: int, width: int, generator: torch.Generator):
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(length, width, generator=generator))


class HybridPosition(AddedPosition):
    """Adds trained vectors that start as the sinusoids: N × C parameters, order known at once.

    Args:
        length: N, the longest text that can be read.
        width: C, even.
    """

    def __init__(self, length: int, width: int):
        super().__init__()
        self.table = nn.Parameter(sinusoids(torch.arange(length), width))


class ConvolutionalPosition(EmbeddingPosition):
    """Adds to each word a mixture of itself and the K − 1 words before it, column by column.

    y[t] = x[t] + bias + Σ_j weight[:, j] ⊙ x[t − j],  j in 0 … K − 1, and x = 0 before the text

    Order shows because each distance j has its own weights; the zeros before the text mark its
    start. C × (K + 1) parameters, whatever the length. The convolution is causal, so that it
    serves decoders, and padding *after* a text changes nothing in it.

    Args:
        width: C.
        size: K, the number of words in a window.
        generator: draws the weights, uniform in ±1/√K; the bias starts at zero.

    Source: after the conditional encoding of Chu et al. 2021, made causal.
    """

    def __init__(self, width: int, size: int, generator: torch.Generator):
        super().__init__()
        uniform = 2 * torch.rand(width, size, generator=generator) - 1
        self.weight = nn.Parameter(uniform / size**0.5)
        self.bias = nn.Parameter(torch.zeros(width))
        self.lookback = size - 1

    def forward(self, x: Tensor, offset: int | Tensor = 0, past: Tensor | None = None) -> Tensor:
        """(B, T, C) from x (B, T, C) and the K − 1 embeddings before it, wherever the text stands.

        Raises:
            ShapeError: if C is not the module's width.
        """
        width, size = self.weight.shape
        if x.shape[-1] != width:
            raise ShapeError(
                f"x {tuple(x.shape)} needs {width} columns, one for each row of weights"
            )
        if not x.shape[1]:
            return x  # `conv1d` wants a word at least
        seen = x if past is None else torch.cat((past, x), dim=1)
        missing = x.shape[1] + size - 1 - seen.shape[1]  # if below zero, `pad` crops the past
        seen = functional.pad(seen, (0, 0, missing, 0)).mT  # (B, C, T + K − 1)
        filters = self.weight.flip(1)[:, None]  # (C, 1, K), the oldest word first
        mixed = functional.conv1d(seen, filters, self.bias, groups=width)  # (B, C, T)
        return x + mixed.mT


class RelativeBias(nn.Module):
    """A trained number for each head and each distance, to be added to the scores.

    scores[h, t, s] += table[h, clip(s − t, −R, R)]

    The distance s − t is signed: negative for a key before its query. All distances beyond the
    reach R share one number, so that no length is too long. H × (2R + 1) parameters, and zeros to
    start with, which is no position at all. (T5 puts long distances into buckets that widen
    logarithmically; for distances below a quarter of its buckets the two are the same.)

    Args:
        heads: H.
        reach: R, the largest distance with a number of its own.

    Source: Shaw et al. 2018, eq. 4, for the clipping; Raffel et al. 2020, section 2.1, for a number
    in place of a vector.
    """

    def __init__(self, heads: int, reach: int):
        super().__init__()
        self.reach = reach
        self.table = nn.Parameter(torch.zeros(heads, 2 * reach + 1))

    def forward(self, queries: int, keys: int) -> Tensor:
        """(H, T, S), for T queries that are the last of S positions, as in `causal_mask`.

        Each row is the row above it moved by one column, so the distances are looked up once, not
        for each pair of words.

        Raises:
            ShapeError: if there are more queries than keys.
        """
        if queries > keys:
            raise ShapeError(
                f"{queries} queries cannot be the last of {keys} keys; were they swapped?"
            )
        first = keys - queries  # the first query's position; the last one's is keys − 1
        # One more at the beginning, a window that is dropped: there may be no query, and no key.
        distances = torch.arange(-keys, keys - first, device=self.table.device)  # (S + T,)
        numbers = self.table[:, distances.clamp(-self.reach, self.reach) + self.reach]
        return numbers.unfold(-1, keys, 1)[:, 1:].flip(1)  # (H, T, S), the last query's first


PAIRS = ("halves", "interleaved")


def halves_order(width: int) -> Tensor:
    """The order of interleaved columns in which they are halves: 0, 2, 4, …, 1, 3, 5, …

    With `halves` and `interleaved`, two rotary positions of the same frequencies,

        halves(x[..., order]) = interleaved(x)[..., order]

    So weights that were trained in one layout serve in the other, once the rows of W_Q and W_K
    that make a head's queries and keys are put into this order.

    Returns:
        (D,) int64, a permutation.

    Raises:
        ShapeError: if the width is odd.
    """
    if width % 2:
        raise ShapeError(f"rotary turns pairs of columns: the width must be even, got {width}")
    return torch.arange(width).view(-1, 2).T.flatten()


class RotaryPosition(nn.Module):
    """Turns queries and keys (never values) by angles that grow with the position.

    (a, b) ↦ (a cos pω_i − b sin pω_i,  b cos pω_i + a sin pω_i)

    for pair i of columns, (x_i, x_(i+D/2)) in halves and (x_2i, x_(2i+1)) interleaved. The product
    of a query turned by p and a key turned by s is that of the two turned by p − s only: the score
    knows the distance and not the place. No parameters, nothing in the state dict. At frequency 0
    nothing turns, and the model has no position.

    Args:
        length: N, the number of positions tabled.
        speeds: ω (D/2,), usually `frequencies(D)`; half of it stretches the context to twice the
            length (position interpolation).
        pairs: which columns make a pair, "halves" or "interleaved".

    Raises:
        ValueError: if `pairs` is neither of the two.

    Source: Su et al. 2021, eq. 34, interleaved; halves as in GPT-NeoX and Hugging Face's Llama.
    """

    def __init__(self, length: int, speeds: Tensor, pairs: str = "halves"):
        if pairs not in PAIRS:
            raise ValueError(f"pairs must be one of {', '.join(PAIRS)}; got {pairs!r}")
        super().__init__()
        self.pairs = pairs
        angles = torch.arange(length, dtype=torch.float64)[:, None] * speeds  # (N, D/2)
        cos, sin = angles.cos().float(), angles.sin().float()
        self.register_buffer("cos", self.lay_out(cos, cos), persistent=False)  # (N, D)
        self.register_buffer("sin", self.lay_out(-sin, sin), persistent=False)  # (N, D)

    def lay_out(self, first: Tensor, second: Tensor) -> Tensor:
        """Columns (..., D) from the first and the second of each pair, (..., D/2) both."""
        if self.pairs == "halves":
            return torch.cat((first, second), dim=-1)
        return torch.stack((first, second), dim=-1).flatten(-2)

    def partners(self, x: Tensor) -> Tensor:
        """x (..., D) with the two columns of each pair exchanged."""
        if self.pairs == "halves":
            return x.roll(x.shape[-1] // 2, dims=-1)
        return x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        """x (..., T, D), turned; queries and keys go through the same module.

        Raises:
            ShapeError: if D is not twice the number of frequencies, or a position lies beyond
                N − 1.
        """
        cos, sin = rows(self.cos, x, offset), rows(self.sin, x, offset)  # (T, D)
        return torch.addcmul(x * cos.to(x.dtype), self.partners(x), sin.to(x.dtype))


def rows(table: Tensor, x: Tensor, offset: int) -> Tensor:
    """The rows (T, C) of `table` (N, C) for the T positions of x (..., T, C) from `offset` on."""
    (N, width), (T, C) = table.shape, x.shape[-2:]
    if width != C:
        raise ShapeError(
            f"x {tuple(x.shape)} has vectors of {C}, the positions {tuple(table.shape)} have "
            f"{width}. Are time and width swapped, or heads not split yet?"
        )
    if not 0 <= offset <= N - T:
        raise ShapeError(
            f"x {tuple(x.shape)} at offset {offset} needs positions {offset} … {offset + T - 1}, "
            f"the table {tuple(table.shape)} has 0 … {N - 1}. Is the text longer than the context?"
        )
    return table[offset : offset + T]
