"""The student's package: what a submission may use while it is graded.

It is a folder of copies, bound in the package's place. What answers the assignment's tasks is not
there: the chapter's own implementations, the tasks, the grading, and whatever imports any of
these, since it could not be imported anyway. Nothing can be found that was never copied: no
byte code, no history, no path of the checkout.
"""

import ast
import shutil
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import headway

# The probe knows no task; the check is replaced by one that only hands the answer over.
CHECK, OFFER = "headway.tasks.check", "headway.tasks.offer"
OPEN_TASKS = ("headway.tasks", "headway.tasks.engine", "headway.tasks.engine.probe", CHECK)
# No notebook uses these.
CLOSED = ("book", "chapters", "cli", "commands", "grading")
DATA = (".css", ".js")


def make_student_package(
    folder: Path, hidden_modules: Collection[str], given: Collection[str] = ()
) -> None:
    """Make the student's package of the installed package.

    Args:
        folder: where it goes; made here.
        hidden_modules: the graded chapter's, "headway.text.vocabulary", that answer its tasks.
        given: modules that the assignment's notebook itself hands to the student; they stay,
            though they may be the chapter's.

    Raises:
        ValueError: if a module to be hidden does not exist, or one that is given needs a hidden
            one.
        FileExistsError: if there is something in the folder's place.
    """
    source = Path(headway.__file__).resolve().parent
    modules = {_name(path, source): path for path in sorted(source.rglob("*.py"))}
    visible = _visible(modules, set(hidden_modules) - set(given), given)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    for name in visible:
        _copy(_played_by(name, modules), folder / modules[name].relative_to(source))
    for path in source.rglob("*"):
        if path.suffix in DATA and _name(_package_of(path), source) in visible:
            _copy(path, folder / path.relative_to(source))


def imported_by(source: str, package: str = "") -> Iterator[str]:
    """Every name that a piece of Python may import, anywhere in it.

    `from a.b import c` gives "a.b" and "a.b.c", since c may be a module.

    Args:
        source: the code.
        package: in which it stands, for relative imports.

    Raises:
        SyntaxError: if it is not Python.
    """
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            parts = [*above, node.module] if node.level else [node.module]
            base = ".".join(part for part in parts if part)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements, however deep: imports are among them, and most of a tree is not."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, ())
            if isinstance(inner, list):
                left += inner


def libraries_for(imports: Collection[str]) -> set[str]:
    """The packages that some imports bring in, those that modules of ours bring in among them.

    Args:
        imports: names of modules.
    """
    source = Path(headway.__file__).resolve().parent
    modules = {_name(path, source): path for path in source.rglob("*.py")}
    seen: set[str] = set()
    new = set(imports)
    while new:
        seen |= new
        ours = _around(new) & set(modules)
        new = {
            n for module in ours for n in _imports_of(module, _played_by(module, modules))
        } - seen
    return {name.partition(".")[0] for name in seen}


def _visible(
    modules: dict[str, Path], hidden_modules: set[str], given: Collection[str]
) -> set[str]:
    if unknown := (hidden_modules | set(given)) - set(modules):
        raise ValueError(
            f"There is no module {', '.join(sorted(unknown))} in the package. Expected names "
            'like "headway.text.vocabulary"; was one renamed, and not in the table of chapters?'
        )
    hidden = {name for name in modules if _is_closed(name)} | hidden_modules
    needs = {name: _needs(name, modules) for name in modules if name not in hidden}
    while more := {name for name in needs if name not in hidden and needs[name] & hidden}:
        hidden |= more
    if lost := hidden & set(given):
        raise ValueError(
            f"The assignment hands out {', '.join(sorted(lost))}, which cannot be imported "
            f"without what is hidden: {', '.join(sorted(hidden_modules))}. Move what is handed "
            "out to a module of its own."
        )
    return set(modules) - hidden


def _is_closed(name: str) -> bool:
    parts = name.split(".")
    return (parts[1:2] == ["tasks"] and name not in OPEN_TASKS) or "".join(parts[1:2]) in CLOSED


def _needs(name: str, modules: dict[str, Path]) -> set[str]:
    """The modules of the package that one imports, with the packages around each, and its own."""
    names = {*_imports_of(name, _played_by(name, modules)), name}
    return _around(names) & set(modules) - {name}


def _played_by(name: str, modules: dict[str, Path]) -> Path:
    """The file that stands in a module's place."""
    return modules[OFFER if name == CHECK else name]


@cache
def _imports_of(name: str, path: Path) -> frozenset[str]:
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    return frozenset(imported_by(path.read_text(encoding="utf-8"), package))


def _around(names: Collection[str]) -> set[str]:
    """Modules, and the packages around each."""
    return {".".join(n.split(".")[:length]) for n in names for length in range(1, n.count(".") + 2)}


def _name(path: Path, source: Path) -> str:
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _package_of(path: Path) -> Path:
    """The nearest package that a file belongs to, as its `__init__.py`."""
    return next(p for p in (f / "__init__.py" for f in path.parents) if p.is_file())


def _copy(path: Path, target: Path) -> None:
    """Copy a file so that everyone can read it: the sandbox belongs to nobody."""
    for folder in reversed(target.parents):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)
    shutil.copyfile(path, target)
    target.chmod(0o644)
