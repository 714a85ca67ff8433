"""What every figure keeps on a page, and the parts of a drawing."""

import json
import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from headway.figures.core.interactive import Interactive
from headway.figures.gallery.shared.stepped import Stepped

PICTURE = r'<img class="hw-static[^>]* alt="[^"]{30,}"|<svg[^>]* aria-label="[^"]{30,}"'


def assert_on_page(figure: Interactive) -> None:
    """Assert that a page gets the picture with its alternative, the numbers and the data."""
    html = figure.html()
    assert f'data-headway-figure="{figure.script}"' in html
    assert re.search(PICTURE, html)
    assert "<figcaption>" in html
    assert {len(row) for row in figure.rows} == {len(figure.header)}
    data = re.search(r'<script type="application/json">(.*)</script>', html)[1]
    assert json.loads(data) == figure.data


def assert_whole(figure: Stepped) -> None:
    """Assert that a drawing hides nothing, has a part for each step, and keeps in its frame."""
    assert_on_page(figure)
    assert "hidden" not in re.sub(r">[^<]*<", "><", figure.drawing + figure.upright)
    for form in filter(None, (figure.drawing, figure.upright)):
        svg = ElementTree.fromstring(form)
        steps = {int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")}
        assert steps == set(range(1, len(figure.data["steps"]) + 1))
        width, height = map(float, svg.get("viewBox").split()[2:])
        for one in svg.iter("text"):
            assert 0 <= float(one.get("x")) <= width
            assert 0 <= float(one.get("y")) <= height


def assert_upright(figure: Stepped) -> None:
    """Assert that the form for narrow pages is narrow, and says the same."""
    upright = ElementTree.fromstring(figure.upright)
    assert float(upright.get("viewBox").split()[2]) <= 400
    assert set(texts(upright)) == set(texts(svg_of(figure)))


def svg_of(figure: Stepped) -> Element:
    return ElementTree.fromstring(figure.drawing)


def part(figure: Stepped, step: int) -> Element:
    """All that belongs to a step."""
    found = Element("g")
    found.extend(g for g in svg_of(figure).iter("g") if g.get("data-step") == str(step))
    return found


def texts(drawn: Element) -> list[str]:
    """What is written in a drawing or a part of one."""
    return [one.text for one in drawn.iter("text")]


def widths(drawn: Element, tone: str) -> list[float]:
    """How thick the lines of a tone are."""
    lines = [one for one in drawn.iter("path") if f"hw-of-{tone}" in one.get("class")]
    return [float(one.get("stroke-width")) for one in lines if one.get("stroke-width")]
