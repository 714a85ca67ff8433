"""The figures of chapter 6: their numbers are the vectors', and what makes no sense is refused."""

import numpy as np
import pytest

from headway.figures.gallery.word_map import flatten, word_map
from headway.figures.gallery.word_scores import scores_of, softmax, word_scores
from headway.text.counts import nearest

WORDS = ["king", "queen", "man", "woman", "fig", "plum"]
VECTORS = np.array(
    [[3, 1, 0], [3, -1, 0], [1, 1, 0], [1, -1, 0], [0, 0.25, 2], [0.125, 0, 2]], dtype=float
)
GROUPS = {"people": WORDS[:4], "fruit": WORDS[4:]}


def mapped(**changes):
    given = {
        "words": WORDS, "vectors": VECTORS, "groups": GROUPS, "start": "fig", "title": "Near",
        "count": 2,
    }  # fmt: skip
    return word_map(**given | changes)


def scored(**changes):
    given = {
        "words": WORDS, "vectors": VECTORS, "tables": {"E": VECTORS, "U": -VECTORS},
        "start": ["king", "man", "woman"], "title": "Scores", "count": 3,
    }  # fmt: skip
    return word_scores(**given | changes)


def test_the_map_keeps_two_directions_whole_and_says_how_much_of_three():
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(9, 1)) * [1, 0, 0] + rng.normal(size=(9, 1)) * [0, 1, 0]
    assert flatten(flat)[1] == pytest.approx(1)
    points, kept = flatten(rng.normal(size=(9, 5)))
    assert 0.3 < kept < 1
    assert (points.max(axis=0) >= -points.min(axis=0)).all()
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-12)


def test_the_map_does_not_depend_on_the_lengths_of_the_vectors():
    longer = VECTORS * np.array([[1], [2], [3], [1], [2], [5]])
    np.testing.assert_allclose(flatten(longer)[0], flatten(VECTORS)[0], atol=1e-9)


def test_the_map_names_the_neighbors_that_the_package_finds():
    figure = mapped()
    (near, second), cosines = nearest(VECTORS, WORDS.index("fig"), 2)
    assert f"{WORDS[near]} {cosines[0]:.2f}, {WORDS[second]} {cosines[1]:.2f}." in figure.alt
    assert figure.data["of"] == [0, 0, 0, 0, 1, 1]
    assert [row[4] for row in figure.rows] == [
        WORDS[nearest(VECTORS, i, 1)[0][0]] for i in range(len(WORDS))
    ]


def test_scores_are_dot_products_with_one_vector_or_with_three_that_are_made_one():
    np.testing.assert_allclose(scores_of(VECTORS, VECTORS, [0]), VECTORS @ VECTORS[0])
    made = VECTORS[0] - VECTORS[2] + VECTORS[3]
    np.testing.assert_allclose(scores_of(VECTORS, VECTORS, [0, 2, 3]), VECTORS @ made)
    np.testing.assert_allclose(made, VECTORS[1])


def test_probabilities_are_the_softmax_also_of_large_scores():
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0])), [0.5, 0.5])


def test_the_scores_say_what_the_vector_is_made_of_and_which_words_score_highest():
    figure = scored()
    assert "king − man + woman scores highest, by E, for queen 10, king 8, woman 4" in figure.alt
    assert figure.rows[0][0] == "queen"
    assert figure.data["tables"][0]["rows"] is None, "the vectors themselves stand there once"
    assert figure.data["tables"][1]["rows"] == (-VECTORS).tolist()
    assert "The vector of fig scores" in scored(start=["fig"]).alt


@pytest.mark.parametrize(
    ("figure", "changes", "says"),
    [
        (mapped, {"vectors": VECTORS[:5]}, r"\(6, C\), got shape \(5, 3\)"),
        (mapped, {"vectors": VECTORS[:, :1]}, "2 to 32 columns"),
        (mapped, {"vectors": VECTORS * np.nan}, "finite"),
        (mapped, {"vectors": VECTORS * [[0], [1], [1], [1], [1], [1]]}, "a vector is zero"),
        (mapped, {"words": ["king"] * 6}, "'king' comes twice"),
        (mapped, {"start": "emperor"}, "'emperor' is not one of"),
        (mapped, {"count": 6}, r"1 … 5, got 6"),
        (mapped, {"groups": {"a": ["fig"], "b": ["fig"]}}, "'fig' is in two groups"),
        (mapped, {"groups": {str(i): [] for i in range(6)}}, "5 groups can be told apart, got 6"),
        (scored, {"tables": {}}, "needs a table"),
        (scored, {"tables": {"U": VECTORS[:, :2]}}, r"\(6, 3\), got \(6, 2\)"),
        (scored, {"start": ["king", "man"]}, "one word, or three"),
        (scored, {"count": 7}, r"1 … 6, got 7"),
    ],
)
def test_what_makes_no_sense_is_refused(figure, changes, says):
    with pytest.raises(ValueError, match=says):
        figure(**changes)
