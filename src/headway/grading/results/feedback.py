"""Feedback pages that need nothing from another host and do nothing by themselves.

nbgrader's page loads MathJax from a public server, so that whoever reads it is seen there, and
formulas stay raw without a network. Here formulas become MathML, which browsers draw themselves.
What a student wrote is cleaned (see `headway.grading.results.sanitize`), stays within its box, and
a policy forbids scripts, loading, and every style but the page's own. The list at the top names the
tasks, counts the bonus, and says what was put right and what the student's process decided.
"""

import base64
import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from hashlib import sha256

from bs4 import BeautifulSoup, Tag
from jinja2 import BytecodeCache
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.highlight import Highlight2HTML
from nbformat import NotebookNode
from traitlets import Bool

from headway.grading.notebooks.verdicts import checked_task, result_of
from headway.grading.results.markdown_process import markdown_filter
from headway.grading.results.sanitize import ADDRESSES, SanitizeNotebook
from headway.tasks.engine.card import STYLE as CARD_STYLE
from headway.tasks.engine.task import Task

REMEMBERED_LENGTH = 20_000
ACTIVE = ["script", "iframe", "frame", "object", "embed", "link", "base", "form", "meta"]
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src {styles}; "
    "style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)
# Nothing that stands in one of the boxes is drawn outside of it.
PAGE_STYLE = """
div.output_area, div.text_cell_render, div.input_area, div.panel-footer > div {
  contain: content; overflow-x: auto;
}
div.output_area img, div.text_cell_render img { max-width: 100%; height: auto; }
div.nbgrader_cell .panel-heading { display: flow-root; height: auto; }
div.nbgrader_cell .panel-heading a { color: inherit; text-decoration: underline; }
#hw-notes { margin: 0.6em 0 0; }
"""
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")
PROCESS = "decided in the student's process"
PROCESS_MEANS = (
    "“Decided in the student's process” marks cells whose own tests ran beside the student's "
    "code. The others were decided apart from it."
)


def highlight_filter(source: str, metadata: Mapping | None = None) -> str:
    """Code of a cell as colored HTML. In the place of nbconvert's `highlight_code`."""
    language = (metadata or {}).get("magics_language", "ipython3")
    kept = len(source) <= REMEMBERED_LENGTH
    return (_remembered_code if kept else _colored)(source, language)


_colored = Highlight2HTML(pygments_lexer="ipython3")
_remembered_code = lru_cache(maxsize=256)(_colored)


class _Compiled(BytecodeCache):
    """Templates of this process once compiled: a quarter of a page's time."""

    def __init__(self):
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket):
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket):
        self._code[bucket.key] = bucket.bytecode_to_string()


_compiled = _Compiled()


class FeedbackExporter(HTMLExporter):
    """nbgrader's feedback page, self-contained. For `GenerateFeedback.exporter_class`."""

    optimistic_validation = Bool(True)  # once, after the last change

    def _create_environment(self):
        environment = super()._create_environment()
        environment.bytecode_cache = _compiled
        return environment

    def default_filters(self):
        yield from super().default_filters()
        yield ("markdown2html", markdown_filter)
        yield ("highlight_code", highlight_filter)
        # A slow search for addresses of files; cleaning leaves none.
        yield ("strip_files_prefix", lambda html: html)

    def from_notebook_node(self, nb, resources=None, **kw):
        clean, _ = SanitizeNotebook().preprocess(deepcopy(nb), resources)
        # Past nbconvert's own step, which reads the whole page once more to set what `disarm` sets.
        resources = self._init_resources(resources)
        html, resources = super(HTMLExporter, self).from_notebook_node(clean, resources, **kw)
        page = BeautifulSoup(html, "html.parser")
        name_tasks(page, nb)
        add_notes(page, nb)
        disarm(page)
        return str(page), resources


