"""Phi-3 and Phi-4 as Hugging Face has them: what `config.json` says, and the weights as ours.

It is Llama with matrices that are joined as ours are: W_Q, W_K and W_V in one, the gate and what it
lets pass in another. Some versions turn a part of each head only, or have a window, or two tables
of frequencies, one for short and one for long texts.
"""

from functools import partial
from typing import Any

from headway.models.hugging_face import llama
from headway.models.hugging_face.family import FULL, SLIDING, Config, Family, windows_of
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.rotary_config import rotary_of, scaling_of
from headway.models.language_model import LLAMA

RENAMES = (
    (r"attention\.qkv\.", "self_attn.qkv_proj."),
    (r"feed_forward\.expand\.", "mlp.gate_up_proj."),
    *llama.RENAMES,
)


def rest(data: Config) -> dict[str, Any]:
    """What a Phi-3 may say besides its sizes, by our names."""
    rotary, layers = rotary_of(data), data["num_hidden_layers"]
    share = rotary.pop("partial_rotary_factor", data.get("partial_rotary_factor", 1.0))
    if rotary.get("rope_type", rotary.get("type")) in ("su", "yarn"):  # its first names
        rotary["rope_type"] = "longrope"
    window = entry(data, "sliding_window", int, None)
    kinds = [FULL if window is None else SLIDING] * layers
    return {
        "key_value_heads": entry(data, "num_key_value_heads", int, None),
        "head_width": entry(data, "head_dim", int, None),
        "base": entry(rotary, "rope_theta", float),
        "rotary_share": entry({"partial_rotary_factor": share}, "partial_rotary_factor", float),
        "scaling": scaling_of(rotary, data["max_position_embeddings"]),
        "tied": entry(data, "tie_word_embeddings", bool, False),
        **windows_of(kinds, window, layers),
    }


FAMILY = Family(
    LLAMA,
    llama.SIZES,
    {"hidden_act": "silu", "attention_bias": False, "quantization_config": None},
    rest,
    lambda data: partial(llama.load_llama, renames=RENAMES),
)
