import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.ngram.pair_layer import group_layer, make_features, pair_layer, word_inputs
from headway.ngram.skipbigram import SkipBigrams

V = 5
sentences = st.lists(st.lists(st.integers(0, V - 1), min_size=2, max_size=7), min_size=1)


@given(sentences)
def test_the_layer_finds_the_pairs_that_the_skip_bigrams_find(corpus):
    model = SkipBigrams(corpus, V)
    weights, bias = pair_layer(model.pairs, V)
    for prefix in corpus:
        found = make_features(word_inputs(prefix, V), weights, bias)
        assert np.array_equal(found, model.active(prefix))


@given(st.sets(st.integers(0, V - 1), min_size=1), st.lists(st.booleans(), min_size=V, max_size=V))
def test_a_group_is_on_where_all_of_its_inputs_are(group, inputs):
    weights, bias = group_layer([sorted(group)], V)
    on = make_features(np.array(inputs, dtype=float), weights, bias)
    assert on.tolist() == [float(all(inputs[i] for i in group))]


@given(st.lists(st.floats(0, 1), min_size=V, max_size=V))
def test_a_pair_whose_latest_word_is_there_carries_the_weight_of_its_earlier_word(shares):
    weights, bias = pair_layer(np.array([[e, 2] for e in range(V)]), V)
    x = np.concatenate([shares, np.eye(V)[2]])
    np.testing.assert_allclose(make_features(x, weights, bias), shares, atol=1e-15)


def test_a_batch_of_inputs_keeps_its_axes():
    weights, bias = group_layer([[0], [1, 2], [0, 1, 2]], 3)
    assert make_features(np.ones((4, 7, 3)), weights, bias).shape == (4, 7, 3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: group_layer([[0], []], V), ValueError, "group 1 must name one input or more"),
        (lambda: group_layer([[0], [1, 1]], V), ValueError, "group 1 must name .* each once"),
        (lambda: group_layer([[0, V]], V), IndexError, "0 … 4"),
        (lambda: word_inputs([], V), ValueError, "needs a latest word"),
    ],
)
def test_what_names_no_inputs_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
