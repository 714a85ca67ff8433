"""Read the verdicts in the outputs of an executed notebook's checks.

A process that ran a student's code wrote these outputs, so they are untrusted. A verdict needs a
known task, a known status, a misconception from that task's catalogue, a finite score within
bounds and a reason of limited length. Anything else is ignored.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from io import StringIO
from keyword import iskeyword
from tokenize import TokenError, generate_tokens
from typing import Any, get_args

from headway.grading.safe_text import in_lines, one_line
from headway.tasks.check import MIME
from headway.tasks.engine.find import UnknownTaskError
from headway.tasks.engine.requirements import hints_of
from headway.tasks.engine.right_value import find_checked
from headway.tasks.engine.task import Task
from headway.tasks.engine.verdict import Status

LONGEST_READ = 20_000  # characters of a student's code that are searched for names
LONGEST_DETAILS = 8_000  # characters of a check's details on a case
UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
NO_MODULE = re.compile(r"No module named '([^\W_]\w{0,80})[.']")
NUMBERED_FILE = re.compile(r"(?<=\()\d+\.py, (?=line \d+\)$)")  # IPython's file name of a cell
ERROR_NUMBER = re.compile(r"\A\[Errno \d+\] ")
LONGEST_KEPT = 1_000  # characters of a check cell that is cached; a class shares them


@dataclass(frozen=True)
class TaskResult:
    """The result of one task: a row of a report.

    Attributes:
        measured: metrics of the answer by name, if the task has a leaderboard.
        listed_as: the student's name on the leaderboard; empty if the student is not listed.
    """

    status: str
    score: float
    max: float
    misconception: str | None = None
    reason: str | None = None
    measured: Mapping[str, float] = field(default_factory=dict)
    listed_as: str = ""

    def as_dict(self) -> dict:
        """The row as JSON data; empty leaderboard fields are left out."""
        return {
            name: part
            for name, part in asdict(self).items()
            if part or name not in ("measured", "listed_as")
        }


@dataclass(frozen=True)
class CheckCall:
    """A statement `check("…", answer)` in a cell.

    Attributes:
        task_id: the task's id, as written.
        answer: the expression for the answer.
        rest: the cell's other statements.
        right: the right value that the cell brings, coded; empty if it brings none.
        statement: its own text.
    """

    task_id: str
    answer: str
    rest: str
    right: str
    statement: str


def check_call(source: str) -> CheckCall | None:
    """The check in a cell's source; None if there is none."""
    try:
        return (_read_check if len(source) <= LONGEST_KEPT else _read_check.__wrapped__)(source)
    except (RecursionError, MemoryError):  # may succeed later, so this is not cached
        return None


@lru_cache(maxsize=256)
def _read_check(source: str) -> CheckCall | None:
    try:
        tree = ast.parse(source)
        for node in tree.body:
            match node:
                case ast.Expr(
                    ast.Call(ast.Name("check"), [ast.Constant(str(task_id)), answer], [])
                ):
                    right = ""
                case ast.Expr(
                    ast.Call(
                        ast.Name("check"),
                        [ast.Constant(str(task_id)), answer, ast.Constant(str(right))],
                        [],
                    )
                ):
                    pass
                case _:
                    continue
            tree.body.remove(node)
            statement = ast.get_source_segment(source, node)
            return CheckCall(task_id, ast.unparse(answer), ast.unparse(tree), right, statement)
    except (SyntaxError, ValueError):
        pass
    return None


def asked_in(source: str) -> str | tuple[str, str, str]:
    """What a cell says, whatever right value its check brings."""
    call = check_call(source)
    return (call.task_id, call.answer, call.rest) if call else source


def with_right_value(source: str, right: str) -> str:
    """The source of a check cell that brings another right value; none if `right` is empty."""
    call = check_call(source)
    if call.right == right:
        return source
    arguments = [f'"{call.task_id}"', call.answer, *([f'"{right}"'] if right else [])]
    return source.replace(call.statement, f"check({', '.join(arguments)})", 1)


