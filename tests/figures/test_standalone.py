"""A drawing as a file: it looks as on the page, and needs nothing of it."""

import io
from xml.etree import ElementTree

import pytest
from PIL import Image

from headway.figures.core.cascade import named_colors, resolved
from headway.figures.core.palette import DARK, LIGHT
from headway.figures.core.standalone import CENTER, png, standalone
from headway.figures.gallery.shared.drawn import Canvas

SVG = "{http://www.w3.org/2000/svg}"


def drawing() -> str:
    canvas = Canvas(100, 60, "Two numbers & a line. The second is negative.")
    with canvas.step(1):
        canvas.cells(50, 30, [2.0, -1.0], "query", largest=2.0)
        canvas.write(50, 10, "√2 → ␣", "word", tone="key")
    with canvas.step(2), canvas.moving("travels", dx=3):
        canvas.write(9, 9, "on its way")
    return canvas.svg()


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_colors_and_sizes_are_those_of_the_page(palette):
    svg = standalone(drawing(), palette)
    file = ElementTree.fromstring(svg)
    paper, *cells = file.iter(f"{SVG}rect")
    assert paper.get("fill") == palette.paper
    tone = {"hw-tone": named_colors(palette is DARK)["hw-query"], "hw-paper": palette.paper}
    mix = "color-mix(in srgb, var(--hw-tone) {}%, var(--hw-paper))"
    assert [cell.get("fill") for cell in cells] == [resolved(mix.format(p), tone) for p in (62, 31)]
    word = next(text for text in file.iter(f"{SVG}text") if text.text == "√2 → ␣")
    assert (word.get("font-size"), word.get("font-weight")) == ("17", "600")
    assert (word.get("fill"), word.get("dy")) == (named_colors(palette is DARK)["hw-key"], CENTER)
    assert not any(mark in svg for mark in ("var(", "color-mix", "class=", "style=", "data-"))


def test_a_file_says_what_it_shows_and_how_it_may_be_used():
    file = ElementTree.fromstring(standalone(drawing()))
    assert file.find(f"{SVG}title").text == "Two numbers & a line."
    assert file.find(f"{SVG}desc").text.endswith("The second is negative.")
    seen = [text.text for text in file.iter(f"{SVG}text")]
    assert "CC BY 4.0" in seen[-1]
    assert "on its way" not in seen, "which is seen while its step is played only"
    assert (
        ElementTree.fromstring(standalone(drawing(), title="Two")).find(f"{SVG}title").text == "Two"
    )


def test_what_no_attribute_can_say_is_refused():
    shape = '<rect class="hw-column hw-of-ink" style="--p:calc(1% * 3)"/>'
    svg = f'<svg viewBox="0 0 1 1" aria-label="A."><g class="hw-of-key">{shape}</g></svg>'
    with pytest.raises(ValueError, match="<rect> has fill: color-mix"):
        standalone(svg)


def test_pixels_have_letters_and_are_the_same_each_time():
    svg = standalone(drawing())
    image = Image.open(io.BytesIO(png(svg, 264)))
    assert image.size == (264, 212)
    assert png(svg, 264) == png(svg, 264)
    blank = svg.replace("√2 → ␣", "")
    assert png(blank, 264) != png(svg, 264), "no font was found"
