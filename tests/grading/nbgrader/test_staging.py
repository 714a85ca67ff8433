"""What of a submission's files nbgrader, and a browser after it, get to see."""

from datetime import UTC, datetime

import pytest

from headway.grading.intake.submission import Snapshot
from headway.grading.nbgrader.staging import StagingFolder, shown_name


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
    names = {"prices.csv", "weights.npz", "data/more.TXT", "plot.png"}
    assert staged(*names) == names


def test_a_year_long_ago_stays_the_year_that_it_is(tmp_path):
    moment = datetime(12, 11, 10, tzinfo=UTC)
    StagingFolder(tmp_path).put("ada", "one", Snapshot(b"", {}, "", moment), b"{}")
    text = (tmp_path / "ada" / "one" / "timestamp.txt").read_text()
    assert text == "0012-11-10 00:00:00.000000 UTC"


def test_python_files_arrive_as_text_that_no_kernel_imports(staged):
    assert staged("importlib.py", "my/helper.PY") == {"importlib.py.txt", "my/helper.PY.txt"}


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


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ada", "ada"),
        ("Zo\u00eb", "Zo\u00eb"),
        ("a\nb", "a\\nb"),
        ("\x1b[31mred", "\\x1b\\x5b31mred"),
        ("*", "\\x2a"),
        ("<b>", "\\x3cb\\x3e"),
        ("\udcff", "\\udcff"),
        ("\x85" * 127, ("\\x85" * 25)[:-1] + "\\"),
        ("a" * 100 + "*", "a" * 99 + "\\"),
    ],
)
def test_a_name_is_handed_on_on_one_line_that_can_be_seen(name, shown):
    assert shown_name(name) == shown
    assert shown.encode()
