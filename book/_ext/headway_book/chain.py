"""Directive `{chapters}`: the chapters that are written, in order, with numbers and links."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from headway import chapters
from headway.chapters import CHAPTERS


class ChaptersDirective(SphinxDirective):
    def run(self):
        self.env.note_dependency(chapters.__file__)
        lines = [f"- {c.number} · [{c.title}]({c.name}.md)" for c in CHAPTERS]
        parent = nodes.container(classes=["hw-chapters"])
        self.state.nested_parse(StringList(lines), self.content_offset, parent)
        return [parent]


def setup(app):
    app.add_directive("chapters", ChaptersDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
