import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from headway.text.vocabulary import UNKNOWN, UnknownWordError, Vocabulary, look_up, one_hot

words = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=6)
shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


@given(st.lists(words, max_size=20), st.randoms())
def test_decoding_undoes_encoding_and_the_order_of_the_list_is_nothing(known, random):
    vocabulary = Vocabulary(known)
    assert vocabulary.decode(vocabulary.encode(known)) == known
    shuffled = known * 2
    random.shuffle(shuffled)
    assert Vocabulary(shuffled).symbols == vocabulary.symbols


def test_special_symbols_come_first_and_words_in_code_point_order():
    vocabulary = Vocabulary(["my", "Äpfel", "files"], specials=("<pad>", UNKNOWN))
    assert vocabulary.symbols == ("<pad>", UNKNOWN, "files", "my", "Äpfel")
    assert "my" in vocabulary
    assert "cat" not in vocabulary
    assert vocabulary.encode("my cat files").tolist() == [3, 1, 2]
    assert Vocabulary.from_text("find my files find").symbols == (UNKNOWN, "files", "find", "my")


def test_an_empty_text_gives_no_ids():
    ids = Vocabulary(["find"]).encode("")
    assert ids.shape == (0,)
    assert ids.dtype == np.int64


@given(hnp.arrays(np.int64, shapes, elements=st.integers(0, 6)))
def test_one_hot_vectors_have_their_one_at_the_id_and_the_vocabulary_last(ids):
    vectors = one_hot(ids, 7)
    assert vectors.shape == (*ids.shape, 7)
    assert vectors.dtype == np.float64
    np.testing.assert_array_equal(vectors.sum(axis=-1), np.ones(ids.shape))
    np.testing.assert_array_equal(vectors.argmax(axis=-1), ids)


@given(hnp.arrays(np.int64, shapes, elements=st.integers(0, 4)), st.integers(1, 5))
def test_the_product_with_one_hot_vectors_is_the_lookup_to_the_last_bit(ids, width):
    table = np.random.default_rng(0).normal(size=(5, width))
    np.testing.assert_array_equal(one_hot(ids, 5) @ table, look_up(ids, table))
    np.testing.assert_array_equal(look_up(ids, table.tolist()), table[ids])


def test_an_infinite_row_spoils_the_product_and_not_the_lookup():
    table = np.array([[1.0], [np.inf]])
    with np.errstate(invalid="ignore"):
        assert np.isnan(one_hot([0], 2) @ table).all()
    np.testing.assert_array_equal(look_up([0], table), [[1.0]])


@pytest.mark.parametrize(
    "function", [lambda ids: one_hot(ids, 3), lambda ids: look_up(ids, np.eye(3))]
)
@pytest.mark.parametrize(
    ("ids", "error"),
    [([3], IndexError), ([-1], IndexError), ([0.0], TypeError), (["a"], TypeError)],
)
def test_what_is_no_id_is_refused(function, ids, error):
    with pytest.raises(error, match="ids must be"):
        function(ids)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: Vocabulary("find my"), TypeError, "split"),
        (lambda: Vocabulary(["find"], "<unk>"), TypeError, "split"),
        (lambda: Vocabulary([1, 2]), TypeError, "must be strings, got 1"),
        (lambda: Vocabulary(["a"], ("<s>", "<s>")), ValueError, "differ from each other"),
        (
            lambda: Vocabulary(["find"], specials=()).encode("cat"),
            UnknownWordError,
            r"'cat' is not among the 1 symbols.*specials",
        ),
        (lambda: Vocabulary(["a", "b"]).decode([-1]), IndexError, "0 … 2 for a vocabulary of 3"),
        (lambda: Vocabulary(["a"]).decode([[0, 1]]), ValueError, r"one sentence.*\(1, 2\)"),
        (lambda: one_hot([0], 2.5), ValueError, "whole number, got 2.5"),
        (lambda: one_hot([0], -1), ValueError, "whole number, got -1"),
        (lambda: one_hot([0], 0), IndexError, "none at all for a vocabulary of 0, got 0"),
        (lambda: one_hot([[0], [0, 1]], 3), TypeError, "regular array"),
        (lambda: one_hot("", 3), TypeError, "ids must be integers"),
        (lambda: look_up([0], 5), ValueError, r"shape \(V, C\), got \(\)"),
    ],
)
def test_input_of_the_wrong_kind_gets_a_sentence(call, error, says):
    with pytest.raises(error, match=says):
        call()
