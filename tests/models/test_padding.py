"""Batches of texts of different lengths, padded on either side, and their rows again."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.models.language_model import token_places
from headway.models.padding import cut_at, pad, pad_left
from headway.nn.masks import token_mask
from headway.shapes import ShapeError

PADDING = 0
SENTENCES = st.lists(st.lists(st.integers(1, 9), max_size=5), min_size=1, max_size=4)


@given(SENTENCES)
def test_padding_fills_up_on_the_right_and_can_be_taken_off(rows):
    batch = pad(rows, PADDING)
    assert batch.dtype == torch.int64
    assert batch.shape == (len(rows), max(map(len, rows)))
    tokens = token_mask(batch, PADDING)[:, 0, 0]
    assert [row[seen].tolist() for row, seen in zip(batch, tokens, strict=True)] == rows


@given(SENTENCES)
def test_padding_on_the_left_says_where_each_text_starts(rows):
    batch, starts = pad_left(rows, PADDING)
    assert batch.dtype == starts.dtype == torch.int64
    assert batch.shape == (len(rows), max(map(len, rows)))
    assert [row[start:].tolist() for row, start in zip(batch, starts, strict=True)] == rows
    assert torch.equal(batch != PADDING, token_places(starts, batch))


@pytest.mark.parametrize("padded", [pad, pad_left])
@pytest.mark.parametrize("sentences", [[1, 2], ["ab", "c"], [[[1]], [[2]]], "ab"])
def test_what_is_no_list_of_ids_is_refused(padded, sentences):
    with pytest.raises(TypeError, match="must be lists of ids"):
        padded(sentences, PADDING)
    with pytest.raises(ValueError, match="a sentence at least"):
        padded([], PADDING)


@given(SENTENCES, st.integers(1, 9))
def test_rows_are_cut_at_their_first_end_symbol(rows, end):
    cut = cut_at(pad(rows, PADDING), end)
    for row, original in zip(cut, rows, strict=True):
        assert end not in row
        whole = original + [PADDING] * (max(map(len, rows)) - len(original))
        assert whole[: len(row)] == row
        assert whole[len(row) : len(row) + 1] in ([end], [])
        assert (len(row) == len(whole)) == (end not in whole)


def test_one_sentence_is_not_cut_as_a_batch():
    with pytest.raises(ShapeError, match=r"\(B, T\).* got \(3,\)"):
        cut_at(torch.tensor([1, 2, 3]), 2)
