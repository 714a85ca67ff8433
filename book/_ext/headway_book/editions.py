"""Directive `{editions}`: the place of the links to the PDF and the EPUB, where they are made.

`headway book --pdf --epub` makes them from the built site; without them the place is empty.
"""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from headway.editions.offer import offer


class EditionsDirective(SphinxDirective):
    def run(self):
        return [nodes.raw("", '<div class="hw-editions"></div>', format="html")]


def offer_editions(app, exception):
    if exception is None and app.builder.format == "html":
        offer(Path(app.outdir))


def setup(app):
    app.add_directive("editions", EditionsDirective)
    app.connect("build-finished", offer_editions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
