"""A name for the leaderboard is text between quotes, bounded, and never computed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from headway.grading.notebooks.leaderboard_name import (
    LONGEST,
    chosen_name,
    looks_like,
    plain_name,
    with_letters_named,
)


def named(*sources):
    return chosen_name(new_notebook(cells=[new_code_cell(source) for source in sources]))


def test_the_last_name_that_is_given_in_code_counts():
    assert named("x = 1\nleaderboard_name = ('Ada')", 'leaderboard_name = "Noether"') == "Noether"
    assert named('leaderboard_name = "Ada"', 'leaderboard_name = ""') == ""
    assert chosen_name(new_notebook(cells=[new_markdown_cell('leaderboard_name = "Ada"')])) == ""


@pytest.mark.parametrize(
    "source",
    [
        "leaderboard_name = 7",
        'leaderboard_name = "A" + "da"',
        'leaderboard_name = f"{1 + 1}"',
        'def f():\n    leaderboard_name = "Ada"',
        'leaderboard_name = "Ada',
        'leaderboard_name = "\u3164\u2800 \u200b"',
        "leaderboard_name = " + "(" * 5_000,
        'leaderboard_name = "Ada"\n' + "a;" * 10_000,
    ],
)
def test_who_gives_no_plain_text_is_not_listed(source):
    assert named(source) == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" Ada\n\tLovelace\u202e ", "Ada Lovelace"),
        ("x" * 1_000, "x" * LONGEST),
        ("a" + "\u0301" * 20, "á\u0301\u0301"),
        ("Zoë 王 한국 देवनागरी 🙂", "Zoë 王 한국 देवनागरी 🙂"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),  # escaped where it is shown
        ("—…!", ""),  # without a letter or digit
        # Marks that are not seen make no other name.
        *((f"A{mark}da{mark}", "Ada") for mark in "\ufe0f\u034f\u180b\U000e0100\U0001d159"),
    ],
)
def test_a_name_stays_on_one_short_line(text, name):
    assert plain_name(text) == name


@given(st.text())
def test_every_text_gives_a_printable_name_that_stays_as_it_is(text):
    name = plain_name(text)
    assert name.isprintable()
    assert len(name) <= LONGEST
    assert plain_name(name) == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("\u0410da", " (Cyrillic and Latin letters)"),
        ("\u0422\u043e\u0441", " (Cyrillic letters)"),
        ("N\u03bfether", " (Latin and Greek letters)"),
        ("\u0251da", " (Phonetic and Latin letters)"),
        *((plain, "") for plain in ("Zoë Œrsted", "王 7", "한국 Kim", "देवनागरी", "𝐀𝐝𝐚", "!")),
    ],
)
def test_letters_that_could_be_taken_for_latin_ones_are_named_and_no_others(name, said):
    assert with_letters_named(name) == name + said


def test_names_that_look_alike_to_a_quick_eye_count_as_one():
    assert looks_like("A1an O'Neil") == looks_like("AIan 0'Neil") == looks_like("alan o'neil")
    assert looks_like("Ada") != looks_like("Ida")
