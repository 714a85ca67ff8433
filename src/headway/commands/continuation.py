"""What `headway generate` writes, piece by piece, and what it took."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import psutil
import torch
from tokenizers import Tokenizer
from torch import Tensor

from headway.commands.published_model import GB
from headway.errors import UserError
from headway.inference.decoding import Choose, Sampling, greedy, stream
from headway.inference.filters import COLDEST, HOTTEST
from headway.inference.fused import FusedLanguageModel
from headway.models.hugging_face.text_stream import TextStream
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.nn.rotary_scaling import DynamicScaling


@dataclass
class Report:
    """What was written and what it took; seconds are measured, bytes counted where not said.

    The text is the prompt and its continuation, or of a chat the answer alone.
    """

    text: str
    prompt_tokens: int
    new_tokens: int = 0
    ended: bool = False
    parameters: int = 0
    dtype: str = ""
    device: str = ""
    loading_seconds: float = 0.0
    prompt_seconds: float = 0.0
    writing_seconds: float = 0.0
    weight_bytes: int = 0
    cache_bytes: int = 0
    measured_bytes: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Of the steps after the prompt; 0 if there was none."""
        steps = self.new_tokens - 1
        return steps / self.writing_seconds if steps > 0 and self.writing_seconds else 0.0


def recorded(pieces: Iterable[str], report: Report) -> Iterator[str]:
    """The pieces of a text as they come, written into the report."""
    for piece in pieces:
        report.text += piece
        yield piece


def sentence(report: Report) -> str:
    """What it took, in three lines."""
    end = "it ended its text" if report.ended else "it was stopped there"
    speed = (
        f"{report.tokens_per_second:.1f} tokens a second" if report.new_tokens > 1 else "one token"
    )
    return (
        f"{report.parameters / 1e6:,.1f} million parameters in {report.dtype} on {report.device}, "
        f"read in {report.loading_seconds:.1f} s.\n"
        f"{report.prompt_tokens} tokens of prompt in {report.prompt_seconds:.2f} s, then "
        f"{report.new_tokens} new in {report.writing_seconds:.2f} s: {speed}; {end}.\n"
        f"Weights {report.weight_bytes / GB:.3f} GB, cache {report.cache_bytes / GB:.3f} GB; "
        f"measured {report.measured_bytes / GB:.3f} GB."
    )


def sampling(temperature: float, top_k: int | None, top_p: float | None, seed: int) -> Choose:
    """The way to choose tokens that is asked for; at temperature 0 the most likely one.

    Raises:
        UserError: for numbers that mean nothing.
    """
    if temperature != 0 and not COLDEST <= temperature <= HOTTEST:
        raise UserError(
            f"--temperature must be 0 (the most likely token each time), or from {COLDEST:g} to "
            f"{HOTTEST:g}; got {temperature}."
        )
    if temperature == 0 and (top_k or top_p):
        raise UserError("--top-k and --top-p choose what is drawn from; add --temperature 1.")
    if top_p is not None and not 0 < top_p <= 1:
        raise UserError(f"--top-p is a probability above 0, 1 at most; got {top_p}.")
    if temperature == 0:
        return greedy
    generator = torch.Generator().manual_seed(seed)
    return Sampling(generator=generator, temperature=temperature, top_k=top_k, top_p=top_p)


def stretched(config: LanguageModelConfig) -> bool:
    """Whether rotary positions hang on the length that a text may reach, N of the config."""
    scaling = config.scaling
    return isinstance(scaling, DynamicScaling) and config.context > scaling.context


def pieces(
    model: LanguageModel,
    tokenizer: Tokenizer,
    ids: list[int],
    choose: Choose,
    ends: frozenset[int],
    report: Report,
) -> Iterator[str]:
    """The continuation, each piece as soon as its letters are whole; counts into the report."""
    device = model.embedding.weight.device
    prompt = torch.tensor([ids], device=device)
    text = TextStream(tokenizer, ids)
    steps = model.config.context - len(ids)
    predictor = FusedLanguageModel(model, batch=1)
    started = time.perf_counter()
    for token in stream(predictor, prompt, steps, only_numbers(choose)):
        chosen = token.item()
        now = time.perf_counter()
        if report.new_tokens == 0:
            report.prompt_seconds, first = now - started, now
        report.new_tokens += 1
        report.writing_seconds = now - first
        if chosen in ends:
            report.ended = True
            break
        yield text.step(chosen)
    yield text.rest()


def only_numbers(choose: Choose) -> Choose:
    """A way to choose tokens that raises UserError where the model's logits are no numbers."""

    def checked(logits: Tensor, ids: Tensor) -> Tensor:
        if not logits.isfinite().all():
            raise UserError(
                f"The model gives inf or nan in {logits.dtype}. Numbers beyond 65,504 overflow in "
                "float16: try --dtype bfloat16. In other types the weights must be broken."
            )
        return choose(logits, ids)

    return checked


def measured(device: torch.device) -> int:
    """Bytes that this process holds now, or has held at most on a GPU."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return psutil.Process().memory_info().rss
