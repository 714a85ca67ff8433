"""The softmax by temperature: its numbers are torch's, and both ends are what they are called."""

import numpy as np
import pytest
import torch

from headway.figures.gallery.bars.temperature import softmax_by_temperature

SCORES = {"a": 3.0, "b": 2.9, "c": -1.0}


def make(scores=SCORES):
    return softmax_by_temperature({"one": scores}, title="T", caption="C")


def test_the_weights_are_torchs_softmax_at_every_temperature():
    data = make().data
    scores = torch.tensor(list(SCORES.values())).double()
    for stop, values in zip(data["stops"], data["cases"][0]["groups"][0]["values"], strict=True):
        if float(stop) in (0.05, 1.0, 20.0):  # those that the two digits name exactly
            expected = (scores / float(stop)).softmax(dim=-1)
            np.testing.assert_allclose(values, expected, atol=1e-5)


def test_it_opens_at_one_and_runs_from_a_choice_to_even_shares():
    data = make({"a": 3.0, "b": 1.0}).data
    values = data["cases"][0]["groups"][0]["values"]
    assert data["stops"][data["at"]] == "1"
    assert values[0] == [1, 0]
    assert values[-1] == pytest.approx([0.5, 0.5], abs=0.03)


def test_a_tie_is_shared_by_two_at_any_temperature():
    readings = make({"a": 800.0, "b": 800.0}).data["cases"][0]["readings"]
    assert set(readings[0]["texts"]) == {"2.00 words"}
    assert set(readings[1]["texts"]) == {"1 to 1"}


@pytest.mark.parametrize("scores", [{"a": 1.0}, {"a": 1.0, "b": np.inf}])
def test_scores_that_make_no_softmax_are_refused(scores):
    with pytest.raises(ValueError, match="needs two finite scores"):
        make(scores)
