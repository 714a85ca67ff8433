"""Running a notebook cell by cell in a fresh kernel, without touching its file."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from math import ceil
from pathlib import Path
from tempfile import TemporaryFile

from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.notebooks.verdicts import checked_task
from headway.grading.safe_text import in_lines
from headway.tasks.engine.unseen_text import WALL_TIME_FACTOR

CELL_SECONDS = 120
LAST_WORDS = 1_000  # letters of what a kernel says before it is gone


def run_notebook(
    notebook: NotebookNode,
    folder: Path,
    advance: Callable[[], None] = lambda: None,
    seconds: float = CELL_SECONDS,
) -> bool:
    """Execute all cells in place; a cell that raises or takes too long does not stop the rest.

    Args:
        notebook: a notebook in memory; its outputs are replaced.
        folder: the working directory of the kernel.
        advance: called after each cell.
        seconds: that a cell may take; a check of what needs long may take more.

    Returns:
        whether the kernel lived to the end.

    Raises:
        UserError: if the kernel does not start.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=CRITICAL"],  # what a kernel in its last moments complains of
        allow_errors=True,
        interrupt_on_timeout=True,
    )
    # Of tasks that end with the kernel, asyncio would print what they were about.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    # A kernel in its last moments may complain of closed sockets there; what cells write goes
    # another way.
    with TemporaryFile() as complaints, ExitStack() as stack:
        try:
            stack.enter_context(client.setup_kernel(stderr=complaints))
        except RuntimeError as error:
            complaints.seek(0)
            said = in_lines(complaints.read().decode(errors="replace")).strip()[-LAST_WORDS:]
            raise UserError(
                f"Jupyter's kernel does not start: {error}. It said: {said or 'nothing'}\n"
                "Mend that, and see whether `python -m ipykernel --version` works."
            ) from error
        try:
            for index, cell in enumerate(notebook.cells):
                _stop_after(client, ceil(seconds - CELL_SECONDS + seconds_of(cell)))
                client.execute_cell(cell, index)
                advance()
        except DeadKernelError:
            return False
    return True


def _stop_after(client: NotebookClient, seconds: int) -> None:
    client.timeout = seconds
    client.error_on_timeout = {
        "ename": "CellTimeoutError",
        "evalue": f"the cell took more than {seconds} seconds and was stopped",
        "traceback": [],
    }


def seconds_of(cell: NotebookNode) -> float:
    """How long a cell may take: a check of a task with a limit of its own on the processor's time
    may take several times that, where others are at work."""
    task = checked_task(cell)
    return CELL_SECONDS + WALL_TIME_FACTOR * (task.seconds if task else 0)
