"""What a submitted notebook becomes before it is run and scored."""

import copy
import json

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from headway.chapters import CHAPTERS, course_root, released_notebook
from headway.grading.intake.repair import choose_release, repair
from tests.grading.classroom import cell_named, duplicate

RELEASE = nbformat.read(released_notebook(CHAPTERS[0]), as_version=4)
SOLVED = nbformat.read(course_root() / "solutions" / CHAPTERS[0].notebook, as_version=4)
NAMES = [cell.metadata.nbgrader.grade_id for cell in RELEASE.cells]
ANSWERS = [c.metadata.nbgrader.grade_id for c in RELEASE.cells if c.metadata.nbgrader.solution]


@pytest.fixture
def submission():
    """A copy of the released notebook with one answer in it, to be damaged."""
    notebook = copy.deepcopy(RELEASE)
    cell_named(notebook, "dot").source = "dot = 7"
    return notebook


def raw(notebook):
    return json.dumps(notebook).encode()


def repaired(notebook):
    return repair(raw(notebook), RELEASE).notebook


def notes(notebook):
    return " ".join(repair(raw(notebook), RELEASE).notes)


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def test_the_release_itself_stays_as_it_is():
    result = repair(raw(RELEASE), RELEASE)
    assert (result.notebook, result.notes) == (RELEASE, ())


def test_answers_are_all_that_comes_from_a_submission(submission):
    expected = copy.deepcopy(submission)
    for cell in submission.cells:
        cell.metadata |= {"collapsed": True, "tags": ["raises-exception"], "name": "x"}
        cell.id = f"other-{cell.id}"
        if cell.cell_type == "code":
            planted = {"output_type": "stream", "name": "stdout", "text": "100 points"}
            cell.outputs, cell.execution_count = [nbformat.from_dict(planted)], 3
        else:
            cell.attachments = {"a.png": {"image/png": "AAAA"}}
    submission.metadata |= {"kernelspec": {"name": "R", "display_name": "R"}, "widgets": {"x": 1}}
    assert repaired(submission) == expected
    assert notes(submission) == ""


def test_changed_marks_and_locked_cells_are_put_back(submission):
    expected = copy.deepcopy(submission)
    cell_named(submission, "check-dot").metadata.nbgrader.points = 100
    cell_named(submission, "check-shapes").source = "print('passed')"
    cell_named(submission, "check-mixture").metadata.nbgrader.update(grade=False, solution=True)
    assert repaired(submission) == expected
    said = notes(submission)
    assert "were changed; those handed out are used: check-shapes." in said
    assert "Points or flags of cells were changed; those handed out are used: check-dot" in said


@settings(max_examples=25)
@given(st.permutations(range(len(NAMES))))
def test_the_order_of_cells_does_not_matter(order):
    moved = copy.deepcopy(RELEASE)
    cell_named(moved, "dot").source = "dot = 7"
    expected = copy.deepcopy(moved)
    moved.cells = [moved.cells[place] for place in order]
    result = repair(raw(moved), RELEASE)
    assert result.notebook == expected
    assert any("Cells were moved" in note for note in result.notes) == (
        list(order) != sorted(order)
    )


@settings(max_examples=25)
@given(st.sets(st.sampled_from(NAMES), max_size=len(NAMES) - 1))
def test_deleted_cells_come_back_and_deleted_answers_do_not(names):
    left = copy.deepcopy(RELEASE)
    left.cells = [c for c in left.cells if c.metadata.nbgrader.grade_id not in names]
    result = repaired(left)
    assert ("Answer cells are missing: " in notes(left)) == bool(names & set(ANSWERS))
    assert ("deleted, and were put back: " in notes(left)) == bool(names - set(ANSWERS))
    for cell, released in zip(result.cells, RELEASE.cells, strict=True):
        name = released.metadata.nbgrader.grade_id
        gone = name in names and name in ANSWERS
        assert cell.source == ("" if gone else released.source)
        assert cell.metadata == released.metadata


def test_a_named_cell_that_is_open_to_students_keeps_their_text(submission):
    release = copy.deepcopy(RELEASE)
    cell_named(release, "setup").metadata.nbgrader.locked = False
    cell_named(submission, "setup").source += "\nimport math"
    result = repair(raw(submission), release).notebook
    assert cell_named(result, "setup").source.endswith("import math")
    assert not cell_named(result, "setup").metadata.nbgrader.locked


