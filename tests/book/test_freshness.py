"""Pages run again when, and only when, something that they import has changed."""

import os
import subprocess
import sys

import nbformat
import pytest
import yaml

PAGE = """\
---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec:
  display_name: Python 3
  name: python3
---

# A page

Prose.

```{code-cell}
from pathlib import Path

from tinycourse import used

log = Path("LOG")
log.write_text(log.read_text() + "x" if log.exists() else "x")
print("the value is", used.value())
```
"""

CONF = """\
extensions = ["myst_nb", "headway_book.freshness"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
freshness_package = "tinycourse"
master_doc = "page"
exclude_patterns = ["out"]
"""


class Course:
    """A package with four modules, and a book of one page that uses two of them."""

    def __init__(self, folder, extensions):
        self.folder, self.extensions = folder, extensions
        self.package = folder / "tinycourse"
        self.package.mkdir()
        self.write("__init__.py", "")
        self.write("used.py", "from tinycourse.deep import N\n\ndef value():\n    return N\n")
        self.write("deep.py", "N = 1\n")
        self.write("unused.py", "M = 1\n")
        self.write("words.txt", "one\n")
        self.write("style.css", "p {}\n")
        self.book = folder / "book"
        self.book.mkdir()
        (self.book / "conf.py").write_text(CONF)
        self.log = folder / "runs.log"
        self.write_page(PAGE)

    def write(self, name, text):
        (self.package / name).write_text(text)

    def write_page(self, text):
        (self.book / "page.md").write_text(text.replace("LOG", str(self.log)))

    def build(self):
        """Build; returns how often the page has run so far, and what it says."""
        path = os.pathsep.join([str(self.folder), str(self.extensions)])
        built = subprocess.run(
            [sys.executable, "-m", "sphinx", "-q", str(self.book), str(self.folder / "out")],
            env=os.environ | {"PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert built.returncode == 0, built.stderr
        says = (self.folder / "out" / "page.html").read_text()
        return len(self.log.read_text()), says


@pytest.fixture
def course(tmp_path, root):
    return Course(tmp_path, root / "book" / "_ext")


@pytest.mark.jupyter
def test_a_page_runs_again_when_its_code_changes_and_only_then(course):
    runs, says = course.build()
    assert (runs, "the value is 1" in says) == (1, True)

    course.write("unused.py", "M = 2\n")
    course.write("style.css", "p { color: red }\n")
    course.write_page(PAGE.replace("Prose.", "Better prose."))
    runs, says = course.build()
    assert (runs, "Better prose." in says) == (1, True), "a change that its cells do not need"

    course.write("deep.py", "N = 2\n")
    runs, says = course.build()
    assert (runs, "the value is 2" in says) == (2, True)


@pytest.fixture
def freshness():
    from headway_book import freshness

    return freshness


def test_imports_are_read_from_the_cells_and_broken_ones_are_left_to_their_run(freshness):
    cells = ["%matplotlib inline\nimport a", "from b import c", "this is no Python"]
    page = "# Title\n\nimport prose\n"
    for cell in cells:
        page += f"\n```{{code-cell}}\n:tags: [hide-input]\n{cell}\n```\n"
    assert freshness.names_in_cells(page) == {"a", "b", "b.c"}


def test_data_beside_a_module_that_a_page_imports_counts(freshness, course, monkeypatch):
    monkeypatch.syspath_prepend(course.folder)

    def fingerprint():
        return freshness.Sources("tinycourse").fingerprint(PAGE)

    before = fingerprint()
    course.write("style.css", "p { color: red }\n")
    assert fingerprint() == before
    course.write("words.txt", "two\n")
    assert fingerprint() != before


def test_the_fingerprint_goes_into_the_kernelspec_and_moves_no_line(freshness):
    marked = freshness.with_fingerprint(PAGE, "abc")
    front, _, _ = marked[4:].partition("\n---\n")
    assert yaml.safe_load(front)["kernelspec"] == {
        "display_name": "Python 3",
        "name": "python3",
        "headway_sources": "abc",
    }
    assert marked.splitlines().index("Prose.") == PAGE.splitlines().index("Prose.")


def test_another_version_of_a_library_is_another_fingerprint(freshness, monkeypatch):
    sources = freshness.Sources("headway")
    before = sources.fingerprint("")
    monkeypatch.setattr(freshness, "version", lambda name: "0.0" if name == "numpy" else "1.0")
    assert sources.fingerprint("") != before


def test_a_kernelspec_on_one_line_is_marked_too(freshness):
    page = "---\nkernelspec: {display_name: Python 3, name: python3}\n---\n# Title\n"
    front = freshness.with_fingerprint(page, "abc").split("---\n")[1]
    assert yaml.safe_load(front)["kernelspec"]["headway_sources"] == "abc"


def test_a_page_without_code_is_left_as_it_is(freshness):
    assert freshness.with_fingerprint("# Title\n\nkernelspec:\n  name: x\n", "abc") == (
        "# Title\n\nkernelspec:\n  name: x\n"
    )


def test_jupyter_cache_counts_the_fingerprint(freshness, tmp_path):
    """What the whole module rests on."""
    from jupyter_cache import get_cache
    from myst_nb.core.read import read_myst_markdown_notebook

    cache = get_cache(tmp_path)

    def key(fingerprint):
        notebook = read_myst_markdown_notebook(freshness.with_fingerprint(PAGE, fingerprint))
        nbformat.validate(notebook)
        return cache.create_hashed_notebook(notebook)[1]

    assert key("abc") == key("abc") != key("abd")
