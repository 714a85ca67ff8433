"""What proposes: a model that is given whole texts, a chain, and a copy."""

import pytest
import torch

from headway.inference.drafts import Remembering, chain_draft, copy_draft
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.ngram.markov import MarkovChain
from headway.shapes import ShapeError
from tests.inference.test_kv_cache import make_model
from tests.models.weights import random_ids

V = 13


@torch.inference_mode()
@pytest.mark.parametrize("window", [None, 6])
def test_a_reader_gives_the_models_logits_for_whatever_text_comes_next(window):
    model = make_model(position="rotary", window=window).double()
    reader = Remembering(FusedLanguageModel(model, 1))
    generator = torch.Generator().manual_seed(3)
    ids = random_ids(V, 1, 6)[0]
    for back, new in [(0, 1), (0, 3), (2, 3), (1, 1), (3, 4), (0, 2)]:
        more = torch.randint(V, (new,), generator=generator)
        ids = torch.cat((ids[: len(ids) - back], more))
        expected = model(ids[None])[0, -new:]
        torch.testing.assert_close(reader(ids, new), expected, atol=1e-10, rtol=1e-10)


def test_what_a_window_no_longer_holds_cannot_be_read_again():
    reader = Remembering(FusedLanguageModel(make_model(position="rotary", window=3), 1))
    ids = random_ids(V, 1, 20)[0]
    reader(ids, 1)
    with pytest.raises(ValueError, match="window of 3 does not hold"):
        reader(ids[:4], 1)


def test_a_chain_proposes_what_it_counted_and_nothing_after_unseen_words():
    chain = MarkovChain([[0, 1, 2, 0, 1, 1]], 4, 2)
    draft = chain_draft(chain)
    assert draft(torch.tensor([3, 0, 1]), 1).softmax(-1).tolist() == [[0, 0.5, 0.5, 0]]
    assert draft(torch.tensor([0]), 1).softmax(-1).tolist() == [[0, 1, 0, 0]]  # after the boundary
    assert draft(torch.tensor([3, 3]), 1) is None
    assert draft(torch.tensor([1, 1]), 1) is None  # only the end was seen to follow
    unigram = chain_draft(MarkovChain([[0, 0, 1]], 2, 0))
    assert unigram(torch.tensor([1]), 1).softmax(-1)[0].tolist() == pytest.approx([2 / 3, 1 / 3])


def test_copying_proposes_what_followed_the_longest_match_the_last_time():
    draft = copy_draft(9, most=2)
    seven_after = torch.tensor([1, 2, 7, 3, 2, 8, 1, 2])
    assert draft(seven_after, 1).argmax() == 7  # "1 2" once, though "2" came with 8 later
    assert draft(torch.tensor([2, 7, 2, 8, 2]), 1).argmax() == 8  # of equals the latest
    assert draft(torch.tensor([1, 2, 3]), 1) is None
    assert draft(torch.tensor([1]), 1) is None
    assert draft(torch.tensor([5, 5]), 1).softmax(-1)[0].tolist() == [0.0] * 5 + [1.0] + [0.0] * 3


def test_readers_refuse_several_texts_and_what_cannot_be_forgotten():
    with pytest.raises(ShapeError, match="cache of 2 texts"):
        Remembering(CachedLanguageModel(make_model(), 2))
    with pytest.raises(ValueError, match="convolutional"):
        Remembering(CachedLanguageModel(make_model(position="convolutional"), 1))
    with pytest.raises(ValueError, match="got 0"):
        copy_draft(5, most=0)
