"""An instructor's own numbers, tests and seeds: students' checks and grading hold to them."""

import json
import shutil

import nbformat
import pytest

from headway.nbgrader_config import COURSE_CONFIG
from headway.tasks.engine.right_value import coded, find_checked
from tests.grading.classroom import CHAPTER, MARKS, cell_named, gradebook_of, path_of
from tests.grading.nbgrader.test_plugin import nbgrader, scores_of

NAME = CHAPTER.name
DOT = "01-one-hot/dot"
RIGHT, PUBLISHED = 4, 2

pytestmark = pytest.mark.jupyter


def edit(path, **changes):
    """Replace texts in cells of a notebook: cell="old → new"."""
    notebook = nbformat.read(path, as_version=4)
    for name, change in changes.items():
        old, new = change.split(" → ")
        cell = cell_named(notebook, name.replace("_", "-"))
        assert cell.source.count(old) == 1
        cell.source = cell.source.replace(old, new)
    nbformat.write(notebook, path)


def change_numbers(path):
    edit(path, ask_dot="[5, x, -1] → [8, x, -1]", dot="(2 * 5 + 4 * -1) → (2 * 8 + 4 * -1)")


@pytest.fixture
def folder(root, tmp_path):
    """A course folder with the published source."""
    shutil.copytree(root / "solutions" / NAME, tmp_path / "source" / NAME)
    (tmp_path / "nbgrader_config.py").write_text(COURSE_CONFIG)
    (tmp_path / "submitted").mkdir()
    return tmp_path


@pytest.fixture
def release(headway):
    def run(folder, *options):
        return headway("release", "01", "--course", folder, *options)

    return run


