"""Beam search: keep the K most likely beginnings, and extend all of them at each step.

    candidates   score(beginning + w) = ln P(beginning) + ln P(w | beginning), for all K·V of them
    keep         the best 2K; those of the best K that end are finished, the best K others live on
    at the end   score(hypothesis) = ln P / lengthᵅ        length: tokens chosen, the end included

Logarithms are added, because products of probabilities underflow. 2K candidates are enough: at
most K of them end, one for each beam, so K are left to live on. A beam may have several children
among the survivors, or none. Every token makes ln P smaller; α > 0 makes up for that, and favors
longer hypotheses (Wu et al. 2016 use another form of it, section 7).

Search stops for a sentence when it has K finished hypotheses and no living one can still beat the
worst of them; this changes nothing in the result. A hypothesis that has no end after the last step
counts as it is. These are the rules of Hugging Face's `generate(early_stopping="never")`.

Shapes: B sentences, K beams, V tokens to choose from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from headway.inference.predictor import Predictor, check_predictor, score_type
from headway.models.parts import check_batch


@dataclass(frozen=True)
class Hypotheses:
    """Sequences found for each of B sentences, the best first.

    Attributes:
        ids: int64 (B, K, T + L), prompts and what was chosen, padded to the longest.
        scores: (B, K), ln P / lengthᵅ; −∞ where fewer than K hypotheses are possible.
        lengths: int64 (B, K), the tokens chosen, the end included; 0 where the score is −∞.
    """

    ids: Tensor
    scores: Tensor
    lengths: Tensor

    @property
    def best(self) -> Tensor:
        """The best hypothesis of each sentence, int64 (B, T + L)."""
        return self.ids[:, 0]


@dataclass(frozen=True)
class BeamStep:
    """One step of a beam search: which candidates there were, and what became of them.

    Attributes:
        parents: int64 (B, W), which beam of the step before each candidate extends. W is 2K, or
            all continuations where there are fewer.
        tokens: int64 (B, W), by which token.
        log_probabilities: (B, W), ln P of the whole candidate, the best first.
        finished: bool (B, W), the candidates that ended and became hypotheses.
        survivors: int64 (B, ≤ K), the candidates that live on, as places in 0 … W−1; beam k of the
            next step is candidate survivors[:, k].
        hypotheses: the finished ones so far, without their prompts, padded to the last step.
    """

    parents: Tensor
    tokens: Tensor
    log_probabilities: Tensor
    finished: Tensor
    survivors: Tensor
    hypotheses: Hypotheses


def beam_search(
    predictor: Predictor,
    prompt: Tensor,
    steps: int,
    beams: int,
    end: int | None = None,
    length_penalty: float = 1.0,
    padding: int | None = None,
) -> Hypotheses:
    """The best K continuations of each prompt that a search with K beams finds.

    Args:
        predictor: a new one; it is fed each prompt once, and then one token a beam and step.
        prompt: int64 (B, T).
        steps: the most tokens to choose, at least 1.
        beams: K, at least 1. With 1 and α = 0 the search is greedy; with α > 0 it goes on past an
            end that a longer hypothesis may yet beat.
        end: the token that ends a hypothesis; None if there is none.
        length_penalty: α. 0 compares probabilities, 1 means of ln P.
        padding: what stands behind the end of a hypothesis; `end` if not given, or else 0.

    Returns:
        `Hypotheses`, K for each of B sentences.

    Raises:
        TypeError: if the predictor is a model itself, or the prompt no tensor.
        ShapeError: if the prompt is not (B, T).
        ValueError: if `steps` or `beams` is below 1, the predictor has read something already, or
            it gives nan.
    """
    for step in beam_steps(predictor, prompt, steps, beams, end, length_penalty, padding):
        found = step.hypotheses
    if found.scores.isnan().any():
        raise ValueError("the scores of the hypotheses are nan; the model's logits are no numbers")
    B, T = prompt.shape
    prompts = prompt[:, None].expand(B, beams, T)
    longest = max(found.lengths.flatten().tolist(), default=0)
    ids = torch.cat([prompts, found.ids[..., :longest]], dim=-1)
    return Hypotheses(ids, found.scores.clone(), found.lengths.clone())


@torch.inference_mode()
def beam_steps(
    predictor: Predictor,
    prompt: Tensor,
    steps: int,
    beams: int,
    end: int | None = None,
    length_penalty: float = 1.0,
    padding: int | None = None,
) -> Iterator[BeamStep]:
    """The steps of `beam_search`, one by one, to look at or to draw.

    Arguments and errors as for `beam_search`; errors come with the first step.

    Yields:
        `BeamStep`; the hypotheses of the last one are the result.
    """
    check_predictor(predictor)
    check_batch(prompt)
    if steps < 1 or beams < 1:
        raise ValueError(f"beam search needs 1 step and 1 beam, got steps={steps}, beams={beams}")
    B, K, device = len(prompt), beams, prompt.device
    if padding is None:
        padding = 0 if end is None else end
    logits = predictor.feed(prompt)  # (B, V)
    living = logits.new_zeros(B, 1, dtype=score_type(logits))  # ln P: one beam, nothing chosen
    ids = prompt.new_full((B, 1, steps), padding)  # what the living beams have chosen
    hypotheses = Hypotheses(
        prompt.new_full((B, K, steps), padding),
        living.new_full((B, K), -torch.inf),
        prompt.new_zeros(B, K),
    )
    done = torch.zeros(B, 1, dtype=torch.bool, device=device)
    first_row = torch.arange(B, device=device)[:, None]  # of each sentence, times its beams

    for t in range(steps):
        count, V = living.shape[1], logits.shape[-1]
        log_p = extended(living, logits)  # (B, count, V)
        log_p, places = log_p.flatten(1).topk(min(2 * K, count * V))  # (B, W)
        parents, tokens = places // V, places % V
        candidates = ids.gather(1, parents[..., None].expand(-1, -1, steps))  # (B, W, steps)
        candidates[..., t] = tokens

        ended = torch.zeros_like(tokens, dtype=torch.bool) if end is None else tokens == end
        finished = ended.clone() if t + 1 < steps else torch.ones_like(ended)
        finished[:, K:] = False
        finished &= ~done
        hypotheses = best_of(
            hypotheses,
            Hypotheses(
                candidates[:, :K],
                normalized(log_p, t + 1, length_penalty).where(finished, -torch.inf)[:, :K],
                torch.full_like(tokens[:, :K], t + 1),
            ),
        )
        going = min(K, count * V if end is None else count * max(V - 1, 1))
        living, survivors = log_p.masked_fill(ended, -torch.inf).topk(going)
        yield BeamStep(parents, tokens, log_p, finished, survivors, hypotheses)

        # The best that a living beam can become: the same ln P, at the length that suits it best.
        length = steps if length_penalty > 0 else t + 2
        bound = normalized(living[:, :1], length, length_penalty)
        done |= bound <= hypotheses.scores[:, -1:]
        if t + 1 == steps or done.all():
            return
        ids = candidates.gather(1, survivors[..., None].expand(-1, -1, steps))
        predictor.select((first_row * count + parents.gather(1, survivors)).flatten())
        logits = predictor.feed(tokens.gather(1, survivors).view(-1, 1))


def extended(log_p: Tensor, logits: Tensor) -> Tensor:
    """ln P (B, N, V) of beginnings (B, N) and one more token, from the logits (B·N, V) after them.

    A beginning of probability zero stays so, even where nothing was ever seen after it and the
    softmax of its row, all −∞, is nan.
    """
    after = logits.log_softmax(dim=-1, dtype=log_p.dtype).unflatten(0, log_p.shape)
    log_p = log_p[..., None]
    return (after + log_p).masked_fill_(log_p == -torch.inf, -torch.inf)


def best_of(one: Hypotheses, other: Hypotheses) -> Hypotheses:
    """The best K of two lists of hypotheses, K as in the first; ids have the same length."""
    scores, order = torch.cat([one.scores, other.scores], dim=1).topk(one.scores.shape[1])
    ids = torch.cat([one.ids, other.ids], dim=1)
    lengths = torch.cat([one.lengths, other.lengths], dim=1).gather(1, order)
    return Hypotheses(
        ids.gather(1, order[..., None].expand(-1, -1, ids.shape[-1])),
        scores,
        lengths.masked_fill(scores == -torch.inf, 0),
    )


def normalized(log_p: Tensor, length: int, length_penalty: float) -> Tensor:
    """ln P / lengthᵅ: what hypotheses of different lengths are compared by."""
    return log_p / length**length_penalty
