"""`headway generate`: let a published model of Llama's family continue a text, on this machine."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch

from headway.commands.console import note, out, progress, say, say_json
from headway.errors import PASSED, UserError, needs_extra
from headway.inference.cost import cache_bytes, decoder_parameters
from headway.inference.decoding import Sampling, greedy, stream
from headway.inference.fused import FusedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig

with needs_extra("models", "headway generate"):
    import psutil
    from tokenizers import Tokenizer
    from tokenizers.decoders import DecodeStream

    from headway.models.hugging_face.config_file import read_config
    from headway.models.hugging_face.model_folder import (
        Weights,
        end_ids,
        load_folder,
        stored_type,
    )

TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
USUAL = 100  # tokens written if no number is given
GB = 1e9


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
    """

    tokens: int | None = None
    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0
    dtype: str | None = None
    device: str | None = None


@dataclass
class Report:
    """What was written and what it took; seconds are measured, bytes counted where not said."""

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


def run(folder: Path, prompt: str, options: Options, as_json: bool) -> int:
    """Write the continuation as it comes, and beside it what it took."""
    check(folder, options)
    tokenizer = read_tokenizer(folder)
    ids = tokenizer.encode(prompt).ids
    if not ids:
        raise UserError("The prompt is empty. Give the model a few words to start from.")
    device = find_device(options.device)
    dtype = TYPES[options.dtype] if options.dtype else stored_type(folder)
    config = read_config(folder)
    length = text_length(len(ids), options.tokens, config.context)
    config = replace(config, context=length)
    report = Report(prompt, len(ids), parameters=decoder_parameters(config))
    report.dtype, report.device = str(dtype).removeprefix("torch."), str(device)
    report.weight_bytes = report.parameters * dtype.itemsize
    report.cache_bytes = cache_of(config, dtype)
    check_room(report, device)

    started = time.perf_counter()
    model = load(folder, length, dtype, device)
    report.loading_seconds = time.perf_counter() - started
    if not as_json:
        out.print(visible(prompt), end="", markup=False)
    for piece in pieces(model, tokenizer, ids, options, end_ids(folder), report):
        report.text += piece
        if not as_json:
            out.print(visible(piece), end="", markup=False)
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
    if not folder.is_dir():
        raise UserError(
            f"There is no folder {folder}. headway generate reads a model from files on this "
            "machine; one from the Hugging Face hub comes with: hf download NAME --local-dir FOLDER"
        )
    if options.tokens is not None and options.tokens < 1:
        raise UserError(f"--tokens is how many to write at most, 1 or more; got {options.tokens}.")
    if options.temperature < 0:
        raise UserError(
            f"--temperature must be 0 (the most likely token each time) or more, got "
            f"{options.temperature}."
        )
    if options.dtype is not None and options.dtype not in TYPES:
        raise UserError(f"--dtype must be one of {', '.join(TYPES)}; got {options.dtype!r}.")
    if options.temperature == 0 and (options.top_k or options.top_p):
        raise UserError("--top-k and --top-p choose what is drawn from; add --temperature 1.")
    if options.top_p is not None and not 0 < options.top_p <= 1:
        raise UserError(f"--top-p is a probability above 0, 1 at most; got {options.top_p}.")


def find_device(name: str | None) -> torch.device:
    """The device of that name; without one a GPU if there is one, and else the CPU.

    Raises:
        UserError: if it is no device, or not on this machine.
    """
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:  # what torch built without CUDA raises
        raise UserError(
            f"--device {name} is not on this machine. Expected cpu, or cuda where there is a GPU "
            "and torch was built for it."
        ) from error
    return device


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


def read_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer in a folder's `tokenizer.json`.

    Raises:
        UserError: if it is missing or cannot be read.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise UserError(
            f"{folder} has no tokenizer.json, which turns the prompt into ids. Download it along "
            "with the weights."
        )
    try:
        return Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise UserError(
            f"{path} can't be read as a tokenizer: {error}. Is the download complete?"
        ) from error


def cache_of(config: LanguageModelConfig, dtype: torch.dtype) -> int:
    """Bytes of the keys and values of one text as long as the context."""
    sizes = (config.layers, config.shared_heads, config.per_head, config.context)
    return cache_bytes(*sizes, item_bytes=dtype.itemsize)


def check_room(report: Report, device: torch.device) -> None:
    """Raise UserError where weights and cache are more than the free memory."""
    free = (
        torch.cuda.mem_get_info(device)[0]
        if device.type == "cuda"
        else psutil.virtual_memory().available
    )
    needed = report.weight_bytes + report.cache_bytes
    if needed > free:
        smaller = "" if report.dtype != "float32" else " --dtype bfloat16 takes half of it."
        raise UserError(
            f"The model needs {needed / GB:.1f} GB in {report.dtype} "
            f"({report.parameters / GB:.2f} billion parameters; the cache "
            f"{report.cache_bytes / GB:.2f} GB), and {device} has {free / GB:.1f} GB free.{smaller}"
        )


def load(folder: Path, length: int, dtype: torch.dtype, device: torch.device) -> LanguageModel:
    """The model, with a bar while its tensors are read."""
    with progress() as bar:
        task = bar.add_task("Reading weights", total=len(Weights(folder)))
        return load_folder(folder, length, dtype, device, lambda name: bar.advance(task))


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
    decode = DecodeStream(ids=ids, skip_special_tokens=True)
    steps = model.config.context - len(ids)
    predictor = FusedLanguageModel(model, batch=1)
    started = time.perf_counter()
    for token in stream(predictor, prompt, steps, choose):
        chosen = token.item()
        now = time.perf_counter()
        if report.new_tokens == 0:
            report.prompt_seconds, first = now - started, now
        report.new_tokens += 1
        report.writing_seconds = now - first
        if chosen in ends:
            report.ended = True
            return
        if piece := decode.step(tokenizer, chosen):
            yield piece


def visible(text: str) -> str:
    """A text in which no control character reaches the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text)


def measured(device: torch.device) -> int:
    """Bytes that this process holds now, or has held at most on a GPU."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return psutil.Process().memory_info().rss


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
