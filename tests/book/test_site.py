"""The built site: complete, self-contained, and linked both ways."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import nbformat
import pytest

from headway.chapters import CHAPTERS
from headway.tasks.engine.find import tasks_of

pytestmark = pytest.mark.book

# Elements and attributes whose address a browser loads by itself.
LOADING = {
    **dict.fromkeys(("script", "iframe", "embed", "audio", "track"), ("src",)),
    **dict.fromkeys(("img", "source"), ("src", "srcset")),
    **dict.fromkeys(("use", "image"), ("href",)),
    "object": ("data",),
    "video": ("src", "poster"),
}
# Relations of <link> that name another page and load nothing.
NOT_LOADED = {"canonical", "next", "prev", "search", "index", "author", "license"}
IN_STYLES = re.compile(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")


class Page(HTMLParser):
    """What a page loads, and the text of its styles."""

    def __init__(self, path):
        super().__init__()
        self.loads, self.styles, self._inside = [], [], None
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self._inside = tag
        self.loads += [attributes[name] for name in LOADING.get(tag, ()) if attributes.get(name)]
        if tag == "link" and not set((attributes.get("rel") or "").split()) & NOT_LOADED:
            self.loads.append(attributes.get("href") or "")
        self.loads += re.findall(r"url\(([^)]*)\)", attributes.get("style") or "")

    def handle_data(self, data):
        if self._inside == "style":
            self.styles.append(data)


def pages(site):
    return sorted(p for p in site.rglob("*.html") if "_static" not in p.parts)


def is_foreign(address):
    return bool(urlsplit(address.strip("\"' ")).netloc)


def test_all_that_a_page_loads_is_there_and_nothing_comes_from_another_host(built_book):
    sheets = [(p.name, p.read_text(encoding="utf-8")) for p in built_book.rglob("*.css")]
    assert len(sheets) > 5
    loads = set()
    for path in pages(built_book):
        page = Page(path)
        sheets += [(path.name, style) for style in page.styles]
        loads |= {(path, address) for address in page.loads}
    foreign = {(path.name, address) for path, address in loads if is_foreign(address)}
    foreign |= {(name, address) for name, text in sheets for address in IN_STYLES.findall(text)}
    missing = {
        (path.name, address)
        for path, address in loads
        if not is_foreign(address) and not address.startswith(("data:", "#"))
        if not (path.parent / urlsplit(address).path).resolve().exists()
    }
    assert (foreign, missing) == (set(), set())


def test_a_page_loads_no_script_of_the_theme_that_does_nothing_on_it(built_book):
    for path in pages(built_book):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(r'<script[^>]* src="([^"?]+)', text)
        names = [address.rpartition("/")[2] for address in loaded]
        assert "THEBE_JS_URL" not in text, path.name
        assert "fontawesome.js" not in names, path.name
        assert ("searchindex.js" in names) == (path.name == "search.html"), path.name
        figures = [place for place, address in enumerate(loaded) if "/headway/" in address]
        if "tex-mml-chtml.js" in names:  # figures are mounted before formulas are set
            assert all(place < names.index("tex-mml-chtml.js") for place in figures), path.name


def test_no_path_of_the_building_machine_is_in_the_site(built_book, root):
    for path in [*pages(built_book), *built_book.rglob("*.ipynb"), built_book / "searchindex.js"]:
        text = path.read_text(encoding="utf-8")
        assert str(root) not in text, path.name
        assert str(built_book) not in text, path.name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_each_chapter_can_be_downloaded_as_a_notebook(built_book, chapter):
    page = (built_book / "book" / f"{chapter.name}.html").read_text(encoding="utf-8")
    assert f'href="../notebooks/{chapter.name}.ipynb"' in page
    notebook = nbformat.read(built_book / "notebooks" / f"{chapter.name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert not re.search(r":::|\{[a-z:]+\}`|^\(\S+\)=", text, re.M)
    assert "<details><summary><b>Predict first:</b>" in text
    assert any(c.cell_type == "code" and "from headway" in c.source for c in notebook.cells), (
        f"book/{chapter.name}.md uses nothing of the package."
    )


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_each_chapter_leads_to_its_assignment(built_book, chapter):
    path = built_book / "book" / f"{chapter.name}.html"
    text = path.read_text(encoding="utf-8")
    card = text[text.index('<div class="hw-assignment') :]
    card = card[: card.index("</section>")]
    for task in tasks_of(chapter.name):
        assert task.title in re.sub("<[^>]+>", "", card).replace("’", "'"), task.title
    points = sum(task.points for task in tasks_of(chapter.name) if task.kind != "stretch")
    assert f"{points:g} points" in card
    assert f"headway start {chapter.number:02d}" in re.sub("<[^>]+>", "", card)
    links = re.findall(r'href="([^"]+\.ipynb)"', card)
    (download,) = [link for link in links if not is_foreign(link)]
    nbformat.validate(nbformat.read(path.parent / download, as_version=4))


def test_glossary_entries_link_back_to_the_pages_that_use_them(built_book):
    glossary = (built_book / "book" / "glossary.html").read_text(encoding="utf-8")
    entries = re.findall(r'<dt id="(term-[^"]+)">.*?</dt><dd>(.*?)</dd>', glossary, re.S)
    assert len(entries) > 10
    back = {term: set(re.findall(r'href="([\w-]+\.html)#?', text)) for term, text in entries}
    for chapter in CHAPTERS:
        page = (built_book / "book" / f"{chapter.name}.html").read_text(encoding="utf-8")
        used = set(re.findall(r'href="glossary\.html#(term-[\w-]+)"', page))
        assert used, f"{chapter.name} uses no term of the glossary"
        for term in used:
            assert f"{chapter.name}.html" in back[term], term
    unused = [term for term, pages in back.items() if not pages]
    assert all("Used in" not in text for term, text in entries if term in unused)


def test_the_landing_page_links_the_written_chapters_and_no_other(built_book):
    index = (built_book / "book" / "index.html").read_text(encoding="utf-8")
    chain = index[index.index("hw-chapters") :]
    chain = chain[: chain.index("</div>")]
    assert re.findall(r'href="([^"]+)\.html"', chain) == [c.name for c in CHAPTERS]
    assert re.findall(r"(\d+) · <a", chain) == [str(c.number) for c in CHAPTERS]


def test_the_reference_has_every_module_of_the_table(built_book):
    pages = [built_book / "book" / name for name in ("api.html", "api-machines.html")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    for chapter in CHAPTERS:
        for module in chapter.modules:
            assert text.count(f'id="module-{module}"') == 1


def test_claims_and_folds_are_on_the_page_as_html(built_book):
    for chapter in CHAPTERS:
        page = (built_book / "book" / f"{chapter.name}.html").read_text(encoding="utf-8")
        for tag, kind, least in (("details", "hw-predict", 3), ("section", "hw-claim", 1)):
            found = re.findall(rf'<{tag} [^>]*class="{kind}"', page)
            assert len(found) >= least, (
                f"{chapter.name}.html has {len(found)} {kind}; a page has {least} at least."
            )