def test_the_last_edited_copy_of_an_answer_counts_and_the_earlier_ones_run_before_it(submission):
    for source in ("dot = 8", cell_named(RELEASE, "dot").source, ""):
        twin = copy.deepcopy(cell_named(RELEASE, "dot"))
        twin.source = source
        submission.cells.append(twin)
    result, place = repaired(submission), NAMES.index("dot")
    assert cell_named(result, "dot").source == "dot = 8"
    assert sources(result)[place : place + 2] == ["dot = 7", "dot = 8"]
    assert len(result.cells) == len(RELEASE.cells) + 1
    assert "the last edited one counts: dot." in notes(submission)


def test_copies_that_were_not_worked_on_are_dropped(submission):
    expected = copy.deepcopy(submission)
    for name in ("check-dot", "shapes", "title"):
        duplicate(submission, name)
    assert repaired(submission) == expected
    assert "stood there more than once; one is used: title, check-dot." in notes(submission)


@pytest.mark.parametrize("kind", ["markdown", "raw", "heading", None, 3])
def test_an_answer_is_code_again_whatever_became_of_its_cell(submission, kind):
    expected = copy.deepcopy(submission)
    cell_named(submission, "dot").cell_type = kind
    assert repaired(submission) == expected


def test_cells_that_the_student_added_stay_where_they_were(submission):
    place = NAMES.index("dot")
    marked = new_code_cell("b = 2", metadata={"nbgrader": {"grade_id": "mine", "points": 9}})
    submission.cells[place:place] = [new_markdown_cell("# Mine"), marked]
    submission.cells.insert(0, new_raw_cell("first"))
    submission.cells.append(new_code_cell("last = 1"))
    result = repaired(submission)
    own = [(at, c) for at, c in enumerate(result.cells) if "nbgrader" not in c.metadata]
    assert [(at, c.cell_type, c.source, c.metadata) for at, c in own] == [
        (0, "markdown", "first", {}),
        (place + 1, "markdown", "# Mine", {}),
        (place + 2, "code", "b = 2", {}),
        (len(result.cells) - 1, "code", "last = 1", {}),
    ]
    assert "unknown ids were taken as the student's own: 'mine'." in notes(submission)


def test_answers_are_found_where_all_ids_were_lost():
    bare = copy.deepcopy(SOLVED)
    for cell in bare.cells:
        if not cell.metadata.nbgrader.solution:
            cell.source = cell_named(RELEASE, cell.metadata.nbgrader.grade_id).source
    expected = copy.deepcopy(bare.cells)
    for cell in bare.cells:
        cell.metadata = {}
    bare.cells.insert(1, new_code_cell("x = 1"))
    result = repair(raw(bare), RELEASE)
    assert result.notebook.cells.pop(1).source == "x = 1"
    assert sources(result.notebook) == [cell.source for cell in expected]
    assert "recognized by their text" in result.notes[0]


def test_where_ids_were_lost_what_is_doubtful_stays_the_students_own(submission):
    for cell in submission.cells:
        cell.metadata = {}
    check = submission.cells[NAMES.index("check-mixture")]
    submission.cells.append(copy.deepcopy(check))
    place = NAMES.index("dot")
    submission.cells.insert(place, new_code_cell("x = 1"))
    result = sources(repaired(submission))
    assert result[place : place + 3] == ["x = 1", "dot = 7", ""]
    assert result.count(check.source) == 3, "its own and two added ones"


@pytest.mark.parametrize("marks", ["x", 3, None, ["a"], {}, {"grade_id": 3}, {"grade_id": ["dot"]}])
def test_an_answer_that_lost_its_id_runs_as_the_students_own(submission, marks):
    cell_named(submission, "dot").metadata["nbgrader"] = marks
    place = NAMES.index("dot")
    assert sources(repaired(submission))[place : place + 2] == ["dot = 7", ""]


