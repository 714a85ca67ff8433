"""The reading map: every topic hangs on a chapter, and everything drawn is said in words."""

import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.reading_map import Stop, Topic, reading_map

STOPS = {1: Stop("Words", "01-words"), 2: Stop("Chains <&>", "02-chains"), 3: Stop("Masks", "03")}
TOPICS = [Topic("Books", "read-books", 1), Topic("Code", "read-code", 3, uses=(1, 2))]


def drawn(topics=TOPICS, stops=STOPS):
    return reading_map(stops, topics, title="Two ways on", caption="What to look for.")


def soup(shown):
    return BeautifulSoup(shown.html(), "html.parser")


def test_in_the_book_every_box_is_a_link_with_its_place_in_words(monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    for kind in ("wide", "narrow"):
        links = soup(drawn()).select(f"svg.hw-road-{kind} a")
        assert [link["href"] for link in links] == [
            *("#read-books", "#read-code"),
            *("01-words.html", "02-chains.html", "03.html"),
        ]
        assert [link.title.get_text() for link in links] == [
            "Books: after chapter 1",
            "Code: after chapter 3; it also uses 1 and 2",
            *("chapter 1, Words", "chapter 2, Chains <&>", "chapter 3, Masks"),
        ]


def test_outside_the_book_nothing_leads_anywhere(monkeypatch):
    monkeypatch.delenv("HEADWAY_BOOK", raising=False)
    assert not soup(drawn()).select("a")
    said = drawn()._repr_mimebundle_()["text/plain"].splitlines()
    assert said[-1] == "Code: after chapter 3; it also uses 1 and 2"


def test_a_line_leads_to_a_topic_from_each_of_its_chapters_and_one_is_strong():
    svg = soup(drawn()).select_one("svg.hw-road-wide")
    assert [path["class"] for path in svg.select("path")] == [
        *(["hw-uses"], ["hw-uses"]),
        *(["hw-after"], ["hw-after"]),
    ]


def test_all_that_is_drawn_is_said_in_words():
    said = [item.get_text() for item in soup(drawn()).select("details li")]
    assert said == [
        "Books: after chapter 1, Words.",
        "Code: after chapter 3, Masks; it also uses 1 and 2.",
    ]


@pytest.mark.parametrize(
    ("topics", "said"),
    [
        ([], r"got \[\]"),
        (TOPICS[::-1], r"got \[3, 1\]"),
        ([Topic("Far", "read-far", 4)], "names chapter 4"),
        ([Topic("Early", "read-early", 1, uses=(2,))], "names chapter 2"),
        ([Topic(" ", "read-nothing", 1)], "name must be a text"),
    ],
)
def test_what_has_no_place_on_the_map_is_refused(topics, said):
    with pytest.raises(ValueError, match=said):
        drawn(topics)
