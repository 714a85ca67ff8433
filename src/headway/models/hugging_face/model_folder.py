"""A model from a folder of files, as published: `config.json` beside weights in safetensors.

    model = load_folder("Llama-3.2-1B", context=512, dtype=torch.bfloat16)

A GGUF file is taken for such a folder everywhere here, and so is a folder that holds only one.

A safetensors file holds names, shapes and numbers, and nothing that runs. Large models come in
several files, with an index that says which tensor is where. Tensors are read one after the other
when they are asked for, so that loading takes the memory of the model once.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from headway.errors import UserError
from headway.models.broken_file import likely_cause
from headway.models.gguf import tokenizer as gguf_tokenizer
from headway.models.gguf import weights as gguf_weights
from headway.models.gguf.file import gguf_in
from headway.models.hugging_face.config_file import loader_of, read_config
from headway.models.hugging_face.json_file import read_json
from headway.models.language_model import LanguageModel
from headway.shapes import ShapeError

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
FLOATS = ("F64", "F32", "F16", "BF16")
HEADER, TENSORS = 2**23, 2**16  # bytes of a file's header, and names in it, at most
BLOCK, EXPERT = 4, 3  # tensors of a block, at least, and of each expert in it
TABLED = 2**24  # positions, if nothing is said
Look = Callable[[str, Tensor], Tensor]


class Weights(Mapping[str, Tensor]):
    """The tensors of a folder by name, each read when it is asked for.

    Args:
        folder: holds `model.safetensors`, or several files and their index, or a GGUF file.
        look: called with each name and tensor as it is read; what it returns is handed on, so
            that it can change the type, move the tensor, or count.

    Raises:
        UserError: if files are missing or broken; the message names them.
    """

    def __init__(self, folder: str | Path, look: Look = lambda name, tensor: tensor):
        self.look = look
        file = gguf_in(folder)
        self.readers = gguf_weights.readers(file) if file else readers(Path(folder))

    def __getitem__(self, name: str) -> Tensor:
        return self.look(name, self.readers[name]())

    def __iter__(self) -> Iterator[str]:
        return iter(self.readers)

    def __len__(self) -> int:
        return len(self.readers)

    def __contains__(self, name: object) -> bool:
        return name in self.readers  # without reading it


def readers(folder: Path) -> dict[str, Callable[[], Tensor]]:
    """What reads each tensor of a folder's safetensors, by its name; errors as `Weights`."""
    files = [open_weights(folder / name) for name in weight_files(folder)]
    return {name: partial(file.get_tensor, name) for file in files for name in names_in(file)}


def names_in(file) -> list[str]:
    """The names of the tensors in an open safetensors file."""
    return list(file.keys())


def weight_files(folder: Path) -> list[str]:
    """The names of the files with a folder's weights.

    Raises:
        UserError: if there are none, or some that the index names are missing.
    """
    if (folder / WEIGHTS).is_file():  # beside it an index is left from an earlier, larger save
        return [WEIGHTS]
    if (folder / INDEX).is_file():
        places = read_json(folder / INDEX).get("weight_map")
        if not isinstance(places, dict):
            raise UserError(f"{folder / INDEX} has no weight_map. Is the download complete?")
        names = set(places.values()) if all(map(is_name, places.values())) else set()
        if not names:
            raise UserError(
                f"{folder / INDEX} names something else than files in its folder. Do you trust "
                "where it comes from?"
            )
        names = sorted(names)
        if absent := [name for name in names if not (folder / name).is_file()]:
            raise UserError(
                f"{folder} lacks {len(absent)} of the {len(names)} files that {INDEX} names, the "
                f"first is {absent[0]}. Is the download complete?"
            )
        return names
    pickles = sorted(path.name for path in folder.glob("*.bin"))
    raise UserError(
        f"{folder} has neither {WEIGHTS} nor {INDEX}."
        + (
            f" {pickles[0]} is a pickle, which can run code when it is read; look for the same "
            "model in safetensors."
            if pickles
            else ""
        )
    )


def is_name(value: object) -> bool:
    """Whether something names a file in a folder, and none beyond it."""
    return isinstance(value, str) and value not in ("", "..") and Path(value).name == value


def open_weights(path: Path):
    """An open safetensors file whose matrices are of `FLOATS`.

    Raises:
        UserError: if it is none; the message names a matrix of another type.
    """
    try:
        with path.open("rb") as raw:
            claimed = int.from_bytes(raw.read(8), "little")
        if HEADER < claimed < path.stat().st_size:
            raise SafetensorError(f"its header has {claimed:,} bytes, {HEADER:,} are the most")
        file = safe_open(path, framework="pt")
        if len(names := names_in(file)) > TENSORS:
            raise SafetensorError(f"it has {len(names):,} tensors, {TENSORS:,} are the most")
    except (SafetensorError, OSError) as error:
        raise UserError(f"{path} is no safetensors file ({error}). {likely_cause(path)}") from error
    for name in names:
        kind = file.get_slice(name).get_dtype()
        if name.endswith(".weight") and kind not in FLOATS:
            raise UserError(
                f"{path} holds {name} in {kind}, numbers that mean nothing without the scales that "
                f"they were divided by. Models in {', '.join(FLOATS)} can be read, and quantized "
                "ones as GGUF files."
            )
    return file


