"""A course folder many graded assignments leave it, made without grading anything.

python -m tests.desk.made_up FOLDER [STUDENTS [ASSIGNMENTS]]
"""

import random
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from nbgrader.api import (
    Grade,
    Gradebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import insert

from headway.chapters import CHAPTERS, Chapter
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report, Row
from headway.tasks.engine.find import tasks_of

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
    tasks = tasks_of(chapter.name)
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        assignment = gradebook.add_assignment(chapter.name, duedate=due)
        notebook = gradebook.add_notebook(chapter.name, chapter.name)
        cells = {
            task.id: gradebook.add_grade_cell(
                task.id, chapter.name, chapter.name, max_score=task.points, cell_type="code"
            ).id
            for task in tasks
        }
        known = {student.id for student in gradebook.students}
        new = [{"id": student} for student in students if student not in known]
        graded = {student: row for student, row in rows.items() if row.status == "graded"}
        works, books, grades = [], [], []
        for student, row in graded.items():
            work = f"{chapter.name}-{student}"
            works.append(
                {
                    "id": work,
                    "assignment_id": assignment.id,
                    "student_id": student,
                    "timestamp": due - timedelta(hours=1),
                }
            )
            books.append({"id": work, "assignment_id": work, "notebook_id": notebook.id})
            grades += [
                {
                    "id": f"{work}-{task_id}",
                    "cell_id": cells[task_id],
                    "notebook_id": work,
                    "auto_score": result.score,
                }
                for task_id, result in row.tasks.items()
            ]
        for model, lines in (
            (Student, new),
            (SubmittedAssignment, works),
            (SubmittedNotebook, books),
            (Grade, grades),
        ):
            if lines:
                gradebook.db.execute(insert(model), lines)
        gradebook.db.commit()


if __name__ == "__main__":
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    names = [f"student-{n:03d}" for n in range(number)]
    make_course(Path(sys.argv[1]), names, CHAPTERS[: int(sys.argv[3]) if len(sys.argv) > 3 else 16])
