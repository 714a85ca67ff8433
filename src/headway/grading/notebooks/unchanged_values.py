"""Find questions whose text an instructor changed, and whose right value stayed the published one.

Either the new text asks for the same, or the solution was forgotten.
"""

from collections.abc import Iterable

from nbformat import NotebookNode

from headway.grading.notebooks.check_calls import check_call, checked_task
from headway.grading.notebooks.points import is_graded

IS_THAT_MEANT = "is that meant?"


def questions_with_old_values(release: NotebookNode, published: NotebookNode) -> tuple[str, ...]:
    """A sentence for each task that asks for a value, in another text, and for the same value.

    Args:
        release: what an instructor releases.
        published: the course's own release.
    """
    before = _questions(published)
    return tuple(
        f"The text of {name} differs from the published one, but its solution's value doesn't: "
        f"{IS_THAT_MEANT}"
        for name, (texts, right) in _questions(release).items()
        if not right and name in before and before[name][0] != texts
    )


def _questions(notebook: NotebookNode) -> dict[str, tuple[list[str], str]]:
    """For each task that asks for a value: its texts, and the right value that its check brings."""
    found, texts = {}, []
    for cell in notebook.cells:
        task = checked_task(cell)
        if task and task.secret:
            name = task.id.partition("/")[2]
            found[name] = list(_words(texts)), check_call(cell.source).right
        if is_graded(cell):
            texts = []
        elif cell.cell_type == "markdown":
            texts.append(cell.source)
    return found


def _words(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        yield from text.split()
