"""The drawing of chapter 6: its numbers are those of a step of negative sampling."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from headway.figures.gallery.pull_and_push import Guess, pull_and_push
from headway.nn.word_vectors import negative_sampling_loss

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
LATER = {"goat": np.array([2.1, -1.3]), "cow": np.array([2.0, -1.2]), "cart": np.array([-1.0, 2.0])}


def drawn(guess=GUESS, later=LATER):
    return pull_and_push(guess, later, 1_500, "It pulls", "Play.")


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def test_the_step_is_one_of_gradient_descent_on_the_loss_of_negative_sampling():
    words = [0, 1, 2, 0]  # the rows of U: slept, crown, the, and slept once more
    given = torch.tensor(GUESS.given[None], requires_grad=True)
    guessed = torch.tensor(GUESS.guessed[:3], requires_grad=True)
    negative_sampling_loss(given, guessed, torch.tensor([0]), torch.tensor([words[1:]])).backward()
    np.testing.assert_allclose(GUESS.given_after, GUESS.given - 0.5 * given.grad[0].numpy())
    np.testing.assert_allclose(
        GUESS.guessed_after[:3], GUESS.guessed[:3] - 0.5 * guessed.grad.numpy()
    )


def test_a_drawn_word_that_is_the_true_one_moves_nothing_and_has_no_score():
    assert GUESS.kept.tolist() == [True, True, True, False]
    assert GUESS.forces[3] == 0
    figure = drawn()
    assert texts(figure.drawing).count("0.93") == 1, "the true neighbor's score, and no second one"
    assert "left out" in figure.data["steps"][2]
    without = replace(GUESS, drawn=["crown", "the", "barn"])
    assert "left out" not in drawn(without).data["steps"][2]
    assert without.forces[3] < 0


def test_it_prints_the_numbers_of_each_word():
    said = texts(drawn().drawing)
    for i in range(3):
        for number in (GUESS.scores[i], GUESS.chances[i], GUESS.forces[i], GUESS.scores_after[i]):
            assert f"{number:.2f}".replace("-", "−") in said
    assert {"pull", "push", "goat", "cow", "cart", "drawn, left out"} <= set(said)
    assert "“goat” and “cow”" in drawn().data["steps"][6]


def test_the_true_neighbor_fits_better_after_the_step_and_drawn_words_worse():
    change = GUESS.scores_after - GUESS.scores
    assert change[0] > 0
    assert (change[1:3] < 0).all()


def test_the_drawing_is_whole_without_scripts_and_has_a_part_for_each_step():
    svg = ElementTree.fromstring(drawn().drawing)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert sorted(set(steps)) == list(range(1, 8)) == list(range(1, len(drawn().data["steps"]) + 1))
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height


@pytest.mark.parametrize(
    ("change", "later", "says"),
    [
        ({"given": np.ones(3)}, LATER, "as wide as the center's"),
        ({"guessed": np.ones((3, 2))}, LATER, "as wide as the center's"),
        (
            {"given": np.ones(5), "guessed": np.ones((4, 5))},
            {word: np.ones(5) for word in LATER},
            "4 numbers in a row",
        ),
        ({}, {"goat": np.ones(2)}, "2 to 6 words later"),
        ({"drawn": ["the"] * 5, "guessed": np.ones((6, 2))}, LATER, "up to 3 drawn words"),
        ({"neighbor": 4}, LATER, "word 4 is no neighbor of word 1"),
        ({"neighbor": 1}, LATER, "word 1 is no neighbor"),
    ],
)
def test_what_cannot_be_drawn_is_refused(change, later, says):
    with pytest.raises(ValueError, match=says):
        drawn(replace(GUESS, **change), later)
