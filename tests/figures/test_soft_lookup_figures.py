"""The figures of chapter 4: their numbers are torch's, and what makes no sense is refused."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from headway.figures.gallery.shared.bars import Bars, Case, sliding_bars
from headway.figures.gallery.shared.bars.temperature import softmax_by_temperature
from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.soft_lookup.descent import (
    descent_on_surfaces,
    ellipse,
    loss_of,
    short,
    sizes,
)
from headway.figures.gallery.soft_lookup.loss_hill import LossHill
from headway.figures.gallery.soft_lookup.one_step import Voters, one_step
from headway.ngram.soft_lookup import SoftLookup
from tests.figures.node import Cases, normal
from tests.figures.shown import assert_on_page, assert_upright, assert_whole, part, texts

VOTERS = Voters(
    words=["check", "battery", "log", "it"],
    answer="down",
    votes=np.array([0.5, 1.0, 0.25, 0.5]),
    scores=np.array([0.2, 0.0, -1.0, 0.0]),
)
LATER = np.array([-0.5, 6.0, -1.5, -0.4])
VALUES = np.array([[0.25, 0.75], [0.1, 0.9], [0.0, 1.0]])
CANYON = np.array([[1.0, 0.5], [0.5, 20.0]])
PATH = np.array([[2.0, 1.0], [1.5, -0.5], [1e30, 1e-30]])


def drawn(**changes):
    voters = replace(VOTERS, **changes)
    later = LATER if len(voters.words) == 4 else np.zeros(len(voters.words))
    return one_step(voters, 10.0, later, 300, "It learns", "Play.")


def sliding(values=VALUES, labels=("a", "b"), stops=("hot", "warm", "cold"), readings=None, **more):
    case = Case("one", [Bars("weight", labels, values)] * bool(len(labels)), readings or {})
    return sliding_bars([case], stops, slider="Heat", title="T", caption="C", **more)


def by_temperature(scores):
    return softmax_by_temperature({"one": scores}, title="T", caption="C")


def descent(matrix=CANYON, path=PATH, other=PATH, further=None):
    walks = {0.1: other, 0.2: other if further is None else further}
    return descent_on_surfaces(
        {"hills": np.eye(2), "canyon": matrix},
        {"hills": {"SGD": {0.1: path, 0.2: path}}, "canyon": {"SGD": walks}},
        start=("canyon", "SGD", 0.1),
        title="T",
        caption="C",
    )


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


def test_bars_are_as_long_as_the_weights_before_and_after_the_step_and_at_the_end():
    figure = drawn()
    assert_whole(figure)
    assert_upright(figure)
    after, trained = VOTERS.after(10), replace(VOTERS, scores=LATER)
    for step, now in ((2, VOTERS), (5, after), (6, trained)):
        long = lengths(part(figure, step), "key")
        np.testing.assert_allclose(long, np.maximum(2, 190 * now.weights / longest()), atol=0.06)
        assert f"{now.chance:.2f}" in texts(part(figure, step))
    assert lengths(part(figure, 1), "value") == [15.0, 30.0, 7.5, 15.0]
    assert [row[0] for row in figure.rows] == VOTERS.words


def longest():
    return replace(VOTERS, scores=LATER).weights.max()


def lengths(drawn, tone):
    bars = [bar for bar in drawn.iter("rect") if f"hw-column hw-of-{tone}" in bar.get("class")]
    return [float(bar.get("width")) for bar in bars]


def test_an_arrow_goes_right_for_a_word_that_should_be_louder():
    assert "for “battery” alone" in drawn().data["steps"][3]
    several = drawn(votes=np.array([1.0, 1.0, 0.25, 0.5]))
    assert "most of all" in several.data["steps"][3]
    lines = [line for line in part(drawn(), 4).iter("path") if "hw-tip" not in line.get("class")]
    ways = [re.findall(r"[ML]([\d.]+)", line.get("d")) for line in lines]
    rights = [float(end) > float(start) for start, end in ways]
    assert rights == (VOTERS.slopes < 0).tolist()


def test_the_hill_is_as_high_as_the_loss_and_its_balls_are_where_the_model_was():
    scores = [VOTERS.scores, VOTERS.after(10).scores, LATER]
    hill = LossHill(Canvas(9, 9, "A"), 0, 0, 400, 200, VOTERS.votes, scores, 1)
    losses = [replace(VOTERS, scores=now).loss for now in scores]
    np.testing.assert_allclose(hill.losses, losses)
    heights = [hill.floor - road[-1][1] for road in hill.roads]
    np.testing.assert_allclose(np.array(heights) / heights[0], np.array(losses) / losses[0])
    assert "one step: 0." in " ".join(texts(part(drawn(), 5)))


def test_bars_have_the_values_of_every_stop():
    figure = sliding(start=1, readings={"sum": ["x", "y", "z"]})
    assert_on_page(figure)
    data, (group,) = figure.data, figure.data["cases"][0]["groups"]
    assert group["values"] == VALUES.tolist()
    assert data["stops"][data["at"]] == "warm"
    assert "weight: a 0.1, b 0.9." in figure.alt
    assert figure.rows == [
        ["one: weight, a", "0.25", "0.1", "0"],
        ["one: weight, b", "0.75", "0.9", "1"],
        ["one: sum", "x", "y", "z"],
    ]
    above = sliding(values=np.array([[1 + 1e-9, 0]] * 3)).data["cases"][0]["groups"][0]
    assert above["values"][0] == [1, 0]


def test_the_table_of_bars_has_the_first_and_the_last_stop_of_many():
    figure = sliding(np.linspace([0, 1], [1, 0], 50), stops=[str(stop) for stop in range(50)])
    assert (figure.header[1], figure.header[-1], len(figure.header)) == ("Heat 0", "Heat 49", 6)
    assert figure.rows[0][-1] == "1"


def test_the_weights_are_torchs_softmax_at_every_temperature_from_a_choice_to_even_shares():
    scores = {"a": 3.0, "b": 2.0, "c": -1.0}
    data = by_temperature(scores).data
    values = data["cases"][0]["groups"][0]["values"]
    assert data["stops"][data["at"]] == "1"
    for stop in ("0.05", "1", "20"):  # those that the two digits name exactly
        expected = (torch.tensor(list(scores.values())).double() / float(stop)).softmax(dim=-1)
        np.testing.assert_allclose(values[data["stops"].index(stop)], expected, atol=1e-5)
    assert values[0] == [1, 0, 0]
    assert values[-1] == pytest.approx([1 / 3] * 3, abs=0.06)
    readings = by_temperature({"a": 800.0, "b": 800.0}).data["cases"][0]["readings"]
    assert [set(one["texts"]) for one in readings[:2]] == [{"2.00 words"}, {"1 to 1"}]


def test_on_a_level_line_the_loss_is_the_same_everywhere():
    start = np.array([2.0, 1.0])
    lines = sizes(CANYON, start, 2.5)[:, None, None] * ellipse(CANYON)
    losses = loss_of(CANYON, lines)
    np.testing.assert_allclose(losses, losses[:, :1] * np.ones(losses.shape[1]))
    assert losses[-1, 0] == pytest.approx(loss_of(CANYON, start))


def test_the_descent_has_every_walk_and_a_picture_that_holds_all_starts():
    figure = descent(other=PATH + 1)
    assert_on_page(figure)
    data = figure.data
    assert [walks[0][0][0] for walks in data["walks"]] == [[2.0, 1.0], [3.0, 2.0]]
    assert data["start"] == {"surface": 1, "method": 0, "rate": 0, "step": 2}
    assert data["surfaces"][1]["matrix"] == CANYON.tolist()
    assert data["half"] == pytest.approx(3.6)
    outermost = data["surfaces"][1]["sizes"][-1]
    np.testing.assert_allclose(outermost, np.sqrt(2 * loss_of(CANYON, PATH[0] + 1)), rtol=1e-3)
    near = np.array([[2.0, 1.0], [0.0, 0.0]])
    assert "hills: the loss falls from 2.5 to 0 in 1 steps" in descent(path=near, other=near).alt
    assert short(np.array([123456.0, -0.00123456, 1e-9])) == [123500.0, -0.0012, 0.0]
    assert short(np.array([1.23456e45])) == pytest.approx([1.235e45])


@pytest.mark.parametrize(
    ("make", "changes", "says"),
    [
        (drawn, {"votes": np.ones(3)}, "a vote, a score and a later score each"),
        (drawn, {"votes": np.zeros(4)}, "one word at least votes"),
        (drawn, {"votes": np.array([0.5, 1.5, 0, 0])}, "between 0 and 1"),
        (drawn, {"words": list("abcdefghij"), "votes": np.ones(10), "scores": np.zeros(10)},
         "2 to 9 words"),
        (sliding, {"values": VALUES[:2]}, "must be (3, 2)"),
        (sliding, {"values": VALUES * 2}, "in 0 … 1"),
        (sliding, {"values": VALUES * np.nan}, "in 0 … 1"),
        (sliding, {"start": 3}, "stop 3 does not exist"),
        (sliding, {"start": -1}, "stop -1 does not exist"),
        (sliding, {"readings": {"sum": ["1"]}}, "must have 3 texts, got 1"),
        (sliding, {"stops": []}, "at least one case and one stop"),
        (sliding, {"labels": []}, "'one' has no bars"),
        (by_temperature, {"scores": {"a": 1.0}}, "needs two finite scores"),
        (descent, {"matrix": np.array([[1, 2], [0, 1]])}, "'canyon' needs a symmetric"),
        (descent, {"matrix": np.diag([1.0, -1.0])}, "positive"),
        (descent, {"matrix": np.eye(3)}, "(2, 2)"),
        (descent, {"other": PATH[:2]}, "same number of steps"),
        (descent, {"further": PATH + 1}, "on a surface the same start"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(make, changes, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        make(**changes)


CASES = Cases()
POINTS = normal(9, 2)
CASES.of("descent")(
    "the loss is the height of the surface",
    "points.map((p) => lossAt(A, p))",
    loss_of(CANYON, POINTS),
    **{"A": CANYON, "points": POINTS},
)
CASES.of("bars")(
    "a bar that is pulled finds its stop, of several the one nearest to where it was",
    "[stopFor(bars, 0.5, 0), stopFor(bars, 1, 0), stopFor(bars, 1, 3)]",
    [1, 2, 3],
    bars=[0.1, 0.4, 1, 1],
)


@pytest.mark.parametrize("name", CASES)
def test_a_script_computes_what_python_computes(answers, name):
    CASES[name].check(answers[name])
