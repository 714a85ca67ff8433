"""What is recorded of trainings from ten seeds belongs to the code that found it."""

import importlib.util
import json

import numpy as np
import pytest

from headway.training import trials
from headway.training.trials import (
    FOLDER,
    SEEDS,
    WRITE_TO,
    StaleRecordError,
    in_words,
    recorded_trials,
)

PAGE = """
class Model:
    def answer(self, seed):
        return {answer}


def helper(seed):
    return Model().answer(seed)


def unused(seed):
    return {unused}


def trial(seed):
    {comment}return {{"share": helper(seed) / 10}}
"""


@pytest.fixture
def written(tmp_path):
    """Makes a module from `PAGE` and returns its trial."""

    def make(answer="seed", unused="0", comment=""):
        path = tmp_path / f"page_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PAGE.format(answer=answer, unused=unused, comment=comment))
        spec = importlib.util.spec_from_file_location("page", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.trial

    return make


@pytest.fixture
def folder(tmp_path_factory, monkeypatch):
    """Where records are read from, instead of the course's own."""
    folder = tmp_path_factory.mktemp("records")
    monkeypatch.setattr(trials, "FOLDER", folder)
    return folder


def record(monkeypatch, folder, trial):
    with monkeypatch.context() as patch:
        patch.setenv(WRITE_TO, str(folder))
        return recorded_trials("08-test", trial)


def test_trials_are_run_from_ten_seeds_and_read_again_without_running(written, folder, monkeypatch):
    found = record(monkeypatch, folder, written())
    assert found["share"].tolist() == [seed / 10 for seed in range(10)]
    (folder / "08-test.json").write_text(
        (folder / "08-test.json").read_text().replace("0.9]", "0.7]")
    )
    assert recorded_trials("08-test", written())["share"][-1] == 0.7


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"answer": "seed + 1"}, False),  # in a method of a class that a helper uses
        ({"unused": "1"}, True),
        ({"comment": "# a remark\n    "}, True),
    ],
)
def test_a_record_is_refused_when_the_code_that_found_it_has_changed(
    written, folder, monkeypatch, change, same
):
    record(monkeypatch, folder, written())
    if same:
        recorded_trials("08-test", written(**change))
    else:
        with pytest.raises(StaleRecordError, match="tools/record-trials 08"):
            recorded_trials("08-test", written(**change))
    with pytest.raises(StaleRecordError, match="Nothing is recorded under '08-none'"):
        recorded_trials("08-none", written())


def test_a_distribution_is_told_by_its_ends_and_its_middle():
    assert in_words(np.array([0.25, 1.0, 0.5])) == "25% to 100%, median 50%"
    assert in_words(np.array([3.0, 1.0]), ".1f") == "1.0 to 3.0, median 2.0"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_record_has_a_number_for_each_seed_and_a_page_that_uses_it(root, path):
    found = json.loads(path.read_text(encoding="utf-8"))["found"]
    assert found
    assert all(len(values) == len(SEEDS) for values in found.values())
    (page,) = root.glob(f"book/{path.stem[:2]}-*.md")
    assert f'recorded_trials("{path.stem}"' in page.read_text(encoding="utf-8")
