"""Where a word stands: six ways to tell a model that is blind to order.

Attention treats its input as a set. A position scheme breaks the tie, at one of three places:

    added to the embeddings     x + P[p]             SinusoidalPosition, LearnedPosition, …
    mixed into the embeddings   x + conv(x)          ConvolutionalPosition
    inside the scores           q·k + b[distance]    RelativeBias
    inside the scores           (R_p q)·(R_s k)      RotaryPosition

Shapes: embeddings x (B, T, C); queries and keys (B, H, T, D); scores (B, H, T, S). Positions count
from 0. `offset` is the position of the first token of the input: 0 for a whole text, the number of
tokens already in the cache for a cached step.
"""

from headway.nn.position.added import (
    AddedPosition,
    HybridPosition,
    LearnedPosition,
    SinusoidalPosition,
)
from headway.nn.position.convolutional import ConvolutionalPosition
from headway.nn.position.interface import EmbeddingPosition
from headway.nn.position.relative import RelativeBias
from headway.nn.position.rotary import (
    PAIRS,
    PartialRotaryPosition,
    RotaryPosition,
    halves_order,
)
from headway.nn.position.waves import frequencies, rotation, sinusoids

__all__ = [
    "PAIRS",
    "AddedPosition",
    "ConvolutionalPosition",
    "EmbeddingPosition",
    "HybridPosition",
    "LearnedPosition",
    "PartialRotaryPosition",
    "RelativeBias",
    "RotaryPosition",
    "SinusoidalPosition",
    "frequencies",
    "halves_order",
    "rotation",
    "sinusoids",
]