def names_in_source(source: str) -> set[str]:
    """Names that code reads, in its first `LONGEST_READ` characters and up to a syntax error."""
    names: set[str] = set()
    last = before = ""
    try:
        for token in generate_tokens(StringIO(source[:LONGEST_READ]).readline):
            if last.isidentifier() and before not in (".", "def", "class") and token.string != "=":
                names.add(last)
            before, last = last, token.string
    except (SyntaxError, TokenError):  # an unfinished string, say
        pass
    return {name for name in names if not iskeyword(name)}


def checked_task(cell) -> Task | None:
    """The task that a notebook cell checks; None if there is none, or its id is unknown."""
    call = check_call(cell.source) if cell.cell_type == "code" else None
    try:
        return find_checked(call.task_id, call.right) if call else None
    except UnknownTaskError:
        return None


def read_verdict(cell, task: Task) -> TaskResult | None:
    """The verdict among a check cell's outputs; None if there is no valid one."""
    for output in cell.get("outputs", []):
        if MIME in output.get("data", {}):
            return _validated(output["data"][MIME], task)
    return None


def details_in(cell) -> str:
    """The details on the first failed case from a check cell's card, as lines; may be empty.

    They are only for the student's own terminal, and in no report.
    """
    for output in cell.get("outputs", []):
        data = output.get("data", {}).get(MIME)
        if isinstance(data, dict) and isinstance(data.get("details"), str):
            return in_lines(data["details"][:LONGEST_DETAILS])
    return ""


def result_of(cell, task: Task) -> TaskResult:
    """The verdict of a check cell, or, if it has none, a failure with the reason."""
    verdict = read_verdict(cell, task)
    if verdict:
        return verdict
    for output in cell.get("outputs", []):
        if output.get("output_type") == "error":
            reason = one_line(f"{output.get('ename')}: {output.get('evalue')}")
            return TaskResult("failed", 0.0, task.points, None, reason)
    return TaskResult("failed", 0.0, task.points, None, "The check gave no result.")


def unreadable(outputs: Iterable[Mapping]) -> str:
    """A sentence on what could not be read, among outputs of cells: a cell, because of a syntax
    error, or a file that was not found; empty if there is neither."""
    for output in outputs:
        if output.get("output_type") != "error":
            continue
        said = one_line(str(output.get("evalue")), 200)
        if output.get("ename") in UNREADABLE:
            said = NUMBERED_FILE.sub("", said)
            return f"Python can't read this cell, so none of it ran: {said}."
        if output.get("ename") == "FileNotFoundError":
            said = ERROR_NUMBER.sub("", said).rstrip(".")
            return (
                f"This cell did not find a file: {said}. Code sees only what is handed in with the "
                "notebook."
            )
    return ""


def not_installed(outputs: Iterable[Mapping]) -> str:
    """A sentence on the first package that was not found among outputs of cells; or empty."""
    for output in outputs:
        if output.get("output_type") == "error" and output.get("ename") == "ModuleNotFoundError":
            found = NO_MODULE.match(str(output.get("evalue")))
            if found and found[1] != "headway":
                return (
                    f"{found[1]} is not installed where submissions run, so the cell that imports "
                    "it stopped there."
                )
    return ""


def _validated(data: Any, task: Task) -> TaskResult | None:
    if not isinstance(data, dict) or data.get("task") != task.id:
        return None
    status, score = data.get("status"), data.get("score")
    if status not in get_args(Status) or type(score) not in (int, float):
        return None
    if not 0 <= score <= task.points:  # NaN compares false
        return None
    name = data.get("misconception")
    if not isinstance(name, str) or name not in hints_of(task):
        name = None
    reason = data.get("reason")
    reason = one_line(reason) if isinstance(reason, str) and reason else None
    return TaskResult(status, float(score), task.points, name, reason)
