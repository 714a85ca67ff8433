"""The day after: points, due dates and plug-ins change, and each score follows with its cause."""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import datetime

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook

from headway.chapters import course_root
from headway.commands.grade import grade as grade_command
from headway.errors import DISTRIBUTION
from headway.grading import digests
from headway.grading.score_changes import CAUSES
from headway.grading.trial import SOLUTION
from tests.grading.classroom import CHAPTER, cell_named, hand_in, statuses_and_scores
from tests.grading.nbgrader.test_plugin import nbgrader, scores_of

NAME = CHAPTER.name

pytestmark = pytest.mark.jupyter


def wrap_around(notebook):
    cell_named(notebook, "lookup").source = "def look_up(ids, table):\n    return table[ids]"


@pytest.fixture(scope="module")
def class_of_three(remembered, tmp_path_factory):
    """A graded class: everything right, nothing done, and 1.75 of 2 points for the lookup."""
    course = tmp_path_factory.mktemp("class") / "course"
    hand_in(course, "ann")
    hand_in(course, "bob", "release")
    hand_in(course, "cat", change=wrap_around)
    for student in ("ann", "bob", "cat"):
        stamp = course / "submitted" / student / NAME / "timestamp.txt"
        stamp.write_text("2026-03-02 00:00:00 UTC")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("headway.grading.workers.pool.open_pool", remembered.opened)
        assert grade_command("01", course) == 0
    return course


@pytest.fixture
def course(class_of_three, tmp_path):
    return shutil.copytree(class_of_three, tmp_path / "course")


@pytest.fixture
def grade(headway, course, pool):
    """Grades; gives what was said, and the students whose notebooks were run."""

    def run(*options: object, code: int = 0):
        result = headway("grade", "01", "--course", course, *options)
        assert result.code == code, result.err
        return " ".join(result.err.split()), [name for name in pool.students() if name != SOLUTION]

    return run


def rows_of(course) -> dict:
    return json.loads((course / "report.json").read_text(encoding="utf-8"))["students"]


def scores(course) -> dict[str, float]:
    found = statuses_and_scores(course)
    assert {name: row["score"] for name, row in rows_of(course).items()} == {
        name: score for name, (_, score) in found.items()
    }, "the report and the table of grades agree"
    return {name: score for name, (_, score) in found.items()}


def changed(course) -> dict[str, list[str]]:
    """Who stands under "What changed" in the report, with the end of each sentence."""
    what = "What changed since an earlier grading"
    section = report_of(course).find(attrs={"aria-label": what})
    rows = section.find("tbody").find_all("tr") if section else []
    return {
        row.th.get_text(): [
            li.get_text().split("; ", 1)[1].split(": ", 1)[1] for li in row.find_all("li")
        ]
        for row in rows
    }


def report_of(course) -> BeautifulSoup:
    return BeautifulSoup((course / "report.html").read_text(encoding="utf-8"), "html.parser")


def page_of(course, student: str) -> BeautifulSoup:
    path = course / "feedback" / student / NAME / f"{NAME}.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.mark.full
def test_a_copy_of_the_gradebook_is_kept_from_the_first_run_on(course):
    (copy,) = (course / ".headway" / "backups").iterdir()
    assert scores_of_file(copy) == scores_of_file(course / "gradebook.db") != []


@pytest.mark.full
def test_who_is_not_in_an_older_gradebook_is_recorded_again(course, grade):
    old = (course / "gradebook.db").read_bytes()
    hand_in(course, "eve")
    assert grade()[1] == ["eve"]
    (course / "gradebook.db").write_bytes(old)
    assert grade()[1] == [], "no notebook is run for it"
    assert scores(course)["eve"] == 24


@pytest.mark.full
def test_scores_of_an_older_gradebook_are_told_and_force_mends_them(course, grade):
    old = (course / "gradebook.db").read_bytes()
    hand_in(course, "cat", "release")
    grade()
    now = scores(course)
    (course / "gradebook.db").write_bytes(old)
    assert grade()[1] == []
    said = "The gradebook has an earlier score again for cat."
    assert said in report_of(course).get_text()
    assert scores(course) != now
    assert sorted(grade("--force")[1]) == ["ann", "bob", "cat"]
    assert scores(course) == now
    assert said not in report_of(course).get_text()


