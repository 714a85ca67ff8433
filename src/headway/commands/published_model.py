"""Reading a published model for a command: where it goes, whether it fits, and a bar meanwhile."""

from pathlib import Path

import psutil
import torch

from headway.commands.console import progress
from headway.errors import UserError
from headway.inference.cost import cache_bytes, decoder_parameters
from headway.models.hugging_face.model_folder import Weights, load_folder, stored_bytes
from headway.models.language_model import LanguageModel, LanguageModelConfig

GB = 1e9
TYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def check_type(name: str | None) -> None:
    """Raise UserError for a name that is given and is none of `TYPES`."""
    if name is not None and name not in TYPES:
        raise UserError(f"--dtype must be one of {', '.join(TYPES)}; got {name!r}.")


def find_device(name: str | None) -> torch.device:
    """The device of that name; without one a GPU if there is one, and else the CPU.

    Raises:
        UserError: if it is no device, or not on this machine.
    """
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).item()  # "meta" has no numbers
    except (RuntimeError, AssertionError) as error:  # what torch built without CUDA raises
        raise UserError(
            f"--device {name} is not on this machine. Expected cpu, or cuda where there is a GPU "
            "and torch was built for it."
        ) from error
    return device


def cache_of(config: LanguageModelConfig, dtype: torch.dtype) -> int:
    """Bytes of the keys and values of one text as long as the context."""
    sizes = (config.layers, config.shared_heads, config.per_head, config.context)
    return cache_bytes(*sizes, item_bytes=dtype.itemsize)


def check_room(config: LanguageModelConfig, dtype: torch.dtype, device: torch.device) -> None:
    """Raise UserError where weights, and the cache of a text as long as the context, do not fit."""
    free = (
        torch.cuda.mem_get_info(device)[0]
        if device.type == "cuda"
        else psutil.virtual_memory().available
    )
    parameters, cache = decoder_parameters(config), cache_of(config, dtype)
    needed = parameters * dtype.itemsize + cache
    if needed > free:
        smaller = " --dtype bfloat16 takes half of it." if dtype == torch.float32 else ""
        raise UserError(
            f"The model needs {needed / GB:.1f} GB in {str(dtype).removeprefix('torch.')} "
            f"({parameters / GB:.2f} billion parameters; the cache {cache / GB:.2f} GB), and "
            f"{device} has {free / GB:.1f} GB free.{smaller}"
        )


def check_files(folder: Path, config: LanguageModelConfig) -> None:
    """Raise UserError where a config describes more weights than its files have bits."""
    described, held = decoder_parameters(config), stored_bytes(folder)
    if described > 8 * held:
        raise UserError(
            f"The model in {folder} is described as one of {described / 1e6:,.1f} million "
            f"parameters, and its weights take {held / GB:.3f} GB, which is less than a bit for "
            "each. Are the two from the same model?"
        )


def load(folder: Path, length: int, dtype: torch.dtype, device: torch.device) -> LanguageModel:
    """The model, with a bar while its tensors are read."""
    with progress() as bar:
        task = bar.add_task("Reading weights", total=len(Weights(folder)))
        return load_folder(folder, length, dtype, device, lambda name: bar.advance(task))
