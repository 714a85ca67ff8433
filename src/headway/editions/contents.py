"""The pages of the built site, in the order of the table of contents.

Pages are trees of lxml; each change to them is a function of its own module.
"""

from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml
from lxml import html
from lxml.html import HtmlElement

from headway.address import site_address
from headway.editions.formulas import words_of
from headway.errors import UserError

FRONT = "About this course"  # the front page; its own heading is the book's title


class NoSiteError(UserError):
    """There is no built site to make an edition of."""


@dataclass
class Page:
    """A page of the book.

    Attributes:
        name: of its file, without folder and suffix: "02-markov".
        title: as the menu has it: "2 · Markov chains".
        content: the page's outermost section, heading and all.
        part: the caption of the part that it belongs to; "" for the front page.
    """

    name: str
    title: str
    content: HtmlElement
    part: str = ""

    def to_change(self) -> "Page":
        """A page of its own that says the same, under the title that the menu has."""
        content = deepcopy(self.content)
        heading = content.find("h1")
        for child in list(heading):
            child.drop_tree()
        heading.text = self.title
        return replace(self, content=content)


@dataclass
class Book:
    """All pages, and what a title page says.

    Attributes:
        address: where the site is published, with a slash at its end; "" if it is not.
        folder: where the pages are on the site: "book/".
    """

    title: str
    author: str
    address: str
    folder: str
    language: str = "en"
    pages: list[Page] = field(default_factory=list)

    def page(self, name: str) -> Page | None:
        return next((page for page in self.pages if page.name == name), None)


def read_book(root: Path, site: Path) -> Book:
    """Read all pages that the table of contents names.

    Args:
        root: the checkout, with `_config.yml` and `_toc.yml`.
        site: the folder of the built site.

    Raises:
        NoSiteError: if a page has not been built.
    """
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    entries = [({"file": toc["root"], "title": FRONT}, "")]
    entries += [(entry, "") for entry in toc.get("chapters", [])]
    for part in toc.get("parts", []):
        entries += [(entry, part["caption"]) for entry in part["chapters"]]
    return Book(
        title=config["title"],
        author=config["author"],
        address=site_address(config),
        folder=toc["root"].rpartition("/")[0] + "/",
        language=config.get("sphinx", {}).get("config", {}).get("language", "en"),
        pages=[read_page(site, entry, part) for entry, part in entries],
    )


def read_page(site: Path, entry: dict[str, str], part: str) -> Page:
    """A page from an entry of the table of contents."""
    file = site / f"{entry['file']}.html"
    if not file.is_file():
        raise NoSiteError(f"{file} is not there. Build the book first: headway book")
    article = html.fromstring(file.read_text("utf-8")).find(".//article")
    section = None if article is None else article.find("section")
    if section is None:
        raise NoSiteError(f"{file} holds no page of the book (no <section> in an <article>).")
    content = deepcopy(section)
    content.tail = None
    heading = content.find(".//h1")
    for mark in heading.find_class("headerlink"):
        mark.drop_tree()
    title = entry.get("title") or words_of(heading)
    return Page(file.stem, title, content, part)
