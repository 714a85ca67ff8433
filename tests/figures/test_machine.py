"""The drawn machine: every part in every drawing, with its words, its link and its light."""

import re
from xml.etree import ElementTree

import pytest

from headway.figures.core.palette import MEANINGS
from headway.figures.machine.buttons import machine_buttons
from headway.figures.machine.compact import compact
from headway.figures.machine.here import machine_here
from headway.figures.machine.map import Place, machine_map
from headway.figures.machine.narrow import narrow
from headway.figures.machine.parts import PARTS, find_part
from headway.figures.machine.wide import wide
from headway.figures.machine.zoom import draw, zoom
from headway.figures.machine.zooms import ZOOMS, Step

LAYOUTS = [wide(), narrow(), compact()]
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
WRITTEN = Place(8, "Scaled & shown", href="08-attention.html")
PLACES = dict.fromkeys(PARTS, WRITTEN)


def drawn(places=None) -> str:
    return machine_map(PLACES | (places or {}), "A title", "A caption")


def drawings(html: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def ends(box) -> tuple[float, float]:
    return box.x + box.width, box.y + box.height


def overlap(one, other) -> bool:
    """Whether two boxes share more than an edge."""
    (right, below), (others_right, others_below) = ends(one), ends(other)
    across = one.x < others_right and other.x < right
    return across and one.y < others_below and other.y < below


def inside(one, other) -> bool:
    (right, below), (others_right, others_below) = ends(one), ends(other)
    begins = other.x <= one.x and other.y <= one.y
    return begins and right <= others_right and below <= others_below


@each_layout
def test_each_part_has_its_box_in_the_drawing_and_on_no_other(layout):
    assert {box.part for box in layout.boxes} == set(PARTS)
    places = [box.place for box in layout.boxes]
    assert len(places) == len(set(places))
    assert set(places) == {box.place for box in LAYOUTS[0].boxes}, "in all drawings the same"
    for i, one in enumerate(layout.boxes):
        right, below = ends(one)
        assert 0 <= one.x < right <= layout.width
        assert 0 <= one.y < below <= layout.height
        for other in layout.boxes[i + 1 :]:
            assert not overlap(one, other) or inside(other, one), (one, other)


@each_layout
def test_wires_stay_in_the_drawing_and_bring_keys_and_values_across_from_the_memory(layout):
    (cross,) = (box for box in layout.boxes if box.part == "cross-attention")
    (encoder,) = (box for box in layout.boxes if box.part == "encoder")
    origins = {}
    for wire in layout.wires:
        for (x0, y0), (x1, y1) in zip(wire.points, wire.points[1:], strict=False):
            assert (x0 == x1) != (y0 == y1), wire
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in wire.points)
        (x, y), (right, below) = wire.points[-1], ends(cross)
        if cross.x <= x <= right and cross.y <= y <= below:
            origins[wire.tone] = wire.points[0]
    assert {wire.tone for wire in layout.wires} == {"", *MEANINGS}
    right, below = ends(encoder)
    for x, y in (origins["key"], origins["value"]):
        assert x >= right or y >= below


def test_each_part_is_a_button_whose_name_begins_with_what_is_printed_on_it():
    for svg, layout in zip(drawings(machine_buttons("Open it")), (wide(), compact()), strict=True):
        assert (svg.get("role"), svg.get("aria-label")) == ("toolbar", "Open it")
        buttons = svg.findall("g[@role='button']")
        assert {one.get("data-place") for one in buttons} == {box.place for box in layout.boxes}
        names = [one.get("aria-label") for one in buttons]
        assert len(set(names)) == len(layout.boxes)
        for name, one in zip(names, buttons, strict=True):
            assert name.startswith(one.find("text").text)
            assert one.get("aria-pressed") == "false"
        assert "heads, decoder’s cross-attention" in names


