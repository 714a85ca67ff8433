import pytest
import torch

from headway.inference.quality import distinct_n, mean_log_probability
from headway.shapes import ShapeError
from tests.inference.tables import random_table


def test_distinct_n_counts_each_n_gram_once():
    ids = torch.tensor([[0, 1, 0, 1], [0, 1, 2, 9]])
    assert distinct_n(ids, 1) == 4 / 8
    assert distinct_n(ids, 2) == 4 / 6  # 01 10 12 29 of 01 10 01 01 12 29
    assert distinct_n(ids, 4) == 1
    assert distinct_n(ids, 1, padding=9) == 3 / 7
    assert distinct_n(ids, 2, padding=9) == 3 / 5


def test_the_mean_log_probability_is_over_the_tokens_that_are_no_padding():
    logits, ids = random_table(0, 4, 2), torch.tensor([[0, 1, 2, 2], [1, 3, 3, 3], [3, 3, 3, 3]])
    log_p = logits.log_softmax(-1)
    first = log_p[0, [0, 1, 2, 3], ids[0]].mean()
    expected = torch.stack([first, log_p[1, 0, 1], torch.zeros(()).double()])
    torch.testing.assert_close(mean_log_probability(logits[:3], ids, padding=3), expected)


@pytest.mark.parametrize(
    ("shape", "n", "padding", "error", "message"),
    [
        ((2, 3), 0, None, ValueError, r"n = 0.*\(2, 3\)"),
        ((2, 3), 4, None, ValueError, r"n = 4.*\(2, 3\)"),
        ((2, 3), 2, 0, ValueError, "padding 0"),
        ((3,), 1, None, ShapeError, r"\(3,\)"),
    ],
)
def test_what_has_no_n_gram_is_refused(shape, n, padding, error, message):
    with pytest.raises(error, match=message):
        distinct_n(torch.zeros(shape, dtype=torch.int64), n, padding)
