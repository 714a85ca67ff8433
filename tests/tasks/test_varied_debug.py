"""What the debug tasks of a varied assignment owe, with each fault that the seeds draw."""

import re

import nbformat
import pytest
from nbgrader.utils import is_grade, is_locked

from headway.chapters import ASSIGNMENTS, solution_notebook
from headway.grading.nbgrader.starter_code import ReleaseStarterCode
from headway.grading.settings import STUB
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.variation import variants_of, vary
from tests.full import seeds

DRAWN = range(10)
LISTING = re.compile(r"```(?:\w*)\n(.*?)```", re.DOTALL)
NUMBERED = re.compile(r" ?(\d+)(?: {1,2}(.*))?")
GIVEN = re.compile(r"### GIVEN\n(.*?)### END", re.DOTALL)

each_varied = pytest.mark.parametrize(
    "chapter",
    [chapter for chapter in ASSIGNMENTS if variants_of(chapter.name)],
    ids=lambda chapter: chapter.name,
)


def name_of(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def repair_of(notebook):
    return next(cell for cell in notebook.cells if "### GIVEN" in cell.source)


def varied(chapter):
    """A notebook for each fault, which is not the published one."""
    notebook = nbformat.read(solution_notebook(chapter), as_version=4)
    published, found = repair_of(notebook).source, {}
    for seed in DRAWN:
        notebook = nbformat.read(solution_notebook(chapter), as_version=4)
        vary(notebook, chapter.name, seed)
        found[repair_of(notebook).source] = notebook
    assert published not in found
    return found.values()


def handed_out(cell):
    clear = ReleaseStarterCode(code_stub={"python": STUB})
    return clear.preprocess_cell(cell.copy(), {"language": "python"}, 0)[0].source


def answer(notebook, name, source):
    """What has the name after the setup, the locked cells of the debug part, and the source."""
    names, runs = {}, False
    for cell in notebook.cells:
        if cell is repair_of(notebook):
            break
        runs = runs or name_of(cell) == "part-debug"
        shown = runs and is_locked(cell) and not is_grade(cell)
        if cell.cell_type == "code" and (shown or name_of(cell) == "setup"):
            exec(cell.source, names)
    exec(source, names)
    return names[name]


@each_varied
def test_the_given_function_earns_nothing_and_the_repaired_one_all(chapter):
    for notebook in varied(chapter):
        repair = repair_of(notebook)
        (task,) = (
            task for task in tasks_of(chapter.name) if task.id.endswith(f"/{name_of(repair)}")
        )
        given, mended = (
            answer(notebook, task.answer, source) for source in (handed_out(repair), repair.source)
        )
        for seed in seeds(1):
            assert judge(task, given, seed).score == 0
            assert judge(task, mended, seed).score == task.points


@each_varied
def test_the_listing_shows_the_given_function_and_the_number_is_that_of_the_faulty_line(chapter):
    for notebook in varied(chapter):
        sources = {name_of(cell): cell.source for cell in notebook.cells}
        (listing,) = (
            LISTING.search(sources[name])[1]
            for name in ("part-debug", "ask-faulty-line")
            if LISTING.search(sources[name])
        )
        found = [NUMBERED.fullmatch(line).groups() for line in listing.splitlines()]
        assert [int(number) for number, _ in found] == [*range(1, len(found) + 1)]
        lines = [(line or "").strip() for _, line in found]
        repair = repair_of(notebook)
        assert {*lines} <= {"", *map(str.strip, handed_out(repair).splitlines())}
        faulty = lines[int(re.search(r"^    (\d+)$", sources["faulty-line"], re.MULTILINE)[1]) - 1]
        assert f"# {faulty}" in map(str.strip, GIVEN.search(repair.source)[1].splitlines())
