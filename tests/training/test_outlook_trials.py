"""What page 16 says in round numbers of its readers holds for all ten, or nearly."""

import numpy as np
import pytest

from headway.training.trials import FOLDER, read_record


@pytest.fixture
def found():
    record = read_record(FOLDER / "16-edges.json")["found"]
    return {key: np.array(values) for key, values in record.items()}


def test_far_words_are_easy_on_the_complete_graph_and_hard_over_windows(found):
    assert found["complete, 1"].min() > 0.95
    assert found["first, 2"].min() > 0.95
    for layers in (1, 2):
        assert found[f"window, {layers}"].max() < 0.3
    for layers in (4, 6):
        assert np.median(found[f"window, {layers}"]) < 0.5
    assert np.median(found["window, 4, longer"]) > 0.95
