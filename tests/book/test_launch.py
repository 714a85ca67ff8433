"""Pages and assignments opened with a click: where the buttons lead, and what is opened there."""

import ast
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml

from headway.address import repository_address, site_address
from headway.book import build_book
from headway.chapters import ASSIGNMENTS, CHAPTERS, released_notebook
from tests.grading.classroom import CHAPTER, hand_in, notebook_of, statuses_and_scores

REPOSITORY = "https://github.com/owner/course"
SERVICES = {
    "thebe": False,
    "binderhub_url": "https://binder.example.org/",
    "colab_url": "https://colab.example.org",
    "jupyterhub_url": "https://hub.example.edu",
    "jupyterlite_url": "https://example.edu/lite",
}
FIRST, FOURTH = (f"exercises/{CHAPTERS[at].notebook}" for at in (0, 3))
ARCHIVE = f"headway-course[kernel] @ {REPOSITORY}/archive/main.zip"
# What the assignments of the first chapters do without, as Python in a browser does.
NOT_IN_A_BROWSER = ("torch", "typer", "rich", "tqdm", "nbformat", "nbclient", "zmq")
BEFORE = f"""import sys
sys.modules.update(dict.fromkeys({NOT_IN_A_BROWSER}))
import headway.tasks.check as module
real, earned = module.check, []
module.check = lambda *asked: earned.append(real(*asked))"""
AFTER = """assert len(earned) > 9, earned
assert all(points.verdict.status == "passed" for points in earned), earned"""


def addresses(path: str, **changed) -> dict[str, str]:
    """Where the buttons lead, by the host."""
    from headway_book.launch import places

    options = {"repository_url": REPOSITORY, "launch_buttons": SERVICES} | changed
    found = [place["url"] for place in places(options, path)]
    return {urlsplit(url).netloc.partition(".")[0]: url for url in found}


def test_each_place_opens_the_notebook_of_the_branch():
    found = addresses(FIRST)
    assert list(found) == ["binder", "hub", "colab", "example"]
    assert found["binder"] == (
        f"https://binder.example.org/v2/gh/owner/course/notebooks?urlpath=lab/tree/{FIRST}"
    )
    assert found["colab"] == f"https://colab.example.org/github/owner/course/blob/notebooks/{FIRST}"
    assert found["example"] == f"https://example.edu/lite/lab/index.html?path={FIRST}"
    pulled = urlsplit(found["hub"])
    assert pulled.path == "/hub/user-redirect/git-pull"
    assert parse_qs(pulled.query) == {
        "repo": [REPOSITORY],
        "branch": ["notebooks"],
        "urlpath": [f"lab/tree/course/{FIRST}"],
    }


def test_no_button_leads_where_nothing_is_configured_or_the_notebook_cannot_run():
    only = {"binderhub_url": "https://binder.example.org"}
    for path, changed, hosts in (
        (FIRST, {"repository_url": ""}, []),
        (FIRST, {"repository_url": None}, []),
        (FIRST, {"launch_buttons": None}, []),
        (FIRST, {"launch_buttons": {"thebe": False, "colab_url": ""}}, []),
        (FIRST, {"launch_buttons": only}, ["binder"]),
        (FOURTH, {}, ["binder", "hub", "colab"]),  # it needs torch
    ):
        assert list(addresses(path, **changed)) == hosts
    elsewhere = addresses(FIRST, repository_url="https://git.example.edu/tf/course")
    assert list(elsewhere) == ["binder", "hub", "example"]
    assert "/v2/git/https%3A%2F%2Fgit.example.edu%2Ftf%2Fcourse/notebooks" in elsewhere["binder"]


def test_a_notebook_that_is_opened_has_one_cell_more_and_no_other_change():
    from headway_book.launch import CELL_ID, INSTALL, openable

    released = notebook_of(CHAPTER, "release")
    opened = openable(released, INSTALL % ARCHIVE)
    (added,) = [cell for cell in opened.cells if cell.id == CELL_ID]
    assert "nbgrader" not in added.metadata, "it is nobody's answer, and no check"
    assert opened.cells[opened.cells.index(added) + 1].id == "setup"
    opened.cells.remove(added)
    assert opened == released


@pytest.mark.parametrize("there", [True, False])
def test_the_cell_installs_the_course_where_it_is_missing(there, monkeypatch):
    from headway_book.launch import INSTALL

    asked = []
    shell = SimpleNamespace(run_line_magic=lambda *told: asked.append(told))
    code = INSTALL % ARCHIVE
    ast.parse(code)  # it is read as Python when it is handed in
    monkeypatch.setattr("importlib.util.find_spec", lambda name: there or None)
    exec(code, {"get_ipython": lambda: shell, "__name__": "__main__"})
    assert asked == ([] if there else [("pip", f'install --progress-bar on "{ARCHIVE}"')])


