"""The class report as a page: what it says, and that nothing in it does anything."""

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from headway.chapters import CHAPTERS
from headway.grading.notebooks.task_result import TaskResult
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


def row(score, seconds=2.0, **more):
    tasks = {TASK.id: TaskResult("passed", 1.0, 1.0)}
    return Row("graded", score, 20.0, None, seconds, **{"tasks": tasks, **more})


KNOWN = TASK.misconceptions[0]
NAMED = {TASK.id: TaskResult("failed", 0.0, 1.0, KNOWN.name, "Wrong.")}


def test_warnings_stand_before_everything_and_the_seed_after():
    page = page_of({"a": row(1.0)}, warnings=("No <sandbox>.", "Two."), footnote="Seed 3f2a.")
    warned = page.main.find_all(recursive=False)[1]
    assert warned.get_text(" ", strip=True) == "⚠ No <sandbox>. ⚠ Two."
    assert page.footer.get_text(strip=True) == "Seed 3f2a."
    assert not page_of({}).find_all(["footer", "section"])


def test_what_was_put_right_what_changed_and_who_was_late_is_told_by_student():
    students = {
        "ada": row(14.0, changes=("12 → 14, because the task changed",), notes=("One.", "Two.")),
        "bob": row(1.0, remarks="2 d late, 1.5 taken off"),
        "cut": Row("set-aside", None, 20.0, "Why.", notes=("It was renamed.",)),
    }
    page = page_of(students)
    changed = section(page, "What changed since an earlier grading")
    assert changed == ["ada 12 → 14, because the task changed"]
    assert section(page, "Put right or stopped") == ["ada One. Two.", "cut It was renamed."]
    assert section(page, "Not graded") == ["cut set aside Why."]
    ada, bob = section(page, "Students")
    assert ("late" in ada, "1 of 20 2 d late, 1.5 taken off" in bob) == (False, True)
    assert {link.get_text() for link in page.find_all("a")} == {"ada", "bob"}, "with feedback"
    quiet = page_of({"bob": row(1.0)}).get_text()
    assert "Put right" not in quiet
    assert "What changed" not in quiet


def test_mistakes_are_told_with_their_hint_and_other_failures_once_for_all():
    lost = {TASK.id: TaskResult("partial", 0.5, 1.0, None, "It raises <b>KeyError</b>.")}
    students = {name: row(0.5, tasks=lost) for name in ("a", "b")}
    students |= {"c": row(0.0, tasks=NAMED), "d": row(1.0), "e": row(0.0, tasks=NAMED)}
    page = page_of(students)
    told = section(page, "Failures without a name")
    assert told == [f"2 {TASK.title} It raises <b>KeyError</b>. a , b"]
    (told,) = section(page, "Mistakes with a name")
    assert told == f"2 {KNOWN.name} {TASK.title} {KNOWN.hint} c , e"
    assert "without a name" not in page_of({"c": students["c"], "d": row(1.0)}).get_text()


def test_names_of_the_class_list_stand_beside_the_ids_on_the_page_alone():
    lost = {TASK.id: TaskResult("failed", 0.0, 1.0, None, "Other.")}
    students = {
        "ada": row(0.0, 1.0, tasks=NAMED),
        "bob": row(0.0, 90.0, tasks=NAMED),
        "cut": Row("set-aside", None, 20.0, "No JSON."),
        "zoe": row(0.0, 3.0, tasks=lost),
    }
    names = {"ada": "Ada <b>", "cut": "Kurt G.", "zoe": "Zoe L."}
    report = Report(NAME, students, names=names)
    page = BeautifulSoup(report_page(report), "html.parser")
    people = [th.get_text(" ", strip=True) for th in page.select("tbody th")]
    assert {"ada Ada <b>", "bob", "cut Kurt G."} <= set(people)
    assert section(page, "Mistakes with a name")[0].endswith("ada ( Ada <b> ), bob")
    assert section(page, "Failures without a name")[0].endswith("zoe ( Zoe L. )")
    slowest = "The slowest: bob: 1 min 30 s; zoe (Zoe L.): 3.0 s; ada (Ada <b>): 1.0 s."
    assert f"1 min 34 s in all, 31.3 s for a student. {slowest}" in page.get_text()
    assert "Kurt" not in report.as_json()
    times = {0.04: "0.0 s", 59.6: "59.6 s", 60: "1 min 0 s", 7384.2: "2 h 3 min"}
    assert [duration(seconds) for seconds in times] == list(times.values())


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
    students = {"a": row(1.0, tasks={})}
    assert f"{TASK.points:g}" in " ".join(section(page_of(students), "Tasks"))
