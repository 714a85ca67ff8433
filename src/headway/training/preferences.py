"""Learning from preferences: which of two answers is the better one (DPO).

Of a policy π, which answers y to a prompt x, one wants high rewards r and not to stray far from the
reference π_ref that it began as: the largest E_π[r] − β KL(π ‖ π_ref). Three lines lead to a loss:

    π*(y|x) = π_ref(y|x) exp(r(x, y)/β) / Z(x)             where that is largest (`tilted`)
    r(x, y) = β ln(π*(y|x) / π_ref(y|x)) + β ln Z(x)       the same, solved for r
    P(y is preferred to y′) = σ(r(x, y) − r(x, y′))        Bradley and Terry 1952

In the last line Z(x) cancels. So the policy itself stands for a reward (`implied_reward`), and the
likelihood of the preferences is one of its weights: no reward model, and no sampling in training.

    loss = −ln σ(β (ln π(y)/π_ref(y) − ln π(y′)/π_ref(y′)))          y preferred, y′ not

Only the *difference* of the two counts: the loss can fall while both answers get less likely.

Log-probabilities are those of whole answers, sums over their tokens and the end:

    inputs, targets = answer_batch(conversations)
    answer_log_probability(model(inputs), targets)                              # (B,)

Those of the reference are computed once, before training.

Source: Rafailov et al. 2023, equations 3 to 7.
"""

from torch import Tensor
from torch.nn import functional

from headway.shapes import ShapeError
from headway.training.loss import IGNORE


def answer_log_probability(logits: Tensor, targets: Tensor) -> Tensor:
    """ln P of whole answers: the sum of what each of their tokens has.

    ln P(y|x) = Σₜ ln softmax(logits[t])[yₜ], over the places of the answer

    Args:
        logits: (B, T, V).
        targets: int64 (B, T), what each place predicts; `IGNORE` outside of the answer.

    Returns:
        (B,), in nats; −∞ where a token has probability zero.

    Raises:
        ShapeError: if the targets do not have the batch shape of the logits.
    """
    if logits.dim() != 3 or logits.shape[:-1] != targets.shape:
        raise ShapeError(
            f"logits {tuple(logits.shape)} and targets {tuple(targets.shape)} do not fit; expected "
            "(B, T, V) and (B, T). Were they shifted by a position, and only one cut?"
        )
    losses = functional.cross_entropy(
        logits.transpose(1, 2),  # (B, V, T), as torch wants it
        targets,
        reduction="none",
        ignore_index=IGNORE,
    )
    return -losses.sum(dim=-1)


def implied_reward(policy: Tensor, reference: Tensor, beta: float) -> Tensor:
    """β (ln π − ln π_ref): the reward that an answer has if π is the best policy.

    Up to a number for each prompt, β ln Z, so compare answers to the same prompt only.

    Args:
        policy, reference: (...), ln of the probability of each answer.
        beta: β, above 0; the price of straying from the reference.

    Returns:
        (...).

    Raises:
        ShapeError: if the shapes differ.
        ValueError: if β is not above 0.
    """
    check_pair(policy, reference, beta)
    return beta * (policy - reference)


def dpo_loss(
    preferred: Tensor,
    rejected: Tensor,
    reference_preferred: Tensor,
    reference_rejected: Tensor,
    beta: float,
) -> Tensor:
    """−ln of the probability that the policy gives to each preference.

    Args:
        preferred, rejected: (N,), ln π of the two answers to each of N prompts.
        reference_preferred, reference_rejected: (N,), ln π_ref of them; without gradients.
        beta: β, above 0.

    Returns:
        (N,) in nats; ln 2 while the policy is the reference.

    Raises:
        ShapeError, ValueError: as `implied_reward`, and if there is not one rejected for each
            preferred.
    """
    better = implied_reward(preferred, reference_preferred, beta)
    worse = implied_reward(rejected, reference_rejected, beta)
    check_pair(better, worse, beta)
    return -functional.logsigmoid(better - worse)


def tilted(reference: Tensor, reward: Tensor, beta: float) -> Tensor:
    """ln of the best policy, π_ref exp(r/β) / Z, where all answers can be listed.

    Args:
        reference: (..., K), ln π_ref of the K answers to a prompt.
        reward: (..., K).
        beta: β, above 0; small ones follow the reward, large ones the reference.

    Returns:
        (..., K); exp of it sums to one.

    Raises:
        ShapeError, ValueError: as `implied_reward`.
    """
    check_pair(reference, reward, beta)
    return (reference + reward / beta).log_softmax(dim=-1)


def check_pair(one: Tensor, other: Tensor, beta: float) -> None:
    """Raise unless the shapes are the same and β is above 0."""
    if one.shape != other.shape:
        raise ShapeError(
            f"got shapes {tuple(one.shape)} and {tuple(other.shape)}; expected one number for each "
            "answer in both. Are they still per token? Sum over each answer's tokens first."
        )
    if not beta > 0:
        raise ValueError(f"beta must be above 0, got {beta}")
