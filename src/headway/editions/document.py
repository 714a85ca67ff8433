"""The book as one HTML document, which a browser prints: cover, imprint, contents, and all pages.

Behind links into the book, and in the table of contents, stand places for the numbers of pages.
"""

import json
from datetime import date
from pathlib import Path

from lxml.html import HtmlElement

from headway.editions.contents import Book, Page
from headway.editions.cover import SUBJECT
from headway.editions.formulas import keep_together, words_of
from headway.editions.links import is_drawn, links, shows_its_address, target_of, wants_page_number
from headway.editions.style import HERE, font_faces, style_of
from headway.editions.trees import element, of_class, remove

REFERENCE = ("api", "api-machines", "glossary", "references")
NO_SECTIONS = (*REFERENCE, "answers")
UNKNOWN = "000"
FORMULAS = Path("_static", "vendor", "katex", "katex.min.css")


def paper_document(book: Book, site: Path, cover: Path) -> HtmlElement:
    """Everything in one HTML document."""
    pages = [paper_page(page, book) for page in book.pages]
    title, _, _ = book.title.partition(":")
    body = element("body", "", data_ready=book.title)
    image = element("img", src=cover.as_uri(), alt=f"Cover: {book.title}. {SUBJECT}.")
    body.append(element("div", "", image, class_="hw-cover"))
    body.append(imprint(book))
    body.append(contents(book))
    part = ""
    for page, section in zip(book.pages, pages, strict=True):
        if page.part != part:
            part = page.part
            heading = element("h1", part, class_="hw-part-title", id=part_id(part))
            listed = element("ol", "", *map(entry_of, pages_of_part(book, part)))
            body.append(element("section", "", heading, listed, class_="hw-part hw-contents"))
        body.append(section)
    for picture in body.iter("img"):
        picture.set("src", as_address(picture.get("src"), site / book.folder))
    sheet = "\n".join([font_faces(), style_of(site, "paper"), running_heads(book, title)])
    head = element("head", "", element("meta", charset="utf-8"), element("title", "not ready"))
    head.append(element("style", sheet))
    head.append(element("link", rel="stylesheet", href=(site / FORMULAS).resolve().as_uri()))
    body.append(element("script", (HERE / "paper.js").read_text("utf-8")))
    return element("html", "", head, body, lang=book.language)


def as_address(source: str, folder: Path) -> str:
    """A picture's address, from wherever the document lies."""
    return source if ":" in source else (folder / source).resolve().as_uri()


def running_heads(book: Book, title: str) -> str:
    """Rules for the head of each page: the book's name, and the chapter's."""
    rules = [f"@page {{ @top-left {{ content: {css_text(title)}; }} }}"]
    for page in book.pages:
        head = "@top-right { font: 8.5pt 'Headway Sans'; color: #57606a; vertical-align: bottom; "
        head += f"padding-bottom: 5mm; content: {css_text(page.title)}; }}"
        rules.append(f"@page hw-{page.name} {{ {head} }}")
        rules.append(f".hw-of-{page.name} {{ page: hw-{page.name}; }}")
    return "\n".join(rules)


def css_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def part_id(part: str) -> str:
    return "part--" + "-".join(part.lower().split())


def place_id(page: str, place: str = "") -> str:
    """The id in the one document of a place on a page."""
    return f"{page}--{place}" if place else page


def contents(book: Book) -> HtmlElement:
    """The table of contents, with places for page numbers."""
    listed = element("ol")
    part = ""
    for page in book.pages:
        if page.part != part:
            part = page.part
            listed.append(entry(part, part_id(part), "hw-of-part"))
        listed.append(entry_of(page))
        if page.name not in NO_SECTIONS and page.part:
            for section in page.content.xpath("./section[@id]"):
                heading = section.find("h2")
                if heading is not None:
                    place = place_id(page.name, section.get("id"))
                    listed.append(entry(words_of(heading), place, "hw-of-section"))
    return element("nav", "", element("h1", "Contents"), listed, class_="hw-contents")


def pages_of_part(book: Book, part: str) -> list[Page]:
    return [page for page in book.pages if page.part == part]


def entry_of(page: Page) -> HtmlElement:
    return entry(page.title, place_id(page.name), "hw-of-page")