@pytest.mark.full
def test_a_run_that_cannot_record_records_the_next_time(course, grade, pool):
    hand_in(course, "bob")
    other = sqlite3.connect(course / "gradebook.db", isolation_level=None)
    pool.before = lambda student: other.execute("BEGIN IMMEDIATE")
    assert "is locked" in grade(code=2)[0]
    pool.before = lambda student: None
    other.close()
    assert grade()[1] == []
    assert scores(course)["bob"] == 24


@pytest.mark.full
def test_another_notebook_beside_the_assignment_s_own_is_left_alone(headway, tmp_path):
    hand_in(tmp_path, "bob")
    shutil.copytree(course_root() / "solutions" / NAME, tmp_path / "source" / NAME)
    extra = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Read me first.")])
    nbformat.write(extra, tmp_path / "source" / NAME / "extra.ipynb")
    for _ in range(2):
        result = headway("grade", "01", "--course", tmp_path)
        assert result.code == 0, result.err
        assert scores(tmp_path) == {"bob": 24}
    assert "Score: 24" in page_of(tmp_path, "bob").get_text()


def test_another_version_of_the_course_grades_all_again(course, grade, monkeypatch):
    versions = {DISTRIBUTION: "99", "numpy": "2", "torch": "2"}
    monkeypatch.setattr(digests, "version", versions.__getitem__)
    assert sorted(grade()[1]) == ["ann", "bob", "cat"]
    assert grade()[1] == []
    assert changed(course) == {}


@pytest.mark.full
def test_with_only_one_the_exit_code_and_the_penalty_are_that_one_s(penalized, grade):
    (penalized / "submitted" / "bob" / NAME / f"{NAME}.ipynb").write_text("{")
    set_due(penalized, "2026-03-01")
    grade(code=1)
    set_due(penalized, "2026-02-28")
    grade("--only", "ann", code=0)
    assert penalty_of(penalized, "ann") == 4
    assert penalty_of(penalized, "cat") == 2
    grade("--only", "bob", code=1)
    grade(code=1)
    assert penalty_of(penalized, "cat") == 4


@pytest.mark.full
def test_other_limits_alone_grade_nobody_again(course, grade):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write("c.Allowance.task_seconds = 50\n")
    assert grade()[1] == []


def scores_of_file(path) -> list:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("select cell_id, auto_score from grade order by id").fetchall()


# --- points ---------------------------------------------------------------------------------------


def weigh(course, points: dict[str, float], dropped: tuple[str, ...] = ()) -> None:
    """Give check cells of the course folder's source other points, and take some out."""
    path = course / "source" / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    for name, number in points.items():
        cell_named(notebook, name).metadata.nbgrader.points = number
    for name in dropped:
        notebook.cells.remove(cell_named(notebook, name))
    nbformat.write(notebook, path)


def test_points_that_an_instructor_changes_scale_what_was_earned(course, grade):
    before = scores(course)
    assert before == {"ann": 24, "bob": 0, "cat": 23.75}
    weigh(course, {"check-vocabulary": 6, "check-lookup": 1})
    said, run = grade()
    assert run == [], "no notebook is run for it"
    assert f"{NAME}/vocabulary counts 6 points instead of 3" in said
    assert f"{NAME}/lookup counts 1 points instead of 2" in said
    most = "The maximum is 22 points now; change it in your platform, too."
    assert said.count(most) == 1
    assert most in (course / "report.html").read_text(encoding="utf-8")
    tasks = {name: row["tasks"] for name, row in rows_of(course).items()}
    earned = {
        student: [tasks[student][f"{NAME}/{task}"][part] for part in ("score", "max")]
        for student, task in (("ann", "vocabulary"), ("cat", "lookup"), ("bob", "lookup"))
    }
    assert earned == {"ann": [6, 6], "cat": [0.875, 1], "bob": [0, 1]}
    assert scores(course) == {"ann": 26, "bob": 0, "cat": 25.875}
    assert changed(course) == {
        "ann": ["26, because the points of its tasks changed."],
        "cat": ["25.875, because the points of its tasks changed."],
    }
    assert "Points were changed" in (course / "report.html").read_text(encoding="utf-8")
    page = page_of(course, "cat")
    entries = " ".join(item.get_text(" ", strip=True) for item in page.select("#toc li"))
    assert "(Score: 0.88 / 1.0)" in entries
    assert "0.875 of 1 point" in page.get_text()
    assert "6 of 6 points" in page.get_text()
    said, run = grade()
    assert (run, scores(course)["ann"]) == ([], 26), "and it stays"
    assert "The maximum" not in said
    weigh(course, {"check-vocabulary": 3, "check-lookup": 2})
    assert grade()[1] == [], "nor for the way back"
    assert scores(course) == before, "back again, nothing is lost"
    assert changed(course)["ann"][-1] == "24, because the points of its tasks changed."


