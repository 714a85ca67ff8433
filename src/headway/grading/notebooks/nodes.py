"""Parts of a notebook, made without a check of each: the notebook is checked when it is written.

nbformat's own functions hold every part against the schema, one by one and the slow way: for a
notebook of 48 cells that took a third of a worker's time.
"""

from typing import Any

from nbformat import NotebookNode, current_nbformat, current_nbformat_minor, from_dict

PARTS = {
    "stream": {"name": "stdout", "text": ""},
    "display_data": {"data": {}, "metadata": {}},
    "execute_result": {"data": {}, "metadata": {}, "execution_count": None},
    "error": {"ename": "", "evalue": "", "traceback": []},
}


class OwnNotebook(NotebookNode):
    """A notebook of whoever hands it on, who has no other use for it: a copy is itself.

    nbconvert copies what it converts, three times; for a notebook of a hundred outputs that takes
    longer than what it then does.
    """

    def __deepcopy__(self, memo: dict) -> "OwnNotebook":
        return self


def new_notebook(cells: list[NotebookNode], metadata: dict) -> NotebookNode:
    """A notebook of the current format."""
    version = {"nbformat": current_nbformat, "nbformat_minor": current_nbformat_minor}
    return NotebookNode(cells=cells, metadata=from_dict(metadata), **version)


def new_cell(is_code: bool, source: str, metadata: dict | None = None) -> NotebookNode:
    """A code cell without outputs, or a Markdown cell; whoever makes it gives it its id."""
    kind = "code" if is_code else "markdown"
    more = {"outputs": [], "execution_count": None} if is_code else {}
    cell = {"cell_type": kind, "id": "", "metadata": metadata or {}, "source": source, **more}
    return from_dict(cell)


def new_output(kind: str, **parts: Any) -> NotebookNode:
    """An output.

    Args:
        kind: "stream", "display_data", "execute_result" or "error".
        parts: what it holds, as nbformat names it.

    Raises:
        ValueError: if outputs of this kind hold no such part.
    """
    if unknown := set(parts) - set(PARTS[kind]):
        raise ValueError(f"an output of kind {kind!r} has no {', '.join(sorted(unknown))}")
    return from_dict({"output_type": kind, **PARTS[kind], **parts})
