"""What `headway grade` prints of a class."""

from headway.commands.console import note
from headway.commands.grade import _show
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report, Row


def test_a_name_that_would_steer_the_terminal_is_shown_as_text(capsys):
    rows = {"a\x1b[2J\u202eb": Row("set-aside", None, 20.0, "Its name \x1b]0;x\x07 is none.")}
    _show(Report("01-one-hot", rows))
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "a\\x1b[2J\\u202eb" in said


def test_a_path_that_would_steer_the_terminal_is_shown_as_text(capsys):
    note("No such file: /submitted/\x1b[2Jada\nLook there.")
    assert capsys.readouterr().err == "No such file: /submitted/\\x1b[2Jada\nLook there.\n"


def test_a_student_with_many_mistakes_takes_one_line(capsys):
    tasks = {
        f"01-one-hot/{n}": TaskResult("failed", 0.0, 1.0, f"mistake-{n}", "Wrong.")
        for n in range(12)
    }
    _show(Report("01-one-hot", {"ada": Row("graded", 0.0, 20.0, tasks=tasks)}))
    said = capsys.readouterr().out
    assert "mistake-0, mistake-1 and 10 more\n" in said.replace(" \n", "\n")
    assert said.count("mistake-") == 2


def test_who_was_late_is_told_before_the_mistakes(capsys):
    tasks = {"01-one-hot/lookup": TaskResult("failed", 0.0, 1.0, "negative-wraps", "Wrong.")}
    late = Row("graded", 0.0, 20.0, tasks=tasks, late="3 h late")
    _show(Report("01-one-hot", {"ada": late, "bob": Row("graded", 1.0, 20.0)}))
    said = capsys.readouterr().out
    assert "3 h late; negative-wraps" in said
    assert said.count("late") == 1


def test_names_stand_beside_the_ids_where_the_class_list_has_any(capsys):
    students = {"ada": Row("graded", 3.0, 20.0), "zoe": Row("graded", 1.0, 20.0)}
    _show(Report("01-one-hot", students, names={"ada": "Ada \x1b[31mLovelace"}))
    out = capsys.readouterr().out
    assert "Ada \\x1b[31mLovelace" in out
    _show(Report("01-one-hot", students))
    assert "name" not in capsys.readouterr().out
