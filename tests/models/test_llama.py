from dataclasses import replace

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

from headway.models.hugging_face.llama import load_llama
from headway.models.language_model import LLAMA, LanguageModel
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn

V, N, C, HEADS, LAYERS, M = 61, 16, 24, 6, 3, 40
close = {"atol": 1e-4, "rtol": 0}


def ours(G=HEADS, **changes):
    sizes = {"vocabulary": V, "context": N, "width": C, "heads": HEADS, "layers": LAYERS}
    config = replace(LLAMA, **sizes, hidden=M, key_value_heads=G, **changes)
    return redrawn(LanguageModel(config, torch.Generator()), seed=7).eval()  # to be overwritten


def llama(G=HEADS, kind=LlamaForCausalLM, **changes):
    given = {
        "vocab_size": V,
        "hidden_size": C,
        "intermediate_size": M,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": G,
        "max_position_embeddings": N,
        "rms_norm_eps": 1e-5,
    }
    return redrawn(kind(LlamaConfig(**given, **changes))).eval()


def test_a_model_without_a_head_loads_into_a_tied_one():
    theirs, model = llama(kind=LlamaModel), ours(tied=True)
    load_llama(model, theirs.state_dict())
    ids = random_ids(V, 2, 5)
    expected = theirs(ids).last_hidden_state @ theirs.embed_tokens.weight.T
    torch.testing.assert_close(model(ids), expected, **close)


def test_what_does_not_fit_is_refused():
    state = llama(2).state_dict()
    with pytest.raises(ShapeError, match=r"our stack\.blocks\.0\.attention\.qkv"):
        load_llama(ours(6), state)
    with pytest.raises(ValueError, match="pairs are interleaved; in Hugging Face's files they are"):
        load_llama(ours(2, pairs="interleaved"), state)
    with pytest.raises(ValueError, match="no place in the model"):
        load_llama(ours(2), state | {"extra": torch.zeros(1)})
    del state["model.norm.weight"]
    with pytest.raises(KeyError, match=r"our stack\.norm\.weight is their norm\.weight"):
        load_llama(ours(2), state)
