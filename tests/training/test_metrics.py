import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.training.loss import summed_cross_entropy
from headway.training.metrics import bits_per_byte, exact_match, perplexity

texts = st.text(min_size=1, max_size=30)


@given(st.integers(2, 50), st.integers(1, 20))
def test_a_model_that_knows_nothing_has_the_perplexity_of_its_vocabulary(size, tokens):
    nats, count = summed_cross_entropy(torch.zeros(tokens, size), torch.zeros(tokens).long())
    assert perplexity(nats.item(), count.item()) == pytest.approx(size, rel=1e-4)


def test_a_model_that_is_sure_and_right_has_perplexity_one():
    assert perplexity(0.0, 7) == 1


def test_a_perplexity_too_large_for_a_float_is_infinite():
    assert perplexity(1e6, 3) == math.inf


def test_perplexity_of_no_tokens_is_refused():
    with pytest.raises(ValueError, match="got 0"):
        perplexity(0.0, 0)


@given(texts)
def test_a_uniform_guess_of_each_byte_costs_eight_bits(text):
    nats = len(text.encode()) * math.log(256)
    assert bits_per_byte(nats, text) == pytest.approx(8)


def test_bytes_are_counted_and_not_letters():
    assert bits_per_byte(4 * math.log(2), "éé") == pytest.approx(1)


def test_bits_of_an_empty_text_are_refused():
    with pytest.raises(ValueError, match="empty"):
        bits_per_byte(0.0, "")


@given(st.lists(texts, min_size=1), st.data())
def test_exact_match_is_the_share_of_answers_left_alone(expected, data):
    spoiled = data.draw(st.lists(st.booleans(), min_size=len(expected), max_size=len(expected)))
    answers = [text + "!" * bad for text, bad in zip(expected, spoiled, strict=True)]
    share = 1 - sum(spoiled) / len(expected)
    assert exact_match(answers, expected) == pytest.approx(share)
    assert exact_match([list(a) for a in answers], expected=[tuple(e) for e in expected]) == (
        exact_match(answers, expected)
    )


def test_exact_match_reads_tensors_of_ids():
    predicted, expected = torch.tensor([[1, 2], [3, 4], [5, 6]]), [[1, 2], [3, 5], (5, 6)]
    assert exact_match(predicted, expected) == pytest.approx(2 / 3)
    assert exact_match(list(predicted), torch.tensor([[1, 2], [3, 5], [5, 6]])) == pytest.approx(
        2 / 3
    )


def test_a_right_beginning_is_not_enough():
    assert exact_match([[1, 2]], [[1, 2, 3]]) == 0
    assert exact_match([[1, 2, 3]], [[1, 2]]) == 0


@pytest.mark.parametrize(("predicted", "expected"), [([], []), (["a"], ["a", "b"])])
def test_each_expected_answer_needs_one(predicted, expected):
    with pytest.raises(ValueError, match="each needs one"):
        exact_match(predicted, expected)
