"""A student's file becomes a submission and an expectation, or an error that says what to do."""

import nbformat
import pytest

from headway.tasks.engine.find import tasks_of
from tests.assignments.student_file import StudentFileError, read_student
from tests.grading.classroom import CHAPTER, cell_named, notebook_of, path_of

TASKS = tasks_of(CHAPTER.name)
MISTAKE = TASKS[0].misconceptions[0].name
POINTS = {task.id: task.points for task in TASKS}


@pytest.fixture
def student(tmp_path):
    """Reads a file of these lines, after a sentence on what it is."""

    def read(*lines: str):
        path = tmp_path / "01-one-hot" / "max.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(['about = "A sentence."', *lines]) + "\n", encoding="utf-8")
        return read_student(path, CHAPTER)

    return read


@pytest.fixture
def notebook(student, tmp_path):
    """What a student hands in whose file has these lines."""

    def make(*lines: str):
        student(*lines).hand_in(tmp_path)
        return nbformat.read(path_of(tmp_path, "max"), as_version=4)

    return make


def texts(notebook) -> dict[str, str]:
    return {cell.metadata.nbgrader.grade_id: cell.source for cell in notebook.cells}


def test_without_more_a_student_hands_in_the_solution_and_gets_full_marks(student, notebook):
    assert notebook() == notebook_of(CHAPTER, "solution")
    row = student().expected()
    assert {name: task["score"] for name, task in row["tasks"].items()} == POINTS
    assert (row["status"], row["score"], row["notes"]) == ("graded", sum(POINTS.values()), {})


def test_only_what_the_file_names_differs_from_the_base(student, notebook):
    lines = (
        'untouched = ["pairs"]',
        "[tasks.dot]",
        "score = 0",
        f'misconception = "{MISTAKE}"',
        "answer = '''\ndot = 7\n'''",
    )
    wanted = texts(notebook_of(CHAPTER, "solution"))
    wanted |= {"dot": "dot = 7", "pairs": texts(notebook_of(CHAPTER, "release"))["pairs"]}
    assert texts(notebook(*lines)) == wanted
    row = student(*lines).expected()
    lost = {name for name, task in row["tasks"].items() if task["score"] < POINTS[name]}
    assert lost == {"01-one-hot/dot", "01-one-hot/pairs"}
    assert row["score"] == sum(POINTS.values()) - 5
    assert row["tasks"]["01-one-hot/dot"]["misconception"] == MISTAKE


def test_cells_are_changed_deleted_and_added_on_purpose(student, notebook):
    lines = (
        'deleted = ["end"]',
        'old_output = "7"',
        "[locked]",
        'check-dot = "2.0"',
        "[[added]]",
        'after = "dot"',
        'code = "first"',
        "[[added]]",
        'after = "dot"',
        'markdown = "second"',
    )
    made = notebook(*lines)
    assert cell_named(made, "check-dot").source == "2.0"
    place = made.cells.index(cell_named(made, "dot"))
    added = [(cell.cell_type, cell.source) for cell in made.cells[place + 1 : place + 3]]
    assert added == [("code", "first"), ("markdown", "second")]
    assert made.cells[place].outputs[0].text == "7"
    assert "end" not in {c.metadata.get("nbgrader", {}).get("grade_id") for c in made.cells}
    assert student(*lines).expected()["notes"] == {
        "Cells of the assignment were changed": ["check-dot"],
        "Cells of the assignment were deleted": ["end"],
    }


def test_a_file_that_ends_in_the_middle_is_expected_to_be_set_aside(student, tmp_path):
    broken = student('status = "set-aside"', "cut_after = 56")
    broken.hand_in(tmp_path)
    assert path_of(tmp_path, "max").stat().st_size == 56
    row = broken.expected()
    assert (row["status"], row["score"], row["tasks"]) == ("set-aside", None, {})


MISTAKES = {
    "there is no field of the file 'bases'. Did you mean 'base'?": ['bases = "release"'],
    "there is no status 'late'. Expected one of graded,": ['status = "late"'],
    "there is no task 'dott'. Did you mean 'dot'? Expected": ["[tasks.dott]", "score = 0"],
    "there is no locked cell 'dot'.": ["[locked]", "dot = '1'"],
    "added has code; expected after, and": ["[[added]]", "code = '1'"],
    "tasks.dot: the score is 2; expected 0 to 1.": ["[tasks.dot]", "score = 2"],
    "tasks.dot: the score is 1 anyway; leave it out.": ["[tasks.dot]", "score = 1"],
    "there is no misconception of dot 'x'.": ["[tasks.dot]", "misconception = 'x'"],
    "Expected '=' after a key": ["dot"],
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_in_a_file_is_named(student, message):
    with pytest.raises(StudentFileError) as caught:
        student(*MISTAKES[message])
    assert str(caught.value).startswith(f"01-one-hot/max.toml: {message}")
