"""The drawing of chapter 4: its numbers are those of a step of gradient descent."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from headway.figures.gallery.one_step import Voters, one_step
from headway.ngram.soft_lookup import SoftLookup

VOTERS = Voters(
    words=["check", "battery", "log", "it"],
    answer="down",
    votes=np.array([0.5, 1.0, 0.25, 0.5]),
    scores=np.array([0.2, 0.0, -1.0, 0.0]),
)
LATER = np.array([-0.5, 6.0, -1.5, -0.4])


def drawn(voters=VOTERS, rate=10.0, later=LATER):
    return one_step(voters, rate, later, 300, "It learns", "Play.")


def texts(svg: str) -> list[str]:
    return [one.text for one in ElementTree.fromstring(svg).iter("text")]


def shown(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".replace("-", "−")


def test_the_step_is_what_an_optimizer_does_to_a_soft_lookup():
    votes = torch.from_numpy(np.stack([VOTERS.votes, 1 - VOTERS.votes], axis=1))
    lookup = SoftLookup(votes, torch.from_numpy(VOTERS.scores))
    mixed, weights = lookup(torch.arange(4)[None], torch.ones(1, 4, dtype=torch.bool))
    loss = -mixed[0, 0].log()
    optimizer = torch.optim.SGD(lookup.parameters(), lr=10)
    loss.backward()
    np.testing.assert_allclose(VOTERS.weights, weights[0].detach())
    assert VOTERS.loss == pytest.approx(loss.item())
    np.testing.assert_allclose(VOTERS.slopes, lookup.scores.grad)
    optimizer.step()
    np.testing.assert_allclose(VOTERS.after(10).scores, lookup.scores.detach())


def test_with_equal_scores_nine_words_give_the_five_votes_of_nine_of_chapter_3():
    nine = Voters([str(i) for i in range(9)], "down", np.array([1] + [0.5] * 8), np.zeros(9))
    assert nine.chance == pytest.approx(5 / 9)
    np.testing.assert_allclose(nine.slopes[:2], [-4 / 45, 1 / 90])
    lead = nine.after(10).scores
    assert lead[0] - lead[1] == pytest.approx(1)


def test_it_prints_the_numbers_before_and_after_the_step_and_at_the_end():
    said = texts(drawn().drawing)
    after, trained = VOTERS.after(10), replace(VOTERS, scores=LATER)
    for i, word in enumerate(VOTERS.words):
        assert word in said
        assert shown(VOTERS.weights[i], 2) in said
        assert shown(VOTERS.slopes[i], 3) in said
        assert shown(after.scores[i], 2) in said
        assert shown(after.weights[i], 2) in said
        assert shown(trained.weights[i], 3) in said
    for now, digits in ((VOTERS, 2), (after, 2), (trained, 3)):
        assert f"loss {now.loss:.{digits}f}" in said
        assert f"{now.chance:.{digits}f}" in said
    assert "− 10 · slope" in said


def test_the_words_of_a_step_say_whose_slope_is_below_zero_if_one_is_alone():
    assert "for “battery” alone" in drawn().data["steps"][4]
    two = replace(VOTERS, votes=np.array([1.0, 1.0, 0.25, 0.5]))
    assert "alone" not in drawn(two).data["steps"][4]


def test_it_is_whole_without_scripts_and_has_a_part_for_each_step():
    figure = drawn()
    svg = ElementTree.fromstring(figure.drawing)
    steps = [int(group.get("data-step")) for group in svg.iter("g") if group.get("data-step")]
    assert sorted(set(steps)) == list(range(1, len(figure.data["steps"]) + 1))
    width, height = map(float, svg.get("viewBox").split()[2:])
    for one in svg.iter("text"):
        assert 0 <= float(one.get("x")) <= width
        assert 0 <= float(one.get("y")) <= height
    assert "−" in svg.get("aria-label")
    assert [row[0] for row in figure.rows] == VOTERS.words


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"votes": np.ones(3)}, "a vote, a score and a later score each"),
        ({"votes": np.zeros(4)}, "one word at least votes"),
        ({"votes": np.array([0.5, 1.5, 0, 0])}, "between 0 and 1"),
        ({"words": list("abcdefghij"), "votes": np.ones(10), "scores": np.zeros(10)},
         "2 to 9 words"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(given, says):
    voters = replace(VOTERS, **given)
    later = LATER if len(voters.words) == 4 else np.zeros(len(voters.words))
    with pytest.raises(ValueError, match=says):
        drawn(voters, later=later)
