"""The `headway` command: what it takes, and how it ends.

Each command is a thin front for a module of `headway.commands`, imported only when the command
runs, so that `headway --help` starts at once. Exit codes: 0 done or passed, 1 not passed or, of a
class, something set aside, 2 bad input or something missing, 3 a fault of the machine or an error
of the program itself, 130 and 143 stopped by Ctrl-C or by SIGTERM.
"""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headway.chapters import UnknownChapterError
from headway.commands.console import note
from headway.commands.work import WORK
from headway.errors import (
    BAD_INPUT,
    FAULT,
    PASSED,
    MachineError,
    UserError,
    is_fault,
    require_linux,
)
from headway.interrupts import end, watched

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Number = Annotated[str, typer.Argument(metavar="NN", help="Number or name of an assignment.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of words.")]
Work = Annotated[Path, typer.Option("--folder", help="Where your work is.", file_okay=False)]
Course = Annotated[
    Path, typer.Option("--course", metavar="DIR", help="The nbgrader course folder.")
]
Whom = StrEnum("Whom", ["student", "instructor", "author"])
Platform = StrEnum("Platform", ["canvas", "moodle", "lti"])
Switch = StrEnum("Switch", ["on", "off", "show"])
STOPPED = 130  # as shells say it of Ctrl-C


@app.callback()
def headway(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """From one-hot to the KV cache: a course whose exercises grade themselves."""


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
    """Begin an assignment, or go on with it: copy it to your work folder, open JupyterLab."""
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
    """Show what you have passed so far, as your saved notebooks tell."""
    from headway.commands import progress as command

    return command.run(folder, as_json)


@app.command()
def tries(
    switch: Annotated[
        Switch, typer.Argument(metavar="[on|off|show]", help="Record, delete, or show.")
    ] = Switch.show,
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all you have begun.")
    ] = None,
    folder: Work = WORK,
) -> int:
    """Record the checks that you run in notebooks, if you want that; delete what was recorded."""
    from headway.commands import tries as command

    return command.run(switch.value, number, folder)


@app.command("try")
def attempt(
    task: Annotated[str, typer.Argument(metavar="TASK", help='Its id, "01-one-hot/lookup".')],
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Holds the answer.")],
    as_json: Json = False,
) -> int:
    """Hold the answer in a Python file to a task."""
    from headway.commands import attempt as command

    return command.run(task, file, as_json)


@app.command()
def book(
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on this machine.")] = False,
    port: Annotated[int, typer.Option(help="Of the server; 0 takes a free one.")] = 8000,
    pdf: Annotated[bool, typer.Option("--pdf", help="Make one PDF of it, too.")] = False,
    epub: Annotated[bool, typer.Option("--epub", help="Make an EPUB of it, too.")] = False,
) -> int:
    """Build the book."""
    from headway.commands import book as command

    return command.run(serve, port, pdf, epub)


@app.command()
def release(
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all if left out.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing, report what is out of date.")
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(
            "--course",
            metavar="DIR",
            help="An nbgrader course folder: from its source/ to its release/.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
) -> int:
    """Make the students' notebooks in exercises/ from solutions/."""
    from headway.commands import release as command

    return command.run(number, check, course)


@app.command()
def grade(
    number: Number,
    course: Annotated[
        Path, typer.Option("--course", metavar="DIR", help="The nbgrader course folder.")
    ],
    only: Annotated[
        str | None, typer.Option("--only", metavar="STUDENT", help="Grade this student only.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Grade unchanged submissions again, too.")
    ] = False,
    no_feedback: Annotated[
        bool, typer.Option("--no-feedback", help="Write no pages for the students.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many to grade at a time; one for each core.", min=1),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Of a Dask cluster that grades instead."),
    ] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Let submissions use this machine's GPUs.")
    ] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust-submissions", help="Grade without a sandbox. They can do whatever you can."
        ),
    ] = False,
) -> int:
    """Grade the submissions of an assignment."""
    require_linux("headway grade")
    from headway.commands import grade as command

    return command.run(
        number, course, only, force, not no_feedback, workers, scheduler, gpu=gpu, trust=trust
    )


