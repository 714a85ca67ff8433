"""What a submitted notebook becomes before it is run and scored."""

import copy
import json

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from headway.chapters import CHAPTERS, course_root, released_notebook
from headway.grading.intake import submitted_cells as reading
from headway.grading.intake.repair import SetAside, choose_edition, repair
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
    assert "were changed; those handed out are used: check-shapes." in notes(submission)
    assert (
        "Points or flags of cells were changed; those handed out are used: check-dot, check-m"
        in (notes(submission))
    )


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


def test_deleted_cells_are_named(submission):
    submission.cells = [c for c in submission.cells if c.id not in ("dot", "check-dot")]
    assert "Answers were deleted: dot." in notes(submission)
    assert "deleted, and were put back: check-dot." in notes(submission)


def test_the_last_edited_copy_of_an_answer_counts(submission):
    for source in ("dot = 8", cell_named(RELEASE, "dot").source, ""):
        twin = copy.deepcopy(cell_named(RELEASE, "dot"))
        twin.source = source
        submission.cells.append(twin)
    result = repaired(submission)
    assert cell_named(result, "dot").source == "dot = 8"
    assert sources(result).count("dot = 7") == 1, "the earlier one, which ran before it"
    assert sources(result).index("dot = 7") == sources(result).index("dot = 8") - 1
    assert len(result.cells) == len(RELEASE.cells) + 1
    assert "the last edited one counts: dot." in notes(submission)


def test_an_answer_that_was_split_in_two_still_runs_whole(submission):
    cell = cell_named(submission, "dot")
    place = submission.cells.index(cell)
    submission.cells.insert(place + 1, copy.deepcopy(cell))
    cell.source, submission.cells[place + 1].source = "a = 3", "dot = a + 4"
    assert sources(repaired(submission))[place : place + 2] == ["a = 3", "dot = a + 4"]


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
    own = [c for c in result.cells if "nbgrader" not in c.metadata]
    assert [(c.cell_type, c.source) for c in own] == [
        ("markdown", "first"),
        ("markdown", "# Mine"),
        ("code", "b = 2"),
        ("code", "last = 1"),
    ]
    assert all(c.metadata == {} for c in own)
    assert sources(result)[0] == "first"
    assert sources(result)[place + 1 : place + 4] == ["# Mine", "b = 2", "dot = 7"]
    assert sources(result)[-1] == "last = 1"
    assert "unknown ids were taken as the student's own: 'mine'." in notes(submission)


def test_an_answer_that_lost_its_id_runs_as_the_students_own(submission):
    del cell_named(submission, "dot").metadata["nbgrader"]
    result = repaired(submission)
    place = NAMES.index("dot")
    assert sources(result)[place : place + 2] == ["dot = 7", ""]
    assert cell_named(result, "check-dot")


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


def test_where_ids_were_lost_a_doubtful_answer_stays_the_students_own(submission):
    for cell in submission.cells:
        cell.metadata = {}
    place = NAMES.index("dot")
    submission.cells.insert(place, new_code_cell("x = 1"))
    result = repaired(submission)
    assert sources(result)[place : place + 3] == ["x = 1", "dot = 7", ""]


def test_where_ids_were_lost_a_text_that_stands_twice_tells_nothing(submission):
    for cell in submission.cells:
        cell.metadata = {}
    check = submission.cells[NAMES.index("check-dot")]
    submission.cells.append(copy.deepcopy(check))
    assert sources(repaired(submission)).count(check.source) == 3, "its own and two added ones"


@pytest.mark.parametrize("marks", ["x", 3, None, ["a"], {"grade_id": 3}, {"grade_id": ["dot"]}])
def test_damaged_marks_are_those_of_a_cell_of_the_students_own(submission, marks):
    cell_named(submission, "dot").metadata["nbgrader"] = marks
    assert "dot = 7" in sources(repaired(submission))


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


def test_what_utf8_cannot_hold_is_replaced_and_said(submission):
    cell_named(submission, "dot").source = "dot = '\ud800'"
    result = repair(raw(submission), RELEASE)
    assert cell_named(result.notebook, "dot").source == "dot = '\ufffd'"
    assert "\ufffd" in result.notes[0]
    nbformat.writes(result.notebook).encode()


def test_one_cell_in_another_encoding_costs_no_other(submission):
    cell_named(submission, "dot").source = "# café\ndot = 7"
    damaged = json.dumps(submission, ensure_ascii=False).encode().replace("é".encode(), b"\xe9")
    result = repair(damaged, RELEASE)
    assert cell_named(result.notebook, "dot").source == "# caf\ufffd\ndot = 7"
    assert result.notes[0] == "Not all of the file is UTF-8 text."


