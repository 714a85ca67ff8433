"""What a path is that holds no model, though somebody may well take it for one."""

import json
from pathlib import Path

ADAPTER, VERSIONS = "adapter_config.json", "snapshots"


def what_it_is(path: Path, lacks: str = "config.json") -> str:
    """Sentences for whoever gave a path, and what to give in its place.

    Args:
        path: a folder, or anything else.
        lacks: the file without which it is no model's folder.
    """
    if path.is_file():
        return (
            f"{path} is one file of a model, and {path.parent} is where the others lie: give that "
            "folder. A single file that is read is a GGUF file, whose name ends in .gguf."
        )
    if (path / ADAPTER).is_file():
        return (
            f"{path} holds an adapter (LoRA) for {base_of(path)}, and not that model's weights. "
            "Merge the two, for example with merge_and_unload of the package peft, and give the "
            "folder that is saved then."
        )
    if versions := sorted(one.parent for one in path.glob(f"{VERSIONS}/*/{lacks}")):
        return (
            f"{path} is where a cache of the hub keeps all versions of a model. Give the folder of "
            f"one of them: {versions[-1]}"
        )
    return (
        f"{path} has no {lacks}. A model's folder holds config.json, tokenizer.json and one or "
        "more files that end in .safetensors, or one that ends in .gguf."
    )


def base_of(folder: Path) -> str:
    """The model that an adapter is for, as its config calls it."""
    with (folder / ADAPTER).open("rb") as file:
        text = file.read(100_000)
    try:
        found = json.loads(text)["base_model_name_or_path"]
    except (ValueError, LookupError, TypeError, RecursionError):
        found = None
    return found if isinstance(found, str) and found else "another model"