def test_a_part_is_a_link_that_says_where_it_leads():
    html = drawn()
    for svg in drawings(html):
        for link in svg.findall("a"):
            label, _, where = link.find("title").text.partition(": ")
            assert link.get("href") == WRITTEN.href
            assert "".join(link.find("text").itertext()) == f"{label}8"
            assert where == "chapter 8, Scaled & shown"
    words = html[html.index("<ol>") :]
    for part in PARTS.values():
        assert f"<strong>{part.name}</strong>: {part.does}" in words
    assert words.count(f'href="{WRITTEN.href}"') == len(PARTS)


def stations(html: str) -> dict[str, bool]:
    """What a chapter's strip names, and whether it is lit."""
    items = ElementTree.fromstring(re.search(r"<ol class=\"hw-strip\">.*?</ol>", html)[0])
    assert {a.get("href") for a in items.iter("a")} == {WRITTEN.href}
    return {item.find("a").text: item.get("class") == "hw-lit" for item in items}


@pytest.mark.parametrize("part", PARTS.values())
def test_a_chapters_strip_lights_its_parts_and_no_other(part):
    lit = {name for name, lit in stations(machine_here([part.id], PLACES)).items() if lit}
    assert lit == {part.name}


def test_a_chapters_strip_unfolds_one_part_and_is_lit_as_a_whole_without_parts():
    html = machine_here(["cross-attention", "encoder"], PLACES, ("cross-attention", "Look & see."))
    assert sum(stations(html).values()) == 2
    assert "<summary>Inside cross-attention</summary>" in html
    assert "hw-zoom-steps" in html
    assert "Look &amp; see." in html
    whole = machine_here([], PLACES)
    assert all(stations(whole).values())
    assert "<details>" not in whole


@pytest.mark.parametrize("part", ZOOMS)
def test_the_inside_of_a_part_is_drawn_step_by_step_and_each_uses_what_is_above_it(part):
    (svg,) = drawings(zoom(part, "What to look for."))
    labels = [said.text for said in svg.findall("text")]
    used = {one for step in ZOOMS[part] for one in step.uses}
    last = max(step.row for step in ZOOMS[part])
    for i, step in enumerate(ZOOMS[part]):
        assert labels[2 * i : 2 * i + 2] == [step.label, step.shape]
        assert f"{step.label}, {step.shape}" in svg.get("aria-label")
        assert set(step.uses) <= {other.id for other in ZOOMS[part] if other.row < step.row}
        assert step.id in used or step.row == last, "a step leads nowhere"
        if step.label.lower().startswith(("q =", "query", "k =", "key", "v =", "value")):
            assert step.tone == {"q": "query", "k": "key", "v": "value"}[step.label[0].lower()]


@pytest.mark.parametrize("part", ZOOMS)
def test_no_two_steps_stand_in_one_place_and_no_wire_runs_through_a_step(part):
    steps = ZOOMS[part]
    taken = [(s.row, c) for s in steps for c in range(s.column, s.column + s.columns)]
    assert len(taken) == len(set(taken))
    assert max(column for _, column in taken) <= 2
    where = {step.id: step for step in steps}
    for step in steps:
        for one in map(where.get, step.uses):
            left = max(one.column, step.column)
            right = min(one.column + one.columns, step.column + step.columns)
            between = [o for o in steps if left < right and one.row < o.row < step.row]
            for other in between:
                middle = (left + right) / 2
                assert not other.column < middle < other.column + other.columns, (one, step)


def test_the_words_of_a_drawing_are_escaped():
    html = draw([Step("a", "x < y", "(T & S)", 0)], "this & that")
    assert "x &lt; y" in html
    assert "this &amp; that" in html


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: drawn({"engine": WRITTEN}), ValueError, "engine"),
        (lambda: machine_map({}, "A title", "A caption"), ValueError, "mask"),
        (lambda: zoom("text", "Look."), LookupError, r"inside 'text'.*attention"),
        (lambda: zoom("mask", " "), ValueError, "caption"),
        (lambda: find_part("engine"), LookupError, r"no part 'engine'.*cross-attention"),
        (lambda: machine_here(["engine"], PLACES), LookupError, "no part 'engine'"),
    ],
)
def test_what_is_no_part_is_answered_with_those_there_are(make, error, says):
    with pytest.raises(error, match=says):
        make()
