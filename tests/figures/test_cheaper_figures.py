"""The drawing of chapter 19: it shows what was guessed, kept and written, and counts right."""

from dataclasses import replace

import pytest

from headway.figures.gallery.cheaper.drafts_checked import WORDS, drafts_checked
from headway.figures.gallery.cheaper.readings import TALL, Reading
from tests.figures.shown import assert_upright, assert_whole, part, svg_of, texts

LOST = Reading(["a", "b", "c"], q=[0.5, 0.8, 0.3], p=[0.25, 0.1, 0.2], kept=1, own="x")
FREE = Reading(["d", "e"], q=[0.4, 0.6], p=[0.9, 0.6], kept=2, own="y")
ALONE = Reading([], q=[], p=[], kept=0, own="z")


def drawn(*readings):
    return drafts_checked("an owl", readings, "It guesses", "Play.")


def heights(step, tone):
    """The heights of the bars of a tone, from left to right."""
    bars = [b for b in step.iter("rect") if b.get("class") == f"hw-column hw-of-{tone}"]
    return [float(b.get("height")) for b in sorted(bars, key=lambda b: float(b.get("x")))]


def test_each_reading_is_a_step_and_the_last_shows_the_text():
    figure = drawn(LOST, FREE, ALONE)
    assert_whole(figure)
    assert_upright(figure)
    assert texts(part(figure, 2)) == ["2", "d", "e", "d", "e", "y"]
    assert texts(part(figure, 3)) == ["3", "z"]
    assert texts(part(figure, 4)) == [*"axdeyz", "6 letters from 3 readings of the model"]
    assert "6 letters in 3 readings" in figure.alt


def test_words_have_spaces_between_them_and_room():
    long = replace(LOST, guesses=["follows", "admires", "a"], own="bird")
    words = drafts_checked("my dog", [long, ALONE], "It guesses", "Play.", WORDS)
    assert_whole(words)
    assert_upright(words)
    assert "guesses “follows admires a”, and “follows” is kept" in words.data["steps"][0]
    assert texts(part(words, 3))[-1] == "3 tokens from 2 readings of the model"
    width, letters = (float(svg_of(one).get("viewBox").split()[2]) for one in (words, drawn(long)))
    assert width > letters


def test_what_was_guessed_behind_the_first_lost_one_is_small_and_has_no_bars():
    step = part(drawn(LOST), 1)
    assert heights(step, "ochre") == pytest.approx([TALL * 0.5, TALL * 0.8], abs=0.06)
    assert heights(step, "residual") == pytest.approx([TALL * 0.25, TALL * 0.1], abs=0.06)
    small = [one.text for one in step.iter("text") if one.get("class") == "hw-note"]
    assert small == ["1", "c"]
    struck = [one for one in step.iter("path") if "hw-of-ink" in one.get("class")]
    assert len(struck) == 1
    assert not list(part(drawn(FREE), 1).iter("path"))


def test_what_is_written_stands_where_the_text_goes_on():
    boxes = [
        float(box.get("x"))
        for box in svg_of(drawn(LOST, FREE)).iter("rect")
        if "hw-box" in box.get("class")
    ]
    first, second, *foot = boxes
    assert foot == [first, second]
    pitch = (second - first) / 3  # “x” is the second token, “y” the fifth
    guesses = [one for one in part(drawn(LOST, FREE), 2).iter("text") if one.text == "d"]
    assert float(guesses[0].get("x")) == pytest.approx(first + pitch * 1.5 - 0.5, abs=0.2)


def test_the_steps_and_the_numbers_say_what_happens():
    figure = drawn(LOST, FREE, ALONE)
    lost, free, alone, end = figure.data["steps"]
    assert "guesses “abc”, and “a” is kept" in lost
    assert "For “b” the draft said 80% and the model 10%; the model writes “x”" in lost
    assert "all of “de” is kept, and the model adds “y” for free: 3 letters" in free
    assert "nothing is guessed, and the model writes “z”" in alone
    assert "6 readings and not 3" in end
    assert figure.rows == [
        [1, "a", "0.500", "0.250", "0.50", "kept"],
        [1, "b", "0.800", "0.100", "0.12", "“x” in its place"],
        [1, "c", "0.300", "0.200", "0.67", "read in vain"],
        [2, "d", "0.400", "0.900", "1.00", "kept"],
        [2, "e", "0.600", "0.600", "1.00", "kept"],
    ]


@pytest.mark.parametrize(
    ("readings", "says"),
    [
        ([], "1 to 25 tokens, got 0"),
        ([FREE] * 9, "1 to 25 tokens, got 27"),
        ([replace(LOST, q=[0.5])], "3 guesses, 1 q and 3 p"),
        ([replace(LOST, kept=4)], "4 of 3 guesses"),
        ([replace(LOST, q=[0.0, 0.8, 0.3])], "a q above 0"),
        ([replace(LOST, p=[0.5, 1.1, 0.3])], "are probabilities"),
    ],
)
def test_what_makes_no_sense_is_refused(readings, says):
    with pytest.raises(ValueError, match=says):
        drawn(*readings)