@pytest.mark.full
def test_a_notebook_from_there_is_worth_what_the_same_answers_are(headway, tmp_path):
    from headway_book.launch import INSTALL, openable

    def as_opened(notebook):
        notebook.cells = openable(notebook, INSTALL % ARCHIVE).cells

    hand_in(tmp_path, "colab", change=as_opened)
    hand_in(tmp_path, "here")
    done = headway("grade", "01", "--course", tmp_path)
    assert (done.code, done.err) == (0, "")
    assert statuses_and_scores(tmp_path) == dict.fromkeys(("colab", "here"), ("graded", 24))


def test_binder_installs_the_course_that_it_finds(root):
    from headway_book.launch import HERE

    assert HERE in (root / ".binder" / "requirements.txt").read_text("utf-8").splitlines()


def test_an_assignment_that_is_opened_links_its_page_where_the_site_has_an_address():
    from headway_book.launch import link_page

    for assignment, page in ((CHAPTERS[0], "01-one-hot"), (ASSIGNMENTS[-1], "capstone")):
        notebook = nbformat.read(released_notebook(assignment), as_version=4)
        before = notebook.cells[0].source
        link_page(notebook, assignment, "")
        assert notebook.cells[0].source == before
        link_page(notebook, assignment, "https://book.example/")
        link = f"[{assignment.title}](https://book.example/book/{page}.html)"
        assert link in notebook.cells[0].source


def test_a_commit_is_what_pip_installs_where_a_workflow_builds_one(monkeypatch):
    from headway_book.launch import reference, requirement

    monkeypatch.delenv("GITHUB_SHA", raising=False)
    assert reference({"repository_branch": "stable"}) == "stable"
    monkeypatch.setenv("GITHUB_SHA", "0ab")
    at = reference({"repository_branch": "stable"})
    assert requirement("kernel", REPOSITORY, at).endswith("course/archive/0ab.zip")
    git = requirement("kernel", "https://git.example.edu/tf/course", at)
    assert git == "headway-course[kernel] @ git+https://git.example.edu/tf/course@0ab"


def test_what_runs_in_a_browser_needs_numpy_and_nothing_that_is_compiled():
    from headway_book.launch import IN_A_BROWSER

    for chapter in IN_A_BROWSER:
        cells = [c.source for c in notebook_of(chapter, "solution").cells if c.cell_type == "code"]
        script = "\n".join([BEFORE, *cells, AFTER])
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert done.returncode == 0, f"{chapter.name}: {done.stderr}"


PUBLISHED = {"HEADWAY_REPOSITORY": f"{REPOSITORY}/", "HEADWAY_BASEURL": "https://book.example"}


@pytest.mark.book
@pytest.mark.parametrize("published", [{}, PUBLISHED])
def test_what_is_not_published_has_no_button_and_what_is_has_one_on_each_page(
    small_book, notebook_front, monkeypatch, root, published
):
    for name in ("GITHUB_SHA", *PUBLISHED):
        monkeypatch.delenv(name, raising=False)
    for name, value in published.items():
        monkeypatch.setenv(name, value)
    text = "# Title\n\nText, and [the start](index.md).\n\n```{code-cell}\n1 + 1\n```\n"
    folder = small_book(
        index="# Start\n\n[](01-one-hot.md)\n", **{"01-one-hot": notebook_front + text}
    )
    for name in (".binder", "constraints.txt"):
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        copy(root / name, folder / name)
    site = build_book(folder)
    html = (site / "book" / "01-one-hot.html").read_text("utf-8")
    tree = folder / "_build" / "open"
    assert ("launch-buttons" in html) == tree.is_dir() == bool(published)
    assert "executablebooks" not in html
    start = "[the start](https://book.example/book/index.html)" if published else "the start"
    own = (site / "notebooks" / "01-one-hot.ipynb").read_text("utf-8")
    assert f"Text, and {start}." in own
    if not published:
        return
    assert "github/owner/course/blob/notebooks/book/01-one-hot.ipynb" in html
    assert f"{REPOSITORY}/archive/main.zip" in (tree / "book" / "01-one-hot.ipynb").read_text()
    assert {str(path.relative_to(tree / "exercises")) for path in tree.glob("exercises/*/*")} == {
        assignment.notebook for assignment in ASSIGNMENTS
    }
    for path in tree.rglob("*.ipynb"):
        assert "BEGIN SOLUTION" not in path.read_text("utf-8")
        nbformat.validate(nbformat.read(path, as_version=4))
    needed = (tree / ".binder" / "requirements.txt").read_text("utf-8")
    assert ARCHIVE in needed.splitlines()
    assert "-c ../constraints.txt" in needed
    assert (tree / "constraints.txt").read_bytes() == (root / "constraints.txt").read_bytes()


@pytest.mark.book
def test_no_page_of_a_book_without_an_address_names_one(built_book, root):
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    if site_address(config) or repository_address(config):
        pytest.skip("the book has an address")
    for page in (built_book / "book").glob("*.html"):
        html = page.read_text("utf-8")
        assert not re.search(r'rel="canonical"|og:url|og:image"|launch-buttons', html), page.name
    assert not (built_book / "sitemap.xml").exists()
