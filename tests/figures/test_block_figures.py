"""The block from switches: what its Python says and refuses."""

import numpy as np
import pytest

from headway.figures.gallery.block_switches import Measure, block_switches

VALUES = np.exp(np.random.default_rng(0).normal(size=(2, 3, 2, 5)))


def figure(values=VALUES, log=True, activations=("ReLU", "none"), start=(0, 1, 0), measures=None):
    given = [Measure("gradient", values, log)] if measures is None else measures
    return block_switches(given, activations, "T", "C", start)


def test_every_way_to_assemble_the_block_has_its_row_and_its_curve():
    shown = figure()
    assert len(shown.rows) == 2 * 3 * 2
    assert shown.rows[0][0] == "with skip connections, norm before, activation ReLU"
    assert shown.rows[-1][0] == "without skip connections, no norm, activation none"
    (measure,) = shown.data["measures"]
    np.testing.assert_allclose(measure["values"], VALUES, rtol=1e-3)
    assert shown.rows[-1][1:] == [f"{VALUES[1, 2, 1, depth]:.2g}" for depth in (0, 2, 4)]


def test_the_text_alternative_tells_the_block_at_the_start():
    first, last = VALUES[0, 1, 0, [0, -1]]
    assert figure().alt == (
        "gradient, with skip connections, norm after, activation ReLU: "
        f"{first:.2g} before the first block, {last:.2g} after block 4."
    )


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"measures": []}, "a measure"),
        ({"values": VALUES[:1]}, r"\(2, 3, 2, 'L \+ 1'\)"),
        ({"activations": ("ReLU",)}, r"\(2, 3, 1"),
        ({"values": VALUES[..., :1]}, "L"),
        ({"values": VALUES - VALUES.max()}, "positive"),
        ({"values": VALUES * np.inf, "log": False}, "finite"),
        ({"start": (0, 3, 0)}, "does not exist"),
        ({"start": (-1, 0, 0)}, "does not exist"),
    ],
)
def test_what_is_no_measure_of_these_blocks_is_refused(given, what):
    with pytest.raises(ValueError, match=what):
        figure(**given)


def test_numbers_below_zero_may_stand_on_a_straight_axis():
    assert figure(values=VALUES - VALUES.max(), log=False).data["measures"][0]["log"] is False
