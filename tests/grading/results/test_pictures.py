"""What a stranger's picture may ask of a browser."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from headway.figures.core.picture import take_picture
from headway.grading.results.pictures import MAX_PIXELS, is_plain_drawing, is_small
from headway.grading.results.sanitize import sanitize_html

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


def test_a_shape_can_be_used_again():
    assert is_plain_drawing(
        SVG.format('<defs><path id="a" d=""/></defs>' + '<use x:href="#a"/>' * 9)
    )
