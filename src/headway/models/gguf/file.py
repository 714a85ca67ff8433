"""A GGUF file: metadata by name, and tensors that stay on the disk until they are read.

Source: the format's description in ggml's repository, docs/gguf.md; read with llama.cpp's own
package `gguf`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFReader, ReaderTensor, dequantize

from headway.errors import UserError
from headway.models.broken_file import likely_cause

EMBEDDING = "token_embd.weight"


@dataclass(frozen=True)
class GgufFile:
    """What a file says before a number of its tensors is read.

    Attributes:
        path: where it is.
        metadata: values by their names in the file; lists are Python's.
        tensors: by their names in the file, each with its type, its shape and its place.
    """

    path: Path
    metadata: Mapping[str, Any]
    tensors: Mapping[str, ReaderTensor]

    @property
    def architecture(self) -> Any:
        """What the model is, such as "llama"."""
        return self.metadata.get("general.architecture")

    def said(self, name: str, absent: Any = None) -> Any:
        """What the metadata say of the architecture under this name."""
        return self.metadata.get(f"{self.architecture}.{name}", absent)

    @property
    def head_width(self) -> int:
        """D."""
        usual = self.said("embedding_length") // self.said("attention.head_count")
        return self.said("attention.key_length", usual)


def gguf_in(path: str | Path) -> GgufFile | None:
    """The GGUF file that a path means: itself, or the one in a folder without a `config.json`.

    Returns:
        None for all other folders.

    Raises:
        UserError: if the folder has several; if the file is broken, is one part of several, or has
            tensors of a type that can't be read.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(path.glob("*.gguf"))
        if not files or (path / "config.json").is_file():
            return None
        if len(files) > 1:
            raise UserError(
                f"{path} holds {len(files)} GGUF files, {files[0].name} and others. Give the path "
                "of the one to be read."
            )
        (path,) = files
    elif path.suffix != ".gguf" or not path.is_file():
        return None
    state = path.stat()
    return read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1)
def read(path: Path, changed: int, size: int) -> GgufFile:
    """A file; read once, as a vocabulary of 150,000 tokens takes seconds.

    Args:
        path: where it is.
        changed, size: of the file; where they differ it is read again.

    Raises:
        UserError: as `gguf_in`.
    """
    try:
        reader = GGUFReader(path)
        metadata = {name: field.contents() for name, field in reader.fields.items()}
    except (ValueError, LookupError, OverflowError, OSError) as error:
        raise UserError(
            f"{path} is no GGUF file that can be read ({error}). {likely_cause(path)}"
        ) from error
    if (parts := metadata.get("split.count", 1)) > 1:
        raise UserError(
            f"{path} is one of {parts} parts. llama.cpp's llama-gguf-split --merge makes one file "
            "of them."
        )
    if reader.byte_order != "I":
        raise UserError(f"{path} is in the byte order of other machines than this one.")
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    if unread := sorted({t.tensor_type.name for t in tensors.values() if not readable(t)}):
        raise UserError(
            f"{path} holds tensors of the type {', '.join(unread)}, which can't be read here. Look "
            "for the same model with Q8_0 or Q4_K_M in its name."
        )
    if EMBEDDING not in tensors:
        raise UserError(f"{path} has no tensor {EMBEDDING}; it is no language model.")
    return GgufFile(path, metadata, tensors)


def readable(tensor: ReaderTensor) -> bool:
    """Whether a tensor's type can be made float: tried on one block of zeros."""
    return _has_floats(tensor.tensor_type)


@lru_cache
def _has_floats(kind: GGMLQuantizationType) -> bool:
    _, block_bytes = GGML_QUANT_SIZES[kind]
    try:
        dequantize(np.zeros((1, block_bytes), np.uint8), kind)
    except NotImplementedError:
        return False
    return True
