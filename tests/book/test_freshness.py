"""Pages run again when, and only when, something that they import has changed."""

import os
import subprocess
import sys

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


def test_data_and_versions_of_libraries_count_and_style_does_not(freshness, course, monkeypatch):
    monkeypatch.syspath_prepend(course.folder)

    def fingerprint():
        return freshness.Sources("tinycourse").fingerprint(PAGE)

    before = fingerprint()
    course.write("style.css", "p { color: red }\n")
    assert fingerprint() == before
    course.write("words.txt", "two\n")
    changed = fingerprint()
    assert changed != before
    real = freshness.version
    monkeypatch.setattr(freshness, "version", lambda name: "0" if name == "numpy" else real(name))
    assert fingerprint() not in (before, changed)


@pytest.mark.parametrize(
    "page", [PAGE, "---\nkernelspec: {display_name: Python 3, name: python3}\n---\nProse.\n"]
)
def test_the_fingerprint_goes_into_the_kernelspec_and_moves_no_line(freshness, page):
    marked = freshness.with_fingerprint(page, "abc")
    front = yaml.safe_load(marked.split("---\n")[1])
    expected = {"display_name": "Python 3", "name": "python3", "headway_sources": "abc"}
    assert front["kernelspec"] == expected
    assert marked.splitlines().index("Prose.") == page.splitlines().index("Prose.")


def test_a_page_without_code_is_left_as_it_is(freshness):
    page = "# Title\n\nkernelspec:\n  name: x\n"
    assert freshness.with_fingerprint(page, "abc") == page