def test_null_bytes_and_line_breaks_within_a_text_stay(submission):
    cell_named(submission, "dot").source = "dot = '\x00'"
    damaged = raw(submission).replace(b"\\u0000", b"\x00\n")
    assert cell_named(repair(damaged, RELEASE).notebook, "dot").source == "dot = '\x00\n'"


def test_a_byte_order_mark_is_no_effect(submission):
    assert repair(b"\xef\xbb\xbf" + raw(submission), RELEASE).notes == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{", "not JSON"),
        (b"\x80\x03cposix\nsystem\n", "not JSON"),
        (b"<!DOCTYPE html>", "not JSON"),
        (b"{}", "not that of a notebook"),
        (b"[]", "not that of a notebook"),
        (b"null", "not that of a notebook"),
        (b'{"cells": 1}', "not that of a notebook"),
        (b'{"cells": [], "nbformat": 4}', "none of the assignment's cells"),
        (b'{"worksheets": [1, {"cells": 2}]}', "none of the assignment's cells"),
        ("{}".encode("utf-16"), "not UTF-8"),
        ("{}".encode("utf-16-le"), "not UTF-8"),
        ("{}".encode("utf-32"), "not UTF-8"),
        (b"[" * 101 + b"]" * 101, "more than 100 deep"),
        (b"[" * 1_000_000, "more than 500,000 lists"),
        (b"[" * 20_000_000, "more than 500,000 lists"),
        (b'{"a":' * 400_000, "more than 100 deep"),
        (b"[]," * 6_600_000, "more than 500,000 lists"),
        (b'"' * 20_000_000, "not JSON"),
        (b'"' + b'\\"' * 9_999_999, "not JSON"),
        (b"9" * 1_000_000, "not that of a notebook"),
        (b" " * 20_000_001, "20 MB large, more than 20 MB"),
        (b'{"cell_type":1},' * 4_001, "more than 2,000 cells"),
        (b'{"cells":[' + b"1," * 2_000 + b"1]}", "more than 2,000 cells"),
        (b'{"cells":[{"source":"' + b"x" * 1_000_001 + b'"}]}', "1,000,001 characters"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else value,
)
def test_what_cannot_be_graded_is_set_aside_with_a_sentence(content, said):
    with pytest.raises(SetAside) as reason:
        repair(content, RELEASE)
    assert said in str(reason.value)
    assert str(reason.value).endswith(".")


@given(st.text(alphabet='ab"\\[]{}\n', max_size=40))
def test_brackets_within_texts_are_not_counted(text):
    nested = json.dumps({"cells": [{"source": text, text: [text]}]}).encode()
    reading._refuse_too_much(nested)
    bracketed = json.dumps({"cells": [{"source": text + "[" * 101, text: "{" * 101}]}).encode()
    assert reading.read_cells(bracketed)[0][0].source == text + "[" * 101
    deep = bracketed.replace(b'{"cells": ', b'{"cells": ' + b"[" * 101)
    with pytest.raises(SetAside, match="deep"):
        reading._refuse_too_much(deep)


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


def edition(*changed):
    """An edition in which some cells have another text, and nbgrader's checksum of it."""
    other = copy.deepcopy(RELEASE)
    for name in changed:
        cell = cell_named(other, name)
        cell.source += "\n# changed"
        cell.metadata.nbgrader.checksum = "0" * 32
    return other


def test_a_submission_is_graded_against_the_edition_it_was_made_from(submission):
    editions = [edition("title", "dot"), copy.deepcopy(RELEASE), edition("check-dot")]
    assert choose_edition(raw(submission), editions) is editions[1]
    older = copy.deepcopy(editions[0])
    for name in ("title", "dot"):
        cell_named(older, name).source = cell_named(RELEASE, name).source
    assert choose_edition(raw(older), editions) is editions[0], "by checksums, whatever the texts"
    for cell in submission.cells:
        del cell.metadata.nbgrader["checksum"]
    assert choose_edition(raw(submission), editions) is editions[1], "by texts"
    assert choose_edition(raw(editions[0]), editions) is editions[0]


def test_the_newest_edition_is_taken_where_nothing_tells():
    editions = [edition("dot"), edition("dot"), edition("dot")]
    assert choose_edition(b'{"cells": []}', editions) is editions[2]
    assert choose_edition(b"not even read", editions[:1]) is editions[0]
