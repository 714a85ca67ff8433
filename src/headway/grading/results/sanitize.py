"""What a student wrote, made so that it does nothing and imitates nothing in a reader's browser.

A notebook's HTML goes through an allow-list (bleach): text, lists, tables, pictures in the page
itself. Scripts, styles, classes, names, forms and everything from elsewhere are left out. What
has no business in a page (scripts as data, widgets, a picture that is none) is dropped whole.

Cards of checks are written by the grading, outside of the student's process. They keep the
look of a card, which nothing else can have.
"""

import math
import re
from collections.abc import Callable
from html import escape

from bleach.sanitizer import Cleaner
from bs4 import BeautifulSoup, ParserRejectedMarkup, Tag
from jinja2 import DictLoader
from nbconvert.exporters import TemplateExporter
from nbconvert.preprocessors.sanitize import SanitizeHTML
from nbformat import NotebookNode
from pygments.token import STANDARD_TYPES
from traitlets import Set

from headway.grading.notebooks.verdicts import checked_task
from headway.grading.results.pictures import is_small, pixels_of
from headway.grading.results.towers import without_towers
from headway.tasks.engine.card import HEADINGS, STYLE

TAGS = frozenset(
    (  # noqa: SIM905 - a list of fifty strings is harder to read
        "a abbr b blockquote br caption code col colgroup dd del details div dl dt em figcaption "
        "figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strong sub "
        "summary sup table tbody td tfoot th thead tr tt u ul var wbr"
    ).split()
)
# What stands between these tags is no text to read.
UNREAD = ["script", "style", "title", "noscript", "template", "textarea", "iframe", "svg", "math"]
ADDRESSES = ("https://", "http://", "mailto:", "#")
# A picture by its first bytes, whatever it is said to be.
PICTURES = {"image/png": "iVBORw0KGgo", "image/jpeg": "/9j/"}
PICTURE = re.compile(
    "data:(?:"
    + "|".join(f"{kind};base64,{re.escape(start)}" for kind, start in PICTURES.items())
    + r")[A-Za-z0-9+/=\s]*"
)
SHOWN = re.compile(r'src="data:image/\w+;base64,([^"]*)"')  # in HTML that is clean
NAMES = {"student", "first_name", "last_name", "notebook_path"}  # on a page of the formgrader
CARD_CLASSES = {"hw-card", "hw-grids", "hw-off", *(f"hw-{status}" for status in HEADINGS)}
GRADE_ID = re.compile(r"[A-Za-z0-9_\-]+")
# Parsing takes time that grows with tags times depth; more than this is shown as plain text.
MAX_TAGS, MAX_DEPTH, MAX_HTML, SHOWN_TEXT = 5_000, 60, 200_000, 2_000
MAX_UNENDED = 100  # tags
MAX_ATTRIBUTES = 100  # of a tag: the cleaner holds each against all before it
MAX_REFERENCES = 20_000
# Rows times columns of the cells of tables that say so; a browser keeps each.
SPANS, MAX_SPANNED = ("colspan", "rowspan"), 2_000
SPAN = re.compile(r"[1-9]\d{0,3}")
# What a whole notebook may have of it, since a page is made while the rest of a class waits.
MOST = {
    **{"tags": 15_000, "markdown": 200_000, "escapes": 20_000, "code": 40_000},
    **{"pixels": 10**9, "leftward": 50_000, "unspaced": 200_000},
}
# Letters of writings that run from right to left, which a browser lays out anew with each turn.
LEFTWARD = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Letters of writings without spaces, in which a browser looks words up to break lines: Thai, Lao,
# Burmese, Khmer.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf]"
)
MAX_MARKDOWN = 30_000  # characters of a cell
ESCAPE = re.compile("\x1b(\\[[0-9;]*[A-Za-z])?")
# Stands for something that is put in after cleaning, between tags and never inside of one.
MARK = "\ue000"
# nbconvert's macro would load a script from a public host.
NO_MATHJAX = DictLoader({"mathjax.html.j2": "{% macro mathjax(url='') %}{% endmacro %}"})
LONG_REFERENCE = re.compile(r"&#0*\d{8,}")  # of a number that no character has


def sanitize_html(html: str) -> str:
    """HTML of a student as HTML that is safe to show beside what others wrote.

    Markup that is too large or nested too deeply becomes its own text, cut.
    """
    html = LONG_REFERENCE.sub("&#65533", html)
    # For each tag that never ends, the parser looks through all that follows.
    unended = html.rpartition(">")[2].count("<")
    if len(html) > MAX_HTML or unended > MAX_UNENDED or html.count("&") > MAX_REFERENCES:
        return as_text(html)
    if "<" not in html:
        return without_towers(_STUDENTS.clean(html), markup=True)
    # A tree has no tags that overlap, which the cleaner's parser would multiply.
    try:
        tree = BeautifulSoup(html, "html.parser")
    except (ParserRejectedMarkup, AssertionError, RecursionError):
        return as_text(html)
    for tag in tree(UNREAD):
        tag.decompose()
    depth = {id(tree): 0}
    spanned = 0
    for tag in tree.find_all():
        depth[id(tag)] = depth[id(tag.parent)] + 1
        many = len(depth) > MAX_TAGS or len(tag.attrs) > MAX_ATTRIBUTES
        if many or depth[id(tag)] > MAX_DEPTH:
            return as_text(html)
        spanned += _take_span(tag, MAX_SPANNED - spanned)
    # What stood between marks may be gone now.
    return without_towers(_STUDENTS.clean(str(tree)), markup=True)


