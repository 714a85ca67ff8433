"""The drawn machine: every part in every drawing, with its words, its link and its light."""

import re
from xml.etree import ElementTree

import pytest

from headway.figures.core.palette import MEANINGS
from headway.figures.core.styles import base_style
from headway.figures.machine.buttons import machine_buttons
from headway.figures.machine.compact import compact
from headway.figures.machine.here import machine_here
from headway.figures.machine.map import Place, machine_map
from headway.figures.machine.narrow import narrow
from headway.figures.machine.parts import PARTS, find_part
from headway.figures.machine.wide import wide
from headway.figures.machine.zoom import draw, zoom
from headway.figures.machine.zooms import ZOOMS, Step
from tests.figures.test_styles import contrast

LAYOUTS = [wide(), narrow(), compact()]
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
WRITTEN = Place(8, "Scaled & shown", written=True, href="08-attention.html")
MEANWHILE = Place(12, "Encoder only", written=False, href="13-translator.html")
PLANNED = Place(5, "From text to tokens", written=False, href="")


def drawn(places=None) -> str:
    return machine_map(dict.fromkeys(PARTS, WRITTEN) | (places or {}), "A title", "A caption")


def drawings(html: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


def overlap(one, other) -> bool:
    """Whether two boxes share more than an edge."""
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def inside(one, other) -> bool:
    return (
        other.x <= one.x
        and other.y <= one.y
        and one.x + one.width <= other.x + other.width
        and one.y + one.height <= other.y + other.height
    )


@each_layout
def test_a_drawing_has_every_part(layout):
    assert {box.part for box in layout.boxes} == set(PARTS)


@each_layout
def test_boxes_lie_in_the_drawing_and_on_no_other(layout):
    for place, one in enumerate(layout.boxes):
        assert one.x >= 0
        assert one.y >= 0
        assert one.x + one.width <= layout.width
        assert one.y + one.height <= layout.height
        for other in layout.boxes[place + 1 :]:
            assert not overlap(one, other) or inside(other, one), (one, other)


@each_layout
def test_wires_stay_in_the_drawing_and_run_along_its_sides(layout):
    for wire in layout.wires:
        for (x0, y0), (x1, y1) in zip(wire.points, wire.points[1:], strict=False):
            assert (x0 == x1) != (y0 == y1), wire
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in wire.points)
    assert {wire.tone for wire in layout.wires} == {"", *MEANINGS}


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_words_and_lines_stand_out_from_every_ground_of_the_drawings(mode):
    def color(name):
        return re.findall(rf"--hw-{name}: (#\w+);", base_style())[mode]

    for ground in map(color, ("paper", "panel", "lit")):
        for words in map(color, ("ink", "muted")):
            assert contrast(words, ground) >= 4.5
        for line in map(color, ("edge", *MEANINGS)):
            assert contrast(line, ground) >= 3


def test_each_box_has_a_place_of_its_own_and_all_drawings_have_the_same_places():
    places = [[box.place for box in layout.boxes] for layout in LAYOUTS]
    for found in places:
        assert len(found) == len(set(found))
        assert set(found) == set(places[0])
    assert {
        "encoder", "encoder embedding", "decoder attention mask", "decoder attention heads",
        "decoder cross-attention", "decoder cross-attention heads", "encoder residual", "logits",
    } <= set(places[0])  # fmt: skip


def test_each_part_is_a_button_whose_name_begins_with_what_is_printed_on_it():
    for svg, layout in zip(drawings(machine_buttons("Open it")), (wide(), compact()), strict=True):
        assert svg.get("role") == "toolbar"
        assert svg.get("aria-label") == "Open it"
        buttons = svg.findall("g[@role='button']")
        assert {one.get("data-place") for one in buttons} == {box.place for box in layout.boxes}
        names = [one.get("aria-label") for one in buttons]
        assert len(set(names)) == len(layout.boxes)
        for name, one in zip(names, buttons, strict=True):
            assert name.startswith(one.find("text").text)
            assert one.get("aria-pressed") == "false"
        assert "heads, decoder’s cross-attention" in names


@each_layout
def test_cross_attention_gets_keys_and_values_from_the_memory_and_asks_for_itself(layout):
    (cross,) = (box for box in layout.boxes if box.part == "cross-attention")
    (encoder,) = (box for box in layout.boxes if box.part == "encoder")
    ends = {}
    for wire in layout.wires:
        x, y = wire.points[-1]
        if cross.x <= x <= cross.x + cross.width and cross.y <= y <= cross.y + cross.height:
            ends[wire.tone] = wire.points[0]
    assert {"key", "value"} <= ends.keys()
    for tone in ("key", "value"):
        x, y = ends[tone]
        assert x >= encoder.x + encoder.width or y >= encoder.y + encoder.height


