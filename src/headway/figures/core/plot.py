"""Static plots with a text alternative, in a light and a dark version.

    Plot(lambda ax: ax.plot(sizes, seconds, "o-"), title="Time grows with the cube of the size",
         alt="Line from 2 ms at 100 to 2 s at 1000.", caption="Both axes are logarithmic.")

As the last expression of a cell it shows itself. The page chooses the version that suits its
mode; paper gets the light one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from headway.figures.core.page import new_id, real_minus, require_sentence, text, with_style
from headway.figures.core.picture import take_picture


@dataclass(frozen=True)
class Plot:
    """A plot that shows itself in a notebook and on a page.

    Args:
        draw: called with a matplotlib Axes (or with the Figure if its parameter is named `fig`),
            once for each version. It should use the style's colors: "C0", "C1", …
        alt: what a reader who does not see the plot should know; the finding and its numbers.
        title: the finding in a sentence.
        caption: what else to know, below the plot.
        width, height: in inches.

    Raises:
        ValueError: if `alt` or `title` is empty.
        TypeError: if `draw` cannot be called.
    """

    draw: Callable
    alt: str
    title: str
    caption: str = ""
    width: float = 5.6
    height: float = 3.1

    def __post_init__(self):
        for name in ("alt", "title"):
            object.__setattr__(self, name, require_sentence(name, getattr(self, name)))
        object.__setattr__(self, "caption", real_minus(self.caption))
        if not callable(self.draw):
            raise TypeError(f"draw must be a function of a matplotlib Axes, got {self.draw!r}")

    def html(self) -> str:
        """The plot as HTML that needs nothing else but the style sheet."""
        name = new_id("plot")
        images = "\n".join(
            f'<img class="hw-{mode} dark-light" src="{picture.uri}" alt="{text(self.alt)}" '
            f'width="{self.width * 100:.0f}" height="{self.height * 100:.0f}">'
            for mode, picture in (
                ("light", take_picture(self.draw, self.width, self.height)),
                ("dark", take_picture(self.draw, self.width, self.height, dark=True)),
            )
        )
        caption = f"\n<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        return (
            f'<figure class="hw-figure hw-plot" role="group" aria-labelledby="{name}">\n'
            f'<p class="hw-title" id="{name}">{text(self.title)}</p>\n{images}{caption}\n</figure>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        png = take_picture(self.draw, self.width, self.height, only_png=True).data
        data = {
            "text/html": with_style(self.html()),
            "image/png": png,
            "text/plain": f"{self.title}. {self.alt}",
        }
        return data, {"image/png": {"alt": self.alt}}
