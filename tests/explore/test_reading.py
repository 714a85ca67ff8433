"""What heads look at on average, counted by hand."""

import pytest
import torch

from headway.explore.reading import MEASURES, Reading, looked_at
from headway.models.language_model import LanguageModel, LanguageModelConfig
from tests.explore.models import pair
from tests.models.weights import redrawn

IDS = [7, 8, 7, 9, 7, 8, 8]


def test_the_pairs_of_positions_are_those_that_a_measure_is_about():
    found = looked_at(IDS)
    assert tuple(found) == MEASURES
    assert found["previous"] == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)]
    assert found["itself"] == [(t, t) for t in range(1, 7)]
    assert found["first"] == [(t, 0) for t in range(2, 7)]
    # 7 stood at 0 and is followed by 1; then at 2; 8 at 1; and at 5, followed by itself.
    assert found["repeat"] == [(2, 1), (4, 3), (5, 2), (6, 6)]


@pytest.mark.parametrize("name", ["mistral", "gpt-2"])
def test_a_measure_is_the_mean_over_its_pairs(name):
    reading = Reading(pair(name)[1].model, IDS)
    for measure, pairs in looked_at(IDS).items():
        for layer, heads in enumerate(reading.measures[measure]):
            weights = reading.weights(layer)
            for head, mean in enumerate(heads):
                expected = sum(weights[head, at, to].item() for at, to in pairs) / len(pairs)
                assert mean == pytest.approx(expected, abs=1e-6)


def test_what_no_position_has_is_none():
    model = pair("gpt-2")[1].model
    found = {T: Reading(model, IDS[:T]).measures for T in (1, 2, 3)}
    missing = {T: [name for name in MEASURES if found[T][name] is None] for T in found}
    assert missing == {1: list(MEASURES), 2: ["first", "repeat"], 3: []}


@pytest.mark.parametrize("changes", [{"position": "relative"}, {"window": 3}, {"layers": 0}])
def test_a_reading_gives_the_logits_of_the_model(changes):
    sizes = {"vocabulary": 10, "context": 12, "width": 16, "heads": 4, "layers": 2} | changes
    model = redrawn(LanguageModel(LanguageModelConfig(**sizes), torch.Generator()))
    with torch.no_grad():
        expected = model(torch.tensor([IDS]))[0]
    torch.testing.assert_close(Reading(model, IDS).logits(-1, range(7)), expected)


@pytest.mark.parametrize("places", [[3], [0, 5, 6], list(range(7)) * 10])
def test_the_lens_gives_each_layer_what_it_would_say_alone(places):
    reading = Reading(pair("llama-3")[1].model, IDS)
    found = list(reading.lens(places))
    assert len(found) == len(reading.streams)
    for layer, logits in enumerate(found):
        torch.testing.assert_close(logits, reading.logits(layer, places))


def test_a_text_longer_than_what_is_held_at_once_has_all_its_losses():
    model, ids = pair("gpt-2")[1].model, [i % 50 for i in range(64)]
    losses = Reading(model, ids).losses
    logits = Reading(model, ids).logits(-1, range(63))
    expected = torch.nn.functional.cross_entropy(logits, torch.tensor(ids[1:]), reduction="none")
    torch.testing.assert_close(torch.tensor(losses), expected)
