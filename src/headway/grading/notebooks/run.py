"""Run a notebook cell by cell in a fresh kernel, without changing its file."""

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
from headway.grading.notebooks.check_calls import checked_task
from headway.grading.safe_text import in_lines
from headway.tasks.engine.unseen_text.refusals import WITH_SLEEP

CELL_SECONDS = 120  # as `Allowance.cell_seconds` is at first
LAST_WORDS = 1_000  # characters of a dying kernel's standard error that are shown


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
        seconds: limit for each cell; a check of a slow task has a higher one.

    Returns:
        whether the kernel was alive at the end.

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
        extra_arguments=["--log-level=CRITICAL"],  # hide complaints of a kernel that ends
        allow_errors=True,
        interrupt_on_timeout=True,
    )
    # asyncio would print warnings about tasks that end with the kernel.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    # A kernel that ends may complain on stderr about closed sockets. The cells' own output is not
    # affected.
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
    """The time limit of a cell. For a task with its own limit of processor time, a multiple of that
    is added, since it may sleep, and the machine may be busy."""
    task = checked_task(cell)
    return CELL_SECONDS + WITH_SLEEP * (task.seconds if task else 0)