@pytest.mark.full
def test_nbgrader_s_own_commands_give_the_same_with_other_points(course, grade):
    weigh(course, {"check-vocabulary": 6, "check-lookup": 1})
    stock = shutil.copytree(course, course.with_name("stock"))
    done = nbgrader(stock, "autograde", NAME, "--student", "cat", "--force")
    assert done.returncode != 0
    assert "Run: nbgrader generate_assignment" in done.stdout + done.stderr
    done = nbgrader(stock, "generate_assignment", NAME, "--force")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert "check-vocabulary of 01-one-hot counts 6 points from now on, instead of 3" in said
    done = nbgrader(stock, "autograde", NAME, "--student", "cat", "--force")
    assert done.returncode == 0, done.stderr
    assert f"{NAME}/lookup counts 1 points instead of 2" in done.stdout + done.stderr
    grade()
    assert scores_of(stock, NAME)["cat"] == scores_of(course, NAME)["cat"]
    assert scores_of(stock, NAME)["cat"]["check-lookup"][0] == 0.875


@pytest.mark.full
@pytest.mark.parametrize("how", ["no points", "no cell"])
def test_a_dropped_task_takes_its_points_away(course, grade, how):
    if how == "no points":
        weigh(course, {"check-vocabulary": 0})
    else:
        weigh(course, {}, dropped=("check-vocabulary", "check-pairs"))
    said, run = grade()
    assert run == ([] if how == "no points" else ["ann", "bob", "cat"])
    words = "counts 0 points instead of 3" if how == "no points" else "was dropped"
    assert f"{NAME}/vocabulary {words}" in said
    bonus = 4 if how == "no points" else 0
    assert scores(course) == {"ann": 17 + bonus, "bob": 0, "cat": 16.75 + bonus}
    assert rows_of(course)["ann"]["max"] == 17
    for row in rows_of(course).values():
        assert row["score"] == sum(task["score"] for task in row["tasks"].values())


@pytest.mark.full
def test_a_new_student_is_held_to_the_new_points(course, grade):
    weigh(course, {"check-vocabulary": 6})
    hand_in(course, "dan")
    assert grade()[1] == ["dan"]
    assert scores(course)["dan"] == scores(course)["ann"] == 27


# --- due dates and penalties ----------------------------------------------------------------------

PENALTY = """
from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float


class PerDay(LateSubmissionPlugin):
    points = Float(2.0).tag(config=True)

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return self.points * total_seconds_late / 86_400
"""
NAMED = '\nc.AssignLatePenalties.plugin_class = "penalty.PerDay"\n'


@pytest.fixture
def penalized(course):
    """The course folder with nbgrader's documented plug-in: a file beside the configuration."""
    (course / "penalty.py").write_text(PENALTY)
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(NAMED)
    return course


def set_due(course, moment: str | None, extra_days: dict[str, int] | None = None) -> None:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        due = datetime.fromisoformat(moment) if moment else None
        gradebook.update_or_create_assignment(NAME, duedate=due)
        for student, days in (extra_days or {}).items():
            gradebook.grant_extension(NAME, student, days=days)


