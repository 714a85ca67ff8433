"""The student's package: the part of this package that a submission may use in grading.

It is a folder of copies that replaces the package in the sandbox. Modules that answer the
assignment's tasks are left out: the chapter's own implementations, the tasks, the grading, and all
modules that import any of these. Only sources are copied: no byte code, no history, and no path of
the checkout.
"""

import shutil
from collections.abc import Collection
from pathlib import Path

from headway.imports import ImportGraph, own_imports

# The probe contains no tasks. The check is replaced by one that does nothing.
CHECK, OFFER = "headway.tasks.check", "headway.tasks.offer"
PROBE = "headway.tasks.engine.probe"
OPEN_TASKS = ("headway.tasks", "headway.tasks.engine", PROBE, CHECK)
# Parts that no notebook uses.
CLOSED = ("book", "chapters", "cli", "commands", "grading", "imports")
DATA = (".css", ".js")


def make_student_package(
    folder: Path, hidden_modules: Collection[str], given: Collection[str] = ()
) -> None:
    """Create the student's package from the installed one.

    Args:
        folder: its path, which is created.
        hidden_modules: modules that answer the assignment's tasks, "headway.text.vocabulary".
        given: modules that the assignment's notebook imports; they stay, even if they belong to
            the chapter.

    Raises:
        ValueError: if a hidden module does not exist, or a given one imports a hidden one.
        FileExistsError: if the folder exists.
    """
    imports = own_imports()
    source = imports.file("headway").parent
    visible = _visible(imports, set(hidden_modules) - set(given), given)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    for name in visible:
        played_by = OFFER if name == CHECK else name
        _copy(imports.file(played_by), folder / imports.file(name).relative_to(source))
    packages = {imports.file(name) for name in visible}
    for path in source.rglob("*"):
        if path.suffix in DATA and _package_of(path) in packages:
            _copy(path, folder / path.relative_to(source))


def _visible(
    imports: ImportGraph, hidden_modules: set[str], given: Collection[str]
) -> frozenset[str]:
    if unknown := (hidden_modules | set(given)) - imports.modules:
        raise ValueError(
            f"There is no module {', '.join(sorted(unknown))} in the package. Expected names "
            'like "headway.text.vocabulary"; was one renamed, and not in the table of chapters?'
        )
    hidden = {name for name in imports.modules if _is_closed(name)} | hidden_modules
    hidden |= imports.needing(hidden) - {CHECK}
    if lost := hidden & set(given):
        raise ValueError(
            f"The assignment hands out {', '.join(sorted(lost))}, which cannot be imported "
            f"without what is hidden: {', '.join(sorted(hidden_modules))}. Move what is handed "
            "out to a module of its own."
        )
    return imports.modules - hidden


def _is_closed(name: str) -> bool:
    if name in OPEN_TASKS or name.startswith(f"{PROBE}."):
        return False
    return "".join(name.split(".")[1:2]) in ("tasks", *CLOSED)


def _package_of(path: Path) -> Path:
    """The `__init__.py` of the innermost package that contains a file."""
    return next(p for p in (f / "__init__.py" for f in path.parents) if p.is_file())


def _copy(path: Path, target: Path) -> None:
    """Copy a file, readable by everyone, since the sandbox may run as user nobody."""
    for folder in reversed(target.parents):
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)
    shutil.copyfile(path, target)
    target.chmod(0o644)
