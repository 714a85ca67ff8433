"""Running a notebook cell by cell in a fresh kernel, without touching its file."""

from collections.abc import Callable
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode

from headway.grading.settings import CELL_SECONDS, KERNEL_ARGUMENTS


def run_notebook(
    notebook: NotebookNode,
    folder: Path,
    advance: Callable[[], None] = lambda: None,
    seconds: int = CELL_SECONDS,
) -> bool:
    """Execute all cells in place; a cell that raises or takes too long does not stop the rest.

    Args:
        notebook: a notebook in memory; its outputs are replaced.
        folder: the working directory of the kernel.
        advance: called after each cell.
        seconds: that a cell may take.

    Returns:
        whether the kernel lived to the end.
    """
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=list(KERNEL_ARGUMENTS),
        allow_errors=True,
        timeout=seconds,
        interrupt_on_timeout=True,
        error_on_timeout={
            "ename": "CellTimeoutError",
            "evalue": f"the cell took more than {seconds} seconds and was stopped",
            "traceback": [],
        },
    )
    try:
        with client.setup_kernel():
            for index, cell in enumerate(notebook.cells):
                client.execute_cell(cell, index)
                advance()
    except DeadKernelError:
        return False
    return True
