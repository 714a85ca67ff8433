"""Markdown of strangers as HTML: cleaned, with formulas as MathML, which browsers draw."""

import re
from collections.abc import Mapping
from html import unescape
from itertools import chain
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from headway.grading.results.sanitize import MARK, SHOWN, sanitize_html
from headway.grading.results.towers import without_towers

COLORED = ("python", "python3", "py", "ipython", "ipython3")
MAX_FORMULA = 2_000
MACRO = re.compile(r"\\(re)?(new|provide)command|\\[gex]?def(?![a-z])|\\let(?![a-z])")
MATH_TAG = re.compile("m[a-z]+")
# No length of a hundred letters, of a thousand of anything, or with an exponent.
HUGE = r"(?<![\d.])(?:\d{4}|\d{3}[\d.]*+(?!px|pt|%| |$))|\d[eE][+-]?\d"
MATH_VALUE = re.compile(rf"(?![^#]*(?:{HUGE}))[\w .#%+-]{{0,100}}")
SIZE = "mathsize"
MATH_ATTRIBUTES = frozenset(
    (  # noqa: SIM905 - a list of forty strings is harder to read
        "accent accentunder align columnalign columnlines columnspacing depth display displaystyle "
        "fence form frame height largeop linebreak linethickness lspace mathbackground mathcolor "
        "mathsize mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace "
        "scriptlevel separator side stretchy symmetric voffset width"
    ).split()
)


class MathMLRenderer(IPythonRenderer):
    """Markdown to HTML, with marks in place of formulas, which `formulas` holds as MathML."""

    def __init__(self, attachments: Mapping | None = None):
        super().__init__(escape=False, exclude_anchor_links=True, attachments=attachments or {})
        self.formulas: dict[str, str] = {}

    def inline_math(self, body: str) -> str:
        return self._mark(formula(body, "inline", super().inline_math(body)))

    def block_math(self, body: str) -> str:
        return self._mark(formula(body, "block", super().block_math(body)))

    def latex_environment(self, name: str, body: str) -> str:
        source = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return self._mark(formula(source, "block", super().latex_environment(name, body)))

    def block_code(self, code: str, info: str | None = None) -> str:
        # The rules for some languages take minutes for a page of short lines.
        words = (info or "").split()
        return super().block_code(code, info if words and words[0] in COLORED else None)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        name = url.removeprefix("attachment:")
        if name != url and name not in self.attachments:
            return text  # nbconvert would give the whole page up
        return super().image(text, url, title)

    def _mark(self, html: str) -> str:
        number = str(len(self.formulas))
        self.formulas[number] = html
        return f"{MARK}{number}{MARK}"


def formula(source: str, display: str, instead: str) -> str:
    """A LaTeX formula as MathML; `instead`, its escaped source, where that cannot be made."""
    if len(source) > MAX_FORMULA:
        return instead
    if MACRO.search(source):  # a macro of macros doubles with each
        return instead
    try:
        math = convert_to_element(source, display=display)
        _clean_math(math)
        math.set("alttext", source)
        return tostring(math, encoding="unicode")
    except Exception:  # whatever a student wrote between dollar signs
        return instead


def _clean_math(math: Element) -> None:
    """Leave of a formula's tree texts and what says how they are set, in place.

    The converter writes characters as references, and takes attributes and links from the source.
    Its own way to make text of the tree undoes all escapes, those of a student's `<` as well.
    """
    # Sizes in sizes are multiplied.
    sized = [[*element.iter()][1:] for element in math.iter() if SIZE in element.attrib]
    for element in chain(*sized):
        element.attrib.pop(SIZE, None)
    for element in math.iter():
        if not MATH_TAG.fullmatch(element.tag):
            raise ValueError(f"{element.tag!r} is no element of a formula")
        for name, text in list(element.attrib.items()):
            sound = name in MATH_ATTRIBUTES and MATH_VALUE.fullmatch(text)
            if not sound and name != "xmlns":
                del element.attrib[name]
        element.text = unescape(element.text or "") or None
        element.tail = unescape(element.tail or "") or None


def _with_pictures_of(attachments: Mapping, html: str) -> str:
    """Clean HTML without pictures that stand in its source, which nobody has measured together."""
    given = {picture for data in attachments.values() for picture in data.values()}
    return SHOWN.sub(lambda shown: shown[0] if shown[1] in given else "", html)


def markdown_to_html(source: str, attachments: Mapping | None = None) -> str:
    """Markdown of a cell or a comment as clean HTML with MathML.

    Args:
        source: the Markdown, of whomever.
        attachments: the pictures that it may show, by name and kind.
    """
    renderer = MathMLRenderer(attachments)
    html = MarkdownWithMath(renderer=renderer).render(source.replace(MARK, ""))
    # Marks that stand in a tag's attributes did not outlive the cleaning. A reference to the mark's
    # own character did: so each formula is shown once, however many places ask for it.
    html = re.sub(
        f"{MARK}(\\d+){MARK}",
        lambda mark: renderer.formulas.pop(mark[1], ""),
        _with_pictures_of(attachments or {}, sanitize_html(html)),
    )
    return without_towers(html, markup=True)
