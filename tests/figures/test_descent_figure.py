"""Walks on loss surfaces: level lines, numbers that keep their digits, and what is refused."""

import numpy as np
import pytest

from headway.figures.gallery.descent import descent_on_surfaces, ellipse, loss_of, short, sizes

CANYON = np.array([[1.0, 0.5], [0.5, 20.0]])
PATH = np.array([[2.0, 1.0], [1.5, -0.5], [1e30, 1e-30]])


def make(matrix=CANYON, path=PATH, other=PATH, further=None):
    further = other if further is None else further
    return descent_on_surfaces(
        {"hills": np.eye(2), "canyon": matrix},
        {
            "hills": {"SGD": {0.1: path, 0.2: path}},
            "canyon": {"SGD": {0.1: other, 0.2: further}},
        },
        start=("canyon", "SGD", 0.1),
        title="T",
        caption="C",
    )


def test_on_a_level_line_the_loss_is_the_same_everywhere():
    start = np.array([2.0, 1.0])
    lines = sizes(CANYON, start, 2.5)[:, None, None] * ellipse(CANYON)
    losses = loss_of(CANYON, lines)
    np.testing.assert_allclose(losses, losses[:, :1] * np.ones(losses.shape[1]))
    assert losses[-1, 0] == pytest.approx(loss_of(CANYON, start))


def test_the_script_gets_every_walk_and_the_place_to_start():
    data = make().data
    assert data["walks"][1][0][0][1] == [1.5, -0.5]
    assert data["start"] == {"surface": 1, "method": 0, "rate": 0, "step": 2}
    assert data["surfaces"][1]["matrix"] == CANYON.tolist()


def test_each_surface_may_have_a_start_of_its_own_and_the_picture_holds_them_all():
    data = make(other=PATH + 1).data
    assert [walks[0][0][0] for walks in data["walks"]] == [[2.0, 1.0], [3.0, 2.0]]
    assert data["half"] == pytest.approx(3.6)
    outermost = data["surfaces"][1]["sizes"][-1]
    np.testing.assert_allclose(outermost, np.sqrt(2 * loss_of(CANYON, PATH[0] + 1)), rtol=1e-3)


def test_numbers_keep_four_digits_where_they_are_seen_and_vanish_where_not():
    assert short(np.array([123456.0, 1.23456, -0.00123456, 1e-9, 0.0])) == [
        123500.0, 1.235, -0.0012, 0.0, 0.0,
    ]  # fmt: skip
    assert short(np.array([1.23456e45])) == pytest.approx([1.235e45])


def test_the_text_alternative_tells_how_far_the_loss_fell():
    near = np.array([[2.0, 1.0], [0.0, 0.0]])
    assert "hills: the loss falls from 2.5 to 0 in 1 steps" in make(path=near, other=near).alt


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"matrix": np.array([[1, 2], [0, 1]])}, "'canyon' needs a symmetric"),
        ({"matrix": np.diag([1.0, -1.0])}, "positive"),
        ({"matrix": np.eye(3)}, r"\(2, 2\)"),
        ({"other": PATH[:2]}, "same number of steps"),
        ({"further": PATH + 1}, "on a surface the same start"),
    ],
)
def test_surfaces_and_walks_that_do_not_fit_are_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        make(**arguments)
