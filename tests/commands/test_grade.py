"""What `headway grade` prints of a class."""

from headway.commands.console import note
from headway.commands.grade import _show
from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.report import Report, Row


def shown(capsys, rows: dict[str, Row], **more) -> str:
    _show(Report("01-one-hot", rows, **more))
    return capsys.readouterr().out


def test_what_would_steer_the_terminal_is_shown_as_text(capsys):
    row = Row("set-aside", None, 20.0, "Its name \x1b]0;x\x07 is none.")
    said = shown(capsys, {"a\x1b[2J\u202eb": row})
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "a\\x1b[2J\\u202eb" in said
    note("No such file: /submitted/\x1b[2Jada\nLook there.")
    assert capsys.readouterr().err == "No such file: /submitted/\\x1b[2Jada\nLook there.\n"


def test_many_mistakes_take_one_line_and_who_was_late_is_told_before_them(capsys):
    tasks = {
        f"01-one-hot/{n}": TaskResult("failed", 0.0, 1.0, f"mistake-{n}", "Wrong.")
        for n in range(12)
    }
    rows = {"ada": Row("graded", 0.0, 20.0, tasks=tasks), "bob": Row("graded", 1.0, 20.0)}
    said = shown(capsys, rows)
    assert "mistake-0, mistake-1 and 10 more\n" in said.replace(" \n", "\n")
    assert said.count("mistake-") == 2
    late = {"ada": Row("graded", 0.0, 20.0, tasks=tasks, remarks="3 h late"), "bob": rows["bob"]}
    said = shown(capsys, late)
    assert "3 h late; mistake-0" in said
    assert said.count("late") == 1


def test_names_stand_beside_the_ids_where_the_class_list_has_any(capsys):
    students = {"ada": Row("graded", 3.0, 20.0), "zoe": Row("graded", 1.0, 20.0)}
    named = shown(capsys, students, names={"ada": "Ada \x1b[31mLovelace"})
    assert "Ada \\x1b[31mLovelace" in named
    assert "name" not in shown(capsys, students)
