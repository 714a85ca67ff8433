from dataclasses import replace

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

from headway.models.hugging_face.llama import load_llama
from headway.models.language_model import LLAMA, LanguageModel
from headway.models.parts import parameter_count
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


@pytest.mark.parametrize("G", [6, 2, 1])
def test_logits_agree_on_the_same_weights(G):
    theirs, model = llama(G), ours(G)
    load_llama(model, theirs.state_dict())
    ids = random_ids(V, 3, N)
    logits = model(ids)
    assert logits.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(logits, theirs(ids).logits, **close)
    assert parameter_count(model) == sum(weight.numel() for weight in theirs.parameters())


def test_gradients_agree_on_the_same_weights():
    theirs, model = llama(2), ours(2)
    load_llama(model, theirs.state_dict())
    ids = random_ids(V, 2, 9)
    model(ids).logsumexp(-1).sum().backward()
    theirs(ids).logits.logsumexp(-1).sum().backward()
    mlp, norm = theirs.model.layers[0].mlp, theirs.model.layers[0].input_layernorm
    block = model.stack.blocks[0]
    expected = torch.cat((mlp.gate_proj.weight.grad, mlp.up_proj.weight.grad))
    torch.testing.assert_close(block.feed_forward.expand.weight.grad, expected, **close)
    torch.testing.assert_close(block.attention_residual.norm.weight.grad, norm.weight.grad, **close)


def test_another_base_of_the_rotary_frequencies_agrees():
    parameters = {"rope_theta": 500_000.0, "rope_type": "default"}
    theirs, model = llama(2, rope_parameters=parameters), ours(2, base=500_000.0)
    load_llama(model, theirs.state_dict())
    ids = random_ids(V, 2, N)
    torch.testing.assert_close(model(ids), theirs(ids).logits, **close)
    other = ours(2)
    load_llama(other, theirs.state_dict())
    assert (other(ids) - model(ids)).abs().max() > 1e-3


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
