"""A lookup that can be trained: a softmax in place of the mask, over votes that stay fixed.

Chapter 3 multiplies features by a mask of zeros and ones and sums their votes. Here each
feature has a score, and the features present share the vote by the softmax of their scores:

    weights = softmax(scores[features] / τ),        mixed = weights · votes[features]

Weights depend smoothly on scores, so gradient descent can find the mask; as τ → 0 the best
score takes all, which is a hard lookup. Shapes: B prefixes, up to N features in each, F
features in all, W outcomes: weights (B, N), votes (F, W), mixed (B, W).
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from headway.ngram.skipbigram import SkipBigrams


class SoftLookup(nn.Module):
    """A softmax mask over F features whose votes are frozen.

    Args:
        votes: (F, W) float tensor; row f is what feature f votes for. It is stored as a buffer
            and gets no gradient.
        scores: (F,) float tensor to start from; zeros (a uniform mask) if left out.
        temperature: τ > 0; scores are divided by it.

    Raises:
        ValueError: if votes are not (F, W), scores not (F,), or τ is not positive.
    """

    votes: Tensor

    def __init__(self, votes: Tensor, scores: Tensor | None = None, temperature: float = 1.0):
        super().__init__()
        scores = votes.new_zeros(len(votes)) if scores is None else scores
        if votes.dim() != 2 or scores.shape != votes.shape[:1]:
            raise ValueError(
                f"votes are (F, W) and scores (F,), one for each row of votes; got "
                f"{tuple(votes.shape)} and {tuple(scores.shape)}"
            )
        if not temperature > 0:
            raise ValueError(
                f"the temperature must be positive, got {temperature}. Its limit 0 is hard_lookup."
            )
        self.register_buffer("votes", votes.detach().clone())
        self.scores = nn.Parameter(scores.detach().clone())
        self.temperature = temperature

    def forward(self, features: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """Mix the votes of the features that are present.

        Args:
            features: int64 (B, N), row numbers of the votes, padded to one length.
            present: bool (B, N), False for the padding.

        Returns:
            mixed (B, W), weights (B, N). Rows of `weights` sum to one, or are zero (and `mixed`
            with them) where nothing is present.

        Raises:
            ValueError: if the shapes differ or `present` is not boolean.
        """
        check_features(features, present)
        scores = self.scores[features] / self.temperature
        weights = masked_softmax(scores, present)  # (B, N)
        # (B, 1, N) @ (B, N, W) -> (B, 1, W)
        mixed = (weights.unsqueeze(-2) @ self.votes[features]).squeeze(-2)
        return mixed, weights


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last axis among the entries where the mask is True; zeros elsewhere.

    exp(sᵢ − m) / Σⱼ exp(sⱼ − m) over visible j, m their maximum, so that nothing overflows.

    Args:
        scores: (..., N).
        mask: bool, same shape. A row without any True gives zeros.
    """
    hidden = scores.masked_fill(~mask, -torch.inf)
    # A row without anything visible would be all −∞, and its softmax NaN.
    hidden = hidden.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
    return hidden.softmax(dim=-1).masked_fill(~mask, 0.0)


def hard_lookup(scores: Tensor, votes: Tensor, features: Tensor, present: Tensor) -> Tensor:
    """The votes of the best-scored feature alone; the first of several equals.

    Args:
        scores: (F,); votes: (F, W).
        features, present: (B, N), as in `SoftLookup.forward`.

    Returns:
        (B, W); zeros where nothing is present.
    """
    check_features(features, present)
    best = scores[features].masked_fill(~present, -torch.inf).argmax(dim=-1, keepdim=True)  # (B, 1)
    found = votes[features.gather(-1, best).squeeze(-1)]
    return found * present.any(dim=-1, keepdim=True)


def pad_features(model: SkipBigrams, prefixes: Iterable[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """The skip-bigram features of B prefixes as one batch.

    Returns:
        features: int64 (B, N), N the largest number of features; 0 where there is padding.
        present: bool (B, N), False for the padding.
    """
    rows = [torch.from_numpy(model.features(prefix)) for prefix in prefixes]
    lengths = torch.tensor([len(row) for row in rows])
    features = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    return features, torch.arange(features.shape[1]) < lengths[:, None]


def check_features(features: Tensor, present: Tensor) -> None:
    """Raise ValueError unless both are (B, N) and `present` is boolean."""
    if features.shape != present.shape or features.dim() != 2 or present.dtype != torch.bool:
        raise ValueError(
            f"features and present are both (B, N), and present is boolean; got "
            f"{tuple(features.shape)} and {tuple(present.shape)} of {present.dtype}"
        )
