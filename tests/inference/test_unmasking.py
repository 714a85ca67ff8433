import pytest
import torch

from headway.inference.unmasking import unmask
from headway.shapes import ShapeError
from tests.nn.drawn import seeded

MASK, WORDS = 3, range(4, 12)


def sure_of_its_place(ids):
    """Logits (B, T, V): at place t the word 4 + t, the surer the farther right; never a blank."""
    B, T = ids.shape
    places = torch.arange(T)
    logits = torch.zeros(B, T, 12)
    logits[:, places, 4 + places] = 1.0 + 2 * places
    logits[..., MASK] = 100.0
    return logits


def test_the_surest_place_comes_first_and_the_rest_is_left_alone():
    ids = torch.tensor([[1, MASK, 9, MASK], [1, 7, MASK, 8]])
    passes = unmask(sure_of_its_place, ids, MASK, WORDS, seeded())
    assert [each.at.tolist() for each in passes] == [[3, 2], [1, -1]]
    last = passes[-1].ids
    assert last.where(ids == MASK, ids).equal(last)
    assert ((last >= WORDS.start) & (last < WORDS.stop))[ids == MASK].all()
    assert ids[0, 1] == MASK
    assert unmask(sure_of_its_place, last, MASK, WORDS, seeded()) == []  # no blanks are left


def test_what_cannot_be_filled_is_refused():
    with pytest.raises(ShapeError, match="a row for each text"):
        unmask(sure_of_its_place, torch.tensor([MASK]), MASK, WORDS, seeded())
    with pytest.raises(ValueError, match="the id of a blank"):
        unmask(sure_of_its_place, torch.tensor([[MASK]]), MASK, range(12), seeded())


def test_words_are_drawn_by_their_probabilities():
    logits = torch.zeros(1, 1, 12)
    logits[..., 5] = 2.0
    ids = torch.full((20_000, 1), MASK)
    drawn = unmask(lambda ids: logits.expand(len(ids), 1, 12), ids, MASK, WORDS, seeded())
    share = (drawn[0].ids == 5).float().mean().item()
    p = logits[0, 0, 4:].softmax(0)[1].item()
    assert abs(share - p) < 5 * (p * (1 - p) / 20_000) ** 0.5
    assert drawn[0].probability[drawn[0].ids[:, 0] == 5][0].item() == pytest.approx(p)
