"""`headway start`: copy an assignment to the work folder and open JupyterLab on it."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from headway.chapters import find_chapter, released_notebook
from headway.commands.console import say
from headway.commands.options import Number, Work
from headway.commands.work import WORK, work_on
from headway.errors import UserError, install_command, quoted
from headway.interrupts import stopped_by_hand
from headway.nbgrader_config import WORK_CONFIG


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
    chapter = find_chapter(number)
    notebook = work_on(chapter, folder)
    where = "" if folder == WORK else f" --folder {quoted(str(folder))}"
    folder = notebook.parents[1]
    if copy(released_notebook(chapter), notebook):
        _configure_validation(folder / "nbgrader_config.py")
        check = f"headway check {chapter.number:02d}{where}"
        say(f"{notebook} is yours now. Check all of it with: {check}")
    else:
        say(f"{notebook} is there already, so go on with it. Nothing was overwritten.")
    if not open_lab:
        return 0
    if find_spec("jupyterlab") is None:
        raise UserError(
            "JupyterLab is not installed, so the notebook was copied but cannot be opened. "
            f"Install the course's 'notebook' extra: {install_command('notebook')}"
        )
    options = [*(lab_options or []), *([] if browser else ["--no-browser"])]
    command = [sys.executable, "-m", "jupyter", "lab", chapter.notebook, *options]
    with stopped_by_hand():
        return subprocess.run(command, cwd=folder, check=False).returncode
    return 0


def _configure_validation(path: Path) -> None:
    """Give `nbgrader validate` our limits and explanations, where it has no settings yet."""
    with suppress(FileExistsError), path.open("x", encoding="utf-8") as file:
        file.write(WORK_CONFIG)


def copy(released: Path, notebook: Path) -> bool:
    """Copy the folder of a released notebook; False if the work is there already.

    Raises:
        UserError: if there is no release, or the work folder is in the way half-filled.
    """
    if notebook.exists():
        return False
    if not released.is_file():
        raise UserError(f"There is no released notebook {released}. Make it with: headway release")
    if notebook.parent.exists():
        raise UserError(
            f"{notebook.parent} exists but holds no {notebook.name}. Move what is there to another "
            "place, or choose another work folder with --folder."
        )
    work = notebook.parent.parent
    try:
        work.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=work, prefix=".headway-") as scratch:
            whole = Path(scratch) / "copy"
            shutil.copytree(released.parent, whole)
            os.rename(whole, notebook.parent)
    except OSError as error:
        raise UserError(
            f"The work folder {work} cannot be used ({error.strerror}). Expected a folder that you "
            "may write to; choose another with --folder."
        ) from error
    return True
