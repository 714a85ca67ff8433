"""Training on disk: everything that the next step depends on, in one file.

    trainer = Trainer(..., callbacks=[validation, Checkpoint("run.pt", every=200)])
    if Path("run.pt").exists():
        load_checkpoint(trainer, "run.pt")
    trainer.train(5_000)

A file holds the weights, the optimizer's averages, the schedule, the number of steps, the history,
what callbacks remember, and torch's random streams (dropout draws from them). Batches need no
place in it: they follow from the step. A resumed run gives, on a CPU, the same bits as one that was
never stopped.

A file is written beside its place and then moved there, so that a run that is killed while it
writes leaves the last whole one. Reading runs no code that a file may hold (`weights_only`).
"""

import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.serialization import get_unsafe_globals_in_checkpoint

from headway.training.trainer import Record, Trainer

FORMAT = "headway checkpoint 1"


class CheckpointError(ValueError):
    """A state that no file can hold, or a file that is no checkpoint, or one of something else.

    Nothing was changed by it.
    """


class Checkpoint:
    """A callback that saves the trainer every few steps and when training ends.

    It must be the last callback: it saves what the ones before it remember of the same step.

    Args:
        path: the file; its folder must exist.
        every: steps from one save to the next.

    Raises:
        ValueError: if `every` is below 1; when called, if another callback comes after it.
        OSError: when called, if the file cannot be written.
    """

    def __init__(self, path: str | Path, every: int = 100):
        if every < 1:
            raise ValueError(f"every must be at least 1, got {every}")
        self.path, self.every = Path(path), every

    def __call__(self, trainer: Trainer) -> None:
        """Save if it is time to."""
        if any(hasattr(other, "state_dict") for other in self.after(trainer)):
            raise ValueError("Checkpoint must come after the callbacks whose state it saves")
        if trainer.step % self.every == 0:
            save_checkpoint(trainer, self.path)

    def finish(self, trainer: Trainer) -> None:
        """Save the end of training, or where it was interrupted."""
        save_checkpoint(trainer, self.path)

    def after(self, trainer: Trainer) -> list:
        """The callbacks that come after this one."""
        return trainer.callbacks[trainer.callbacks.index(self) + 1 :]


