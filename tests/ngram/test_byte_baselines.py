"""What models of bytes are held against, in bits per byte."""

import numpy as np
import pytest

from headway.ngram.byte_baselines import BEST, UNIFORM, baselines, chain_name
from headway.ngram.byte_chain import ORDERS, ByteChain
from headway.text.corpus.drawn_language import draw_language


def test_each_chain_has_the_mean_of_what_its_bytes_cost():
    language, rng = draw_language(np.random.default_rng(3)), np.random.default_rng(4)
    text, rows = language.text(rng, 20_000), language.rows(rng, 8, 96)
    found = baselines(text, rows.text)
    chains = [found[chain_name(n)] for n in (0, *ORDERS)]
    assert list(found) == [UNIFORM, *(chain_name(n) for n in (0, *ORDERS)), BEST]
    assert found[chain_name(2)] == pytest.approx(ByteChain(text, 2).bits(rows.text).mean())
    assert found[BEST] == min(chains)
    assert found[UNIFORM] == 8


@pytest.mark.parametrize("order", [0, 1, 3])
def test_a_chain_of_bytes_gives_probabilities(order):
    """The costs of all bytes that may follow are those of a distribution."""
    text = np.frombuffer(b"abcabdacb" * 20, dtype=np.uint8)
    rows = np.array([[*b"abca", letter] for letter in b"abcd"], dtype=np.uint8)
    P = 2.0 ** -ByteChain(text, order).bits(rows)[:, -1]
    assert P.sum() == pytest.approx(1)
