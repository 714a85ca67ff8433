from dataclasses import fields, replace

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from headway.models.heads import Pooler, WithHead
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.masked_model import CONFIGS, MaskedModel, MaskedModelConfig
from headway.models.parts import INITIALIZATIONS, NORMS, POSITIONS, ModelConfig, parameter_count
from headway.nn.masks import padding_mask
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn
from tests.nn.drawn import seeded

V, N, C = 23, 12, 16
SMALL = MaskedModelConfig(vocabulary=V, context=N, width=C, heads=4, layers=2, reach=3)
close = {"atol": 1e-5, "rtol": 1e-5}
every_position = pytest.mark.parametrize("position", POSITIONS)


def small(seed=3, **changes):
    return redrawn(MaskedModel(replace(SMALL, **changes), seeded()), seed=seed)


@pytest.mark.parametrize(
    ("name", "count"), [("bert-base", 109_482_240), ("bert-large", 335_141_888)]
)
def test_bert_and_its_pooler_have_the_published_number_of_parameters(name, count):
    with FakeTensorMode():  # shapes without numbers
        model = MaskedModel(CONFIGS[name], torch.Generator())
        pooler = Pooler(CONFIGS[name].width, torch.Generator())
        assert parameter_count(WithHead(model, pooler)) == count


@every_position
@pytest.mark.parametrize("norm", NORMS)
def test_it_is_a_language_model_without_the_causal_mask(position, norm):
    shared = {field.name: getattr(SMALL, field.name) for field in fields(ModelConfig)}
    shared |= {"position": position, "norm": norm}
    causal = redrawn(LanguageModel(LanguageModelConfig(**shared), seeded()))
    masked = MaskedModel(MaskedModelConfig(**shared), seeded()).eval()
    masked.load_state_dict(causal.state_dict())
    ids, mask = random_ids(V, 2, 8), padding_mask(torch.tensor([8, 5]), 8)
    logits = masked.embedding.unembed(masked(ids, mask))
    torch.testing.assert_close(logits, causal(ids, mask=mask, causal=False), **close)
    assert not torch.allclose(logits[:, :5], causal(ids)[:, :5], atol=1e-2)


@every_position
@pytest.mark.parametrize("more", [0, 5])
def test_padding_changes_nothing(position, more):
    model, ids = small(position=position, segments=2), random_ids(V, 2, 6 + more)
    lengths = torch.tensor([6, 3])
    hidden = model(ids, padding_mask(lengths, 6 + more))
    for row, length in enumerate(lengths):
        alone = model(ids[row : row + 1, :length])
        torch.testing.assert_close(hidden[row : row + 1, :length], alone, **close)


def test_the_embedding_norm_normalizes_the_sum_of_words_places_and_segments():
    model, ids = small(segments=2, embedding_norm=True, layers=0, norm="post"), random_ids(V, 2, 5)
    segments = torch.tensor([[0, 0, 1, 1, 1], [0, 1, 0, 1, 0]])
    x = model.embedding.weight[ids] + model.input.position.table[:5]
    expected = model.input.norm(x + model.segment_embedding.weight[segments])
    torch.testing.assert_close(model(ids, segments=segments), expected, **close)
    assert model(ids).equal(model(ids, segments=torch.zeros_like(ids)))


@pytest.mark.parametrize("initialization", INITIALIZATIONS)
def test_the_seed_decides_all_weights(initialization):
    config = replace(SMALL, initialization=initialization, segments=2)
    torch.manual_seed(1)
    first = MaskedModel(config, seeded()).state_dict()
    torch.manual_seed(2)
    again = MaskedModel(config, seeded()).state_dict()
    other = MaskedModel(config, seeded(1)).state_dict()
    assert all(weight.equal(again[name]) for name, weight in first.items())
    assert not any(weight.equal(other[name]) for name, weight in first.items() if weight.dim() > 1)


@pytest.mark.parametrize("layers", [0, 2])
def test_dropout_acts_in_training_only_and_on_the_embeddings_too(layers):
    model, ids = small(dropout=0.5, layers=layers), random_ids(V, 2, 6)
    assert model(ids).equal(small(layers=layers)(ids))
    model.train()
    assert not model(ids).equal(model(ids))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: small()(torch.arange(5)), ShapeError, r"\(B, T\), got \(5,\).*ids\[None\]"),
        (lambda: small()(random_ids(V, 1, 13)), ShapeError, "longer than the context"),
        (
            lambda: small()(random_ids(V, 2, 5), segments=random_ids(2, 2, 5)),
            ValueError,
            "model without them; its config needs segments=2",
        ),
        (
            lambda: small(segments=2)(random_ids(V, 2, 5), segments=random_ids(2, 2, 4)),
            ShapeError,
            r"segments \(2, 4\) and ids \(2, 5\)",
        ),
        (
            lambda: small(segments=2)(random_ids(V, 2, 5), segments=torch.full((2, 5), 2)),
            IndexError,
            "0 … 1 for a table",
        ),
        (lambda: small(segments=-1), ValueError, "segments must be at least 0, got -1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, error, message):
    with pytest.raises(error, match=message):
        call()
