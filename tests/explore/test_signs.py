"""Tokens as signs that a reader can see."""

import pytest

from headway.explore.signs import printed


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (" the\n\t", "␣the↵⇥"),
        ("\0\r\x1b\x7f", "⟨00⟩⟨0D⟩⟨1B⟩⟨7F⟩"),
        ("\x85\xa0\xad", "⟨U+0085⟩⟨U+00A0⟩⟨U+00AD⟩"),
        ("a\u200b\u2028\u3000\ufeff", "a⟨U+200B⟩⟨U+2028⟩⟨U+3000⟩⟨U+FEFF⟩"),
        ("\u2800\u3164\U000e0041", "⟨U+2800⟩⟨U+3164⟩⟨U+E0041⟩"),
        ("é中🙂", "é中🙂"),
    ],
)
def test_what_prints_nothing_is_shown_by_its_number(token, expected):
    assert printed(token.encode()) == expected


def test_bytes_that_are_no_letters_stay_as_the_book_shows_them():
    assert printed(b"\xc3\x20") == "⟨C3⟩⟨20⟩"
