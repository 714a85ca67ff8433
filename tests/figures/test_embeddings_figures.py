"""The figures of chapter 6: their numbers are the vectors', and what makes no sense is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.embeddings.guess import Guess
from headway.figures.gallery.embeddings.pull_and_push import Journey, pull_and_push
from headway.figures.gallery.embeddings.word_map import flatten, word_map
from headway.figures.gallery.embeddings.word_roads import LINE, apart
from headway.figures.gallery.embeddings.word_scores import scores_of, softmax, word_scores
from headway.nn.word_vectors import negative_sampling_loss
from headway.text.counts import nearest
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_upright, assert_whole, part, texts, widths

GUESS = Guess(
    words=["a", "goat", "slept", "in", "the", "barn"],
    center=1,
    neighbor=2,
    window=2,
    drawn=["crown", "the", "slept"],
    given=np.array([0.9, 0.6]),
    guessed=np.array([[0.3, 1.1], [0.8, -0.4], [0.5, 0.2], [0.3, 1.1]]),
    rate=0.5,
)
ENDS = np.array([[2.1, -1.3], [2.0, -1.2], [-1.0, 2.0]])
TRACKS = np.linspace(0.1, 1, 9)[:, None, None] * ENDS
WORDS = ["king", "queen", "man", "woman", "fig", "plum"]
VECTORS = np.array(
    [[3, 1, 0], [3, -1, 0], [1, 1, 0], [1, -1, 0], [0, 0.25, 2], [0.125, 0, 2]], dtype=float
)
GROUPS = {"people": WORDS[:4], "fruit": WORDS[4:]}


def drawn(words=("goat", "cow", "cart"), tracks=TRACKS, **changes):
    return pull_and_push(Journey(replace(GUESS, **changes), words, tracks), "It pulls", "Play.")


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


def test_the_step_is_one_of_gradient_descent_on_the_loss_of_negative_sampling():
    given = torch.tensor(GUESS.given[None], requires_grad=True)
    guessed = torch.tensor(GUESS.guessed[:3], requires_grad=True)
    # The rows of U: slept, crown, the, and slept once more.
    negative_sampling_loss(given, guessed, torch.tensor([0]), torch.tensor([[1, 2, 0]])).backward()
    np.testing.assert_allclose(GUESS.given_after, GUESS.given - 0.5 * given.grad[0].numpy())
    np.testing.assert_allclose(
        GUESS.guessed_after[:3], GUESS.guessed[:3] - 0.5 * guessed.grad.numpy()
    )


def test_every_word_but_the_true_one_s_double_has_a_guess_and_an_arrow_to_the_truth():
    figure = drawn()
    assert_whole(figure)
    guessed, moved = part(figure, 2), part(figure, 3)
    assert texts(guessed)[:2] == ["no", "yes"]
    assert {"slept", "crown", "the", "left out"} <= set(texts(guessed))
    dots = [ends(line) for line in guessed.iter("path") if wide(line, "13")]
    no, yes = next(ends(line) for line in guessed.iter("path") if wide(line, "2"))
    shares = [(dot[0] - no) / (yes - no) for dot in dots]
    np.testing.assert_allclose(shares, GUESS.chances[:3], atol=0.01)
    arrows = [ends(line) for line in moved.iter("path") if wide(line, "4")]
    assert arrows == [(dots[0][0], yes), (dots[1][0], no), (dots[2][0], no)]
    assert texts(moved).count("pull") == 1
    assert texts(moved).count("push") == 2
    assert "left out" in figure.data["steps"][1]
    assert "left out" not in drawn(drawn=["crown", "the", "barn"]).data["steps"][1]


def test_every_word_has_its_road_to_where_it_ends_in_both_forms():
    figure = drawn()
    roads = [d for d in widths(part(figure, 4), "residual") if d == 2.5]
    assert len(roads) == len(ENDS)
    assert {"goat", "cow", "cart"} <= set(texts(part(figure, 4)))
    assert "“goat” and “cow” have been pulled the same ways" in figure.data["steps"][3]
    assert "“cart” is far away" in figure.data["steps"][3]
    assert "goat from (0.2, −0.1) to (2.1, −1.3)" in figure.alt
    assert_upright(figure)


def test_names_that_would_lie_on_each_other_are_moved_apart():
    heights = apart([50.0, 52.0, 10.0, 51.0])
    assert np.diff(sorted(heights)).min() > LINE - 1
    assert np.argsort(heights).tolist() == [2, 0, 3, 1]
    assert apart([10.0, 90.0]) == [10.0, 90.0]


def wide(line, width):
    return line.get("stroke-width") == width and "hw-tip" not in line.get("class")


def ends(line):
    """Where a line of two points begins and ends, from left to right."""
    first, last = line.get("d").removeprefix("M").split("L")
    return float(first.split()[0]), float(last.split()[0])


def test_the_map_keeps_two_directions_whole_and_says_how_much_of_three():
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(9, 1)) * [1, 0, 0] + rng.normal(size=(9, 1)) * [0, 1, 0]
    assert flatten(flat)[1] == pytest.approx(1)
    points, kept = flatten(rng.normal(size=(9, 5)))
    assert 0.3 < kept < 1
    assert (points.max(axis=0) >= -points.min(axis=0)).all()
    np.testing.assert_allclose(points.mean(axis=0), 0, atol=1e-12)
    longer = VECTORS * np.array([[1], [2], [3], [1], [2], [5]])
    np.testing.assert_allclose(flatten(longer)[0], flatten(VECTORS)[0], atol=1e-9)


def test_the_map_names_the_neighbors_that_the_package_finds():
    figure = mapped()
    assert_on_page(figure)
    (near, second), cosines = nearest(VECTORS, WORDS.index("fig"), 2)
    assert f"{WORDS[near]} {cosines[0]:.2f}, {WORDS[second]} {cosines[1]:.2f}." in figure.alt
    assert figure.data["of"] == [0, 0, 0, 0, 1, 1]
    assert [row[4] for row in figure.rows] == [
        WORDS[nearest(VECTORS, i, 1)[0][0]] for i in range(len(WORDS))
    ]


def test_scores_are_dot_products_and_say_which_words_score_highest():
    np.testing.assert_allclose(scores_of(VECTORS, VECTORS, [0]), VECTORS @ VECTORS[0])
    np.testing.assert_allclose(scores_of(VECTORS, VECTORS, [0, 2, 3]), VECTORS @ VECTORS[1])
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0])), [0.5, 0.5])
    figure = scored()
    assert_on_page(figure)
    assert "king − man + woman scores highest, by E, for queen 10, king 8, woman 4" in figure.alt
    assert figure.rows[0][0] == "queen"
    assert figure.data["tables"][0]["rows"] is None, "the vectors themselves stand there once"
    assert figure.data["tables"][1]["rows"] == (-VECTORS).tolist()
    assert "The vector of fig scores" in scored(start=["fig"]).alt


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"given": np.ones(3)}, "a row of two numbers"),
        (drawn, {"guessed": np.ones((3, 2))}, "so do 4 words"),
        (drawn, {"words": ["goat"]}, "1 words need 5 steps"),
        (drawn, {"tracks": TRACKS[:3]}, "5 steps or more of (3, 2)"),
        (drawn, {"drawn": ["the"] * 5, "guessed": np.ones((6, 2))}, "up to 3 drawn words"),
        (drawn, {"neighbor": 4}, "word 4 is no neighbor of word 1"),
        (drawn, {"neighbor": 1}, "word 1 is no neighbor"),
        (mapped, {"vectors": VECTORS[:5]}, "(6, C), got shape (5, 3)"),
        (mapped, {"vectors": VECTORS[:, :1]}, "2 to 32 columns"),
        (mapped, {"vectors": VECTORS * np.nan}, "finite"),
        (mapped, {"vectors": VECTORS * [[0], [1], [1], [1], [1], [1]]}, "a vector is zero"),
        (mapped, {"words": ["king"] * 6}, "'king' comes twice"),
        (mapped, {"start": "emperor"}, "'emperor' is not one of"),
        (mapped, {"count": 6}, "1 … 5, got 6"),
        (mapped, {"groups": {"a": ["fig"], "b": ["fig"]}}, "'fig' is in two groups"),
        (mapped, {"groups": {str(i): [] for i in range(6)}}, "5 groups can be told apart, got 6"),
        (scored, {"tables": {}}, "needs a table"),
        (scored, {"tables": {"U": VECTORS[:, :2]}}, "(6, 3), got (6, 2)"),
        (scored, {"start": ["king", "man"]}, "one word, or three"),
        (scored, {"count": 7}, "1 … 6, got 7"),
    ],
)
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
of_map, of_scores = CASES.of("word_map"), CASES.of("word_scores")
TABLE, POINTS = normal(9, 4), normal(9, 2, seed=1)
DISTANCES = np.linalg.norm(POINTS - POINTS[4], axis=1)
LENGTHS = np.linalg.norm(TABLE, axis=1)
for measure, near in (
    ("cosine", TABLE @ TABLE[4] / LENGTHS / LENGTHS[4]),
    ("dot product", TABLE @ TABLE[4]),
    ("distance on the map", -DISTANCES),
):
    ranked = [i for i in np.argsort(-near).tolist() if i != 4][:5]
    of_map(
        f"the nearest by {measure}, and how near",
        "neighbors(measure, { words: vectors, vectors, points }, 4, 5)"
        ".map(({ word, value }) => [word, value])",
        np.array([[i, near[i]] for i in ranked]),
        **{"measure": measure, "vectors": TABLE, "points": POINTS},
    )
of_map(
    "neighbors that tie come in the order of the words",
    "neighbors('dot product', { words: [0, 1, 2], vectors: [[1], [1], [1]] }, 1, 2)",
    [{"word": 0, "value": 1}, {"word": 2, "value": 1}],
)
of_map(
    "a place on the map belongs to the nearest point",
    "points.map(([x, y]) => wordAt(points, x + 0.001, y))",
    list(range(9)),
    points=POINTS,
)
of_map(
    "labels keep apart, and stay at their points where there is room",
    "apart([5, 1, 1.25, 9], 1)",
    [5, 1, 2, 9],
)
for chosen in ([3], [3, 0, 7]):
    scores = scores_of(TABLE, TABLE[::-1], chosen)
    of_scores(
        f"the scores of {len(chosen)} words made one",
        "scoresOf(table, combined(vectors, chosen))",
        scores,
        **{"table": TABLE[::-1], "vectors": TABLE, "chosen": chosen},
    )
    of_scores(
        f"the best of the scores of {len(chosen)} words, without the words",
        "best(scores, 4, chosen)",
        [i for i in np.argsort(-scores).tolist() if i not in chosen][:4],
        **{"scores": scores, "chosen": chosen},
    )


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
