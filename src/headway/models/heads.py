"""Heads: what is made of hidden states, words or classes.

    FillIn        scores of all words, at each place       (B, T, C) → (B, T, V)
    PooledHead    scores of classes, for the whole text    (B, T, C) → (B, K)

A head is small, and learns what little its task asks for; the model below it may have learned from
other texts and another task. All heads are called alike, `head(hidden, mask)`, with the mask that
the model was given; one that scores each token by itself needs no mask, and leaves it to the loss
to ignore padding. `WithHead` makes one module of a model and a head.

Source: Devlin et al. 2019, sections 3.1 and 4; Radford et al. 2018, section 3.2.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.attention import check_width
from headway.nn.embedding import Embedding
from headway.nn.initialization import normal
from headway.shapes import ShapeError

Pool = Callable[[Tensor, Tensor | None], Tensor]


class FillIn(nn.Module):
    """Which word belongs here: hidden Wᵀ + b, with the W that also reads the words.

    Args:
        embedding: of the model; it is shared, so that what one learns the other knows.
    """

    def __init__(self, embedding: Embedding):
        super().__init__()
        self.embedding = embedding
        self.bias = nn.Parameter(torch.zeros(len(embedding.weight)))

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, T, V) of hidden states (B, T, C)."""
        return self.embedding.unembed(hidden) + self.bias


class TransformedFillIn(FillIn):
    """`FillIn` after one more layer, as in BERT: norm(gelu(hidden A + a)) Wᵀ + b.

    The layer lets the hidden states be something else than guesses of the word at their place.

    Args:
        embedding: of the model.
        generator: draws A.
        epsilon: of the norm.
    """

    def __init__(self, embedding: Embedding, generator: torch.Generator, epsilon: float = 1e-12):
        super().__init__(embedding)
        C = embedding.weight.shape[1]
        self.transform = nn.Linear(C, C)
        self.norm = nn.LayerNorm(C, epsilon)
        normal(self, generator)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, T, V) of hidden states (B, T, C)."""
        check_width("hidden", hidden, self.transform.in_features)
        return super().forward(self.norm(functional.gelu(self.transform(hidden))))


def first_token(hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    """The hidden state of the first token, [CLS]: (B, T, C) → (B, C)."""
    check_hidden(hidden)
    return hidden[:, 0]


def mean_of_tokens(hidden: Tensor, mask: Tensor | None = None) -> Tensor:
    """The mean over the tokens that are no padding; zeros where there is none.

    Args:
        hidden: (B, T, C).
        mask: bool (B, 1, 1, T), True at tokens; all are tokens if not given.

    Returns:
        (B, C).

    Raises:
        ShapeError: if the mask is not (B, 1, 1, T).
    """
    tokens = check_tokens(hidden, mask)[..., None]  # (B, T, 1)
    total = hidden.masked_fill(~tokens, 0.0).sum(dim=1)  # NaN in the padding stays outside too
    return total / tokens.sum(dim=1).clamp(min=1)


class Pooler(nn.Module):
    """BERT's: tanh(hidden[first] A + a), a layer that turns the first token's state to summary.

    Args:
        width: C.
        generator: draws A.
    """

    def __init__(self, width: int, generator: torch.Generator):
        super().__init__()
        self.dense = nn.Linear(width, width)
        normal(self, generator)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """(B, T, C) → (B, C)."""
        check_width("hidden", hidden, self.dense.in_features)
        return self.dense(first_token(hidden)).tanh()


class PooledHead(nn.Module):
    """Classes of whole texts: one vector a text, and a linear layer on it.

    With two classes and a `Pooler` it is BERT's next-sentence prediction.

    Args:
        width: C.
        classes: K.
        generator: draws the weights.
        pool: (hidden, mask) → (B, C): `mean_of_tokens`, `first_token` or a `Pooler`.
    """

    def __init__(
        self, width: int, classes: int, generator: torch.Generator, pool: Pool = mean_of_tokens
    ):
        super().__init__()
        self.pool = pool
        self.output = nn.Linear(width, classes)
        normal(self.output, generator)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits (B, K) of hidden states (B, T, C)."""
        check_width("hidden", hidden, self.output.in_features)
        return self.output(self.pool(hidden, mask))


class WithHead(nn.Module):
    """A model and the head that reads its hidden states, as one module to train.

    Args:
        model: (inputs, mask=…) → hidden (B, T, C).
        head: (hidden, mask) → what the task asks for.
    """

    def __init__(self, model: nn.Module, head: nn.Module):
        super().__init__()
        self.model, self.head = model, head

    def forward(self, inputs: Tensor, mask: Tensor | None = None, **named) -> Tensor:
        """What the head gives for the inputs of the model; both get the mask."""
        return self.head(self.model(inputs, mask=mask, **named), mask)


def check_hidden(hidden: Tensor) -> None:
    """Raise ShapeError unless hidden states are (B, T, C) with a token at least."""
    if hidden.dim() != 3 or not hidden.shape[1]:
        raise ShapeError(
            f"hidden has shape {tuple(hidden.shape)}, expected (B, T, C) with T of 1 or more. "
            "Were the states pooled already?"
        )


def check_tokens(hidden: Tensor, mask: Tensor | None) -> Tensor:
    """(B, T) bool, True at tokens, from the mask that the model was given or None.

    Raises:
        ShapeError: if hidden is not (B, T, C), or the mask not (B, 1, 1, T).
    """
    check_hidden(hidden)
    B, T, _ = hidden.shape
    if mask is None:
        return torch.ones(B, T, dtype=torch.bool, device=hidden.device)
    if mask.shape != (B, 1, 1, T):
        raise ShapeError(
            f"mask {tuple(mask.shape)} and hidden {tuple(hidden.shape)} do not fit: the mask tells "
            "tokens from padding, (B, 1, 1, T), as token_mask and padding_mask make it"
        )
    return mask[:, 0, 0]
