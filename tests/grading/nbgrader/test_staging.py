"""What of a submission's files nbgrader, and a browser after it, get to see."""

import pytest

from headway.grading.intake.submission import Snapshot
from headway.grading.nbgrader.staging import StagingFolder


@pytest.fixture
def staged(tmp_path):
    """Stage files with these names; the names that arrive."""

    def put(*names):
        snapshot = Snapshot(b"", dict.fromkeys(names, b"x"), "")
        StagingFolder(tmp_path).put("ada", "one", snapshot, b"{}")
        place = tmp_path / "ada" / "one"
        found = {str(p.relative_to(place)) for p in place.rglob("*") if p.is_file()}
        return found - {"one.ipynb"}

    return put


def test_data_and_pictures_arrive(staged):
    names = {"prices.csv", "weights.npz", "data/more.TXT", "plot.png", "helper.py"}
    assert staged(*names) == names


@pytest.mark.parametrize(
    "name",
    [
        *("evil.html", "evil.xpdl", "evil.svg", "evil.xhtml", "evil.pdf", "evil.js", "evil"),
        *("evil.txt.html", "other.ipynb", "timestamp.txt", "data/timestamp.txt"),
        *("one.html/data.txt", "one.ipynb/data.txt"),
    ],
)
def test_what_a_browser_or_nbgrader_would_take_for_more_stays_away(staged, name):
    assert staged(name) == set()