def test_the_documented_plug_in_works_and_a_moved_due_date_moves_the_penalty(penalized, grade):
    set_due(penalized, "2026-03-01")
    assert grade()[1] == [], "no notebook is run for it"
    assert scores(penalized) == {"ann": 22, "bob": 0, "cat": 21.75}
    assert changed(penalized)["ann"] == [
        "22 after a penalty of 2, because the due date moved and the plug-in of late penalties, or "
        "its settings, changed."
    ]
    assert "Late submission penalty (Score: -2.0)" in page_of(penalized, "ann").get_text()
    (row,) = (tr for tr in report_of(penalized).find_all("tr") if "22 of 20" in tr.get_text())
    assert "1 d late, 2 taken off" in row.get_text()

    set_due(penalized, "2026-02-28")
    assert grade()[1] == []
    assert scores(penalized)["ann"] == 20
    assert changed(penalized)["ann"][-1] == "20 after a penalty of 4, because the due date moved."

    set_due(penalized, "2026-02-28", {"ann": 2})
    grade()
    assert scores(penalized) == {"ann": 24, "bob": 0, "cat": 19.75}
    because = "because an extension was given, changed or taken back."
    assert changed(penalized)["ann"][-1] == f"24, {because}"
    assert len(changed(penalized)["cat"]) == 2, "nothing changed for this one"
    assert "Late submission penalty" not in page_of(penalized, "ann").get_text()
    assert set(changed(penalized)) == {"ann", "cat"}, "and bob never had any points to lose"

    set_due(penalized, None)
    grade()
    assert scores(penalized) == {"ann": 24, "bob": 0, "cat": 23.75}


@pytest.mark.parametrize("change", [None, wrap_around])
def test_a_punctual_copy_has_nothing_of_a_late_one_before(penalized, grade, change):
    set_due(penalized, "2026-03-01")
    grade()
    (penalized / "submitted" / "ann" / NAME / "timestamp.txt").unlink()
    hand_in(penalized, "ann", change=change)
    grade()
    assert scores(penalized)["ann"] == (23.75 if change else 24)
    assert penalty_of(penalized, "ann") is None
    assert report_of(penalized).get_text().count("1 d late") == 2, "bob and cat alone"


@pytest.mark.full
def test_nbgrader_takes_the_time_of_a_late_copy_away_as_well(penalized, grade):
    set_due(penalized, "2026-03-01")
    grade()
    assert penalty_of(penalized, "ann") == 2
    (penalized / "submitted" / "ann" / NAME / "timestamp.txt").unlink()
    assert nbgrader(penalized, "autograde", NAME, "--student", "ann", "--force").returncode == 0
    assert penalty_of(penalized, "ann") is None


@pytest.mark.full
def test_another_plug_in_or_setting_changes_the_penalty_at_the_next_run(penalized, grade):
    set_due(penalized, "2026-03-01")
    grade()
    (penalized / "penalty.py").write_text(PENALTY.replace("2.0", "3.0"))
    assert grade()[1] == []
    assert scores(penalized)["ann"] == 21
    because = "because the plug-in of late penalties, or its settings, changed."
    assert changed(penalized)["ann"][-1] == f"21 after a penalty of 3, {because}"
    with (penalized / "nbgrader_config.py").open("a") as file:
        file.write("c.PerDay.points = 5\n")
    assert grade()[1] == []
    assert scores(penalized)["ann"] == 19


@pytest.mark.full
def test_two_courses_have_each_a_plug_in_of_its_own(penalized, grade, headway, pool):
    set_due(penalized, "2026-03-01")
    other = shutil.copytree(penalized, penalized.with_name("other"))
    (other / "penalty.py").write_text(PENALTY.replace("2.0", "4.0"))
    assert headway("grade", "01", "--course", other).code == 0
    grade()
    assert (scores(penalized)["ann"], scores(other)["ann"]) == (22, 20)