def test_each_written_part_is_a_link_that_says_where_it_leads():
    for svg in drawings(drawn()):
        links = svg.findall("a")
        assert len(links) >= len(PARTS)
        for link in links:
            assert link.get("href") == WRITTEN.href
            label, _, where = link.find("title").text.partition(": ")
            assert "".join(link.find("text").itertext()) == f"{label}8"
            assert where == "chapter 8, Scaled & shown"


def test_a_planned_part_is_marked_and_no_link_but_where_a_later_page_explains_it():
    html = drawn({"tokens": PLANNED, "encoder": MEANWHILE})
    for svg in drawings(html):
        (encoder,) = svg.findall("a[@class='hw-part hw-frame hw-planned']")
        assert encoder.get("href") == "13-translator.html"
        assert encoder.find("title").text == "Encoder: chapter 12, Encoder only, planned"
        tokens = svg.findall("g[@class='hw-part hw-planned']")
        assert {group.find("title").text for group in tokens} == {
            "tokens: chapter 5, From text to tokens, planned"
        }


def test_the_map_is_there_in_words_too():
    html = drawn({"tokens": PLANNED})
    words = html[html.index("<ol>") :]
    for part in PARTS.values():
        assert f"<strong>{part.name}</strong>: {part.does}" in words
    assert "Chapter 5, From text to tokens, planned." in words
    assert words.count(f'href="{WRITTEN.href}"') == len(PARTS) - 1


@pytest.mark.parametrize(("more", "less"), [({"engine": WRITTEN}, None), ({}, "mask")])
def test_a_map_with_a_place_too_many_or_too_few_is_refused(more, less):
    places = {part: WRITTEN for part in PARTS if part != less} | more
    with pytest.raises(ValueError, match=less or "engine"):
        machine_map(places, "A title", "A caption")


PLACES = dict.fromkeys(PARTS, WRITTEN)


@pytest.mark.parametrize("part", PARTS)
def test_a_chapters_map_lights_its_parts_and_no_other(part):
    for svg, layout in zip(drawings(machine_here([part], PLACES)), LAYOUTS[:2], strict=True):
        lit = [a for a in svg.findall("a") if "hw-here" in a.get("class").split()]
        assert len(lit) == sum(box.part == part for box in layout.boxes)


def test_a_chapters_map_says_what_is_lit_and_opens_one_part():
    html = machine_here(["cross-attention", "encoder"], PLACES, ("cross-attention", "Look & see."))
    assert "This chapter in the machine: cross-attention, encoder<" in html
    assert PARTS["cross-attention"].does in html
    assert "hw-zoom-steps" in html
    assert "Look &amp; see." in html
    whole = machine_here([], PLACES)
    assert "the whole machine<" in whole
    assert "hw-zoom-steps" not in whole
    assert all("hw-here" in a.get("class") for svg in drawings(whole) for a in svg.findall("a"))


@pytest.mark.parametrize("part", ZOOMS)
def test_the_inside_of_a_part_is_drawn_step_by_step(part):
    html = zoom(part, "What to look for.")
    (steps,) = drawings(html)
    labels = [said.text for said in steps.findall("text")]
    alternative = steps.get("aria-label")
    for place, step in enumerate(ZOOMS[part]):
        assert labels[2 * place : 2 * place + 2] == [step.label, step.shape]
        assert f"{step.label}, {step.shape}" in alternative
        earlier = {other.id for other in ZOOMS[part] if other.row < step.row}
        assert set(step.uses) <= earlier, f"{step.id} uses what is not above it"
    ends = {used for step in ZOOMS[part] for used in step.uses}
    last = max(step.row for step in ZOOMS[part])
    assert all(step.id in ends or step.row == last for step in ZOOMS[part]), "a step leads nowhere"


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
            for other in steps:
                if left < right and one.row < other.row < step.row:
                    middle = (left + right) / 2
                    assert not other.column < middle < other.column + other.columns, (one, step)


def test_queries_keys_and_values_have_their_colors_in_every_zoom():
    for steps in ZOOMS.values():
        for step in steps:
            if step.label.lower().startswith(("q =", "query", "k =", "key", "v =", "value")):
                wanted = {"q": "query", "k": "key", "v": "value"}[step.label[0].lower()]
                assert step.tone == wanted, step


def test_the_words_of_a_drawing_are_escaped():
    html = draw([Step("a", "x < y", "(T & S)", 0)], "this & that")
    assert "x &lt; y" in html
    assert "this &amp; that" in html


def test_a_part_whose_inside_is_not_drawn_is_answered_with_those_there_are():
    with pytest.raises(LookupError, match=r"inside 'text'.*attention"):
        zoom("text", "What to look for.")
    with pytest.raises(ValueError, match="caption"):
        zoom("mask", " ")


def test_an_unknown_part_is_answered_with_those_there_are():
    with pytest.raises(LookupError, match=r"no part 'engine'.*cross-attention"):
        find_part("engine")
    with pytest.raises(LookupError):
        machine_here(["engine"], PLACES)
