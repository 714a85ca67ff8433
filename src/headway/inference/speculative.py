"""Speculative decoding: a small model guesses the next tokens, the large one reads them at once.

One token after the other, a model reads all its weights for each; several tokens that are known
already, it reads in one go, for the same weights. So a draft guesses n tokens, and the model says
for each of them what it would have drawn there:

    p  what the model draws from      q  what the draft drew the token x from
    keep x with probability min(1, p(x) / q(x))
    at the first that is not kept, draw from the positive part of p − q instead; forget the rest
    where all are kept, draw one more from p: it is free

What comes out is distributed exactly as without the draft, whatever the draft is: x is kept with
q(x) · min(1, p(x)/q(x)) = min(p(x), q(x)), and p − min(p, q) is what the second draw adds. A bad
draft costs time and never a word. With greedy decoding both p and q are a single token.

Filters (`headway.inference.filters`) belong to what is drawn from: both p and q go through them.
For p that is the rule. q may be anything that x was really drawn from, but what p excludes is never
kept, so a filtered draft is right more often.

`headway.inference.drafts` makes model and draft of what the course has, and
`headway.inference.speculative_cost` counts when it pays. One text at a time: in a batch, each row
keeps another number of tokens.

Source: Leviathan, Kalman and Matias 2023, algorithm 1; Chen et al. 2023.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from headway.inference.decoding import Sampling
from headway.inference.drafts import Draft, Scores
from headway.inference.predictor import score_type
from headway.models.parts import check_batch
from headway.shapes import ShapeError


@dataclass(frozen=True)
class Round:
    """What one reading of the model gave.

    Attributes:
        proposed: int64 (k,), the draft's tokens; k ≤ n.
        kept: how many of them were accepted; the one behind these was rejected, and what comes
            after it was read in vain.
        drawn: the token that the model drew itself; None where the text has ended before.
    """

    proposed: Tensor
    kept: int
    drawn: int | None

    @property
    def free(self) -> bool:
        """Whether all were kept, so that `drawn` came on top and not in the place of another."""
        return self.drawn is not None and self.kept == len(self.proposed)

    @property
    def tokens(self) -> Tensor:
        """The proposals that were kept, then `drawn`; int64."""
        drawn = [] if self.drawn is None else [self.drawn]
        return torch.cat((self.proposed[: self.kept], self.proposed.new_tensor(drawn)))


@torch.inference_mode()
def speculate(
    model: Scores,
    draft: Draft,
    prompt: Tensor,
    steps: int,
    n: int,
    sampling: Sampling | None = None,
    end: int | None = None,
) -> Iterator[Round]:
    """Continue a text by `steps` tokens, a round at a time.

    `torch.cat([prompt, *(round.tokens for round in speculate(...))])` is the text.

    Args:
        model: the one whose text it is.
        draft: what guesses; with the vocabulary of the model.
        prompt: int64 (T,).
        steps: the tokens to choose.
        n: how many the draft proposes at most. A round never goes beyond `steps`.
        sampling: its filters and its chance; greedy if not given.
        end: the token after which the text ends; None if there is none.

    Yields:
        `Round`s; the text ends after `steps` tokens, or in `end`.

    Raises:
        ShapeError: if the prompt is not (T,) with T ≥ 1, or draft and model have other tokens.
        ValueError: if `steps` is negative or n is below 0.
    """
    if prompt.dim() != 1 or not len(prompt):
        raise ShapeError(
            f"the prompt is one text, (T,) with 1 token or more, got {tuple(prompt.shape)}. In a "
            "batch each row would keep another number of tokens: speculate one by one."
        )
    check_batch(prompt[None])
    if steps < 0 or n < 0:
        raise ValueError(f"steps and n count tokens, got {steps=}, {n=}")
    ids, length = prompt, len(prompt) + steps
    while len(ids) < length:
        room = length - len(ids) - 1  # the model's own token needs a place
        proposed, guesses = propose(draft, ids, min(n, room), sampling, end)
        text = torch.cat((ids, proposed))
        found = judge(model(text, len(proposed) + 1), guesses, text, sampling, end)
        yield found
        ids = torch.cat((ids, found.tokens))
        if ids[-1] == end:
            return


def propose(
    draft: Draft, ids: Tensor, n: int, sampling: Sampling | None, end: int | None
) -> tuple[Tensor, list[Tensor]]:
    """Up to n tokens drawn from a draft, int64 (k,), and what each was drawn from, k times (V,)."""
    text, guesses = ids, []
    while len(guesses) < n and (logits := draft(text, 1)) is not None:
        guesses.append(distribution(logits, text, sampling))
        token = draw(guesses[-1], sampling)
        text = torch.cat((text, text.new_tensor([token])))
        if token == end:
            break
    return text[len(ids) :], guesses


def judge(
    logits: Tensor, guesses: list[Tensor], text: Tensor, sampling: Sampling | None, end: int | None
) -> Round:
    """Which proposals are kept, and the token behind them.

    Args:
        logits: (k+1, V), the model's, for what follows the text before each proposal, and all.
        guesses: k distributions (V,) that the proposals were drawn from.
        text: int64 (T + k,), which ends in the proposals.
        sampling, end: as for `speculate`.
    """
    k, V = len(guesses), logits.shape[-1]
    begun = len(text) - k
    proposed = text[begun:]
    for i, q in enumerate(guesses):
        if len(q) != V:
            raise ShapeError(
                f"the draft chooses among {len(q)} tokens and the model among {V}; a draft has to "
                "have the model's own tokenizer"
            )
        p = distribution(logits[i : i + 1], text[: begun + i], sampling)
        token = int(proposed[i])
        keep = (p[token] / q[token]).clamp(max=1)
        if not draw(torch.stack((1 - keep, keep)), sampling):
            rest = (p - q).clamp(min=0)
            # Where p equals q but for rounding, nothing may be left of the difference.
            return Round(proposed, i, draw(rest if rest.any() else p, sampling))
        if token == end:
            return Round(proposed, i + 1, None)
    return Round(proposed, k, draw(distribution(logits[k:], text, sampling), sampling))


def distribution(logits: Tensor, ids: Tensor, sampling: Sampling | None) -> Tensor:
    """What is drawn from after a text (T,): (V,), from logits (1, V), filters applied.

    Greedy decoding draws the most likely token with probability 1.
    """
    if sampling is None:
        most = logits.argmax(dim=-1)
        return functional.one_hot(most, logits.shape[-1])[0].to(score_type(logits))
    return sampling.filtered(logits, ids[None]).softmax(dim=-1, dtype=score_type(logits))[0]


def draw(probabilities: Tensor, sampling: Sampling | None) -> int:
    """The one place where chance comes in: an index of (K,), in proportion to what is there."""
    if sampling is None:
        return int(probabilities.argmax())
    at = sampling.generator.device
    return int(torch.multinomial(probabilities.to(at), 1, generator=sampling.generator))
