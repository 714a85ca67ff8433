"""The student's package: what a submission may use while it is graded.

It is a folder of copies, bound in the package's place. What answers the assignment's tasks is not
there: the chapter's own implementations, the tasks, the grading, and whatever imports any of
these, since it could not be imported anyway. Nothing can be found that was never copied: no
byte code, no history, no path of the checkout.
"""

import shutil
from collections.abc import Collection
from pathlib import Path

from headway.imports import ImportGraph, own_imports

# The probe knows no task; the check is replaced by one that only hands the answer over.
CHECK, OFFER = "headway.tasks.check", "headway.tasks.offer"
PROBE = "headway.tasks.engine.probe"
OPEN_TASKS = ("headway.tasks", "headway.tasks.engine", PROBE, CHECK)
# No notebook uses these.
CLOSED = ("book", "chapters", "cli", "commands", "grading", "imports")
DATA = (".css", ".js")


def make_student_package(
    folder: Path, hidden_modules: Collection[str], given: Collection[str] = ()
) -> None:
    """Make the student's package from the installed one.

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
