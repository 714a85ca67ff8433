import re

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel, GPT2Model

from headway.models.hugging_face.gpt2 import load_gpt2
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn

V, N, C, HEADS, LAYERS = 61, 16, 24, 4, 3
SIZES = {
    "vocab_size": V,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "n_positions": N,
    "n_embd": C,
    "n_head": HEADS,
    "n_layer": LAYERS,
}
close = {"atol": 1e-4, "rtol": 0}


def ours(**changes):
    sizes = {"vocabulary": V, "context": N, "width": C, "heads": HEADS, "layers": LAYERS} | changes
    config = LanguageModelConfig(activation="gelu-tanh", **sizes)
    return redrawn(LanguageModel(config, torch.Generator()), seed=7)  # to be overwritten


def gpt2(kind=GPT2LMHeadModel):
    return redrawn(kind(GPT2Config(**SIZES)))


def test_logits_and_gradients_agree_on_the_same_weights():
    theirs, model, ids = gpt2(), ours(), random_ids(V, 3, N)
    load_gpt2(model, theirs.state_dict())
    logits, expected = model(ids), theirs(ids).logits
    assert logits.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(logits, expected, **close)
    for found in (logits, expected):
        found.logsumexp(-1).sum().backward()
    expected = theirs.transformer.h[0].mlp.c_fc.weight.grad.T
    torch.testing.assert_close(model.stack.blocks[0].feed_forward.expand.weight.grad, expected)


def test_old_files_without_a_head_but_with_masks_are_loaded_too():
    model, ids, theirs = ours(), random_ids(V, 2, 9), gpt2(GPT2Model)
    masks = {"h.0.attn.bias": torch.ones(1), "h.1.attn.masked_bias": torch.ones(1)}
    load_gpt2(model, theirs.state_dict() | masks)
    hidden = theirs(ids).last_hidden_state
    torch.testing.assert_close(model(ids), hidden @ model.embedding.weight.T, **close)


def test_an_output_of_its_own_is_loaded_where_ours_has_one():
    theirs, model = gpt2(), ours(tied=False)
    theirs.lm_head.weight = torch.nn.Parameter(theirs.lm_head.weight + 0.1)
    load_gpt2(model, theirs.state_dict())
    ids = random_ids(V, 2, 9)
    torch.testing.assert_close(model(ids), theirs(ids).logits, **close)


def linear(state):
    """Matrices as nanoGPT's checkpoints have them."""
    state |= {
        name: weight.T for name, weight in state.items() if ".c_" in name and weight.dim() == 2
    }


@pytest.mark.parametrize(
    ("changes", "edit", "error", "message"),
    [
        ({}, lambda s: s.pop("transformer.h.1.ln_2.bias"), KeyError, "their h.1.ln_2.bias"),
        ({"width": 32}, lambda s: s, ShapeError, "our embedding.weight is (61, 32)"),
        ({}, linear, ShapeError, "(72, 24), their h.0.attn.c_attn.weight (24, 72). It would fit"),
        ({"layers": 2}, lambda s: s, ValueError, "no place in the model: h.2.ln_1.weight"),
        (
            {"tied": False},
            lambda s: s.pop("lm_head.weight"),
            KeyError,
            "our output.weight is their",
        ),
    ],
)
def test_another_architecture_is_refused_and_nothing_loaded(changes, edit, error, message):
    state, model = gpt2().state_dict(), ours(**changes)
    edit(state)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    with pytest.raises(error, match=re.escape(message)):
        load_gpt2(model, state)
    assert all(weight.equal(before[name]) for name, weight in model.state_dict().items())
