"""Twins of right answers: the same code with one slip in it.

A slip is what fingers and heads do: the other axis, the neighboring index, the opposite comparison,
the swapped operands, the missing transposition. Each twin has exactly one.
"""

import ast
import copy
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
}
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
NAMES = {
    "tril": "triu",
    "triu": "tril",
    "argmax": "argmin",
    "max": "min",
    "min": "max",
    "sum": "mean",
    "mean": "sum",
    "zeros": "ones",
    "ones": "zeros",
}
AXES = {"axis", "dim", "keepdim", "keepdims"}


def twins(reference: Any) -> Iterator[tuple[str, Any]]:
    """What is different, "line 4: x // y for x % y", and the twin, for each slip.

    Args:
        reference: a function or class of a module; of what has no source there are no twins.
    """
    try:
        source = textwrap.dedent(inspect.getsource(reference))
    except (TypeError, OSError):
        return
    tree = ast.parse(source)
    if not isinstance(tree.body[0], ast.FunctionDef | ast.ClassDef):
        return
    for place, node in enumerate(ast.walk(tree)):
        for change in _slips(node):
            other = copy.deepcopy(tree)
            twin = next(n for i, n in enumerate(ast.walk(other)) if i == place)
            before = ast.unparse(twin)
            after = change(twin)
            if after is not twin:
                _put(other, twin, after)
            text = f"line {node.lineno}: {ast.unparse(after)} for {before}"
            yield text, _made(reference, ast.fix_missing_locations(other))


def _slips(node: ast.AST) -> list[Callable[[Any], ast.AST]]:
    """Changes of one node: each takes its copy, and gives what stands in its place."""
    match node:
        case ast.BinOp(op=ast.Add() | ast.Mult() as op):
            return [_setting("op", OPERATORS[type(op)]())]
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            return [_setting("op", OPERATORS[type(op)]()), _swapped("left", "right")]
        case ast.BinOp(op=ast.MatMult()):
            return [_swapped("left", "right")]
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            return [_setting("ops", [COMPARISONS[type(op)]()])]
        case ast.Subscript(slice=ast.Slice(None, ast.UnaryOp(ast.USub(), one), None)):
            return [_setting("slice", ast.Slice(one, None, None))]
        case ast.Subscript(slice=ast.Slice(ast.Constant(int()) as one, None, None)):
            return [_setting("slice", ast.Slice(None, ast.UnaryOp(ast.USub(), one), None))]
        case ast.UnaryOp(ast.USub(), ast.Constant(int(n))):
            nearer = [lambda twin: _number(-n + 1)] if n > 1 else []
            return [lambda twin: _number(-n - 1), *nearer]
        case ast.Constant(value) if type(value) is int:
            less = [lambda twin: _number(0)] if value == 1 else []
            return [lambda twin: _number(value + 1), *less]
        case ast.Attribute(attr="T" | "mT"):
            return [lambda twin: twin.value]
        case ast.Call(ast.Attribute(attr="transpose" | "mT" | "swapaxes" | "sqrt")) if node.args:
            return [lambda twin: twin.func.value if len(twin.args) > 1 else twin.args[0]]
        case ast.Attribute(attr=name) | ast.Name(name) if name in NAMES:
            key = "attr" if isinstance(node, ast.Attribute) else "id"
            return [_setting(key, NAMES[name])]
        case ast.Call(keywords=[_, *_]) if any(k.arg in AXES for k in node.keywords):
            return [_without_keyword]
        case ast.UnaryOp(ast.Not()):
            return [lambda twin: twin.operand]
        case ast.BoolOp(op):
            return [_setting("op", ast.Or() if isinstance(op, ast.And) else ast.And())]
    return []


def _setting(name: str, value: Any) -> Callable[[Any], ast.AST]:
    def change(twin):
        setattr(twin, name, value)
        return twin

    return change


def _swapped(one: str, other: str) -> Callable[[Any], ast.AST]:
    def change(twin):
        mine, theirs = getattr(twin, one), getattr(twin, other)
        setattr(twin, one, theirs)
        setattr(twin, other, mine)
        return twin

    return change


def _without_keyword(twin: ast.Call) -> ast.AST:
    at = next(i for i, keyword in enumerate(twin.keywords) if keyword.arg in AXES)
    del twin.keywords[at]
    return twin


def _number(value: int) -> ast.AST:
    return ast.parse(str(value), mode="eval").body


def _put(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(item is old for item in value):
                value[[item is old for item in value].index(True)] = new


def _made(reference: Any, tree: ast.AST) -> Any:
    names = dict(vars(sys.modules[reference.__module__]))
    exec(compile(tree, f"<twin of {reference.__name__}>", "exec"), names)
    return names[reference.__name__]
