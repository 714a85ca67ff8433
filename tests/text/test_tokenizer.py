import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headway.text.byte_pair import BytePairTokenizer
from headway.text.tokenizer import (
    ByteTokenizer,
    CharacterTokenizer,
    RuleTokenizer,
    WhitespaceTokenizer,
)
from headway.text.treebank import join_words, split_words
from headway.text.vocabulary import UNKNOWN, UnknownWordError

words = st.lists(st.sampled_from(["find", "my", "files", "don't", "Ärger", "🙂", "1,000"]))
marked = st.text(st.sampled_from("anotswe'’\"`.,-!?([)]{1:/ \n$🙂é\u0301_"))

ALL = [
    WhitespaceTokenizer.from_text,
    RuleTokenizer.from_text,
    CharacterTokenizer.from_text,
    lambda text: ByteTokenizer(),
    lambda text: BytePairTokenizer.train([text], 300),
]
each = pytest.mark.parametrize("made_for", ALL)


@each
@given(text=st.text(st.characters(codec="utf-8")))
@example(text="")
def test_each_token_has_an_id_and_characters_and_bytes_give_any_text_back(made_for, text):
    tokenizer = made_for(text)
    ids = tokenizer.encode(text)
    assert type(ids) is list
    assert all(type(i) is int and 0 <= i < len(tokenizer) for i in ids)
    assert len(ids) == len(tokenizer.tokens(text))
    if not text or made_for in ALL[2:]:
        assert tokenizer.decode(ids) == text


@each
@given(known=words)
def test_words_with_one_space_between_them_come_back(made_for, known):
    text = " ".join(known)
    tokenizer = made_for(text)
    assert tokenizer.decode(tokenizer.encode(text)) == text


@each
def test_what_are_no_ids_of_one_sentence_is_refused(made_for):
    tokenizer = made_for("ab cd")
    for wrong in ([-1], [10_000]):
        with pytest.raises(IndexError, match="ids must be in 0 …"):
            tokenizer.decode(wrong)
    with pytest.raises(ValueError, match=r"one sentence, \(T,\), got shape \(2, 3\)"):
        tokenizer.decode([[0, 1, 2], [2, 1, 0]])


@pytest.mark.parametrize("made_for", ALL[:3])
def test_a_list_of_texts_is_not_taken_for_one(made_for):
    with pytest.raises(TypeError, match="one string, got list"):
        made_for(["ab", "cd"])
    with pytest.raises(TypeError, match="one string, got list"):
        made_for("ab cd").encode(["ab", "cd"])


def test_texts_get_longer_and_unknown_rarer_from_words_to_characters():
    text, typo = "A quokka is no cat, it's a quokka.", "A qoukka!"
    sizes, unknown = [], []
    for make in (WhitespaceTokenizer, RuleTokenizer, CharacterTokenizer):
        tokenizer = make.from_text(text)
        sizes.append(len(tokenizer.encode(text)))
        unknown.append(tokenizer.encode(typo).count(0))
        assert tokenizer.vocabulary.symbols[0] == UNKNOWN
    assert sizes == [8, 11, 34]
    assert unknown == [1, 2, 1]  # qoukka!; qoukka and !; !
    with pytest.raises(UnknownWordError, match="'q' is not among"):
        CharacterTokenizer.from_text("cat", specials=()).encode("q")


def test_characters_are_code_points_and_bytes_their_own_ids():
    assert CharacterTokenizer.tokens("e\u0301") == ["e", "\u0301"]
    assert ByteTokenizer().encode("aé") == [97, 195, 169]
    assert ByteTokenizer().tokens("é") == [b"\xc3", b"\xa9"]
    assert ByteTokenizer().decode([97, 195]) == "a�"
    assert len(ByteTokenizer()) == 256


@given(marked)
def test_rules_lose_nothing_but_white_space(text):
    def plain(text: str) -> str:
        return "".join(text.split()).replace('"', "''").replace("``", "''")

    assert plain("".join(split_words(text))) == plain(text)
    assert not any(token != token.strip() or not token for token in split_words(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't, she'll, they've.", "I do n't , she 'll , they 've ."),
        ("CAN'T we’ll John's dogs'", "CA N'T we ’ll John 's dogs '"),
        ("I cannot; I'm gonna.", "I can not ; I 'm gon na ."),
        ('"Stop," he said ("why?").', "`` Stop , '' he said ( `` why ? '' ) ."),
        ("Mr. Lee of the U.S. left.", "Mr. Lee of the U.S. left ."),
        ("It cost $1,000.50 at 10:30, 1/2 of it.", "It cost $ 1,000.50 at 10:30 , 1/2 of it ."),
        ("a,b 1,b; state-of-the-art", "a , b 1 , b ; state-of-the-art"),
        ("Well... O'Neil -- wait!? Read setup.py.", "Well ... O'Neil -- wait ! ? Read setup.py ."),
        ("candy wants nation é 🙂🙂", "candy wants nation é 🙂 🙂"),
    ],
)
def test_rules_cut_as_the_treebank_does(text, expected):
    assert split_words(text) == expected.split()


def test_rules_put_spaces_back_where_they_were():
    for text in (
        "I can't, \"she\" said (twice), pay $5: it's 50% off!",
        "Mr. Lee's state-of-the-art files... don't work.",
    ):
        assert join_words(split_words(text)) == text