@pytest.mark.parametrize("damaged", [1, None, [], {}, {"source": 3}, {"source": ["a", 3]}])
def test_what_is_no_cell_is_left_out_and_counted(submission, damaged):
    expected = copy.deepcopy(submission)
    submission.cells[2:2] = [damaged, damaged]
    assert repaired(submission) == expected
    assert "Cells without text were left out: 2." in notes(submission)


def test_a_nameless_cell_of_the_release_stands_there_once():
    release = copy.deepcopy(RELEASE)
    release.cells.insert(2, new_code_cell("import math", id="cell-3"))
    submission = copy.deepcopy(release)
    submission.cells.insert(3, new_code_cell("x = math.pi"))
    first = repair(raw(submission), release).notebook
    assert sources(first) == sources(submission)
    assert repair(raw(first), release).notebook == first


def test_format_3_is_read(submission):
    expected = copy.deepcopy(submission)
    for cell in submission.cells:
        if cell.cell_type == "code":
            cell["input"] = cell.pop("source")
    old = {"nbformat": 3, "worksheets": [{"cells": submission.cells}]}
    result = repair(raw(old), RELEASE)
    assert result.notebook == expected
    assert "of format 3" in result.notes[0]


@pytest.mark.parametrize("version", [4, 5, 10**30, "4", None, [4]])
def test_the_number_of_the_format_does_not_matter(submission, version):
    expected = copy.deepcopy(submission)
    submission.update(nbformat=version, nbformat_minor=version)
    assert repaired(submission) == expected


@pytest.mark.parametrize(
    ("saved", "damaged", "read", "said"),
    [
        (b"'it'", b"'\\ud800'", "'\ufffd'", "\ufffd"),
        (b"'it'", b"'\xe9'", "'\ufffd'", "Not all of the file is UTF-8 text."),
        (b"'it'", b"'\x00\n'", "'\x00\n'", ""),
        (b"{", b"\xef\xbb\xbf{", "'it'", ""),
    ],
    ids=["half a sign", "another encoding", "a null byte", "a byte order mark"],
)
def test_damaged_text_costs_no_other_and_is_told(submission, saved, damaged, read, said):
    cell_named(submission, "dot").source = "dot = 'it'"
    result = repair(raw(submission).replace(saved, damaged, 1), RELEASE)
    assert cell_named(result.notebook, "dot").source == f"dot = {read}"
    assert said in " ".join(result.notes)
    nbformat.writes(result.notebook).encode()


@settings(max_examples=25)
@given(st.lists(st.sampled_from(NAMES), max_size=8), st.data())
def test_repairing_again_changes_nothing(names, data):
    submission = copy.deepcopy(RELEASE)
    for name in names:
        cell = copy.deepcopy(cell_named(RELEASE, name))
        cell.source = data.draw(st.sampled_from(["", "x = 1", "y\x0b\r\n=\u2028 2", cell.source]))
        if data.draw(st.booleans()):
            cell.metadata = {}
        submission.cells.insert(data.draw(st.integers(0, len(submission.cells))), cell)
    first = repaired(submission)
    nbformat.validate(first)
    assert repair(nbformat.writes(first).encode(), RELEASE).notebook == first


def release(*changed):
    """A release in which some cells have another text, and nbgrader's checksum of it."""
    other = copy.deepcopy(RELEASE)
    for name in changed:
        cell = cell_named(other, name)
        cell.source += "\n# changed"
        cell.metadata.nbgrader.checksum = "0" * 32
    return other


def test_a_submission_is_graded_against_the_release_it_was_made_from(submission):
    releases = [release("title", "dot"), copy.deepcopy(RELEASE), release("check-dot")]
    assert choose_release(raw(submission), releases) is releases[1]
    older = copy.deepcopy(releases[0])
    for name in ("title", "dot"):
        cell_named(older, name).source = cell_named(RELEASE, name).source
    assert choose_release(raw(older), releases) is releases[0], "by checksums, whatever the texts"
    for cell in submission.cells:
        del cell.metadata.nbgrader["checksum"]
    assert choose_release(raw(submission), releases) is releases[1], "by texts"
    assert choose_release(raw(releases[0]), releases) is releases[0]
    alike = [release("dot"), release("dot")]
    assert choose_release(b'{"cells": []}', alike) is alike[1], "the newest, where nothing tells"
    assert choose_release(b"not even read", alike[:1]) is alike[0]
