"""The figures of chapter 12: their numbers are the models', and what makes no sense is refused."""

import numpy as np
import pytest
import torch
from torch import nn

from headway.figures.gallery.fill_in import Filler, fill_in
from headway.figures.gallery.patch_reach import patch_reach, reach, seen
from headway.figures.gallery.sense_layers import Mentions, sense_layers
from headway.models.patches import ImageConfig, ImageModel

WORDS = ["[CLS]", "[MASK]", "[SEP]", "the", "owl", "sleeps"]
TEXTS = ["b c", "c d", "d e", "e f"]


def filler(**changes):
    given = {
        "config": {"vocabulary": 6}, "weights": {"table": np.ones((6, 2))}, "words": WORDS,
        "specials": WORDS[:3], "first": 0, "mask": 1, "last": 2,
    }  # fmt: skip
    return Filler(**given | changes)


def filled(of=None, likely=((("owl", 0.75), ("the", 0.125)),), examples=("the _ sleeps", "_ owl")):
    return fill_in(of or filler(), likely, examples, "It fills", "Hide a word.")


def test_a_filled_blank_is_told_with_its_place_and_its_words():
    figure = filled()
    assert "word 2: owl 0.75, the 0.125" in figure.alt
    assert figure.rows == [["word 2", "owl", "0.75"], ["word 2", "the", "0.125"]]
    assert figure.attached["model"]["config"] == {"vocabulary": 6, "tied": True}
    assert (figure.attached["mask"], figure.attached["specials"]) == (1, 3)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"of": filler(words=WORDS[:-1])}, "5 words, the model has 6"),
        ({"of": filler(specials=["[MASK]"])}, "must begin with"),
        ({"examples": ["the owl sleeps"]}, "needs a blank"),
        ({"likely": ()}, "needs a blank"),
        ({"examples": []}, "needs a blank"),
        ({"examples": ["the _ snores"]}, "does not know snores"),
        ({"examples": ["the _ [SEP]"]}, r"does not know \[SEP\]"),
    ],
)
def test_blanks_that_do_not_fit_the_model_are_refused(given, what):
    with pytest.raises(ValueError, match=what):
        filled(**given)


def mentions(**changes):
    vectors = np.random.default_rng(0).normal(size=(2, 4, 5))
    given = {
        "word": "bank", "senses": ("shore", "money"), "texts": TEXTS,
        "of": np.array([0, 1, 1, 0]), "vectors": vectors, "shares": [0.5, 0.875],
    }  # fmt: skip
    return Mentions(**given | changes)


def test_each_layer_has_a_map_within_the_same_frame_and_its_share():
    figure = sense_layers([mentions()], "They part", "Move the slider.")
    (word,) = figure.data["words"]
    points = np.array(word["points"])
    assert points.shape == (2, 4, 2)
    np.testing.assert_allclose(np.abs(points).max(axis=(1, 2)), 1)
    assert figure.data["start"] == 1
    assert "50% before the first layer, 88% after layer 1" in figure.alt
    assert figure.rows[1] == ["bank", "after layer 1", "88%"]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"vectors": np.ones((2, 3, 5))}, "need vectors"),
        ({"of": np.array([0, 1])}, "need vectors"),
        ({"shares": [0.5]}, "2 layers need a share each"),
        ({"of": np.array([0, 1, 2, 0])}, "one of two senses"),
    ],
)
def test_mentions_whose_numbers_do_not_fit_are_refused(given, what):
    with pytest.raises(ValueError, match=what):
        sense_layers([mentions(**given)], "They part", "Move the slider.")


def test_words_of_models_with_different_depths_are_refused():
    shallow = mentions(vectors=np.random.default_rng(1).normal(size=(1, 4, 5)), shares=[0.5])
    for given in ([], [mentions(), shallow]):
        with pytest.raises(ValueError, match="same number of layers"):
            sense_layers(given, "They part", "Move the slider.")


def sloped(output, images):
    """The pixels (h, w) that a number depends on."""
    (slopes,) = torch.autograd.grad(output, images)
    return (slopes[0, 0] != 0).numpy()


def framed(shape, *given):
    expected = np.zeros(shape, dtype=bool)
    expected[reach(shape, *given)] = True
    return expected


@pytest.mark.parametrize("place", [0, 5, 11])
def test_the_reach_is_where_models_have_slopes(place):
    shape, p, draw = (9, 12), 3, torch.Generator().manual_seed(0)
    images = torch.rand(1, 1, *shape, generator=draw).requires_grad_()
    for layers in (0, 1, 2):
        config = ImageConfig(image=(1, *shape), patch=p, width=8, heads=2, layers=layers)
        hidden = ImageModel(config, draw)(images)[0, 1 + place]
        weights = torch.randn(8, generator=draw)
        found = sloped((hidden * weights).sum(), images)
        np.testing.assert_array_equal(found, framed(shape, p, place, layers, "attention"))
    y, x = p * (place // 4) + 1, p * (place % 4) + 1
    for layers in (1, 2, 4):
        stack = nn.Sequential(*(nn.Conv2d(1, 1, 3, padding=1) for _ in range(layers)))
        for layer in stack:
            nn.init.uniform_(layer.weight, 0.1, 0.2, generator=draw)
        found = sloped(stack(images)[0, 0, y, x], images)
        np.testing.assert_array_equal(found, framed(shape, p, place, layers, "convolution"))
        assert found.sum() == seen(shape, p, place, layers, "convolution")


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ((np.eye(4), 3, 2, 0), "do not cover"),
        ((2 * np.eye(4), 2, 2, 0), "gray values"),
        ((np.eye(4), 2, 0, 0), "must be a layer"),
        ((np.eye(4), 2, 1, 4), "a place in 0 … 3, got 4"),
    ],
)
def test_images_and_patches_that_do_not_fit_are_refused(given, what):
    with pytest.raises(ValueError, match=what):
        patch_reach(*given, "It sees", "Add layers.")
