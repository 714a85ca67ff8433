"""The training dashboard of chapter 11: what it is given, what it says, and what is refused."""

import pytest

from headway.figures.core.scripts import GALLERY
from headway.figures.gallery.training_dashboard import Look, training_dashboard
from tests.figures.node import run

LOSSES = [7 - n / 100 for n in range(1, 301)]
LOOKS = [Look(1, 7.0, "x"), Look(150, 5.5, "the the"), Look(300, 4.25, "the file")]


def figure(losses=LOSSES, looks=LOOKS, levels=None):
    levels = {"uniform guess": 6.5} if levels is None else levels
    return training_dashboard(losses, looks, levels, "It falls", "Move.", prompt="Return ")


def test_each_look_has_the_numbers_of_its_step():
    data = figure().data
    assert [look["step"] for look in data["looks"]] == [1, 150, 300]
    assert data["looks"][1] == {"step": 150, "loss": 5.5, "heldOut": 5.5, "said": "the the"}
    assert {1, 150, 300} <= {step for step, _ in data["curve"]}
    assert len(data["curve"]) < 160


def test_the_picture_in_words_tells_the_course_and_the_last_text():
    alt = figure().alt
    assert "7 at 1, 5.5 at 150, 4.25 at 300" in alt
    assert "uniform guess 6.5" in alt
    assert "At step 300 the model writes “Return the file”" in alt


@pytest.mark.parametrize(
    "looks", [LOOKS[:1], LOOKS[::-1], [LOOKS[0], Look(301, 1.0, "")], [LOOKS[0], LOOKS[0]]]
)
def test_looks_must_be_steps_of_the_training_in_order(looks):
    with pytest.raises(ValueError, match="two steps of the training or more, in order"):
        figure(looks=looks)


def ask(expression, **given):
    program = (
        "const { compared, pathOf } = await import(given.script);"
        f"const {{ {', '.join(given)} }} = given; answer({expression});"
    )
    script = (GALLERY / "training_dashboard" / "figure.js").as_uri()
    return run(program, {"script": script, **given})


def test_a_loss_is_compared_with_each_level():
    levels = [["uniform guess", 6.5], ["chain", 4]]
    assert ask("compared(5, levels)", levels=levels) == (
        "1.5 below the uniform guess, 1 above the chain"
    )


def test_a_line_goes_through_its_points():
    path = ask("pathOf(points, (step) => 2 * step, (loss) => -loss)", points=[[1, 2], [3, 4.25]])
    assert path == "M2.0 -2.0L6.0 -4.3"
