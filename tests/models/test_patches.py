from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional
from transformers import ViTConfig, ViTModel

from headway.models.hugging_face.renaming import load_renamed
from headway.models.patches import ImageConfig, ImageModel, patchify
from headway.shapes import ShapeError
from tests.models.weights import redrawn
from tests.nn.drawn import normal, seeded

SMALL = ImageConfig(image=(3, 8, 12), patch=4, width=16, heads=4, layers=2)
VIT_RENAMES = (
    (r"^class_token", "embeddings.cls_token"),
    (r"^input\.position\.table", "embeddings.position_embeddings"),
    (r"^projection\.", "embeddings.patch_embeddings.projection."),
    (r"^stack\.norm\.", "layernorm."),
    (r"attention_residual\.norm\.", "layernorm_before."),
    (r"feed_forward_residual\.norm\.", "layernorm_after."),
    (r"feed_forward\.expand\.", "mlp.fc1."),
    (r"feed_forward\.contract\.", "mlp.fc2."),
    (
        r"attention\.qkv\.",
        ("attention.q_proj.", "attention.k_proj.", "attention.v_proj."),
    ),
    (r"attention\.output\.", "attention.o_proj."),
    (r"^stack\.blocks\.", "layers."),
)


def small(**changes):
    return redrawn(ImageModel(replace(SMALL, **changes), seeded()))


sizes = st.integers(1, 3)


@given(sizes, sizes, sizes, sizes, sizes, st.booleans())
@settings(max_examples=50)
def test_patches_come_row_by_row_as_torch_unfolds_them(B, c, rows, columns, p, turned):
    given = normal(B, c, rows * p, columns * p)
    if turned:
        given = given.mT.contiguous().mT  # the same numbers in another order of memory
    assert patchify(given, p).equal(functional.unfold(given, p, stride=p).mT)


def test_sizes_follow_from_the_image_which_files_have_as_a_list():
    assert (SMALL.vocabulary, SMALL.context) == (48, 7)
    assert replace(SMALL, patch=2).context == 25
    assert small()(normal(2, 3, 8, 12)).shape == (2, 7, 16)
    assert replace(SMALL, image=[3, 8, 12]) == SMALL


def test_hidden_states_agree_with_hugging_faces_on_the_same_weights():
    config = ViTConfig(
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        image_size=(8, 12),
        patch_size=4,
        layer_norm_eps=1e-5,
    )
    theirs, model = redrawn(ViTModel(config, add_pooling_layer=False)), small()
    state = theirs.state_dict()
    state["embeddings.position_embeddings"] = state["embeddings.position_embeddings"][0]
    name = "embeddings.patch_embeddings.projection.weight"
    state[name] = state[name].flatten(1)
    load_renamed(model, state, VIT_RENAMES)
    given = normal(2, 3, 8, 12)
    expected = theirs(given).last_hidden_state
    torch.testing.assert_close(model(given), expected, atol=1e-4, rtol=0)


def test_the_seed_decides_all_weights():
    first, again, other = (ImageModel(SMALL, seeded(seed)).state_dict() for seed in (0, 0, 1))
    torch.testing.assert_close(first, again, atol=0, rtol=0)
    assert not any(weight.equal(other[name]) for name, weight in first.items() if weight.dim() > 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: patchify(normal(3, 8, 12), 4), r"\(3, 8, 12\), expected \(B, c, h, w\)"),
        (lambda: patchify(normal(1, 3, 8, 12), 0), "patches of 0 × 0"),
        (lambda: small()(normal(2, 3, 12, 8)), r"\(2, 3, 12, 8\).*\('B', 3, 8, 12\)"),
        (lambda: replace(SMALL, patch=5), "8 × 12 pixels do not divide into patches of 5 × 5"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ShapeError, match=message):
        call()
