import copy
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
    save_checkpoint,
    snapshot,
)
from headway.training.schedule import Cosine, Noam
from headway.training.validation import Validation
from tests.training.models import copy_trainer, padded_copies, small_model


def trainer_with_everything():
    """Dropout, a schedule, clipping, parts, and early stopping that will stop."""
    held_out = in_order(padded_copies(9, seed=5), 4)
    return copy_trainer(
        small_model(dropout=0.4),
        schedule=Cosine(5, 200),
        lr=3e-2,
        clip=0.5,
        accumulate=3,
        callbacks=[Validation(held_out, every=2, patience=3, min_delta=0.02)],
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


@pytest.mark.parametrize("stop", [1, 7, 8, -1, None])
def test_a_resumed_run_gives_the_same_bits_as_one_that_never_stopped(stop, tmp_path):
    path = tmp_path / "run.pt"
    torch.manual_seed(0)
    straight = trainer_with_everything()
    straight.train(60, progress=False)
    assert straight.stopped
    # −1: the last step before patience ends; None: after it, when the run stays stopped
    stop = straight.step if stop is None else stop % straight.step

    torch.manual_seed(0)
    first = trainer_with_everything()
    first.train(stop, progress=False)
    save_checkpoint(first, path)
    torch.manual_seed(99)  # another process
    second = trainer_with_everything()
    load_checkpoint(second, path)
    assert second.step == stop
    assert_same(snapshot(second), snapshot(first))
    second.train(60, progress=False)
    assert_same(everything(second), everything(straight))


def test_the_callback_saves_every_so_many_steps_and_at_the_end(tmp_path):
    path, steps = tmp_path / "run.pt", []

    def look(trainer):
        steps.append(torch.load(path, weights_only=True)["step"] if path.exists() else None)

    trainer = copy_trainer(callbacks=[look, Checkpoint(path, every=3)])
    trainer.train(8, progress=False)
    assert steps == [None, None, None, 3, 3, 3, 6, 6]
    assert torch.load(path, weights_only=True)["step"] == 8
    assert [file.name for file in tmp_path.iterdir()] == ["run.pt"]


@pytest.mark.parametrize("wrap", [lambda model: model, torch.compile])
@pytest.mark.parametrize("other", [lambda model: model, torch.compile])
def test_a_compiled_model_has_the_weights_of_the_model(wrap, other, tmp_path):
    path, model = tmp_path / "run.pt", small_model()
    save_checkpoint(copy_trainer(wrap(model)), path)
    trainer = copy_trainer(other(small_model(seed=9)))
    load_checkpoint(trainer, path)
    assert_same(list(trainer.model.parameters()), list(model.parameters()))


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

    monkeypatch.setattr(torch if fails == "torch.save" else os, fails.split(".")[1], full)
    trainer.train(3, progress=False)
    with pytest.raises(OSError, match="no space"):
        save_checkpoint(trainer, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def spoil(path):
    content = bytearray(path.read_bytes())
    weights = torch.load(path, weights_only=True)["model"]["0.weight"].numpy().tobytes()
    content[content.index(weights) + 5] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("ruin", "message"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "no checkpoint, or only a part"),
        (lambda path: path.write_bytes(b""), "no checkpoint, or only a part"),
        (spoil, "damaged"),
        (lambda path: torch.save({"model": {}}, path), "not written by save_checkpoint"),
        # A whole module is a pickle: reading it would run code.
        (lambda path: torch.save(small_model(), path), "no checkpoint, or only a part"),
    ],
)
def test_a_file_that_is_no_checkpoint_is_refused_and_changes_nothing(ruin, message, tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint(copy_trainer(), path)
    ruin(path)
    assert_nothing_changes(copy_trainer(), path, message)


def assert_nothing_changes(trainer, path, message):
    trainer.train(2, progress=False)
    before = copy.deepcopy(snapshot(trainer))
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(trainer, path)
    assert_same(snapshot(trainer), before)


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
        (copy_trainer, r"schedule: \['Cosine'.*None"),
        (lambda: copy_trainer(schedule=Noam(8, 3)), r"schedule: \['Cosine'.*'Noam'"),
        (lambda: copy_trainer(schedule=Cosine(1, 40)), r"'total': 20.*'total': 40"),
        (
            lambda: copy_trainer(schedule=Cosine(1, 20), callbacks=[Validation([])]),
            r"\[\]; .*Validation",
        ),
    ],
)
def test_a_checkpoint_of_something_else_is_refused_and_changes_nothing(make, message, tmp_path):
    path = tmp_path / "run.pt"
    save_checkpoint(copy_trainer(schedule=Cosine(1, 20)), path)
    assert_nothing_changes(make(), path, message)


def test_what_is_missing_or_in_the_wrong_place_is_refused(tmp_path):
    path = tmp_path / "run.pt"
    with pytest.raises(FileNotFoundError, match=r"run\.pt"):
        load_checkpoint(copy_trainer(), path)
    with pytest.raises(ValueError, match="got 0"):
        Checkpoint(path, every=0)
    trainer = copy_trainer(callbacks=[Checkpoint(path), Validation([])])
    with pytest.raises(ValueError, match="must come after"):
        trainer.train(1, progress=False)


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
