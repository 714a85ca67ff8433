"""What is shown of a model is what Hugging Face's own classes compute for the same weights."""

import pytest
import torch
from torch.nn import functional

from headway.explore.answers import Answers
from headway.explore.reading import Reading
from headway.inference.kv_cache import CachedLanguageModel
from tests.explore.models import NAMES, TEXT, pair
from tests.models.folders import HEADS, LAYERS, V
from tests.models.weights import random_ids

each_model = pytest.mark.parametrize("name", NAMES)
close = {"atol": 1e-4, "rtol": 0}
T = 23  # beyond Mistral's window of 5
IDS = random_ids(V, 1, T)


@pytest.fixture
def both(name):
    """What they give for the ids, and our reading of them."""
    theirs, subject = pair(name)
    with torch.no_grad():
        given = theirs(IDS, output_attentions=True, output_hidden_states=True)
    return theirs, given, Reading(subject.model, IDS[0].tolist())


@each_model
def test_logits_and_losses_are_theirs(both):
    _, given, reading = both
    logits = given.logits[0].detach()
    assert logits.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(reading.logits(-1, range(T)), logits, **close)
    losses = functional.cross_entropy(logits[:-1], IDS[0, 1:], reduction="none")
    torch.testing.assert_close(torch.tensor(reading.losses), losses, **close)


@each_model
def test_weights_of_every_head_are_theirs(both):
    _, given, reading = both
    for layer, weights in enumerate(given.attentions):
        assert weights.shape == (1, HEADS, T, T)
        torch.testing.assert_close(reading.weights(layer), weights[0].detach(), **close)
        at = torch.tensor(reading.weights_at(T - 1, T - 3))[layer]
        torch.testing.assert_close(at, weights[0, :, T - 1, T - 3].detach(), **close)


@each_model
def test_each_layer_says_what_theirs_would_through_the_last_norm(both):
    theirs, given, reading = both
    body = theirs.base_model
    norms = [getattr(body, each, None) for each in ("norm", "ln_f", "final_layer_norm")]
    norm = next(each for each in norms if each is not None)
    assert len(reading.streams) == len(given.hidden_states) == LAYERS + 1
    for layer, stream in enumerate(given.hidden_states[:-1]):  # theirs norm the last one
        torch.testing.assert_close(reading.streams[layer], stream[0].detach(), **close)
        with torch.no_grad():
            logits = theirs.lm_head(norm(stream))[0]
        if cap := getattr(theirs.config, "final_logit_softcapping", None):
            logits = cap * torch.tanh(logits / cap)
        torch.testing.assert_close(reading.logits(layer, range(T)), logits, **close)


@each_model
def test_the_cache_after_the_prompt_holds_their_keys_and_values(name):
    theirs, subject = pair(name)
    cached = CachedLanguageModel(subject.model, 1, T)
    cached.feed(IDS)
    with torch.no_grad():
        given = theirs(IDS, use_cache=True).past_key_values.layers
    ours = zip(cached.cache.keys, cached.cache.values, strict=True)
    for (keys, values), kept in zip(ours, given, strict=True):
        S, used = kept.keys.shape[2], cached.cache.used  # theirs drop what is behind the window
        assert S == T or subject.sizes.window
        torch.testing.assert_close(keys[:, :, used - S : used], kept.keys, **close)
        torch.testing.assert_close(values[:, :, used - S : used], kept.values, **close)


@each_model
def test_an_answer_says_their_likeliest_token_and_its_probability(name):
    theirs, subject = pair(name)
    answers, ids = Answers(subject), subject.encode(TEXT)
    with torch.no_grad():
        p = theirs(torch.tensor([ids])).logits[0, -1].softmax(-1)
    asked = {"ask": "next", "text": TEXT, "drawn": [], "off": [], "at": len(ids) - 1}
    answer = answers.answer(asked | {"temperature": 1, "top_k": None, "top_p": None})
    best = answer["rows"][0]
    assert best["id"] == p.argmax().item()
    assert best["p"] == best["q"] == pytest.approx(p.max().item(), abs=1e-4)
