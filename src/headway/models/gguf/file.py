"""A GGUF file: metadata by name, and tensors that stay on the disk until they are read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from reprlib import repr as briefly
from typing import Any

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, dequantize

from headway.errors import UserError
from headway.models.broken_file import likely_cause
from headway.models.gguf.header import GgufTensor, Header

EMBEDDING = "token_embd.weight"
ENDING = ".gguf"
KINDS = {
    int: "a whole number",
    float: "a number below 2⁵³",
    str: "a text",
    list: "a list of texts",
}


@dataclass(frozen=True)
class GgufFile:
    """What a file says before a number of its tensors is read.

    Attributes:
        path: where it is.
        metadata: values by their names in the file; a list of numbers is an array.
        tensors: by their names in the file.
    """

    path: Path
    metadata: Mapping[str, Any]
    tensors: Mapping[str, GgufTensor]

    @property
    def architecture(self) -> Any:
        """What the model is, such as "llama"."""
        return self.metadata.get("general.architecture")

    def said(self, name: str, absent: Any = None) -> Any:
        """What the metadata say of the architecture under this name."""
        return self.metadata.get(f"{self.architecture}.{name}", absent)

    def entry(self, name: str, kind: type, absent: Any = None) -> Any:
        """A value of the metadata.

        Args:
            name: in full.
            kind: one of `KINDS`; a whole number is a number.
            absent: what it is where the file does not have it.

        Raises:
            UserError: if it is of another kind, or a number beyond ±2⁵³.
        """
        value = self.metadata.get(name)
        if value is None:
            return absent
        known = isinstance(value, (int, float) if kind is float else kind)
        if known and kind in (int, float):
            known = not isinstance(value, bool) and abs(value) <= 2**53  # nan is not
        if not known:
            raise UserError(
                f"The metadata of {self.path} have {name} = {shown(value)}, expected {KINDS[kind]}."
            )
        return value

    @property
    def head_width(self) -> int:
        """D.

        Raises:
            UserError: if the metadata do not say it.
        """
        width, heads, given = (
            self.entry(f"{self.architecture}.{name}", int)
            for name in ("embedding_length", "attention.head_count", "attention.key_length")
        )
        found = given or (width or 0) // (heads or 1)
        if found < 1:
            raise UserError(
                f"The metadata of {self.path} have heads of {found} columns: embedding_length is "
                f"{width}, and attention.head_count {heads}."
            )
        return found


def shown(value: Any) -> str:
    """A value as a message has it: whole, if it is short."""
    return briefly(value.tolist() if isinstance(value, np.ndarray) else value)


def gguf_in(path: str | Path) -> GgufFile | None:
    """The GGUF file that a path means: itself, or the one in a folder without a `config.json`.

    A file `mmproj-….gguf` beside a model is what turns images into its vectors; it is passed over.

    Returns:
        None for all other folders.

    Raises:
        UserError: if the folder has several; if the file is broken, is one part of several, or has
            tensors of a type that can't be read.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(one for one in path.iterdir() if is_gguf(one))
        if not files or (path / "config.json").is_file():
            return None
        files = [one for one in files if "mmproj" not in one.name.lower()] or files
        if len(files) > 1:
            raise UserError(
                f"{path} holds {len(files)} GGUF files, {files[0].name} and others. Give the path "
                "of the one to be read."
            )
        (path,) = files
    elif not is_gguf(path):
        return None
    state = path.stat()
    return read(path, state.st_mtime_ns, state.st_size)


def is_gguf(path: Path) -> bool:
    """Whether a path is a file with that ending, in letters of either case."""
    return path.suffix.lower() == ENDING and path.is_file()


@lru_cache(maxsize=1)
def read(path: Path, changed: int, size: int) -> GgufFile:
    """A file; read once.

    Args:
        path: where it is.
        changed, size: of the file; where they differ it is read again.

    Raises:
        UserError: as `gguf_in`.
    """
    try:
        header = Header(np.memmap(path, mode="r"))
    except (ValueError, OSError) as error:
        raise UserError(
            f"{path} is no GGUF file that can be read ({error}). {likely_cause(path)}"
        ) from error
    file = GgufFile(path, header.values, header.tensors)
    if (parts := file.entry("split.count", int, 1)) > 1:
        raise UserError(
            f"{path} is one of {parts} parts. llama.cpp's llama-gguf-split --merge makes one file "
            "of them."
        )
    if EMBEDDING not in file.tensors:
        kind = file.metadata.get("general.type", file.architecture)
        raise UserError(
            f"{path} has no tensor {EMBEDDING}; it is no language model, but of the kind "
            f"{shown(kind)}."
        )
    kinds = {tensor.kind for tensor in file.tensors.values()}
    if unread := sorted(kind.name for kind in kinds if not has_floats(kind)):
        raise UserError(
            f"{path} holds tensors of the type {', '.join(unread)}, which can't be read here. Look "
            "for the same model with Q8_0 or Q4_K_M in its name."
        )
    return file


@lru_cache
def has_floats(kind: GGMLQuantizationType) -> bool:
    """Whether tensors of a type can be made float: tried on one block of zeros."""
    _, block_bytes = GGML_QUANT_SIZES[kind]
    try:
        dequantize(np.zeros((1, block_bytes), np.uint8), kind)
    except NotImplementedError:
        return False
    return True
