"""What a stranger's picture may ask of a browser."""

import base64
import json
import struct
from io import BytesIO

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from headway.grading.results.pictures import MAX_PIXELS, MAX_SCANS, is_small, pixels_of
from headway.grading.results.sanitize import MOST, SanitizeNotebook, sanitize_html


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


def test_a_page_shows_no_more_pixels_than_a_browser_draws():
    large = picture("PNG", 5_000, 5_000)
    html = f'<img alt="a" src="data:image/png;base64,{large}">' * 4
    shown = [new_output("display_data", {"image/png": large}) for _ in range(38)]
    shown += [new_output("display_data", {"text/html": html}) for _ in range(2)]
    shown += [new_output("display_data", {"image/png": large}) for _ in range(9)]
    notebook = new_notebook(cells=[new_code_cell("", outputs=shown)])
    clean, _ = SanitizeNotebook().preprocess(notebook, {})
    assert json.dumps(clean).count(large) == MOST["pixels"] // MAX_PIXELS


# Of a file of several pictures: version, how many, and where what is said of each begins.
INDEX = (0xB000, 7, 4, b"0100", 0xB001, 4, 1, 2, 0xB002, 7, 32, 50)


def test_a_picture_of_many_scans_is_none():
    file = BytesIO()
    Image.new("L", (90, 90)).save(file, "JPEG", progressive=True)
    assert is_small(base64.b64encode(file.getvalue()).decode())
    whole = file.getvalue()
    at = whole.rindex(b"\xff\xda")
    scan = whole[at : whole.rindex(b"\xff\xd9")]
    many = whole[:at] + scan * MAX_SCANS + whole[at:]
    assert Image.open(BytesIO(many)).size == (90, 90)
    assert not is_small(base64.b64encode(many).decode())
    # One that says it holds a second picture has the same scans.
    index = b"MPF\0MM\0*" + struct.pack(">IHHHI4sHHIIHHIII", 8, 3, *INDEX, 0)
    index += struct.pack(">IIIHH", 0x030000, 100, 0, 0, 0) + struct.pack(
        ">IIIHH", 0, 100, 200, 0, 0
    )
    double = many[:2] + b"\xff\xe2" + struct.pack(">H", len(index) + 2) + index + many[2:]
    assert Image.open(BytesIO(double)).format == "MPO"
    assert not is_small(base64.b64encode(double).decode())


def test_each_frame_of_a_picture_that_moves_counts():
    file = BytesIO()
    frames = [Image.new("L", (90, 90), color) for color in (0, 100, 200)]
    frames[0].save(file, "PNG", save_all=True, append_images=frames[1:])
    assert pixels_of(base64.b64encode(file.getvalue()).decode()) == 3 * 90 * 90
    at = file.getvalue().index(b"acTL") - 4
    whole, twice = file.getvalue(), file.getvalue()[at : at + 20]
    with pytest.warns(UserWarning, match="Invalid APNG"):
        assert pixels_of(base64.b64encode(whole[:at] + twice + whole[at:]).decode()) > 90 * 90


def test_no_page_shows_a_drawing_of_a_stranger():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'
    shown = new_output("display_data", {"image/svg+xml": svg, "text/plain": "a drawing"})
    clean, _ = SanitizeNotebook().preprocess(
        new_notebook(cells=[new_code_cell(outputs=[shown])]), {}
    )
    assert clean.cells[0].outputs[0].data == {"text/plain": "a drawing"}
