"""Whose a file is: what Canvas and Moodle write into paths, and what students may add."""

import pytest

from headway.grading.platforms.paths import CANVAS, MOODLE, Reading, platform_of, readings


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("lovelaceada_41_98_01-one-hot.ipynb", [("lovelaceada", "41", "01-one-hot.ipynb", 98)]),
        ("all/ada_41_98_my own_2.ipynb", [("ada", "41", "my own_2.ipynb", 98)]),
        ("ada_b_41_98_x.ipynb", [("ada_b", "41", "x.ipynb", 98)]),
        ("ada_41_text.html", [("ada", "41", "text.html", 0)]),
        # A digit first, which may be Canvas's or the student's.
        (
            "ada_41_98_01_hot.ipynb",
            [("ada", "41", "01_hot.ipynb", 98), ("ada_41", "98", "hot.ipynb", 1)],
        ),
        # Another's number, in the name of the file and in one's own name.
        (
            "eve_7_8_x_41_9_a.ipynb",
            [("eve", "7", "x_41_9_a.ipynb", 8), ("eve_7_8_x", "41", "a.ipynb", 9)],
        ),
        (
            "eve_41_7_x_8_9_a.ipynb",
            [("eve", "41", "x_8_9_a.ipynb", 7), ("eve_41_7_x", "8", "a.ipynb", 9)],
        ),
        (
            "eve_7_8_41_text.html",
            [
                ("eve", "7", "41_text.html", 8),
                ("eve_7", "8", "text.html", 41),
                ("eve_7_8", "41", "text.html", 0),
            ],
        ),
        # What Canvas does not write.
        ("eve_7_8_x/ada_41_9_a.ipynb", []),
        ("a/b/ada_41_9_a.ipynb", []),
        ("__MACOSX/ada_41_9_a.ipynb", []),
        ("all/._ada_41_9_a.ipynb", []),
        ("ada_٤١_9_a.ipynb", []),
        (f"ada_{'4' * 5000}_9_a.ipynb", []),
        # Where names are hidden, a sign that looks like somebody's number.
        ("anonymous_41_9_a.ipynb", []),
        ("anon_41_9_a.ipynb", []),
        ("LATE_anon_41_9_a.ipynb", []),
    ],
)
def test_each_way_to_read_a_path_of_canvas(path, expected):
    found = [(one.who, one.number, one.file, one.order) for one in readings(CANVAS, path)]
    assert found == expected


def test_late_is_what_canvas_marks_and_no_student_s_word():
    assert readings(CANVAS, "ada_LATE_41_98_a.ipynb")[0].late
    assert not readings(CANVAS, "ada_41_98_LATE_a.ipynb")[0].late


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Ada Lovelace_12_assignsubmission_file/a.ipynb", Reading("Ada Lovelace", "12", "a.ipynb")),
        ("all/Bob  1 _6_assignsubmission_file_/x/a.ipynb", Reading("Bob  1 ", "6", "x/a.ipynb")),
        ("Ada_12_assignsubmission_file_a_1.ipynb", Reading("Ada", "12", "a_1.ipynb")),
        ("Ada_12_assignsubmission_onlinetext/o.html", Reading("Ada", "12", "o.html", typed=True)),
        ("Team 1_77_assignsubmission_file/a.ipynb", Reading("Team 1", "77", "a.ipynb")),
        ("Default group_assignsubmission_file/a.ipynb", Reading("Default group", "", "a.ipynb")),
        # The first one is Moodle's, and the rest the student's.
        (
            "Bob_6_assignsubmission_file/Ada_12_assignsubmission_file/a.ipynb",
            Reading("Bob", "6", "Ada_12_assignsubmission_file/a.ipynb"),
        ),
        (
            "Bob_6_assignsubmission_file_Ada_12_assignsubmission_file_a.ipynb",
            Reading("Bob", "6", "Ada_12_assignsubmission_file_a.ipynb"),
        ),
        ("x_y_6_assignsubmission_file/a.ipynb", None),
        ("notes/more/Ada_12_assignsubmission_file/a.ipynb", None),
    ],
)
def test_a_path_of_moodle_is_read_in_one_way_at_most(path, expected):
    assert readings(MOODLE, path) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["ada_41_9_a.ipynb", "eve_7_8_Ada_12_assignsubmission_file_a.ipynb"], CANVAS),
        (["Ada_12_assignsubmission_file/eve_7_8_a.ipynb"], MOODLE),
        (
            ["Ada_12_assignsubmission_file_eve_7_8_a.ipynb", "Bob_6_assignsubmission_file_b.py"],
            MOODLE,
        ),
        (["anon_x_9_a.ipynb"], CANVAS),
        (["01-one-hot.ipynb", "ada/01-one-hot.ipynb"], None),
        ([], None),
    ],
)
def test_the_form_of_the_paths_tells_the_platform(paths, expected):
    assert platform_of(paths) == expected
