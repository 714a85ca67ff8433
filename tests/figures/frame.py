"""The frame of a drawing, which its words must not leave."""

from xml.etree.ElementTree import Element


def assert_words_inside(svg: Element) -> None:
    """Assert that every word of a drawing begins inside its frame."""
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height
