"""The pictures of a story (`gallery/shared/scene`): an address, links and files for each.

A picture's section is found under the number of its chapter, "#08", and the list of all of them
stands at the head of the page. Below each are links to its chapter, to itself, and to the drawing
as SVG and PNG, which the build writes into `_static/pictures`.
"""

import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

from docutils import nodes

from headway.figures.core.palette import LIGHT
from headway.figures.core.standalone import png, standalone
from headway.figures.gallery.shared.scene import LINKS

FOLDER, WIDTH = "_static/pictures", 1_600
SCENE = re.compile(r'data-headway-figure="scene" data-page="([^"]+)" data-title="([^"]+)"')
DRAWING = re.compile(r"<svg .*?</svg>", re.DOTALL)


class Picture(NamedTuple):
    """One picture: the name of its chapter's page, its title, and the drawing."""

    page: str
    title: str
    drawing: str

    @property
    def number(self) -> str:
        """The number of its chapter, which is its address."""
        return self.page.partition("-")[0]


def scenes(doctree) -> Iterator[tuple[nodes.raw, Picture]]:
    """The pictures of a page, with the nodes that hold them."""
    for node in doctree.findall(nodes.raw):
        if found := SCENE.search(node.astext()):
            page, title = map(unescape, found.groups())
            yield node, Picture(page, title, DRAWING.search(node.astext())[0])


def known(env) -> dict[str, list[Picture]]:
    """The pictures of each page that has some."""
    if not hasattr(env, "headway_pictures"):
        env.headway_pictures = {}
    return env.headway_pictures


def give_addresses(app, doctree):
    """The section of each picture gets its number for an id, before the contents are listed."""
    pictures = []
    for node, picture in scenes(doctree):
        section = node
        while not isinstance(section, nodes.section):
            section = section.parent
        section["ids"].insert(0, picture.number)
        pictures.append(picture)
    if pictures:
        known(app.env)[app.env.docname] = pictures
        first = next(doctree.findall(nodes.section))
        first.insert(1, nodes.raw("", ticks(pictures), format="html"))


def ticks(pictures: list[Picture]) -> str:
    """The list of all pictures, a narrow mark for each."""
    marks = "".join(
        f'<a href="#{one.number}" data-page="{escape(one.page)}" title="{escape(one.title)}">'
        f"{int(one.number)}</a>"
        for one in pictures
    )
    return f'<nav class="hw-ticks" aria-label="Pictures">{marks}</nav>'


def add_links(app, doctree, docname):
    for node, picture in scenes(doctree):
        up = "../" * docname.count("/")
        chapter = f"{docname.rpartition('/')[0]}/{picture.page}".lstrip("/")
        title = app.env.titles[chapter].astext() if chapter in app.env.titles else picture.page
        file = f"{up}{FOLDER}/{picture.page}"
        links = (
            f'<p class="hw-scene-links"><a href="{app.builder.get_relative_uri(docname, chapter)}">'
            f"Chapter {int(picture.number)}: {escape(title)}</a>"
            f'<a class="hw-scene-copy" href="#{picture.number}">Copy link</a>'
            f'<a href="{file}.svg" download>SVG</a><a href="{file}.png" download>PNG</a></p>'
        )
        html = node.astext().replace(LINKS, links)
        node.replace_self(nodes.raw("", html, format="html"))


def write_files(app, exception):
    """The drawings as files; those of pictures that are gone, or have not changed, need no work."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    pictures = [picture for page in known(app.env).values() for picture in page]
    names = {f"{one.page}.{kind}" for one in pictures for kind in ("svg", "png")}
    for file in folder.glob("*.*"):
        if file.name not in names:
            file.unlink()
    for picture in pictures:
        folder.mkdir(parents=True, exist_ok=True)
        svg, pixels = (folder / f"{picture.page}.{kind}" for kind in ("svg", "png"))
        drawn = standalone(picture.drawing, LIGHT, picture.title)
        if not pixels.exists() or not svg.exists() or svg.read_text(encoding="utf-8") != drawn:
            svg.write_text(drawn, encoding="utf-8")
            pixels.write_bytes(png(drawn, WIDTH))


def forget_page(app, env, docname):
    known(env).pop(docname, None)


def setup(app):
    app.connect("doctree-read", give_addresses, priority=100)
    app.connect("doctree-resolved", add_links)
    app.connect("build-finished", write_files)
    app.connect("env-purge-doc", forget_page)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
