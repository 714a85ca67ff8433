from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn import functional
from transformers import ViTConfig, ViTModel

from headway.models.heads import PooledHead, WithHead, first_token
from headway.models.hugging_face.renaming import load_renamed
from headway.models.parts import parameter_count
from headway.models.patches import VIT_BASE, ImageConfig, ImageModel, patchify, unpatchify
from headway.shapes import ShapeError
from tests.models.weights import redrawn

SMALL = ImageConfig(image=(3, 8, 12), patch=4, width=16, heads=4, layers=2)
close = {"atol": 1e-5, "rtol": 1e-5}
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


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def images(*shape, seed=0):
    return torch.randn(*shape, generator=generator(seed))


def small(**changes):
    return redrawn(ImageModel(replace(SMALL, **changes), generator()))


def test_the_size_of_the_images_may_be_a_list_as_files_have_it():
    config = replace(SMALL, image=[3, 8, 12])
    assert config == SMALL
    assert ImageModel(config, generator())(images(1, 3, 8, 12)).shape == (1, 7, 16)


sizes = st.integers(1, 3)


@given(sizes, sizes, sizes, sizes, sizes, st.booleans())
@settings(max_examples=50)
def test_patches_go_back_to_the_image_exactly(B, c, rows, columns, p, turned):
    given = images(B, c, rows * p, columns * p)
    if turned:
        given = given.mT.contiguous().mT  # the same numbers in another order of memory
    patches = patchify(given, p)
    assert patches.shape == (B, rows * columns, c * p * p)
    assert unpatchify(patches, p, rows * p, columns * p).equal(given)
    assert patchify(unpatchify(patches, p, rows * p, columns * p), p).equal(patches)


def test_patches_come_row_by_row_as_torch_unfolds_them():
    given = images(2, 3, 8, 12)
    assert patchify(given, 4).equal(functional.unfold(given, 4, stride=4).mT)
    assert patchify(given, 4)[1, 4].equal(given[1, :, 4:8, 4:8].flatten())  # 3 in the first row


def test_the_projection_of_patches_is_a_convolution_in_steps_of_a_patch():
    model, given = small(), images(2, 3, 8, 12)
    filters = model.projection.weight.view(16, 3, 4, 4)
    expected = functional.conv2d(given, filters, model.projection.bias, stride=4).flatten(2).mT
    torch.testing.assert_close(model.projection(patchify(given, 4)), expected, **close)


def test_sizes_follow_from_the_image():
    assert (SMALL.vocabulary, SMALL.context) == (48, 7)
    assert replace(SMALL, patch=2).context == 25
    assert small()(images(2, 3, 8, 12)).shape == (2, 7, 16)


def test_the_vision_transformer_has_the_published_number_of_parameters():
    with FakeTensorMode():
        model = ImageModel(VIT_BASE, torch.Generator())
        head = PooledHead(768, 1000, torch.Generator(), first_token)
        assert parameter_count(WithHead(model, head)) == 86_567_656


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
    given = images(2, 3, 8, 12)
    expected = theirs(given).last_hidden_state
    torch.testing.assert_close(model(given), expected, atol=1e-4, rtol=0)


def test_every_patch_sees_every_other_from_the_first_layer_on():
    model, given = small(layers=1), images(1, 3, 8, 12)
    other = given.clone()
    other[:, :, 7, 11] += 1  # a pixel of the last patch
    assert not torch.isclose(model(given), model(other), atol=1e-6).all(dim=-1).any()


def test_without_positions_an_image_is_a_set_of_patches():
    given, order = images(1, 3, 8, 12), torch.tensor([5, 2, 0, 1, 4, 3])
    mixed = unpatchify(patchify(given, 4)[:, order], 4, 8, 12)
    for position, same in (("none", True), ("learned", False)):
        model = small(position=position)
        expected = torch.cat((model(given)[:, :1], model(given)[:, 1:][:, order]), dim=1)
        assert torch.allclose(model(mixed), expected, atol=1e-5) == same


def test_the_seed_decides_all_weights():
    torch.manual_seed(1)
    first = ImageModel(SMALL, generator()).state_dict()
    torch.manual_seed(2)
    again = ImageModel(SMALL, generator()).state_dict()
    other = ImageModel(SMALL, generator(1)).state_dict()
    assert all(weight.equal(again[name]) for name, weight in first.items())
    assert not any(weight.equal(other[name]) for name, weight in first.items() if weight.dim() > 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: patchify(images(3, 8, 12), 4), r"\(3, 8, 12\), expected \(B, c, h, w\)"),
        (lambda: patchify(images(1, 3, 8, 10), 4), "8 × 10 pixels.*4 × 4"),
        (lambda: patchify(images(1, 3, 8, 12), 0), "patches of 0 × 0"),
        (lambda: unpatchify(images(2, 7, 48), 4, 8, 12), r"\(2, 7, 48\).*\(B, 6.*class token"),
        (lambda: unpatchify(images(2, 6, 47), 4, 8, 12), r"\(2, 6, 47\)"),
        (lambda: unpatchify(images(6, 48), 4, 8, 12), r"\(6, 48\)"),
        (lambda: small()(images(2, 3, 12, 8)), r"\(2, 3, 12, 8\).*\('B', 3, 8, 12\)"),
        (lambda: replace(SMALL, patch=5), "8 × 12 pixels do not divide into patches of 5 × 5"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ShapeError, match=message):
        call()
