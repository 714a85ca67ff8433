"""Directive `{figure-from}`: a figure that another page computes, shown on this one, too.

    :::{figure-from} 13-translator live_translator
    :::

It is the first figure of that name on the page. What is attached to it is the same file for both;
its ids are others than those of figures that this page computes.

    :::{figure-from} 08-attention stepped
    :drawing:
    :::

shows of a figure that is played in steps the drawing alone, whole, under a link to its page.
"""

import re
from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)


class figure_from(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """The place of a figure, until all pages have been read."""


class FigureFromDirective(SphinxDirective):
    required_arguments = 2
    option_spec: ClassVar = {"drawing": directives.flag}

    def run(self):
        page, name = self.arguments
        folder, _, _ = self.env.docname.rpartition("/")
        alone = "drawing" in self.options
        place = figure_from(page=f"{folder}/{page}".lstrip("/"), name=name, drawing=alone)
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
        if place["drawing"]:
            link = app.builder.get_relative_uri(docname, page)
            shown = [drawing_alone(html, link, place) for html in shown]
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


def drawing_alone(html: str, link: str, place) -> str:
    """The drawing of a figure and its title, which leads to the page where it can be played."""
    title = re.search(r'<p class="hw-title"[^>]*>(.*?)</p>', html, re.S)
    drawing = re.search(r'<div class="hw-drawing hw-scroll".*?</svg></div>', html, re.S)
    if not title or not drawing:
        LOGGER.warning("figure-from: %s has no drawing", place["name"], location=place)
        return ""
    return (
        f'<figure class="hw-figure hw-alone">\n{drawing[0]}\n'
        f'<figcaption><a href="{escape(link)}">{title[1]}</a></figcaption>\n</figure>'
    )


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
