"""Gemma 2 and 3 as Hugging Face has them: what `config.json` says, and the weights as ours.

    x + norm(f(norm(x)))       a sandwich; embeddings are multiplied by √C, the gate has GELU

Gemma 2 has a window in every other block, and soft caps for scores and logits. Gemma 3 has norms
for queries and keys instead of the first cap, a window in five blocks out of six, and turns more
quickly in these.

Two of its conventions go into the weights as they are read. Its norms multiply by 1 + w: our gain
is 1 + w. Its scores are divided by √d with d from `query_pre_attn_scalar`, ours by √D: what makes
the queries is multiplied by √(D/d), the norm of queries if there is one, and W_Q if not.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from headway.errors import UserError
from headway.models.hugging_face import llama
from headway.models.hugging_face.family import (
    FULL,
    SLIDING,
    Config,
    Family,
    Loader,
    activation_of,
    windows_of,
)
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import LanguageModel, LanguageModelConfig

RENAMES = (
    (r"attention_residual\.norm_after\.", "post_attention_layernorm."),
    (r"feed_forward_residual\.norm\.", "pre_feedforward_layernorm."),
    (r"feed_forward_residual\.norm_after\.", "post_feedforward_layernorm."),
    *llama.RENAMES,
)
GEMMA2 = LanguageModelConfig(  # 2B
    vocabulary=256_000,
    context=8192,
    width=2304,
    heads=8,
    layers=26,
    hidden=9216,
    key_value_heads=4,
    head_width=256,
    norm="sandwich",
    normalization="rms",
    epsilon=1e-6,
    activation="gelu-tanh",
    gated=True,
    bias=False,
    position="rotary",
    scaled=True,
    window=4096,
    global_blocks=tuple(range(1, 26, 2)),
    score_cap=50.0,
    logit_cap=30.0,
)
SQUARE = 256  # query_pre_attn_scalar of a file that does not say it


def rest_of_both(data: Config, caps: Mapping[str, float | None], every: int) -> dict[str, Any]:
    """What a Gemma of either version may say besides sizes and rotary positions, by our names.

    Args:
        data: its config.json.
        caps: their names of soft caps, with those of a file that does not say them.
        every: of so many blocks the last is global, where a file does not say which.
    """
    layers = data["num_hidden_layers"]
    kinds = entry(data, "layer_types", list, None) or [
        SLIDING if (layer + 1) % every else FULL for layer in range(layers)
    ]
    given = {
        name: entry(data, name, float, None) if name in data else usual
        for name, usual in caps.items()
    }
    window = entry(data, "sliding_window", int, None) if "sliding_window" in data else GEMMA2.window
    return {
        "key_value_heads": entry(data, "num_key_value_heads", int, GEMMA2.key_value_heads),
        "head_width": entry(data, "head_dim", int, GEMMA2.head_width),
        "activation": activation_of(data, "hidden_activation", "gelu_pytorch_tanh"),
        "tied": entry(data, "tie_word_embeddings", bool, True),
        "score_cap": given.get("attn_logit_softcapping"),
        "logit_cap": given["final_logit_softcapping"],
        **windows_of(kinds, window, layers),
    }


def rest_of_gemma2(data: Config) -> dict[str, Any]:
    """What a Gemma 2 may say besides its sizes, by our names."""
    rotary = rotary_of(data)
    caps = {"attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0}
    return rest_of_both(data, caps, every=2) | {
        "base": entry(rotary, "rope_theta", float),
        "scaling": scaling_of(rotary, data["max_position_embeddings"]),
    }


def rest_of_gemma3(data: Config) -> dict[str, Any]:
    """What a Gemma 3 may say besides its sizes, by our names."""
    everywhere, nearby = rotary_by_kind(data)
    context = data["max_position_embeddings"]
    if scaling_of(nearby, context) is not None:
        raise UserError(
            f"config.json scales the rotary positions of {SLIDING} blocks; a gemma3_text model can "
            f"be read where only those of {FULL} blocks are scaled."
        )
    pattern = entry(data, "sliding_window_pattern", int, None) or 6
    found = rest_of_both(data, {"final_logit_softcapping": None}, pattern) | {
        "base": entry(everywhere, "rope_theta", float),
        "scaling": scaling_of(everywhere, context),
    }
    local = entry(nearby, "rope_theta", float)
    return found | {"local_base": None if found["window"] is None else local}


def rotary_by_kind(data: Config) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a Gemma 3 says of rotary positions in global blocks, and in local ones.

    New files have an object for each kind, old ones `rope_scaling` for global blocks, and a base
    for each.

    Raises:
        UserError: if it is something else.
    """
    given = entry(data, "rope_parameters", dict, None) or {}
    if flat := [name for name in given if name not in (FULL, SLIDING)]:
        raise UserError(
            f"config.json has {flat[0]} in rope_parameters, expected {FULL} and {SLIDING} there."
        )
    older = entry(data, "rope_scaling", dict, None) or {}
    everywhere, nearby = (entry(given, kind, dict, None) or {} for kind in (FULL, SLIDING))
    bases = data.get("rope_theta", 1_000_000.0), data.get("rope_local_base_freq", 10_000.0)
    return (
        rotary_of({"rope_theta": bases[0], "rope_parameters": everywhere | older}),
        rotary_of({"rope_theta": bases[1], "rope_parameters": nearby}),
    )


def load_gemma(model: LanguageModel, state: Mapping[str, Tensor], square: float = SQUARE) -> None:
    """Take the weights of a `Gemma2ForCausalLM` or `Gemma3ForCausalLM`.

    Args:
        model: with Gemma's conventions, as in `GEMMA2`; changed in place.
        state: the state dict, from `state_dict()` or from published files.
        square: d, by whose root its scores are divided.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    config = model.config
    factor = (config.per_head / square) ** 0.5
    queries = ".q_norm.weight" if config.head_norm else ".q_proj.weight"

    def stored(name: str, tensor: Tensor) -> Tensor:
        tensor = tensor + 1 if name.endswith("norm.weight") else tensor
        return tensor * factor if name.endswith(queries) else tensor

    llama.load_llama(model, state, RENAMES, stored)


def loader(data: Config) -> Loader:
    """`load_gemma` with the d of a config.

    Raises:
        UserError: if it is no number above 0.
    """
    square = entry(data, "query_pre_attn_scalar", float, SQUARE)
    if not square > 0:
        raise UserError(f"config.json has query_pre_attn_scalar = {square}, expected more than 0.")
    return partial(load_gemma, square=square)


FIXED = {
    "attention_bias": False,
    "use_bidirectional_attention": False,
    "quantization_config": None,
}
FAMILIES = {
    "gemma2": Family(GEMMA2, llama.SIZES, FIXED, rest_of_gemma2, loader),
    "gemma3_text": Family(
        replace(GEMMA2, head_norm=True, score_cap=None, logit_cap=None),
        llama.SIZES,
        FIXED | {"attn_logit_softcapping": None},
        rest_of_gemma3,
        loader,
    ),
}
