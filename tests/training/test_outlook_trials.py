"""What page 16 says in round numbers of its schools and readers holds for all ten, or nearly."""

import numpy as np
import pytest

from headway.training.trials import FOLDER, read_record


@pytest.fixture
def found():
    names = ("16-clubs", "16-edges")
    records = [read_record(FOLDER / f"{name}.json")["found"] for name in names]
    return {key: np.array(values) for record in records for key, values in record.items()}


def test_a_graph_finds_more_clubs_than_votes_among_all_friends(found):
    assert found["friends"].min() > 0.9
    assert found["vote again"].max() < 0.8
    assert (found["friends"] - found["vote again"]).min() > 0.15


@pytest.mark.parametrize(
    ("name", "about"), [("badge", 0.625), ("everyone", 0.625), ("vote", 0.67), ("told", 0.8)]
)
def test_badges_and_votes_are_as_good_as_the_page_says(found, name, about):
    assert np.median(found[name]) == pytest.approx(about, abs=0.025)


def test_the_model_listens_to_friends_in_other_rooms(found):
    for block in (1, 2, 3):
        assert found[f"weight outside, block {block}"].min() > 0.8
    assert found["share outside"].max() < 0.45


def test_far_words_are_easy_on_the_complete_graph_and_hard_over_windows(found):
    assert found["complete, 1"].min() > 0.95
    assert found["first, 2"].min() > 0.95
    for layers in (1, 2):
        assert found[f"window, {layers}"].max() < 0.3
    for layers in (4, 6):
        assert np.median(found[f"window, {layers}"]) < 0.5
    assert np.median(found["window, 4, longer"]) > 0.95