@pytest.mark.full
def test_nbgrader_gives_the_penalty_that_headway_gives(penalized, grade):
    set_due(penalized, "2026-03-01")
    stock = shutil.copytree(penalized, penalized.with_name("stock"))
    done = nbgrader(stock, "autograde", NAME, "--student", "ann", "--force")
    assert done.returncode == 0, done.stderr
    grade()
    assert penalty_of(stock, "ann") == penalty_of(penalized, "ann") == 2


def penalty_of(course, student: str) -> float:
    query = """
        select n.late_submission_penalty from submitted_notebook n
        join submitted_assignment s on n.assignment_id = s.id where s.student_id = ?"""
    with closing(sqlite3.connect(course / "gradebook.db")) as database:
        return database.execute(query, [student]).fetchone()[0]


@pytest.mark.full
def test_a_plug_in_that_raises_sets_aside_those_who_were_late(penalized, grade):
    set_due(penalized, "2026-03-01", {"cat": 3})
    grade()
    (penalized / "penalty.py").write_text(PENALTY.replace("return ", "return 1 / 0 + "))
    grade(code=1)
    rows = rows_of(penalized)
    assert (rows["ann"]["status"], rows["cat"]["status"]) == ("set-aside", "graded")
    assert "could not be computed: ZeroDivisionError" in rows["ann"]["reason"]
    assert penalty_of(penalized, "ann") == 2, "it is what it was"
    (penalized / "penalty.py").write_text(PENALTY)
    assert grade()[1] == []
    assert scores(penalized)["ann"] == 22


@pytest.mark.full
def test_points_by_hand_are_told_as_such(course, grade):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("check-lookup", NAME, NAME, "cat").manual_score = 2.0
        gradebook.db.commit()
    assert grade()[1] == []
    assert changed(course) == {"cat": ["24, because points were given by hand."]}
    entries = " ".join(
        item.get_text(" ", strip=True) for item in page_of(course, "cat").select("li")
    )
    assert "(Score: 2.0 / 2.0)" in entries
    assert "(Score: 1.75 / 2.0)" not in entries
    assert "+0.25 by hand" in (course / "report.html").read_text("utf-8")


@pytest.mark.full
def test_a_comment_by_hand_is_on_the_page_after_the_next_run_and_no_score_is_touched(course, grade):
    before = scores(course)
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        (notebook,) = gradebook.find_submission(NAME, "bob").notebooks
        notebook.comments[0].manual_comment = "Which other x would do?"
        gradebook.db.commit()
    assert grade()[1] == [], "no notebook is run for it"
    assert "Which other x would do?" in page_of(course, "bob").get_text()
    assert scores(course) == before


@pytest.mark.full
def test_extra_credit_is_on_the_page_after_the_next_run(course, grade):
    before = scores(course)["bob"]
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("check-lookup", NAME, NAME, "bob").extra_credit = 1.5
        gradebook.db.commit()
    assert grade()[1] == []
    assert scores(course)["bob"] == before + 1.5
    assert f"Score: {before + 1.5:g}" in page_of(course, "bob").get_text()
    assert changed(course)["bob"] == [f"{before + 1.5:g}, because {CAUSES['hand']}."]
    weigh(course, {"check-vocabulary": 6})
    grade()
    assert scores(course)["bob"] == before + 1.5, "it is recorded again, and keeps that"
    weigh(course, {"check-vocabulary": 3})
    grade()
    assert scores(course)["bob"] == before + 1.5
    hand_in(course, "bob")
    grade()
    assert scores(course)["bob"] == 24 + 1.5


def enter_by_hand(course, *students: str) -> None:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for student in students:
            (notebook,) = gradebook.find_submission(NAME, student).notebooks
            notebook.comments[0].manual_comment = f"Well done, {student}!"
            gradebook.find_grade("check-lookup", NAME, NAME, student).manual_score = 2.0
        gradebook.db.commit()


@pytest.mark.full
def test_the_bonus_goes_with_its_task(course, grade):
    """Where an instructor lets the check's cell check something else, that is worth nothing."""
    path = course / "source" / CHAPTER.notebook
    notebook = nbformat.read(path, as_version=4)
    cell_named(notebook, "check-pairs").source = "assert True"
    nbformat.write(notebook, path)
    assert scores(course)["ann"] == 24
    assert sorted(grade()[1]) == ["ann", "bob", "cat"]
    assert scores(course)["ann"] == 20


