"""Commands for readers, students and authors."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import Json, Number, Work, app
from headway.commands.work import WORK

Whom = StrEnum("Whom", ["student", "instructor", "author"])
Switch = StrEnum("Switch", ["on", "off", "show"])


@app.command()
def start(
    number: Number,
    folder: Work = WORK,
    open_lab: Annotated[
        bool, typer.Option("--open/--no-open", help="Open JupyterLab on it, or only copy.")
    ] = True,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Let JupyterLab open a browser.")
    ] = True,
    lab_options: Annotated[
        list[str] | None,
        typer.Argument(metavar="-- OPTIONS", help="Options of JupyterLab itself."),
    ] = None,
) -> int:
    """Begin an assignment or go on with it: copy it to your work folder and open JupyterLab."""
    from headway.commands import start as command

    options = [*(lab_options or []), *([] if browser else ["--no-browser"])]
    return command.run(number, folder, open_lab, options)


@app.command()
def check(
    what: Annotated[str, typer.Argument(metavar="NN|FILE.ipynb", help="What to run.")],
    folder: Work = WORK,
    as_json: Json = False,
) -> int:
    """Run a notebook in a fresh kernel and show the state of every task."""
    from headway.commands import check as command

    return command.run(what, folder, as_json)


@app.command()
def progress(folder: Work = WORK, as_json: Json = False) -> int:
    """Show what you have passed so far in your saved notebooks."""
    from headway.commands import progress as command

    return command.run(folder, as_json)


@app.command()
def tries(
    switch: Annotated[
        Switch,
        typer.Argument(
            metavar="[on|off|show]",
            help="on: record from now on; off: stop and delete the record; show: print it.",
        ),
    ] = Switch.show,
    number: Annotated[
        str | None,
        typer.Argument(
            metavar="[NN]",
            help="One assignment. Default: all you have begun.",
        ),
    ] = None,
    folder: Work = WORK,
) -> int:
    """Keep a record of the checks you run, if you want one."""
    from headway.commands import tries as command

    return command.run(switch.value, number, folder)


@app.command("try")
def attempt(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task's id, 01-one-hot/lookup.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file with the answer.")],
    as_json: Json = False,
) -> int:
    """Check the answer in a Python file against a task."""
    from headway.commands import attempt as command

    return command.run(task, file, as_json)


@app.command()
def book(
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on this machine.")] = False,
    port: Annotated[int, typer.Option(help="Port of the server; 0 takes a free one.")] = 8000,
    pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF as well.")] = False,
    epub: Annotated[bool, typer.Option("--epub", help="Make an EPUB as well.")] = False,
) -> int:
    """Build the book."""
    from headway.commands import book as command

    return command.run(serve, port, pdf, epub)


@app.command()
def generate(
    model: Annotated[
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
            metavar="N",
            help="How many to write at most; 100 unless the context is shorter.",
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
        typer.Option(
            help="Draw only from the most likely ones that together reach p.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the draws.", min=-(2**63), max=2**64 - 1)] = 0,
    dtype: Annotated[
        str | None, typer.Option(metavar="TYPE", help="float32, bfloat16 or float16.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda; a GPU if there is one.")] = None,
    as_json: Json = False,
) -> int:
    """Let a published model (Llama, Gemma, Pythia, …) continue a text, or answer a question."""
    from headway.commands import generate as command

    options = command.Options(tokens, temperature, top_k, top_p, seed, dtype, device, chat, system)
    return command.run(model, prompt, options, as_json)


@app.command()
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
    dtype: Annotated[
        str | None, typer.Option(metavar="TYPE", help="float32, bfloat16 or float16.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda; a GPU if there is one.")] = None,
    chat: Annotated[
        bool, typer.Option("--chat", help="Put each text into the model's chat template.")
    ] = False,
) -> int:
    """Open a page that looks into a language model while it reads your text."""
    from headway.commands import explore as command

    return command.run(model, prompt, port, open_page, dtype, device, chat)


@app.command()
def doctor(
    whom: Annotated[
        Whom | None,
        typer.Option("--for", help="Check what this person needs; guessed if left out."),
    ] = None,
) -> int:
    """Say what is installed, what is missing, and how to get it."""
    from headway.commands import doctor as command

    return command.run(whom and whom.value)
