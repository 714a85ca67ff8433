"""`headway try`: hold the answer in any Python file to a task."""

import ast
import contextlib
import sys
import traceback
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from headway.commands.console import note, say, say_json
from headway.commands.options import Json
from headway.errors import NOT_PASSED, PASSED, UserError

if TYPE_CHECKING:
    from headway.tasks.engine.task import Task


def attempt(
    task_id: Annotated[
        str, typer.Argument(metavar="TASK", help="The task's id, 01-one-hot/lookup.")
    ],
    path: Annotated[Path, typer.Argument(metavar="FILE.py", help="The file with the answer.")],
    as_json: Json = False,
) -> int:
    """Check the answer in a Python file against a task."""
    from headway.tasks.engine.card import card_text
    from headway.tasks.engine.find import UnknownTaskError, find_task
    from headway.tasks.engine.judge import is_stub, judge
    from headway.tasks.engine.right_value import find_checked
    from headway.tasks.engine.unseen_text.cell import Cell, fit_then_predict, judge_alone

    try:
        task = find_task(task_id)
    except UnknownTaskError as error:
        raise UserError(str(error)) from error
    if path.suffix == ".ipynb":
        raise UserError(
            f"{path} is a notebook. Run its own checks with: headway check {path}. Or give a "
            "Python file with the answer in it."
        )
    module = load(path)
    right = _right_value(task, path)
    task = find_checked(task.id, right)
    if not hasattr(module, task.answer):
        raise UserError(
            f"{path} defines no {task.answer!r}, the name that task {task.id} asks for. "
            f"It defines: {', '.join(_names(module)) or 'nothing'}."
        )
    answer = getattr(module, task.answer)
    if task.verb is fit_then_predict and not is_stub(answer):
        source = path.read_text(encoding="utf-8")
        verdict = judge_alone(task, Cell(source, task.answer, hidden=task.hidden))
    else:
        verdict = judge(task, answer)
    if as_json:
        say_json(verdict.as_dict())
    else:
        say(card_text(verdict))
    if task.secret and not right:
        note(
            "This was the published question. If your notebook has other numbers in it, its own "
            "check knows them: headway check FILE.ipynb"
        )
    return PASSED if verdict.status == "passed" else NOT_PASSED


def _right_value(task: "Task", path: Path) -> str:
    """The right value that the file's own check of a task brings, as a released notebook's does."""
    from headway.grading.notebooks.check_calls import check_call

    source = decode_source(path.read_bytes())
    statements = (ast.get_source_segment(source, node) for node in ast.parse(source).body)
    calls = filter(None, map(check_call, statements))
    return next((call.right for call in calls if call.task_id == task.id), "")


def load(path: Path) -> ModuleType:
    """Execute a Python file as a module; what it prints goes to standard error.

    Raises:
        UserError: if there is no such file or it raises; the message names the line.
    """
    if not path.is_file():
        raise UserError(f"There is no file {path}. Expected a Python file with the answer in it.")
    loader = SourceFileLoader("headway_answer", str(path))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module  # dataclasses look their module up by name
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        with contextlib.redirect_stdout(sys.stderr):
            loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit, too: the file must not end the command
        at = f" in line {line}" if (line := _line(error, path)) else ""
        raise UserError(f"{path} raises {type(error).__name__}{at}: {error}") from error
    finally:
        sys.dont_write_bytecode = before
    return module


def _line(error: BaseException, path: Path) -> int | None:
    """The last line of the file itself that was at work when the error came."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return lines[-1] if lines else None


def _names(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]
