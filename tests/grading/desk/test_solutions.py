"""Solutions as pages: whole, and in no place that others read."""

import re
from html import unescape
from itertools import groupby

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup

from headway.chapters import ASSIGNMENTS, CHAPTERS
from headway.grading.desk.solutions import OURS, solved
from headway.tasks.engine.find import tasks_of
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import notebook_of

NAME = CHAPTERS[0].name
TAG = re.compile(r"<[/a-z][^<>]*>")  # or what looks like one in an answer
LONG = 60  # characters, without white space, that no page has by chance


def solution_regions(path) -> list[str]:
    """The solutions in a notebook's cells, each stretch of lines alone, without white space."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            lines, _ = solved(cell.source)
            for own, stretch in groupby(lines, lambda line: line[1]):
                found += [without_space("".join(text for text, _ in stretch))] if own else []
    return found


def without_space(text: str) -> str:
    """A text without tags and white space, that of a notebook's JSON among it."""
    shown = TAG.sub("", unescape(TAG.sub("", text)))
    return re.sub(r'\s|\\n(",\s*")?|\\(?=")', "", shown)


def test_a_page_has_the_whole_solution_and_the_mistakes(headway, root, tmp_path):
    folder = tmp_path / "solutions"
    result = headway("class", "solutions", folder, "01")
    assert result.code == 0
    assert "Keep them where no student can read them." in result.err
    html = (folder / f"{NAME}.html").read_text("utf-8")
    page = BeautifulSoup(html, "html.parser")
    lines = {line.get_text() for line in page.find_all("span", "line")}
    for cell in notebook_of(CHAPTERS[0], "solution").cells:
        if cell.cell_type == "code" and cell.metadata.nbgrader.solution:
            assert set(cell.source.split("\n")) <= lines
    assert "### BEGIN" not in html
    regions = solution_regions(root / "solutions" / NAME / f"{NAME}.ipynb")
    assert all(region in without_space(html) for region in regions)
    for task in tasks_of(NAME):
        assert task.title in page.get_text()
        for mistake in task.misconceptions:
            assert mistake.hint in page.get_text()
    assert "Handed out instead" in page.get_text()
    assert "…" not in page.find("div", "text").get_text()
    assert 'content="noindex"' in html
    assert "<script" not in html


def test_pages_that_stand_in_the_folder_stay_in_its_list(headway, tmp_path):
    for number in ("02", "01"):
        assert headway("class", "solutions", tmp_path, number).code == 0
    (tmp_path / f"{CHAPTERS[2].name}.html").write_text("mine", encoding="utf-8")
    headway("class", "solutions", tmp_path, "02")
    page = BeautifulSoup((tmp_path / "index.html").read_text("utf-8"), "html.parser")
    assert [a["href"] for a in page("a")] == [f"{one.name}.html" for one in CHAPTERS[:2]]


def test_a_course_folder_s_own_source_is_taken(headway, root, tmp_path):
    source = tmp_path / "source" / NAME / f"{NAME}.ipynb"
    source.parent.mkdir(parents=True)
    text = (root / "solutions" / NAME / source.name).read_text("utf-8")
    source.write_text(text.replace("Words as vectors", "Words of mine"), encoding="utf-8")
    result = headway("class", "solutions", tmp_path / "out", "--course", tmp_path)
    assert "Solutions of 1 assignment" in result.out
    assert "Words of mine" in (tmp_path / "out" / f"{NAME}.html").read_text("utf-8")
    nothing = headway("class", "solutions", tmp_path / "none", "--course", tmp_path / "out")
    assert_sentence(nothing, f"There is no solution in {tmp_path / 'out' / 'source'}.", "--course")
    other = headway("class", "solutions", tmp_path / "none", "02", "--course", tmp_path)
    assert_sentence(other, f"There is no solution of 02-markov in {tmp_path / 'source'}.")


@pytest.mark.parametrize("place", ["_build/html/solutions", "_build/x", "book", "exercises", "src"])
def test_a_place_that_is_published_is_refused(headway, root, place):
    refused = headway("class", "solutions", root / place)
    assert_sentence(refused, "a folder that only you can read.")
    assert not (root / place / f"{NAME}.html").exists()


@pytest.mark.parametrize("mark", ["searchindex.js", "objects.inv", "genindex.html"])
def test_a_built_site_anywhere_is_refused_also_by_a_link(headway, tmp_path, mark):
    site = tmp_path / "site"
    (site / "deep" / "er").mkdir(parents=True)
    (site / mark).touch()
    link = tmp_path / "link"
    link.symlink_to(site / "deep")
    for folder in (site, site / "deep" / "er", link, link / "new"):
        assert_sentence(headway("class", "solutions", folder), "which others can read")
    assert sorted(path.name for path in site.rglob("*")) == sorted(["deep", "er", mark])


def test_a_folder_with_other_files_is_refused(headway, tmp_path):
    (tmp_path / "index.html").write_text("mine", encoding="utf-8")
    assert_sentence(headway("class", "solutions", tmp_path, "01"), "holds other files")
    assert (tmp_path / "index.html").read_text("utf-8") == "mine"


def test_the_workflow_publishes_the_book_and_nothing_else(root):
    workflow = yaml.safe_load((root / ".github/workflows/publish.yml").read_text("utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    runs = [step["run"] for step in steps if "headway" in step.get("run", "")]
    assert runs == [".venv/bin/headway book --pdf --epub"]
    uploads = {step["with"]["path"] for step in steps if "upload" in step.get("uses", "")}
    assert uploads == {"_build/html", "_build/open"}
    makefile = (root / "Makefile").read_text("utf-8")
    assert re.search(r"^book: \$\(SEEN\) .*\n\t\$\(BIN\)/headway book\n\n", makefile, re.M)
    for text in (makefile, *(p.read_text("utf-8") for p in (root / ".github").rglob("*.yml"))):
        assert "headway class solutions" not in text
        assert "solutions/" not in text


@pytest.mark.book
def test_the_built_book_holds_no_solution(built_book, root):
    """Neither a page of these nor, in any file, a solution's lines as `solutions/` has them."""
    answers = {}
    for chapter in ASSIGNMENTS:
        for region in solution_regions(root / "solutions" / chapter.notebook):
            if len(region) >= LONG:
                answers[region] = chapter.name
    assert len(answers) > 50
    leaked = []
    for path in built_book.rglob("*"):
        if path.suffix in (".html", ".ipynb", ".js", ".txt", ".md") and path.is_file():
            text = path.read_text("utf-8", errors="replace")
            assert OURS not in text
            packed = without_space(text)
            leaked += [(path.name, name) for answer, name in answers.items() if answer in packed]
    assert leaked == []
