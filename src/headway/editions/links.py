"""Where the links of a page lead: into the book, or out of it."""

from dataclasses import dataclass
from posixpath import normpath
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml.html import HtmlElement

from headway.editions.contents import Book, Page

# Terms, citations and names of code come often, and are found by the alphabet.
FOUND_BY_THEMSELVES = ".//span[contains(@class, 'std-term')] | .//code[contains(@class, 'py')]"


@dataclass(frozen=True)
class Target:
    """What a link leads to.

    Attributes:
        page: the name of a page of the book; "" if it leads elsewhere.
        id: a place on that page; "" for its beginning.
        address: the whole address, where it leads out of the book.
    """

    page: str = ""
    id: str = ""
    address: str = ""


def target_of(link: HtmlElement, page: Page, book: Book) -> Target | None:
    """What a link on a page leads to; None if it has no address."""
    href = link.get("href")
    if href is None:
        return None
    path, place = urldefrag(href)
    place = unquote(place)
    if urlsplit(href).scheme:
        return Target(address=href)
    if not path:
        return Target(page.name, place)
    name = path.removesuffix(".html")
    if book.page(name):
        return Target(name, place)
    inside = normpath(book.folder + path)
    return Target(address=urljoin(book.address, inside) + (f"#{place}" if place else ""))


def drop_links_to_the_site(book: Book) -> None:
    """Leave the text of links to what only a site has, where the site has no address."""
    for page in book.pages:
        for link in links(page):
            target = target_of(link, page, book)
            if target and target.address and not urlsplit(target.address).scheme:
                link.drop_tag()


def links(page: Page) -> list[HtmlElement]:
    return list(page.content.iter("a"))


def wants_page_number(link: HtmlElement) -> bool:
    """Whether a reader on paper is helped by the number of the page that a link leads to."""
    if link.xpath(FOUND_BY_THEMSELVES):
        return False
    around = link.iterancestors()
    return not any("bibtex-citation" in (one.get("class") or "") for one in around)


def is_drawn(link: HtmlElement) -> bool:
    """Whether a link is part of a drawing, which has no place for what text says behind a link."""
    return next(link.iterancestors("svg"), None) is not None


def shows_its_address(link: HtmlElement, address: str) -> bool:
    """Whether a link's text is its address, or the end of it, as with a DOI."""
    shown = link.text_content().strip().removeprefix("doi:").rstrip("/")
    return (
        bool(shown)
        and address.rstrip("/").lower().endswith(shown.lower())
        and ("/" in shown or "." in shown)
    )
