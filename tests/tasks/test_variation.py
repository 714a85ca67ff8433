"""Variants fit their assignments, and the published solution doesn't fit the variants."""

import ast
import copy
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.grading.nbgrader.starter_code import COMMENT, REGION
from headway.grading.notebooks.check_calls import check_call, checked_task
from headway.grading.notebooks.right_values import write_right_values
from headway.tasks.engine.find import find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.variation import apply_changes, variants_of, vary
from tests.each import each_chapter

SEEDS = range(10)
MARK = re.compile(r"^[ \t]*### (BEGIN|END) SOLUTION\n", re.M)


@pytest.fixture(scope="module")
def published(root):
    """Gives an assignment with its solution."""
    notebooks = {}

    def read(chapter):
        if chapter.name not in notebooks:
            path = root / "solutions" / chapter.notebook
            notebooks[chapter.name] = nbformat.read(path, as_version=4)
        return copy.deepcopy(notebooks[chapter.name])

    return read


def varied(notebook, assignment, seed):
    vary(notebook, assignment, seed)
    write_right_values(notebook)
    return notebook


def sources(notebook):
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in notebook.cells}


def changed_tasks(before, after):
    """The tasks with a text or a code that a variant changed."""
    names = [name for name, source in sources(before).items() if source != sources(after)[name]]
    return {name.removeprefix("ask-").removeprefix("check-") for name in names}


@each_chapter
def test_every_chapter_has_variants_of_its_questions_and_of_its_fault(chapter, published):
    before = published(chapter)
    after = varied(published(chapter), chapter.name, 0)
    tasks = tasks_of(chapter.name)
    asked = {task.id.partition("/")[2] for task in tasks if task.secret}
    assert asked <= changed_tasks(before, after)


@each_chapter
def test_a_value_that_is_varied_is_never_the_published_one(chapter, published):
    before = sources(published(chapter))
    for seed in SEEDS:
        after = varied(published(chapter), chapter.name, seed)
        for cell in after.cells:
            task = checked_task(cell)
            name = task.id.partition("/")[2] if task else ""
            if task and task.secret and before[f"ask-{name}"] != sources(after)[f"ask-{name}"]:
                assert check_call(cell.source).right, f"{task.id} is still right with seed {seed}"
                assert judge(task, find_task(task.id).reference).score == 0
                assert judge(task, task.reference).status == "passed"


@each_chapter
def test_a_seed_gives_its_own_notebook(chapter, published):
    texts = [str(sources(varied(published(chapter), chapter.name, seed))) for seed in (*SEEDS, 0)]
    assert len(set(texts)) == len(SEEDS)
    assert texts[0] == texts[-1]


@each_chapter
def test_faulty_code_that_is_handed_out_earns_nothing_and_its_repair_everything(chapter, published):
    known = {}
    for seed in SEEDS:
        after = varied(published(chapter), chapter.name, seed)
        for task in tasks_of(chapter.name):
            name = task.id.partition("/")[2]
            source = sources(after).get(name, "")
            if task.kind != "debug" or task.secret or source in known:
                continue
            known[source] = True
            handed_out = REGION.sub(lambda region: COMMENT.sub(r"\1", region[1]), source)
            repaired = MARK.sub(
                "", re.sub(r"^[ \t]*### GIVEN\n(.*\n)*?(?=[ \t]*### END)", "", source, flags=re.M)
            )
            assert judge(task, run(after, task, handed_out)).score == 0, handed_out
            assert judge(task, run(after, task, repaired)).status == "passed", repaired
    assert len(known) > 1


def run(notebook, task, source):
    """What a task's cell gives, with this source, behind the imports and functions above it."""
    place = list(sources(notebook)).index(task.id.partition("/")[2])
    nodes = [
        node
        for cell in notebook.cells[:place]
        if cell.cell_type == "code"
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef)
    ]
    namespace = {"__name__": "__main__"}
    exec(compile(ast.Module(nodes, []), "<notebook>", "exec"), namespace)
    exec(source, namespace)
    return namespace[task.answer]


def notebook_of(**cells):
    return new_notebook(
        cells=[
            new_code_cell(source, metadata={"nbgrader": {"grade_id": name}})
            for name, source in cells.items()
        ]
    )


def test_changes_are_made_at_once_and_none_in_what_another_one_wrote():
    notebook = notebook_of(ask="1 and 2", other="1")
    apply_changes(notebook, [{"ask": [("1", "2"), ("2", "3")]}, {"other": [("1", "one")]}])
    assert sources(notebook) == {"ask": "2 and 3", "other": "one"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ask": [("3", "4")]}, "'3' exactly once in the cell 'ask', but it is there 0 times"),
        ({"ask": [("a", "b")]}, "'a' exactly once in the cell 'ask', but it is there 2 times"),
        ({"ask": [("", "b")]}, "exactly once"),
        ({"ask": [("1 a", "x"), ("a 2", "x")]}, "overlap in the cell 'ask'"),
        ({"asked": [("1", "2")]}, "no cell 'asked'"),
    ],
)
def test_what_does_not_fit_changes_nothing_and_names_cell_and_text(changes, said):
    notebook = notebook_of(first="1", ask="1 a 2 a")
    with pytest.raises(ValueError, match=said):
        apply_changes(notebook, [{"first": [("1", "2")]}, changes])
    assert sources(notebook) == {"first": "1", "ask": "1 a 2 a"}


def test_an_assignment_without_variants_stays_as_it_is():
    assert variants_of("20-capstone") == ()
    assert variants_of("no-such-assignment") == ()
