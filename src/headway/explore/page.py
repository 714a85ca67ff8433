"""The one page of `headway explore`: the figure `model_explorer`, alone, with all that it needs."""

import re
from functools import cache
from pathlib import Path

from headway.figures.core.interactive import as_json
from headway.figures.core.page import text
from headway.figures.core.scripts import DEFAULT, es_module
from headway.figures.core.styles import base_style, figure_style

FIGURE = "model_explorer"
FOLDER = Path(__file__).parent
START = """
{
const frame = document.querySelector("[data-headway-figure]");
const data = JSON.parse(frame.querySelector("script").textContent);
const model = { get: (key) => (key === "data" ? data : undefined) };
figure.render({ model, el: frame.querySelector(".hw-stage") });
frame.dataset.mounted = "";
}
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{name} – headway explore</title>
<style>{style}</style>
<script nonce="{nonce}">{theme}</script>
</head>
<body>
<header>
<h1>{name}</h1>
<button type="button" id="theme">Dark page</button>
</header>
<main>
<noscript><p>This page asks the model and draws what it says, and needs JavaScript for both. \
Nothing on it comes from anywhere but this machine.</p></noscript>
<figure class="hw-figure" data-headway-figure="{figure}" role="group" aria-labelledby="title">
<p class="hw-title" id="title">What the model makes of your text, part by part</p>
<div class="hw-stage"></div>
<figcaption>Press a word, a head or a layer, and everything below follows it. Switch a part off: \
which answers change?</figcaption>
<script type="application/json">{data}</script>
</figure>
</main>
<script type="module" nonce="{nonce}">{script}</script>
</body>
</html>
"""


def page(data: dict, nonce: str) -> str:
    """The page as HTML.

    Args:
        data: what the figure begins with, from `headway.explore.subject.Subject.data`.
        nonce: what its scripts bear, so that the browser runs no other.

    Raises:
        UnknownFigureError, GalleryError: if the figure's script is missing or broken.
    """
    return PAGE.format(
        name=text(data["model"]["name"]),
        style=style(),
        nonce=nonce,
        theme=script_text((FOLDER / "page.js").read_text("utf-8")),
        figure=FIGURE,
        data=as_json(data),
        script=script_text(module()),
    )


@cache
def style() -> str:
    """What figures share, what this one adds, and what stands around it."""
    return base_style() + figure_style(FIGURE) + (FOLDER / "page.css").read_text("utf-8")


def module() -> str:
    """The figure's script, and the lines that start it on this page."""
    return es_module(FIGURE).replace(DEFAULT, "const figure = ") + START


def script_text(code: str) -> str:
    """A script as it may stand between its tags, which "</script" in a string would end."""
    return re.sub("</(?=script)", r"<\\/", code, flags=re.IGNORECASE)