def name_tasks(page: BeautifulSoup, nb: NotebookNode) -> None:
    """Give the list at the top the tasks' titles, the bonus, and who decided."""
    earned, own = {}, set()
    for cell in nb.cells:
        marks = cell.metadata.get("nbgrader")
        marks = marks if isinstance(marks, dict) else {}
        address = f"#{marks.get('grade_id')}"
        # What a student added is never a check, and may take long to parse.
        if marks.get("grade") and (task := checked_task(cell)):
            earned[address] = task, bonus_of(nb, cell, task) if task.bonus else 0
        elif cell.cell_type == "code" and marks.get("grade") and not marks.get("solution"):
            own.add(address)
    toc = page.find(id="toc")
    for link in toc.find_all("a") if toc else ():
        address = link.get("href")
        if address in earned:
            task, bonus = earned[address]
            link.string = task.title
            if task.bonus:
                link.next_sibling.replace_with(f" (Bonus: {bonus:g} / {task.points:g})")
        elif address in own:
            link.string = f"Test cell {address[1:]}"
            link.next_sibling.replace_with(f"{str(link.next_sibling).rstrip()}, {PROCESS}")
    for label in page.find_all("span", "nbgrader-label"):
        if label.code and f"#{label.code.get_text()}" in own:
            label.append(f", {PROCESS}")
    if own and toc:
        toc.append(_new(page, "p", PROCESS_MEANS))


def bonus_of(nb: NotebookNode, cell: NotebookNode, task: Task) -> float:
    """What a bonus task earned: by the grading's own record, without one by the cell's output."""
    record = _record(nb, "tasks", dict).get(task.id)
    score = record.get("score") if isinstance(record, dict) else None
    return score if type(score) in (int, float) else result_of(cell, task).score


def add_notes(page: BeautifulSoup, nb: NotebookNode) -> None:
    """List below the tasks what was put right in the notebook before it was graded."""
    notes = [note for note in _record(nb, "notes", list) if isinstance(note, str)]
    if not notes or not (toc := page.find(id="toc")):
        return
    listed = _new(page, "ul", "")
    for note in notes:
        listed.append(_new(page, "li", note))
    box = page.new_tag("div", id="hw-notes")
    box.append(_new(page, "strong", "Before it was graded:"))
    box.append(listed)
    toc.append(box)


def _record(nb: NotebookNode, key: str, kind: type):
    """A part of what the grading wrote into the notebook; an empty one if there is none."""
    record = nb.metadata.get("headway")
    part = record.get(key) if isinstance(record, dict) else None
    return part if isinstance(part, kind) else kind()


def _new(page: BeautifulSoup, name: str, text: str) -> Tag:
    tag = page.new_tag(name)
    tag.string = text
    return tag


def disarm(page: BeautifulSoup) -> None:
    """Take out of a page what could run, load or lead somewhere by itself, and forbid it."""
    for tag in page.find_all(ACTIVE):
        tag.decompose()
    for picture in page.find_all("img", alt=None):
        picture["alt"] = "No description has been provided for this image"
    for tag in page.find_all():
        for name in [name for name in tag.attrs if name.lower().startswith("on")]:
            del tag[name]
        if "href" in tag.attrs:
            if not str(tag["href"]).lower().startswith(ADDRESSES):
                del tag["href"]
            elif not tag["href"].startswith("#"):
                tag["rel"] = "noopener noreferrer"
        if "src" in tag.attrs and not str(tag["src"]).startswith("data:image/"):
            del tag["src"]
    page.html["lang"] = "en"
    style = page.new_tag("style")
    style.string = PAGE_STYLE
    page.head.append(style)
    for tag in page.find_all("style"):
        if page.head not in tag.parents and f"<style>{tag.string}</style>" != CARD_STYLE:
            tag.decompose()
        elif tag.string and "@font-face" in tag.string:
            tag.string = FONT_FACE.sub("", tag.string)  # files that do not come with the page
    texts = {tag.string or "" for tag in page.find_all("style")}
    policy = POLICY.format(styles=" ".join(sorted(map(_hash, texts))))
    page.head.insert(
        0,
        page.new_tag("meta", charset="utf-8"),
        page.new_tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": policy}),
    )


def _hash(style: str) -> str:
    """A style as a policy names it: nothing that reads otherwise is applied."""
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    return f"'sha256-{digest}'"
