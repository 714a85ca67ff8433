"""Find the checks in the code of a notebook's cells: `check("08-attention/attend", attend)`."""

import ast
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from keyword import iskeyword
from tokenize import TokenError, generate_tokens

from headway.tasks.engine.find import UnknownTaskError
from headway.tasks.engine.right_value import find_checked
from headway.tasks.engine.task import Task

LONGEST_READ = 20_000  # characters of a student's code that are searched for names
LONGEST_KEPT = 1_000  # characters of a check cell that is cached; a class shares them


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
