"""Claims: the verdict follows from the evidence, and bad evidence is refused."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.claim import MIME, claim
from headway.figures.parts.seeds import over_seeds

VALUES = np.array([0.5, 0.9, 0.7, 0.4, 0.3, 0.8, 0.6, 0.2, 0.1, 1.0])
POND = ("pond", True, "")


def claimed(*rows, **more):
    said = {"says": "always", "otherwise": "No pond would have a black one."} | more
    return claim("swans", "Swans are white.", list(rows), **said)


def box_of(*rows, **more) -> BeautifulSoup:
    return BeautifulSoup(claimed(*rows, **more).html(), "html.parser").section


def picture_of(*rows) -> BeautifulSoup:
    return box_of(*rows).select_one("svg.hw-spread")


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
    assert claimed(*rows, says=says).verdict == verdict
    html = claimed(*rows, says=says).html()
    assert f"<strong>{verdict.capitalize()}.</strong>" in html
    assert f"<em>{says}</em>" in html


@pytest.mark.parametrize(
    ("says", "held", "verdict"),
    [
        ("always", 10, "holds"),
        ("always", 9, "does not always hold"),
        ("usually", 6, "holds"),
        ("usually", 5, "does not usually hold"),
        ("never", 1, "does not hold"),
    ],
)
def test_seeds_are_one_case_that_is_so_as_often_as_the_sentence_says(says, held, verdict):
    seeds = over_seeds(np.arange(10), np.arange(10) < held)
    assert claimed(("ten ponds", seeds, ""), says=says).verdict == verdict


def test_what_stands_beside_the_cases_is_shown_and_has_no_vote():
    rows = [("pond", np.bool_(False), "1 black")]
    beside = claimed(*rows, beside=[("geese", "12 < 13")])._repr_mimebundle_()
    assert "geese: 12 &lt; 13" in beside["text/html"]
    assert "geese" in beside["text/plain"]
    assert beside[MIME] == {
        "id": "swans",
        "says": "always",
        "verdict": "does not hold",
        "evidence": [{"tried": "pond", "result": False, "detail": "1 black"}],
    }


def test_every_seed_is_a_dot_and_the_share_the_median_and_the_range_are_said():
    result = over_seeds(VALUES, VALUES > 0.45, form=".0%")
    assert result.told() == "median 55%, from 10% to 100%; true with 6 of 10 seeds"
    assert over_seeds(VALUES, VALUES > 0.45, of="ponds").told().endswith("6 of 10 ponds")
    svg = picture_of(("ten ponds", result, ""), ("a zoo", True, ""))
    assert len(svg.select("circle")) == 10
    assert len(svg.select("circle.hw-yes")) == 6
    assert "ten ponds: median 55%, from 10% to 100%; true with 6" in svg["aria-label"]
    places = [float(dot["cx"]) for dot in svg.select("circle")]
    assert places == sorted(places)
    assert places[-1] - places[0] == pytest.approx(9 * (places[1] - places[0]), abs=0.5)
    assert picture_of(POND) is None, "tried once"


def test_chance_and_the_strongest_opponent_are_drawn_in():
    result = over_seeds(VALUES, VALUES > 0.45, form=".0%", chance=0.25, against={"a goose": 1.2})
    svg = picture_of(("ten ponds", result, ""))
    assert svg["aria-label"].endswith("; chance 25%; a goose 120%.")
    assert {label.get_text() for label in svg.select("text")} == {
        "ten ponds", "10%", "chance 25%", "median 55%", "100%", "a goose 120%",
        "● as claimed ○ not so",
    }  # fmt: skip
    assert len(svg.select("path.hw-mark-line")) == 2
    named = picture_of(("ten ponds", over_seeds(VALUES, VALUES > 0, name="white birds"), ""))
    said = {label.get_text() for label in named.select("text")}
    assert {"white birds", "● as claimed"} <= said
    assert "ten ponds" not in said


def test_seeds_that_gave_the_same_do_not_cover_each_other():
    svg = picture_of(("ten ponds", over_seeds(np.ones(10), np.ones(10, bool)), ""))
    assert len({(dot["cx"], dot["cy"]) for dot in svg.select("circle")}) == 10
    height = float(svg["viewbox"].split()[-1])
    assert all(0 < float(dot["cy"]) < height for dot in svg.select("circle"))


def test_verdict_and_evidence_come_before_what_was_tried_which_is_folded():
    box = box_of(("pond", False, "1 black"), ("zoo", True, ""), because="One is black.")
    parts = list(box.find_all(recursive=False))
    assert [part["class"][0] for part in parts] == [
        *("hw-label", "hw-statement", "hw-verdict", "hw-because", "hw-tests")
    ]
    assert not parts[-1].has_attr("open")
    for said in ("1 black", "holds:", "fails:"):  # in words, and not by color alone
        assert said in parts[-1].get_text()


def test_what_never_happens_is_marked_as_speaking_for_the_claim():
    said = box_of(("pond", False, ""), says="never").get_text()
    assert "does not happen:" in said
    assert "✓" in said


def test_texts_are_escaped():
    row = ("<script>", True, "&")
    html = claim("x", "a < b", [row], says="always", otherwise="2 < 3", because="1 < 2").html()
    assert "<script>" not in html
    assert "a &lt; b" in html
    assert "1 &lt; 2" in html
    assert "2 &lt; 3" in html


def test_the_fold_says_how_the_sentence_is_read_and_what_would_have_spoken_otherwise():
    rows = [("pond", True, ""), ("zoo", False, "")]
    fold = box_of(*rows, says="usually").details.get_text()
    assert "We read it as usually: more than half of what was tried has to agree." in fold
    assert "What we would have seen otherwise: No pond would have a black one." in fold
    assert "one exception refutes it" in claimed(*rows)._repr_mimebundle_()["text/plain"]


def with_seeds(values=VALUES, held=(True,) * 10, **more):
    return over_seeds(values, held, **more)


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: with_seeds(range(9), [True] * 9), ValueError, "10 seeds at least, got 9"),
        (lambda: with_seeds(held=[True] * 9), ValueError, r"got \(10,\) and \(9,\)"),
        (lambda: with_seeds(held=[1] * 10), TypeError, "must be bools"),
        (lambda: with_seeds([np.nan] * 10), ValueError, "finite"),
        (lambda: with_seeds(against={"a goose": np.inf}), ValueError, "finite"),
        (lambda: claimed(POND, says="often"), ValueError, "can say always, usually, sometimes"),
        (lambda: claimed(), ValueError, "no evidence"),
        (lambda: claimed(POND, POND), ValueError, "'pond' twice"),
        (lambda: claimed(POND, otherwise=" "), ValueError, "otherwise"),
        (lambda: claimed(("a", 1, "")), TypeError, r"must be a bool or .* got 1 \(int\)"),
        (lambda: claimed(("a", True)), TypeError, "triples"),
        (lambda: claimed("abc"), TypeError, "triples"),
        (lambda: claimed((" ", True, "")), ValueError, "not empty"),
    ],
)
def test_bad_evidence_is_refused(make, error, says):
    with pytest.raises(error, match=says):
        make()
