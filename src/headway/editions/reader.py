"""The book as an EPUB 3: a file of XHTML for each page, and what says how they belong together.

Readers run no scripts and may know neither custom properties nor the newest of CSS. So formulas
are MathML, pictures are files, and colors are written out.
"""

import re
import uuid
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from lxml import etree, html
from lxml.builder import ElementMaker
from lxml.html import HtmlElement

from headway.editions.colors import color_cells, written_out
from headway.editions.contents import Book, Page
from headway.editions.cover import SUBJECT, draw_cover
from headway.editions.formulas import keep_together, set_formulas
from headway.editions.links import links, target_of
from headway.editions.style import style_of
from headway.editions.trees import of_class, remove
from headway.figures.core.cascade import named_colors, write_out

XHTML = "http://www.w3.org/1999/xhtml"
OPS = "http://www.idpf.org/2007/ops"
OPF = "http://www.idpf.org/2007/opf"
DC = "http://purl.org/dc/elements/1.1/"
CONTAINER = "urn:oasis:names:tc:opendocument:xmlns:container"
NAMESPACES = {"svg": "http://www.w3.org/2000/svg", "math": "http://www.w3.org/1998/Math/MathML"}
# HTML's parser makes names small; SVG's are not.
CAMEL_CASE = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
MANY_COLUMNS = 6  # more do not fit on a telephone with their names side by side
KINDS = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg"}
SUFFIXES = {suffix: kind for kind, suffix in KINDS.items()}
ACCESS = {
    "schema:accessMode": ["textual", "visual"],
    "schema:accessModeSufficient": ["textual,visual"],
    "schema:accessibilityFeature": [
        *("alternativeText", "MathML", "structuralNavigation", "tableOfContents", "readingOrder"),
    ],
    "schema:accessibilityHazard": ["none"],
    "schema:accessibilitySummary": [
        "Pictures have text alternatives with their numbers, formulas are MathML with their TeX."
    ],
}


@dataclass
class Parcel:
    """What goes into the file: by name, the bytes of each part."""

    parts: dict[str, bytes] = field(default_factory=dict)

    def picture(self, kind: str, data: bytes) -> str:
        """Add a picture under the name of its content, and return the name."""
        if kind == "image/svg+xml":
            data = valid_svg(data)
        name = f"images/{sha256(data).hexdigest()[:16]}.{KINDS[kind]}"
        self.parts[name] = data
        return name


def make_epub(book: Book, site: Path, file: Path) -> Path:
    """Write the book as an EPUB.

    Args:
        book: its pages, made still.
        site: the built site, from which pictures and colors of code are taken.
        file: the EPUB to write.
    """
    parcel = Parcel()
    parcel.parts["style.css"] = written_out(style_of(site, "reader")).encode()
    parcel.parts["images/cover.png"] = draw_cover(book, "png", dpi=120)
    parcel.parts["cover.xhtml"] = document(book, book.title, [cover_picture(book)])
    places = {page.name: ids(page.content) for page in book.pages}
    for page in book.pages:
        own = page.to_change()
        prepare(own, book, places)
        for picture in own.content.iter("img"):
            picture.set("src", parcel.picture(*read_picture(picture, site / book.folder)))
            for name in ("width", "height"):  # its own; some readers cut off what is beyond these
                picture.attrib.pop(name, None)
        parcel.parts[f"{page.name}.xhtml"] = document(book, page.title, [own.content])
    parcel.parts["nav.xhtml"] = navigation(book)
    parcel.parts["package.opf"] = package(book, parcel)
    write_zip(parcel, file)
    return file


