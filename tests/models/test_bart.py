from dataclasses import replace

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import BartConfig, BartForConditionalGeneration, BartModel

from headway.models.hugging_face.bart import BART_BASE, CONFIGS, load_bart
from headway.models.parts import parameter_count
from headway.models.translator import Translator
from headway.shapes import ShapeError
from tests.models.translators import (
    MASK,
    OURS,
    SIZES,
    SOURCE,
    TARGET,
    V,
    assert_same_logits,
    assert_same_translations,
    close,
    rough,
)
from tests.models.weights import random_ids

SMALL = replace(BART_BASE, **OURS, decoder_layers=2)


def hugging_face(seed=0, make=BartForConditionalGeneration, **changes):
    return rough(make(BartConfig(**SIZES | changes)), seed, fixed=())


def translator(**changes):
    return Translator(replace(SMALL, **changes), torch.Generator())


@pytest.mark.parametrize(("scaled", "activation"), [(False, "gelu"), (True, "relu")])
def test_logits_agree_with_hugging_face_on_the_same_weights(scaled, activation):
    theirs = hugging_face(scale_embedding=scaled, activation_function=activation)
    ours = translator(scaled=scaled, activation=activation)
    load_bart(ours, theirs.state_dict())
    expected, memory = assert_same_logits(ours, theirs)
    torch.testing.assert_close(memory, expected, **close)
    assert_same_logits(ours, theirs, *random_ids(V, 2, 40).view(2, 2, 20))  # the whole context


def test_translations_agree_with_hugging_face():
    theirs, ours = hugging_face(), translator()
    load_bart(ours, theirs.state_dict())
    assert_same_translations(ours, theirs, start=2)


def test_an_output_of_its_own_is_loaded_where_ours_has_one_and_refused_where_not():
    theirs = hugging_face(tie_word_embeddings=False)
    tables = theirs.lm_head.weight, theirs.model.shared.weight
    assert not tables[0].equal(tables[1])
    state = theirs.state_dict()
    for side in ("encoder", "decoder"):
        state[f"model.{side}.embed_tokens.weight"] = tables[1]
        getattr(theirs.model, side).embed_tokens.weight = tables[1]
    ours = translator(tied=False)
    load_bart(ours, state)
    assert_same_logits(ours, theirs)
    with pytest.raises(ValueError, match=r"1 weights .* no place in the model: lm_head.weight"):
        load_bart(translator(), state)


def test_a_model_without_an_output_fits_a_translator_without_its_bias():
    theirs, ours = hugging_face(make=BartModel), translator(output_bias=False)
    load_bart(ours, theirs.state_dict())
    with torch.no_grad():
        found = theirs(SOURCE, MASK[:, 0, 0].long(), TARGET).last_hidden_state
        logits = ours.eval()(SOURCE, TARGET, MASK)
    torch.testing.assert_close(logits, found @ theirs.shared.weight.T, **close)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"decoder_layers": 1}, ValueError, "weights .* have no place in the model"),
        ({"context": 18}, ShapeError, r"our encoder.input.position.table is \(18, 16\)"),
        ({"output_bias": False}, ValueError, "final_logits_bias"),
    ],
)
def test_other_sizes_are_refused_and_the_model_left_alone(changes, error, message):
    ours = translator(**changes)
    before = [parameter.clone() for parameter in ours.parameters()]
    with pytest.raises(error, match=message):
        load_bart(ours, hugging_face().state_dict())
    assert all(map(torch.equal, before, ours.parameters()))


def test_the_published_size_but_for_unused_positions_and_the_bias():
    config = CONFIGS["bart-base"]
    with FakeTensorMode():
        ours = parameter_count(Translator(config, torch.Generator()))
    assert ours == 139_420_416 - 2 * 2 * config.width + config.vocabulary
