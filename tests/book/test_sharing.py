"""What a page says of itself where its address is shared: words, a picture, a whole address."""

import io
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.core import publish_doctree
from PIL import Image

from headway.book import build_book
from headway.chapters import CHAPTERS
from headway.figures.core.standalone import png
from headway.figures.gallery.shared.drawn import Canvas
from tests.conftest import make_book

BASE = "https://book.example/"
DRAWN = """```{code-cell}
:tags: [remove-input]
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import stepped

canvas = Canvas(60, 20, "Two words.")
with canvas.step(1):
    canvas.write(20, 10, "one")
stepped(canvas.svg(), ["One."], "It counts", "Play.", "Two words.", ["step"], [["one"]])
```
"""
INDEX = "# A course\n\nIt begins <here> & now. It ends there.\n\n## Then\n\nMore.\n"
CHAPTER = f"# Attention\n\n> What smells?\n\nThe flower, says $\\sqrt{{D}}$.\n\n{DRAWN}"


@pytest.fixture(scope="module", params=["", BASE])
def built(request, tmp_path_factory, notebook_front):
    """A small site, and the address that it was told."""
    folder = tmp_path_factory.mktemp("sharing")
    book = make_book(folder, **{"index": INDEX, "08-attention": notebook_front + CHAPTER})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEADWAY_BASEURL", request.param)
        return build_book(book), request.param


def tags(site, name):
    """What a page's head says, by name."""
    page = BeautifulSoup((site / "book" / f"{name}.html").read_text("utf-8"), "html.parser")
    found = page.head.select("meta[content]")
    return {one.get("property") or one.get("name"): one["content"] for one in found}


def test_each_page_has_a_title_and_a_description(built):
    site, base = built
    front, chapter = tags(site, "index"), tags(site, "08-attention")
    assert (
        front["description"] == front["og:description"] == "It begins <here> & now. It ends there."
    )
    assert (front["og:title"], front["og:type"]) == ("A course", "website")
    assert (chapter["og:title"], chapter["og:type"]) == ("8 · Attention", "article")
    assert chapter["description"].startswith("“What smells?” The flower, says")
    assert ("twitter:card" in chapter) == bool(base), "a card needs a whole address"


def test_whole_addresses_are_written_where_one_is_known_and_nowhere_else(built):
    site, base = built
    chapter = tags(site, "08-attention")
    page = BeautifulSoup((site / "book" / "08-attention.html").read_text("utf-8"), "html.parser")
    canonical = [link["href"] for link in page.select("link[rel=canonical]")]
    if not base:
        assert not {"og:url", "og:image"} & set(chapter)
        assert canonical == []
        assert not (site / "sitemap.xml").exists()
        return
    address = f"{BASE}book/08-attention.html"
    assert canonical == [address] == [chapter["og:url"]]
    image = chapter["og:image"].removeprefix(BASE)
    assert Image.open(site / image).size == (1200, 630)
    assert tags(site, "index")["og:image"].endswith("/course.png")
    places = ElementTree.parse(site / "sitemap.xml").getroot().iter()
    assert address in [place.text for place in places]


def test_a_card_shows_the_drawing_and_a_title_that_fits():
    from headway_book.card import COLUMN, card, length, set_title

    canvas = Canvas(60, 20, "Two words.")
    canvas.bar(0, 0, 60, 20, "key")
    made = card("Chapter 8", "A < B", canvas.svg())
    assert "A &lt; B" in made
    with_drawing, without = (png(made, 300), png(card("Chapter 8", "A < B", ""), 300))
    colors = [
        Image.open(io.BytesIO(one)).convert("RGB").getpixel((200, 78))
        for one in (with_drawing, without)
    ]
    assert colors[0] != colors[1]
    for chapter in CHAPTERS:
        lines, size = set_title(chapter.title)
        assert " ".join(lines) == chapter.title
        assert all(length(line, size) <= COLUMN for line in lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One. Two.", "One. Two."),
        (f"{'A' * 150}. {'B' * 60}.", f"{'A' * 150}."),
        ("Here it is:\n\n* one\n\nThen more.", "Then more."),
        ("   Find it.\n\nYou type.", "“Find it.” You type."),
    ],
)
def test_a_description_is_how_a_page_begins_in_whole_sentences(text, said):
    from headway_book.sharing import description

    page = nodes.document(None, None)
    page += nodes.section("", nodes.title("", "Title"), *publish_doctree(text).children)
    assert description(page) == said
