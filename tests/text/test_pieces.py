import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.pre_tokenizers import ByteLevel

from headway.text.byte_letters import LETTERS, to_bytes, to_letters
from headway.text.pieces import pieces

tricky = st.text(
    st.sampled_from("ab'strevlmd1²½Ⅷ _-.\n\t\r\x1c\x1f\x85\xa0\u3000éß漢字🙂\u0301\u200d")
)
CUT = ByteLevel(add_prefix_space=False, use_regex=True)


def production_pieces(text: str) -> list[str]:
    return [to_bytes(letters).decode() for letters, _ in CUT.pre_tokenize_str(text)]


def test_words_take_the_space_before_them_and_contractions_are_cut_off():
    assert pieces("I'm here, at 10:30.") == ["I", "'m", " here", ",", " at", " 10", ":", "30", "."]
    assert pieces("a   b \n") == ["a", "  ", " b", " \n"]


@given(tricky)
def test_the_pieces_are_those_of_hugging_face(text):
    assert pieces(text) == production_pieces(text)


def test_every_character_this_unicode_knows_is_cut_as_hugging_face_does():
    """Between a letter and a digit, a character shows what it counts as."""
    known = [
        symbol
        for symbol in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(symbol) not in ("Cn", "Cs", "Co")
    ]
    assert len(known) > 140_000
    text = "".join(f"\na{symbol}{symbol}1" for symbol in known)
    assert pieces(text) == production_pieces(text)


def test_each_byte_has_a_letter_of_its_own_and_the_same_as_hugging_face():
    assert list(LETTERS.values()) == sorted(ByteLevel.alphabet())
    assert to_letters(" é\n".encode()) == "ĠÃ©Ċ"
    every = bytes(range(256))
    assert to_bytes(to_letters(every)) == every
    with pytest.raises(ValueError, match=r"'a b' holds ' '.*special token"):
        to_bytes("a b")
