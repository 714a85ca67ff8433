"""Directive `{api-reference} 1 10`: the API reference, from the table of chapters.

One section for each chapter from the first number to the last, with the docstrings of the modules
that the table names for it.
"""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from headway import chapters
from headway.chapters import CHAPTERS, Chapter


def section_lines(chapter: Chapter) -> list[str]:
    """A chapter's part of the reference in MyST Markdown."""
    lines = [
        f"## {chapter.title}",
        "",
        f"Read beside [chapter {chapter.number}]({chapter.name}.md).",
    ]
    for module in chapter.modules:
        lines += [
            "",
            f"### `{module}`",
            "",
            "```{eval-rst}",
            f".. automodule:: {module}",
            "   :members:",
            "```",
        ]
    return [*lines, ""]


class ApiReferenceDirective(SphinxDirective):
    required_arguments = 2

    def run(self):
        self.env.note_dependency(chapters.__file__)
        first, last = map(int, self.arguments)
        shown = [chapter for chapter in CHAPTERS if first <= chapter.number <= last]
        lines = [line for chapter in shown for line in section_lines(chapter)]
        parent = nodes.Element()
        self.state.nested_parse(StringList(lines), self.content_offset, parent, match_titles=True)
        return parent.children


def setup(app):
    app.add_directive("api-reference", ApiReferenceDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
