import math
from dataclasses import replace

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import MaskedModel, MaskedModelConfig
from headway.models.parts import POSITIONS, parameter_count
from headway.models.translator import CONFIGS, Translator, TranslatorConfig, shift_right
from headway.nn.interchange import load_from_torch
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn

V, C = 11, 16
SMALL = TranslatorConfig(vocabulary=V, context=12, width=C, heads=4, layers=2, hidden=24)
close = {"atol": 1e-5, "rtol": 1e-4}


def translator(**changes):
    return redrawn(Translator(replace(SMALL, **changes), torch.Generator()), std=0.3)


SOURCE, TARGET = random_ids(V, 3, 7, seed=1), random_ids(V, 3, 5, seed=2)
MASK = torch.tensor([7, 3, 1])[:, None, None, None] > torch.arange(7)
KINDS = [{"position": position} for position in POSITIONS] + [
    {"norm": "post"},
    {"key_value_heads": 2, "scaled": True, "position": "rotary"},
    {"source_vocabulary": 20, "tied": False, "decoder_layers": 1},
    {"embedding_norm": True, "output_bias": True, "norm": "post", "layers": 1, "decoder_layers": 3},
]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values())))


@pytest.mark.parametrize(("name", "count"), [("base", 63_082_496), ("big", 214_245_376)])
def test_the_papers_models_have_the_numbers_of_parameters_that_their_shapes_give(name, count):
    with FakeTensorMode():
        assert parameter_count(Translator(CONFIGS[name], torch.Generator())) == count


