"""What all drawings are made of: a canvas, and steps that one goes through."""

from xml.etree import ElementTree

import pytest

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import stepped
from tests.figures.node import Cases
from tests.figures.shown import texts


def test_words_that_look_like_markup_are_escaped():
    canvas = Canvas(9, 9, "a < b")
    canvas.write(1, 1, "<b>")
    assert texts(ElementTree.fromstring(canvas.svg())) == ["<b>"]


def test_a_step_without_a_part_and_a_color_without_a_meaning_are_refused():
    with pytest.raises(ValueError, match="belongs to step 1 of 1"):
        stepped("<svg/>", ["One."], "A", "B.", "C.", ["x"], [[1]])
    with pytest.raises(ValueError, match="'red' is no tone"):
        Canvas(9, 9, "A").write(0, 0, "a", tone="red")


def test_an_upright_form_needs_every_step_too():
    drawing, lacking = '<svg><g data-step="1"/></svg>', '<svg class="hw-upright"/>'
    with pytest.raises(ValueError, match="upright drawing belongs to step 1 of 1"):
        stepped(drawing, ["One."], "A", "B.", "C.", ["x"], [[1]], upright=lacking)


def test_what_moves_says_from_where_and_when():
    canvas = Canvas(9, 9, "A")
    with canvas.step(1), canvas.moving("arrives", dx=4, dy=-2, after=0.3):
        canvas.line([(0, 0), (1, 1)])
    with canvas.step(2), canvas.moving("draws"):
        canvas.line([(0, 0), (1, 1)])
    drawing = canvas.svg()
    assert 'class="hw-arrives" style="--dx:4px;--dy:-2px;--after:0.30s"' in drawing
    assert drawing.count('pathLength="1"') == 1
    with pytest.raises(ValueError, match="'jumps' is no motion of a drawing; there are appears"):
        canvas.moving("jumps").__enter__()


def test_what_is_seen_on_its_way_only_is_not_on_paper():
    canvas = Canvas(9, 9, "A")
    with canvas.step(1):
        for motion in ("travels", "reaches", "pours"):
            with canvas.moving(motion):
                canvas.ribbon([(0, 0), (1, 1)], "value", 4)
    groups = ElementTree.fromstring(canvas.svg()).findall(".//g[@style]")
    assert [group.get("opacity") for group in groups] == ["0", "0", None]


def test_an_arrow_that_is_drawn_gets_its_tip_last_and_a_still_one_is_one_line():
    canvas = Canvas(9, 9, "A")
    canvas.line([(0, 0), (1, 1)], arrow=True)
    with canvas.moving("draws"):
        canvas.line([(0, 0), (1, 1)], arrow=True)
    kinds = [path.get("class") for path in ElementTree.fromstring(canvas.svg()).iter("path")]
    assert ["hw-tip" in kind for kind in kinds] == [False, False, True]


def test_what_rolls_goes_back_along_its_way_and_what_turns_says_around_what():
    canvas = Canvas(9, 9, "A")
    with canvas.rolling([(0, 0), (4, 1), (5, 9)]):
        canvas.circle(5, 9, 1)
    with canvas.turning(3, 4, 90):
        canvas.circle(3, 4, 1)
    ways = [group.get("style") for group in ElementTree.fromstring(canvas.svg()).iter("g")]
    assert ways == [
        "--dx:-4px;--dy:-1px;--after:0.00s",
        "--dx:-1px;--dy:-8px;--after:0.50s",
        "--turn:-90deg;--after:0.00s;transform-origin:3px 4px",
    ]


CASES = Cases()
CASES.of("stepped")(
    "keys lead from step to step, and stop at both ends",
    "pressed.map(([key, step]) => stepAfter(key, step, 7))",
    [3, 7, 1, 1, 7],
    pressed=[("ArrowRight", 2), ("ArrowRight", 7), ("ArrowLeft", 1), ("Home", 5), ("End", 2)],
)
CASES.of("stepped")(
    "a step lasts as long as its sentence is read and its motion is looked at",
    "[pauseOf('Short.', 0), pauseOf('x'.repeat(100), 0), pauseOf('Short.', 2)]",
    [2400, 4500, 4400],
)
CASES.of("stepped")(
    "what is out of sight is scrolled between ceiling and floor, its top first",
    "seen.map(([top, bottom]) => scrollBetween(top, bottom, 60, 500))",
    [0, 100, -50, 40],
    seen=[(100, 400), (300, 600), (10, 200), (100, 900)],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_it_should(answers, name):
    CASES[name].check(answers[name])
