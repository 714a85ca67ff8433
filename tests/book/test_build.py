"""Building: what fails the build, and what is said then."""

import pytest

from headway.book import BookError, build_book, reasons
from tests.conftest import make_book

FOLD = """# Title

::::{predict} What is *this*, $x^2$?
The **answer** with $y$.

```python
z = 1
```
::::
"""
PIECES = """# Pieces

```{code-cell}
import time
print('one', flush=True)
time.sleep(0.5)
print('two', flush=True)
```
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory, notebook_front):
    """A book of three pages, and the HTML of two of them as it was when first built."""
    folder = tmp_path_factory.mktemp("book")
    pages = {"index": FOLD, "pieces": notebook_front + PIECES, "other": "# Other\n"}
    site = build_book(make_book(folder, **pages)) / "book"
    return folder, {
        name: (site / f"{name}.html").read_text(encoding="utf-8") for name in ("index", "pieces")
    }


@pytest.mark.book
def test_a_cell_that_raises_fails_the_build(small_book, notebook_front):
    cell = "```{code-cell}\nraise ValueError('the sky falls')\n```\n"
    with pytest.raises(BookError, match="ValueError: the sky falls"):
        build_book(small_book(index=f"{notebook_front}# Title\n\n{cell}"))


@pytest.mark.book
def test_every_mistake_on_every_page_is_reported_and_fails_the_build(small_book):
    root = small_book(
        index="# Title\n\nA {term}`word that nobody explains`.\n",
        other="# Other\n\n:::{predict} A question?\n:::\n\n:::{assignment}\n:::\n",
    )
    for _ in range(2):  # the second build reads the pages again, though they are unchanged
        with pytest.raises(BookError) as caught:
            build_book(root)
        assert "word that nobody explains" in str(caught.value)
        assert "has a question but no answer" in str(caught.value)
        assert "belongs on the page of a chapter" in str(caught.value)


@pytest.mark.book
def test_a_fold_holds_markup_math_and_code(built):
    html = built[1]["index"]
    fold = html[html.index("<details") : html.index("</details>")]
    summary, answer = fold.split("</summary>")
    assert "Predict first" in summary
    assert "<em>this</em>" in summary
    assert "x^2" in summary
    assert "<strong>answer</strong>" in answer
    assert 'class="highlight' in answer


@pytest.mark.book
def test_a_page_that_is_run_ahead_and_fails_is_reported_by_its_reader(small_book, notebook_front):
    right, wrong = (
        f"{notebook_front}# Title\n\n```{{code-cell}}\nprint({code})\n```\n"
        for code in ("7", "1/0")
    )
    with pytest.raises(BookError, match=r"last\.md: WARNING: Executing notebook failed"):
        build_book(small_book(index=right, other=right, last=wrong))


@pytest.mark.book
def test_pages_are_run_two_at_a_time_and_each_once(small_book, notebook_front, tmp_path):
    """The first page waits for what the last one writes, so it must run before its turn."""
    wait = "import pathlib, time\nwhile not pathlib.Path('../done').exists(): time.sleep(0.1)"
    write = "open('../done', 'a').write('x')"
    first, last = (
        f"{notebook_front}# Title\n\n```{{code-cell}}\n{code}\n```\n" for code in (wait, write)
    )
    build_book(small_book(index=first, last=last))
    assert (tmp_path / "done").read_text() == "x"


def test_of_pages_with_the_same_cells_none_is_run_ahead(notebook_front):
    from headway_book.ahead import with_cells_of_their_own

    cell, other = (f"{notebook_front}```{{code-cell}}\n{code}\n```\n" for code in ("1", "2"))
    pages = {"prose": "# Title\n", "one": cell, "two": f"{cell}\nWords.\n", "other": other}
    assert with_cells_of_their_own(pages) == {"other": other}


@pytest.mark.book
def test_what_a_cell_prints_in_pieces_stands_in_one_block(built):
    assert "one\ntwo\n</pre>" in built[1]["pieces"]


@pytest.mark.book
def test_a_changed_menu_reaches_pages_that_did_not_change(built):
    root, _ = built
    toc = root / "_toc.yml"
    toc.write_text(toc.read_text().replace("book/other", "book/other\n  title: Menu"))
    (root / "book" / "index.md").write_text("# A new title\n", encoding="utf-8")
    site = build_book(root)
    assert "Menu" in (site / "book" / "index.html").read_text(encoding="utf-8")
    assert "A new title" in (site / "book" / "other.html").read_text(encoding="utf-8")


def test_a_folder_without_a_book_is_named(tmp_path):
    with pytest.raises(BookError, match=r"_config.yml and _toc.yml not found"):
        build_book(tmp_path)


def test_a_missing_package_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    monkeypatch.setattr("headway.book.find_spec", lambda name: None)
    with pytest.raises(BookError, match=r'jupyter-book.*pip install .* -e "\.\[book\]"'):
        build_book(tmp_path)


def test_a_failed_build_says_its_warnings_and_not_its_progress():
    said = [
        "reading sources",
        "a.md:3: WARNING: no such term",
        "done",
        "a.md:3: WARNING: no such term",
    ]
    assert reasons(said) == "The build said:\na.md:3: WARNING: no such term"
    assert "out of memory" in reasons(["one", "out of memory"])
    npm = ["sphinx.errors.ExtensionError: npm said:", "npm error code ENOTFOUND", "npm notice new"]
    assert reasons(npm).splitlines()[1:] == npm[:2]
