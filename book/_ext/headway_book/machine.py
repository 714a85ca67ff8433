"""Directive `{machine}`: the drawing of the machine; and the strip at the head of chapters.

    :::{machine}
    :::

is the map, in which each part leads to its chapter. With a part's name,

    :::{machine} attention
    What to look for in the drawing, in plain words.
    :::

it shows the steps inside this part, one of `headway.figures.machine.zooms.ZOOMS`; several
sentences may stand on several lines.

Every chapter gets a strip, the way through the machine in one line, with the parts lit that its row
in `headway.chapters` names, behind its opening, before its first section; the page needs no line
for it. The first of these parts whose steps the page shows can be unfolded there, with its caption,
and isn't shown where the directive stands.
"""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from headway import chapters
from headway.chapters import CHAPTERS, explaining
from headway.figures import machine
from headway.figures.machine.here import machine_here
from headway.figures.machine.map import Place, machine_map
from headway.figures.machine.parts import PARTS
from headway.figures.machine.zoom import zoom

TITLE = "The machine, from a text to the next word"
CAPTION = "Each part leads to the chapter whose number it bears."


class opened_part(nodes.raw):  # noqa: N801 - docutils names nodes in lower case
    """The steps inside a part, and their caption."""


def place(part: str) -> Place:
    """Where a part is explained: in the first chapter that names it."""
    chapter = explaining(part)[0]
    return Place(chapter.number, chapter.title, f"{chapter.name}.html")


def note_sources(env) -> None:
    """A page is read again when what is drawn on it has changed."""
    drawn = Path(machine.__file__).parent.glob("*.py")
    for source in (chapters.__file__, __file__, *map(str, sorted(drawn))):
        env.note_dependency(source)


class MachineDirective(SphinxDirective):
    optional_arguments = 1
    has_content = True

    def run(self):
        note_sources(self.env)
        if not self.arguments:
            html = machine_map({part: place(part) for part in PARTS}, TITLE, CAPTION)
            return [nodes.raw("", html, format="html")]
        part, caption = self.arguments[0], " ".join(self.content)
        try:
            html = zoom(part, caption)
        except (LookupError, ValueError) as error:
            raise self.error(f"{{machine}}: {error}") from error
        return [opened_part("", html, format="html", part=part, caption=caption)]


def put_strip(app, doctree):
    """Put the strip before a chapter's first section, with the chapter's part to unfold."""
    name = app.env.docname.rsplit("/", 1)[-1]
    chapter = next((chapter for chapter in CHAPTERS if chapter.name == name), None)
    if not chapter:
        return
    note_sources(app.env)
    shown = [node for node in doctree.findall(opened_part) if node["part"] in chapter.parts]
    opened = None
    if shown:
        opened = shown[0]["part"], shown[0]["caption"]
        shown[0].parent.remove(shown[0])
    html = machine_here(chapter.parts, {part: place(part) for part in PARTS}, opened)
    page = next(doctree.findall(nodes.section))
    sections = [i for i, child in enumerate(page) if isinstance(child, nodes.section)]
    at = sections[0] if sections else len(page)
    page.insert(at, nodes.raw("", html, format="html"))


def setup(app):
    app.add_directive("machine", MachineDirective)
    app.connect("doctree-read", put_strip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
