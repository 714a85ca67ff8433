"""Claims: the verdict follows from the evidence, and bad evidence is refused."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.claim import MIME, claim
from headway.figures.parts.seeds import over_seeds


@pytest.mark.parametrize(
    ("says", "results", "verdict"),
    [
        ("always", [True, True], "holds"),
        ("always", [True, True, False], "does not always hold"),
        ("always", [False], "does not hold"),
        ("usually", [True, True, False], "holds"),
        ("usually", [True, False], "does not usually hold"),
        ("usually", [False], "does not hold"),
        ("sometimes", [False, False, True], "holds"),
        ("sometimes", [False, False], "does not hold"),
        ("never", [False, False], "holds"),
        ("never", [False, False, True], "does not hold"),
    ],
)
def test_the_verdict_follows_from_the_cases_and_from_how_often_the_sentence_says(
    says, results, verdict
):
    rows = [(f"pond {i}", result, "") for i, result in enumerate(results)]
    tested = claim("id", "Swans are white.", rows, says=says)
    assert tested.verdict == verdict
    assert f"<strong>{verdict.capitalize()}.</strong>" in tested.html()
    assert f"<em>{says}</em>" in tested.html()


def test_a_sentence_that_says_nothing_else_speaks_of_all_cases():
    assert claim("id", "White.", [("a", True, ""), ("b", False, "")]).says == "always"


def test_what_stands_beside_the_cases_is_shown_and_has_no_vote():
    rows = [("pond", False, "1 black")]
    alone = claim("swans", "White.", rows)
    beside = claim("swans", "White.", rows, beside=[("geese", "12 < 13")])
    assert beside.verdict == alone.verdict
    assert "geese: 12 &lt; 13" in beside.html()
    assert "geese" in beside._repr_mimebundle_()["text/plain"]
    assert beside._repr_mimebundle_()[MIME] == alone._repr_mimebundle_()[MIME]


@pytest.mark.parametrize(
    ("says", "held", "verdict"),
    [
        ("always", 10, "holds"),
        ("always", 9, "does not always hold"),
        ("usually", 6, "holds"),
        ("usually", 5, "does not usually hold"),
        ("sometimes", 1, "holds"),
        ("never", 0, "holds"),
        ("never", 1, "does not hold"),
    ],
)
def test_seeds_are_one_case_that_is_so_as_often_as_the_sentence_says(says, held, verdict):
    values = np.arange(10)
    tested = claim(
        "id", "White.", [("ten ponds", over_seeds(values, values < held), "")], says=says
    )
    assert tested.verdict == verdict


VALUES = np.array([0.5, 0.9, 0.7, 0.4, 0.3, 0.8, 0.6, 0.2, 0.1, 1.0])


def picture_of(*rows) -> BeautifulSoup:
    html = claim("id", "White.", list(rows)).html()
    return BeautifulSoup(html, "html.parser").select_one("svg.hw-spread")


def test_every_seed_is_a_dot_and_the_share_the_median_and_the_range_are_said():
    result = over_seeds(VALUES, VALUES > 0.45, form=".0%")
    assert result.told() == "median 55%, from 10% to 100%; as claimed with 6 of 10 seeds"
    ponds = over_seeds(VALUES, VALUES > 0.45, of="ponds")
    assert ponds.told().endswith("; as claimed with 6 of 10 ponds")
    svg = picture_of(("ten ponds", result, ""), ("a zoo", True, ""))
    assert len(svg.select("circle")) == 10
    assert len(svg.select("circle.hw-yes")) == 6
    assert "ten ponds: median 55%, from 10% to 100%; as claimed with 6" in svg["aria-label"]
    places = [float(dot["cx"]) for dot in svg.select("circle")]
    assert places == sorted(places)
    assert places[-1] - places[0] == pytest.approx(9 * (places[1] - places[0]), abs=0.5)


def test_chance_and_the_strongest_opponent_are_drawn_in():
    result = over_seeds(VALUES, VALUES > 0.45, form=".0%", chance=0.25, against={"a goose": 1.2})
    svg = picture_of(("ten ponds", result, ""))
    assert svg["aria-label"].endswith("; chance 25%; a goose 120%.")
    said = [label.get_text() for label in svg.select("text")]
    assert set(said) == {
        "ten ponds", "10%", "chance 25%", "median 55%", "100%", "a goose 120%",
        "● as claimed ○ not so",
    }  # fmt: skip
    named = over_seeds(VALUES, VALUES > 0, name="white birds")
    said = [label.get_text() for label in picture_of(("ten ponds", named, "")).select("text")]
    assert "white birds" in said
    assert "ten ponds" not in said
    assert "● as claimed" in said
    assert len(svg.select("path.hw-mark-line")) == 2
    with pytest.raises(ValueError, match="finite"):
        over_seeds(VALUES, VALUES > 0.45, against={"a goose": np.inf})


def test_seeds_that_gave_the_same_do_not_cover_each_other():
    svg = picture_of(("ten ponds", over_seeds(np.ones(10), np.ones(10, bool)), ""))
    dots = {(dot["cx"], dot["cy"]) for dot in svg.select("circle")}
    assert len(dots) == 10
    height = float(svg["viewbox"].split()[-1])
    assert all(0 < float(dot["cy"]) < height for dot in svg.select("circle"))


def test_what_was_tried_once_has_no_picture():
    assert picture_of(("pond", True, "")) is None


def test_verdict_and_evidence_come_before_what_was_tried_which_is_folded():
    tested = claim("id", "White.", [("pond", False, "1 black")], because="One is black.")
    box = BeautifulSoup(tested.html(), "html.parser").section
    parts = list(box.find_all(recursive=False))
    assert [part["class"][0] for part in parts] == [
        *("hw-label", "hw-statement", "hw-verdict", "hw-because", "hw-tests")
    ]
    assert not parts[-1].has_attr("open")
    assert "1 black" in parts[-1].get_text()


@pytest.mark.parametrize(
    ("values", "held", "error", "says"),
    [
        (range(9), [True] * 9, ValueError, "10 seeds at least, got 9"),
        (range(10), [True] * 9, ValueError, r"got \(10,\) and \(9,\)"),
        (range(10), [1] * 10, TypeError, "must be bools"),
        ([np.nan] * 10, [True] * 10, ValueError, "finite"),
    ],
)
def test_seeds_that_say_nothing_are_refused(values, held, error, says):
    with pytest.raises(error, match=says):
        over_seeds(values, held)


def test_programs_can_read_the_verdict():
    data = claim("swans", "White.", [("pond", np.bool_(False), "1 black")])._repr_mimebundle_()
    assert data[MIME] == {
        "id": "swans",
        "says": "always",
        "verdict": "does not hold",
        "evidence": [{"tried": "pond", "result": False, "detail": "1 black"}],
    }


def test_what_never_happens_is_marked_as_speaking_for_the_claim():
    html = claim("swans", "Never black.", [("pond", False, "")], says="never").html()
    assert "does not happen:" in html
    assert "✓" in html


def test_a_sentence_says_one_of_four_words():
    with pytest.raises(ValueError, match="it can say always, usually, sometimes, never"):
        claim("id", "White.", [("pond", True, "")], says="often")


def test_the_result_is_said_in_words_and_not_by_color_alone():
    html = claim("swans", "White.", [("pond", True, ""), ("zoo", False, "")]).html()
    assert "holds:" in html
    assert "fails:" in html


def test_texts_are_escaped():
    html = claim("x", "a < b", [("<script>", True, "&")], because="1 < 2").html()
    assert "<script>" not in html
    assert "a &lt; b" in html
    assert "1 &lt; 2" in html


@pytest.mark.parametrize(
    ("evidence", "error", "says"),
    [
        ([], ValueError, "no evidence"),
        ([("a", True, ""), ("a", False, "")], ValueError, "'a' twice"),
        ([("a", 1, "")], TypeError, r"must be a bool or .* got 1 \(int\)"),
        ([("a", np.array([True]), "")], TypeError, "must be a bool"),
        ([("a", True)], TypeError, "triples"),
        (["abc"], TypeError, "triples"),
        ([(" ", True, "")], ValueError, "not empty"),
    ],
)
def test_bad_evidence_is_refused_with_a_sentence(evidence, error, says):
    with pytest.raises(error, match=says):
        claim("id", "All swans are white.", evidence)
