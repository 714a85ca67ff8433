"""A `config.json` of Llama's family as a `LanguageModelConfig`.

Llama 2 and 3, Mistral, Qwen 2 and 3 are one model: rotary halves, RMS norms before each sub-layer,
a gate with SiLU, key/value heads shared by groups of query heads. They differ in a few places:

    Llama       scaled rotary frequencies (3.1 and later)
    Mistral     a window, in its first version
    Qwen 2      biases of queries, keys and values
    Qwen 3      a norm for each query and key; heads whose width is not C/H

What a file asks for and our model would not compute is refused, rather than left out.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headway.errors import UserError
from headway.models.language_model import LLAMA, LanguageModelConfig
from headway.nn.rotary_scaling import LinearScaling, LlamaScaling, Scaling

FAMILIES: dict[str, dict[str, bool]] = {  # what each adds to Llama's conventions
    "llama": {},
    "mistral": {},
    "qwen2": {"qkv_bias": True},
    "qwen3": {"head_norm": True},
}
NEEDED = {
    "vocab_size": "vocabulary",
    "max_position_embeddings": "context",
    "hidden_size": "width",
    "num_attention_heads": "heads",
    "num_hidden_layers": "layers",
    "intermediate_size": "hidden",
    "rms_norm_eps": "epsilon",
}
# What must be absent or have this value, because our model has no other.
FIXED = {
    "hidden_act": "silu",
    "attention_bias": False,
    "mlp_bias": False,
    "quantization_config": None,
}
FULL, SLIDING = "full_attention", "sliding_attention"


def read_config(folder: str | Path) -> LanguageModelConfig:
    """The sizes and conventions that a folder's `config.json` names.

    Raises:
        UserError: if there is no such file, it is no JSON object, or it describes a model that
            ours is not; the message says what was found and what can be read.
    """
    return config_of(read_json(Path(folder) / "config.json"))


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        UserError: if there is none.
    """
    if not path.is_file():
        raise UserError(
            f"{path.parent} has no {path.name}. A model's folder holds config.json, "
            "tokenizer.json and one or more files that end in .safetensors."
        )
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        raise UserError(f"{path} is no JSON: {error}. Is the download complete?") from error
    if not isinstance(data, dict):
        raise UserError(f"{path} holds a {type(data).__name__}, expected a JSON object.")
    return data


def config_of(data: Mapping[str, Any]) -> LanguageModelConfig:
    """A parsed `config.json` as ours; errors as `read_config`."""
    family = data.get("model_type")
    if family not in FAMILIES:
        raise UserError(
            f"The model is of the family {family!r}; those that can be read are "
            f"{', '.join(FAMILIES)} (model_type in config.json)."
        )
    if absent := [name for name in NEEDED if name not in data]:
        raise UserError(f"config.json of a {family} model lacks {', '.join(absent)}.")
    for name, known in FIXED.items():
        if data.get(name, known) != known:
            raise UserError(
                f"config.json has {name} = {data[name]!r}; a {family} model can be read where it "
                f"is {known!r} or absent."
            )
    heads = data["num_attention_heads"]
    # Of old files the scaling, of new ones all; either may have the base beside it instead.
    rotary = {
        "rope_theta": data.get("rope_theta", LLAMA.base),
        **(data.get("rope_scaling") or data.get("rope_parameters") or {}),
    }
    try:
        return replace(
            LLAMA,
            **{ours: data[theirs] for theirs, ours in NEEDED.items()},
            **FAMILIES[family],
            key_value_heads=data.get("num_key_value_heads", heads),
            head_width=data.get("head_dim"),
            base=rotary["rope_theta"],
            scaling=scaling_of(rotary, data["max_position_embeddings"]),
            window=window_of(data),
            tied=data.get("tie_word_embeddings", False),
        )
    except (TypeError, ValueError) as error:
        raise UserError(f"config.json describes no model: {error}.") from error


def scaling_of(rotary: Mapping[str, Any], context: int) -> Scaling | None:
    """What a config says of longer texts; None where the frequencies are the plain ones.

    Raises:
        UserError: if it is of a kind that we do not know, or lacks a number.
    """
    kind = rotary.get("rope_type", rotary.get("type", "default"))
    try:
        if kind == "default" and rotary.get("partial_rotary_factor", 1) == 1:
            return None
        if kind == "linear":
            return LinearScaling(rotary["factor"])
        if kind == "llama3":
            return LlamaScaling(
                factor=rotary["factor"],
                low=rotary["low_freq_factor"],
                high=rotary["high_freq_factor"],
                context=rotary.get("original_max_position_embeddings", context),
            )
    except KeyError as error:
        raise UserError(f"The rotary scaling {kind!r} in config.json lacks {error}.") from error
    raise UserError(
        f"config.json scales its rotary positions in a way that is not known here: {dict(rotary)}. "
        "Known are default (of all columns), linear and llama3."
    )


def window_of(data: Mapping[str, Any]) -> int | None:
    """How many tokens each query sees, in all blocks; None for all.

    Of a Mistral all blocks have a window, of a Qwen those from `max_window_layers` on, if it uses
    windows at all; `layer_types` says it for each block by name. What a file leaves out is as in
    the `transformers` package.

    Raises:
        UserError: if some blocks have a window and others have none.
    """
    family, layers = data["model_type"], data["num_hidden_layers"]
    if family == "llama":
        return None
    window, first = data.get("sliding_window", 4096), 0
    if family != "mistral":
        window = window if data.get("use_sliding_window") else None
        first = data.get("max_window_layers", 28)
    kinds = data.get("layer_types") or [
        FULL if window is None or layer < first else SLIDING for layer in range(layers)
    ]
    full, sliding = kinds.count(FULL), kinds.count(SLIDING)
    if full == layers:
        return None
    if sliding == layers and window is not None:
        return window
    raise UserError(
        f"config.json gives {sliding} of its {layers} blocks a sliding window, of {window} tokens, "
        f"and {full} of them none; models whose blocks all see the same can be read."
    )