def load_folder(
    folder: str | Path,
    context: int | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | str = "cpu",
    look: Callable[[str], object] = lambda name: None,
) -> LanguageModel:
    """The model in a folder, in evaluation mode.

    Args:
        folder: with `config.json` and the weights, or with a GGUF file; or the path of that file.
        context: N, the longest text to be read, prompt and continuation; that of the config if not
            given. Positions are tabled up to there. A scaling may allow more than the config names.
        dtype: of the weights; that of the files if not given.
        device: where they go.
        look: called with the name of each tensor as it is read, to show progress.

    Raises:
        UserError: if a file is missing or broken, or the model is none of `FAMILIES`; if N is
            beyond what the config allows; if weights and config do not fit.
    """
    config = read_config(folder)
    if context is not None:
        if not 1 <= context <= config.longest:
            raise UserError(
                f"A text of {context} tokens does not fit: the model reads 1 to {config.longest}. "
                "Ask for fewer tokens, or shorten the prompt."
            )
        config = replace(config, context=context)
    elif config.context > TABLED:
        raise UserError(
            f"The model in {folder} names a context of {config.context:,} tokens, and a table of "
            "their positions would take more memory than its weights. Give a shorter context."
        )
    if dtype is None and gguf_in(folder):
        dtype = stored_type(folder)  # there norms are float32, whatever the matrices are

    def take(name: str, tensor: Tensor) -> Tensor:
        look(name)
        if not tensor.is_floating_point() or tensor.itemsize < 2:
            raise ValueError(f"their {name} is of {tensor.dtype}, which is none of {FLOATS}")
        if name.endswith("wpe.weight"):  # learned positions beyond N are not used
            tensor = tensor[:context]
        return tensor.to(device=device, dtype=dtype)

    weights = Weights(folder, take)
    least = config.layers * (BLOCK + EXPERT * (config.experts or 0))
    if least > len(weights):  # before any of them is made, even without numbers
        experts = f" of {config.experts:,} experts each" if config.experts else ""
        raise UserError(
            f"The model in {folder} is described with {config.layers:,} blocks{experts}, and its "
            f"weights are {len(weights):,} tensors, too few for them. Are the two from the same "
            "model?"
        )
    try:
        with torch.device("meta"):  # shapes without numbers: those come from the files
            model = LanguageModel(config, torch.Generator())
    except ValueError as error:
        raise UserError(f"config.json describes no model: {error}.") from error
    except (RuntimeError, TypeError) as error:  # with what torch says of it
        raise UserError("config.json describes a model of sizes that no memory holds.") from error
    with fitting(folder):
        loader_of(folder)(model, weights)
    for block, rotary in zip(model.stack.blocks, config.make_rotaries(), strict=True):
        block.attention.rotary = rotary and rotary.to(device)  # not among the weights
    return model.eval().requires_grad_(False)


@contextmanager
def fitting(folder: str | Path) -> Iterator[None]:
    """Around loading: what says that weights do not fit becomes a sentence for the user."""
    try:
        yield
    except (KeyError, ShapeError, ValueError) as error:
        (message,) = error.args
        raise UserError(
            f"The weights in {folder} do not fit the model that it describes: {message}"
        ) from error
    except SafetensorError as error:
        raise UserError(f"A weights file in {folder} is broken: {error}.") from error


def stored_type(folder: str | Path) -> torch.dtype:
    """The type of the numbers in a folder's files, that of the first matrix of floats.

    Quantized numbers become float32.

    Raises:
        UserError: as `Weights`, and if there is no such tensor.
    """
    if file := gguf_in(folder):
        return gguf_weights.stored_type(file)
    for tensor in Weights(folder).values():
        if tensor.dim() == 2 and tensor.is_floating_point():
            return tensor.dtype
    raise UserError(f"The weights in {folder} hold no matrix; they are those of no language model.")


def stored_bytes(folder: str | Path) -> int:
    """How large the files with a folder's weights are.

    Raises:
        UserError: as `Weights`.
    """
    if file := gguf_in(folder):
        return file.path.stat().st_size
    folder = Path(folder)
    return sum((folder / name).stat().st_size for name in weight_files(folder))


def end_ids(folder: str | Path) -> frozenset[int]:
    """The ids after which a text of this model has ended; none if the folder does not say.

    `generation_config.json` comes first, as it is what a model was published to be run with.

    Raises:
        UserError: if a file is no JSON, or has something else there than ids.
    """
    if file := gguf_in(folder):
        return gguf_tokenizer.end_ids(file)
    for name in ("generation_config.json", "config.json"):
        path = Path(folder) / name
        found = read_json(path).get("eos_token_id") if path.is_file() else None
        if found is not None:
            ids = found if isinstance(found, list) else [found]
            if not all(isinstance(one, int) for one in ids):
                raise UserError(f"{path} has eos_token_id = {found!r}, expected an id or a list.")
            return frozenset(ids)
    return frozenset()
