"""Interactive figures: one script for the page and the notebook, and a picture for paper.

A figure is a script (see `headway.figures.core.scripts`) and the numbers it shows. On a page of the
book it becomes HTML that needs no kernel; in a live notebook it is an anywidget view. Either way
there are a title, a caption that says what to try, a table of the numbers, and a static picture
for paper, for readers without scripts, and for frontends without widgets.

What is too large for a page, such as the weights of a model, is *attached*: the site keeps it as a
file of its own, named for its content, which the script asks for once it is used.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from headway.figures.core.page import (
    in_book,
    new_id,
    require_sentence,
    table,
    text,
    with_style,
)
from headway.figures.core.picture import take_picture
from headway.figures.core.scripts import es_module
from headway.figures.core.styles import base_style, figure_style

ATTACHED = "application/vnd.headway.attached+json"


def as_json(data: object) -> str:
    """JSON that can stand in a script element, which "<" could end; it is written as an escape."""
    compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return compact.replace("<", "\\u003c")


@dataclass(frozen=True)
class Interactive:
    """A figure that shows itself in a notebook and on a page.

    Args:
        script: name of the figure's script, "row_lookup".
        data: what the script draws; anything that JSON can hold.
        title: what the figure shows, in a sentence.
        caption: what to try.
        alt: what the static picture shows, for those who do not see it.
        header, rows: the numbers as a table.
        draw: draws the static picture on a matplotlib Axes (or a Figure, see `take_picture`).
        width, height: of the static picture, in inches.
        attached: more data, which the script loads by `attachedOf(model)` when it needs them.

    Raises:
        UnknownFigureError: if there is no such script.
        ValueError: if a text is empty, or the data holds what JSON cannot (NaN, arrays …).
    """

    script: str
    data: dict
    title: str
    caption: str
    alt: str
    header: list[str]
    rows: list[list[object]]
    draw: Callable
    width: float = 6.0
    height: float = 3.0
    attached: dict | None = None

    def __post_init__(self):
        es_module(self.script)
        for name in ("title", "caption", "alt"):
            object.__setattr__(self, name, require_sentence(name, getattr(self, name)))
        for name in ("data", "attached"):
            try:
                json.dumps(getattr(self, name), allow_nan=False)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"{name} of figure {self.script!r} must be plain JSON without NaN: {error}"
                ) from error

    def frame(self, stage: str = "", data: str = "") -> str:
        """Everything around the stage: title, picture, caption and the table of numbers."""
        name = new_id("figure")
        image = take_picture(self.draw, self.width, self.height).uri
        return (
            f'<figure class="hw-figure" data-headway-figure="{self.script}" '
            f'role="group" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n'
            f'<div class="hw-stage">{stage}</div>\n'
            f'<img class="hw-static dark-light" src="{image}" alt="{text(self.alt)}" '
            f'width="{self.width * 100:.0f}" height="{self.height * 100:.0f}">\n'
            f"<figcaption>{text(self.caption)}</figcaption>\n"
            '<details class="hw-numbers"><summary>The numbers as a table</summary>\n'
            '<div class="hw-scroll" tabindex="0" role="region" aria-label="Table of the numbers">'
            f"{table(self.header, self.rows, self.title)}</div></details>\n{data}</figure>"
        )

    def html(self) -> str:
        """The figure for a page of the book, where `mount.js` brings it to life."""
        scripts = f'<script type="application/json">{as_json(self.data)}</script>\n'
        if self.attached is not None:
            numbers = as_json(self.attached)
            name = f"{self.script}-{hashlib.sha256(numbers.encode()).hexdigest()[:12]}"
            # The book's extension makes a file of it, and leaves its name on the page.
            scripts += f'<script type="{ATTACHED}" data-name="{name}">{numbers}</script>\n'
        return self.frame(data=scripts)

    def widget(self):
        """The figure as an anywidget, for a live notebook."""
        import anywidget
        import traitlets

        class View(anywidget.AnyWidget):
            _esm = es_module(self.script)
            _css = base_style() + figure_style(self.script)
            data = traitlets.Dict().tag(sync=True)
            attached = traitlets.Dict(allow_none=True).tag(sync=True)
            frame = traitlets.Unicode().tag(sync=True)

        return View(data=self.data, attached=self.attached, frame=self.frame())

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = {"text/plain": f"{self.title}. {self.alt}"}
        if in_book():
            return data | {"text/html": self.html()}
        view = self.widget()._repr_mimebundle_(include=include, exclude=exclude)
        view = view[0] if isinstance(view, tuple) else view
        still = with_style(self.frame(), figure_style(self.script))
        return (view or {}) | data | {"text/html": still}
