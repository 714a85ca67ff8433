"""Claims: the verdict follows from the evidence, and bad evidence is refused."""

import numpy as np
import pytest

from headway.figures.parts.claim import MIME, claim


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([True, True], "holds"),
        ([True, False], "holds with a caveat"),
        ([False, True, True], "holds with a caveat"),
        ([False, True, False], "mostly does not hold"),
        ([False], "does not hold"),
    ],
)
def test_the_verdict_follows_from_the_evidence(results, verdict):
    tested = claim(
        "id", "All swans are white.", [(f"pond {i}", r, "") for i, r in enumerate(results)]
    )
    assert tested.verdict == verdict
    assert f"<strong>{verdict}</strong>" in tested.html()


def test_programs_can_read_the_verdict():
    data = claim("swans", "White.", [("pond", np.bool_(False), "1 black")])._repr_mimebundle_()
    assert data[MIME] == {
        "id": "swans",
        "verdict": "does not hold",
        "evidence": [{"tried": "pond", "result": False, "detail": "1 black"}],
    }


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
        ([("a", 1, "")], TypeError, r"must be a bool, got 1 \(int\)"),
        ([("a", np.array([True]), "")], TypeError, "must be a bool"),
        ([("a", True)], TypeError, "triples"),
        (["abc"], TypeError, "triples"),
        ([(" ", True, "")], ValueError, "not empty"),
    ],
)
def test_bad_evidence_is_refused_with_a_sentence(evidence, error, says):
    with pytest.raises(error, match=says):
        claim("id", "All swans are white.", evidence)
