"""Mixtral and Qwen 3's mixtures of experts as Hugging Face has them: configs, and weights as ours.

They are Mistral and Qwen 3 with experts in the place of each feed-forward (`headway.nn.experts`).
Every expert has three matrices of its own there; its gate and what that lets pass are one in ours.

    Mixtral       renormalized weights; a window in all blocks or in none
    Qwen 3 MoE    renormalized or not; a narrower feed-forward of their own for some blocks, which
                  no published model has, is not read
"""

from functools import partial
from typing import Any

from headway.errors import UserError
from headway.models.hugging_face import llama
from headway.models.hugging_face.family import FULL, SLIDING, Config, Family, windows_of
from headway.models.hugging_face.json_file import entry
from headway.models.language_model import CONFIGS, MIXTRAL

RENAMES = (  # of Qwen 3
    *llama.RENAMES,
    (r"feed_forward\.router\.", "mlp.gate."),
    (
        r"feed_forward\.experts\.(\d+)\.expand\.",
        (r"mlp.experts.\1.gate_proj.", r"mlp.experts.\1.up_proj."),
    ),
    (r"feed_forward\.experts\.(\d+)\.contract\.", r"mlp.experts.\1.down_proj."),
)
MIXTRAL_RENAMES = (
    *RENAMES,
    (r"mlp\.gate\.", "block_sparse_moe.gate."),
    (r"mlp\.(experts\.\d+)\.gate_proj\.", r"block_sparse_moe.\1.w1."),
    (r"mlp\.(experts\.\d+)\.down_proj\.", r"block_sparse_moe.\1.w2."),
    (r"mlp\.(experts\.\d+)\.up_proj\.", r"block_sparse_moe.\1.w3."),
)
load_mixture = partial(llama.load_llama, renames=RENAMES)
ACTIVE = {"num_experts_per_tok": "active_experts"}
FIXED = {"hidden_act": "silu", "attention_bias": False, "quantization_config": None}


def rest(data: Config) -> dict[str, Any]:
    """What a mixture may say besides its sizes, by our names."""
    layers, window = data["num_hidden_layers"], entry(data, "sliding_window", int, None)
    kinds = [FULL if window is None else SLIDING] * layers
    return llama.rest(data) | windows_of(kinds, window, layers)


def mixtral_rest(data: Config) -> dict[str, Any]:
    """What a Mixtral may say besides its sizes."""
    return rest({"rope_theta": MIXTRAL.base} | dict(data))


def qwen_rest(data: Config) -> dict[str, Any]:
    """What a Qwen 3 of experts may say besides its sizes."""
    if not entry(data, "use_sliding_window", bool, False):
        data = dict(data) | {"sliding_window": None}
    names = ("num_experts", "num_local_experts")
    experts = [entry(data, name, int) for name in names if data.get(name) is not None]
    if not experts:
        raise UserError("config.json of a qwen3_moe model lacks num_experts.")
    renormalized = entry(data, "norm_topk_prob", bool, False)
    return rest(data) | {"experts": experts[0], "renormalized": renormalized}


FAMILIES = {
    "mixtral": Family(
        MIXTRAL,
        llama.SIZES | ACTIVE | {"num_local_experts": "experts"},
        FIXED,
        mixtral_rest,
        lambda data: partial(llama.load_llama, renames=MIXTRAL_RENAMES),
    ),
    "qwen3_moe": Family(
        CONFIGS["qwen-3-30b-a3b"],
        {theirs: ours for theirs, ours in llama.SIZES.items() if ours != "hidden"}
        | ACTIVE
        | {"moe_intermediate_size": "hidden"},
        FIXED | {"mlp_only_layers": [], "decoder_sparse_step": 1},
        qwen_rest,
        lambda data: load_mixture,
    ),
}
