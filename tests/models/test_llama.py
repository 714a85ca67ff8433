from dataclasses import replace

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

from headway.models.hugging_face.config_file import config_of
from headway.models.hugging_face.llama import load_llama
from headway.models.language_model import LanguageModel
from headway.shapes import ShapeError
from tests.models.folders import SIZES, V
from tests.models.weights import random_ids, redrawn

CONFIG = LlamaConfig(**SIZES)


def ours(**changes):
    config = replace(config_of(CONFIG.to_dict()), **changes)
    return redrawn(LanguageModel(config, torch.Generator()), seed=7)  # to be overwritten


def test_a_model_without_a_head_loads_into_a_tied_one():
    theirs, model, ids = redrawn(LlamaModel(CONFIG)), ours(tied=True), random_ids(V, 2, 5)
    load_llama(model, theirs.state_dict())
    expected = theirs(ids).last_hidden_state @ theirs.embed_tokens.weight.T
    torch.testing.assert_close(model(ids), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize(
    ("changes", "extra", "error", "message"),
    [
        ({"key_value_heads": 6}, {}, ShapeError, r"our stack\.blocks\.0\.attention\.qkv"),
        ({"pairs": "interleaved"}, {}, ValueError, "in Hugging Face's files they are halves"),
        ({}, {"extra": torch.zeros(1)}, ValueError, "no place in the model"),
        ({"layers": 3}, {}, KeyError, r"our stack\.blocks\.2\..* is their layers\.2"),
    ],
)
def test_what_does_not_fit_is_refused(changes, extra, error, message):
    state = LlamaForCausalLM(CONFIG).state_dict()
    with pytest.raises(error, match=message):
        load_llama(ours(**changes), state | extra)