@app.command()
def due(
    number: Number,
    course: Annotated[
        Path, typer.Option("--course", metavar="DIR", help="The nbgrader course folder.")
    ],
    moment: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHEN]", help='"2026-03-31 23:59 Europe/Berlin", or none; shown if left out.'
        ),
    ] = None,
    student: Annotated[
        str | None,
        typer.Option(
            "--for", metavar="STUDENT", help="Give this student until WHEN, or longer by +1d12h."
        ),
    ] = None,
    zone: Annotated[
        list[str] | None,
        typer.Option("--zone", metavar="ZONE", help="Of WHEN; or show the dates in it, too."),
    ] = None,
) -> int:
    """Show or set when an assignment is due, for all or for one student."""
    from headway.commands import due as command

    return command.run(number, course, moment, student, zone or [])


@app.command("class")
def class_(
    course: Course = Path(),
    as_json: Json = False,
) -> int:
    """Show a class over all assignments: who is behind, which mistakes recur, what is too hard."""
    from headway.commands import class_ as command

    return command.run(course, as_json)


@app.command()
def similar(
    number: Number,
    course: Course = Path(),
) -> int:
    """Show answers to an assignment that resemble each other, side by side."""
    from headway.commands import similar as command

    return command.run(number, course)


@app.command()
def solutions(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the pages go: a folder that nobody serves.")
    ],
    number: Annotated[
        str | None, typer.Argument(metavar="[NN]", help="One assignment; all if left out.")
    ] = None,
    course: Annotated[
        Path | None,
        typer.Option("--course", metavar="DIR", help="Those of this course folder's source/."),
    ] = None,
) -> int:
    """Make pages of the assignments with their solutions, for whoever teaches."""
    from headway.commands import solutions as command

    return command.run(folder, number, course)


@app.command()
def roster(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="What the platform exported.")],
    course: Course,
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="Whose text is the student's id here."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing, only tell.")] = False,
) -> int:
    """Take the class list from Canvas's gradebook or Moodle's participants or grades."""
    from headway.commands import roster as command

    return command.run(file, course, id_column, dry_run)


@app.command()
def export(
    platform: Annotated[Platform, typer.Argument(help="lti sends, the others write a file.")],
    course: Course,
    number: Annotated[
        list[str] | None, typer.Argument(metavar="[NN]", help="These assignments; all if left out.")
    ] = None,
    student: Annotated[
        list[str] | None, typer.Option(metavar="STUDENT", help="Only this student's grades.")
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="FILE.csv", help="Where to write.")] = None,
    gradebook: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="What Canvas's gradebook exported; its ids are taken over."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Send nothing, only tell.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Send again what was sent before, too.")
    ] = False,
) -> int:
    """Write grades for Canvas or Moodle to import, or send them to a platform by LTI."""
    from headway.commands import export as command

    numbers, students = number or [], student or []
    return command.run(
        platform.value, numbers, course, students, to, gradebook, dry_run=dry_run, force=force
    )


@app.command()
def lti(
    course: Course,
    issuer: Annotated[
        str | None, typer.Option(metavar="URL", help="The platform's name for itself.")
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The platform's name for this tool.")
    ] = None,
    token_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it gives access tokens.")
    ] = None,
    lineitems: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's grade items are.")
    ] = None,
    members: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's class list is.")
    ] = None,
    audience: Annotated[
        str | None, typer.Option(metavar="URL", help="Of a token's request, if not --token-url.")
    ] = None,
) -> int:
    """Register this course folder with a learning platform, to send scores there (LTI 1.3)."""
    from headway.commands import lti as command

    given = {"issuer": issuer, "client_id": client_id, "token_url": token_url}
    given |= {"lineitems": lineitems, "members": members, "audience": audience}
    return command.run(course, given)


