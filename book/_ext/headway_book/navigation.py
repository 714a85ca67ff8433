"""The navigation beside each page: the parts, folded but for one, and the page's own sections.

The layout asks for `navigation()` and gets one `Part` for each part of the table of contents. The
page that is open has its sections below it, so that one list says where the reader is.
"""

import re
from dataclasses import dataclass

from docutils import nodes
from sphinx.environment.adapters.toctree import global_toctree_for_doc

NUMBERED = re.compile(r"(\d+) · (.*)")


@dataclass(frozen=True)
class Entry:
    """A page or a section.

    Attributes:
        number: of a chapter, else empty.
        is_open: whether it is the page itself.
        sections: of the page that is open.
    """

    address: str
    title: str
    number: str = ""
    is_open: bool = False
    sections: tuple["Entry", ...] = ()


@dataclass(frozen=True)
class Part:
    title: str
    entries: tuple[Entry, ...]

    @property
    def is_open(self) -> bool:
        """Whether the page that is open is one of its own."""
        return any(entry.is_open for entry in self.entries)


def navigation(app, page: str) -> list[Part]:
    """The parts of the table of contents, as the page `page` shows them."""
    tree = global_toctree_for_doc(app.env, page, app.builder, collapse=True, titles_only=True)
    own = sections(app.env.tocs[page]) if page in app.env.tocs else ()
    parts, title = [], ""
    for node in tree.children if tree else ():
        if isinstance(node, nodes.title):
            title = node.astext()
        elif isinstance(node, nodes.bullet_list):
            parts.append(Part(title, tuple(entry_of(item, own) for item in node)))
    return parts


def entry_of(item: nodes.list_item, own: tuple[Entry, ...]) -> Entry:
    """A page, with the sections `own` if it is the one that is open."""
    link = next(item.findall(nodes.reference))
    numbered = NUMBERED.fullmatch(link.astext())
    is_open = "current" in link["classes"]
    return Entry(
        address=link["refuri"],
        title=numbered[2] if numbered else link.astext(),
        number=numbered[1] if numbered else "",
        is_open=is_open,
        sections=own if is_open else (),
    )


def sections(contents: nodes.bullet_list) -> tuple[Entry, ...]:
    """The sections of a page, not those inside of them, from its own table of contents."""
    listed = [
        item
        for whole in contents[:1]
        for below in whole.children
        if isinstance(below, nodes.bullet_list)
        for item in below
    ]
    links = [next(item.findall(nodes.reference), None) for item in listed]
    return tuple(Entry(link["anchorname"], link.astext()) for link in links if link is not None)


def offer(app, pagename, templatename, context, doctree):
    context["navigation"] = navigation(app, pagename)


def setup(app):
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
