"""Directive `{side-road}`: folds its section where it branches off the page's road.

    ### Other ways to score

    :::{side-road}
    A small network in place of the dot product, what it costs, and what trials found.
    :::

The title and this line stay in view, and say what is behind them; the rest of the section, up to
the next heading of the same level, is a native `<details>`.
"""

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)


class side_road(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """The fold: its sign, and what is behind it."""


class side_road_sign(nodes.General, nodes.Element):  # noqa: N801
    """The line that says what is behind it."""


class SideRoadDirective(SphinxDirective):
    has_content = True

    def run(self):
        if not self.content:
            raise self.error("{side-road} needs a line that says what is behind it.")
        sign = side_road_sign()
        self.set_source_info(sign)
        inline, messages = self.state.inline_text(" ".join(self.content), self.lineno)
        sign += nodes.inline("", "", *inline)
        return [sign, *messages]


def fold_sections(app, doctree):
    """Fold each section that begins with a sign."""
    for sign in list(doctree.findall(side_road_sign)):
        section = sign.parent
        if not isinstance(section, nodes.section) or section.index(sign) != 1:
            LOGGER.warning("{side-road} must come right after a section's title", location=sign)
            continue
        behind = section.children[1:]
        section.children = section.children[:1]
        section.append(side_road("", *behind))


def visit(self, node):
    self.body.append('<details class="hw-side-road">\n')


def depart(self, node):
    self.body.append("</details>\n")


def visit_sign(self, node):
    self.body.append('<summary><span class="hw-label">Side road</span> ')


def depart_sign(self, node):
    self.body.append("</summary>\n")


def setup(app):
    app.add_node(side_road, html=(visit, depart))
    app.add_node(side_road_sign, html=(visit_sign, depart_sign))
    app.add_directive("side-road", SideRoadDirective)
    app.connect("doctree-read", fold_sections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
