"""Feedback pages that need nothing from another host: formulas without scripts, tasks by name.

nbgrader's page loads MathJax from a public server, so that whoever reads it is seen there, and
formulas stay raw without a network. Here formulas become MathML, which browsers draw themselves.
A student's text and outputs are in the page as they are, so what could run or load something is
taken out, and a policy forbids it to what was overlooked. The list at the top names the tasks and
counts the bonus.
"""

from html import escape

from bs4 import BeautifulSoup
from latex2mathml.converter import convert
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from headway.grading.verdicts import checked_task, result_of

MAX_FORMULA = 2_000
ACTIVE = ["script", "iframe", "frame", "object", "embed", "link", "base", "form", "meta"]
POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
SAFE_ADDRESSES = ("#", "https://", "http://", "mailto:")


class MathMLRenderer(IPythonRenderer):
    """Markdown to HTML, with formulas as MathML."""

    def inline_math(self, body: str) -> str:
        return formula(body, "inline", super().inline_math(body))

    def block_math(self, body: str) -> str:
        return formula(body, "block", super().block_math(body))

    def latex_environment(self, name: str, body: str) -> str:
        source = rf"\begin{{{name}}}{body}\end{{{name}}}"
        return formula(source, "block", super().latex_environment(name, body))


def formula(source: str, display: str, instead: str) -> str:
    """A LaTeX formula as MathML; `instead`, its escaped source, where that cannot be made."""
    if len(source) > MAX_FORMULA:
        return instead
    try:
        mathml = convert(source, display=display)
    except Exception:  # whatever a student wrote between dollar signs
        return instead
    return mathml.replace("<math ", f'<math alttext="{escape(source)}" ', 1)


class FeedbackExporter(HTMLExporter):
    """nbgrader's feedback page, self-contained. For `GenerateFeedback.exporter_class`."""

    def default_filters(self):
        yield from super().default_filters()
        yield ("markdown2html", markdown_to_html)

    def from_notebook_node(self, nb, resources=None, **kw):
        html, resources = super().from_notebook_node(nb, resources, **kw)
        page = BeautifulSoup(html, "html.parser")
        disarm(page)
        results = {}
        for cell in nb.cells:
            if task := checked_task(cell):
                name = cell.metadata.get("nbgrader", {}).get("grade_id")
                results[f"#{name}"] = task, result_of(cell, task)
        for link in page.select("#toc a"):
            if link.get("href") in results:
                task, result = results[link["href"]]
                link.string = task.title
                if task.bonus:
                    link.next_sibling.replace_with(f" (Bonus: {result.score:g} / {task.points:g})")
        return str(page), resources


def disarm(page: BeautifulSoup) -> None:
    """Take out of a page what could run, load or lead somewhere by itself."""
    for tag in page.find_all(ACTIVE):
        tag.decompose()
    for tag in page.find_all():
        for name in [name for name in tag.attrs if name.lower().startswith("on")]:
            del tag[name]
        if "href" in tag.attrs and not str(tag["href"]).lower().startswith(SAFE_ADDRESSES):
            del tag["href"]
        if "src" in tag.attrs and not str(tag["src"]).startswith("data:image/"):
            del tag["src"]
    page.html["lang"] = "en"
    page.head.insert(
        0,
        page.new_tag("meta", charset="utf-8"),
        page.new_tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": POLICY}),
    )


def markdown_to_html(source: str) -> str:
    """Markdown of a cell or a comment as HTML."""
    renderer = MathMLRenderer(escape=False, exclude_anchor_links=True)
    return MarkdownWithMath(renderer=renderer).render(source)
