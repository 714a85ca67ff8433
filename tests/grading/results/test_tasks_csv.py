"""The table of points by task has what counts, and nothing of who has no grade."""

import csv

from nbgrader.api import Gradebook

from headway.grading.results.report import Report, Row
from headway.grading.results.tasks_csv import write_task_points

NAME = "01-one-hot"
FIRST = ("student_id", "last_name", "first_name", "status", "score")


def test_points_by_task_are_those_that_count(tmp_path):
    with Gradebook("sqlite://") as book:
        book.add_assignment(NAME)
        for notebook in (NAME, "other"):
            book.add_notebook(notebook, NAME)
        for name in ("own", "check-pairs", "check-lookup", "check-dot"):
            book.add_grade_cell(name, NAME, NAME, max_score=2, cell_type="code")
        book.add_grade_cell("elsewhere", "other", NAME, max_score=2, cell_type="code")
        book.add_student("ada", first_name="Ada", last_name="=Love")
        book.add_student("cut")
        for student in ("ada", "cut"):
            book.update_or_create_submission(NAME, student)
            for name, score in (("own", 0.5), ("check-dot", 1), ("check-lookup", 0)):
                book.find_grade(name, NAME, NAME, student).auto_score = score
        book.find_grade("check-lookup", NAME, NAME, "ada").manual_score = 1.5
        book.find_grade("check-pairs", NAME, NAME, "ada").auto_score = 0
        book.find_grade("check-pairs", NAME, NAME, "ada").extra_credit = 4
        book.db.commit()
        rows = {
            "ada": Row("graded", 7.0, 6.0),
            "cut": Row("set-aside", None, 6.0, "Why."),
            "zoe": Row("missing", None, 6.0),
        }
        path = tmp_path / "tasks.csv"
        write_task_points(path, book, Report(NAME, rows))
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            [*FIRST, "dot", "lookup", "pairs", "own"],
            ["ada", "'=Love", "Ada", "graded", "7.0", "1.0", "1.5", "4.0", "0.5"],
            ["cut", "", "", "set-aside", *[""] * 5],
            ["zoe", "", "", "missing", *[""] * 5],
        ]
