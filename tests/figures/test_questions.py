"""Self-checks: questions in sight, answers folded, and texts that cannot become markup."""

import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.questions import self_check

PAIR = (("Is it <b>so</b>?", "Yes & no.", "02-markov"), ("And 2 + 2?", "4.", "01-one-hot"))


def test_each_question_is_a_closed_fold_with_its_answer_inside():
    page = BeautifulSoup(self_check(*PAIR).html(), "html.parser")
    folds = page.select("ol > li > details.hw-predict")
    assert [fold.summary.get_text() for fold in folds] == [ask for ask, _, _ in PAIR]
    assert not any(fold.has_attr("open") for fold in folds)
    for fold, (_, answer, _) in zip(folds, PAIR, strict=True):
        assert answer in fold.select_one(".hw-predict-answer").get_text()
    assert not page.find("b")


def test_an_answer_links_to_its_chapter_in_the_book_and_names_it_elsewhere(monkeypatch):
    monkeypatch.setenv("HEADWAY_BOOK", "1")
    assert '<a href="02-markov.html">Chapter 2</a>' in self_check(*PAIR).html()
    monkeypatch.delenv("HEADWAY_BOOK")
    assert "(Chapter 2)" in self_check(*PAIR).html()
    assert "<a " not in self_check(*PAIR).html()


def test_a_notebook_without_html_shows_questions_and_answers():
    plain = self_check(*PAIR)._repr_mimebundle_()["text/plain"]
    assert plain.splitlines() == ["1. Is it <b>so</b>?", "   Yes & no.", "2. And 2 + 2?", "   4."]


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        ((), "at least one question"),
        ((("", "yes", "01-one-hot"),), "a question must be a text"),
        ((("Why?", " ", "01-one-hot"),), "the answer to 'Why\\?' must be a text"),
        ((PAIR[0], PAIR[0]), "asks twice"),
    ],
)
def test_a_self_check_with_holes_is_refused(questions, said):
    with pytest.raises(ValueError, match=said):
        self_check(*questions)
