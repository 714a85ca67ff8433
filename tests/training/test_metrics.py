import math
import sys

import pytest
import torch

from headway.errors import UserError
from headway.training.metrics import bits_per_byte, bleu


def test_bits_are_those_of_a_byte_and_not_of_a_letter():
    assert bits_per_byte(4 * math.log(2), "éé") == pytest.approx(1)
    assert bits_per_byte(3 * math.log(256), "abc") == pytest.approx(8)


def test_bleu_is_the_papers_formula_counted_over_the_corpus():
    # Of 6, 5, 4 and 3 n-grams 5, 3, 2 and 1 are right; 6 words for 7.
    answer, reference = "the cat sat on a mat", "the cat sat on the mat today"
    expected = 100 * math.exp(1 - 7 / 6) * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu([answer], [reference], tokenize="none") == pytest.approx(expected)
    answers, references = ["a b c d e", "a b c x y z"], ["a b c d e", "a b c d e f"]
    expected = 100 * (8 / 11 * 6 / 9 * 4 / 7 * 2 / 5) ** 0.25
    assert bleu(answers, references) == pytest.approx(expected)
    # The tokenization decides what a word is.
    answer, reference = ["I see the cat, now."], ["I see the cat now."]
    assert bleu(answer, reference) > bleu(answer, reference, tokenize="none")


def test_bleu_warns_of_nothing_where_texts_are_tokenized(caplog):
    bleu(["a b ."] * 200, ["a b ."] * 200)  # a warning would go to stderr
    assert caplog.records == []


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: bits_per_byte(0.0, ""), ValueError, "empty"),
        (lambda: bleu([], []), ValueError, "got 0 sentences for 0"),
        (lambda: bleu(["a"], ["a", "b"]), ValueError, "got 1 sentences for 2"),
        (lambda: bleu("a b", ["a b"]), TypeError, "got 'a b'"),
        (lambda: bleu([["a", "b"]], ["a b"]), TypeError, "still ids or tokens"),
        (lambda: bleu(["a b"], [torch.tensor([1, 2])]), TypeError, "still ids or tokens"),
        (lambda: bleu(["a"], ["a"], tokenize="words"), ValueError, r"'words'.*13a"),
    ],
)
def test_what_cannot_be_measured_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_without_sacrebleu_bleu_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    monkeypatch.delitem(sys.modules, "sacrebleu.metrics", raising=False)
    with pytest.raises(UserError, match="'bleu' extra"):
        bleu(["a"], ["a"])
