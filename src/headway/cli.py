"""The `headway` command: what it takes, and how it ends.

Each command is a module of `headway.commands`, which imports what takes long only when the command
runs, so that `headway --help` starts at once. Exit codes: 0 done or passed, 1 not passed or, of a
class, something set aside, 2 bad input or something missing, 3 a fault of the machine or an error
of the program itself, 130 and 143 stopped by Ctrl-C or by SIGTERM.
"""

import sys
from typing import Annotated

import typer

from headway.chapters import UnknownChapterError
from headway.commands.attempt import attempt
from headway.commands.book import book
from headway.commands.check import check
from headway.commands.class_ import class_
from headway.commands.collect import collect
from headway.commands.console import note, say
from headway.commands.doctor import doctor
from headway.commands.due import due
from headway.commands.explore import explore
from headway.commands.export import export
from headway.commands.feedback import feedback
from headway.commands.generate import generate
from headway.commands.grade import grade
from headway.commands.hub import hub
from headway.commands.lti import lti
from headway.commands.progress import progress
from headway.commands.release import release
from headway.commands.roster import roster
from headway.commands.similar import similar
from headway.commands.solutions import solutions
from headway.commands.start import start
from headway.commands.tries import tries
from headway.errors import (
    BAD_INPUT,
    DISTRIBUTION,
    FAULT,
    PASSED,
    MachineError,
    UserError,
    is_fault,
)
from headway.interrupts import end, watched

STOPPED = 130  # as shells say it of Ctrl-C


def _version(asked: bool) -> None:
    """Print the course's version and exit, if it is asked for."""
    if asked:
        from headway.extras import course_version

        say(f"{DISTRIBUTION} {course_version()}")
        raise typer.Exit


def headway(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_version, is_eager=True
        ),
    ] = False,
) -> None:
    """From one-hot to the KV cache: a course whose exercises grade themselves."""


app = typer.Typer(
    callback=headway,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
of_class = typer.Typer(callback=class_, invoke_without_command=True, add_completion=False)
for command in (start, check, progress, tries):
    app.command()(command)
app.command("try")(attempt)
for command in (book, generate, explore, doctor, release, grade, hub):
    app.command()(command)
for command in (due, similar, solutions, roster, collect, export, feedback, lti):
    of_class.command()(command)
app.add_typer(of_class, name="class")


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


def _path(within: typer.Context | None) -> str:
    """The names of the commands that one stands in: " class due"."""
    if within is None or within.parent is None:
        return ""
    return f"{_path(within.parent)} {within.info_name}"


def _explain(error: Exception) -> int:
    """Print an error as a sentence, and give its exit code."""
    if hasattr(error, "format_message"):  # what typer raises for a wrong command line
        if message := error.format_message():  # empty where the help itself was the answer
            command = _path(getattr(error, "ctx", None))
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
