"""The leaderboard: who is on it, in which order, and that a name does nothing but be read."""

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from headway.grading.notebooks.task_result import TaskResult
from headway.grading.results.leaderboard import (
    LONGEST,
    chosen_name,
    leaderboard_page,
    leaderboard_rows,
    leaderboard_task,
    plain_name,
)
from headway.grading.results.report import Report, Row, read_report
from headway.grading.results.report_page import report_page
from headway.tasks.engine.find import tasks_of
from headway.tasks.engine.leaderboard import Leaderboard

NAME = "01-one-hot"
BOARD = Leaderboard(
    lambda cases, values: {},
    ranked="bits per byte",
    floor="the truth",
    baselines=("best chain",),
    also=("parameters",),
)
TASK = replace(tasks_of(NAME)[-1], title="A model", leaderboard=BOARD)


@pytest.fixture(autouse=True)
def with_leaderboard(monkeypatch):
    """One task of the first assignment has a leaderboard."""
    tasks = (*tasks_of(NAME)[:-1], TASK)
    monkeypatch.setattr("headway.grading.results.leaderboard.tasks_of", lambda name: tasks)


def row(bits, listed_as="", truth=1.4, parameters=38_000, score=4.0, **more):
    measured = {
        "bits per byte": bits,
        "parameters": parameters,
        "best chain": truth + 0.5,
        "the truth": truth,
        **more,
    }
    result = TaskResult("passed", score, 4.0, None, None, measured, listed_as)
    return Row("graded", score, 20.0, tasks={TASK.id: result})


def ranks(**rows):
    return [(s.rank, s.name) for s in leaderboard_rows(Report(NAME, rows), TASK)]


def test_who_chose_a_name_and_earned_points_is_listed_between_the_baselines_and_the_truth():
    nothing = row(1.5, "Bob", score=0.0)
    listed = ranks(a=row(1.6, "Ada"), b=row(1.5), c=row(2.1, "Konrad"), d=row(1.5, "E"), e=nothing)
    order = ["the truth", "E", "Ada", "best chain", "Konrad"]
    assert listed == list(zip([None, 1, 2, None, 3], order, strict=True))
    assert ranks(e=nothing) == []


def test_who_met_other_cases_is_measured_by_their_own_floor():
    found = ranks(a=row(1.6, "Ada", truth=1.5), b=row(1.5, "Bob", truth=1.2))
    assert found[1:3] == [(1, "Ada"), (2, "Bob")]


def test_names_that_are_equal_but_for_capitals_are_told_apart():
    chosen = {1.6: "Ada", 1.60001: "ada", 1.7: "ADA (2)", 1.8: "The truth", 2.5: "Ada"}
    found = ranks(**{f"s{bits}": row(bits, name) for bits, name in chosen.items()})
    listed = ["Ada", "ada (2)", "ADA (2) (2)", "The truth (2)", "Ada (3)"]
    assert [name for rank, name in found if rank] == listed


def test_equals_and_whom_chance_may_part_share_a_rank_counted_from_its_best(monkeypatch):
    task = replace(TASK, leaderboard=replace(BOARD, noise=0.03))
    bits = {"a": 1.5, "b": 1.52, "c": 1.529, "d": 1.54, "e": 1.56, "f": 1.58}
    report = Report(NAME, {name: row(x, name) for name, x in bits.items()})
    found = {s.name: s.rank for s in leaderboard_rows(report, task) if s.rank}
    assert found == {"a": 1, "b": 1, "c": 1, "d": 4, "e": 4, "f": 6}
    assert ranks(a=row(1.6, "Ada"), b=row(1.6, "Bob"))[1:3] == [(1, "Ada"), (1, "Bob")]
    monkeypatch.setattr("headway.grading.results.leaderboard.tasks_of", lambda name: [task])
    assert "at most 0.03 apart share a rank" in leaderboard_page(report)


@pytest.mark.parametrize("measured", [{}, {"bits per byte": 1.0}, {"bits per byte": float("inf")}])
def test_who_has_not_all_figures_is_not_listed(measured):
    result = TaskResult("failed", 0.0, 4.0, None, None, measured, "Ada")
    rows = {"a": Row("graded", 0.0, 20.0, tasks={TASK.id: result})}
    assert leaderboard_rows(Report(NAME, rows), TASK) == []
    assert "Nobody is listed yet" in leaderboard_page(Report(NAME, rows))


