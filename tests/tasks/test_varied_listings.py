"""The listing of a varied debug task shows the function that is handed out below it."""

import re

import nbformat
import pytest

from headway.chapters import ASSIGNMENTS, solution_notebook
from headway.grading.nbgrader.starter_code import COMMENT, REGION
from headway.tasks.engine.variation import variants_of, vary

LISTING = re.compile(r"```\n(.*?)```", re.DOTALL)
NUMBERED = re.compile(r" ?(\d+)(?: {1,2}(.*))?")
LINE = re.compile(r"^    (\d+)$", re.MULTILINE)

each_varied = pytest.mark.parametrize(
    "chapter",
    [chapter for chapter in ASSIGNMENTS if variants_of(chapter.name)],
    ids=lambda chapter: chapter.name,
)


@each_varied
def test_the_listing_is_the_given_function_and_the_number_that_of_its_faulty_line(chapter):
    for seed in range(10):
        notebook = nbformat.read(solution_notebook(chapter), as_version=4)
        vary(notebook, chapter.name, seed)
        sources = {cell.metadata.nbgrader.grade_id: cell.source for cell in notebook.cells}
        questions = (sources["part-debug"], sources["ask-faulty-line"])
        (listing,) = (found[1] for found in map(LISTING.search, questions) if found)
        numbers, lines = zip(
            *(NUMBERED.fullmatch(line).groups("") for line in listing.splitlines()), strict=True
        )
        assert [int(number) for number in numbers] == [*range(1, len(numbers) + 1)]

        (repair,) = (source for source in sources.values() if "### GIVEN" in source)
        region = REGION.search(repair)
        given = COMMENT.sub(r"\1", region[1])
        function = repair.replace(region[0], given)
        assert {*map(bare, lines)} <= {"", *map(bare, function.splitlines())}
        faulty = lines[int(LINE.search(sources["faulty-line"])[1]) - 1]
        assert bare(faulty) in map(bare, given.splitlines())


def bare(line):
    """A line without its indent; in a listing, comments may begin in one column."""
    return re.sub(r" +#", "  #", line.strip())
