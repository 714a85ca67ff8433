"""Frequencies of rotary positions for texts longer than those that a model was trained on.

    LinearScaling     ω / factor                    all turn more slowly (Chen et al. 2023)
    LlamaScaling      ω / factor for slow pairs,    the fast ones stay as they are (Llama 3.1)
                      ω for fast ones
    YarnScaling       the same, mixed by the place  and longer queries and keys (Peng et al. 2023)
                      of a pair, not its turns
    DynamicScaling    ω / α^(i/(D/2 − 1))           α grows with the text; none up to the length of
                                                    the training
    TabledScaling     ω_i / factor_i                numbers from a file
    LongScaling       the same, from one of two     Phi-3 (Ding et al. 2024)
                      tables, by the length

A pair of columns that turns once in λ = 2π/ω positions tells places apart that are less than λ
from each other. Fast pairs measure distances between near words, which are the same in a long text;
pairs that have not turned once within the trained context meet angles in a long text that they have
never seen, and are slowed down until these are the old ones.

A scaling is called with the frequencies ω (D/2,), as `headway.nn.position.frequencies` makes them,
and the longest text, and returns those to use.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor


class Scaling:
    """What is done with the frequencies of a model for longer texts."""

    @property
    def amplitude(self) -> float:
        """What queries and keys are multiplied by when they are turned."""
        return 1.0

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The frequencies (D/2,) for texts of up to `context` tokens, from the plain ones."""
        raise NotImplementedError

    def longest(self, context: int) -> int:
        """Tokens of the longest text that can be read; `context` are those that a model names."""
        return context


@dataclass(frozen=True)
class LinearScaling(Scaling):
    """Position interpolation: as if position p were p / factor.

    Args:
        factor: how many times longer the text may be, 1 or more.

    Raises:
        ValueError: if the factor is below 1.

    Source: Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation".
    """

    factor: float

    def __post_init__(self):
        check_factor(self.factor)

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """ω / factor, (D/2,); the same for all lengths."""
        return speeds / self.factor


@dataclass(frozen=True, kw_only=True)
class LlamaScaling(Scaling):
    """Slow pairs divided by `factor`, fast ones kept, and those in between mixed.

    With n = context · ω / 2π, the number of turns within the trained context, and the share
    s = (n − low) / (high − low) cut off at 0 and 1:

        ω ↦ (1 − s) ω / factor + s ω

    Args:
        factor: how many times slower the slowest pairs turn, 1 or more.
        low: pairs with at most this many turns are slowed down by the whole factor.
        high: pairs with at least this many turns stay as they are.
        context: tokens of the texts that the model was trained on before.

    Raises:
        ValueError: if the factor is below 1, low is not below high, or the context below 1.

    Source: Meta's Llama 3.1, `apply_scaling` in its published code.
    """

    factor: float
    low: float
    high: float
    context: int

    def __post_init__(self):
        check_factor(self.factor)
        if not 0 <= self.low < self.high or self.context < 1:
            raise ValueError(
                "low must be below high and the context at least 1, got "
                f"low={self.low}, high={self.high}, context={self.context}"
            )

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The scaled frequencies, (D/2,); the same for all lengths."""
        turns = self.context * speeds / (2 * math.pi)
        share = ((turns - self.low) / (self.high - self.low)).clamp(0, 1)
        return (1 - share) * speeds / self.factor + share * speeds


@dataclass(frozen=True, kw_only=True)
class YarnScaling(Scaling):
    """Fast pairs kept, slow ones divided by `factor`, those in between mixed; and longer vectors.

    Pair i turns n = context · ω_i / 2π times within the trained context. With f and s the places,
    between two pairs, at which that is `fast` and `slow`, and the share r = (i − f) / (s − f) cut
    off at 0 and 1:

        ω ↦ r ω / factor + (1 − r) ω

    In longer texts more keys share out the same attention. Queries and keys are therefore
    multiplied by 1 + 0.1 ln factor, which makes the scores larger and the softmax sharper.

    Args:
        factor: how many times slower the slowest pairs turn, 1 or more.
        context: tokens of the texts that the model was trained on before.
        fast: pairs with at least this many turns stay as they are.
        slow: pairs with at most this many turns are slowed down by the whole factor.
        whole: whether f is rounded down and s up to a pair.
        attention_factor: the amplitude, where it is not the one above.

    Raises:
        ValueError: if the factor is below 1, slow is not below fast, or the context below 1; when
            called, if there are fewer than two pairs.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models".
    """

    factor: float
    context: int
    fast: float = 32
    slow: float = 1
    whole: bool = True
    attention_factor: float | None = None

    def __post_init__(self):
        check_factor(self.factor)
        if not 0 < self.slow < self.fast or self.context < 1:
            raise ValueError(
                "slow must be below fast and the context at least 1, got "
                f"slow={self.slow}, fast={self.fast}, context={self.context}"
            )

    @property
    def amplitude(self) -> float:
        """1 + 0.1 ln factor if nothing else is given."""
        given = self.attention_factor
        return 1 + 0.1 * math.log(self.factor) if given is None else given

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The scaled frequencies, (D/2,); the same for all lengths."""
        check_pairs(speeds)
        turns = self.context * speeds[0] / (2 * math.pi)  # of the fastest pair
        step = (speeds[0] / speeds[1]).log()  # each next one takes e^step times as long
        first, last = (turns / self.fast).log() / step, (turns / self.slow).log() / step
        if self.whole:
            first, last = first.floor(), last.ceil()
        first, last = first.clamp(min=0), last.clamp(max=2 * len(speeds) - 1)
        width = torch.where(first == last, 0.001, last - first)
        share = ((torch.arange(len(speeds)) - first) / width).clamp(0, 1)
        return share * speeds / self.factor + (1 - share) * speeds

    def longest(self, context: int) -> int:
        """`factor` times the trained context, if the model does not name more."""
        return max(context, int(self.factor * self.context))


