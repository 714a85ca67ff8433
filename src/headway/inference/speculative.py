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

Here a model is a function `Scores`, of a whole text; `Remembering` makes one of a model with a
cache. A draft may be one too, or a chain (`chain_draft`), or what followed last time
(`copy_draft`). `headway.inference.speculative_cost` counts when it pays. One text at a time: in a
batch, each row keeps another number of tokens.

Source: Leviathan, Kalman and Matias 2023, algorithm 1; Chen et al. 2023. Copying: Saxena 2023,
"Prompt lookup decoding".
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from headway.inference.decoding import Sampling
from headway.inference.kv_cache import CachedLanguageModel
from headway.inference.predictor import score_type
from headway.models.parts import check_batch
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError

# The text so far, int64 (T,), and n → logits (n, V) of what follows each of its last n tokens.
Scores = Callable[[Tensor, int], Tensor]
# As Scores for n = 1, (1, V); or None: nothing to propose here.
Draft = Callable[[Tensor, int], Tensor | None]


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
        """int64, what the text goes on with: what was kept, and what was drawn."""
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


class Remembering:
    """A model with a cache as `Scores`: given whole texts, it reads what it has not read.

    Where a text differs from the last one, the cache forgets the tokens from there on.

    Args:
        predictor: a `CachedLanguageModel` of one text, or a `FusedLanguageModel`; a new one.

    Attributes:
        tokens_read: in all, those that were forgotten included.
        calls: how often it read something.

    Raises:
        ShapeError: if the predictor is for several texts.
        ValueError: if its positions look at other tokens ("convolutional"), which it cannot forget.
    """

    def __init__(self, predictor: CachedLanguageModel):
        if (B := predictor.cache.store.shape[1]) != 1:
            raise ShapeError(f"a cache of {B} texts, where speculation has one: give it batch=1")
        if predictor.input.past is not None:
            raise ValueError(
                "convolutional positions look back at other tokens, and cannot forget the ones "
                "that were rejected; take a model with other positions"
            )
        self.predictor = predictor
        self.ids = torch.empty(0, dtype=torch.int64)
        self.tokens_read = self.calls = 0

    @torch.inference_mode()
    def __call__(self, ids: Tensor, n: int) -> Tensor:
        """Logits (n, V) of what follows each of the last n of ids (T,).

        Raises:
            ShapeError: if the text does not fit into the cache.
            ValueError: if more tokens are to be forgotten than a window holds.
        """
        cache, window = self.predictor.cache, self.predictor.cache.window
        known = min(len(self.ids), len(ids) - n)
        same = self.ids[:known] == ids[:known]
        known = known if same.all() else int((~same).int().argmax())
        back = len(self.ids) - known
        if window is not None and cache.used - back < min(known, window - 1):
            raise ValueError(
                f"{back} tokens are to be forgotten, and a cache with a window of {window} does "
                "not hold the ones before them any more; propose fewer at a time"
            )
        cache.forget(back)
        read = self.predictor.read(ids[None, known:])
        self.ids = ids
        self.tokens_read += len(ids) - known
        self.calls += 1
        return self.predictor.model.predict(read[0, -n:])


def chain_draft(chain: MarkovChain) -> Draft:
    """Chapter 2's chain as a draft: it proposes nothing after words that it has not seen.

    The boundary is no token of the model; what the chain gives it goes to the others.

    Args:
        chain: over the model's V tokens.
    """

    def scores(ids: Tensor, n: int) -> Tensor | None:
        context = np.full(chain.order, chain.boundary)
        seen = ids[max(len(ids) - chain.order, 0) :].cpu().numpy() if chain.order else context
        context[chain.order - len(seen) :] = seen
        logits = torch.from_numpy(chain.predict(context[None])[:, :-1]).log().to(ids.device)
        return logits if logits.isfinite().any() else None

    return scores


def copy_draft(size: int, most: int = 3) -> Draft:
    """Proposes, for certain, what followed the same words the last time.

    The words are the last `most`, or fewer if all of these have not occurred before; nothing is
    proposed where not even the last word has.

    Args:
        size: V, of the model.
        most: how many words must be the same, at best.

    Raises:
        ValueError: if `most` is below 1.
    """
    if most < 1:
        raise ValueError(f"copying looks at 1 word or more, got {most}")

    def scores(ids: Tensor, n: int) -> Tensor | None:
        for length in range(min(most, len(ids) - 1), 0, -1):
            earlier = ids[:-1].unfold(0, length, 1)  # (T − length, length)
            places = (earlier == ids[-length:]).all(dim=1).nonzero()
            if len(places):
                token = ids[places[-1] + length]
                logits = torch.full((1, size), -torch.inf, device=ids.device)
                return logits.index_fill(1, token, 0.0)
        return None

    return scores