def prepare(page: Page, book: Book, places: dict[str, set[str]]) -> None:
    """Change a page into what a reader can show."""
    content = page.content
    # What is drawn twice is shown in the narrow form.
    twice = ("hw-machine-wide", "hw-machine-compact", "hw-road-wide", "hw-upright")
    remove(*of_class(content, *twice, "hw-travels"))
    for voice in of_class(content, "hw-voice"):
        remove(voice)  # says what the sign before it says
    for link in links(page):
        lead(link, page, book, places)
    keep_together(content)
    set_formulas(content)
    color_cells(content)
    write_out(content, named_colors())
    for matrix in of_class(content, "hw-matrix"):
        if len(matrix.xpath(".//tr[1]")[0]) > MANY_COLUMNS:
            matrix.classes.add("hw-many-columns")
    once_only(content)


def ids(content: HtmlElement) -> set[str]:
    return set(content.xpath("descendant-or-self::*/@id"))


def valid_svg(data: bytes) -> bytes:
    """A drawing without ids that come twice, as those of matplotlib's images do."""
    drawing = etree.fromstring(data)
    once_only(drawing)
    return etree.tostring(drawing)


def once_only(content: etree.ElementBase) -> None:
    """An id that comes twice stays with the first."""
    seen = set()
    for one in content.xpath("descendant-or-self::*[@id]"):
        if one.get("id") in seen:
            del one.attrib["id"]
        else:
            seen.add(one.get("id"))


def lead(link: HtmlElement, page: Page, book: Book, places: dict[str, set[str]]) -> None:
    """Let a link lead to a file of the EPUB, or to a whole address."""
    target = target_of(link, page, book)
    if target is None:
        return
    if target.address:
        link.set("href", target.address)
        return
    place = f"#{target.id}" if target.id in places[target.page] else ""
    link.set("href", f"{target.page}.xhtml{place}")


def read_picture(picture: HtmlElement, folder: Path) -> tuple[str, bytes]:
    """The type and the bytes of a picture, which may stand in its address."""
    source = picture.get("src")
    if source.startswith("data:"):
        kind, _, data = source.removeprefix("data:").partition(",")
        raw = unquote_to_bytes(data)
        if kind.endswith(";base64"):
            from base64 import b64decode

            return kind.removesuffix(";base64"), b64decode(raw)
        return kind.partition(";")[0], raw
    path = folder / urlsplit(source).path
    return SUFFIXES[path.suffix.removeprefix(".").lower()], path.read_bytes()


def cover_picture(book: Book) -> HtmlElement:
    alt = f"Cover: {book.title}. {SUBJECT}."
    picture = html.Element("img", {"src": "images/cover.png", "alt": alt, "class": "hw-cover"})
    section = html.Element("section")
    section.append(picture)
    return section


def document(book: Book, title: str, content: list[HtmlElement]) -> bytes:
    """A file of XHTML."""
    body = "".join(as_xml(one) for one in content)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="{XHTML}" xmlns:epub="{OPS}" lang="{book.language}" '
        f'xml:lang="{book.language}">\n<head><title>{escape(title)}</title>'
        '<link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f"<body>{body}</body>\n</html>\n"
    )
    etree.fromstring(text.encode())  # what is not well-formed must not leave the house
    return text.encode()


def as_xml(tree: HtmlElement) -> str:
    """HTML as XML: names of SVG as they are written, and its namespaces."""
    for one in tree.iter():
        if one.tag in NAMESPACES:
            one.set("xmlns", NAMESPACES[one.tag])
        for small in CAMEL_CASE.keys() & one.attrib.keys():
            one.set(CAMEL_CASE[small], one.attrib.pop(small))
    return etree.tostring(tree, encoding="unicode", with_tail=False)


