"""What all positions that work on embeddings have in common, wherever a text is cut."""

from torch import nn


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
