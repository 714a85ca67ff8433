"""The `headway` app, and options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

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


@app.callback()
def headway(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """From one-hot to the KV cache: a course whose exercises grade themselves."""
