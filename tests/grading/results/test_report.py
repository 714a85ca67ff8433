"""The report's data: its JSON holds what is promised, whatever else the page tells."""

import json

from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report, Row, read_report

TASKS = {"01-one-hot/dot": TaskResult("passed", 1.0, 1.0)}


def test_what_is_for_the_page_alone_is_not_in_the_json(tmp_path):
    plain = Row("graded", 1.0, 20.0, None, 1.234, TASKS)
    told = Row("graded", 1.0, 20.0, None, 1.234, TASKS, ("A note.",), ("0 → 1",))
    text = Report("01-one-hot", {"a": told}, ("Beware.",), "Seed.").as_json()
    assert text == Report("01-one-hot", {"a": plain}).as_json()
    data = json.loads(text)
    assert set(data) == {"assignment", "students"}
    assert set(data["students"]["a"]) == {"status", "score", "max", "reason", "seconds", "tasks"}
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    assert read_report(path, "01-one-hot").students["a"].tasks == TASKS
