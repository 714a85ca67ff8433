"""How a page is announced where somebody shares its address or searches for it.

Each page gets a description, which is how it begins, a title, and a picture (`headway_book.card`).
What must be a whole address (the page's own, the picture's, and `sitemap.xml`) is written only
where the site's address is known: see `headway_book.address`.
"""

import re
from html import escape
from itertools import takewhile
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

from docutils import nodes
from sphinx.addnodes import pending_xref

from headway.chapters import CHAPTERS
from headway_book.card import COURSE, HEIGHT, WIDTH, write_cards

CARDS = "_static/cards"
MOST = 200  # letters of a description
SENTENCE = re.compile(r"(?<=[.?!…”])\s+(?=[A-Z“*])")
OF_CHAPTER = {chapter.name: chapter for chapter in CHAPTERS}
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def announce(app, pagename, templatename, context, doctree) -> None:
    """Write a page's description, title and picture into its head."""
    if doctree is None:
        return
    name = pagename.rsplit("/", 1)[-1]
    chapter = OF_CHAPTER.get(name)
    title = app.env.titles[pagename].astext()
    said = {
        "og:type": "article" if chapter else "website",
        "og:site_name": COURSE,
        "og:title": f"{chapter.number} · {title}" if chapter else title,
        "og:description": description(app.env.get_doctree(pagename)),
    }
    if base := app.config.html_baseurl:
        said |= {
            "og:url": urljoin(base, f"{pagename}.html"),
            "og:image": urljoin(base, f"{CARDS}/{name if chapter else 'course'}.png"),
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": f"{COURSE}: {title}",
        }
    tags = [("name", "description", said["og:description"])]
    tags += [("property", key, value) for key, value in said.items()]
    if base:
        tags.append(("name", "twitter:card", "summary_large_image"))
    context["metatags"] += "".join(
        f'<meta {kind}="{key}" content="{escape(value)}">\n' for kind, key, value in tags if value
    )


def description(doctree: nodes.document) -> str:
    """How a page begins: what it quotes first, and the sentences of its first paragraphs."""
    said = ""
    for paragraph in opening(doctree):
        text = plain(paragraph)
        quoted = isinstance(paragraph.parent, nodes.block_quote)
        for sentence in [f"“{text}”"] if quoted else SENTENCE.split(text):
            longer = f"{said} {sentence}".strip()
            if said and len(longer) > MOST:
                return said
            if not sentence.endswith(":"):  # what it announces is not told
                said = longer
        if not quoted and len(said) > MOST / 2:
            break
    return said


def opening(doctree: nodes.document) -> list[nodes.paragraph]:
    """The paragraphs and quotes before a page's first section; all, if there are none."""
    page = next(doctree.findall(nodes.section), doctree)
    before = takewhile(lambda block: not isinstance(block, nodes.section), page.children)
    blocks = [block for block in before if isinstance(block, nodes.block_quote | nodes.paragraph)]
    return [one for block in blocks or [page] for one in block.findall(nodes.paragraph)]


def plain(block: nodes.Element) -> str:
    """The text of a block in one line, without references to the literature."""
    own = block.deepcopy()
    for reference in list(own.findall(pending_xref)):
        if reference.get("refdomain") == "cite":
            reference.parent.remove(reference)
    return re.sub(r" (?=[.,;:])", "", " ".join(own.astext().split()))


def write_files(app, error) -> None:
    """Write the cards, and the map of the site."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    write_cards(out / "book", out / CARDS, out.parent / "cards")
    if base := app.config.html_baseurl:
        urls = ElementTree.Element("urlset", xmlns=SITEMAP)
        for page in sorted(app.env.found_docs):
            url = ElementTree.SubElement(urls, "url")
            ElementTree.SubElement(url, "loc").text = urljoin(base, f"{page}.html")
        file = out / "sitemap.xml"
        ElementTree.ElementTree(urls).write(file, encoding="utf-8", xml_declaration=True)


def setup(app):
    app.connect("html-page-context", announce)
    app.connect("build-finished", write_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
