"""The metadata of a GGUF file as the `config.json` of the same model would have them."""

from typing import Any

from headway.errors import UserError
from headway.models.gguf.file import EMBEDDING, GgufFile
from headway.models.gguf.weights import FACTORS, floats
from headway.nn.rotary_scaling import TabledScaling

ARCHITECTURES = ("llama", "qwen2", "qwen3")  # of Mistral too it says "llama"
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
SCALING = {
    "rope.scaling.type": "rope_type",
    "rope.scaling.factor": "factor",
    "rope.scaling.original_context_length": "original_max_position_embeddings",
    "rope.scaling.yarn_beta_fast": "beta_fast",
    "rope.scaling.yarn_beta_slow": "beta_slow",
}
KINDS = ("none", "linear", "yarn")
# What changes the numbers of a model, other than by 1, and is not known here.
UNKNOWN = (
    "attention.scale",
    "attention.sliding_window",
    "embedding_scale",
    "expert_count",
    "logit_scale",
    "residual_scale",
    "rope.scale_linear",
    "rope.scaling.attn_factor",
    "rope.scaling.yarn_attn_factor",
    "rope.scaling.yarn_ext_factor",
    "rope.scaling.yarn_log_multiplier",
)


def config_data(file: GgufFile) -> dict[str, Any]:
    """Sizes and conventions, by the names of a `config.json`.

    Raises:
        UserError: if the model is of another architecture, a size is missing, or something is asked
            for that our model does not compute.
    """
    if file.architecture not in ARCHITECTURES:
        raise UserError(
            f"The model in {file.path} is of the architecture {file.architecture!r}; those that "
            f"can be read from a GGUF file are {', '.join(ARCHITECTURES)}."
        )
    if absent := [name for name in NEEDED if file.said(name) is None]:
        raise UserError(f"The metadata of {file.path} lack {', '.join(absent)}.")
    check(file)
    names = NEEDED | OPTIONAL
    data = {theirs: file.said(name) for name, theirs in names.items() if file.said(name)}
    if file.said("rope.scaling.type", "none") != "none":
        found = {theirs: file.said(name) for name, theirs in SCALING.items()}
        data["rope_scaling"] = {name: value for name, value in found.items() if value is not None}
    _, vocabulary = file.tensors[EMBEDDING].shape
    return data | {
        "model_type": file.architecture,
        "vocab_size": int(vocabulary),
        "tie_word_embeddings": "output.weight" not in file.tensors,
    }


def check(file: GgufFile) -> None:
    """Raise UserError if the metadata ask for what our model does not compute."""
    unknown = [name for name in UNKNOWN if file.said(name) not in (None, 0, 1)]
    unknown += [name for name in NEEDED | OPTIONAL if isinstance(file.said(name), list)]
    if not unknown:
        same = ("attention.value_length", "rope.dimension_count")
        width = file.head_width
        unknown += [name for name in same if file.said(name, width) != width]
    kinds = KINDS[:1] if FACTORS in file.tensors else KINDS
    if file.said("rope.scaling.type", "none") not in kinds:
        unknown.append("rope.scaling.type")
    if unknown:
        raise UserError(
            f"The metadata of {file.path} have {unknown[0]} = {file.said(unknown[0])}, which our "
            "model does not compute."
        )


def tabled_scaling(file: GgufFile) -> TabledScaling | None:
    """How much more slowly each pair of columns turns, if the file has a table of that."""
    if FACTORS not in file.tensors:
        return None
    return TabledScaling(tuple(floats(file.tensors[FACTORS]).tolist()))
