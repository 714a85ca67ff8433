"""The report's data: its JSON holds what is promised, whatever else the page tells."""

import json

import pytest

from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row, read_report

TASKS = {"01-one-hot/dot": TaskResult("passed", 1.0, 1.0)}


def test_what_is_for_the_page_alone_is_not_in_the_json(tmp_path):
    plain = Row("graded", 1.0, 20.0, None, 1.234, TASKS)
    told = Row("graded", 1.0, 20.0, None, 1.234, TASKS, ("A note.",), ("0 → 1",), remarks="late")
    text = Report("01-one-hot", {"a": told}, ("Beware.",), "Seed.").as_json()
    assert text == Report("01-one-hot", {"a": plain}).as_json()
    data = json.loads(text)
    assert set(data) == {"assignment", "students"}
    assert set(data["students"]["a"]) == {"status", "score", "max", "reason", "seconds", "tasks"}
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    assert read_report(path, "01-one-hot").students["a"].tasks == TASKS


@pytest.mark.parametrize("text", ["", "null", '{"students": 3}', "[" * 100_000, "\ud800"])
def test_a_report_that_cannot_be_read_is_as_good_as_none(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    assert read_report(path, "01-one-hot").students == {}


def test_points_are_told_of_the_most_there_is_and_bonus_points_alone_as_such():
    assert Row("graded", 19.5, 20.0).points == "19.5 of 20"
    assert Row("graded", 5.0, 0.0).points == "5 bonus"
    assert Row("missing", None, 20.0).points == "–"


def test_a_mistake_made_in_several_tasks_counts_a_student_once():
    def made(**names: str | None) -> Row:
        results = {f"ps/{k}": TaskResult("failed", 0.0, 1.0, name) for k, name in names.items()}
        return Row("graded", 0.0, 2.0, tasks=results)

    report = Report(
        "ps",
        {"ann": made(a="rare", b=None), "bob": made(a="known", b="known"), "cat": made(b="known")},
    )
    named = report.misconceptions()
    assert list(named) == ["known", "rare"], "the most frequent first"
    assert list(named["known"].students) == ["bob", "cat"]
    assert list(named["known"].tasks) == ["ps/a", "ps/b"]
    assert list(named["rare"].tasks) == ["ps/a"]
