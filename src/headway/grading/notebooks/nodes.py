"""Create parts of a notebook without validating each; the notebook is validated when written.

nbformat's own functions validate every single part, which is slow: for a notebook of 48 cells it
took a third of a worker's time.
"""

from typing import Any

from nbformat import NotebookNode, current_nbformat, current_nbformat_minor, from_dict

PARTS = {
    "stream": {"name": "stdout", "text": ""},
    "display_data": {"data": {}, "metadata": {}},
    "execute_result": {"data": {}, "metadata": {}, "execution_count": None},
    "error": {"ename": "", "evalue": "", "traceback": []},
}


def new_notebook(cells: list[NotebookNode], metadata: dict) -> NotebookNode:
    """A notebook of the current format."""
    version = {"nbformat": current_nbformat, "nbformat_minor": current_nbformat_minor}
    return NotebookNode(cells=cells, metadata=from_dict(metadata), **version)


def new_cell(is_code: bool, source: str, metadata: dict | None = None) -> NotebookNode:
    """A code cell without outputs, or a Markdown cell; the caller must set its id."""
    kind = "code" if is_code else "markdown"
    more = {"outputs": [], "execution_count": None} if is_code else {}
    cell = {"cell_type": kind, "id": "", "metadata": metadata or {}, "source": source, **more}
    return from_dict(cell)


def new_output(kind: str, **parts: Any) -> NotebookNode:
    """An output.

    Args:
        kind: "stream", "display_data", "execute_result" or "error".
        parts: its fields, with nbformat's names.

    Raises:
        ValueError: if outputs of this kind have no such field.
    """
    if unknown := set(parts) - set(PARTS[kind]):
        raise ValueError(f"an output of kind {kind!r} has no {', '.join(sorted(unknown))}")
    return from_dict({"output_type": kind, **PARTS[kind], **parts})
