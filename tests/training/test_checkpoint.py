import os

import numpy as np
import pytest
import torch
from torch import nn

from headway.training.batches import in_order
from headway.training.checkpoint import (
    Checkpoint,
    CheckpointError,
    load_checkpoint,
    load_weights,
    save_checkpoint,
    snapshot,
)
from headway.training.schedule import Cosine, Noam
from headway.training.validation import Validation
from tests.training.models import copy_trainer, padded_copies, small_model


def trainer_with_everything(*more, **settings):
    """Dropout, a schedule, clipping, parts, and early stopping that will stop."""
    held_out = in_order(padded_copies(9, seed=5), 4)
    validation = Validation(held_out, every=2, patience=3, min_delta=0.02)
    return copy_trainer(
        small_model(dropout=0.4),
        schedule=Cosine(5, 200),
        lr=3e-2,
        clip=0.5,
        accumulate=3,
        callbacks=[validation, *more],
        **settings,
    )


def everything(trainer):
    """A snapshot without the seconds, which two runs do not share."""
    state = snapshot(trainer)
    state["history"] = [record[:4] for record in state["history"]]
    return state


def assert_same(one, other):
    """Equal to the last bit, through dicts and lists."""
    if isinstance(one, torch.Tensor):
        assert one.equal(other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            assert_same(one[name], other[name])
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    else:
        assert one == other


@pytest.mark.parametrize("stop", [1, 7, 8, -1])
def test_a_resumed_run_gives_the_same_bits_as_one_that_never_stopped(stop, tmp_path):
    path = tmp_path / "run.pt"
    torch.manual_seed(0)
    straight = trainer_with_everything()
    straight.train(60, progress=False)
    assert straight.stopped
    stop %= straight.step  # −1: the last step before patience ends

    torch.manual_seed(0)
    first = trainer_with_everything()
    first.train(stop, progress=False)
    save_checkpoint(first, path)
    torch.manual_seed(99)  # another process
    second = trainer_with_everything()
    load_checkpoint(second, path)
    assert second.step == stop
    second.train(60, progress=False)
    assert_same(everything(second), everything(straight))


def test_what_is_loaded_is_what_was_saved(tmp_path):
    trainer, other = trainer_with_everything(), trainer_with_everything()
    trainer.train(5, progress=False)
    save_checkpoint(trainer, tmp_path / "run.pt")
    saved = snapshot(trainer)
    load_checkpoint(other, tmp_path / "run.pt")
    assert_same(snapshot(other), saved)
    assert other.history == trainer.history
    assert other.held_out == trainer.held_out


def test_the_callback_saves_every_so_many_steps_and_at_the_end(tmp_path):
    path, steps = tmp_path / "run.pt", []

    def look(trainer):
        steps.append(torch.load(path, weights_only=True)["step"] if path.exists() else None)

    trainer = copy_trainer(callbacks=[look, Checkpoint(path, every=3)])
    trainer.train(8, progress=False)
    assert steps == [None, None, None, 3, 3, 3, 6, 6]
    assert torch.load(path, weights_only=True)["step"] == 8
    assert [file.name for file in tmp_path.iterdir()] == ["run.pt"]


def test_a_run_that_stopped_early_stays_stopped(tmp_path):
    path = tmp_path / "run.pt"
    trainer = trainer_with_everything(Checkpoint(path, every=1000))
    trainer.train(100, progress=False)
    resumed = trainer_with_everything()
    load_checkpoint(resumed, path)
    resumed.train(100, progress=False)
    assert resumed.step == trainer.step < 100


def test_the_callback_must_come_after_those_whose_state_it_saves(tmp_path):
    trainer = copy_trainer(callbacks=[Checkpoint(tmp_path / "run.pt"), Validation([])])
    with pytest.raises(ValueError, match="must come after"):
        trainer.train(1, progress=False)


def test_weights_alone_can_be_loaded(tmp_path):
    trainer = copy_trainer()
    trainer.train(3, progress=False)
    save_checkpoint(trainer, tmp_path / "run.pt")
    model = small_model(seed=9)
    load_weights(model, tmp_path / "run.pt")
    assert_same(list(model.parameters()), list(trainer.model.parameters()))


@pytest.mark.parametrize("fails", ["torch.save", "os.replace"])
def test_a_write_that_fails_leaves_the_file_before_it(fails, tmp_path, monkeypatch):
    path = tmp_path / "run.pt"
    trainer = copy_trainer()
    save_checkpoint(trainer, path)
    before = path.read_bytes()

    def full(content, file):
        if fails == "torch.save":
            file.write(b"half")
        raise OSError("no space left on device")

    monkeypatch.setattr(
        *{"torch.save": (torch, "save"), "os.replace": (os, "replace")}[fails], full
    )
    trainer.train(3, progress=False)
    with pytest.raises(OSError, match="no space"):
        save_checkpoint(trainer, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def begin(path):
    path.write_bytes(path.read_bytes()[:1000])


def empty(path):
    path.write_bytes(b"")


def spoil(path):
    content = bytearray(path.read_bytes())
    weights = torch.load(path, weights_only=True)["model"]["0.weight"].numpy().tobytes()
    content[content.index(weights) + 5] ^= 1
    path.write_bytes(content)


def text(path):
    path.write_text("step,loss\n1,3.9\n")


def other_torch_file(path):
    torch.save({"model": small_model().state_dict()}, path)


def pickled_module(path):
    torch.save(small_model(), path)  # reading this as a pickle would run code


@pytest.mark.parametrize(
    ("ruin", "message"),
    [
        (cut, "no checkpoint, or only a part"),
        (begin, "no checkpoint, or only a part"),
        (empty, "no checkpoint, or only a part"),
        (spoil, "damaged"),
        (text, "no checkpoint, or only a part"),
        (other_torch_file, "not written by save_checkpoint"),
        (pickled_module, "no checkpoint, or only a part"),
    ],
)
def test_a_file_that_is_no_checkpoint_is_refused_and_changes_nothing(ruin, message, tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint(copy_trainer(), path)
    ruin(path)
    assert_nothing_changes(copy_trainer(), path, message)


def assert_nothing_changes(trainer, path, message):
    trainer.train(2, progress=False)
    before = torch.load(saved_beside(trainer, path), weights_only=True)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(trainer, path)
    assert_same(snapshot(trainer), before)


def saved_beside(trainer, path):
    save_checkpoint(trainer, path.with_name("before.pt"))
    return path.with_name("before.pt")


def with_sgd():
    trainer = copy_trainer()
    trainer.optimizer = torch.optim.SGD(trainer.model.parameters(), lr=0.1)
    return trainer


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: copy_trainer(small_model(width=16)), r"another architecture: 0.weight.*\(8, 12\)"),
        (lambda: copy_trainer(nn.Sequential(*small_model(), nn.Linear(8, 8))), "6.weight.*missing"),
        (lambda: copy_trainer(small_model()[:3]), "3.weight.*missing"),
        (with_sgd, "optimizer: AdamW; this trainer's: SGD"),
        (lambda: copy_trainer(schedule=Cosine(1, 2)), "schedule: None; .*Cosine"),
        (lambda: copy_trainer(callbacks=[Validation([])]), r"\[\]; .*Validation"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_and_changes_nothing(make, message, tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint(copy_trainer(), path)
    assert_nothing_changes(make(), path, message)


def test_schedules_of_different_kinds_are_told_apart(tmp_path):
    save_checkpoint(copy_trainer(schedule=Noam(8, 3)), tmp_path / "run.pt")
    with pytest.raises(CheckpointError, match=r"schedule: \['Noam'.*'Cosine'"):
        load_checkpoint(copy_trainer(schedule=Cosine(1, 2)), tmp_path / "run.pt")


def test_a_schedule_with_other_settings_is_refused_and_stays_as_it_is(tmp_path):
    save_checkpoint(copy_trainer(schedule=Cosine(1, 20)), tmp_path / "run.pt")
    longer = Cosine(1, 40)
    with pytest.raises(CheckpointError, match=r"'total': 20.*'total': 40"):
        load_checkpoint(copy_trainer(schedule=longer), tmp_path / "run.pt")
    assert longer == Cosine(1, 40)


@pytest.mark.parametrize(
    "settings", [{"lr": np.float64(0.01)}, {"schedule": Cosine(1, np.int64(20))}]
)
def test_what_could_not_be_read_back_is_refused_before_it_replaces_a_file(settings, tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint(copy_trainer(), path)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"holds numpy.*plain"):
        save_checkpoint(copy_trainer(**settings), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_missing_is_said_to_be(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"run\.pt"):
        load_checkpoint(copy_trainer(), tmp_path / "run.pt")


def test_a_save_every_zero_steps_is_refused():
    with pytest.raises(ValueError, match="got 0"):
        Checkpoint("run.pt", every=0)
