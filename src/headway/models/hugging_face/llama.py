"""Llama's family as Hugging Face has it: what its `config.json` says, and its weights as ours.

    model = LanguageModel(replace(LLAMA, layers=2, …), torch.Generator())
    load_llama(model, state)

Llama 2 and 3, Mistral, Qwen 2 and 3 are one model: rotary halves, RMS norms before each sub-layer,
a gate with SiLU, key/value heads shared by groups of query heads. They differ in a few places:

    Llama       scaled rotary frequencies (3.1 and later)
    Mistral     a window, in its first version
    Qwen 2      biases of queries, keys and values; in some files a window in the later blocks
    Qwen 3      a norm for each query and key; heads whose width is not C/H

Their W_Q, W_K and W_V are three matrices and ours one, and so are the gate and what it lets pass.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor

from headway.models.hugging_face.family import FULL, SLIDING, Config, Family, windows_of
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.renaming import (
    Renames,
    Stored,
    WithoutPrefix,
    as_it_is,
    load_renamed,
)
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import LLAMA, LanguageModel

RENAMES = (
    (r"^embedding\.", "embed_tokens."),
    (r"^output\.", "lm_head."),
    (r"^stack\.blocks\.", "layers."),
    (r"^stack\.norm\.", "norm."),
    (
        r"attention\.qkv\.",
        ("self_attn.q_proj.", "self_attn.k_proj.", "self_attn.v_proj."),
    ),
    (r"attention\.output\.", "self_attn.o_proj."),
    (r"attention\.query_norm\.", "self_attn.q_norm."),
    (r"attention\.key_norm\.", "self_attn.k_norm."),
    (r"feed_forward\.expand\.", ("mlp.gate_proj.", "mlp.up_proj.")),
    (r"feed_forward\.contract\.", "mlp.down_proj."),
    (r"attention_residual\.norm\.", "input_layernorm."),
    (r"feed_forward_residual\.norm\.", "post_attention_layernorm."),
)
IGNORED = r"rotary_emb\.inv_freq$"  # kept by older files


SIZES = {
    "vocab_size": "vocabulary",
    "max_position_embeddings": "context",
    "hidden_size": "width",
    "num_attention_heads": "heads",
    "num_hidden_layers": "layers",
    "intermediate_size": "hidden",
    "rms_norm_eps": "epsilon",
}


def rest(data: Config) -> dict[str, Any]:
    """What a model of Llama's family may say besides its sizes, by our names."""
    rotary = rotary_of(data)
    return {
        "key_value_heads": entry(data, "num_key_value_heads", int, None),
        "head_width": entry(data, "head_dim", int, None),
        "base": entry(rotary, "rope_theta", float),
        "scaling": scaling_of(rotary, data["max_position_embeddings"]),
        "tied": entry(data, "tie_word_embeddings", bool, False),
        **window_of(data),
    }


def window_of(data: Config) -> dict[str, Any]:
    """How many tokens each query sees, and in which blocks it sees all.

    Of a Mistral all blocks have a window, of a Qwen those from `max_window_layers` on, if it uses
    windows at all; `layer_types` says it for each block by name. What a file leaves out is as in
    the `transformers` package. Errors as in `windows_of`.
    """
    family, layers = data["model_type"], data["num_hidden_layers"]
    if family == "llama":
        return {}
    window = entry(data, "sliding_window", int, None) if "sliding_window" in data else 4096
    first = 0
    if family != "mistral":
        window = window if entry(data, "use_sliding_window", bool, False) else None
        first = entry(data, "max_window_layers", int, 28)
    kinds = entry(data, "layer_types", list, None) or [
        FULL if window is None or layer < first else SLIDING for layer in range(layers)
    ]
    return windows_of(kinds, window, layers)


def load_llama(
    model: LanguageModel,
    state: Mapping[str, Tensor],
    renames: Renames = RENAMES,
    stored: Stored = as_it_is,
) -> None:
    """Take the weights of a `LlamaForCausalLM` or `LlamaModel`, or of a family that is named alike.

    Args:
        model: with Llama's conventions, as in `headway.models.language_model.LLAMA`; changed in
            place.
        state: the state dict, from `state_dict()` or from published files; each tensor is read
            when its turn comes.
        renames, stored: as for `load_renamed`, where a family has other names or numbers.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
        ValueError: also if the model's rotary pairs are interleaved.
    """
    if model.config.pairs != "halves":
        raise ValueError(
            f"the model's rotary pairs are {model.config.pairs}; in Hugging Face's files they are "
            "halves. The weights would load, and the scores would be others: make the model with "
            'pairs="halves"'
        )
    state = WithoutPrefix(state, "model.")
    if model.config.tied:
        state.drop_copy("lm_head.weight", "embed_tokens.weight")
    load_renamed(model, state, renames, IGNORED, stored)


FAMILY = Family(
    LLAMA,
    SIZES,
    {
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "partial_rotary_factor": 1,
        "quantization_config": None,
    },
    rest,
    lambda data: load_llama,
)
FAMILIES = {
    "llama": FAMILY,
    "mistral": FAMILY,
    "qwen2": replace(FAMILY, conventions=replace(LLAMA, qkv_bias=True)),
    "qwen3": replace(FAMILY, conventions=replace(LLAMA, head_norm=True)),
}
