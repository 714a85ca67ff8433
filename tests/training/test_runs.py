"""Recorded runs: what comes back, what is refused, and the record of the page."""

import numpy as np
import pytest
import torch
from torch import nn

from headway.training.runs import RUN, Trained, kept_run, recorded_run
from headway.training.trials import StaleRecordError


def train():
    layer = nn.Linear(2, 3)
    with torch.no_grad():
        layer.weight.copy_(torch.arange(6.0).view(3, 2) / 3)
    return Trained(layer, {"losses": [2.0, 1.5]})


def train_too_far():
    layer = nn.Linear(1, 1)
    with torch.no_grad():
        layer.weight.fill_(1e5)
    return Trained(layer, {})


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    monkeypatch.setenv(RUN, "99-small")
    recorded_run("99-small", train, tmp_path)
    monkeypatch.delenv(RUN)
    return tmp_path


def test_a_run_comes_back_with_its_weights_in_half_precision_and_its_log(recorded):
    run = recorded_run("99-small", train, recorded)
    assert run.log == {"losses": [2.0, 1.5]}
    expected = (np.arange(6).reshape(3, 2) / 3).astype(np.float16).astype(np.float32)
    np.testing.assert_array_equal(run.weights["weight"], expected)
    assert run.made_with["torch"] == torch.__version__.partition("+")[0]
    assert run.made_with["device"] == "CPU"
    layer = nn.Linear(2, 3)
    run.load_into(layer)
    np.testing.assert_array_equal(layer.weight.detach().numpy(), expected)
    with pytest.raises(RuntimeError, match="size mismatch"):
        run.load_into(nn.Linear(3, 3))


def test_it_is_not_run_unless_it_is_asked_for_by_name(recorded, monkeypatch):
    monkeypatch.setenv(RUN, "99-other")
    before = (recorded / "99-small.npz").stat().st_mtime_ns
    recorded_run("99-small", train, recorded)
    assert (recorded / "99-small.npz").stat().st_mtime_ns == before


def test_what_other_code_left_is_refused_with_the_command_that_repeats_it(recorded):
    with pytest.raises(StaleRecordError, match=r"Other code.*tools/record-run 99 99-small"):
        recorded_run("99-small", train_too_far, recorded)
    with pytest.raises(StaleRecordError, match="Nothing is recorded under '99-none'"):
        recorded_run("99-none", train, recorded)


def test_numbers_that_half_precision_has_not_are_refused(tmp_path, monkeypatch):
    monkeypatch.setenv(RUN, "99-far")
    with pytest.raises(ValueError, match="weight has numbers that half precision has not"):
        recorded_run("99-far", train_too_far, tmp_path)
    assert not list(tmp_path.iterdir())


def only_a_log():
    return Trained(None, {"said": "Paris"})


def test_a_run_may_leave_nothing_but_its_log(tmp_path, monkeypatch):
    monkeypatch.setenv(RUN, "99-log")
    run = recorded_run("99-log", only_a_log, tmp_path)
    assert (run.log, run.weights) == ({"said": "Paris"}, {})


def test_another_page_gets_the_same_run(recorded):
    run, kept = recorded_run("99-small", train, recorded), kept_run("99-small", recorded)
    assert kept.log == run.log
    assert all((kept.weights[name] == run.weights[name]).all() for name in run.weights)
    with pytest.raises(FileNotFoundError):
        kept_run("99-none", recorded)
