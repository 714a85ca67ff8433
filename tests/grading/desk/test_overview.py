"""A class over all assignments: who is behind, which mistakes recur, what is too hard."""

import shutil
from datetime import UTC, datetime, timedelta

import pytest
from nbgrader.api import Grade

from headway.chapters import CHAPTERS
from headway.grading.desk.mistakes import recurring_mistakes
from headway.grading.desk.overview import Overview, Work, read_overview, students_by_progress
from headway.grading.desk.tasks import ENOUGH, difficulties
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.tries import Tries
from tests.grading.classroom import gradebook_of
from tests.grading.desk.made_up import NOW, make_course

ONE, TWO = CHAPTERS[0], CHAPTERS[1]
NOON = NOW.replace(tzinfo=UTC)


def overview_of(folder, works, assignments=(ONE, TWO)):
    """A class of works by student, one for each assignment."""
    work = {
        (student, chapter.name): one
        for student, of in works.items()
        for chapter, one in zip(assignments, of, strict=True)
    }
    return Overview(folder, assignments, tuple(works), work, {})


def graded(score, **tasks):
    return Work("graded", score, 20.0, tasks=tasks)


def test_each_state_of_a_student_s_work_is_told_apart(made_up):
    overview = read_overview(made_up, NOON)
    assert [one.name for one in overview.assignments] == [one.name for one in CHAPTERS[:3]]
    assert len(overview.students) == 60
    assert overview.due[TWO.name] == NOON
    last = overview.of_assignment(CHAPTERS[2].name).values()
    first = overview.of_assignment(ONE.name).values()
    assert {work.status for work in first} == {"graded", "set-aside", "handed-in", "overdue"}
    assert {work.status for work in last} == {"graded", "set-aside", "handed-in", "open"}
    later = read_overview(made_up, datetime(2027, 1, 1, tzinfo=UTC))
    assert "open" not in {work.status for work in later.work.values()}


def test_points_are_those_of_the_gradebook_today_less_the_penalty(tmp_path):
    make_course(tmp_path, ["ada"], [ONE])
    before = read_overview(tmp_path, NOON).work["ada", ONE.name]
    with gradebook_of(tmp_path) as gradebook:
        gradebook.find_assignment(ONE.name).duedate = datetime(2026, 1, 1)
        gradebook.db.query(Grade).update({"manual_score": 0.5})
        gradebook.find_submission(ONE.name, "ada").notebooks[0].late_submission_penalty = 0.25
    after = read_overview(tmp_path, NOON).work["ada", ONE.name]
    assert (before.status, before.late, after.late) == ("graded", False, True)
    assert after.score == 0.5 * len(tasks_of(ONE.name)) - 0.25 != before.score


def test_an_extension_gives_time(tmp_path):
    make_course(tmp_path, ["ada", "eve"], [ONE])
    shutil.rmtree(tmp_path / "submitted")
    with gradebook_of(tmp_path) as gradebook:
        gradebook.find_assignment(ONE.name).duedate = NOW - timedelta(days=2)
        gradebook.grant_extension(ONE.name, "eve", days=3)
    for hours, status in ((0, "open"), (25, "overdue")):
        work = read_overview(tmp_path, NOON + timedelta(hours=hours)).work
        assert work["eve", ONE.name].status == status
        assert work["ada", ONE.name].status == "overdue"


def test_a_folder_of_nobody_and_one_without_a_gradebook_are_read(tmp_path):
    (tmp_path / "submitted").mkdir()
    empty = read_overview(tmp_path, NOON)
    assert (empty.assignments, empty.students, students_by_progress(empty)) == ((), (), [])
    assert not (tmp_path / "gradebook.db").exists()
    (tmp_path / "submitted" / "ada" / ONE.name).mkdir(parents=True)
    (tmp_path / "submitted" / "ada" / "something-else").mkdir()
    (tmp_path / "submitted" / ".trash" / ONE.name).mkdir(parents=True)
    new = read_overview(tmp_path, NOON)
    assert {key: work.status for key, work in new.work.items()} == {("ada", ONE.name): "handed-in"}


