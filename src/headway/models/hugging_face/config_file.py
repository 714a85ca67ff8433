"""A `config.json` of GPT-2 or of Llama's family as a `LanguageModelConfig`.

Llama 2 and 3, Mistral, Qwen 2 and 3 are one model: rotary halves, RMS norms before each sub-layer,
a gate with SiLU, key/value heads shared by groups of query heads. They differ in a few places:

    Llama       scaled rotary frequencies (3.1 and later)
    Mistral     a window, in its first version
    Qwen 2      biases of queries, keys and values
    Qwen 3      a norm for each query and key; heads whose width is not C/H

What a file asks for and our model would not compute is refused, rather than left out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headway.errors import UserError
from headway.models.gguf.config import config_data, tabled_scaling
from headway.models.gguf.file import gguf_in
from headway.models.hugging_face.json_file import entry, read_json
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import GPT2, LLAMA, LanguageModelConfig

LAYERS = 10_000  # of any model, and more than any has
FULL, SLIDING = "full_attention", "sliding_attention"


def read_config(folder: str | Path) -> LanguageModelConfig:
    """The sizes and conventions that a folder's `config.json` names, or its GGUF file.

    Raises:
        UserError: if there is no such file, it is broken, or it describes a model that ours is not;
            the message says what was found and what can be read.
    """
    file = gguf_in(folder)
    if file is None:
        return config_of(read_json(Path(folder) / "config.json"))
    config, table = config_of(config_data(file)), tabled_scaling(file)
    return replace(config, scaling=table) if table else config


def config_of(data: Mapping[str, Any]) -> LanguageModelConfig:
    """A parsed `config.json` as ours; errors as `read_config`."""
    name = entry(data, "model_type", str, None)
    if name not in FAMILIES:
        raise UserError(
            f"The model is of the family {name!r}; those that can be read are "
            f"{', '.join(FAMILIES)} (model_type in config.json)."
        )
    family = FAMILIES[name]
    if absent := [one for one in family.sizes if data.get(one) is None]:
        raise UserError(f"config.json of a {name} model lacks {', '.join(absent)}.")
    for fixed, known in family.fixed.items():
        if data.get(fixed, known) != known:
            raise UserError(
                f"config.json has {fixed} = {data[fixed]!r}; a {name} model can be read where it "
                f"is {known!r} or absent."
            )
    sizes = {
        ours: entry(data, theirs, float if ours == "epsilon" else int)
        for theirs, ours in family.sizes.items()
    }
    if sizes["layers"] > LAYERS or sizes["epsilon"] < 0:
        raise UserError(
            f"The model is described with {sizes['layers']:,} layers and an epsilon of "
            f"{sizes['epsilon']:g}; expected at most {LAYERS:,}, and a number from 0 on."
        )
    try:
        return replace(family.conventions, **sizes, **family.rest(data))
    except (ValueError, ArithmeticError) as error:
        raise UserError(f"config.json describes no model: {error}.") from error


def rest_of_llama(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a model of Llama's family may say besides its sizes, by our names."""
    rotary = rotary_of(data)
    return {
        "key_value_heads": entry(data, "num_key_value_heads", int, None),
        "head_width": entry(data, "head_dim", int, None),
        "base": entry(rotary, "rope_theta", float),
        "scaling": scaling_of(rotary, data["max_position_embeddings"]),
        "window": window_of(data),
        "tied": entry(data, "tie_word_embeddings", bool, False),
    }


def rest_of_gpt2(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same for GPT-2."""
    return {
        "hidden": entry(data, "n_inner", int, None),
        "tied": entry(data, "tie_word_embeddings", bool, True),
    }


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


@dataclass(frozen=True)
class Family:
    """The models of one `model_type`.

    Attributes:
        conventions: what all of them have in common.
        sizes: their names of what a config has to say, with ours.
        fixed: what must be absent or have this value, because our model has no other.
        rest: what else a config may say, by our names.
    """

    conventions: LanguageModelConfig
    sizes: Mapping[str, str]
    fixed: Mapping[str, Any]
    rest: Callable[[Mapping[str, Any]], dict[str, Any]]


LIKE_LLAMA = Family(
    LLAMA,
    {
        "vocab_size": "vocabulary",
        "max_position_embeddings": "context",
        "hidden_size": "width",
        "num_attention_heads": "heads",
        "num_hidden_layers": "layers",
        "intermediate_size": "hidden",
        "rms_norm_eps": "epsilon",
    },
    {
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "quantization_config": None,
    },
    rest_of_llama,
)
FAMILIES = {
    "llama": LIKE_LLAMA,
    "mistral": LIKE_LLAMA,
    "qwen2": replace(LIKE_LLAMA, conventions=replace(LLAMA, qkv_bias=True)),
    "qwen3": replace(LIKE_LLAMA, conventions=replace(LLAMA, head_norm=True)),
    "gpt2": Family(
        replace(GPT2, dropout=0.0),  # it is not trained on
        {
            "vocab_size": "vocabulary",
            "n_positions": "context",
            "n_embd": "width",
            "n_head": "heads",
            "n_layer": "layers",
            "layer_norm_epsilon": "epsilon",
        },
        {
            "activation_function": "gelu_new",
            "scale_attn_weights": True,
            "scale_attn_by_inverse_layer_idx": False,
            "add_cross_attention": False,
            "quantization_config": None,
        },
        rest_of_gpt2,
    ),
}