def _unspaced(text: str) -> int:
    return 0 if text.isascii() else len(UNSPACED.findall(text))


def _take_span(tag: Tag, most: int) -> int:
    """How many places of a table a cell takes, if it says so; what takes more says so no more."""
    told = [tag.attrs[name] for name in SPANS if name in tag.attrs]
    if not told:
        return 0
    area = math.prod(int(one) for one in told) if all(map(SPAN.fullmatch, told)) else math.inf
    if area <= most:
        return area
    for name in SPANS:
        tag.attrs.pop(name, None)
    return 0


def clean_card(html: str) -> str:
    """A check's card with what makes up a card, and nothing else."""
    body = html.removeprefix(STYLE)
    return (STYLE if body != html else "") + _CARDS.clean(body)


def is_card(output: NotebookNode, cell: NotebookNode) -> bool:
    """Whether an output is a card that the grading itself put into a check's cell.

    The grading takes all metadata away from what a student's process put out.
    """
    metadata = output.get("metadata")
    marked = isinstance(metadata, dict) and metadata.get("headway") == "card"
    return marked and output.get("output_type") == "display_data" and bool(checked_task(cell))


class SanitizeNotebook(SanitizeHTML):
    """nbconvert's sanitizing of a notebook, with the course's rules.

    Markdown stays as it is: cleaning its source would change its formulas, so it is cleaned as
    HTML, by the `markdown2html` filter of `headway.grading.results.markdown_process`. That makes
    MathML of them, so the page does without MathJax.
    """

    safe_output_keys = Set({"text/plain", "text/markdown", "text/latex", *PICTURES})
    sanitized_output_types = Set({"text/html"})

    def __init__(self, **traits):
        super().__init__(**traits)
        if isinstance(self.parent, TemplateExporter):
            self.parent.extra_loaders = [NO_MATHJAX, *self.parent.extra_loaders]

    def preprocess(self, nb, resources):
        kept = {key: nb.metadata[key] for key in ("headway",) if key in nb.metadata}
        language = {"name": "python", "pygments_lexer": "ipython3"}
        nb.metadata = NotebookNode(language_info=NotebookNode(language), **kept)
        self._left = dict(MOST)
        for key in NAMES & resources.keys():
            resources[key] = escape(str(resources[key] or ""))
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        marks = cell.metadata.get("nbgrader")
        name = marks.get("grade_id") if isinstance(marks, dict) else None
        sound = isinstance(name, str) and GRADE_ID.fullmatch(name)
        cell.metadata = NotebookNode(nbgrader=marks) if sound else NotebookNode()
        _rewrite(cell, self._limited_text)
        if cell.cell_type == "raw":
            cell.source = f"<pre>{escape(cell.source)}</pre>"
        elif cell.cell_type == "markdown":
            cell.attachments = {
                name: data
                for name, data in pictures_of(cell).items()
                if self._take("pixels", sum(map(pixels_of, data.values())))
            }
            if not self._take_markdown(cell.source):
                cell.cell_type, cell.source = "raw", as_text(cell.source)
        elif cell.cell_type == "code":
            if not self._take("code", len(cell.source)):
                cell.metadata["magics_language"] = "text"  # a tag for each word takes long
            if not isinstance(cell.get("execution_count"), int):
                cell.execution_count = None
            others = []
            for output in cell.outputs:
                if is_card(output, cell):
                    html = str(output.data.get("text/html", ""))
                    output.data["text/html"] = clean_card(html)
                else:
                    _keep_plain(output)
                    self._limit_pictures(output)
                    self._limit_escapes(output)
                    self._limit_markdown(output)
                    others.append(output)
            self.sanitize_code_outputs(others)
        return cell, resources

    def sanitize_html_tags(self, html_str):
        """By the course's rules, in place of nbconvert's."""
        tags = html_str.count("<") + html_str.count("&")  # a reference takes as long as a tag
        if not (self._take("tags", tags) and self._take("unspaced", _unspaced(html_str))):
            return as_text(html_str)
        html = sanitize_html(html_str)
        return html if self._take("pixels", sum(map(pixels_of, SHOWN.findall(html)))) else ""

    def _take(self, what: str, number: int) -> bool:
        """Whether there is room for so many more; if so, it is taken."""
        room = self._left[what] >= number
        self._left[what] -= number if room else 0
        return room

    def _limited_text(self, text: str) -> str:
        """The text without towers, and without what runs from right to left beyond the budget."""
        text = without_towers(text)
        room = text.isascii() or self._take("leftward", len(LEFTWARD.findall(text)))
        return text if room else LEFTWARD.sub("\N{REPLACEMENT CHARACTER}", text)

    def _take_markdown(self, source: str) -> bool:
        return len(source) <= MAX_MARKDOWN and self._take("markdown", len(source))

    def _limit_markdown(self, output: NotebookNode) -> None:
        """Show Markdown that would take long as its text."""
        data = output.get("data", {})
        if "text/markdown" in data and not self._take_markdown(data["text/markdown"]):
            data["text/html"] = as_text(data.pop("text/markdown"))

    def _limit_pictures(self, output: NotebookNode) -> None:
        """Leave out pictures that are too many: a browser draws all that it can see."""
        for kind in output.get("data", {}).keys() & PICTURES.keys():
            if not self._take("pixels", pixels_of(output.data[kind])):
                del output.data[kind]

    def _limit_escapes(self, output: NotebookNode) -> None:
        """Take the colors out of text that changes them very often."""

        def limited(text: str) -> str:
            return text if self._take("escapes", text.count("\x1b")) else ESCAPE.sub("", text)

        if output.output_type == "stream":
            output.text = limited(output.text)
        elif output.output_type == "error":
            output.traceback = [limited(line) for line in output.traceback]
        elif "text/plain" in output.data:
            output.data["text/plain"] = limited(output.data["text/plain"])


