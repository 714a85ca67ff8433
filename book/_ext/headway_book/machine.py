"""Directive `{machine}`: the drawing of the machine; and its small form at the head of chapters.

    :::{machine}
    :::

is the map, in which each part leads to its chapter. With a part's name,

    :::{machine} attention
    What to look for in the drawing, in plain words.
    :::

it shows the steps inside this part, one of `headway.figures.machine.zooms.ZOOMS`; several
sentences may stand on several lines. Every chapter gets a strip below its title
with the parts lit that its row in `headway.chapters` names; the page needs no line for it.
"""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from headway import chapters
from headway.chapters import CHAPTERS, PLANNED, Chapter, explaining
from headway.figures import machine
from headway.figures.machine.map import Place, machine_map
from headway.figures.machine.parts import PARTS
from headway.figures.machine.strip import strip
from headway.figures.machine.zoom import zoom

TITLE = "The machine, from a text to the next word"
CAPTION = "Each part leads to the chapter whose number it bears."
DASHED = (
    "Dashed parts belong to chapters that are still to come; where one of them is a link, a later "
    "chapter explains what it needs of it."
)
MAP = "index.html#the-machine"


def place(part: str) -> Place:
    """Where a part is explained: in the first chapter that names it, meanwhile in a later one."""
    found = explaining(part)
    pages = [chapter.name for chapter in found if isinstance(chapter, Chapter)]
    return Place(
        chapter=found[0].number,
        title=found[0].title,
        written=isinstance(found[0], Chapter),
        href=f"{pages[0]}.html" if pages else "",
    )


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
            caption = f"{CAPTION} {DASHED}" if PLANNED else CAPTION
            html = machine_map({part: place(part) for part in PARTS}, TITLE, caption)
        else:
            try:
                html = zoom(self.arguments[0], " ".join(self.content))
            except (LookupError, ValueError) as error:
                raise self.error(f"{{machine}}: {error}") from error
        return [nodes.raw("", html, format="html")]


def put_strip(app, doctree):
    """Put the strip below a chapter's title."""
    name = app.env.docname.rsplit("/", 1)[-1]
    chapter = next((chapter for chapter in CHAPTERS if chapter.name == name), None)
    if chapter:
        note_sources(app.env)
        title = next(doctree.findall(nodes.title))
        html = strip(chapter.parts, MAP)
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", html, format="html"))


def setup(app):
    app.add_directive("machine", MachineDirective)
    app.connect("doctree-read", put_strip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
