"""Write the right values of an assignment's solution into its checks, where they are others.

In a task that asks for a value, the right one is what the solution in the notebook gives. If an
instructor changed it, the package's own value is no longer right, so the check cell brings the new
one: `check("01-one-hot/dot", dot, "Mi41")`. It goes for the student's check and for grading.
"""

import ast
import contextlib
import io
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from nbformat import NotebookNode

from headway.errors import UserError
from headway.grading.notebooks.check_calls import (
    check_call,
    checked_task,
    names_in_source,
    with_right_value,
)
from headway.tasks.engine.find import find_task
from headway.tasks.engine.judge import is_stub, judge
from headway.tasks.engine.probe.plain import UnplainError, plain
from headway.tasks.engine.right_value import coded
from headway.tasks.engine.task import Task
from headway.tasks.engine.unseen_text.cell import makes


def write_right_values(notebook: NotebookNode) -> None:
    """Bring the checks of a notebook with solutions up to date; a check without a solution stays.

    The cells of solutions run in this process: the notebook must be the instructor's own.

    Raises:
        UserError: if a solution can't be run, or gives no plain value.
    """
    before: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        task = checked_task(cell)
        if task is None:
            before.append(cell.source)
        elif task.secret and cell.metadata.get("nbgrader", {}).get("grade"):
            call = check_call(cell.source)
            value = _value(find_task(task.id), call.answer, before)
            if not is_stub(value):
                cell.source = with_right_value(cell.source, _right(find_task(task.id), value))


def _right(task: Task, value: Any) -> str:
    """The value as the check must bring it; empty if the package's own is the same."""
    if judge(task, value).status == "passed":
        return ""
    try:
        return coded(plain(value))
    except (UnplainError, TypeError, ValueError) as error:
        raise UserError(
            f"The solution of {task.id} gives {value!r:.60}, and no check can hold that: {error}. "
            "Expected numbers, texts, or lists of them."
        ) from error


def _value(task: Task, expression: str, before: list[str]) -> Any:
    """What a solution gives; None if there is none.

    Its cell runs with the imports that it uses or, if that isn't enough, after all earlier cells.
    """
    made = [place for place, source in enumerate(before) if makes(expression, source)]
    if not made:
        return None
    earlier, own = list(filter(_is_plain_python, before[: made[-1]])), before[made[-1]]
    try:
        try:
            return _run([*_imports(earlier, own), own], expression)
        except NameError:
            return _run([*earlier, own], expression)
    except Exception as error:
        raise UserError(
            f"The solution of {task.id} can't be run, but its value is what the check asks for. "
            f"{type(error).__name__}: {error}. Mend that cell in the notebook with the solution."
        ) from error


def _run(sources: Iterable[str], expression: str) -> Any:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        for source in sources:
            exec(compile(source, "<solution>", "exec"), namespace)
        return eval(expression, namespace)


def _imports(sources: Iterable[str], own: str) -> Iterator[str]:
    """The import statements of cells that bind a name of another cell."""
    names = names_in_source(own)
    for source in sources:
        for node in ast.parse(source).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                bound = {(a.asname or a.name).partition(".")[0] for a in node.names}
                if bound & names:
                    yield ast.unparse(node)


def _is_plain_python(source: str) -> bool:
    """Whether a cell is Python without IPython's magics."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True