def _rewrite(cell: NotebookNode, limited: Callable[[str], str]) -> None:
    """Put in the place of each text of a cell what a function makes of it."""
    cell.source = limited(cell.source)
    for output in cell.get("outputs", []):
        texts = output.get("data", output)
        for kind, value in texts.items():
            if isinstance(value, str):
                texts[kind] = limited(value)
        if output.output_type == "error":
            output.traceback = [*map(limited, output.traceback)]


def pictures_of(cell: NotebookNode) -> dict[str, dict[str, str]]:
    """The pictures among a cell's attachments, by name."""
    attachments = cell.get("attachments")
    found = {}
    for name, data in attachments.items() if isinstance(attachments, dict) else ():
        for kind in PICTURES:
            if isinstance(data, dict) and _is_picture(kind, data.get(kind)):
                found[name] = {kind: data[kind]}
    return found


def _keep_plain(output: NotebookNode) -> None:
    """Leave of an output what templates expect: texts, real pictures, a picture's size and text."""
    if output.output_type in ("stream", "error"):
        return
    for kind, value in list(output.data.items()):
        if not isinstance(value, str) or (kind in PICTURES and not _is_picture(kind, value)):
            del output.data[kind]
    metadata = output.get("metadata") or {}
    kept = {}
    for kind in PICTURES:
        given = metadata.get(kind)
        if isinstance(given, dict):
            numbers = {k: given[k] for k in ("width", "height") if type(given.get(k)) is int}
            text = {"alt": given["alt"]} if isinstance(given.get("alt"), str) else {}
            kept[kind] = numbers | text
    output.metadata = NotebookNode(kept)


def _is_picture(kind: str, data: object) -> bool:
    return isinstance(data, str) and _is_address(f"data:{kind};base64,{data.strip()}")


def _is_address(text: str) -> bool:
    """Whether it is the address of a picture that stands in it, and is no larger than a page."""
    return bool(PICTURE.fullmatch(text)) and is_small(text.partition(",")[2])


def as_text(html: str) -> str:
    """Markup as its own text, cut where it is long."""
    cut = "…" if len(html) > SHOWN_TEXT else ""
    return f"<pre>{escape(html[:SHOWN_TEXT])}{cut}</pre>"


def _of_students(tag: str, name: str, value: str) -> bool:
    if MARK in value:
        return False
    match tag, name:
        case "a", "href":
            return value.lower().startswith(ADDRESSES)
        case "img", "src":
            return _is_address(value)
        case ("img", "alt") | ("abbr" | "a", "title"):
            return True
        case ("img", "width" | "height") | ("ol", "start"):
            return bool(re.fullmatch(r"\d{1,4}", value))
        case "td" | "th", "colspan" | "rowspan":
            return bool(SPAN.fullmatch(value))
        case "th", "scope":
            return value in ("row", "col")
        case "span", "class":  # highlighted code in Markdown
            return value in STANDARD_TYPES.values()
        case "div", "class":
            return value == "highlight"
    return False


def _of_cards(tag: str, name: str, value: str) -> bool:
    match name:
        case "class":
            return set(value.split()) <= CARD_CLASSES
        case "aria-label":
            return True
        case "scope":
            return tag == "th" and value in ("row", "col")
    return False


_STUDENTS = Cleaner(
    tags=TAGS,
    attributes=_of_students,
    protocols={"http", "https", "mailto", "data"},
    strip=True,
)
_CARDS = Cleaner(
    tags={"section", "h4", "p", "strong", "em", "ul", "li", "pre", "details", "summary"}
    | {"div", "table", "caption", "tbody", "tr", "th", "td"},
    attributes=_of_cards,
    protocols=set(),
    strip=True,
)
