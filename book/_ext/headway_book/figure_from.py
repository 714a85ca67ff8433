"""Directive `{figure-from}`: a figure that another page computes, shown on this one, too.

    :::{figure-from} 13-translator live_translator
    :::

It is the first figure of that name on the page. What is attached to it is the same file for both;
its ids are others than those of figures that this page computes.
"""

import re

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)


class figure_from(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """The place of a figure, until all pages have been read."""


class FigureFromDirective(SphinxDirective):
    required_arguments = 2

    def run(self):
        page, name = self.arguments
        folder, _, _ = self.env.docname.rpartition("/")
        place = figure_from(page=f"{folder}/{page}".lstrip("/"), name=name)
        self.set_source_info(place)
        shown_by(self.env).add(self.env.docname)
        return [place]


def shown_by(env) -> set[str]:
    """The pages that show figures from others."""
    if not hasattr(env, "headway_figure_from"):
        env.headway_figure_from = set()
    return env.headway_figure_from


def fill_in(app, doctree, docname):
    for place in list(doctree.findall(figure_from)):
        page, name = place["page"], place["name"]
        found = figures(app.env.get_doctree(page), name) if page in app.env.found_docs else []
        if not found:
            LOGGER.warning("figure-from: %s shows no figure %s", page, name, location=place)
        shown = [with_other_ids(html, page) for html in found[:1]]
        place.replace_self([nodes.raw("", html, format="html") for html in shown])


def figures(doctree, name: str) -> list[str]:
    """The HTML of the figures of this name, in their order."""
    htmls = [node.astext() for node in doctree.findall(nodes.raw) if node.get("format") == "html"]
    return [html for html in htmls if f'data-headway-figure="{name}"' in html]


def with_other_ids(html: str, page: str) -> str:
    """A page's figure with its ids, and what refers to them, marked as of that page.

    Each page counts its figures from 1.
    """
    suffix = page.rpartition("/")[2]
    for name in set(re.findall(r' id="([^"]+)"', html)):
        html = re.sub(f'="(#?){re.escape(name)}"', rf'="\g<1>{name}-of-{suffix}"', html)
    return html


def write_anew(app, env):
    """The figures of other pages may have changed although these pages have not."""
    return sorted(shown_by(env) & env.found_docs)


def forget_page(app, env, docname):
    shown_by(env).discard(docname)


def setup(app):
    app.add_node(figure_from)
    app.add_directive("figure-from", FigureFromDirective)
    app.connect("doctree-resolved", fill_in)
    app.connect("env-updated", write_anew)
    app.connect("env-purge-doc", forget_page)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