def test_the_page_shows_figures_and_no_student_s_id():
    report = Report(NAME, {"student_77": row(1.6, "Ada"), "student_78": row(1.5)})
    page = BeautifulSoup(leaderboard_page(report), "html.parser")
    cells = [
        [cell.get_text(strip=True) for cell in line(["td", "th"])] for line in page.tbody("tr")
    ]
    assert cells == [
        ["–", "the truth", "1.40", "0.00", ""],
        ["1", "Ada", "1.60", "0.20", "38,000"],
        ["–", "best chain", "1.90", "0.50", ""],
    ]
    assert "student_7" not in str(page)
    assert "1 answer is listed, under the name that its author chose." in page.get_text()


@pytest.mark.parametrize("page", [leaderboard_page, report_page])
def test_a_name_is_text_and_nothing_else(page):
    html = page(Report(NAME, {"a": row(1.6, "\u202e<b onclick=x>{{ 7 * 7 }}")}))
    assert "<b onclick" not in html
    assert "\u202e" not in html
    assert "\\u202e&lt;b onclick=x&gt;{{ 7 * 7 }}" in html
    assert "<script" not in html


def test_the_report_tells_whoever_grades_what_was_measured_of_each_student():
    page = BeautifulSoup(
        report_page(Report(NAME, {"a": row(1.6, "Ada"), "b": row(1.5)}), "../"), "html.parser"
    )
    (heading,) = (it for it in page.find_all("h2") if it.get_text() == "Measured")
    told = [line.get_text(" ", strip=True) for line in heading.find_next("tbody").find_all("tr")]
    assert told == ["a 1.600 38,000 1.900 1.400 Ada", "b 1.500 38,000 1.900 1.400"]
    assert page.find("a", string="Leaderboard")["href"] == "../leaderboard.html"


def test_figures_and_name_outlive_the_report_s_file(tmp_path):
    report, path = Report(NAME, {"a": row(1.6, "Ada")}), tmp_path / "report.json"
    path.write_text(report.as_json(), encoding="utf-8")
    assert read_report(path, NAME).students["a"].tasks == report.students["a"].tasks


def test_an_assignment_has_a_leaderboard_if_one_of_its_tasks_has(monkeypatch):
    assert leaderboard_task(NAME) is TASK
    monkeypatch.undo()
    assert leaderboard_task(NAME) is None


def named(*sources):
    return chosen_name(new_notebook(cells=[new_code_cell(source) for source in sources]))


def test_the_last_name_that_is_given_in_code_counts():
    assert named("x = 1\nleaderboard_name = ('Ada')", 'leaderboard_name = "Noether"') == "Noether"
    assert named('leaderboard_name = "Ada"', 'leaderboard_name = ""') == ""
    assert chosen_name(new_notebook(cells=[new_markdown_cell('leaderboard_name = "Ada"')])) == ""


@pytest.mark.parametrize(
    "source",
    [
        "leaderboard_name = 7",
        'leaderboard_name = "A" + "da"',
        'leaderboard_name = f"{1 + 1}"',
        'def f():\n    leaderboard_name = "Ada"',
        'leaderboard_name = "Ada',
        'leaderboard_name = "\u2003 \u200b"',
        "leaderboard_name = " + "(" * 5_000,
        'leaderboard_name = "Ada"\n' + "a;" * 10_000,
    ],
)
def test_who_gives_no_plain_text_is_not_listed(source):
    assert named(source) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" Ada\n\tLovelace\u202e ", "Ada Lovelace"),
        ("x" * 1_000, "x" * LONGEST),
        ("a" + "\u0301" * 20, "á\u0301\u0301"),
        ("Zoë 王 한국 देवनागरी 🙂", "Zoë 王 한국 देवनागरी 🙂"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),  # escaped where it is shown
        ("—…!", ""),  # without a letter or digit
        ("Ａｄａ", "Ada"),
    ],
)
def test_a_name_stays_on_one_short_line(text, name):
    assert plain_name(text) == name


@given(st.text())
def test_every_text_gives_a_printable_name_that_stays_as_it_is(text):
    name = plain_name(text)
    assert name.isprintable()
    assert len(name) <= LONGEST
    assert plain_name(name) == name
