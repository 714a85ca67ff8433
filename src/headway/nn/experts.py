"""A mixture of experts: many feed-forward networks, of which each token uses a few.

    scores  = x W_R                           one for each expert      (..., C) → (..., E)
    chosen  = the k largest scores
    weights = softmax(scores of the chosen)                            (..., k)
    output  = Σ weight_e · expert_e(x), over the chosen                (..., C)

The experts are gated networks (`headway.nn.feed_forward`), and the router W_R is a small matrix. A
block has E networks to keep and k to compute: weights grow with E, work with k. Only the experts
that a token has chosen run for it.

There are two conventions for the weights. *Renormalized*, as above, they add up to one; the softmax
over all E scores, its k largest numbers divided by their sum, gives the same. Without that division
they add up to less, unless k = E (Switch, where k = 1; OLMoE). With k = 1 the division would leave
a weight of one whatever the scores are, and the router would learn nothing from it.

Nothing in the loss of a language model asks that all experts be used; `balancing_loss` does.

Source: Shazeer et al. 2017; Fedus et al. 2022 (Switch); Jiang et al. 2024 (Mixtral).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn import functional

from headway.nn.attention import check_width
from headway.nn.feed_forward import GatedFeedForward
from headway.shapes import ShapeError


class MixtureOfExperts(nn.Module):
    """Experts in the place of a block's feed-forward, and the router that chooses among them.

    Args:
        width: C.
        hidden: M of each expert.
        experts: E, how many there are.
        active: k, how many of them each token uses.
        activation: of the experts' gates.
        bias: whether the experts' layers add biases; the router has none.
        renormalized: whether the weights of the chosen add up to one.

    Raises:
        ValueError: if k is not in 1 … E.
        ShapeError: when called with another width.
    """

    def __init__(
        self,
        width: int,
        hidden: int,
        experts: int,
        active: int,
        activation: Callable[[Tensor], Tensor] = functional.silu,
        bias: bool = False,
        renormalized: bool = True,
    ):
        super().__init__()
        check_active(active, experts)
        self.router = nn.Linear(width, experts, bias=False)  # W_R
        self.experts = nn.ModuleList(
            GatedFeedForward(width, hidden, activation, bias) for _ in range(experts)
        )
        self.active, self.renormalized = active, renormalized

    def forward(self, x: Tensor) -> Tensor:
        """(..., C) → (..., C)."""
        check_width("x", x, self.router.in_features)
        tokens = x.reshape(-1, x.shape[-1])  # (N, C)
        weights, chosen = choose(self.router(tokens), self.active, self.renormalized)  # (N, k)
        mixed = torch.zeros_like(tokens)
        for e in chosen.unique().tolist():
            rows, places = (chosen == e).nonzero(as_tuple=True)  # the tokens that chose it
            update = weights[rows, places, None] * self.experts[e](tokens[rows])
            mixed = mixed.index_add(0, rows, update)
        return mixed.view_as(x)


def choose(scores: Tensor, active: int, renormalized: bool = True) -> tuple[Tensor, Tensor]:
    """The experts with the largest scores, the first of them first, and their weights.

    Args:
        scores: (..., E) float.
        active: k.
        renormalized: whether the weights add up to one. Otherwise they are what the chosen have
            of a softmax over all E.

    Returns:
        weights (..., k), of the type of the scores; chosen (..., k) int64.

    Raises:
        ValueError: if k is not in 1 … E.
    """
    check_active(active, scores.shape[-1])
    largest, chosen = scores.topk(active, dim=-1)
    weights = shares_of(largest) if renormalized else shares_of(scores).gather(-1, chosen)
    return weights.to(scores.dtype), chosen


def shares_of(scores: Tensor) -> Tensor:
    """The softmax of scores (..., E), in float32 at least: in 16 bits, near scores round alike."""
    return scores.softmax(dim=-1, dtype=torch.promote_types(scores.dtype, torch.float32))


def expert_counts(scores: Tensor, active: int) -> Tensor:
    """How many of the N tokens each expert is chosen by, (E,) int64; they add up to N·k.

    Args:
        scores: (N, E), what a router gave the tokens (`watch_routers`).
        active: k.

    Raises:
        ShapeError: if the scores are no matrix.
        ValueError: if k is not in 1 … E.
    """
    if scores.dim() != 2:
        raise ShapeError(
            f"scores {tuple(scores.shape)} must be (N, E): a row for each token, padding left out, "
            "and a column for each expert"
        )
    _, chosen = choose(scores, active)
    return torch.bincount(chosen.flatten(), minlength=scores.shape[1])


def balancing_loss(scores: Tensor, active: int) -> Tensor:
    """What uneven use of the experts costs: E · Σ f_e P_e, which is k if all have the same share.

    f_e is the share of the tokens that chose expert e, which has no gradient, and P_e the mean of
    what a softmax over all experts gives it, which has one: an expert that is chosen often is made
    less likely. It is added to the model's loss for each mixture, times a small number (0.01 in
    Switch).

    Args:
        scores: (N, E), what a router gave the tokens (`watch_routers`).
        active: k.

    Returns:
        () float; up to E, where all tokens choose the same expert without a doubt.

    Raises:
        ShapeError, ValueError: as `expert_counts`.

    Source: Fedus et al. 2022, eq. 4 to 6, for k = 1.
    """
    shares = expert_counts(scores, active) / len(scores)  # f, (E,)
    likely = shares_of(scores).mean(dim=0)  # P, (E,)
    return scores.shape[1] * (shares * likely).sum()


@contextmanager
def watch_routers(model: nn.Module) -> Iterator[list[Tensor]]:
    """Collects what the routers of a model say, while the context is open::

        with watch_routers(model) as scores:
            logits = model(ids)
        loss = cross_entropy(logits, targets) + 0.01 * sum(balancing_loss(s, k) for s in scores)

    Yields:
        a list that grows by scores (N, E), with their gradients, each time a mixture runs; blocks
        in order, and tokens in the order in which they lie in x.
    """
    scores: list[Tensor] = []
    mixtures = [part for part in model.modules() if isinstance(part, MixtureOfExperts)]
    hooks = [
        mixture.router.register_forward_hook(lambda router, given, made: scores.append(made))
        for mixture in mixtures
    ]
    try:
        yield scores
    finally:
        for hook in hooks:
            hook.remove()


def check_active(active: int, experts: int) -> None:
    """Raise ValueError unless so many of the experts can be chosen."""
    if not 1 <= active <= experts:
        raise ValueError(
            f"a token uses 1 to all of the experts, got {active} of {experts}. Were the two "
            "numbers given the other way around?"
        )
