"""`headway generate`: let a published model continue a text, on this machine.

A chat model is asked a question instead: `headway.models.hugging_face.chat` says in which words.
"""

import time
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from headway.commands.console import note, out, say, say_json
from headway.commands.model_text import visible_pieces
from headway.commands.options import Device, Json, Type
from headway.errors import PASSED, UserError, needs_extra

USUAL = 100  # tokens written if no number is given


def generate(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL_FOLDER",
            help="config.json, tokenizer.json, weights; or one GGUF file, float32 if quantized.",
        ),
    ],
    prompt: Annotated[
        str, typer.Argument(metavar="PROMPT", help="The text to continue; with --chat, a question.")
    ],
    chat: Annotated[
        bool, typer.Option("--chat", help="Ask a chat model, in its folder's template.")
    ] = False,
    system: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What a chat model is told before the question."),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            metavar="N", help=f"How many to write at most; {USUAL} unless the context is shorter."
        ),
    ] = None,
    temperature: Annotated[
        float, typer.Option(help="0 always takes the most likely token; 1 draws.")
    ] = 0.0,
    top_k: Annotated[
        int | None, typer.Option(help="Draw only from the k most likely.", min=1)
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(help="Draw only from the most likely ones that together reach p."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draws.", min=-(2**63), max=2**64 - 1)] = 0,
    dtype: Type = None,
    device: Device = None,
    as_json: Json = False,
) -> int:
    """Let a published model (Llama, Gemma, Pythia, …) continue a text, or answer a question."""
    with needs_extra("models", "headway generate"):
        from headway.commands.continuation import (
            Report,
            measured,
            pieces,
            recorded,
            sampling,
            sentence,
            stretched,
        )
        from headway.commands.published_model import (
            TYPES,
            cache_of,
            check_files,
            check_room,
            check_type,
            find_device,
            load,
        )
        from headway.inference.cost import decoder_parameters
        from headway.models.hugging_face.chat import answer_ends, chat_text
        from headway.models.hugging_face.config_file import read_config
        from headway.models.hugging_face.model_folder import end_ids, stored_type
        from headway.models.hugging_face.tokenizer import encode, read_tokenizer
    if not folder.exists():
        raise UserError(
            f"There is no folder {folder}. headway generate reads a model from files on this "
            "machine; one from the Hugging Face hub comes with: hf download NAME --local-dir FOLDER"
        )
    if tokens is not None and tokens < 1:
        raise UserError(f"--tokens is how many to write at most, 1 or more; got {tokens}.")
    if system is not None and not chat:
        raise UserError("--system is told to a chat model before the question; add --chat.")
    check_type(dtype)
    choose = sampling(temperature, top_k, top_p, seed)
    config, tokenizer = read_config(folder), read_tokenizer(folder)
    text = chat_text(folder, prompt, system) if chat else prompt
    ids = encode(tokenizer, text, config.vocabulary, add_special_tokens=not chat)
    if not ids:
        raise UserError("The prompt is empty. Give the model a few words to start from.")
    ends = end_ids(folder)
    if chat:
        ends |= answer_ends(folder, tokenizer)
    place = find_device(device)
    kind = TYPES[dtype] if dtype else stored_type(folder)
    length = text_length(len(ids), tokens, config.longest)
    config = replace(config, context=length)
    report = Report("", len(ids), parameters=decoder_parameters(config))
    report.dtype, report.device = str(kind).removeprefix("torch."), str(place)
    report.weight_bytes = report.parameters * kind.itemsize
    report.cache_bytes = cache_of(config, kind)
    check_files(folder, config)
    check_room(config, kind, place)

    started = time.perf_counter()
    model = load(folder, length, kind, place)
    report.loading_seconds = time.perf_counter() - started
    if not as_json and stretched(config):
        note(
            f"This model's positions are made for a text of {length} tokens, those of the prompt "
            "and of --tokens: with another number it may write something else."
        )
    written = chain([] if chat else [prompt], pieces(model, tokenizer, ids, choose, ends, report))
    for shown in visible_pieces(recorded(written, report)):
        if not as_json:
            out.print(shown, end="", markup=False)
    report.measured_bytes = measured(place)
    if as_json:
        say_json(asdict(report) | {"tokens_per_second": report.tokens_per_second})
    else:
        say("")
        note(sentence(report))
    return PASSED


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
