"""The PDF, printed by a real browser."""

import pytest
from lxml import html
from pikepdf import Dictionary, Name, Pdf

from headway.chapters import CHAPTERS
from headway.editions.browser import NoBrowserError, find_browser, print_page
from headway.editions.contents import FRONT
from headway.editions.document import UNKNOWN, fill_in, paper_document
from headway.editions.make import make_editions, still_book
from headway.editions.offer import offer
from headway.editions.paper import make_pdf, page_numbers
from headway.errors import MachineError
from tests.full import FULL

ANSWERS = "Answers to the predictions"


def text_of(tree):
    return " ".join(" ".join(tree.itertext()).split())


def titles(items):
    return [(item.title, titles(item.children)) for item in items]


@pytest.mark.browser
def test_the_small_book_on_paper(still, small_site, tmp_path):
    turns = []
    file = make_pdf(still, small_site[1], tmp_path / "small.pdf", turns.append)
    assert len(turns) >= 2, "numbers that were found are printed"
    with Pdf.open(file) as pdf:
        assert pdf.Root.MarkInfo.Marked
        assert str(pdf.Root.Lang) == "en"
        assert pdf.Root.PageMode == Name.UseOutlines
        assert (pdf.docinfo["/Title"], len(pdf.pages)) == ("A book: on bars", 8)
        with pdf.open_metadata() as about:
            assert about["dc:creator"] == ["Somebody"]
        with pdf.open_outline() as outline:
            assert titles(outline.root) == [
                ("Contents", []),
                (FRONT, []),
                ("Part", [("1 · One", [("Bars", [])]), (ANSWERS, [("1 · One", [])])]),
            ]
        assert set(alternatives(pdf)) >= {"A bar of 4 and a bar of 1.", "Steps"}
    # cover, imprint, contents, front page, title of the part, chapter (two pages), answers
    assert page_numbers(file, still).items() >= {
        ("index", 4), ("01-one", 6), ("01-one--bars", 6), ("answers--answer-3", 8),
    }  # fmt: skip


def alternatives(pdf):
    """The texts of all pictures, as tags."""
    for one in pdf.objects:
        if isinstance(one, Dictionary) and one.get("/S") == Name.Figure:
            yield str(one.get("/Alt", ""))


def test_links_get_page_numbers_addresses_become_notes_and_no_id_comes_twice(
    still, small_site, tmp_path
):
    document = paper_document(still, small_site[1], tmp_path / "cover.svg")
    (front,) = document.xpath("//section[@id='index']")
    words = text_of(front)
    assert f"the bars (p. {UNKNOWN} ) , a word , a notebook 1 , elsewhere 2 , again 2 and" in words
    assert words.endswith("1 https://book.example/notebooks/01-one.ipynb 2 https://example.org/x")
    (chapter,) = document.xpath("//section[@id='01-one']")
    assert f"Answer on page {UNKNOWN}" in text_of(chapter)
    assert [one.tag for one in chapter.find(".//svg")] == ["path", "a"]
    fill_in(document, {"01-one--bars": 6})
    assert "the bars (p. 6 ) , a word" in text_of(front)
    listed = text_of(document.find(".//nav"))
    assert listed == f"Contents {FRONT} Part 1 · One Bars 6 {ANSWERS}", "no place waits"
    ids = document.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert [h.text for h in document.iter("h1")] == ["Contents", FRONT, "Part"]
    assert [h.text for h in document.iter("h2")] == ["1 · One", ANSWERS]


@pytest.mark.browser
def test_a_page_that_was_not_ready_is_no_book(book, tmp_path):
    page, pdf = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_bytes(html.tostring(html.fromstring("<html><title>not ready</title></html>")))
    print_page(page, pdf, find_browser())
    with pytest.raises(MachineError, match="before its formulas were set"):
        page_numbers(pdf, book)


def test_a_browser_that_prints_nothing_is_said_with_its_words(tmp_path):
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho 'no room' >&2; exit 7\n")
    program.chmod(0o755)
    with pytest.raises(MachineError, match=r"exit code 7\):\nno room"):
        print_page(tmp_path / "x.html", tmp_path / "x.pdf", str(program))


def test_without_a_browser_it_is_said_what_to_install(headway, monkeypatch):
    monkeypatch.delenv("HEADWAY_BROWSER", raising=False)
    monkeypatch.setattr("headway.editions.browser.shutil.which", lambda name: None)
    monkeypatch.setattr("headway.editions.browser.fetched_by_playwright", lambda: None)
    monkeypatch.setattr("headway.commands.book.build_book", lambda *_, **__: pytest.fail("built"))
    with pytest.raises(NoBrowserError):
        find_browser()
    result = headway("book", "--pdf")
    assert result.code == 2
    assert "apt-get install chromium" in result.err


def test_a_browser_that_is_named_is_taken_or_said_not_to_be_there(monkeypatch, tmp_path):
    program = tmp_path / "mine"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("HEADWAY_BROWSER", str(program))
    assert find_browser() == str(program)
    monkeypatch.setenv("HEADWAY_BROWSER", "no-such-program")
    with pytest.raises(NoBrowserError, match="no-such-program"):
        find_browser()


@pytest.mark.book
@pytest.mark.browser
@pytest.mark.skipif(not FULL, reason="prints four hundred pages twice: make test-full")
def test_the_whole_book_on_paper(built_book, root, tmp_path):
    book = still_book(root, built_book)
    file = make_pdf(book, built_book, tmp_path / "book.pdf")
    numbers = page_numbers(file, book)
    with Pdf.open(file) as pdf:
        assert 250 < len(pdf.pages) < 600
        assert file.stat().st_size < 10e6
        assert all(alternatives(pdf))
        with pdf.open_outline() as outline:
            seen = str(titles(outline.root))
    for page in book.pages:
        assert page.title in seen
        assert page.name in numbers
    starts = [numbers[chapter.name] for chapter in CHAPTERS]
    assert starts == sorted(set(starts))
    answers = [name for name in numbers if name.startswith("answers--answer-")]
    assert len(answers) > 100


def test_the_front_page_links_what_is_made_and_nothing_else(small_site):
    root, site = small_site
    front = site / "book" / "index.html"
    made = make_editions(root, site, pdf=False, epub=True)
    assert [file.name for file in made] == ["headway.epub"]
    assert not (site / "headway.pdf").exists()
    assert '<a class="reference external" href="../headway.epub">' in front.read_text("utf-8")
    assert "headway.pdf" not in front.read_text("utf-8")
    (site / "headway.epub").unlink()
    offer(site)
    assert '<div class="hw-editions"></div>' in front.read_text("utf-8")
