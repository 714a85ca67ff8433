"""What others say of a chapter's subject, and all claims that the book tests, on one page.

    :::{elsewhere}
    - What some people take to be so {cite}`key`, in our words. What is so.
    :::

is a chapter's closing box, *What you may read elsewhere*, of which the first lines are shown, those
that a reader is likeliest to meet; in
it, {tested}`order-lost` leads to the claim of this name on the page of all claims. A claim
that is tested on a page but not shown there has its cell tagged `elsewhere`: it runs, and leaves
the page. The page with

    :::{claims-and-corrections}
    :::

shows, chapter by chapter, these boxes' lines and the boxes of all claims, also of those that left
their page.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective, SphinxRole

from headway import chapters
from headway.chapters import CHAPTERS
from headway.figures.core.page import text

TITLE = "What you may read elsewhere"
SHOWN = 3  # lines of a box; the others are on the page of all claims
CLAIM = '<section class="hw-claim"'
NAMED = re.compile(r'data-claim="([^"]+)"')
AWAY = "tag_elsewhere"  # the class of a cell that is tagged `elsewhere`


class elsewhere(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """The closing box of a chapter."""


class all_claims(nodes.General, nodes.Element):  # noqa: N801
    """The place of all of them, until all pages have been read."""


class ElsewhereDirective(SphinxDirective):
    has_content = True

    def run(self):
        box = elsewhere("", chapter=self.env.docname.rsplit("/", 1)[-1])
        self.set_source_info(box)
        self.state.nested_parse(self.content, self.content_offset, box)
        if not (len(box.children) == 1 and isinstance(box[0], nodes.bullet_list)):
            raise self.error("{elsewhere} holds one list: a line for each sentence that one reads.")
        return [box]


class TestedRole(SphinxRole):
    """A link to a claim of this chapter, "tested"."""

    def run(self):
        place = anchor(self.env.docname.rsplit("/", 1)[-1], self.text)
        return [nodes.reference("", "tested", refuri=f"claims.html#{place}", internal=True)], []


def anchor(chapter: str, claim: str) -> str:
    """The id of a claim on the page of all claims."""
    return f"claim-{chapter[:2]}-{claim}"


class ClaimsDirective(SphinxDirective):
    def run(self):
        self.env.note_dependency(chapters.__file__)
        self.env.headway_claims_page = self.env.docname
        return [all_claims()]


def collect(app, doctree):
    """Keep a page's claims for the page of all of them; take away those that are not shown."""
    env = app.env
    if not hasattr(env, "headway_claims"):
        env.headway_claims = {}
    env.headway_claims[env.docname] = [
        raw.astext() for raw in doctree.findall(nodes.raw) if CLAIM in raw.astext()
    ]
    for cell in list(doctree.findall(nodes.container)):
        if AWAY in cell.get("classes", ()):
            cell.parent.remove(cell)


def shorten(app, doctree, docname):
    """Leave the first lines of a box, and say how many there are more."""
    for box in doctree.findall(elsewhere):
        lines = box[0]
        box["more"] = max(0, len(lines) - SHOWN)
        del lines[SHOWN:]


def forget_page(app, env, docname):
    getattr(env, "headway_claims", {}).pop(docname, None)


def write_anew(app, env):
    """The claims of other pages may have changed although their own page has not."""
    page = getattr(env, "headway_claims_page", None)
    return [page] if page in env.found_docs else []


class FillIn(SphinxPostTransform):
    """Put in what the chapters have, before references are resolved."""

    default_priority = 5

    def run(self, **kwargs):
        for place in list(self.document.findall(all_claims)):
            here = [one for one in CHAPTERS if f"book/{one.name}" in self.env.found_docs]
            place.replace_self([self.chapter(one) for one in here])
            # The chapters' lines have formulas, which are put in too late for Sphinx to see them.
            self.env.get_domain("math").data["has_equations"][self.env.docname] = True

    def chapter(self, chapter) -> nodes.section:
        """A chapter's corrections and claims, as a section."""
        page, here = f"book/{chapter.name}", self.env.docname
        title = f"{chapter.number} · {chapter.title}"
        section = nodes.section("", nodes.title(title, title), ids=[f"claims-{chapter.name}"])
        link = addnodes.pending_xref(
            "", nodes.inline("", "Read the chapter"), refdomain="std", reftype="doc",
            refexplicit=True, reftarget=f"/{page}", refdoc=here, refwarn=True,
        )  # fmt: skip
        section += nodes.paragraph("", "", link, nodes.Text("."))
        for box in self.env.get_doctree(page).findall(elsewhere):
            section += nodes.rubric("", TITLE)
            for line in box.children:
                section += adopted(line, here)
        claims = self.env.headway_claims.get(page, [])
        if claims:
            section += nodes.rubric("", "Claims, tested")
        for html in claims:
            name = anchor(chapter.name, NAMED.search(html)[1])
            box = f'<div id="{name}">{with_other_ids(html, name)}</div>'
            section += nodes.raw("", box, format="html")
        return section


def adopted(node: nodes.Node, docname: str) -> nodes.Node:
    """A copy of another page's node as one of this page."""
    copy = node.deepcopy()
    for part in copy.findall(nodes.Element):
        part["ids"] = []
        if isinstance(part, addnodes.pending_xref):
            part["refdoc"] = docname
    return copy


def with_other_ids(html: str, suffix: str) -> str:
    """A claim's box, its ids and what refers to them marked as those of a copy."""
    for name in set(re.findall(r' id="([^"]+)"', html)):
        html = html.replace(f'="{name}"', f'="{name}-{suffix}"')
    return html


def visit(self, node):
    self.body.append(
        f'<aside class="hw-elsewhere" aria-label="{text(TITLE)}">\n'
        f'<p class="hw-label">{TITLE}</p>\n'
    )


def depart(self, node):
    more = f"{node['more']} more, and all" if node["more"] else "All"
    self.body.append(
        f'<p><a href="claims.html#claims-{node["chapter"]}">{more} claims of this chapter with '
        "their tests</a>.</p>\n</aside>\n"
    )


def setup(app):
    app.add_node(elsewhere, html=(visit, depart))
    app.add_node(all_claims)
    app.add_directive("elsewhere", ElsewhereDirective)
    app.add_role("tested", TestedRole())
    app.add_directive("claims-and-corrections", ClaimsDirective)
    app.add_post_transform(FillIn)
    app.connect("doctree-read", collect)
    app.connect("doctree-resolved", shorten)
    app.connect("env-purge-doc", forget_page)
    app.connect("env-updated", write_anew)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
