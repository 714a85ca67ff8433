"""Show a submission in the formgrader as text and pictures, as on a feedback page.

The formgrader's page can change grades and loads its own scripts, so nothing from a submission may
be executed there. nbgrader's template is used, but everything passed to it is escaped, except for
the judge's cards.
"""

import re
from html import escape

from jinja2 import DictLoader, pass_context
from markupsafe import Markup
from nbconvert.exporters import TemplateExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from headway.grading.execution.pictures import PICTURES, drawn_again
from headway.grading.execution.plain import text_in, uncolored
from headway.grading.results.code import colored
from headway.grading.results.feedback import attached, written
from headway.grading.results.graded_notebook import card_of

NAMES = {"student", "first_name", "last_name", "notebook_path"}  # shown on the formgrader's page
GRADE_ID = re.compile(r"[A-Za-z0-9_\-]+")
# nbconvert's macro would load MathJax from a public host.
NO_MATHJAX = DictLoader({"mathjax.html.j2": "{% macro mathjax(url='') %}{% endmacro %}"})


class PlainNotebook(Preprocessor):
    """Removes from a notebook what a page must not show. For `HTMLExporter.preprocessors`."""

    enabled = True

    def __init__(self, **traits):
        super().__init__(**traits)
        if isinstance(self.parent, TemplateExporter):
            self.parent.extra_loaders = [NO_MATHJAX, *self.parent.extra_loaders]

    def preprocess(self, nb, resources):
        nb.metadata = NotebookNode(language_info=NotebookNode(name="python"))
        for key in NAMES & resources.keys():
            resources[key] = escape(str(resources[key] or ""))
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        metadata = cell.metadata.get("nbgrader")
        name = metadata.get("grade_id") if isinstance(metadata, dict) else None
        sound = isinstance(name, str) and GRADE_ID.fullmatch(name)
        cell.metadata = NotebookNode(nbgrader=metadata) if sound else NotebookNode()
        if cell.cell_type == "raw":
            cell.cell_type = "markdown"
        if cell.cell_type == "code":
            if type(cell.get("execution_count")) is not int:
                cell.execution_count = None
            for output in cell.outputs:
                leave_plain(output, cell)
        return cell, resources


def leave_plain(output: NotebookNode, cell: NotebookNode) -> None:
    """Reduce an output to text and pictures; a card stays as it is."""
    if output.output_type == "stream":
        output.text = uncolored(output.text)
    elif output.output_type == "error":
        output.traceback = [uncolored(str(line)) for line in output.traceback]
    elif not card_of(output, cell):
        drawn = {kind: drawn_again(output.data.get(kind), kind) for kind in PICTURES}
        kept = {kind: picture.data for kind, picture in drawn.items() if picture}
        output.data = NotebookNode({"text/plain": uncolored(text_in(output.data)), **kept})
        output.metadata = NotebookNode()


@pass_context
def text_filter(context, source: str) -> Markup:
    """A text cell or a comment, unrendered. Replaces nbconvert's `markdown2html`."""
    pictures = Markup("").join(
        Markup('<img src="{}" alt="A picture of this cell">').format(address)
        for _, address in attached(context.get("cell", {}))
    )
    return Markup("<pre>{}</pre>{}").format(written(source), pictures)


def code_filter(source: str, metadata: object = None) -> Markup:
    """A cell's code as colored HTML. Replaces nbconvert's `highlight_code`."""
    return colored(source)


def as_it_is(html: str) -> str:
    """Replaces nbconvert's `strip_files_prefix`, since there are no file URLs.

    nbconvert's regular expression takes minutes on thousands of unfinished Markdown images.
    """
    return html
