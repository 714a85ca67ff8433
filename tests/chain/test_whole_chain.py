"""The whole chain in one executed table, from one-hot to the cache and the graph.

`headway.inference.one_prediction` says how each chapter's object comes to the same prediction.
"""

import numpy as np
import pytest
import torch

from headway.inference.one_prediction import OnePrediction
from headway.text.corpus.commands import CHECK, SHOW
from headway.text.corpus.split import generator

TEXTS = SHOW.sample(generator(0), 30) + CHECK.sample(generator(1), 20)


@pytest.mark.parametrize("prompt", ["show me my", "check whether the"])
def test_all_chapters_make_the_same_prediction(prompt):
    ways = OnePrediction(TEXTS, prompt)
    expected = ways.P[ways.latest]
    assert (expected > 0).sum() > 1  # a prediction that can be wrong
    predictions = ways.predictions()
    assert len(predictions) == 19
    for chapter, prediction in enumerate(predictions, 1):
        np.testing.assert_allclose(prediction, expected, atol=1e-12, err_msg=f"chapter {chapter}")


def test_16_the_machines_need_the_attention_that_was_set_by_hand():
    ways = OnePrediction(TEXTS, "show me my")
    for _, attention in ways.searching():
        torch.nn.init.zeros_(attention.output.weight)
    expected, predictions = ways.P[ways.latest].numpy(), ways.predictions()
    lost = [
        i for i, prediction in enumerate(predictions, 1) if abs(prediction - expected).max() > 0.1
    ]
    assert lost == [11, 12, 13, 15, 17]
