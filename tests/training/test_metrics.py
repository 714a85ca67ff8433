import math
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import UserError
from headway.training.loss import summed_cross_entropy
from headway.training.metrics import bits_per_byte, bleu, exact_match, perplexity

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


def test_a_perfect_translation_has_bleu_100_and_one_without_a_common_word_near_zero():
    expected = ["J'aime apprendre les langues .", "Elle aime étudier l'histoire ."]
    assert bleu(expected, expected) == pytest.approx(100)
    assert bleu(["a b c d e", "f g h i j k"], expected) < 5


def test_bleu_is_the_papers_formula():
    # Of 6, 5, 4 and 3 n-grams 5, 3, 2 and 1 are right; 6 words for 7.
    answer, reference = "the cat sat on a mat", "the cat sat on the mat today"
    precisions = 5 / 6, 3 / 5, 2 / 4, 1 / 3
    expected = 100 * math.exp(1 - 7 / 6) * math.prod(precisions) ** 0.25
    assert bleu([answer], [reference], tokenize="none") == pytest.approx(expected)


def test_bleu_counts_over_the_corpus_and_is_no_mean_of_sentences():
    answers, references = ["a b c d e", "a b c x y z"], ["a b c d e", "a b c d e f"]
    precisions = 8 / 11, 6 / 9, 4 / 7, 2 / 5
    expected = 100 * math.prod(precisions) ** 0.25
    assert bleu(answers, references) == pytest.approx(expected)
    alone = [bleu([a], [r]) for a, r in zip(answers, references, strict=True)]
    assert expected != pytest.approx(sum(alone) / 2, abs=1)


def test_the_tokenization_decides_what_a_word_is():
    answer, reference = ["I see the cat, now."], ["I see the cat now."]
    assert bleu(answer, reference) > bleu(answer, reference, tokenize="none")


def test_bleu_warns_of_nothing_where_texts_are_tokenized(caplog):
    bleu(["a b ."] * 200, ["a b ."] * 200)  # a warning would go to stderr
    assert caplog.records == []


@pytest.mark.parametrize(
    ("predicted", "expected", "error", "message"),
    [
        ([], [], ValueError, "got 0 sentences for 0"),
        (["a"], ["a", "b"], ValueError, "got 1 sentences for 2"),
        ("a b", ["a b"], TypeError, "got 'a b'"),
        ([["a", "b"]], ["a b"], TypeError, "still ids or tokens"),
        (["a b"], [torch.tensor([1, 2])], TypeError, "still ids or tokens"),
    ],
)
def test_bleu_needs_a_sentence_for_each_reference(predicted, expected, error, message):
    with pytest.raises(error, match=message):
        bleu(predicted, expected)


def test_an_unknown_tokenization_is_refused():
    with pytest.raises(ValueError, match=r"'words'.*13a"):
        bleu(["a"], ["a"], tokenize="words")


def test_without_sacrebleu_bleu_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.delitem(sys.modules, "sacrebleu.metrics", raising=False)
    with pytest.raises(UserError, match="'bleu' extra"):
        bleu(["a"], ["a"])
