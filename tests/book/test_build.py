"""Building: what fails the build, and what is said then."""

import pytest

from headway.book import BookError, build_book, reasons

PIECES = """
import time
print('one', flush=True)
time.sleep(0.5)
print('two', flush=True)
"""


@pytest.fixture
def running(notebook_front):
    """A page with a cell."""
    return lambda code: f"{notebook_front}# Title\n\n```{{code-cell}}\n{code}\n```\n"


@pytest.mark.book
def test_a_page_that_fails_is_reported_by_its_reader_though_it_was_run_ahead(small_book, running):
    right, wrong = running("print(7)"), running("raise ValueError('the sky falls')")
    with pytest.raises(BookError, match=r"last\.md: WARNING: Executing notebook failed") as caught:
        build_book(small_book(index=right, other=right, last=wrong))
    assert "ValueError: the sky falls" in str(caught.value)


@pytest.mark.book
def test_pages_are_run_two_at_a_time_and_each_once(small_book, running, tmp_path):
    """The first page waits for what the last one writes, so it must run before its turn."""
    wait = "import pathlib, time\nwhile not pathlib.Path('../done').exists(): time.sleep(0.1)"
    last = running(f"open('../done', 'a').write('x')\n{PIECES}")
    site = build_book(small_book(index=running(wait), last=last))
    assert (tmp_path / "done").read_text() == "x"
    html = (site / "book" / "last.html").read_text("utf-8")
    assert "one\ntwo\n</pre>" in html, "what a cell prints in pieces stands in one block"


def test_of_pages_with_the_same_cells_none_is_run_ahead(running):
    from headway_book.ahead import with_cells_of_their_own

    one, other = running("1"), running("2")
    pages = {"prose": "# Title\n", "one": one, "two": f"{one}\nWords.\n", "other": other}
    assert with_cells_of_their_own(pages) == {"other": other}


@pytest.mark.book
def test_a_changed_menu_reaches_pages_that_did_not_change(small_book):
    root = small_book(index="# Title\n", other="# Other\n")
    build_book(root)
    toc = root / "_toc.yml"
    toc.write_text(toc.read_text().replace("book/other", "book/other\n  title: Menu"))
    (root / "book" / "index.md").write_text("# A new title\n", encoding="utf-8")
    site = build_book(root)
    assert "Menu" in (site / "book" / "index.html").read_text(encoding="utf-8")
    assert "A new title" in (site / "book" / "other.html").read_text(encoding="utf-8")


@pytest.mark.book
@pytest.mark.full
def test_a_build_that_was_stopped_before_its_end_begins_again(small_book):
    root = small_book(index="# Title\n", other="# Other\n")
    index = build_book(root) / "searchindex.js"
    index.unlink()
    build_book(root)
    assert index.is_file()


def test_a_folder_without_a_book_is_named(tmp_path):
    with pytest.raises(BookError, match=r"_config.yml and _toc.yml not found"):
        build_book(tmp_path)


def test_a_missing_package_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    monkeypatch.setattr("headway.book.find_spec", lambda name: None)
    with pytest.raises(BookError, match=r'jupyter-book.*pip install .* -e "\.\[book\]"'):
        build_book(tmp_path)


def test_a_failed_build_says_its_warnings_and_not_its_progress():
    warning = "a.md:3: WARNING: no such term"
    assert reasons(["reading", warning, "done", warning]) == f"The build said:\n{warning}"
    assert "out of memory" in reasons(["one", "out of memory"])
    npm = ["sphinx.errors.ExtensionError: npm said:", "npm error code ENOTFOUND", "npm notice new"]
    assert reasons(npm).splitlines()[1:] == npm[:2]
