"""Feedback pages that need nothing from another host and do nothing by themselves.

nbgrader's page loads MathJax from a public server, so that whoever reads it is seen there, and
formulas stay raw without a network. Here formulas become MathML, which browsers draw themselves.
What a student wrote is cleaned (see `headway.grading.results.sanitize`), stays within its box, and
a policy forbids scripts, loading, and every style but the page's own. The list at the top names the
tasks, counts the bonus, and says what was put right and what the student's process decided.
"""

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from secrets import token_hex

from bs4 import BeautifulSoup, Tag
from jinja2 import BytecodeCache, pass_context
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from traitlets import Bool

from headway.grading.notebooks.nodes import OwnNotebook
from headway.grading.notebooks.points import on_top
from headway.grading.notebooks.verdicts import checked_task, result_of
from headway.grading.results.disarm import disarm, disarmed
from headway.grading.results.graded_notebook import record_of, renamed_page
from headway.grading.results.highlight import highlight_filter
from headway.grading.results.markdown_process import as_it_is, markdown_filter
from headway.grading.results.sanitize import SanitizeNotebook
from headway.tasks.engine.task import Task

PROCESS = "decided in the student's process"
PROCESS_MEANS = (
    "“Decided in the student's process” marks cells whose own tests ran beside the student's "
    "code. The others were decided apart from it."
)


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
    markdown = staticmethod(markdown_filter)

    def _create_environment(self):
        environment = super()._create_environment()
        environment.bytecode_cache = _compiled
        return environment

    def default_filters(self):
        yield from super().default_filters()
        yield ("markdown2html", self._markdown)
        yield ("highlight_code", self._code)
        yield ("strip_files_prefix", as_it_is)

    @pass_context
    def _markdown(self, context, source: str) -> str:
        return self._parts.hold(disarmed(type(self).markdown(context, source)))

    def _code(self, source: str, metadata: Mapping | None = None) -> str:
        return self._parts.hold(highlight_filter(source, metadata))  # marks of our own, all closed

    def from_notebook_node(self, nb, resources=None, **kw):
        tasks, notes, renamed = named_in(nb), notes_in(nb), renamed_page(nb)
        clean, _ = SanitizeNotebook().preprocess(deepcopy(nb), resources)
        self._parts = HeldParts()
        # Past nbconvert's own step, which reads the whole page once more to set what `disarm` sets.
        resources = self._init_resources(resources)
        html, resources = super(HTMLExporter, self).from_notebook_node(
            OwnNotebook(clean), resources, **kw
        )
        page = BeautifulSoup(html, "html.parser")
        name_tasks(page, tasks)
        add_notes(page, notes)
        disarm(page)
        html = self._parts.put_back(str(page))
        if renamed:
            resources["outputs"] = {renamed: html.encode()}
        return html, resources


class HeldParts:
    """Parts of a page that are ready, kept out of it while the page is read and changed.

    Most of a page is colored code, and to read it takes longer than to make it. Nobody who wrote
    into the page can guess what stands for a part.
    """

    def __init__(self):
        self._name, self._parts = f"part-{token_hex(16)}-", []

    def hold(self, html: str) -> str:
        """Keep a part; what stands in its place."""
        self._parts.append(html)
        return f"{self._name}{len(self._parts) - 1}."

    def put_back(self, page: str) -> str:
        """The page with its parts."""
        return re.sub(rf"{self._name}(\d+)\.", lambda place: self._parts[int(place[1])], page)


@dataclass(frozen=True)
class Named:
    """What the list at the top says of the graded cells, by their addresses in the page.

    Attributes:
        tasks: the tasks that cells check, and what was earned there where that is a bonus.
        own: cells that check no task, whose own tests the student's process ran.
    """

    tasks: dict[str, tuple[Task, float | None]]
    own: set[str]


def named_in(nb: NotebookNode) -> Named:
    """The graded cells of a notebook that is not cleaned yet."""
    found = Named({}, set())
    for cell in nb.cells:
        marks = cell.metadata.get("nbgrader")
        marks = marks if isinstance(marks, dict) else {}
        address = f"#{marks.get('grade_id')}"
        # What a student added is never a check, and may take long to parse.
        if marks.get("grade") and (task := checked_task(cell)):
            bonus = bonus_of(nb, cell, task) if on_top(task, marks.get("points") or 0) else None
            found.tasks[address] = task, bonus
        elif cell.cell_type == "code" and marks.get("grade") and not marks.get("solution"):
            found.own.add(address)
    return found


def name_tasks(page: BeautifulSoup, named: Named) -> None:
    """Give the list at the top the tasks' titles, the bonus, and who decided."""
    toc = page.find(id="toc")
    for link in toc.find_all("a") if toc else ():
        address = link.get("href")
        if address in named.tasks:
            task, bonus = named.tasks[address]
            link.string = task.title
            if bonus is not None:
                link.next_sibling.replace_with(f" (Bonus: {bonus:g} / {task.points:g})")
        elif address in named.own:
            link.string = f"Test cell {address[1:]}"
            link.next_sibling.replace_with(f"{str(link.next_sibling).rstrip()}, {PROCESS}")
    for label in page.find_all("span", "nbgrader-label"):
        if label.code and f"#{label.code.get_text()}" in named.own:
            label.append(f", {PROCESS}")
    if named.own and toc:
        toc.append(_new(page, "p", PROCESS_MEANS))


def bonus_of(nb: NotebookNode, cell: NotebookNode, task: Task) -> float:
    """What a bonus task earned: by the grading's own record, without one by the cell's output."""
    record = record_of(nb, "tasks", dict).get(task.id)
    score = record.get("score") if isinstance(record, dict) else None
    return score if type(score) in (int, float) else result_of(cell, task).score


def notes_in(nb: NotebookNode) -> list[str]:
    """What was put right in a notebook before it was graded."""
    return [note for note in record_of(nb, "notes", list) if isinstance(note, str)]


def add_notes(page: BeautifulSoup, notes: list[str]) -> None:
    """List below the tasks what was put right."""
    if not notes or not (toc := page.find(id="toc")):
        return
    listed = _new(page, "ul", "")
    for note in notes:
        listed.append(_new(page, "li", note))
    box = page.new_tag("div", id="hw-notes")
    box.append(_new(page, "strong", "Before it was graded:"))
    box.append(listed)
    toc.append(box)


def _new(page: BeautifulSoup, name: str, text: str) -> Tag:
    tag = page.new_tag(name)
    tag.string = text
    return tag
