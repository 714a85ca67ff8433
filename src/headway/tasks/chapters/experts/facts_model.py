"""The mixture that assignment 18 hands out for training, and its weights by hand.

A fact is a pair of ids, a language and a word, and an answer: a word of that language. Nothing
follows from anything else, so that what is known has to lie in the weights. All experts are
computed for every fact and those that were not chosen get the weight 0, which is quick for
networks this small; what is counted is what a fact meets.
"""

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

FAVORITE = 1.0  # how much more the untrained router gives expert 0, for each of the two ids
SIZES = ("experts", "active", "hidden", "renormalized")


class Facts(nn.Module):
    """A mixture on pairs of ids: ids (N, 2) → logits (N, words); `scores` are the router's."""

    def __init__(self, languages, words, experts, active, hidden, renormalized):
        super().__init__()
        self.languages, self.active, self.renormalized = languages, active, renormalized
        inputs = languages + words
        router = 0.1 * torch.randn(inputs, experts)
        router[:, 0] += FAVORITE
        self.router = nn.Parameter(router)
        self.wide = nn.Parameter(torch.randn(experts, inputs, hidden) / math.sqrt(2))
        self.narrow = nn.Parameter(torch.randn(experts, hidden, words) / math.sqrt(hidden))

    def forward(self, ids: Tensor) -> Tensor:
        language, word = ids[:, 0], ids[:, 1] + self.languages
        self.scores = self.router[language] + self.router[word]  # (N, E)
        hidden = (self.wide[:, language] + self.wide[:, word]).relu()  # (E, N, M)
        return torch.einsum("ne,env->nv", self._weights(), hidden @ self.narrow)

    def _weights(self) -> Tensor:
        """What each expert counts for each fact, (N, E)."""
        largest, chosen = self.scores.topk(self.active)
        among = largest if self.renormalized else self.scores
        shares = (largest - among.logsumexp(-1, keepdim=True)).exp()
        return torch.zeros_like(self.scores).scatter(1, chosen, shares)


def used_by_a_fact(languages: int, words: int, sizes: Mapping[str, Any]) -> int:
    """How many parameters a fact meets: the router's, and those of the chosen experts."""
    inputs = languages + words
    return inputs * sizes["experts"] + sizes["active"] * sizes["hidden"] * (inputs + words)


def by_hand(answers: Tensor) -> dict[str, Tensor]:
    """Weights for k = 1 with eight hidden numbers: each expert knows two languages.

    An answer is a point on a circle. Its two coordinates and their opposites are four hidden
    numbers, and the nearest word wins. The other language of an expert keeps them at zero.

    Args:
        answers: (languages, words).
    """
    languages, words = answers.shape
    turns = 2 * math.pi * torch.arange(words) / words
    points = torch.stack([turns.cos(), turns.sin()], 1)  # (words, 2)
    both = torch.cat([points, -points], 1)
    experts = (languages + 1) // 2
    router = torch.zeros(languages + words, experts)
    wide = torch.zeros(experts, languages + words, 8)
    for language in range(languages):
        e, second = divmod(language, 2)
        its, others = slice(4 * second, 4 * second + 4), slice(4 - 4 * second, 8 - 4 * second)
        router[language, e] = 100
        wide[e, languages:, its] = both[answers[language]]
        wide[e, language, others] = -2
    narrow = 1e4 * both.T.repeat(2, 1).expand(experts, 8, words).clone()
    return {"router": router, "wide": wide, "narrow": narrow}
