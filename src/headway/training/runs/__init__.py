"""A training that takes longer than a page may: run once, and kept with its weights and its log.

    def read_library():                  # trains for an hour
        …
        return Trained(model, {"merges": …, "looks": …})

    run = recorded_run("11-docstrings", read_library)
    run.weights                          # name → float32 array, as they are kept: in half precision
    run.log                              # what the training wrote down
    kept_run("11-docstrings")            # the same, on a page that uses it and did not train it

The weights lie beside this module in NAME.npz, the log in NAME.json, with a fingerprint of the code
that made them (as for `headway.training.trials`): where that has changed, they are refused.
`tools/record-run 11 11-docstrings` repeats a run and writes both.
"""

import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from headway.training.trials import StaleRecordError, fingerprint

FOLDER = Path(__file__).parent
RUN = "HEADWAY_RUN"  # names the run that is to be repeated and written


@dataclass(frozen=True)
class Trained:
    """What a training leaves.

    Attributes:
        model: the trained module; its state dict is kept. None if the log says all.
        log: what else is to be kept; anything that JSON can hold.
    """

    model: nn.Module | None
    log: dict


@dataclass(frozen=True)
class Run:
    """A recorded run.

    Attributes:
        weights: by the names of the model's state dict, float32.
        log: what the training wrote down.
        seconds: how long it took.
        made_with: the versions of Python and torch, and the kind of device.
    """

    weights: dict[str, np.ndarray]
    log: dict
    seconds: float
    made_with: dict[str, str]

    def load_into(self, model: nn.Module) -> None:
        """Give a model the weights.

        Raises:
            RuntimeError: if they are of another model, as `load_state_dict` says.
        """
        model.load_state_dict({name: torch.from_numpy(w) for name, w in self.weights.items()})


def recorded_run(name: str, train: Callable[[], Trained], folder: Path = FOLDER) -> Run:
    """What a training left when it was recorded.

    Args:
        name: of the record, "11-docstrings"; it begins with the number of its page.
        train: what was run, a function of the page.
        folder: where records lie.

    Raises:
        StaleRecordError: if nothing is recorded under this name, or other code made the record.
    """
    made_by, log_file = fingerprint(train), folder / f"{name}.json"
    if os.environ.get(RUN) == name:
        began = time.perf_counter()
        trained = train()
        write(name, made_by, trained, time.perf_counter() - began, folder)
    record = json.loads(log_file.read_text(encoding="utf-8")) if log_file.is_file() else None
    if record is None or record["made_by"] != made_by:
        reason = (
            "Nothing is recorded" if record is None else "Other code than the page's is recorded"
        )
        raise StaleRecordError(
            f"{reason} under {name!r}. Run `tools/record-run {name[:2]} {name}` to record it anew."
        )
    return kept_run(name, folder)


def kept_run(name: str, folder: Path = FOLDER) -> Run:
    """What another page's training left: as `recorded_run`, which that page calls to check it.

    Args:
        name: of the record, "11-docstrings".
        folder: where records lie.

    Raises:
        FileNotFoundError: if nothing is recorded under this name.
    """
    record = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with np.load(folder / f"{name}.npz", allow_pickle=False) as halves:
        weights = {key: halves[key].astype(np.float32) for key in halves.files}
    return Run(weights, record["log"], record["seconds"], record["made_with"])


def write(name: str, made_by: str, trained: Trained, seconds: float, folder: Path) -> None:
    """Keep a run's weights, in half precision, and its log.

    Raises:
        ValueError: if a weight is beyond what half precision holds.
    """
    state = trained.model.state_dict() if trained.model else {}
    halves = {key: weight.detach().cpu().half().numpy() for key, weight in state.items()}
    if beyond := [key for key, half in halves.items() if not np.isfinite(half).all()]:
        raise ValueError(f"{beyond[0]} has numbers that half precision has not: beyond 65,504")
    device = next((weight.device for weight in state.values()), torch.device("cpu"))
    kind = torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"
    record = {
        "made_by": made_by,
        "made_with": {
            "python": platform.python_version(),
            "torch": torch.__version__.partition("+")[0],
            "device": kind,
        },
        "seconds": round(seconds),
        "log": trained.log,
    }
    np.savez(folder / f"{name}.npz", **halves)
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