@dataclass(frozen=True, kw_only=True)
class DynamicScaling(Scaling):
    """As if the base grew with the text: the slowest pair by α, the fastest not at all.

        ω_i ↦ ω_i / α^(i / (D/2 − 1))       α = factor · N / context − (factor − 1)

    for texts of N tokens, N at least the trained context: up to there α is 1 and nothing changes.
    The frequencies are made once, for the longest text, and shorter ones are read with them too.
    That way all keys in a cache are turned by the same ones. Programs that make them anew whenever
    the text grows leave the keys of earlier tokens as they were.

    Args:
        factor: 1 or more.
        context: tokens of the texts that the model was trained on.

    Raises:
        ValueError: if the factor is below 1, or the context; when called, if there are fewer than
            two pairs.

    Source: "NTK-aware scaled RoPE" and "Dynamically scaled RoPE", r/LocalLLaMA 2023; Peng et al.
    2023, section 3.3.
    """

    factor: float
    context: int

    def __post_init__(self):
        check_factor(self.factor)
        if self.context < 1:
            raise ValueError(f"the context must be at least 1, got {self.context}")

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The frequencies (D/2,) for texts of up to `context` tokens."""
        check_pairs(speeds)
        longest = max(context, self.context)
        alpha = self.factor * longest / self.context - (self.factor - 1)
        share = torch.arange(len(speeds), dtype=speeds.dtype) / (len(speeds) - 1)
        return speeds / alpha**share

    def longest(self, context: int) -> int:
        """`factor` times the trained context."""
        return max(context, int(self.factor * self.context))


@dataclass(frozen=True)
class TabledScaling(Scaling):
    """ω_i / factor_i: each pair by a number of its own, which came in a table with the weights.

    Args:
        factors: D/2 numbers.

    Raises:
        ValueError: when called, if there are more or fewer pairs.
    """

    factors: tuple[float, ...]

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The scaled frequencies, (D/2,); the same for all lengths."""
        if len(speeds) != len(self.factors):
            raise ValueError(f"{len(self.factors)} factors for {len(speeds)} pairs of columns")
        return speeds / torch.tensor(self.factors, dtype=speeds.dtype)


@dataclass(frozen=True)
class LongScaling(Scaling):
    """A table for texts up to the trained context, and another for longer ones.

    The frequencies are made once, for the longest text, and shorter ones are read with them too.

    Args:
        short, long: D/2 numbers each, as in `TabledScaling`.
        context: tokens of the longest text that is read with the first.
        amplitude: of both.

    Raises:
        ValueError: if one table is longer; when called, if there are more or fewer pairs.

    Source: Ding et al. 2024, "LongRoPE"; its two tables, Abdin et al. 2024 (Phi-3), section 2.
    """

    short: tuple[float, ...]
    long: tuple[float, ...]
    context: int
    amplitude: float = 1.0

    def __post_init__(self):
        if len(self.short) != len(self.long):
            raise ValueError(f"tables of {len(self.short)} and of {len(self.long)} factors")

    def __call__(self, speeds: Tensor, context: int) -> Tensor:
        """The frequencies (D/2,) for texts of up to `context` tokens."""
        return TabledScaling(self.long if context > self.context else self.short)(speeds, context)


def check_factor(factor: float) -> None:
    """Raise ValueError unless a factor stretches."""
    if not 1 <= factor < math.inf:
        raise ValueError(f"a scaling stretches: its factor must be 1 or more, got {factor}")


def check_pairs(speeds: Tensor) -> None:
    """Raise ValueError unless there are a fast and a slow pair."""
    if len(speeds) < 2:
        raise ValueError(
            f"fast and slow pairs are treated differently, and heads of {2 * len(speeds)} columns "
            "have one pair only"
        )
