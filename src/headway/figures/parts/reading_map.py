"""The reading map: which topics branch off from which chapters of a course, drawn as a road.

    reading_map(
        {8: Stop("Scaled dot-product attention", "08-attention"), …},
        [Topic("Inference and serving", "inference-and-serving", after=15, uses=(8, 14)), …],
        title="…",
        caption="…",
    )

Chapters stand below each other on the left, topics on the right. A strong line leads to a topic
from the chapter after which it can be read, thin ones from the others that it uses. On a narrow
page the chapters are numbers only. Every box is a link where the map stands in the book.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headway.figures.core.page import in_book, new_id, require_sentence, text, with_style
from headway.figures.core.styles import part_style
from headway.figures.machine.layout import Box
from headway.figures.machine.svg import rectangle, size

ROW, HEIGHT = 34, 26  # from one chapter to the next, and of a box
# How wide chapters are, where topics begin, and how wide these are, in about pixels.
WIDE, NARROW = (280, 470, 250), (30, 122, 222)


@dataclass(frozen=True)
class Stop:
    """A chapter: its title, and the name of its page."""

    title: str
    page: str


@dataclass(frozen=True)
class Topic:
    """What one can read about.

    Attributes:
        name: as printed.
        anchor: where on the page it is.
        after: the chapter after which one can read it.
        uses: earlier chapters that it uses most.
    """

    name: str
    anchor: str
    after: int
    uses: tuple[int, ...] = ()


@dataclass(frozen=True)
class ReadingMap:
    """Chapters, topics and what joins them; shows itself as a drawing. Made by `reading_map`."""

    stops: Mapping[int, Stop]
    topics: tuple[Topic, ...]
    title: str
    caption: str

    def html(self) -> str:
        """Both drawings, of which the page shows the one that fits, and the map in words."""
        name = new_id("reading-map")
        drawings = self._drawing("wide", *WIDE, name) + self._drawing("narrow", *NARROW, name)
        words = "".join(f"<li>{self._in_words(topic)}</li>" for topic in self.topics)
        return (
            f'<figure class="hw-figure hw-road" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n'
            f'<div class="hw-road-drawings">{drawings}</div>\n'
            f"<figcaption>{text(self.caption)}</figcaption>\n"
            f"<details><summary>The map in words</summary>\n<ul>{words}</ul></details>\n</figure>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        lines = [
            f"{topic.name}: after chapter {topic.after}" + _listed(topic.uses)
            for topic in self.topics
        ]
        return {
            "text/html": with_style(self.html(), part_style("reading_map")),
            "text/plain": "\n".join([self.title, *lines]),
        }

    def _drawing(self, kind: str, chapters: int, start: int, width: int, name: str) -> str:
        rows = {number: i * ROW for i, number in enumerate(self.stops)}
        height = (len(rows) - 1) * ROW + HEIGHT
        step = (height - HEIGHT) / max(len(self.topics) - 1, 1)
        lines, boxes = [], []
        for i, topic in enumerate(self.topics):
            y = i * step
            boxes.append(
                _box(start, y, width, topic.name, "hw-topic", f"#{topic.anchor}", self._said(topic))
            )
            for chapter in (*topic.uses, topic.after):
                strong = chapter == topic.after
                lines.append(_line(chapters, rows[chapter], start, y, strong))
        for number, stop in self.stops.items():
            label = f"{number} · {stop.title}" if kind == "wide" else str(number)
            said = f"chapter {number}, {stop.title}"
            boxes.append(
                _box(0, rows[number], chapters, label, "hw-stop", f"{stop.page}.html", said)
            )
        lines.sort(key=lambda line: "hw-after" in line)  # the strong ones above the others
        return (
            f'<svg class="hw-road-{kind}" viewBox="-2 -2 {start + width + 4} {size(height + 4)}" '
            f'role="group" aria-labelledby="{name}">{"".join(lines)}{"".join(boxes)}</svg>'
        )

    def _said(self, topic: Topic) -> str:
        return f"{topic.name}: after chapter {topic.after}{_listed(topic.uses)}"

    def _in_words(self, topic: Topic) -> str:
        stop = self.stops[topic.after]
        name, chapter = text(topic.name), text(f"chapter {topic.after}, {stop.title}")
        if in_book():
            name = f'<a href="#{text(topic.anchor)}">{name}</a>'
            chapter = f'<a href="{text(stop.page)}.html">{chapter}</a>'
        return f"<strong>{name}</strong>: after {chapter}{_listed(topic.uses)}."


def _listed(uses: tuple[int, ...]) -> str:
    if not uses:
        return ""
    *first, last = map(str, uses)
    return f"; it also uses {' and '.join(filter(None, [', '.join(first), last]))}"


def _box(x: float, y: float, width: float, label: str, kind: str, href: str, said: str) -> str:
    """A box with its label, as a link in the book."""
    outline = rectangle(Box("", label, x, y, width, HEIGHT))
    middle = f'x="{size(x + width / 2)}" y="{size(y + HEIGHT / 2)}"'
    inside = f"<title>{text(said)}</title>{outline}<text {middle}>{text(label)}</text>"
    if in_book():
        return f'<a class="{kind}" href="{text(href)}">{inside}</a>'
    return f'<g class="{kind}">{inside}</g>'


def _line(x0: float, y0: float, x1: float, y1: float, strong: bool) -> str:
    """From the middle of a chapter's right side to that of a topic's left one."""
    y0, y1, bend = y0 + HEIGHT / 2, y1 + HEIGHT / 2, (x1 - x0) / 2
    path = f"M{size(x0)} {size(y0)}C{size(x0 + bend)} {size(y0)} {size(x1 - bend)} {size(y1)}"
    kind = "hw-after" if strong else "hw-uses"
    return f'<path class="{kind}" d="{path} {size(x1)} {size(y1)}"/>'


def reading_map(
    stops: Mapping[int, Stop], topics: Sequence[Topic], title: str, caption: str
) -> ReadingMap:
    """Draw a reading map.

    Args:
        stops: the chapters by their numbers, in order.
        topics: in the order of the chapters after which they come.
        title, caption: as printed.

    Raises:
        ValueError: if there is no topic, topics are out of order, or one names no chapter that
            there is, or uses one that comes after it.
    """
    after = [topic.after for topic in topics]
    if not topics or after != sorted(after):
        raise ValueError(f"topics come in the order of their chapters, got {after}")
    for topic in topics:
        require_sentence("name", topic.name)
        odd = [n for n in (topic.after, *topic.uses) if n not in stops or n > topic.after]
        if odd:
            raise ValueError(
                f"{topic.name!r} names chapter {odd[0]}; the map has {', '.join(map(str, stops))}, "
                f"and the topic comes after {topic.after}"
            )
    return ReadingMap(
        stops, tuple(topics), require_sentence("title", title), require_sentence("caption", caption)
    )
