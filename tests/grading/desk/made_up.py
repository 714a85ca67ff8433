"""A course folder as many graded assignments leave it, made without grading anything."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.api import Grade, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import insert

from headway.chapters import CHAPTERS, Chapter
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row
from headway.tasks.engine.find import tasks_of
from tests.grading.classroom import gradebook_of

NOW = datetime(2026, 11, 23, 12, 0)
WEEK = timedelta(days=7)


def make_course(
    folder: Path, students: Sequence[str], chapters: Sequence[Chapter] = CHAPTERS, seed: int = 0
) -> Path:
    """Write reports, gradebook and the folders of submissions.

    Of twenty works one is not handed in, one set aside and one too new to be graded. An assignment
    is due every week, the last of them next week.
    """
    drawn = random.Random(seed)
    skill = {student: drawn.random() for student in students}
    for number, chapter in enumerate(chapters):
        rows = {}
        for place, student in enumerate(students):
            kind = (place + number + 3) % 20
            if kind != 0:
                (folder / "submitted" / student / chapter.name).mkdir(parents=True, exist_ok=True)
            row = _row(chapter, skill[student], drawn)
            if kind == 0:
                rows[student] = Row("missing", None, 20.0, "Nothing was handed in.")
            elif kind == 1:
                rows[student] = Row("set-aside", None, 20.0, "Its text is not JSON.")
            elif kind > 2:
                rows[student] = row
        report = Report(chapter.name, rows)
        path = folder / "reports" / f"{chapter.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(report.as_json(), encoding="utf-8")
        due = NOW - (len(chapters) - 2 - number) * WEEK
        _record(folder, chapter, due, students, rows)
    return folder


def _row(chapter: Chapter, skill: float, drawn: random.Random) -> Row:
    tasks = {}
    for task in tasks_of(chapter.name):
        luck = drawn.random()
        if luck < 0.2 + 0.7 * skill:
            tasks[task.id] = TaskResult("passed", task.points, task.points)
        elif luck < 0.95 and task.misconceptions:
            name = drawn.choice(task.misconceptions).name
            tasks[task.id] = TaskResult("failed", 0.0, task.points, name, "Wrong.")
        else:
            tasks[task.id] = TaskResult("untouched", 0.0, task.points)
    score = sum(result.score for result in tasks.values())
    return Row("graded", score, 20.0, None, 1.0, tasks)


def _record(
    folder: Path, chapter: Chapter, due: datetime, students: Sequence[str], rows: dict[str, Row]
) -> None:
    """Write what was graded into the gradebook, in a few statements: nbgrader takes minutes."""
    name = chapter.name
    graded = {student: row for student, row in rows.items() if row.status == "graded"}
    with gradebook_of(folder) as gradebook:
        assignment = gradebook.add_assignment(name, duedate=due).id
        notebook = gradebook.add_notebook(name, name).id
        cells = {
            task.id: gradebook.add_grade_cell(
                task.id, name, name, max_score=task.points, cell_type="code"
            ).id
            for task in tasks_of(name)
        }
        known = {student.id for student in gradebook.students}
        early = due - timedelta(hours=1)
        work = {student: f"{name}-{student}" for student in graded}
        lines = {
            Student: [{"id": student} for student in students if student not in known],
            SubmittedAssignment: [
                {"id": id, "assignment_id": assignment, "student_id": student, "timestamp": early}
                for student, id in work.items()
            ],
            SubmittedNotebook: [
                {"id": id, "assignment_id": id, "notebook_id": notebook} for id in work.values()
            ],
            Grade: [
                {
                    "id": f"{work[student]}-{task}",
                    "cell_id": cells[task],
                    "notebook_id": work[student],
                    "auto_score": result.score,
                }
                for student, row in graded.items()
                for task, result in row.tasks.items()
            ],
        }
        for model, new in lines.items():
            if new:
                gradebook.db.execute(insert(model), new)
