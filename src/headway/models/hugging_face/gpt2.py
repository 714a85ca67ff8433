"""GPT-2 as Hugging Face has it: what its `config.json` says, and its weights as ours.

    model = LanguageModel(CONFIGS["gpt-2"], torch.Generator())
    load_gpt2(model, torch.load("pytorch_model.bin", weights_only=True))

GPT-2 stores its matrices as (input, output), for x W; ours are (output, input), for x Wᵀ.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from torch import Tensor

from headway.models.hugging_face.family import Config, Family
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.renaming import WithoutPrefix, load_renamed, their_names
from headway.models.language_model import GPT2, LanguageModel

RENAMES = (
    (r"^embedding\.", "wte."),
    (r"^output\.", "lm_head."),
    (r"^input\.position\.table", "wpe.weight"),
    (r"^stack\.blocks\.", "h."),
    (r"^stack\.norm\.", "ln_f."),
    (r"attention\.qkv\.", "attn.c_attn."),
    (r"attention\.output\.", "attn.c_proj."),
    (r"feed_forward\.expand\.", "mlp.c_fc."),
    (r"feed_forward\.contract\.", "mlp.c_proj."),
    (r"attention_residual\.norm\.", "ln_1."),
    (r"feed_forward_residual\.norm\.", "ln_2."),
)
IGNORED = r"\.attn\.(bias|masked_bias)$|^position_ids$"  # masks and positions kept as buffers


def rest(data: Config) -> dict[str, Any]:
    """What a GPT-2 may say besides its sizes, by our names."""
    return {
        "hidden": entry(data, "n_inner", int, None),
        "tied": entry(data, "tie_word_embeddings", bool, True),
    }


def load_gpt2(model: LanguageModel, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of a `GPT2Model` or `GPT2LMHeadModel` into ours.

    A file may hold the tied embedding a second time, as the output. An output that differs is a
    weight of its own, and needs a model that is not tied.

    Args:
        model: with GPT-2's conventions, as in `headway.models.language_model.GPT2`; changed in
            place.
        state: the state dict, from `state_dict()` or from a published file.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    state = WithoutPrefix(state, "transformer.")
    if model.config.tied:
        state.drop_copy("lm_head.weight", *their_names("embedding.weight", RENAMES))
    load_renamed(model, state, RENAMES, IGNORED, stored_transposed)


def stored_transposed(name: str, weight: Tensor) -> Tensor:
    """The matrices of GPT-2's `Conv1D`s, turned; all else as it is."""
    return weight.T if ".c_" in name and name.endswith(".weight") else weight


FAMILY = Family(
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
    rest,
    lambda data: load_gpt2,
)
