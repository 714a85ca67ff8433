"""What answers a task cannot be imported while the task is graded."""

import ast
from importlib import import_module

import nbformat
import pytest

from headway.chapters import ASSIGNMENTS, course_root, hidden_modules
from headway.grading.sandbox.student_package import make_student_package
from headway.imports import imported_names
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from tests.each import each_assignment
from tests.full import full_but

# The first assignment begins from the numbered classes, which its page explains and no task asks.
HANDED_OUT = {"01-one-hot": {"headway.text.categories"}}


def handed_out(chapter) -> set[str]:
    """The hidden modules that the cells of the release import, and that stay for this reason."""
    release = nbformat.read(course_root() / "exercises" / chapter.notebook, as_version=4)
    sources = [cell.source for cell in release.cells if cell.cell_type == "code"]
    return set().union(*map(imported_names, sources)) & set(hidden_modules()[chapter.name])


@each_assignment
def test_a_release_imports_no_module_that_is_hidden_while_it_is_graded(chapter):
    assert handed_out(chapter) == HANDED_OUT.get(chapter.name, set())


@pytest.mark.parametrize(
    "chapter",
    full_but(lambda chapter: chapter.name == "08-attention", ASSIGNMENTS),
    ids=lambda chapter: chapter.name,
)
def test_nothing_that_can_be_imported_answers_a_task_by_its_name(chapter, tmp_path):
    package = tmp_path / "headway"
    make_student_package(package, hidden_modules()[chapter.name], handed_out(chapter))
    asked = {task.answer: task for task in tasks_of(chapter.name) if task.kind != "predict"}
    for path in package.rglob("*.py"):
        for name in asked.keys() & names_in(path.read_text(encoding="utf-8")):
            module = ".".join(path.relative_to(tmp_path).with_suffix("").parts)
            found = getattr(import_module(module.removesuffix(".__init__")), name)
            assert not judge(asked[name], found).score, f"{module} answers {asked[name].id}"


def names_in(source: str) -> set[str]:
    """The functions and classes that a module defines at its top."""
    definitions = ast.FunctionDef | ast.ClassDef
    return {node.name for node in ast.parse(source).body if isinstance(node, definitions)}
