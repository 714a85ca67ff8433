"""The class report as a page: what it says, and that nothing in it does anything."""

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from headway.chapters import CHAPTERS
from headway.grading.notebooks.verdicts import TaskResult
from headway.grading.results.report import Report, Row
from headway.grading.results.report_page import MOST_BARS, bars, duration, report_page
from headway.tasks.engine.find import tasks_of

NAME = CHAPTERS[0].name
TASK = tasks_of(NAME)[0]


def page_of(students, **more):
    return BeautifulSoup(report_page(Report(NAME, students, **more)), "html.parser")


def section(page, title):
    """The table below a heading."""
    (heading,) = (it for it in page.find_all("h2") if it.get_text() == title)
    return [
        row.get_text(" ", strip=True) for row in heading.find_next("table").tbody.find_all("tr")
    ]


def row(score, **more):
    tasks = {TASK.id: TaskResult("passed", 1.0, 1.0)}
    return Row("graded", score, 20.0, None, 2.0, tasks, **more)


def test_warnings_stand_before_everything_and_the_seed_after():
    page = page_of({"a": row(1.0)}, warnings=("No <sandbox>.", "Two."), footnote="Seed 3f2a.")
    warned = page.main.find_all(recursive=False)[1]
    assert warned.get_text(" ", strip=True) == "⚠ No <sandbox>. ⚠ Two."
    assert page.footer.get_text(strip=True) == "Seed 3f2a."
    assert not page_of({}).find_all(["footer", "section"])


def test_what_was_put_right_and_what_changed_is_told_by_student():
    students = {
        "ada": row(14.0, history=("12 → 14, because the task changed",), notes=("One.", "Two.")),
        "bob": row(1.0),
        "cut": Row("set-aside", None, 20.0, "Why.", notes=("It was renamed.",)),
    }
    page = page_of(students)
    changed = section(page, "What changed since an earlier grading")
    assert changed == ["ada 12 → 14, because the task changed"]
    assert section(page, "Put right before grading") == ["ada One. Two.", "cut It was renamed."]
    assert section(page, "Not graded") == ["cut set aside Why."]
    quiet = page_of({"bob": row(1.0)}).get_text()
    assert "Put right" not in quiet
    assert "What changed" not in quiet


def test_a_mistake_is_told_with_its_hint_and_who_made_it():
    known = TASK.misconceptions[0]
    wrong = {TASK.id: TaskResult("failed", 0.0, 1.0, known.name, "Wrong.")}
    students = {name: Row("graded", 0.0, 20.0, None, 1.0, wrong) for name in ("a", "b")}
    (told,) = section(page_of(students), "Mistakes with a name")
    assert told == f"2 {known.name} {TASK.title} {known.hint} a , b"


def test_why_points_are_lost_without_a_known_mistake_is_said_once_for_all():
    lost = {TASK.id: TaskResult("partial", 0.5, 1.0, None, "It raises <b>KeyError</b>.")}
    named = {TASK.id: TaskResult("failed", 0.0, 1.0, TASK.misconceptions[0].name, "Wrong.")}
    students = {name: Row("graded", 0.5, 20.0, None, 1.0, lost) for name in ("a", "b")}
    students |= {"c": Row("graded", 0.0, 20.0, None, 1.0, named), "d": row(1.0)}
    told = section(page_of(students), "Failures without a name")
    assert told == [f"2 {TASK.title} It raises <b>KeyError</b>. a , b"]
    assert "without a name" not in page_of({"c": students["c"], "d": row(1.0)}).get_text()


def test_names_of_the_class_list_stand_beside_the_ids_on_the_page_alone():
    students = {"ada": row(3.0), "cut": Row("set-aside", None, 20.0, "No JSON."), "zoe": row(1.0)}
    report = Report(CHAPTERS[0].name, students, names={"ada": "Ada <b>", "cut": "Kurt G."})
    page = BeautifulSoup(report_page(report), "html.parser")
    people = [th.get_text(" ", strip=True) for th in page.select("tbody th")]
    assert {"ada Ada <b>", "cut Kurt G.", "zoe"} <= set(people)
    assert "Kurt" not in report.as_json()


def test_names_stand_beside_the_ids_where_mistakes_and_the_slowest_are_told():
    known = TASK.misconceptions[0]
    named = {TASK.id: TaskResult("failed", 0.0, 1.0, known.name, "Wrong.")}
    lost = {TASK.id: TaskResult("failed", 0.0, 1.0, None, "Other.")}
    students = {
        "ada": Row("graded", 0.0, 20.0, None, 1.0, named),
        "bob": Row("graded", 0.0, 20.0, None, 2.0, named),
        "zoe": Row("graded", 0.0, 20.0, None, 3.0, lost),
    }
    page = page_of(students, names={"ada": "Ada <b>", "zoe": "Zoe L."})
    assert section(page, "Mistakes with a name")[0].endswith("ada ( Ada <b> ), bob")
    assert section(page, "Failures without a name")[0].endswith("zoe ( Zoe L. )")
    assert "zoe (Zoe L.): 3.0 s; bob: 2.0 s; ada (Ada <b>): 1.0 s." in page.get_text()


def test_who_was_late_is_told_beside_the_score_on_the_page_alone():
    report = Report(NAME, {"ada": row(3.0, late="2 d late, 1.5 taken off"), "bob": row(1.0)})
    page = BeautifulSoup(report_page(report), "html.parser")
    ada, bob = section(page, "Students")
    assert "3 of 20 2 d late, 1.5 taken off" in ada
    assert "late" not in bob
    assert "late" not in report.as_json()


def test_only_who_has_feedback_is_linked_to_it():
    students = {"ada": row(1.0), "cut": Row("set-aside", None, 20.0, "Why.", notes=("N.",))}
    page = page_of(students)
    assert {link.get_text() for link in page.find_all("a")} == {"ada"}


def test_the_time_names_the_slowest():
    students = {"a": row(1.0), "b": Row("graded", 1.0, 20.0, None, 90.0)}
    assert "92.0" not in report_page(Report(NAME, students))
    assert "1 min 32 s in all, 46.0 s for a student. The slowest: b: 1 min 30 s; a: 2.0 s." in (
        page_of(students).get_text()
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (59.6, "59.6 s"), (60, "1 min 0 s")]
)
def test_times_are_told_in_words(seconds, text):
    assert duration(seconds) == text
    assert duration(7384.2) == "2 h 3 min"


def test_marks_that_turn_or_hide_text_are_shown_as_numbers():
    name = "\u202e<script>alert(1)</script>"
    html = report_page(Report(NAME, {name: Row("set-aside", None, 20.0, name, notes=(name,))}))
    assert "<script" not in html
    assert "\u202e" not in html
    assert html.count("\\u202e&lt;script&gt;") == 4
    html.encode("utf-8")


@given(
    st.lists(st.integers(0, 100).map(lambda quarters: quarters / 4), max_size=40),
    st.integers(0, 40),
)
def test_every_score_is_in_one_bar(scores, most):
    found = bars(scores, most)
    assert sum(count for *_, count in found) == len(scores)
    assert len(found) <= MOST_BARS
    for at, (start, end, count) in enumerate(found):
        last = at == len(found) - 1
        assert count == sum(start <= x < end or (last and x == end) for x in scores)


def test_an_assignment_whose_notebook_checks_none_of_its_tasks_has_a_report():
    students = {"a": Row("graded", 1.0, 1.0, None, 2.0)}
    assert f"{TASK.points:g}" in " ".join(section(page_of(students), "Tasks"))