def test_what_was_given_by_hand_stays_when_a_student_hands_in_again(course, grade):
    enter_by_hand(course, "cat")
    hand_in(course, "cat", "release")
    assert grade()[1] == ["cat"]
    assert scores(course)["cat"] == 2, "nothing but the points by hand"
    assert "Well done, cat!" in page_of(course, "cat").get_text()


@pytest.mark.full
@pytest.mark.parametrize("options", [["--only", "ann"], ["--no-feedback"]])
def test_what_a_run_does_not_show_the_next_one_does(course, grade, options):
    enter_by_hand(course, "bob", "cat")
    grade(*options)
    assert "Well done" not in page_of(course, "cat").get_text()
    assert grade()[1] == []
    for student in ("bob", "cat"):
        assert f"Well done, {student}!" in page_of(course, student).get_text()
        assert "(Score: 2.0 / 2.0)" in page_of(course, student).get_text()
    assert changed(course)["cat"] == ["24, because points were given by hand."]


@pytest.mark.full
def test_who_is_graded_again_without_feedback_gets_a_page_later(course, grade):
    hand_in(course, "bob")
    assert grade("--no-feedback")[1] == ["bob"]
    before = page_of(course, "bob").get_text()
    assert grade()[1] == []
    assert page_of(course, "bob").get_text() != before


@pytest.mark.full
def test_a_graded_notebook_that_is_damaged_is_one_student_s_and_made_anew(course, grade):
    path = course / "autograded" / "bob" / NAME / f"{NAME}.ipynb"
    before = scores(course)
    path.write_bytes(path.read_bytes()[:500])
    enter_by_hand(course, "bob", "cat")
    grade(code=1)
    assert rows_of(course)["bob"]["status"] == "set-aside"
    assert "Well done, cat!" in page_of(course, "cat").get_text()
    assert grade()[1] == ["bob"]
    assert scores(course)["ann"] == before["ann"]
    assert "Well done, bob!" in page_of(course, "bob").get_text()


REFUSED = {
    "execution": (
        'c.Autograde.autograde_preprocessors.insert(0, "nbgrader.preprocessors.Execute")',
        "names Execute among the preprocessors of Autograde",
    ),
    "an execution of their own": (
        'c.Autograde.autograde_preprocessors.insert(0, "own.Run")',
        "names Run among the preprocessors of Autograde",
    ),
    "scores from outputs": (
        'c.Autograde.autograde_preprocessors = ["nbgrader.preprocessors.SaveAutoGrades"]',
        "names SaveAutoGrades among the preprocessors",
    ),
    "no scores": ("c.Autograde.autograde_preprocessors = []", "RecordScores must be among them"),
    "another exporter": (
        'c.Autograde.exporter_class = "nbconvert.exporters.NotebookExporter"',
        "take the line out",
    ),
    "what there is not": (
        'c.AssignLatePenalties.plugin_class = "late.SubMarks"',
        "cannot be imported: ModuleNotFoundError: No module named 'late'",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_replaced_is_refused_before_anything_is_done(course, grade, line):
    (course / "own.py").write_text(
        "from nbconvert.preprocessors import ExecutePreprocessor\n\n"
        "class Run(ExecutePreprocessor):\n    pass\n"
    )
    setting, words = REFUSED[line]
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(f"\n{setting}\n")
    before = (course / "gradebook.db").read_bytes()
    said, run = grade(code=2)
    assert words in said
    assert run == []
    assert (course / "gradebook.db").read_bytes() == before


@pytest.mark.full
def test_nbgrader_s_own_command_refuses_an_execution_as_well(course):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write(f"\n{REFUSED['execution'][0]}\n")
    done = nbgrader(course, "autograde", NAME, "--student", "ann", "--force")
    assert done.returncode != 0
    assert REFUSED["execution"][1] in done.stdout + done.stderr