def test_a_folder_without_a_notebook_is_not_handed_in_once_that_is_known(tmp_path):
    make_course(tmp_path, ["ada", "eve"], [ONE])
    report = Report(ONE.name, {"eve": Row("missing", None, 20.0, "There is no notebook.")})
    (tmp_path / "reports" / f"{ONE.name}.json").write_text(report.as_json(), encoding="utf-8")
    folder = tmp_path / "submitted" / "eve" / ONE.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tries.csv").write_text("", encoding="utf-8")
    later = datetime(2027, 1, 1, tzinfo=UTC)
    assert read_overview(tmp_path, later).work["eve", ONE.name].status == "overdue"
    (folder / f"{ONE.name}.ipynb").write_text("{}", encoding="utf-8")
    assert read_overview(tmp_path, later).work["eve", ONE.name].status == "handed-in"


def test_who_lacks_most_comes_first_and_who_has_all_is_not_behind(tmp_path):
    full, few, gone = graded(20.0), graded(4.0), Work("overdue", None, 20.0)
    overview = overview_of(
        tmp_path,
        {
            "fine": (full, full),
            "slow": (few, graded(5.0)),
            "once": (full, gone),
            "away": (gone, gone),
            "aside": (few, Work("set-aside", None, 20.0)),
            "waits": (full, Work("open", None, 20.0)),
            "free": (full, Work("missing", None, 0.0)),
        },
    )
    found = students_by_progress(overview)
    assert [one.student for one in found if one.is_behind] == ["away", "aside", "once", "slow"]
    by_name = {one.student: one for one in found}
    assert by_name["away"].absent == (1, 2)
    assert by_name["away"].share is None
    assert (by_name["aside"].aside, by_name["aside"].few) == ((2,), (1,))
    assert by_name["slow"].share == pytest.approx(9 / 40)


def test_a_mistake_recurs_that_was_made_in_two_assignments():
    name = "columns-for-rows"
    shared = {"t": TaskResult("failed", 0.0, 1.0, name)}
    once = {"t": TaskResult("failed", 0.0, 1.0, "signs-lost")}
    overview = overview_of(
        None,
        {
            "ada": (graded(1.0, **shared), graded(1.0, **shared)),
            "bob": (graded(1.0, **once), graded(1.0, **shared)),
            "cyd": (graded(1.0, **once), Work("open")),
        },
    )
    (found,) = recurring_mistakes(overview)
    assert (found.name, found.everybody) == (name, 2)
    assert found.students == {ONE.name: ("ada",), TWO.name: ("ada", "bob")}
    assert found.again == {"ada": 2}
    assert found.hint


def test_a_hard_task_comes_first_and_is_told_by_share_and_by_who_did_not_try():
    hard, left, easy = tasks_of(ONE.name)[:3]
    bonus = next(task for task in tasks_of(ONE.name) if task.bonus)
    works = {}
    for number in range(ENOUGH):
        able = number >= ENOUGH // 2
        tasks = {
            hard.id: TaskResult("passed" if able else "failed", 1.0 * able, 4.0),
            left.id: TaskResult("passed", 1.0, 1.0)
            if number > 2
            else TaskResult("untouched", 0.0, 1.0),
            easy.id: TaskResult("passed", 1.0, 1.0),
            bonus.id: TaskResult("untouched", 0.0, 4.0),
        }
        tries = {hard.id: Tries(number, able)} if number < 3 else {}
        works[f"s{number}"] = (Work("graded", 5.0, 20.0, tasks=tasks, tries=tries),)
    found = {one.task.id: one for one in difficulties(overview_of(None, works, (ONE,)))}
    assert list(found)[:2] == [hard.id, left.id]
    assert [one.is_hard for one in found.values()] == [True, True, False, False]
    assert found[hard.id].share == 0.125
    assert found[left.id].untried == 0.3
    assert found[hard.id].discrimination > 0.5
    assert found[easy.id].discrimination is None
    assert (found[hard.id].recorded, found[hard.id].tries) == (3, 1)
    few = {student: works[student] for student in list(works)[:3]}
    assert difficulties(overview_of(None, few, (ONE,)))[0].discrimination is None