def entry(title: str, place: str, class_: str) -> HtmlElement:
    link = element("a", "", element("span", title), href=f"#{place}")
    link.append(element("span", UNKNOWN, data_of=place, class_="hw-number-of"))
    return element("li", "", link, class_=class_)


def imprint(book: Book) -> HtmlElement:
    """What the page behind the cover says."""
    today = date.today()
    operated = "The site has the same pages with figures that can be operated"
    site = [element("a", book.address, href=book.address)] if book.address else []
    address = element("p", f"{operated}: " if site else f"{operated}.", *site)
    return element(
        "section",
        "",
        element("p", book.title, class_="hw-asked"),
        element("p", book.author),
        element("p", f"This edition was made on {today:%B} {today.day}, {today.year}."),
        address,
        element(
            "p",
            "Where a box says “Predict”, answer before you read on. The answers stand at the end. "
            "A number above a line leads to an address at the end of the chapter.",
        ),
        element(
            "p",
            "Texts and exercises are under the license CC BY 4.0, the code under the MIT license.",
        ),
        class_="hw-imprint",
    )


def paper_page(page: Page, book: Book) -> HtmlElement:
    """A page of the book as a section of the document."""
    own = page.to_change()
    section = own.content
    twice = ("hw-machine-narrow", "hw-machine-compact", "hw-road-narrow", "hw-upright")
    remove(*of_class(section, *twice, "hw-travels"))
    lead_on_paper(own, book)
    name_places(section, page.name)
    # Parts are on the first level, and so is what belongs to none.
    for level in (4, 3, 2, 1) if page.part else (4, 3, 2):
        for title in section.iter(f"h{level}"):
            title.tag = f"h{level + 1}"
    keep_together(section)
    for figure in section.iter("figure"):
        figure.set("role", "group")  # else it is a picture to screen readers, without words
    kind = " hw-reference" if page.name in REFERENCE else ""
    return element(
        "section", "", section, class_=f"hw-page hw-of-{page.name}{kind}", id=place_id(page.name)
    )


def name_places(section: HtmlElement, page: str) -> None:
    """Ids that are unique in the document, and what names them."""
    for one in section.xpath(".//*[@id] | self::*[@id]"):
        one.set("id", place_id(page, one.get("id")))
    for one in section.xpath(".//*[@aria-labelledby]"):
        one.set("aria-labelledby", place_id(page, one.get("aria-labelledby")))


def lead_on_paper(page: Page, book: Book) -> None:
    """Links into the book get the number of the page, links out of it a note with the address."""
    notes: list[str] = []
    for link in links(page):
        target = target_of(link, page, book)
        if target is None:
            continue
        if target.address:
            link.set("href", target.address)
            shown = is_drawn(link) or shows_its_address(link, target.address)
            if target.address.startswith("http") and not shown:
                after(link, note(target.address, notes))
            continue
        place = place_id(target.page, target.id)
        link.set("href", f"#{place}")
        if wants_page_number(link) and not is_drawn(link):
            after(link, at_page(link, place))
    if notes:
        listed = [element("p", f"{n}  {address}") for n, address in enumerate(notes, 1)]
        head = element("p", "Addresses", class_="hw-asked")
        page.content.append(element("div", "", head, *listed, class_="hw-notes"))


def note(address: str, notes: list[str]) -> HtmlElement:
    """The sign of a note; one for all links to an address."""
    if address not in notes:
        notes.append(address)
    return element("sup", str(notes.index(address) + 1), class_="hw-note")


def at_page(link: HtmlElement, place: str) -> HtmlElement:
    """The number of a page, as it is said behind this link."""
    number = element("span", UNKNOWN, data_of=place)
    if "hw-way" in link.classes:
        return element("span", " on page ", number, class_="hw-at")
    at = element("span", " (p. ", number, class_="hw-at")
    number.tail = ")"
    return at


def after(link: HtmlElement, new: HtmlElement) -> None:
    """Put something right behind a link, in front of the text that follows it."""
    new.tail, link.tail = link.tail, None
    link.addnext(new)


def fill_in(document: HtmlElement, numbers: dict[str, int]) -> None:
    """Write the numbers into the places that wait for them; a place without one goes."""
    for place in document.xpath("//*[@data-of]"):
        if place.get("data-of") in numbers:
            place.text = str(numbers[place.get("data-of")])
        else:
            remove(place.getparent() if "hw-at" in place.getparent().classes else place)
