"""Pages and assignments opened with a click: where the buttons lead, and what is opened there."""

import ast
import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import yaml

from headway.book import build_book
from headway.chapters import ASSIGNMENTS, CHAPTERS
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


def test_binder_installs_the_course_of_the_configured_repository(root):
    from headway_book.launch import requirement

    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))["repository"]
    asked = (root / ".binder" / "requirements.txt").read_text("utf-8").splitlines()
    assert requirement("kernel", config["url"], config["branch"]) in asked


def test_a_commit_is_what_pip_installs_where_a_workflow_builds_one(monkeypatch):
    from headway_book.launch import reference, requirement

    monkeypatch.delenv("GITHUB_SHA", raising=False)
    assert reference({"repository_branch": "stable"}) == "stable"
    monkeypatch.setenv("GITHUB_SHA", "0ab")
    at = reference({"repository_branch": "stable"})
    assert requirement("kernel", REPOSITORY, at).endswith("course/archive/0ab.zip")
    git = requirement("kernel", "https://git.example.edu/tf/course", at)
    assert git == "headway-course[kernel] @ git+https://git.example.edu/tf/course@0ab"


@pytest.mark.book
def test_each_page_with_a_notebook_and_each_assignment_can_be_opened(root, built_book):
    tree = built_book.parent / "open"
    offered = {path.name for path in (built_book / "notebooks").glob("*.ipynb")}
    assert {path.name for path in (tree / "book").glob("*.ipynb")} == offered
    assert {str(p.relative_to(tree / "exercises")) for p in tree.glob("exercises/*/*")} == {
        assignment.notebook for assignment in ASSIGNMENTS
    }
    for name in offered:
        page = (built_book / "book" / name).with_suffix(".html").read_text("utf-8")
        assert page.count(f"notebooks?urlpath=lab/tree/book/{name}") == 1
        assert page.count(f"blob/notebooks/book/{name}") == 1
    for assignment in ASSIGNMENTS:
        page = (built_book / "book" / "capstone.html").read_text("utf-8")
        if assignment in CHAPTERS:
            page = (built_book / "book" / f"{assignment.name}.html").read_text("utf-8")
        assert f"notebooks?urlpath=lab/tree/exercises/{assignment.notebook}" in page
    for path in tree.rglob("*.ipynb"):
        assert "BEGIN SOLUTION" not in path.read_text("utf-8")
        nbformat.validate(nbformat.read(path, as_version=4))
    needed = (tree / ".binder" / "requirements.txt").read_text("utf-8")
    assert "-c ../constraints.txt" in needed
    assert (tree / "constraints.txt").read_bytes() == (root / "constraints.txt").read_bytes()


def test_what_runs_in_a_browser_needs_numpy_and_nothing_that_is_compiled(tmp_path):
    from headway_book.launch import IN_A_BROWSER

    for chapter in IN_A_BROWSER:
        cells = [c.source for c in notebook_of(chapter, "solution").cells if c.cell_type == "code"]
        script = "\n".join([BEFORE, *cells, AFTER])
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert done.returncode == 0, f"{chapter.name}: {done.stderr}"


@pytest.mark.book
@pytest.mark.full
@pytest.mark.parametrize("repository", [None, "", REPOSITORY])
def test_without_an_address_there_is_no_button_and_with_one_it_follows(
    small_book, notebook_front, monkeypatch, repository
):
    monkeypatch.delenv("GITHUB_SHA", raising=False)
    page = f"{notebook_front}# Title\n\nText.\n\n```{{code-cell}}\n1 + 1\n```\n"
    folder = small_book(index="# Start\n\n[](01-one-hot.md)\n", **{"01-one-hot": page})
    config = yaml.safe_load((folder / "_config.yml").read_text("utf-8"))
    config.pop("repository")
    config["html"].pop("use_repository_button")
    if repository is not None:
        config["repository"] = {"url": repository, "branch": "main"}
    (folder / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    site = build_book(folder)
    html = (site / "book" / "01-one-hot.html").read_text("utf-8")
    opened = folder / "_build" / "open" / "book" / "01-one-hot.ipynb"
    assert ("launch-buttons" in html) == opened.is_file() == bool(repository)
    if repository:
        assert f"github/owner/course/blob/notebooks/{opened.relative_to(opened.parents[1])}" in html
        assert f"{REPOSITORY}/archive/main.zip" in opened.read_text("utf-8")
