"""Towns: what is drawn is what the formulas say, and the rules carry over."""

import numpy as np
import pytest
import torch

from headway.models.towns import (
    ALONG,
    OFTEN,
    TRUE_SIGNS,
    K,
    draw_rules,
    draw_town,
    with_repeats,
)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    rules = draw_rules(rng)
    return rng, rules, draw_town(rng, rules, 4000)


def test_the_trades_stand_in_one_ring(drawn):
    _, rules, _ = drawn
    met, trade = [], 0
    for _ in range(K):
        met.append(trade)
        trade = int(rules.buyer[trade])
    assert trade == 0
    assert sorted(met) == list(range(K))


def test_half_of_the_signs_are_true_and_the_others_alike(drawn):
    _, rules, town = drawn
    right = town.signs.argmax(1) == torch.from_numpy(rules.sign)[town.trades]
    assert right.float().mean() == pytest.approx(TRUE_SIGNS, abs=0.03)
    others = town.signs[~right].sum(0) / (~right).sum()
    assert others.min() > 0.8 / K


def test_deliveries_go_to_the_next_trade_one_line_for_each_pair_and_none_home(drawn):
    _, rules, town = drawn
    source, target = town.edges
    ahead = torch.from_numpy(rules.buyer)[town.trades[source]] == town.trades[target]
    assert ahead.float().mean() == pytest.approx(ALONG + (1 - ALONG) / K, abs=0.02)
    assert town.edges.unique(dim=1).shape == town.edges.shape
    assert (source != target).all()


def test_repeats_add_lines_and_no_pair(drawn):
    rng, _, town = drawn
    often = with_repeats(rng, town)
    pairs, lines = often.edges.unique(dim=1, return_counts=True)
    assert torch.equal(pairs, town.edges)
    assert lines.min() == 1
    assert 50 < lines.max() <= OFTEN
    assert often.signs is town.signs