def hand_in(folder, student, dot, check=None, released=None):
    """Hand in the solution in the release, with another answer to `dot`."""
    notebook = nbformat.read(released or folder / "release" / CHAPTER.notebook, as_version=4)
    source = nbformat.read(folder / "source" / CHAPTER.notebook, as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.nbgrader.grade_id
        if cell.metadata.nbgrader.solution:
            cell.source = MARKS.sub("", cell_named(source, name).source).rstrip("\n")
    cell_named(notebook, "dot").source = f"dot = {dot}"
    if check:
        cell_named(notebook, "check-dot").source = check
    path = path_of(folder, student)
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    return path


def results(folder, task=DOT):
    rows = json.loads((folder / "report.json").read_text())["students"]
    return {name: row["tasks"][task] for name, row in rows.items()}


def test_changed_numbers_go_for_students_and_for_grading(folder, release, headway, pool):
    change_numbers(folder / "source" / CHAPTER.notebook)
    assert release(folder).out == f"release/{CHAPTER.notebook}: released\n"
    hand_in(folder, "new", RIGHT)
    by_old = hand_in(folder, "old", PUBLISHED)
    hand_in(folder, "mistaken", -2)
    hand_in(folder, "none", "...")
    hand_in(folder, "sly", PUBLISHED, check=f'check("{DOT}", dot, "{coded(PUBLISHED)}")')
    assert headway("grade", "01", "--course", folder, "--no-feedback").code == 0
    found = results(folder)
    assert {name: row["score"] for name, row in found.items()} == {
        "new": 1.0,
        "old": 0.0,
        "mistaken": 0.0,
        "none": 0.0,
        "sly": 0.0,
    }
    assert found["none"]["status"] == "untouched"
    assert found["mistaken"]["misconception"] is None, "its name belongs to the old numbers"
    tasks = json.loads(headway("check", by_old, "--json").out)["tasks"]
    assert tasks[DOT]["score"] == 0
    assert tasks["01-one-hot/mixture"]["score"] == 1


@pytest.mark.full
def test_changed_numbers_go_for_nbgrader_alone(folder, release):
    change_numbers(folder / "source" / CHAPTER.notebook)
    assert release(folder).code == 0
    by_new = hand_in(folder, "new", RIGHT)
    by_old = hand_in(folder, "old", PUBLISHED)
    assert nbgrader(folder, "generate_assignment", NAME, "--force").returncode == 0
    assert nbgrader(folder, "autograde", NAME).returncode == 0
    scores = {name: row["check-dot"][0] for name, row in scores_of(folder, NAME).items()}
    assert scores == {"new": 1, "old": 0}
    said = nbgrader(by_old.parent, "validate", by_old.name).stdout
    assert "A right angle by hand: 0 of 1 points." in said
    assert "Success" in nbgrader(by_new.parent, "validate", by_new.name).stdout


@pytest.mark.full
def test_who_has_an_earlier_release_is_graded_by_its_numbers(folder, release, headway, pool):
    assert release(folder).code == 0
    earlier = folder / "earlier.ipynb"
    shutil.copy(folder / "release" / CHAPTER.notebook, earlier)
    hand_in(folder, "early", PUBLISHED)
    assert headway("grade", "01", "--course", folder, "--no-feedback").code == 0
    change_numbers(folder / "source" / CHAPTER.notebook)
    assert release(folder).code == 0
    hand_in(folder, "late", RIGHT)
    hand_in(folder, "wrong", RIGHT, released=earlier)
    assert headway("grade", "01", "--course", folder, "--no-feedback").code == 0
    scores = {name: row["score"] for name, row in results(folder).items()}
    assert scores == {"early": 1.0, "late": 1.0, "wrong": 0.0}


def test_whose_release_this_folder_does_not_know_is_named(folder, release, headway, pool):
    assert release(folder).code == 0
    earlier = folder / "earlier.ipynb"
    shutil.copy(folder / "release" / CHAPTER.notebook, earlier)
    shutil.rmtree(folder / ".headway" / CHAPTER.name / "editions")
    change_numbers(folder / "source" / CHAPTER.notebook)
    assert release(folder).code == 0
    hand_in(folder, "early", PUBLISHED, released=earlier)
    hand_in(folder, "new", RIGHT)
    path = hand_in(folder, "scribbler", RIGHT)
    edit(path, ask_dot="[8, x, -1] → [8, x, -1], not")
    said = " ".join(headway("grade", "01", "--course", folder, "--no-feedback").err.split())
    assert "1 notebook has other questions than today's (dot): early. They may be of an" in said
    assert "(dot): early. They may be of an earlier" in (folder / "report.html").read_text()


@pytest.mark.full
def test_a_solution_that_is_corrected_counts_for_those_who_were_asked_the_same(
    folder, release, headway, pool
):
    source = folder / "source" / CHAPTER.notebook
    edit(source, ask_dot="[5, x, -1] → [8, x, -1]", dot="(2 * 5 + 4 * -1) → (2 * 5 + 4)")
    assert release(folder).code == 0
    hand_in(folder, "ann", RIGHT)
    grade = ("grade", "01", "--course", folder, "--no-feedback")
    assert headway(*grade).code == 0
    assert results(folder)["ann"]["score"] == 0
    edit(source, dot="(2 * 5 + 4) → (2 * 8 - 4)")
    assert headway(*grade).code == 0
    assert results(folder)["ann"]["score"] == 1
    assert "Cells of the assignment were changed" not in (folder / "report.html").read_text()


DOUBLED = {
    "ask_lookup": "Get the same result → Get twice the result",
    "lookup": "return table[ids] → return 2 * table[ids]",
}


def test_what_its_own_solution_loses_points_by_is_not_released(folder, release, pool):
    assert release(folder).code == 0
    assert pool.students() == [], "the published assignment needs no trial"
    released = folder / "release" / CHAPTER.notebook
    before = released.read_bytes()
    edit(folder / "source" / CHAPTER.notebook, **DOUBLED)
    said = release(folder)
    assert (said.code, said.out) == (1, "")
    assert "was not released" in said.err
    assert "The product without the product (01-one-hot/lookup): 0 of 2 points." in said.err
    assert "lines with assert" in said.err
    assert released.read_bytes() == before


TEST = """\
assert np.allclose(look_up(np.array([1, 0]), np.eye(3)), 2 * np.eye(3)[[1, 0]])
### BEGIN HIDDEN TESTS
assert look_up(np.array(1), np.eye(3)).shape == (3,)
### END HIDDEN TESTS"""


@pytest.mark.full
def test_a_test_of_one_s_own_takes_a_check_s_place(folder, release, headway, pool):
    source = folder / "source" / CHAPTER.notebook
    edit(source, check_lookup=f'check("01-one-hot/lookup", look_up) → {TEST}', **DOUBLED)
    assert release(folder).code == 0
    right = hand_in(folder, "right", PUBLISHED)
    wrong = hand_in(folder, "wrong", PUBLISHED)
    edit(wrong, lookup="return 2 * table[ids] → return table[ids]")
    said = headway("grade", "01", "--course", folder, "--no-feedback")
    assert said.code == 0
    assert "Points were changed" not in said.err
    scores = scores_of(folder, NAME)
    assert (scores["right"]["check-lookup"][0], scores["wrong"]["check-lookup"][0]) == (2, 0)
    tasks = json.loads(headway("check", right, "--json").out)["tasks"]
    assert "01-one-hot/lookup" not in tasks
    assert all(row["status"] == "passed" for row in tasks.values())


def test_a_test_whose_last_line_has_a_value_takes_no_points_without_a_word(folder, release, pool):
    source = folder / "source" / CHAPTER.notebook
    for task, last in (("dot", "abs(dot - 2) < 1"), ("shapes", "len(shapes)"), ("mixture", "0.5")):
        test = f"assert {task} is not None\n{last}"
        check = f'check("01-one-hot/{task}", {task})'
        edit(source, **{f"check_{task}": f"{check} → {test}"})
    said = release(folder)
    assert said.code == 1
    assert "cell check-shapes gives 0 of 1 points, because nbgrader takes the value" in said.err
    assert (
        "of its last line (3) for points. If it isn't, end the line with a semicolon." in said.err
    )
    assert "cell check-mixture gives 0.5 of 1 points" in said.err
    assert "check-dot" not in said.err, "True is no number"
    edit(source, check_shapes="len(shapes) → len(shapes);", check_mixture="0.5 → 0.5;")
    assert release(folder).code == 0


def test_grading_warns_where_the_solution_loses_points_and_tries_it_once(
    folder, release, headway, pool
):
    assert release(folder).code == 0
    hand_in(folder, "ann", PUBLISHED)
    grade = ("grade", "01", "--course", folder, "--no-feedback")
    assert "loses points" not in headway(*grade).err
    assert pool.students() == ["ann"], "the published source needs no trial"
    edit(folder / "source" / CHAPTER.notebook, **DOUBLED)
    said = headway(*grade)
    assert said.code == 0
    assert "(01-one-hot/lookup): 0 of 2 points." in said.err
    assert pool.students() == ["", "ann"]
    assert "(01-one-hot/lookup): 0 of 2 points." in headway(*grade).err, "it still does"
    assert "01-one-hot/lookup): 0 of 2" in (folder / "report.html").read_text()
    assert pool.students() == []
    edit(folder / "source" / CHAPTER.notebook, lookup="2 * table → table")
    assert "loses points" not in headway(*grade).err
    assert pool.students() == [""]


def test_a_solution_that_could_not_be_tried_stops_nobody(folder, release, headway, pool):
    change_numbers(folder / "source" / CHAPTER.notebook)
    assert release(folder).code == 0
    hand_in(folder, "ann", RIGHT)
    fault = {"status": "fault", "reason": "there is no room"}
    pool.change = lambda student, result: result if student else fault
    said = headway("grade", "01", "--course", folder, "--no-feedback")
    assert said.code == 0
    assert "We couldn't try" in said.err
    assert results(folder)["ann"]["score"] == 1
    edit(folder / "source" / CHAPTER.notebook, ask_shapes="$V = 50$ → $V = 51$")
    said = release(folder)
    assert said.code == 0
    assert "We couldn't try" in said.err


# --- numbers from a seed --------------------------------------------------------------------------


def test_a_seed_gives_a_course_its_own_numbers_again_and_again(folder, release, headway, pool):
    source, released = (folder / part / CHAPTER.notebook for part in ("source", "release"))
    published = source.read_bytes()
    assert release(folder, "--seed", 7).code == 0
    seven = source.read_bytes(), released.read_bytes()
    assert seven[0] != published
    assert b"seed" not in seven[1]
    shutil.rmtree(source.parent)
    assert release(folder, "--seed", 7).code == 0, "the source comes from the checkout"
    assert (source.read_bytes(), released.read_bytes()) == seven
    said = release(folder, "--seed", 7)
    assert (said.code, said.err) == (0, ""), "a value that the seed left is no forgotten solution"
    assert (source.read_bytes(), released.read_bytes()) == seven
    hand_in(folder, "public", PUBLISHED)
    hand_in(folder, "right", right_in(released))
    shutil.copy(released, hand_in(folder, "none", "..."))
    said = headway("grade", "01", "--course", folder, "--no-feedback")
    assert said.code == 0
    assert {name: row["score"] for name, row in results(folder).items()} == {
        "public": 0.0,
        "right": 1.0,
        "none": 0.0,
    }
    assert results(folder, "01-one-hot/encoder")["none"]["status"] == "untouched"
    assert said.out.count("nothing answered") == 1
    with gradebook_of(folder) as book:
        assert book.find_submission(NAME, "right").score == 24


def right_in(notebook):
    """The right answer to `dot`, as a notebook's check has it."""
    check = cell_named(nbformat.read(notebook, as_version=4), "check-dot")
    return find_checked(DOT, check.source.split('"')[3]).reference


@pytest.mark.full
def test_another_seed_is_refused_and_who_has_the_first_notebook_is_graded_by_it(
    folder, release, headway, pool
):
    source, released = (folder / part / CHAPTER.notebook for part in ("source", "release"))
    assert release(folder, "--seed", 7).code == 0
    seven = source.read_bytes(), released.read_bytes()
    said = release(folder, "--seed", 8)
    assert said.code == 2
    assert "has the numbers of seed 7 already" in said.err
    assert f"move the folder {source.parent} away" in said.err
    assert (source.read_bytes(), released.read_bytes()) == seven
    first = shutil.copy(released, folder / "first.ipynb")
    shutil.rmtree(source.parent)
    assert release(folder, "--seed", 8).code == 0
    assert right_in(first) != right_in(released)
    hand_in(folder, "early", right_in(first), released=first)
    hand_in(folder, "late", right_in(released))
    hand_in(folder, "mixed", right_in(released), released=first)
    assert headway("grade", "01", "--course", folder, "--no-feedback").code == 0
    scores = {name: row["score"] for name, row in results(folder).items()}
    assert scores == {"early": 1.0, "late": 1.0, "mixed": 0.0}
    assert "Cells of the assignment were changed" not in (folder / "report.html").read_text()


@pytest.mark.full
def test_a_release_that_was_never_graded_counts_with_its_hidden_tests(folder, release, headway):
    source = folder / "source" / CHAPTER.notebook
    edit(source, check_lookup=f'check("01-one-hot/lookup", look_up) → {TEST}', **DOUBLED)
    assert release(folder).code == 0
    (kept,) = (folder / ".headway" / NAME / "editions").glob("*.ipynb")
    assert "BEGIN HIDDEN TESTS" in kept.read_text(encoding="utf-8")
    hand_in(folder, "ann", PUBLISHED)
    assert headway("grade", "01", "--course", folder, "--no-feedback").code == 0
    releases = (folder / ".headway" / NAME / "editions").glob("*.ipynb")
    assert list(releases) == [kept], "grading takes it for the same"


MEANT = "The text of dot differs from the published one, but its solution's value doesn't: is that"


@pytest.mark.full
def test_a_question_whose_solution_was_forgotten_is_asked_about(folder, release, headway, pool):
    source = folder / "source" / CHAPTER.notebook
    edit(source, ask_dot="[5, x, -1] → [8, x, -1]", ask_vocabulary="Write a → Please write a")
    said = release(folder)
    assert said.code == 0
    assert said.err.count(MEANT) == said.err.count("The text of") == 1
    hand_in(folder, "ann", PUBLISHED)
    grade = ("grade", "01", "--course", folder, "--no-feedback")
    assert MEANT in headway(*grade).err
    assert MEANT not in headway(*grade).err, "it is asked once"
    assert "its solution&#39;s value" in (folder / "report.html").read_text()
    edit(source, dot="(2 * 5 + 4 * -1) → (2 * 8 + 4 * -1)")
    assert "The text of" not in release(folder).err


@pytest.mark.parametrize("first", [[], ["--seed", 7]])
def test_a_seed_spares_a_source_that_was_changed_by_hand(folder, release, pool, first):
    source = folder / "source" / CHAPTER.notebook
    if first:
        assert release(folder, *first).code == 0
    edit(source, ask_vocabulary="Write a class → Please write a class")
    before = source.read_bytes()
    said = release(folder, "--seed", 8)
    assert said.code == 2
    assert ("seed 7 already" if first else "was changed by hand") in said.err
    assert f"move the folder {source.parent} away" in said.err
    assert source.read_bytes() == before
    if first:
        assert release(folder, *first).code == 0, "with its own seed, the changes stay"
        assert source.read_bytes() == before


@pytest.mark.parametrize(
    "arguments", [["01", "--seed", 7], ["--seed", 7, "--course"], ["01", "--check", "--course"]]
)
def test_a_seed_needs_one_assignment_of_a_course_folder_to_change(folder, headway, arguments):
    before = (folder / "source" / CHAPTER.notebook).read_bytes()
    if arguments[-1] == "--course":
        arguments = [*arguments, folder, *([] if 7 in arguments else ["--seed", 7])]
    said = headway("release", *arguments)
    assert said.code == 2
    assert "headway release 01 --seed 7 --course DIR" in said.err
    assert (folder / "source" / CHAPTER.notebook).read_bytes() == before
    assert not (folder / "release").exists()


def test_without_variants_or_a_published_solution_a_seed_is_refused(
    folder, headway, release, monkeypatch
):
    said = headway("release", "20", "--seed", 7, "--course", folder)
    assert said.code == 2
    assert "20-capstone has no variants" in said.err
    monkeypatch.setattr("headway.commands.release.solution_notebook", lambda chapter: None)
    shutil.rmtree(folder / "source")
    said = release(folder, "--seed", 7)
    assert said.code == 2
    assert "holds none" in said.err
