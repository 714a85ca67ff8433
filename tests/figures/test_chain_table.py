"""The chain as a table: the difference is computed, never written down."""

import numpy as np
import pytest
from bs4 import BeautifulSoup

from headway.figures.parts.chain_table import MIME, chain_table, link


def a_link(chapter=1, new=(1.0, 2.0), old=(1.0, 2.5)):
    return link(chapter, "this", "that", "always", new, old)


def test_the_largest_difference_is_shown():
    shown = chain_table(a_link(), a_link(2, [1, 2], [1, 2]), title="A chain")
    rows = BeautifulSoup(shown.html(), "html.parser").select("tbody tr")
    assert [row.find_all("td")[-1].get_text() for row in rows] == ["5.0 · 10⁻¹", "0, exactly"]
    assert shown._repr_mimebundle_()[MIME] == [
        {"chapter": 1, "difference": 0.5},
        {"chapter": 2, "difference": 0.0},
    ]


def test_a_difference_of_rounding_is_written_as_a_power_of_ten():
    assert "1.1 · 10⁻¹⁶" in chain_table(a_link(1, [1.0], [1.0 - 2**-53]), title="A chain").html()


@pytest.mark.parametrize(
    ("new", "old", "said"),
    [
        ([1.0], [1.0, 1.0], r"got \(1,\) and \(2,\)"),
        ([], [], "hold numbers"),
        ([np.nan], [1.0], "not finite"),
        ([np.inf], [np.inf], "not finite"),
    ],
)
def test_what_cannot_be_compared_is_refused(new, old, said):
    with pytest.raises(ValueError, match=said):
        a_link(1, new, old)


def test_links_stand_in_the_order_of_their_chapters():
    with pytest.raises(ValueError, match=r"\[2, 1\]"):
        chain_table(a_link(2), a_link(1), title="A chain")
    with pytest.raises(ValueError, match=r"\[\]"):
        chain_table(title="A chain")
