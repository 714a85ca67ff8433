"""The metadata of a GGUF file as the `config.json` of the same model would have them.

What a file says of its architecture is understood, or known to change nothing, or refused by its
name: a number that we pass over could be one that the model computes with.
"""

from collections.abc import Mapping
from typing import Any

from headway.errors import UserError
from headway.models.gguf.file import EMBEDDING, GgufFile, shown
from headway.models.gguf.weights import FACTORS, floats
from headway.nn.rotary_scaling import TabledScaling

ARCHITECTURES = ("llama", "qwen2", "qwen3", "qwen3moe")  # of Mistral too it says "llama"
NEEDED = {
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "block_count": "num_hidden_layers",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
}
OPTIONAL = {
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "rope.freq_base": "rope_theta",
}
EXPERTS = {
    "expert_count": "num_local_experts",
    "expert_used_count": "num_experts_per_tok",
    "expert_feed_forward_length": "moe_intermediate_size",
}
MIXTURES = {"llama": "mixtral", "qwen3moe": "qwen3_moe"}  # if there are experts
SCALING_TYPE, SCALING_FACTOR = "rope.scaling.type", "rope.scaling.factor"
SCALING = {
    SCALING_TYPE: "rope_type",
    SCALING_FACTOR: "factor",
    "rope.scaling.original_context_length": "original_max_position_embeddings",
    "rope.scaling.yarn_beta_fast": "beta_fast",
    "rope.scaling.yarn_beta_slow": "beta_slow",
}
FRACTIONS = ("attention.layer_norm_rms_epsilon", "rope.freq_base", *SCALING)  # or whole numbers
KINDS = ("none", "linear", "yarn")
SAME = ("attention.value_length", "rope.dimension_count")  # as the width of a head
TOLD = ("vocab_size", "rope.scaling.finetuned")  # tensors say the first; nothing hangs on the other
# The values with which these change nothing.
NEUTRAL: Mapping[str, tuple[Any, ...]] = {
    "attention.causal": (True,),
    "attention.clamp_kqv": (0,),
    "attention.scale": (0,),
    "attention.sliding_window": (0,),
    "attn_logit_softcapping": (0,),
    "embedding_scale": (0, 1),
    "expert_count": (0,),
    "expert_gating_func": (0, 1),  # a softmax
    "expert_shared_count": (0,),
    "expert_used_count": (0,),
    "expert_weights_norm": (True,),
    "expert_weights_scale": (0, 1),
    "final_logit_softcapping": (0,),
    "logit_scale": (0, 1),
    "pooling_type": (0,),
    "residual_scale": (0, 1),
    "rope.scale_linear": (0, 1),
    "rope.scaling.attn_factor": (1,),
    "rope.scaling.yarn_attn_factor": (1,),
    "rope.scaling.yarn_ext_factor": (1,),
    "rope.scaling.yarn_log_multiplier": (0,),
    "tensor_data_layout": ("Meta AI original pth",),  # as llama.cpp's own converter has it
    "use_parallel_residual": (False,),
}


def config_data(file: GgufFile) -> dict[str, Any]:
    """Sizes and conventions, by the names of a `config.json`.

    Raises:
        UserError: if the model is of another architecture, a size is missing, or something is asked
            for that our model does not compute.
    """
    if not isinstance(file.architecture, str) or file.architecture not in ARCHITECTURES:
        raise UserError(
            f"The model in {file.path} is of the architecture {shown(file.architecture)}; those "
            f"that can be read from a GGUF file are {', '.join(ARCHITECTURES)}."
        )
    for name in NEEDED | OPTIONAL | EXPERTS | SCALING:
        kind = str if name == SCALING_TYPE else float if name in FRACTIONS else int
        file.entry(f"{file.architecture}.{name}", kind)
    if absent := [name for name in NEEDED if not file.said(name)]:
        raise UserError(f"The metadata of {file.path} lack {', '.join(absent)}.")
    check(file)
    names = NEEDED | OPTIONAL
    data = {theirs: file.said(name) for name, theirs in names.items() if file.said(name)}
    if scaling_type(file) != "none":
        found = {theirs: file.said(name) for name, theirs in SCALING.items()}
        found["rope_type"] = scaling_type(file)
        data["rope_scaling"] = {name: value for name, value in found.items() if value is not None}
    if has_experts(file):
        data |= {theirs: file.said(name) for name, theirs in EXPERTS.items()}
        data["norm_topk_prob"] = True
    return data | {
        "model_type": MIXTURES[file.architecture] if has_experts(file) else file.architecture,
        "vocab_size": file.tensors[EMBEDDING].shape[0],
        "tie_word_embeddings": "output.weight" not in file.tensors,
    }


def has_experts(file: GgufFile) -> bool:
    """Whether the tokens of a file's model choose among experts."""
    return file.architecture in MIXTURES and bool(file.said("expert_count"))


def check(file: GgufFile) -> None:
    """Raise UserError if the metadata ask for what our model does not compute."""
    begin = f"{file.architecture}."
    known = NEEDED | OPTIONAL | SCALING | dict.fromkeys(TOLD)
    known |= EXPERTS if has_experts(file) else {}
    for key, value in file.metadata.items():
        name = key.removeprefix(begin)
        if not key.startswith(begin) or name in known:
            continue
        neutral = (file.head_width,) if name in SAME else NEUTRAL.get(name, ())
        if not any(type(value) in (bool, int, float, str) and value == one for one in neutral):
            refuse(file, name)
    kinds = KINDS[:1] if FACTORS in file.tensors else KINDS
    if scaling_type(file) not in kinds:
        refuse(file, SCALING_TYPE)
    if len(shape := file.tensors[EMBEDDING].shape) != 2:
        raise UserError(f"{file.path} has a {EMBEDDING} of shape {shape}, which is no matrix.")


def refuse(file: GgufFile, name: str) -> None:
    """Raise UserError for a value of the metadata."""
    raise UserError(
        f"The metadata of {file.path} have {name} = {shown(file.said(name))}, which our model does "
        "not compute."
    )


def scaling_type(file: GgufFile) -> str:
    """How rotary positions are stretched; linearly where only a factor is given."""
    factor = file.said(SCALING_FACTOR, 1)
    return file.said(SCALING_TYPE, "none" if factor in (0, 1) else "linear")


def tabled_scaling(file: GgufFile) -> TabledScaling | None:
    """How much more slowly each pair of columns turns, if the file has a table of that.

    Raises:
        UserError: if it has no factor for each pair.
    """
    if FACTORS not in file.tensors:
        return None
    table, pairs = file.tensors[FACTORS], file.head_width // 2
    factors = floats(table).tolist() if table.shape == (pairs,) else []
    if not factors or not all(0 < factor < float("inf") for factor in factors):
        raise UserError(
            f"{file.path} has a {FACTORS} of shape {table.shape}, expected {pairs} numbers above 0,"
            " one for each pair of columns in a head."
        )
    return TabledScaling(tuple(factors))
