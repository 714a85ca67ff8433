"""GPT-NeoX and Pythia as Hugging Face has them: what `config.json` says, and the weights as ours.

    x + attention(norm(x)) + feed_forward(norm(x))       a parallel block, in most of them

A quarter of each head is turned by its position. W_Q, W_K and W_V lie in one matrix, whose rows go
head by head: those of the first head's query, key and value, then those of the second. In ours all
queries come first, then all keys, then all values.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from torch import Tensor

from headway.models.hugging_face.family import Config, Family, activation_of
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.renaming import WithoutPrefix, load_renamed
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import LanguageModel, LanguageModelConfig

RENAMES = (
    (r"^embedding\.", "embed_in."),
    (r"^output\.", "lm_head."),
    (r"^stack\.blocks\.", "layers."),
    (r"^stack\.norm\.", "final_layer_norm."),
    (r"attention\.qkv\.", "attention.query_key_value."),
    (r"attention\.output\.", "attention.dense."),
    (r"feed_forward\.expand\.", "mlp.dense_h_to_4h."),
    (r"feed_forward\.contract\.", "mlp.dense_4h_to_h."),
    (r"attention_residual\.norm\.", "input_layernorm."),
    (r"feed_forward_residual\.norm\.", "post_attention_layernorm."),
)
IGNORED = r"\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)$"  # kept by older files
PYTHIA = LanguageModelConfig(  # 70M
    vocabulary=50_304,
    context=2048,
    width=512,
    heads=8,
    layers=6,
    position="rotary",
    rotary_share=0.25,
    parallel=True,
    tied=False,
)


def rest(data: Config) -> dict[str, Any]:
    """What a GPT-NeoX may say besides its sizes, by our names."""
    rotary = rotary_of({"rope_theta": data.get("rotary_emb_base", PYTHIA.base), **data})
    share = rotary.pop("partial_rotary_factor", data.get("rotary_pct", PYTHIA.rotary_share))
    return {
        "base": entry(rotary, "rope_theta", float),
        "rotary_share": entry({"rotary_pct": share}, "rotary_pct", float),
        "scaling": scaling_of(rotary, data["max_position_embeddings"]),
        "parallel": entry(data, "use_parallel_residual", bool, True),
        "activation": activation_of(data, "hidden_act", "gelu"),
        "tied": entry(data, "tie_word_embeddings", bool, False),
    }


def load_neox(model: LanguageModel, state: Mapping[str, Tensor]) -> None:
    """Take the weights of a `GPTNeoXForCausalLM`.

    Args:
        model: with the conventions of `PYTHIA`; changed in place.
        state: the state dict, from `state_dict()` or from published files.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    state = WithoutPrefix(state, "gpt_neox.")
    output = "embed_out." if "embed_out.weight" in state else "lm_head."  # older and newer files
    if model.config.tied:
        state.drop_copy(f"{output}weight", "embed_in.weight")
    renames = (*RENAMES, (r"^lm_head\.", output))
    load_renamed(model, state, renames, IGNORED, partial(queries_first, model.config.heads))


def queries_first(heads: int, name: str, tensor: Tensor) -> Tensor:
    """A matrix or bias (H·3·D, …) of queries, keys and values by head as (3·H·D, …)."""
    if ".query_key_value." not in name or len(tensor) % (3 * heads):
        return tensor
    return tensor.unflatten(0, (heads, 3, -1)).transpose(0, 1).flatten(0, 2)


FAMILY = Family(
    PYTHIA,
    {
        "vocab_size": "vocabulary",
        "max_position_embeddings": "context",
        "hidden_size": "width",
        "num_attention_heads": "heads",
        "num_hidden_layers": "layers",
        "intermediate_size": "hidden",
        "layer_norm_eps": "epsilon",
    },
    {"attention_bias": True, "quantization_config": None},
    rest,
    lambda data: load_neox,
)
