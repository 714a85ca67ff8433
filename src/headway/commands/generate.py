"""`headway generate`: let a published model continue a text, on this machine.

A chat model is asked a question instead: `headway.models.hugging_face.chat` says in which words.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path

import torch
from torch import Tensor

from headway.commands.console import note, out, say, say_json
from headway.commands.generate_report import Report, recorded, sentence
from headway.commands.model_text import visible_pieces
from headway.errors import PASSED, UserError, needs_extra
from headway.inference.cost import decoder_parameters
from headway.inference.decoding import Choose, Sampling, greedy, stream
from headway.inference.filters import COLDEST, HOTTEST
from headway.inference.fused import FusedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.nn.rotary_scaling import DynamicScaling

with needs_extra("models", "headway generate"):
    import psutil
    from tokenizers import Tokenizer

    from headway.commands.published_model import (
        TYPES,
        cache_of,
        check_files,
        check_room,
        check_type,
        find_device,
        load,
    )
    from headway.models.hugging_face.chat import answer_ends, chat_text
    from headway.models.hugging_face.config_file import read_config
    from headway.models.hugging_face.model_folder import end_ids, stored_type
    from headway.models.hugging_face.text_stream import TextStream
    from headway.models.hugging_face.tokenizer import encode, read_tokenizer

USUAL = 100  # tokens written if no number is given


@dataclass(frozen=True)
class Options:
    """What a run is asked for.

    Attributes:
        tokens: the most tokens to write; 100, or as many as the context allows, if not given.
        temperature: 0 takes the most likely token each time.
        top_k, top_p: filters of the distribution; None for all tokens.
        seed: of the draws.
        dtype: one of `TYPES`; as the files have it if not given.
        device: "cpu", "cuda", …; a GPU if there is one and nothing is given.
        chat: whether the prompt is a question to a chat model, in its folder's template.
        system: what a chat model is told before the question.
    """

    tokens: int | None = None
    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    dtype: str | None = None
    device: str | None = None
    chat: bool = False
    system: str | None = None


def run(folder: Path, prompt: str, options: Options, as_json: bool) -> int:
    """Write the continuation as it comes, and beside it what it took."""
    check(folder, options)
    config, tokenizer = read_config(folder), read_tokenizer(folder)
    text = chat_text(folder, prompt, options.system) if options.chat else prompt
    ids = encode(tokenizer, text, config.vocabulary, add_special_tokens=not options.chat)
    if not ids:
        raise UserError("The prompt is empty. Give the model a few words to start from.")
    ends = end_ids(folder)
    if options.chat:
        ends |= answer_ends(folder, tokenizer)
    device = find_device(options.device)
    dtype = TYPES[options.dtype] if options.dtype else stored_type(folder)
    length = text_length(len(ids), options.tokens, config.longest)
    config = replace(config, context=length)
    report = Report("", len(ids), parameters=decoder_parameters(config))
    report.dtype, report.device = str(dtype).removeprefix("torch."), str(device)
    report.weight_bytes = report.parameters * dtype.itemsize
    report.cache_bytes = cache_of(config, dtype)
    check_files(folder, config)
    check_room(config, dtype, device)

    started = time.perf_counter()
    model = load(folder, length, dtype, device)
    report.loading_seconds = time.perf_counter() - started
    if not as_json and stretched(config):
        note(
            f"This model's positions are made for a text of {length} tokens, those of the prompt "
            "and of --tokens: with another number it may write something else."
        )
    begun = [] if options.chat else [prompt]
    written = chain(begun, pieces(model, tokenizer, ids, options, ends, report))
    for shown in visible_pieces(recorded(written, report)):
        if not as_json:
            out.print(shown, end="", markup=False)
    report.measured_bytes = measured(device)
    if as_json:
        shown = asdict(report) | {"tokens_per_second": report.tokens_per_second}
        say_json(shown)
    else:
        say("")
        note(sentence(report))
    return PASSED


def check(folder: Path, options: Options) -> None:
    """Raise UserError for a folder that is none, and for numbers that mean nothing."""
    if not folder.exists():
        raise UserError(
            f"There is no folder {folder}. headway generate reads a model from files on this "
            "machine; one from the Hugging Face hub comes with: hf download NAME --local-dir FOLDER"
        )
    if options.tokens is not None and options.tokens < 1:
        raise UserError(f"--tokens is how many to write at most, 1 or more; got {options.tokens}.")
    if options.temperature != 0 and not COLDEST <= options.temperature <= HOTTEST:
        raise UserError(
            f"--temperature must be 0 (the most likely token each time), or from {COLDEST:g} to "
            f"{HOTTEST:g}; got {options.temperature}."
        )
    check_type(options.dtype)
    if options.temperature == 0 and (options.top_k or options.top_p):
        raise UserError("--top-k and --top-p choose what is drawn from; add --temperature 1.")
    if options.top_p is not None and not 0 < options.top_p <= 1:
        raise UserError(f"--top-p is a probability above 0, 1 at most; got {options.top_p}.")
    if options.system is not None and not options.chat:
        raise UserError("--system is told to a chat model before the question; add --chat.")


def text_length(prompt: int, tokens: int | None, context: int) -> int:
    """Tokens of prompt and continuation together.

    Raises:
        UserError: if they are more than the model reads.
    """
    if prompt >= context:
        raise UserError(
            f"The prompt has {prompt} tokens and the model reads {context}, of which at least one "
            "has to be left for the answer. Shorten the prompt."
        )
    if tokens is None:
        return min(prompt + USUAL, context)
    if prompt + tokens > context:
        raise UserError(
            f"{prompt} tokens of prompt and {tokens} new ones do not fit: the model reads "
            f"{context}. Ask for at most {context - prompt}."
        )
    return prompt + tokens


def stretched(config: LanguageModelConfig) -> bool:
    """Whether rotary positions hang on the length that a text may reach, N of the config."""
    scaling = config.scaling
    return isinstance(scaling, DynamicScaling) and config.context > scaling.context


def pieces(
    model: LanguageModel,
    tokenizer: Tokenizer,
    ids: list[int],
    options: Options,
    ends: frozenset[int],
    report: Report,
) -> Iterator[str]:
    """The continuation, each piece as soon as its letters are whole; counts into the report."""
    device = model.embedding.weight.device
    prompt = torch.tensor([ids], device=device)
    choose = greedy
    if options.temperature:
        generator = torch.Generator().manual_seed(options.seed)
        filters = {"top_k": options.top_k, "top_p": options.top_p}
        choose = Sampling(generator=generator, temperature=options.temperature, **filters)
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
