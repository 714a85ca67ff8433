"""A drawing that scrolling plays: it stays where it is while the sentences about it go by.

What is drawn is a `Stepped`; here it has fewer sentences, each of which brings one step or several.
Without scripts, on paper and for readers who asked for less motion, the drawing is whole and the
sentences are a list below it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from headway.figures.core.interactive import as_json
from headway.figures.core.page import in_book, require_sentence, text
from headway.figures.gallery.shared.stepped import Stepped

LINKS = '<p class="hw-scene-links"></p>'  # the book's extension `pictures` fills them in


@dataclass(frozen=True)
class Scene:
    """One picture of a story. Made by `scene`.

    Attributes:
        page: the name of the chapter's page, "08-attention".
        drawing: what is played.
        cards: the last step that each sentence brings, and the sentence, in their order.
        script: what plays it.
    """

    page: str
    drawing: Stepped
    cards: tuple[tuple[int, str], ...]
    script: str

    def html(self) -> str:
        """The picture and its sentences, for a page of the book."""
        cards = "".join(f"<li><p>{text(said)}</p></li>\n" for _, said in self.cards)
        page, title = text(self.page), text(self.drawing.title)
        return (
            f'<div class="hw-scene" data-headway-figure="{self.script}" data-page="{page}" '
            f'data-title="{title}" role="group" aria-label="{title}">\n'
            f'<div class="hw-scene-played"><div class="hw-scene-picture"><div class="hw-drawing">'
            f"{self.drawing.drawing}{self.drawing.upright}</div></div>\n"
            f'<ol class="hw-scene-cards">\n{cards}</ol></div>\n{LINKS}\n'
            f'<div class="hw-stage" hidden></div><script type="application/json">'
            f"{as_json({'until': [step for step, _ in self.cards]})}</script>\n</div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        if in_book():
            return {"text/plain": self.drawing.title, "text/html": self.html()}
        return self.drawing._repr_mimebundle_(include, exclude)


def scene(page: str, drawing: Stepped, cards: Mapping[int, str]) -> Scene:
    """A drawing that scrolling plays, with a sentence for each part of the way.

    Args:
        page: the name of the chapter's page, "08-attention".
        drawing: what is played.
        cards: the last step that a sentence brings → the sentence, from the first to the last.

    Raises:
        ValueError: if the steps of the cards do not rise, or do not end with the drawing's last.
    """
    steps, last = list(cards), len(drawing.data["steps"])
    if not steps or steps != sorted(set(steps)) or steps[0] < 1 or steps[-1] != last:
        raise ValueError(f"cards rise from step 1 on and end with step {last}, got {steps}")
    said = tuple((step, require_sentence("a card", card)) for step, card in cards.items())
    return Scene(page, drawing, said, script="scene")