@app.command()
def hub(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The classroom's folder; made the first time.")
    ],
    demo: Annotated[
        bool, typer.Option("--demo", help="Make accounts for a teacher and two students.")
    ] = False,
    teacher: Annotated[
        str | None, typer.Option(metavar="ACCOUNT", help="Whose a new classroom is.")
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Where browsers find a new classroom.")
    ] = "http://127.0.0.1:8000",
) -> int:
    """Run a JupyterHub with the assignments, nbgrader's exchange, the formgrader and the book."""
    require_linux("headway hub")
    from headway.commands import hub as command

    return command.run(folder, demo, teacher, address)


@app.command()
def generate(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL_FOLDER", help="config.json, tokenizer.json, weights.")
    ],
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="The text to go on from.")],
    tokens: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many to write at most; 100 if the context allows."),
    ] = None,
    temperature: Annotated[
        float, typer.Option(help="0 takes the most likely token each time; 1 draws.")
    ] = 0.0,
    top_k: Annotated[int | None, typer.Option(help="Draw from the k most likely.", min=1)] = None,
    top_p: Annotated[
        float | None, typer.Option(help="Draw from the fewest whose probabilities reach p.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the draws.")] = 0,
    dtype: Annotated[
        str | None, typer.Option(metavar="TYPE", help="float32, bfloat16 or float16.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda; a GPU if there is one.")] = None,
    as_json: Json = False,
) -> int:
    """Let a published model (Llama, Mistral, Qwen) continue a text."""
    from headway.commands import generate as command

    options = command.Options(tokens, temperature, top_k, top_p, seed, dtype, device)
    return command.run(model, prompt, options, as_json)


@app.command()
def doctor(
    whom: Annotated[
        Whom | None,
        typer.Option(
            "--for", help="Look at what they need; told by what is installed if left out."
        ),
    ] = None,
) -> int:
    """Say what is installed, what is missing, and the command that mends it."""
    from headway.commands import doctor as command

    return command.run(whom and whom.value)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit, for whoever has loaded this module already."""
    with watched():
        sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    """Run a command and give its exit code; an error becomes a sentence.

    `--debug` may stand anywhere on the line. Who stops the command gets 128 and the number of the
    signal, however it ends: 130 for Ctrl-C, 143 for SIGTERM.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a ✓ must not end a program that writes to a log
            stream.reconfigure(errors="backslashreplace")
    debug = "--debug" in arguments
    given = [argument for argument in arguments if argument != "--debug"]
    error, code = None, PASSED
    try:
        code = app(["--debug", *given] if debug and given else given, standalone_mode=False)
    except (typer.Exit, SystemExit) as stop:
        code = getattr(stop, "exit_code", getattr(stop, "code", 0))
    except (Exception, KeyboardInterrupt) as raised:
        error = raised
    stopped = end()
    if stopped or isinstance(error, (KeyboardInterrupt, typer.Abort)):
        note("Stopped.")
        return stopped or STOPPED
    if error is None:
        return code
    if debug:
        raise error
    return _explain(error)


def _explain(error: Exception) -> int:
    """Print an error as a sentence, and give its exit code."""
    if hasattr(error, "format_message"):  # what typer raises for a wrong command line
        if message := error.format_message():  # empty where the help itself was the answer
            within = getattr(error, "ctx", None)
            command = f" {within.info_name}" if within is not None and within.parent else ""
            message = message.replace("Value error, ", "").rstrip()
            end = "" if message.endswith((".", "?", "!")) else "."
            note(f"{message}{end} See: headway{command} --help")
        return BAD_INPUT
    if isinstance(error, (UserError, UnknownChapterError)):
        note(str(error))
        return FAULT if isinstance(error, MachineError) else BAD_INPUT
    if isinstance(error, OSError):
        what = f"{error.strerror}: {error.filename}" if error.filename else str(error)
        note(what)
        return FAULT if is_fault(error) else BAD_INPUT
    note(f"This is an error of headway itself. {type(error).__name__}: {error}")
    note("See where it comes from with: headway --debug …")
    return FAULT
