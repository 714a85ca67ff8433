"""What text stands in an output."""

import pytest

from headway.grading.execution.plain import MOST_SHOWN, shown, text_in, uncolored

IMAGE = "<IPython.core.display.Image object>"
TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>&lt;2</td></tr></table>"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"text/plain": "   a  b\n0  1  2", "text/html": TABLE}, "   a  b\n0  1  2"),
        ({"text/plain": "<IPython.core.display.HTML object>", "text/html": TABLE}, "a b \n1 <2"),
        ({"text/plain": "<IPython.core.display.Markdown object>", "text/markdown": "*x*"}, "*x*"),
        ({"text/latex": "$x^2$"}, "$x^2$"),
        ({"image/svg+xml": "<svg><text>seen</text></svg>"}, "seen"),
        (
            {"text/plain": "<IPython.core.display.Image object>"},
            "<IPython.core.display.Image object>",
        ),
        ({"text/plain": ["x"], "application/json": {}}, ""),
    ],
)
def test_an_output_says_its_own_text_or_that_of_its_other_forms(data, text):
    assert text_in(data) == text


def test_text_is_shown_without_colors_and_cut_where_it_is_very_long():
    assert uncolored("\x1b[31mred\x1b[0m \x1b") == "red "
    assert shown("x" * MOST_SHOWN) == "x" * MOST_SHOWN
    assert shown("x" * (MOST_SHOWN + 1)) == "x" * MOST_SHOWN + "\n… cut here."