def save_checkpoint(trainer: Trainer, path: str | Path) -> None:
    """Write a checkpoint; a file of that name is replaced by a whole one or not at all.

    Raises:
        CheckpointError: if it holds what could not be read back, such as a number of numpy's in
            the settings of the optimizer; a file that was there stays as it was.
        OSError: if it cannot be written; the same.
    """
    path = Path(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            torch.save(snapshot(trainer), file)
            file.flush()
            os.fsync(file.fileno())
        check_readable(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def load_checkpoint(trainer: Trainer, path: str | Path) -> None:
    """Put a trainer that was made the same way where the saved one stood.

    The settings of the optimizer become those of the file, its learning rate too.

    Raises:
        CheckpointError: if the file is no whole checkpoint, or was made by another model,
            optimizer, schedule or list of callbacks; the message says which, and the trainer is
            unchanged.
        FileNotFoundError: if there is no file.
    """
    saved, now = read(path), snapshot(trainer)
    check_fits(path, saved, now)
    uncompiled(trainer.model).load_state_dict(saved["model"])
    trainer.optimizer.load_state_dict(saved["optimizer"])
    if trainer.schedule:
        trainer.schedule.load_state_dict(saved["schedule"])
    for callback, (_, state) in zip(remembering(trainer), saved["callbacks"], strict=True):
        callback.load_state_dict(state)
    trainer.restore(
        step=saved["step"],
        history=[Record(*record) for record in saved["history"]],
        held_out=[(step, loss) for step, loss in saved["held_out"]],
        stopped=saved["stopped"],
    )
    torch.set_rng_state(saved["random"]["cpu"])
    for device, state in zip(range(torch.cuda.device_count()), saved["random"]["cuda"]):  # noqa: B905 - a machine may have fewer GPUs
        torch.cuda.set_rng_state(state, device)


def snapshot(trainer: Trainer) -> dict[str, Any]:
    """A trainer as plain values and tensors; the tensors are the trainer's own, not copies."""
    return {
        "format": FORMAT,
        "step": trainer.step,
        "model": uncompiled(trainer.model).state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "optimizer_name": type(trainer.optimizer).__name__,
        "schedule": trainer.schedule and trainer.schedule.state_dict(),
        "schedule_names": trainer.schedule
        and [type(factor).__name__ for factor in trainer.schedule.lr_lambdas],
        "history": [list(record) for record in trainer.history],
        "held_out": [list(pair) for pair in trainer.held_out],
        "stopped": trainer.stopped,
        "callbacks": [
            [type(callback).__name__, callback.state_dict()] for callback in remembering(trainer)
        ],
        "random": {
            "cpu": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        },
    }


def uncompiled(model: nn.Module) -> nn.Module:
    """The model itself, where `torch.compile` made another of it, all of whose names are longer."""
    return getattr(model, "_orig_mod", model)


def remembering(trainer: Trainer) -> list:
    """The callbacks that have a state."""
    return [callback for callback in trainer.callbacks if hasattr(callback, "state_dict")]


def read(path: str | Path) -> dict[str, Any]:
    """The content of a checkpoint, on the CPU."""
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as parts:  # torch's files are zip archives with checksums
                damaged = parts.testzip()
            if damaged:
                raise CheckpointError(f"{path} is damaged in {damaged}; take an earlier one")
            file.seek(0)
            content = torch.load(file, map_location="cpu", weights_only=True)
        except (zipfile.BadZipFile, pickle.UnpicklingError, RuntimeError, EOFError) as error:
            raise CheckpointError(
                f"{path} is no checkpoint, or only a part of one. Was it cut off while it was "
                "copied, or written by something other than save_checkpoint?"
            ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckpointError(f"{path} was not written by save_checkpoint of this version")
    return content


def check_fits(path: str | Path, saved: dict, now: dict) -> None:
    """Raise CheckpointError unless a saved state can be loaded where the other one stands."""
    check_weights(path, saved["model"], now["model"])
    for what, describe in (
        ("optimizer", lambda state: state["optimizer_name"]),
        ("parameter groups", lambda state: group_sizes(state["optimizer"])),
        ("schedule", lambda state: state["schedule_names"]),
        ("settings of the schedule", lambda state: schedule_settings(state["schedule"])),
        ("callbacks with a state", lambda state: [name for name, _ in state["callbacks"]]),
    ):
        theirs, ours = describe(saved), describe(now)
        if theirs != ours:
            raise CheckpointError(
                f"{path} was made by another trainer: its {what}: {theirs}; this trainer's: {ours}"
            )


def check_weights(path: str | Path, saved: dict, now: dict) -> None:
    """Raise CheckpointError unless names and shapes of all weights agree."""
    for name in [*now, *saved]:
        theirs, ours = (
            tuple(state[name].shape) if name in state else "missing" for state in (saved, now)
        )
        if theirs != ours:
            raise CheckpointError(
                f"{path} holds another architecture: {name} is {theirs} there and {ours} in this "
                "model. Was the model made with the same settings?"
            )


def group_sizes(state: dict) -> list[int]:
    """The number of parameters in each of an optimizer's groups."""
    return [len(group["params"]) for group in state["param_groups"]]


def schedule_settings(state: dict | None) -> list[dict | None] | None:
    """The settings of a LambdaLR's schedules; loading would put the old ones over the new."""
    return None if state is None else state["lr_lambdas"]


def check_readable(path: Path) -> None:
    """Raise CheckpointError if a file holds more than `read` reads: tensors and plain values."""
    if odd := get_unsafe_globals_in_checkpoint(path):
        raise CheckpointError(
            f"the trainer's state holds {', '.join(odd)}, and a checkpoint only tensors, numbers "
            "and names. Is a setting a number of numpy's? float(…) or int(…) makes it a plain one."
        )
