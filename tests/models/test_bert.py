import re
from dataclasses import replace

import pytest
import torch
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertForSequenceClassification,
    BertModel,
)

from headway.models.heads import PooledHead, Pooler, TransformedFillIn, WithHead
from headway.models.hugging_face.bert import load_bert
from headway.models.masked_model import BERT_BASE, MaskedModel
from headway.nn.masks import padding_mask
from headway.shapes import ShapeError
from tests.models.weights import random_ids, redrawn

V, N, C, K = 61, 16, 24, 5
close = {"atol": 1e-4, "rtol": 0}
chance = torch.Generator()

IDS, SEGMENTS = random_ids(V, 3, 11), random_ids(2, 3, 11, seed=1)
LENGTHS = torch.tensor([11, 6, 1])
MASK = padding_mask(LENGTHS, 11)


def theirs(kind):
    config = BertConfig(
        vocab_size=V,
        hidden_size=C,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=40,
        max_position_embeddings=N,
        num_labels=K,
    )
    return redrawn(kind(config))


def run(model):
    """What their model returns for the padded batch."""
    return model(IDS, attention_mask=MASK[:, 0, 0].long(), token_type_ids=SEGMENTS)


def ours(**changes):
    sizes = {"vocabulary": V, "context": N, "width": C, "heads": 4, "layers": 3, "hidden": 40}
    config = replace(BERT_BASE, **sizes | changes)
    return redrawn(MaskedModel(config, chance), seed=7)  # to be overwritten


def with_head(make):
    model = ours()
    return redrawn(WithHead(model, make(model)), seed=7)


HEADS = {
    BertModel: lambda model: Pooler(C, chance),
    BertForMaskedLM: lambda model: TransformedFillIn(model.embedding, chance),
    BertForSequenceClassification: lambda model: PooledHead(C, K, chance, Pooler(C, chance)),
}


@pytest.mark.parametrize("kind", [BertModel, BertForMaskedLM])
def test_hidden_states_agree_on_the_same_weights_with_padding_and_segments(kind):
    other, model = theirs(kind), ours()
    load_bert(model, other.state_dict())
    hidden, other = model(IDS, MASK, SEGMENTS), getattr(other, "bert", other)
    assert hidden.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(hidden, run(other).last_hidden_state, **close)
    torch.testing.assert_close(model(IDS), other(IDS).last_hidden_state, **close)


@pytest.mark.parametrize("kind", HEADS)
def test_heads_agree_on_the_same_weights_with_padding_and_segments(kind):
    other, model = theirs(kind), with_head(HEADS[kind])
    load_bert(model, other.state_dict())
    answer = model(IDS, MASK, segments=SEGMENTS)
    found = run(other)
    expected = found.pooler_output if kind is BertModel else found.logits
    assert answer.std() > 0.2
    torch.testing.assert_close(answer, expected, **close)


def test_a_published_file_gives_the_fill_in_head_and_leaves_out_the_rest():
    other = theirs(BertForPreTraining)  # what was published holds a pooler and two heads
    state = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): weight
        for name, weight in other.state_dict().items()
    }
    state["bert.embeddings.position_ids"] = torch.arange(N)[None]
    model = with_head(lambda model: TransformedFillIn(model.embedding, chance))
    load_bert(model, state)
    expected = run(other).prediction_logits
    torch.testing.assert_close(model(IDS, MASK, segments=SEGMENTS), expected, **close)


@pytest.mark.parametrize(
    ("changes", "edit", "error", "message"),
    [
        ({}, lambda s: s.pop("bert.embeddings.LayerNorm.bias"), KeyError, "our input.norm.bias"),
        ({"width": 32}, lambda s: s, ShapeError, "is (16, 32), their embeddings.position_emb"),
        ({"layers": 2}, lambda s: s, ValueError, "encoder.layer.2.attention.self.query.weight"),
    ],
)
def test_another_architecture_is_refused_and_nothing_loaded(changes, edit, error, message):
    state, model = theirs(BertForMaskedLM).state_dict(), ours(**changes)
    edit(state)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    with pytest.raises(error, match=re.escape(message)):
        load_bert(model, state)
    assert all(weight.equal(before[name]) for name, weight in model.state_dict().items())


def test_words_written_with_another_matrix_than_they_are_read_with_are_refused():
    state = theirs(BertForMaskedLM).state_dict()
    state["cls.predictions.decoder.weight"] = state["cls.predictions.decoder.weight"] + 1
    with pytest.raises(ValueError, match=r"decoder.weight differs from their .*word_embeddings"):
        load_bert(with_head(HEADS[BertForMaskedLM]), state)
    load_bert(ours(), state)  # without the head nothing is written
