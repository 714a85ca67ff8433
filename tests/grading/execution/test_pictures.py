"""What a stranger's picture may ask of a browser."""

import base64
import struct
from io import BytesIO
from zlib import crc32

import pytest
from PIL import Image, PngImagePlugin

from headway.grading.execution.pictures import MAX_PIXELS, MAX_SCANS, drawn_again


def picture(kind: str, width: int, height: int) -> str:
    file = BytesIO()
    Image.new("1" if kind == "PNG" else "L", (width, height)).save(file, kind)
    return base64.b64encode(file.getvalue()).decode()


def pixels_of(data: object, kind: str) -> int:
    """How many pixels of a picture are drawn again."""
    drawn = drawn_again(data, kind)
    return drawn.pixels if drawn else 0


def opened(data: str) -> Image.Image:
    return Image.open(BytesIO(base64.b64decode(data, validate=True)))


def chunk(name: bytes, body: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", crc32(name + body))


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


def test_of_a_picture_that_moves_the_first_frame_is_kept():
    file = BytesIO()
    frames = [Image.new("L", (90, 90), color) for color in (0, 100, 200)]
    frames[0].save(file, "PNG", save_all=True, append_images=frames[1:])
    at = file.getvalue().index(b"acTL") - 4
    whole, twice = file.getvalue(), file.getvalue()[at : at + 20]
    for content in (whole, whole[:at] + twice + whole[at:]):
        drawn = drawn_again(base64.b64encode(content).decode(), "image/png")
        assert drawn.pixels == 90 * 90
        assert b"fcTL" not in base64.b64decode(drawn.data)
        assert opened(drawn.data).getextrema() == (0, 0)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_text_behind_the_base64_makes_it_no_picture_and_a_broken_line_does_not(kind):
    mime, data = f"image/{kind.lower()}", picture(kind, 8, 6)
    assert pixels_of(f"{data[:20]}\n{data[20:]}\n", mime) == 48
    assert not pixels_of(data + '" onload="alert(1)', mime)
    assert not pixels_of(data + "<script>", mime)


def test_a_second_header_decides_nothing():
    """Pillow takes the last header, and a browser the first or none."""
    content = base64.b64decode(picture("PNG", 8, 6))
    first = content[8:33]
    for size in ((20_000, 20_000), (4, 3)):
        other = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 1, 0, 0, 0, 0))
        for headers in (first + other, other + first):
            twice = base64.b64encode(content[:8] + headers + content[33:]).decode()
            drawn = drawn_again(twice, "image/png")
            assert drawn is None or (
                base64.b64decode(drawn.data).count(b"IHDR") == 1
                and opened(drawn.data).size in ((8, 6), (4, 3))
                and opened(drawn.data).width * opened(drawn.data).height == drawn.pixels
            )


def test_what_is_no_pixel_is_left_out():
    file, told = BytesIO(), PngImagePlugin.PngInfo()
    told.add_text("Comment", "<script>alert(1)</script>")
    Image.new("RGB", (8, 6), "red").save(file, "PNG", pnginfo=told, icc_profile=b"profile")
    drawn = drawn_again(base64.b64encode(file.getvalue() + b"<script>").decode(), "image/png")
    content = base64.b64decode(drawn.data)
    assert b"script" in file.getvalue()
    assert b"script" not in content
    assert b"iCCP" not in content
    assert opened(drawn.data).getpixel((3, 3)) == (255, 0, 0)
    file = BytesIO()
    Image.new("RGB", (8, 6), "red").save(file, "JPEG", comment=b"<script>", exif=b"Exif\0\0 me")
    drawn = drawn_again(base64.b64encode(file.getvalue()).decode(), "image/jpeg")
    assert b"script" not in (content := base64.b64decode(drawn.data))
    assert b"Exif" not in content


@pytest.mark.parametrize("mode", ["RGBA", "P"])
def test_what_is_transparent_stays_so(mode):
    file, half = BytesIO(), Image.new("RGBA", (8, 6), (255, 0, 0, 0))
    half.paste((0, 0, 255, 255), (4, 0, 8, 6))
    (half if mode == "RGBA" else half.quantize(4)).save(file, "PNG")
    drawn = drawn_again(base64.b64encode(file.getvalue()).decode(), "image/png")
    shown = opened(drawn.data).convert("RGBA")
    assert shown.getpixel((1, 1))[3] == 0
    assert shown.getpixel((6, 1)) == (0, 0, 255, 255)


def test_a_picture_that_ends_early_is_none():
    content = base64.b64decode(picture("PNG", 800, 600))
    assert not pixels_of(base64.b64encode(content[:-40]).decode(), "image/png")