@kinds
def test_what_stands_in_the_padding_of_the_source_and_how_much_of_it_changes_nothing(kind):
    model = translator(**kind)
    logits = model(SOURCE, TARGET, MASK)
    longer = torch.cat([SOURCE.where(MASK[:, 0, 0], 9), random_ids(V, 3, 4, seed=5)], dim=1)
    mask = functional.pad(MASK, (0, 4), value=False)
    torch.testing.assert_close(model(longer, TARGET, mask), logits, **close)
    for row, length in enumerate([7, 3, 1]):
        alone = model(SOURCE[row : row + 1, :length], TARGET[row : row + 1])
        torch.testing.assert_close(alone, logits[row : row + 1], **close)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_stacks_agree_with_torchs_transformer_on_the_same_weights(norm):
    model = Translator(replace(SMALL, norm=norm, activation="relu"), torch.Generator()).eval()
    shape = {"dropout": 0.0, "batch_first": True, "norm_first": norm == "pre"}

    def last_norm():
        return nn.LayerNorm(C) if norm == "pre" else None

    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(C, 4, 24, **shape), 2, last_norm(), enable_nested_tensor=False
    )
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(C, 4, 24, **shape), 2, last_norm())
    theirs = redrawn(nn.Transformer(C, 4, custom_encoder=encoder, custom_decoder=decoder, **shape))
    load_from_torch(model.encoder.stack, theirs.encoder)
    load_from_torch(model.decoder.stack, theirs.decoder)
    padding = ~MASK[:, 0, 0]
    with torch.no_grad():
        expected = theirs(
            model.encoder.input(model.embed(SOURCE)),
            model.decoder.input(model.embed(TARGET)),
            tgt_mask=theirs.generate_square_subsequent_mask(TARGET.shape[1]),
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        hidden = model.decoder(model.embed(TARGET), model.encode(SOURCE, MASK), MASK)
    torch.testing.assert_close(hidden, expected, **close)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("source", ["empty", "all padding"])
def test_with_nothing_to_translate_the_decoder_is_a_language_model(position, source):
    model = translator(position=position)
    for block in model.decoder.stack.blocks:
        nn.init.zeros_(block.cross_attention.output.bias)
    sizes = {"vocabulary": V, "context": 12, "width": C, "heads": 4, "layers": 2, "hidden": 24}
    alone = LanguageModel(LanguageModelConfig(position=position, **sizes), torch.Generator()).eval()
    weights = {name.removeprefix("decoder."): w for name, w in model.state_dict().items()}
    alone.load_state_dict({name: weights[name] for name in alone.state_dict()})
    mask = torch.zeros_like(MASK) if source == "all padding" else None
    memory = model.encode(SOURCE if source == "all padding" else SOURCE[:, :0], mask)
    torch.testing.assert_close(model.decode(TARGET, memory, mask), alone(TARGET), **close)
    assert not torch.allclose(model(SOURCE, TARGET), alone(TARGET), atol=1e-2)


@kinds
def test_the_encoder_is_a_masked_model(kind):
    model = translator(**kind)
    config = {name: kind[name] for name in kind.keys() & MaskedModelConfig.__dataclass_fields__}
    size = model.config.source_vocabulary or V
    sizes = {"context": 12, "width": C, "heads": 4, "layers": 2, "hidden": 24}
    alone = MaskedModel(MaskedModelConfig(vocabulary=size, **sizes | config), torch.Generator())
    weights = {name.removeprefix("encoder."): w for name, w in model.state_dict().items()}
    if model.source_embedding is not None:
        weights["embedding.weight"] = weights["source_embedding.weight"]
    alone.load_state_dict({name: weights[name] for name in alone.state_dict()})
    alone.embedding.weight.data *= C**0.5 if model.config.scaled else 1
    torch.testing.assert_close(model.encode(SOURCE, MASK), alone.eval()(SOURCE, MASK), **close)


def test_the_target_embedding_reads_the_source_too_unless_that_has_its_own():
    for size in (None, 20):
        model = translator(source_vocabulary=size)
        before = model.encode(SOURCE)
        with torch.no_grad():
            model.embedding.weight *= 2
        assert model.encode(SOURCE).equal(before) == (size is not None)
    assert model(torch.tensor([[19, 12]]), torch.tensor([[3]])).shape == (1, 1, V)
    with pytest.raises(IndexError, match=r"0 … 10 .* got 12 … 19"):
        model(SOURCE, torch.tensor([[19, 12]]).expand(3, 2))


def test_a_tied_embedding_writes_and_an_untied_one_only_reads():
    for tied in (True, False):
        model = translator(tied=tied)
        hidden = torch.randn(2, 3, C, generator=torch.Generator().manual_seed(0))
        before = model.predict(hidden)
        with torch.no_grad():
            model.embedding.weight[4] += 1
        assert model.predict(hidden)[..., 5:].equal(before[..., 5:])
        assert model.predict(hidden)[..., 4].equal(before[..., 4]) != tied


SCALED = {"scaled": True, "position": "sinusoidal", "initialization": "xavier", "norm": "post"}


# A token that is scaled and tied scores itself: the residual stream still holds it.
@pytest.mark.parametrize(("changes", "excess"), [({}, 0.2), ({"norm": "post"}, 0.2), (SCALED, 1.0)])
def test_training_starts_near_the_loss_of_guessing(changes, excess):
    config = replace(SMALL, vocabulary=200, context=64, width=64, layers=3, **changes)
    model = Translator(config, torch.Generator().manual_seed(0))
    source, target, answers = (random_ids(200, 16, 20, seed) for seed in (3, 4, 5))
    loss = functional.cross_entropy(model(source, target).transpose(1, 2), answers)
    assert 0 <= loss.item() - math.log(200) < excess


def test_scaled_embeddings_are_as_large_as_the_sinusoids_beside_them():
    config = replace(SMALL, vocabulary=500, width=64, scaled=True)
    model = Translator(config, torch.Generator().manual_seed(0))
    embedded = model.embed(torch.arange(500)[None])
    assert embedded.std().item() == pytest.approx(1, rel=0.05)
    assert embedded.equal(model.embedding.weight[None] * 8)


def test_what_sublayers_add_starts_smaller_the_more_of_them_there_are():
    config = replace(SMALL, width=64, hidden=256, layers=2, decoder_layers=3)
    model = Translator(config, torch.Generator().manual_seed(0))
    for stack, count in ((model.encoder.stack, 2 * 2), (model.decoder.stack, 3 * 3)):
        std = stack.blocks[-1].feed_forward.contract.weight.std().item()
        assert std == pytest.approx(0.02 / count**0.5, rel=0.05)


def test_the_same_seed_gives_the_same_weights_and_another_one_others():
    def weights(seed):
        model = Translator(SMALL, torch.Generator().manual_seed(seed))
        return torch.cat([parameter.flatten() for parameter in model.parameters()])

    assert weights(1).equal(weights(1))
    assert not weights(1).equal(weights(2))


def test_dropout_acts_on_both_sides_and_only_in_training():
    model = translator(dropout=0.5)
    assert model(SOURCE, TARGET).equal(model(SOURCE, TARGET))
    memory = model.encode(SOURCE)
    model.train()
    assert not model.encode(SOURCE).allclose(memory)
    assert not model.decode(TARGET, memory).allclose(model.decode(TARGET, memory))


@pytest.mark.parametrize(
    ("source", "target", "mask", "error", "message"),
    [
        (SOURCE[0], TARGET, None, ShapeError, r"source must have shape \(B, T\), got \(7,\)"),
        (SOURCE, TARGET[0], None, ShapeError, r"target must have shape \(B, T\), got \(5,\)"),
        (SOURCE[:1], TARGET, None, ShapeError, r"memory \(1, .*\) differ in batch"),
        (SOURCE, TARGET, MASK[..., :5], ShapeError, r"mask \(3, 1, 1, 5\) does not broadcast"),
        (SOURCE, TARGET, MASK.long(), TypeError, "expected torch.bool"),
        (random_ids(V, 3, 13), TARGET, None, ShapeError, "longer than the context"),
        (SOURCE + V, TARGET, None, IndexError, "ids must be in 0 … 10"),
    ],
)
def test_wrong_input_is_named(source, target, mask, error, message):
    with pytest.raises(error, match=message):
        translator()(source, target, mask)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source_vocabulary": 0}, "source_vocabulary must be at least 1, got 0"),
        ({"decoder_layers": -1}, "decoder_layers must be at least 0, got -1"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **change)


def test_shifted_targets_begin_with_the_start_and_lose_their_last_token():
    target = torch.tensor([[5, 6, 2], [7, 2, 0]])
    assert shift_right(target, 1).tolist() == [[1, 5, 6], [1, 7, 2]]
    assert target.tolist() == [[5, 6, 2], [7, 2, 0]]
    assert shift_right(target[:, :0], 1).shape == (2, 0)
    with pytest.raises(ShapeError, match=r"target must have shape \(B, T\), got \(3,\)"):
        shift_right(target[0], 1)
