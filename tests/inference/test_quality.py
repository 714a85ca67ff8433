import math

import pytest
import torch

from headway.inference.decoding import Sampling, generate
from headway.inference.quality import distinct_n, mean_log_probability
from headway.shapes import ShapeError
from tests.inference.tables import Reads, random_table


def test_distinct_n_counts_each_n_gram_once():
    ids = torch.tensor([[0, 1, 0, 1], [0, 1, 2, 9]])
    assert distinct_n(ids, 1) == 4 / 8
    assert distinct_n(ids, 2) == 4 / 6  # 01 10 12 29 of 01 10 01 01 12 29
    assert distinct_n(ids, 4) == 1
    assert distinct_n(ids, 1, padding=9) == 3 / 7
    assert distinct_n(ids, 2, padding=9) == 3 / 5


def test_padding_changes_no_measure():
    ids, logits = torch.tensor([[0, 1, 0], [1, 1, 2]]), random_table(0, 4, 2)[:2, :3]
    padded = torch.nn.functional.pad(ids, (0, 2), value=3)
    more = torch.nn.functional.pad(logits, (0, 0, 0, 2))
    assert distinct_n(padded, 2, padding=3) == distinct_n(ids, 2)
    expected = mean_log_probability(logits, ids)
    torch.testing.assert_close(mean_log_probability(more, padded, padding=3), expected)


def test_the_mean_log_probability_is_minus_ln_v_for_a_model_that_knows_nothing():
    ids = torch.tensor([[0, 1, 3, 3], [3, 3, 3, 3]])
    measured = mean_log_probability(torch.zeros(2, 4, 5), ids, padding=3)
    torch.testing.assert_close(measured, torch.tensor([-math.log(5), 0.0]))


def test_a_higher_temperature_is_more_varied_and_less_likely():
    table, prompt = random_table(0, 12, 1), torch.zeros(20, 1, dtype=torch.int64)
    varied, likely = [], []
    for T in (0.2, 0.7, 2.0):
        choose = Sampling(generator=torch.Generator().manual_seed(0), temperature=T)
        ids = generate(Reads(table), prompt, 30, choose)
        varied.append(distinct_n(ids[:, 1:], 2))
        likely.append(float(mean_log_probability(table[ids[:, :-1]], ids[:, 1:]).mean()))
    assert varied == sorted(varied)
    assert likely == sorted(likely, reverse=True)
    assert varied[-1] > 2 * varied[0]


def test_what_has_no_n_gram_is_refused():
    ids = torch.zeros(2, 3, dtype=torch.int64)
    for n in (0, 4):
        with pytest.raises(ValueError, match=rf"n = {n}.*\(2, 3\)"):
            distinct_n(ids, n)
    with pytest.raises(ValueError, match="padding 0"):
        distinct_n(ids, 2, padding=0)
    with pytest.raises(ShapeError, match=r"\(3,\)"):
        distinct_n(ids[0], 1)