def navigation(book: Book) -> bytes:
    """The table of contents, which readers also show as their own."""
    E = ElementMaker(namespace=XHTML, nsmap={None: XHTML, "epub": OPS})
    listed = E.ol()
    part, inside = "", listed
    for page in book.pages:
        if page.part != part:
            part, inside = page.part, E.ol()
            listed.append(E.li(E.span(part), inside))
        inside.append(E.li(E.a(page.title, href=f"{page.name}.xhtml")))
    first = f"{book.pages[0].name}.xhtml"
    landmarks = E.ol(
        E.li(E.a("Cover", {f"{{{OPS}}}type": "cover"}, href="cover.xhtml")),
        E.li(E.a("Contents", {f"{{{OPS}}}type": "toc"}, href="nav.xhtml")),
        E.li(E.a("Text", {f"{{{OPS}}}type": "bodymatter"}, href=first)),
    )
    page = E.html(
        E.head(E.title("Contents"), E.link(rel="stylesheet", type="text/css", href="style.css")),
        E.body(
            E.nav(E.h1("Contents"), listed, {f"{{{OPS}}}type": "toc", "class": "hw-contents"}),
            E.nav(E.h2("Landmarks"), landmarks, {f"{{{OPS}}}type": "landmarks", "hidden": ""}),
        ),
        {"lang": book.language, "{http://www.w3.org/XML/1998/namespace}lang": book.language},
    )
    return xml(page, "<!DOCTYPE html>")


def package(book: Book, parcel: Parcel) -> bytes:
    """The package document: what the book is, what belongs to it, and in which order."""
    E = ElementMaker(namespace=OPF, nsmap={None: OPF, "dc": DC})
    D = ElementMaker(namespace=DC)
    changed = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    metadata = E.metadata(
        D.identifier(uuid.uuid5(uuid.NAMESPACE_URL, book.address or book.title).urn, id="book-id"),
        D.title(book.title),
        D.language(book.language),
        D.creator(book.author),
        D.description(SUBJECT),
        D.rights("CC BY 4.0; the code: MIT license"),
        *([D.source(book.address)] if book.address else []),
        E.meta(changed, property="dcterms:modified"),
        *(E.meta(value, property=name) for name, values in ACCESS.items() for value in values),
    )
    manifest = E.manifest(*(item(E, name, data) for name, data in parcel.parts.items()))
    order = ["cover.xhtml", "nav.xhtml", *(f"{page.name}.xhtml" for page in book.pages)]
    spine = E.spine(*(E.itemref(idref=item_id(name)) for name in order))
    root = E.package(metadata, manifest, spine, {"version": "3.0", "unique-identifier": "book-id"})
    return xml(root)


def item(E: ElementMaker, name: str, data: bytes):
    """A part's entry in the list of all parts."""
    suffix = name.rpartition(".")[2]
    kinds = SUFFIXES | {"xhtml": "application/xhtml+xml", "css": "text/css"}
    attributes = {"id": item_id(name), "href": name, "media-type": kinds[suffix]}
    if properties := " ".join(properties_of(name, data)):
        attributes["properties"] = properties
    return E.item(attributes)


def properties_of(name: str, data: bytes) -> Iterator[str]:
    """What a reader must know of a part before it opens it."""
    if name == "nav.xhtml":
        yield "nav"
    if name == "images/cover.png":
        yield "cover-image"
    if name.endswith(".xhtml"):
        yield from (word for word, tag in (("mathml", b"<math"), ("svg", b"<svg")) if tag in data)


def item_id(name: str) -> str:
    return "part-" + re.sub(r"[^\w-]", "-", name)


def xml(root, doctype: str | None = None) -> bytes:
    return etree.tostring(
        root, xml_declaration=True, encoding="utf-8", doctype=doctype, pretty_print=True
    )


def write_zip(parcel: Parcel, file: Path) -> None:
    """The file: first its type, not compressed, then where the package document lies, then all."""
    E = ElementMaker(namespace=CONTAINER, nsmap={None: CONTAINER})
    place = {"full-path": "EPUB/package.opf", "media-type": "application/oebps-package+xml"}
    container = E.container(E.rootfiles(E.rootfile(place)), version="1.0")
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr("META-INF/container.xml", xml(container))
        for name, data in parcel.parts.items():
            archive.writestr(f"EPUB/{name}", data)
