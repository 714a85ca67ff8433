"""`headway explore`: a page on this machine that looks into a language model while it reads."""

import threading
import time
import webbrowser
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.commands.console import note, say
from headway.commands.options import Device, Type
from headway.errors import PASSED, UserError, needs_extra
from headway.interrupts import stopped_by_hand

if TYPE_CHECKING:
    from headway.explore.subject import Subject

CHAPTER = "11"  # whose model is recorded
TEXT = "The capital of France is"  # what a published model reads first
QUESTION = "What is the capital of France?"


def explore(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL_FOLDER|11", help="As for generate; 11 opens the model of chapter 11."
        ),
    ],
    prompt: Annotated[
        str | None, typer.Argument(metavar="[PROMPT]", help="The text to begin with.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port of the server; 0 takes a free one.")] = 8001,
    open_page: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page, or only serve it.")
    ] = True,
    dtype: Type = None,
    device: Device = None,
    chat: Annotated[
        bool, typer.Option("--chat", help="Put each text into the model's chat template.")
    ] = False,
) -> int:
    """Open a page that looks into a language model while it reads your text."""
    from headway.commands.serve import HOST, address, free
    from headway.explore.answers import Answers
    from headway.explore.asked import RefusedError
    from headway.explore.page import page
    from headway.explore.server import Server

    with free(port):
        server = Server((HOST, port), note)
    with server:
        began = time.perf_counter()
        if model == CHAPTER:
            subject = of_chapter(dtype, device, chat)
        else:
            subject = of_folder(model, dtype, device, chat)
        if prompt is not None:
            subject = replace(subject, text=prompt)
        answers = Answers(subject)
        try:  # the page asks for it first, and has it at once
            answers.answer({"ask": "tokens", "text": subject.text, "drawn": [], "off": []})
        except RefusedError as error:
            raise UserError(str(error)) from error
        say(sentence(subject, time.perf_counter() - began))
        say(f"Explore it at {address(server)} until you press Ctrl-C.")
        if open_page:  # beside the server: some browsers return only when they are closed
            threading.Thread(target=webbrowser.open, args=[address(server)], daemon=True).start()
        with stopped_by_hand():
            server.serve(answers, partial(page, subject.data(url="ask")))
    return PASSED


def sentence(subject: "Subject", seconds: float) -> str:
    """What was read, and how long it took."""
    facts, device = subject.facts(), subject.model.embedding.weight.device
    return (
        f"{subject.name}: {facts['parameters'] / 1e6:,.1f} million parameters in {facts['dtype']} "
        f"on {device}, ready after {seconds:.1f} s."
    )


def of_chapter(dtype: str | None, device: str | None, chat: bool) -> "Subject":
    """The model of chapter 11, small enough for any machine.

    Raises:
        UserError: if a type, a device or a chat is asked for.
    """
    from headway.explore.subject import recorded

    if chat:
        raise UserError(
            f"The model of chapter {CHAPTER} was trained on no chats. Leave --chat out."
        )
    if dtype or device:
        raise UserError(
            f"--dtype and --device are for a model in a folder; that of chapter {CHAPTER} is so "
            "small that neither matters. Leave them out, or name a folder."
        )
    return recorded()


def of_folder(model: str, dtype: str | None, device: str | None, chat: bool = False) -> "Subject":
    """The model in a folder, in the type of its files if none is named.

    Args:
        chat: whether each text is a question in the folder's chat template.

    Raises:
        UserError: as `headway generate` does for what cannot be read or does not fit.
    """
    from headway.explore.answers import KEPT
    from headway.explore.subject import LONGEST, Subject

    with needs_extra("models", "headway explore"):
        from headway.commands.published_model import (
            TYPES,
            check_files,
            check_room,
            check_type,
            find_device,
            load,
        )
        from headway.explore.published import spelling
        from headway.models.hugging_face.chat import answer_ends, chat_text, has_template
        from headway.models.hugging_face.config_file import read_config
        from headway.models.hugging_face.model_folder import end_ids, stored_type
        from headway.models.hugging_face.tokenizer import read_tokenizer
    folder = Path(model)
    if not folder.exists():
        raise UserError(
            f"There is no folder {folder}. headway explore opens the folders that headway generate "
            f"reads and, with {CHAPTER} in place of a folder, the model of chapter {CHAPTER}."
        )
    check_type(dtype)
    sizes, tokenizer, ends = read_config(folder), read_tokenizer(folder), end_ids(folder)
    if chat:
        chat_text(folder, TEXT)  # whether there is a template, before gigabytes are read
        ends |= answer_ends(folder, tokenizer)
    place = find_device(device)
    kind = TYPES[dtype] if dtype else stored_type(folder)
    length = min(sizes.context, LONGEST)
    check_files(folder, sizes)
    check_room(replace(sizes, context=length), kind, place)

    @lru_cache(KEPT)
    def encode(text: str) -> tuple[int, ...]:
        asked = chat_text(folder, text) if chat else text
        return tuple(tokenizer.encode(asked, add_special_tokens=not chat).ids)

    return Subject(
        name=folder.resolve().name,
        model=load(folder, length, kind, place),
        sizes=sizes,
        encode=lambda text: list(encode(text)),
        spell=spelling(tokenizer),
        ends=ends,
        text=QUESTION if chat else TEXT,
        chat=chat,
        template=has_template(folder),
    )
