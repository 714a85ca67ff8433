"""What tests of several folders share: the checkout, and the book, built once for all of them."""

import os
import shutil
import signal
import sys
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import expect, sync_playwright

from headway.book import build_book
from headway.cli import main
from tests.full import FULL, left_out

pytest_plugins = ["tests.one_chapter", "tests.shared_work", "tests.freed_memory"]

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
# A worker stands on each core: a product of matrices that wants all cores waits for the others and
# takes many times as long. Libraries that compute read this when they are imported.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
# A shell that starts the tests in the background has them ignore interrupts, and so would whatever
# they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A first call to torch, or a busy machine, is slow without being wrong. The short run draws the
# same examples every time, the full one new ones.
settings.register_profile("headway", deadline=None, derandomize=not FULL)
settings.load_profile("headway")
PATIENCE = 120  # seconds, in which a page comes to what a test waits for
expect.set_options(timeout=PATIENCE * 1000)
# The book's Sphinx extensions are no installed package.
sys.path.insert(0, str(ROOT / "book" / "_ext"))

# Begun with, so that at the end no worker is alone with one of them: the first worker builds the
# book, while the second does those that do not need it.
LONGEST = (
    "browser/test_pages.py",
    "hostile/test_class.py",
    "tasks/test_catalogue.py",
    "grading/test_killed.py",
    "assignments/test_sample_class.py",
    "training/test_learning.py",
    "jupyter/test_nbgrader.py",
    "assignments/test_stock.py",
    "book/test_build.py",
    "tasks/test_hidden_cases.py",
    "jupyter/test_lab.py",
    "grading/test_regrade.py",
    "grading/test_bad_course.py",
    "grading/nbgrader/test_plugin.py",
    "grading/test_changed_tasks.py",
    "grading/workers/test_pool.py",
    "grading/workers/test_cluster.py",
    "jupyter/test_formgrader.py",
    "runner/test_shell.py",
    "browser/test_figures.py",
)

NOTEBOOK_FRONT = """\
---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, name: python3}
---

"""


def pytest_collection_modifyitems(config, items):
    """Leave out what only a full run takes, and put the files that take longest first."""
    longer = {item for item in items if left_out(item, config.getoption("chapter"))}
    if longer:
        config.hook.pytest_deselected(items=longer)
        items[:] = [item for item in items if item not in longer]
    first = {str(ROOT / "tests" / name): place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(str(item.path), len(first)))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def built_book(tmp_path_factory) -> Path:
    """The folder of the site: the checkout's own, brought up to date.

    One worker builds, the others wait for it. In a full run all pages are executed, in a folder
    apart.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    out = shared / "book" if FULL else ROOT
    with FileLock(shared / "book.lock"):
        finished, failed = shared / "book-finished", shared / "book-failed"
        if failed.is_file():
            pytest.fail(failed.read_text(encoding="utf-8"), pytrace=False)
        if not finished.is_file():
            out.mkdir(exist_ok=True)
            try:
                build_book(ROOT, out)
            except Exception as error:
                failed.write_text(str(error), encoding="utf-8")
                raise
            finished.touch()
    return out / "_build" / "html"


@pytest.fixture
def headway(capsys):
    """Runs the command line in this process: headway("try", …) gives code, output and errors."""

    def run(*arguments: object):
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return SimpleNamespace(code=stop.value.code, out=printed.out, err=printed.err)

    return run


@pytest.fixture
def guarded(tmp_path_factory, monkeypatch) -> Path:
    """Jupyter's settings where the package is installed, whichever environment the tests run in."""
    folder = tmp_path_factory.mktemp("etc")
    guard = files("headway.grading.nbgrader") / "environment.json"
    (folder / "nbgrader_config.json").write_bytes(guard.read_bytes())
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(folder))
    monkeypatch.setattr("jupyter_core.paths.ENV_CONFIG_PATH", [])
    return folder


@pytest.fixture(scope="session")
def notebook_front() -> str:
    """The front matter of a page that runs code."""
    return NOTEBOOK_FRONT


@pytest.fixture
def small_book(tmp_path):
    """Makes a book of a few pages with this book's configuration and extensions."""
    return partial(make_book, tmp_path)


def make_book(folder: Path, **pages: str) -> Path:
    """Write a book of a few pages, with this book's configuration and extensions, into a folder."""
    shutil.copy(ROOT / "_config.yml", folder)
    for part in ("_ext", "_static", "_templates"):
        shutil.copytree(ROOT / "book" / part, folder / "book" / part)
    shutil.copy(ROOT / "book" / "references.bib", folder / "book")
    for name, text in pages.items():
        (folder / "book" / f"{name}.md").write_text(text, encoding="utf-8")
    toc = {"format": "jb-book", "root": "book/index"}
    if others := [{"file": f"book/{name}"} for name in pages if name != "index"]:
        toc["chapters"] = others
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    return folder


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium.

    For one module only: while it is open an event loop runs, and code under test that starts
    loops of its own must not find it.
    """
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if not found:
        pytest.fail(
            "The browser tests need Chromium, and none of "
            f"{', '.join(CHROMIUM)} is on the path. Install it: sudo apt-get install chromium",
            pytrace=False,
        )
    with sync_playwright() as playwright:
        # Containers run as root, where Chromium's own sandbox cannot start. It only sees our pages.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
