import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.nn.masks import (
    causal_mask,
    combine,
    padding_mask,
    token_mask,
    window_mask,
)
from headway.shapes import ShapeError

queries = st.integers(1, 6)
earlier = st.integers(0, 5)


def by_rule(T, S, rule):
    """A (T, S) mask from a rule for (position of the query, position of the key)."""
    return torch.tensor([[rule(S - T + t, s) for s in range(S)] for t in range(T)])


@given(st.integers(1, 8), queries, earlier)
def test_causal_masks_and_windows_show_what_their_rules_say(window, T, before):
    S = T + before
    assert causal_mask(T, S).equal(by_rule(T, S, lambda p, s: s <= p))
    assert window_mask(window, T, S).equal(by_rule(T, S, lambda p, s: p - window < s <= p))


def test_padding_is_hidden_by_length_and_by_token_on_either_side():
    mask = padding_mask(torch.tensor([0, 2, 3]), 3)
    assert mask.shape == (3, 1, 1, 3)
    assert mask[:, 0, 0].tolist() == [[False] * 3, [True, True, False], [True] * 3]
    ids = torch.tensor([[0, 0, 0], [5, 7, 0], [8, 9, 6]])
    assert token_mask(ids, padding=0).equal(mask)
    assert token_mask(ids.flip(1), padding=0)[1, 0, 0].tolist() == [False, True, True]


def test_a_combination_shows_what_all_show_and_none_hides_nothing():
    padding = padding_mask(torch.tensor([1, 3]), 3)
    both = combine(causal_mask(3), None, padding)
    assert both.shape == (2, 1, 3, 3)
    assert both[0, 0].tolist() == [[True, False, False]] * 3
    assert both[1, 0].equal(causal_mask(3))
    assert combine(None, None) is None


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: causal_mask(3, 2), ShapeError, r"\(3, 2\).*fewer keys"),
        (lambda: window_mask(0, 3), ValueError, "at least 1"),
        (lambda: padding_mask(torch.tensor([4]), 3), ValueError, "0 … 3, got 4"),
        (lambda: padding_mask(torch.tensor([[1, 2]]), 3), ShapeError, r"\(1, 2\)"),
        (lambda: token_mask(torch.tensor([1, 2]), 0), ShapeError, r"\(2,\).*batch"),
        (
            lambda: combine(causal_mask(3), torch.ones(2, 4, dtype=torch.bool)),
            ShapeError,
            r"\(3, 3\) and \(2, 4\)",
        ),
    ],
)
def test_what_makes_no_mask_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()
