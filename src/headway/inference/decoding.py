"""Decoding: choosing the next token, one after the other.

    logits = predictor.feed(prompt)
    token  = choose(logits, ids so far)       (B, V), (B, T) → (B,)
    logits = predictor.feed(token), and so on

Each token is fed once; the last one not at all, because nothing is asked after it. What chooses is
a function: `greedy`, or a `Sampling` with its filters. Shapes: B prompts of T tokens, V tokens to
choose from.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from headway.inference.filters import repetition_penalty, temperature, top_k, top_p
from headway.inference.predictor import Predictor, check_predictor, score_type
from headway.models.parts import check_batch

Choose = Callable[[Tensor, Tensor], Tensor]


def greedy(logits: Tensor, ids: Tensor | None = None) -> Tensor:
    """The most likely token of each row; of several equals the one with the lowest id.

    Args:
        logits: (B, V).
        ids: not looked at; every way to choose is given the tokens so far.

    Returns:
        int64 (B,).
    """
    return logits.argmax(dim=-1)


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Draws each token from the model's distribution, after the filters.

    They apply in this order: repetition penalty, temperature, top-k, top-p.

    Args:
        generator: the source of chance. It may live on another device than the logits: with one
            on the CPU a model on a GPU draws as it would on the CPU, up to rounding of its logits,
            but waits for each draw.
        temperature: T > 0.
        top_k: k, or None for all tokens.
        top_p: p, or None for all tokens.
        repetition_penalty: 1 changes nothing.
        padding: a token that the penalty passes over.

    Raises:
        TypeError: if the generator is none, but a seed for instance.
        ValueError: if a filter cannot do with its number.
    """

    generator: torch.Generator
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None
    repetition_penalty: float = 1.0
    padding: int | None = None

    def __post_init__(self):
        if not isinstance(self.generator, torch.Generator):
            raise TypeError(
                f"generator must be a torch.Generator, got {self.generator!r}; "
                "torch.Generator().manual_seed(seed) makes one of a seed"
            )
        self.filtered(torch.zeros(1, 1), torch.zeros(1, 1, dtype=torch.int64))  # checks each number

    def __call__(self, logits: Tensor, ids: Tensor) -> Tensor:
        """Tokens int64 (B,), drawn from logits (B, V) after ids (B, T).

        Raises:
            ValueError: if a row of logits is no distribution: all −∞, or nan.
        """
        logits = self.filtered(logits, ids)
        probabilities = logits.softmax(dim=-1, dtype=score_type(logits)).to(self.generator.device)
        try:
            drawn = torch.multinomial(probabilities, 1, generator=self.generator)
        except RuntimeError as error:
            if probabilities.isfinite().all():
                raise
            raise ValueError(
                "a row of the logits is no distribution: every token is −inf, or the model gave nan"
            ) from error
        return drawn.squeeze(-1).to(logits.device)

    def filtered(self, logits: Tensor, ids: Tensor) -> Tensor:
        """The logits (B, V) that are drawn from, −∞ for what is excluded."""
        if self.repetition_penalty != 1:
            logits = repetition_penalty(logits, ids, self.repetition_penalty, self.padding)
        if self.temperature != 1:
            logits = temperature(logits, self.temperature)
        if self.top_k is not None:
            logits = top_k(logits, self.top_k)
        if self.top_p is not None:
            logits = top_p(logits, self.top_p)
        return logits


def generate(
    predictor: Predictor,
    prompt: Tensor,
    steps: int,
    choose: Choose = greedy,
    end: int | None = None,
    padding: int | None = None,
) -> Tensor:
    """Continue each prompt by up to `steps` tokens.

    Args:
        predictor: a new one; it is fed the prompt first.
        prompt: int64 (B, T).
        steps: the most tokens to choose.
        choose: logits (B, V), ids so far (B, T) → tokens (B,).
        end: the token after which a row has ended; None if there is none.
        padding: what ended rows get; `end` if not given.

    Returns:
        int64 (B, T + t), t ≤ steps: the prompts and what was chosen, up to where all have ended.

    Raises:
        TypeError: if the predictor is a model itself, or the prompt no tensor.
        ShapeError: if the prompt is not (B, T).
        ValueError: if `steps` is negative, or the predictor has read something already.
    """
    chosen = list(stream(predictor, prompt, steps, choose, end, padding))
    return torch.cat([prompt, *(token[:, None] for token in chosen)], dim=1)


@torch.inference_mode()
def stream(
    predictor: Predictor,
    prompt: Tensor,
    steps: int,
    choose: Choose = greedy,
    end: int | None = None,
    padding: int | None = None,
) -> Iterator[Tensor]:
    """The tokens that `generate` appends, each as soon as it is chosen.

    Arguments and errors as for `generate`; errors come with the first token.

    Yields:
        int64 (B,), one token a row. They are inference tensors: `clone()` what gradients shall see.
    """
    check_predictor(predictor)
    check_batch(prompt)
    if steps < 0:
        raise ValueError(f"steps is how many tokens to choose at most, got {steps}")
    B, T = prompt.shape
    ids = prompt.new_empty(B, T + steps)
    ids[:, :T] = prompt
    ended = torch.zeros(B, dtype=torch.bool, device=prompt.device)
    fresh = prompt
    for t in range(T, T + steps):
        token = choose(predictor.feed(fresh), ids[:, :t])  # (B,)
        if end is not None:
            token = torch.where(ended, end if padding is None else padding, token)
            ended |= token == end
        ids[:, t] = token
        yield token
        if end is not None and ended.all():  # on a GPU: one wait a step, and none without `end`
            return
        fresh = token[:, None]
