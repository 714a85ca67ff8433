"""One model in both layouts of rotary pairs: the same numbers, once W_Q and W_K are reordered."""

from dataclasses import replace

import pytest
import torch

from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.nn.multihead import MultiHeadAttention
from headway.nn.position import halves_order
from tests.models.weights import random_ids, redrawn

V, T = 23, 12
SIZES = {"vocabulary": V, "context": T, "width": 24, "heads": 4, "layers": 2, "position": "rotary"}
INTERLEAVED = LanguageModelConfig(**SIZES, pairs="interleaved")
close = {"atol": 1e-5, "rtol": 1e-4}
# One head for each query head, one for two of them, and one for all.
every_sharing = pytest.mark.parametrize("shared", [4, 2, 1])


def in_halves(model, **changes):
    """The same model in the other layout, whose weights are those of the first, reordered."""
    config = replace(model.config, pairs="halves", **changes)
    other = type(model)(config, torch.Generator()).eval()
    other.load_state_dict(model.state_dict())
    for part in other.modules():
        if isinstance(part, MultiHeadAttention) and part.rotary is not None:
            D, turned = part.head_width, part.heads + part.key_value_heads
            rows = (D * torch.arange(turned)[:, None] + halves_order(D)).flatten()
            for numbers in (part.qkv.weight.data, part.qkv.bias.data):
                numbers[: turned * D] = numbers[rows]  # values, which come last, are not turned
    return other


def interleaved(shared=4):
    config = replace(INTERLEAVED, key_value_heads=shared)
    return redrawn(LanguageModel(config, torch.Generator()), std=0.4)


@every_sharing
@torch.no_grad()
def test_a_model_in_one_layout_is_one_in_the_other_with_reordered_queries_and_keys(shared):
    model, ids = interleaved(shared), random_ids(V, 3, T)
    logits = model(ids)
    torch.testing.assert_close(in_halves(model)(ids), logits, **close)
    misread = LanguageModel(replace(model.config, pairs="halves"), torch.Generator()).eval()
    misread.load_state_dict(model.state_dict())
    assert (misread(ids) - logits).abs().max() > 0.1


@every_sharing
@pytest.mark.parametrize("predictor", [CachedLanguageModel, FusedLanguageModel])
@torch.inference_mode()
def test_each_cache_reads_interleaved_pairs_piece_by_piece(predictor, shared):
    model, ids = interleaved(shared), random_ids(V, 3, T)
    expected = in_halves(model)(ids)
    for pieces in ([T], [1] * T, [5, 1, 1, 5]):
        cached = predictor(model, len(ids))
        read = torch.cat([cached.read(piece) for piece in ids.split(pieces, dim=1)], dim=1)
        torch.testing.assert_close(model.predict(read), expected, **close)
