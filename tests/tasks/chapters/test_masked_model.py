"""What the tasks of assignment 12 owe beyond what all tasks do."""

import numpy as np
import pytest
import torch

from headway.models.patches import patchify
from headway.tasks.chapters.masked_model.mask_tokens import mask_tokens
from headway.tasks.chapters.masked_model.patchify import Patches
from headway.tasks.chapters.masked_model.predict import drawn, labels, patches
from headway.tasks.chapters.masked_model.repair import repair
from headway.tasks.chapters.masked_model.sentiment import (
    RIGHT,
    TARGET,
    cases,
    examine,
    learn_sentiment,
    sentiment_task,
    trained,
)
from headway.tasks.chapters.masked_model.sentiment_model import (
    PADDING,
    Reader,
    draw_reviews,
    draw_vocabulary,
    fill,
)
from headway.tasks.chapters.masked_model.span import best_spans
from headway.training.loss import IGNORE, cross_entropy
from tests.full import seeds

SEEDS = seeds(1)
FEWER = SEEDS[:5]  # for what fails, and takes as long
HANDED_OUT = {"places": None, "sees": "all u", "pool": "mean of u"}
# What training shows, and what another filling shows of it.
FAILING = {
    "order-unseen": HANDED_OUT,
    "columns-counted": RIGHT | {"places": "u"},
    "padding-pooled": RIGHT | {"pool": "last of u"},
    "first-word-sees-nothing": RIGHT | {"sees": "earlier v", "pool": "first of v"},
}


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_places_of_words_seen_and_pooled_reach_the_target_with_margin(seed):
    torch.manual_seed(seed)
    for case in cases(np.random.default_rng(seed)):
        assert examine(trained(*case.inputs), case).accuracy > TARGET + 0.015


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
@pytest.mark.parametrize("name", FAILING)
def test_other_arrangements_miss_the_target_in_other_fillings(name, seed):
    torch.manual_seed(seed)
    case = cases(np.random.default_rng(seed))[1]
    answer = trained(*case.inputs, arrangement=FAILING[name])
    assert examine(answer, case).accuracy < TARGET - 0.03
    shown = (m.name for m in sentiment_task.misconceptions if m.shows(answer, None, case))
    assert next(shown) == name


@pytest.mark.full
@pytest.mark.parametrize("seed", FEWER)
def test_what_counts_columns_is_right_as_long_as_reviews_begin_in_the_first(seed):
    torch.manual_seed(seed)
    case = cases(np.random.default_rng(seed))[0]
    answer = trained(*case.inputs, arrangement=FAILING["columns-counted"])
    assert examine(answer, case).accuracy >= TARGET


def test_a_weight_for_each_word_is_far_from_the_target_and_weights_by_hand_reach_it():
    for case in cases(np.random.default_rng(0)):
        ids, positive, vocabulary = case.inputs
        filled, answers = case.truth
        counts, new = (
            torch.nn.functional.one_hot(some, len(vocabulary)).sum(1).float()[:, 1:]
            for some in (ids, filled[0])
        )
        weights = torch.linalg.lstsq(counts, 2.0 * positive - 1, driver="gelsd").solution
        assert 0.4 < ((new @ weights > 0) == answers).float().mean() < 0.62
        assert examine(learn_sentiment(*case.inputs), case).accuracy == 1.0


@pytest.mark.parametrize("sees", ["all v", "earlier v"])
@pytest.mark.parametrize("pool", ["mean of v", "first of v", "last of v"])
def test_what_depends_on_words_alone_is_the_same_in_every_filling(sees, pool):
    rng = np.random.default_rng(1)
    vocabulary = draw_vocabulary(rng)
    rows, _ = draw_reviews(rng, 20, vocabulary)
    model = Reader(len(vocabulary), "v", sees, pool)
    with torch.no_grad():
        given, wide, left = (model(fill(rows, *how)) for how in ((13,), (48,), (48, True)))
        other = Reader(len(vocabulary), "u", sees, pool)
        moved = other(fill(rows, 48, True)) - other(fill(rows, 13))
    torch.testing.assert_close(wide, given)
    torch.testing.assert_close(left, given)
    assert moved.abs().max() > 0.01
    assert (fill(rows, 48, True)[:, 0] == PADDING).all()


def test_the_expected_numbers_are_those_that_many_draws_show():
    special, size = [0, 1, 2, 3], 16
    text = np.random.default_rng(0).integers(4, size, (2_000, 240))
    inputs, asked = mask_tokens(text, special, 3, size, seed=1)
    chosen = asked != IGNORE
    counts = [chosen, inputs == 3, inputs != text, chosen & (inputs == text)]
    assert drawn.reference == pytest.approx([c.sum(1).mean() for c in counts], rel=0.03)


def test_the_labels_say_what_the_inputs_hide():
    inputs, asked = labels.reference
    assert sum(label != IGNORE for label in asked) == 3
    assert [word for word, label in zip(inputs, asked, strict=True) if label == 9] == [9]


def test_the_place_in_a_patch_is_where_the_pixel_is_found():
    image = np.zeros((1, 24, 40, 3), dtype=np.int64)
    image[0, 13, 30, 2] = 1
    cut = Patches(8, 8).cut(image)
    assert patches.reference == [*cut.shape[1:], *np.argwhere(cut[0])[0]]


def test_the_patches_are_those_of_the_chapter_with_the_channels_side_by_side():
    images = torch.arange(2 * 3 * 4 * 6).reshape(2, 3, 4, 6)
    theirs = patchify(images, 2).reshape(2, 6, 3, 4).swapaxes(2, 3).flatten(2)
    mine = Patches(2, 2).cut(images.permute(0, 2, 3, 1).numpy())
    np.testing.assert_array_equal(mine, theirs)


def test_the_loss_is_that_of_the_course():
    draw = torch.Generator().manual_seed(0)
    logits = torch.randn(3, 5, 7, generator=draw)
    asked = torch.randint(7, (3, 5), generator=draw)
    asked[torch.rand(3, 5, generator=draw) < 0.6] = IGNORE
    torch.testing.assert_close(repair([(logits, asked)]), cross_entropy(logits, asked))


def test_the_probabilities_of_all_spans_add_up_to_one():
    """One at a time: the score of each span is raised until it wins."""
    draw = torch.Generator().manual_seed(0)
    start, end = torch.randn(2, 1, 5, generator=draw)
    passage = torch.tensor([[False, True, True, True, False]])
    pairs = [(0, 0), (1, 1), (1, 2), (2, 2), (2, 3), (3, 3)]
    scores = torch.stack([start[0, i] + end[0, j] for i, j in pairs])
    spans, probability = best_spans(start, end, passage, 2)
    assert tuple(spans[0].tolist()) == pairs[scores.argmax()]
    torch.testing.assert_close(probability[0], scores.softmax(0).max())
