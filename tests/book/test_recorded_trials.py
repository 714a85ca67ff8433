"""What the pages tell of ten trainings comes out when these are run again (full run only)."""

import numpy as np
import pytest

from headway.chapters import find_chapter
from headway.training.trials import FOLDER, read_record
from tests.full import FULL
from tools.record_trials import run_trials

RECORDS = sorted(FOLDER.glob("*.json"))
CHAPTERS = sorted({find_chapter(path.stem[:2]).name for path in RECORDS})


@pytest.mark.skipif(not FULL, reason="the trainings take minutes")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_trials_run_anew_find_what_is_recorded(tmp_path, chapter):
    """Another processor rounds otherwise, and one training in ten may then end elsewhere."""
    run_trials(chapter[:2], tmp_path)
    for path in FOLDER.glob(f"{chapter[:2]}-*.json"):
        recorded, anew = (read_record(file)["found"] for file in (path, tmp_path / path.name))
        assert recorded.keys() == anew.keys()
        for name, values in recorded.items():
            low, high = np.quantile(values, [0.1, 0.9])
            assert low <= np.median(anew[name]) <= high, f"{path.stem}, {name}: {anew[name]}"
