from dataclasses import replace

import pytest
import torch
from torch import nn

from headway.models.inspect import attention_weights, layer_outputs, without_heads
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.parts import POSITIONS
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.block import Block, PreNorm, Stack
from headway.nn.feed_forward import FeedForward
from headway.nn.masks import causal_mask, padding_mask
from headway.nn.multihead import MultiHeadAttention
from tests.models.weights import random_ids, redrawn

V, C, H, T = 23, 16, 4, 7
close = {"atol": 1e-5, "rtol": 1e-5}
CAUSAL = LanguageModelConfig(vocabulary=V, context=12, width=C, heads=H, layers=2)
MASKED = MaskedModelConfig(vocabulary=V, context=12, width=C, heads=H, layers=2)
chance = torch.Generator()
IDS = random_ids(V, 2, T)


def causal(**changes):
    return redrawn(LanguageModel(replace(CAUSAL, **changes), chance))


def attentions(model):
    return [block.attention for block in model.stack.blocks]


def hooks(model):
    return [
        hook
        for part in model.modules()
        for hook in (*part._forward_hooks, *part._forward_pre_hooks)
    ]


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("shared", [4, 2])
def test_weights_are_those_that_the_model_mixed_with(position, shared):
    model = causal(position=position, key_value_heads=shared)
    found, parts = attention_weights(model, IDS), attentions(model)
    mixed = {}
    for part in parts:
        part.register_forward_hook(
            lambda part, given, output: mixed.update({part: (*given, output)})
        )
    model(IDS)
    assert list(found) == ["stack.blocks.0.attention", "stack.blocks.1.attention"]
    for weights, part in zip(found.values(), parts, strict=True):
        assert weights.shape == (2, H, T, T)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, H, T), **close)
        assert (weights[:, :, ~causal_mask(T)] == 0).all()
        x, output = mixed[part]
        value = part.project(x)[2].repeat_interleave(H // shared, dim=1)
        heads = (weights @ value).transpose(1, 2).flatten(2)
        torch.testing.assert_close(part.output(heads), output, **close)


def test_masks_reach_the_weights():
    mask = padding_mask(torch.tensor([T, 3]), T)
    for weights in attention_weights(redrawn(MaskedModel(MASKED, chance)), IDS, mask).values():
        assert (weights[1, :, :, 3:] == 0).all()
        assert (weights[0] > 0).all()  # no causal mask here
    for weights in attention_weights(causal(), IDS, starts=torch.tensor([0, 3])).values():
        torch.testing.assert_close(weights[1, :, :3], torch.zeros(H, 3, T))  # nowhere to look
        torch.testing.assert_close(weights[1, :, 3:].sum(-1), torch.ones(H, T - 3), **close)


def test_cross_attention_has_a_row_for_each_target_and_a_column_for_each_source():
    config = TranslatorConfig(vocabulary=V, context=12, width=C, heads=H, layers=1)
    model, source = redrawn(Translator(config, chance)), random_ids(V, 2, 5)
    found = attention_weights(model, source, IDS, padding_mask(torch.tensor([5, 2]), 5))
    assert {name: tuple(weights.shape) for name, weights in found.items()} == {
        "encoder.stack.blocks.0.attention": (2, H, 5, 5),
        "decoder.stack.blocks.0.attention": (2, H, T, T),
        "decoder.stack.blocks.0.cross_attention": (2, H, T, 5),
    }
    across = found["decoder.stack.blocks.0.cross_attention"]
    assert (across[1, :, :, 2:] == 0).all()
    assert list(layer_outputs(model, source, IDS)) == [
        "encoder.input",
        "encoder.stack.blocks.0",
        "decoder.input",
        "decoder.stack.blocks.0",
    ]


def test_layers_follow_each_other_from_the_embeddings_to_the_end():
    model = causal()
    found = layer_outputs(model, IDS)
    assert list(found) == ["input", "stack.blocks.0", "stack.blocks.1"]
    x = model.embedding(IDS) + model.input.position.table[:T]
    torch.testing.assert_close(found["input"], x, **close)
    for name, block in zip(list(found)[1:], model.stack.blocks, strict=True):
        x = block(x, causal=True)
        torch.testing.assert_close(found[name], x, **close)
    torch.testing.assert_close(model.predict(model.stack.norm(x)), model(IDS), **close)


def test_a_block_in_two_places_has_two_names():
    block = redrawn(Block(MultiHeadAttention(C, H), FeedForward(C, 8), lambda: PreNorm(C)))
    model, x = Stack([block, block]), torch.randn(2, T, C)
    found = layer_outputs(model, x)
    torch.testing.assert_close(found["blocks.0"], block(x))
    torch.testing.assert_close(found["blocks.1"], block(block(x)))
    weights = attention_weights(model, x)
    assert list(weights) == ["blocks.0.attention", "blocks.1.attention"]
    assert not torch.allclose(*weights.values())


@pytest.mark.parametrize("look", [attention_weights, layer_outputs])
def test_looking_leaves_no_trace(look):
    model = causal()
    before, found = model(IDS), look(model, IDS)
    assert not any(tensor.requires_grad for tensor in found.values())
    assert model(IDS).equal(before)
    with pytest.raises(IndexError):
        look(model, IDS + V)
    assert not hooks(model)


@pytest.mark.parametrize("shared", [4, 2])
@pytest.mark.parametrize("heads", [(3,), (1, 2), (0, 1, 2, 3), ()])
def test_a_head_that_is_off_is_one_without_its_rows_of_the_output_matrix(heads, shared):
    model, twin = (causal(key_value_heads=shared) for _ in range(2))
    with torch.no_grad():
        for head in heads:
            attentions(twin)[1].output.weight[:, 4 * head : 4 * head + 4] = 0  # D = 4
    before, attention = model(IDS), attentions(model)[1]
    with without_heads(attention, *heads) as silenced:
        assert silenced is attention
        torch.testing.assert_close(model(IDS), twin(IDS), **close)
    assert model(IDS).equal(before)


def test_heads_of_several_attentions_are_switched_off_together_and_on_again_after_an_error():
    model = causal()
    first, second = attentions(model)

    def fail():
        with without_heads(first, 0), without_heads(second, 1):
            assert len(hooks(model)) == 2
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not hooks(model)


@pytest.mark.parametrize("head", [-1, H])
def test_a_head_that_is_not_there_is_refused(head):
    with (
        pytest.raises(IndexError, match=rf"heads are 0 … 3, got {head}"),
        without_heads(MultiHeadAttention(C, H), head),
    ):
        pass


@pytest.mark.parametrize("look", [attention_weights, layer_outputs])
def test_a_model_without_attention_is_refused(look):
    with pytest.raises(ValueError, match="Linear holds no"):
        look(nn.Linear(3, 3), torch.zeros(1, 3))
