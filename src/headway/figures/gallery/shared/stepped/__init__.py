"""Figure: a large drawing that can be played step by step.

The drawing is SVG made in Python (`gallery/shared/drawn.py`), whole on paper and without scripts.
What belongs to a step is in a group of that number; the script shows the groups one after the
other, and at the buttons the sentence that says what happens.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from headway.figures.core.interactive import Interactive, as_json
from headway.figures.core.page import new_id, require_sentence, table, text


@dataclass(frozen=True)
class Stepped(Interactive):
    """A drawing with its steps. Made by `stepped`.

    Attributes:
        drawing: the whole drawing as SVG.
        upright: its form for narrow pages, if it has one.
    """

    drawing: str = ""
    upright: str = ""

    def frame(self, stage: str = "", data: str = "") -> str:
        """The drawing between its title and its caption, with the sentences of all steps below."""
        name = new_id("figure")
        steps = "".join(f"<li>{text(step)}</li>" for step in self.data["steps"])
        return (
            f'<figure class="hw-figure hw-stepped" data-headway-figure="{self.script}" '
            f'role="group" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n'
            f'<div class="hw-drawing hw-scroll" tabindex="0" role="region" '
            f'aria-label="{text(self.title)}">{self.drawing}{self.upright}</div>\n'
            f'<div class="hw-player"><ol class="hw-steps">{steps}</ol>\n'
            f'<div class="hw-stage">{stage}</div></div>\n'
            f"<figcaption>{text(self.caption)}</figcaption>\n"
            '<details class="hw-numbers"><summary>The numbers as a table</summary>\n'
            '<div class="hw-scroll" tabindex="0" role="region" aria-label="Table of the numbers">'
            f"{table(self.header, self.rows, self.title)}</div></details>\n{data}</figure>"
        )

    def html(self) -> str:
        """The figure for a page of the book."""
        return self.frame(data=f'<script type="application/json">{as_json(self.data)}</script>\n')


def stepped(
    drawing: str,
    steps: Sequence[str],
    title: str,
    caption: str,
    alt: str,
    header: list[str],
    rows: list[list[object]],
    upright: str = "",
) -> Stepped:
    """A large drawing, whole at first, with buttons that play it.

    Args:
        drawing: SVG, whose groups have `data-step` from 1 to the number of steps.
        steps: what happens at each, in a sentence.
        title, caption, alt, header, rows: as for `Interactive`.
        upright: the same steps as an SVG for narrow pages (`Canvas.svg(upright=True)`).

    Raises:
        ValueError: if a step has no sentence, or nothing in one of the drawings belongs to it.
    """
    steps = [require_sentence("a step", step) for step in steps]
    for form, name in ((drawing, "drawing"), (upright, "upright drawing")):
        absent = [i for i, _ in enumerate(steps, 1) if f'data-step="{i}"' not in form]
        if form and absent:
            raise ValueError(f"nothing in the {name} belongs to step {absent[0]} of {len(steps)}")
    return Stepped(
        script="stepped",
        data={"steps": steps},
        title=title,
        caption=caption,
        alt=alt,
        header=header,
        rows=rows,
        draw=lambda ax: None,
        drawing=drawing,
        upright=upright,
    )
