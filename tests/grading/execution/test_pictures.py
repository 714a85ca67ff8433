"""What a stranger's picture may ask of a browser."""

import base64
import struct
from io import BytesIO

import pytest
from PIL import Image

from headway.grading.execution.pictures import MAX_PIXELS, MAX_SCANS, pixels_of


def picture(kind: str, width: int, height: int) -> str:
    file = BytesIO()
    Image.new("1" if kind == "PNG" else "L", (width, height)).save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_picture_is_measured_by_its_pixels_and_not_by_its_bytes(kind):
    mime = f"image/{kind.lower()}"
    assert pixels_of(picture(kind, 800, 600), mime) == 800 * 600
    assert not pixels_of(picture(kind, 5_001, MAX_PIXELS // 5_000), mime)
    assert not pixels_of(base64.b64encode(b"\x89PNG\r\n\x1a\n and no more").decode(), mime)
    assert not pixels_of(["no text"], mime)


def test_a_picture_of_another_kind_than_it_says_is_none():
    assert not pixels_of(picture("PNG", 8, 6), "image/jpeg")
    assert not pixels_of(picture("GIF", 8, 6), "image/png")


# Of a file of several pictures: version, how many, and where what is said of each begins.
INDEX = (0xB000, 7, 4, b"0100", 0xB001, 4, 1, 2, 0xB002, 7, 32, 50)


def test_a_picture_of_many_scans_is_none():
    file = BytesIO()
    Image.new("L", (90, 90)).save(file, "JPEG", progressive=True)
    assert pixels_of(base64.b64encode(file.getvalue()).decode(), "image/jpeg")
    whole = file.getvalue()
    at = whole.rindex(b"\xff\xda")
    scan = whole[at : whole.rindex(b"\xff\xd9")]
    many = whole[:at] + scan * MAX_SCANS + whole[at:]
    assert Image.open(BytesIO(many)).size == (90, 90)
    assert not pixels_of(base64.b64encode(many).decode(), "image/jpeg")
    # One that says it holds a second picture has the same scans.
    index = b"MPF\0MM\0*" + struct.pack(">IHHHI4sHHIIHHIII", 8, 3, *INDEX, 0)
    index += struct.pack(">IIIHH", 0x030000, 100, 0, 0, 0) + struct.pack(
        ">IIIHH", 0, 100, 200, 0, 0
    )
    double = many[:2] + b"\xff\xe2" + struct.pack(">H", len(index) + 2) + index + many[2:]
    assert Image.open(BytesIO(double)).format == "MPO"
    assert not pixels_of(base64.b64encode(double).decode(), "image/jpeg")


def test_each_frame_of_a_picture_that_moves_counts():
    file = BytesIO()
    frames = [Image.new("L", (90, 90), color) for color in (0, 100, 200)]
    frames[0].save(file, "PNG", save_all=True, append_images=frames[1:])
    assert pixels_of(base64.b64encode(file.getvalue()).decode(), "image/png") == 3 * 90 * 90
    at = file.getvalue().index(b"acTL") - 4
    whole, twice = file.getvalue(), file.getvalue()[at : at + 20]
    twisted = base64.b64encode(whole[:at] + twice + whole[at:]).decode()
    with pytest.warns(UserWarning, match="Invalid APNG"):
        pixels = pixels_of(twisted, "image/png")
    assert pixels > 90 * 90
