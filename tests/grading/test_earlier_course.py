"""Course folders and released notebooks that were made before modules moved go on as they are.

`course_before.tar.xz` is a course folder as `headway grade 01` left it when grading was one flat
package: its own `nbgrader_config.py`, source, gradebook, journal and editions, and one submission.
Feedback and executed notebooks were left out. It is a record, and is not made anew.
"""

import json
import tarfile
from importlib import import_module
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from tests.grading.classroom import CHAPTER

NAME = CHAPTER.name
ARCHIVE = Path(__file__).with_name("course_before.tar.xz")


@pytest.fixture
def course(tmp_path):
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path)  # our own; Python 3.11.2 knows no filter
    return tmp_path


def rows(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))["students"]


def journal(course: Path) -> dict:
    return json.loads((course / ".headway" / NAME / "journal" / "konrad.json").read_text())


# Tasks that ask for more than when the folder was made. Two questions have other numbers by now,
# but its own source says what is right there.
ASK_OTHERWISE = {"matmul": 1.75, "by-one-hot": 2.5}


@pytest.mark.full
@pytest.mark.jupyter
def test_a_course_folder_of_before_is_graded_again_to_the_same_scores(headway, course):
    before, journal_before = rows(course / "report.json"), journal(course)
    result = headway("grade", "01", "--course", course)
    assert result.code == 0, result.err
    after = rows(course / "report.json")
    assert (after["konrad"]["status"], after["konrad"]["score"]) == ("graded", 11.25)
    for name, task in before["konrad"]["tasks"].items():
        now = after["konrad"]["tasks"][name]
        if (short := name.partition("/")[2]) in ASK_OTHERWISE:
            assert now["score"] == ASK_OTHERWISE[short], name
            continue
        assert (now["status"], now["score"]) == (task["status"], task["score"]), name
        assert now["misconception"] or not task["misconception"], f"{name} has lost its name"
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        assert gradebook.find_submission(NAME, "konrad").score == 11.25
    page = (course / "report.html").read_text(encoding="utf-8")
    assert "what its tasks ask for, or the mistakes that they know, changed." in page
    assert "Cells of the assignment were changed" not in page, "it is held to its own release"
    kept, key = journal_before["key"], journal(course)["key"]
    assert {what: key[what] == kept[what] for what in kept} == {
        "submission": True,
        "assignment": False,  # its checks bring their values
        "tasks": False,
    }


# What notebooks, configurations and commands of before name; students and instructors have them.
ADDRESSES = {
    "headway.chapters": ["references"],
    "headway.figures.live_loss": ["LiveLoss"],
    "headway.grading.allowance": ["Allowance"],
    "headway.grading.exports": ["CanvasExport", "MoodleExport"],
    "headway.grading.settings": ["configure"],
    "headway.models.masked_model": ["Encoder"],
    "headway.models.padding": ["pad"],
    "headway.models.parts": ["InputLayer", "ModelConfig"],
    "headway.ngram.examples": ["examples_after"],
    "headway.ngram.markov": ["MarkovChain"],
    "headway.ngram.skipbigram": ["SkipBigrams"],
    "headway.nn.attention": ["attend"],
    "headway.nn.block": ["DecoderBlock"],
    "headway.nn.embedding": ["Embedding"],
    "headway.nn.position": ["frequencies"],
    "headway.tasks.check": ["check"],
    "headway.text.categories": ["SPREAD", "car_prices"],
    "headway.text.corpus.commands": ["CHECK_LOGS", "RUN", "RUN_DOWN", "check_logs"],
    "headway.text.corpus.numbered": ["number_sentences"],
    "headway.text.corpus.standard_library": ["plain_sentences"],
    "headway.text.corpus.translation": ["hold_out_combinations", "translations"],
    "headway.text.vocabulary": ["Vocabulary"],
    "headway.training.watch": ["Watch"],
}


@pytest.mark.parametrize("module", ADDRESSES)
def test_what_is_imported_elsewhere_stays_at_its_address(module):
    for name in ADDRESSES[module]:
        assert hasattr(import_module(module), name), f"{module}.{name}"
