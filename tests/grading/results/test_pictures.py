"""What a stranger's picture may ask of a browser."""

import base64
import json
from io import BytesIO

import matplotlib.pyplot as plt
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from headway.figures.core.picture import take_picture
from headway.grading.results.pictures import MAX_PIXELS, is_plain_drawing, is_small
from headway.grading.results.sanitize import MOST, SanitizeNotebook, sanitize_html

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink">{}</svg>'


def picture(kind: str, width: int, height: int) -> str:
    file = BytesIO()
    Image.new("1" if kind == "PNG" else "L", (width, height)).save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_is_measured_by_its_pixels_and_not_by_its_bytes(kind):
    assert is_small(picture(kind, 800, 600))
    assert not is_small(picture(kind, 5_001, MAX_PIXELS // 5_000))
    assert not is_small(base64.b64encode(b"\x89PNG\r\n\x1a\n and no more").decode())


def test_a_large_picture_in_html_is_left_out():
    small, large = (picture("PNG", 5_000, height) for height in (10, 5_001))
    html = '<img alt="a" src="data:image/png;base64,{}">'
    assert "base64" in sanitize_html(html.format(small))
    assert "base64" not in sanitize_html(html.format(large))


def test_drawings_of_the_course_are_plain():
    drawn = take_picture(lambda ax: ax.plot([1, 3, 2], "o-", label="loss"), 4, 3)
    assert is_plain_drawing(drawn.data.decode())


@pytest.mark.parametrize(
    "inside",
    [
        '<g id="a"><use href="#b"/></g><path id="b" d=""/><use href="#a"/>',
        '<path id="a" d=""/><g fill=">" id="a"/><use x:href="#a"/>',
        '<use href="#nothing"/>',
        '<use href="https://elsewhere/#a"/>',
        '<filter id="a"/>',
        '<pattern id="a"><rect fill="url(#a)"/></pattern>',
        '<image href="#a"/>',
        "<script>1</script>",
        "<rect>",
    ],
)
def test_a_drawing_that_repeats_what_repeats_or_holds_more_than_shapes_is_none(inside):
    assert not is_plain_drawing(SVG.format(inside))
    entity = '<!DOCTYPE svg [<!ENTITY a "aaaa">]>'
    assert not is_plain_drawing(entity + SVG.format("<text>&a;</text>"))


@pytest.mark.parametrize(
    "inside",
    [
        '<clipPath id="a"><rect/></clipPath>'
        '<clipPath id="b"><rect clip-path="url(#a)"/></clipPath>',
        '<clipPath id="b"><rect style="clip-path: url(#a)"/></clipPath>',
        '<clipPath id="b" clip-path="url(#a)"><rect/><rect/></clipPath>',
        '<clipPath id="b"><use href="#a"/></clipPath><rect id="a"/>',
        '<clipPath id="b"><g><rect/></g></clipPath>',
        "<style>rect { clip-path: url(#a) }</style>",
        "<style>rect { CLIP-PATH: URL(#a) }</style>",
        '<clipPath id="a"><rect/></clipPath>'
        '<clipPath id="b" clip-path="url(#a)"><rect/></clipPath>',
        f'<clipPath id="a"><path d="{"L" * 3_000}"/></clipPath>'
        + '<rect clip-path="URL(#a)"/>' * 1_000,
        '<clipPath id="a"><rect/></clipPath><rect id="b" clip-path="url(#a)"/><use href="#b"/>',
        "<style>rect { \\63lip-path: \\75rl(#a) }</style>",
        '<rect style="\\63lip-path: none"/>',
        f'<path id="a" d="{"L" * 3_000}"/>' + '<use href="#a"/>' * 1_000,
        f'<clipPath id="a"><path d="{"L" * 3_000}"/></clipPath>'
        + '<rect clip-path="url(#a)"/>' * 1_000,
        f'<clipPath id="a"><path d="{"L" * 3_000}"/></clipPath>'
        + "<rect style='clip-path: url( \"#a\")'/>" * 1_000,
        *(
            f'<clipPath id="a"><rect/></clipPath><rect clip-path="url({name})"/>'
            for name in ("#a b", "#%61", "'#a)b'", "a.svg#a", "#a) url(#a")
        ),
        '<rect id="a"/><rect clip-path="url(#a)"/>',
        '<style>@import "data:text/css,rect{}"</style>',
        # What hands a cut on, or takes long by itself.
        "<style>g * { all: inherit }</style>",
        '<g clip-path="inherit"/>',
        '<rect style="clip-path: var(--x)"/>',
        '<rect style="--x: url(#a)"/>',
        '<rect style="all: inherit"/>',
        '<rect style="filter: blur(90px)"/>',
        '<rect filter="blur(90px)"/>',
        '<rect style="fill: red; mask: none"/>',
        '<path d="M0 0H600" stroke-dasharray="0.001"/>' * 100,
        "<style>* { stroke-dasharray: 1e-4 }</style>" + '<path d="M0 0H600V1Z"/>' * 100,
        '<path pathLength="1e6" d="M0 0H600"/>',
    ],
)
def test_a_drawing_that_is_cut_again_and_again_is_none(inside):
    assert not is_plain_drawing(SVG.format(inside))


@pytest.mark.parametrize(
    "inside",
    [
        '<clipPath id="a"><rect/></clipPath><rect clip-path="url( #a )"/>',
        "<clipPath id='a'><rect/></clipPath><g style='clip-path: url(\"#a\")'/>",
        '<rect clip-path="url(#none)" style="fill: url(#none)"/>',
        '<linearGradient id="a"/><rect style="fill:url(#a);font-family:Curlz MT"/>',
        "<style>text { font: 9px x } .a, #b > c { stroke: red; }</style>",
        '<path d="M0 0H600" style="stroke-dasharray:1.85,0.8;stroke-dashoffset:0"/>' * 300,
    ],
)
def test_what_programs_draw_is_plain(inside):
    assert is_plain_drawing(SVG.format(inside))


def test_matplotlibs_drawings_are_plain():
    drawing, axes = plt.subplots()
    axes.scatter(range(500), range(500))
    axes.imshow([[1, 2], [3, 4]], interpolation="none")
    axes.text(0, 0, "α \\ β")
    axes.grid(linestyle=":", linewidth=0.5)
    axes.plot(np.sin(np.linspace(0, 99, 3_000)) * 500, "--")
    file = BytesIO()
    drawing.savefig(file, format="svg", metadata={"Date": None})
    plt.close(drawing)
    assert not is_plain_drawing(file.getvalue().decode()), "it holds a picture"
    axes.images[0].remove()
    file = BytesIO()
    drawing.savefig(file, format="svg")
    assert is_plain_drawing(file.getvalue().decode())


def test_a_page_shows_no_more_pixels_than_a_browser_draws():
    large = picture("PNG", 5_000, 5_000)
    html = f'<img alt="a" src="data:image/png;base64,{large}">' * 4
    shown = [new_output("display_data", {"image/png": large}) for _ in range(38)]
    shown += [new_output("display_data", {"text/html": html}) for _ in range(2)]
    shown += [new_output("display_data", {"image/png": large}) for _ in range(9)]
    notebook = new_notebook(cells=[new_code_cell("", outputs=shown)])
    clean, _ = SanitizeNotebook().preprocess(notebook, {})
    assert json.dumps(clean).count(large) == MOST["pixels"] // MAX_PIXELS


def test_a_shape_can_be_used_again():
    assert is_plain_drawing(
        SVG.format('<defs><path id="a" d=""/></defs>' + '<use x:href="#a"/>' * 9)
    )


def test_many_points_are_looked_at_once_each():
    """As in a scatter plot; holding each against all would take minutes."""
    many = '<path id="a" d=""/>' + '<use x:href="#a"/>' * 200_000
    assert is_plain_drawing(SVG.format(many))
