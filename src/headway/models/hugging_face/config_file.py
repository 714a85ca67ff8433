"""A `config.json` of Llama's family as a `LanguageModelConfig`.

Llama 2 and 3, Mistral, Qwen 2 and 3 are one model: rotary halves, RMS norms before each sub-layer,
a gate with SiLU, key/value heads shared by groups of query heads. They differ in a few places:

    Llama       scaled rotary frequencies (3.1 and later)
    Mistral     a window, in its first version
    Qwen 2      biases of queries, keys and values
    Qwen 3      a norm for each query and key; heads whose width is not C/H

What a file asks for and our model would not compute is refused, rather than left out.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headway.errors import UserError
from headway.models.hugging_face.json_file import entry, read_json
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import LLAMA, LanguageModelConfig

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
EPSILON = "rms_norm_eps"
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


def config_of(data: Mapping[str, Any]) -> LanguageModelConfig:
    """A parsed `config.json` as ours; errors as `read_config`."""
    family = entry(data, "model_type", str, None)
    if family not in FAMILIES:
        raise UserError(
            f"The model is of the family {family!r}; those that can be read are "
            f"{', '.join(FAMILIES)} (model_type in config.json)."
        )
    if absent := [name for name in NEEDED if data.get(name) is None]:
        raise UserError(f"config.json of a {family} model lacks {', '.join(absent)}.")
    for name, known in FIXED.items():
        if data.get(name, known) != known:
            raise UserError(
                f"config.json has {name} = {data[name]!r}; a {family} model can be read where it "
                f"is {known!r} or absent."
            )
    sizes = {
        ours: entry(data, theirs, float if theirs == EPSILON else int)
        for theirs, ours in NEEDED.items()
    }
    rotary = rotary_of(data)
    try:
        return replace(
            LLAMA,
            **sizes,
            **FAMILIES[family],
            key_value_heads=entry(data, "num_key_value_heads", int, None),
            head_width=entry(data, "head_dim", int, None),
            base=entry(rotary, "rope_theta", float),
            scaling=scaling_of(rotary, sizes["context"]),
            window=window_of(data),
            tied=entry(data, "tie_word_embeddings", bool, False),
        )
    except (ValueError, ArithmeticError) as error:
        raise UserError(f"config.json describes no model: {error}.") from error


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
    window = entry(data, "sliding_window", int, None) if "sliding_window" in data else 4096
    first = 0
    if family != "mistral":
        window = window if entry(data, "use_sliding_window", bool, False) else None
        first = entry(data, "max_window_layers", int, 28)
    kinds = entry(data, "layer_types", list, None) or [
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
