"""Drawings that scrolling plays."""

import pytest
from bs4 import BeautifulSoup

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.scene import scene
from headway.figures.gallery.shared.stepped import stepped
from tests.figures.node import Cases

pytestmark = pytest.mark.book


def drawing():
    canvas = Canvas(60, 20, "Three steps.")
    for number, word in enumerate(("one", "two", "three"), 1):
        with canvas.step(number):
            canvas.write(20, 10, word)
    sentences = ["One.", "Two.", "Three."]
    return stepped(
        canvas.svg(), sentences, "It counts", "Play.", "Three.", ["n"], [["one"]],
        upright=canvas.svg(upright=True),
    )  # fmt: skip


def test_both_forms_of_the_drawing_come_before_the_sentences_in_their_order():
    page = BeautifulSoup(scene("08-attention", drawing(), {2: "A & b.", 3: "C."}).html(), "lxml")
    forms, cards = page.select_one(".hw-scene-picture"), page.select_one("ol.hw-scene-cards")
    assert len(forms.select("svg")) == 2
    assert cards in forms.find_next_siblings()
    assert [card.get_text(strip=True) for card in cards.select("li")] == ["A & b.", "C."]
    assert page.select_one("[role=group]")["aria-label"] == "It counts"


def test_in_a_notebook_it_is_the_drawing_with_its_buttons(monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    played, own = drawing(), drawing()._repr_mimebundle_()
    assert scene("08-attention", played, {3: "All."})._repr_mimebundle_().keys() == own.keys()


@pytest.mark.parametrize("steps", [(), (1, 2), (2, 1, 3), (0, 3), (1, 4)])
def test_its_cards_go_through_all_steps(steps):
    with pytest.raises(ValueError, match="end with step 3"):
        scene("08-attention", drawing(), dict.fromkeys(steps, "Said."))


CASES = Cases()
CASES.of("scene")(
    "the sentence that has been reached is the last one above the line",
    "lines.map((line) => reached([10, 50, 90], line))",
    [-1, 0, 1, 2],
    lines=[5, 11, 60, 200],
)
CASES.of("scene")(
    "a drawing that is a little too tall is made smaller, and a taller one keeps its width",
    "[2, 1, 0.8, 0.5].map((ratio) => fitted(ratio, 100, 100))",
    [
        {"width": 100, "tall": 50},
        {"width": 100, "tall": 100},
        {"width": 80, "tall": 100},
        {"width": 100, "tall": 200},
    ],
)
CASES.of("scene")(
    "what is new comes into the middle, as far as there is drawing above and below",
    "seen.map(([top, bottom]) => view(top, bottom, 250, 100))",
    [{"zoom": 1, "up": 0}, {"zoom": 1, "up": 50}, {"zoom": 1, "up": 150}],
    seen=[(0, 40), (80, 120), (230, 250)],
)
CASES.of("scene")(
    "what is new and would not fit is seen from farther away, but not from too far",
    "seen.map(([top, bottom]) => view(top, bottom, 250, 100))",
    [{"zoom": 0.8, "up": 40}, {"zoom": 0.6, "up": 0}],
    seen=[(50, 175), (0, 250)],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_it_should(answers, name):
    CASES[name].check(answers[name])
