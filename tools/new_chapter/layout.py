"""The files of a new chapter, and where they belong."""

from collections.abc import Iterator
from pathlib import Path

from tools.new_chapter.chapter import FAULTY_LINE, LayoutError, NewChapter
from tools.new_chapter.fill import TEMPLATES, filled
from tools.new_chapter.notebook import notebook
from tools.new_chapter.tables import with_entry, with_row

MOST_LETTERS = 100  # in a line of code


def lay_out(root: Path, chapter: NewChapter) -> list[Path]:
    """Write a chapter's files below `root`, and enter it into the two tables.

    Returns:
        the files that were made, then those that were changed, relative to `root`.

    Raises:
        LayoutError: if the number, the slug or a file is there already.
    """
    table, contents = root / "src/headway/chapters.py", root / "_toc.yml"
    changed = {
        table: with_row(table.read_text(encoding="utf-8"), chapter),
        contents: with_entry(contents.read_text(encoding="utf-8"), chapter),
    }
    made = {root / path: text for path, text in files_of(chapter)}
    if there := [path.relative_to(root).as_posix() for path in made if path.exists()]:
        raise LayoutError(f"There is {', '.join(there)} already. Nothing was written.")
    for path, text in (made | changed).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [path.relative_to(root) for path in (*made, *changed)]


def files_of(chapter: NewChapter) -> Iterator[tuple[str, str]]:
    """Path and text of each file that is the chapter's alone."""
    name, package = chapter.name, chapter.package
    tasks = f"src/headway/tasks/chapters/{package}"
    yield f"book/{name}.md", filled("page.md", chapter)
    yield f"{tasks}/__init__.py", _all_tasks(chapter)
    yield f"{tasks}/predict.py", _by_hand(chapter)
    for task in chapter.tasks:
        if task.kind != "predict":
            template = "repair" if task.kind == "debug" else "write"
            template = "faulty_line" if task.id == FAULTY_LINE else template
            yield f"{tasks}/{task.module}.py", filled(f"tasks/{template}.py", chapter, task)
    yield f"solutions/{name}/{name}.ipynb", notebook(chapter)
    yield f"tests/book/verdicts/{name}.toml", filled("tests/verdicts.toml", chapter)
    yield f"tests/tasks/variants/{package}.py", _variants(chapter)
    yield f"tests/tasks/further/{package}.py", filled("tests/further.py", chapter)
    yield f"tests/tasks/chapters/test_{package}.py", filled("tests/test_tasks.py", chapter)
    for template in sorted((TEMPLATES / "students").glob("*.toml")):
        text = filled(f"students/{template.name}", chapter)
        yield f"tests/assignments/{name}/{template.name}", text


def _all_tasks(chapter: NewChapter) -> str:
    """The package of the chapter's tasks, which names them in order."""
    modules: dict[str, list[str]] = {}
    for task in chapter.tasks:
        modules.setdefault(task.module, []).append(task.variable)
    package = f"headway.tasks.chapters.{chapter.package}"
    imports = [
        _import(f"{package}.{module}", sorted(variables))
        for module, variables in sorted(modules.items())
    ]
    names = [f"    {task.variable}," for task in chapter.tasks]
    return filled("tasks/__init__.py", chapter, imports="\n".join(imports), tasks="\n".join(names))


def _import(module: str, names: list[str]) -> str:
    """An import in the form that `ruff format` gives it."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= MOST_LETTERS:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])


def _by_hand(chapter: NewChapter) -> str:
    """The module of the values that are worked out by hand."""
    tasks = [task for task in chapter.tasks if task.kind == "predict"]
    head = filled("tasks/predict.py", chapter, ids=", ".join(task.id for task in tasks))
    return "\n".join([head, *(filled("tasks/by_hand.py", chapter, task) for task in tasks)])


def _variants(chapter: NewChapter) -> str:
    """The module of right answers in other styles, with a place for each task."""
    places = [f'    "{chapter.name}/{task.id}": {{}},' for task in chapter.tasks]
    return filled("tests/variants.py", chapter, places="\n".join(places))
