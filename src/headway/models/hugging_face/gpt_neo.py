"""GPT-Neo as Hugging Face has it (TinyStories, too): its `config.json`, and its weights as ours.

It is GPT-2 in which every other block is local, with a window of 256 tokens. Queries, keys and
values have no biases, and scores are not divided by √D: ours are, so that its W_Q is multiplied by
√D here. Matrices are (output, input), as ours.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from torch import Tensor

from headway.errors import UserError
from headway.models.hugging_face import gpt2
from headway.models.hugging_face.family import (
    FULL,
    SLIDING,
    Config,
    Family,
    activation_of,
    windows_of,
)
from headway.models.hugging_face.json_file import entry
from headway.models.hugging_face.renaming import WithoutPrefix, load_renamed
from headway.models.language_model import GPT2, LanguageModel

RENAMES = (
    (
        r"attention\.qkv\.",
        ("attn.attention.q_proj.", "attn.attention.k_proj.", "attn.attention.v_proj."),
    ),
    (r"attention\.output\.", "attn.attention.out_proj."),
    *gpt2.RENAMES,
)
IGNORED = r"\.attn\.attention\.(bias|masked_bias)$"  # masks kept as buffers
KINDS = {"global": FULL, "local": SLIDING}


def rest(data: Config) -> dict[str, Any]:
    """What a GPT-Neo may say besides its sizes, by our names."""
    return {
        "hidden": entry(data, "intermediate_size", int, None),
        "activation": activation_of(data, "activation_function", "gelu_new"),
        "tied": entry(data, "tie_word_embeddings", bool, True),
        **windows_of(
            [KINDS.get(str(kind), kind) for kind in kinds_of(data)],
            entry(data, "window_size", int, 256),
            data["num_layers"],
            "attention_types",
        ),
    }


def kinds_of(data: Config) -> list[Any]:
    """What a config calls each block, "global" or "local".

    `attention_layers` has a name for each, and `attention_types` repeated patterns, which come
    second where both are there: [[["global", "local"], 12]] are 24 blocks.

    Raises:
        UserError: if the patterns are of another form.
    """
    if kinds := entry(data, "attention_layers", list, None):
        return kinds
    given = entry(data, "attention_types", list, None) or [[["global", "local"], 12]]
    kinds = []
    for pair in given:
        match pair:
            case [list(pattern), int(times)]:
                kinds += pattern * min(times, data["num_layers"] + 1)
            case _:
                raise UserError(
                    f"config.json has {pair!r:.80} in attention_types, expected a list of kinds "
                    "and how many times it is repeated."
                )
    return kinds


def load_gpt_neo(model: LanguageModel, state: Mapping[str, Tensor]) -> None:
    """Take the weights of a `GPTNeoForCausalLM` or `GPTNeoModel`.

    Args:
        model: with GPT-Neo's conventions; changed in place.
        state: the state dict, from `state_dict()` or from published files.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    state = WithoutPrefix(state, "transformer.")
    if model.config.tied:
        state.drop_copy("lm_head.weight", "wte.weight")
    load_renamed(model, state, RENAMES, IGNORED, partial(undivided, model.config.per_head))


def undivided(head_width: int, name: str, tensor: Tensor) -> Tensor:
    """W_Q times √D, which the division of the scores takes back."""
    return tensor * head_width**0.5 if name.endswith(".q_proj.weight") else tensor


FAMILY = Family(
    replace(GPT2, dropout=0.0, qkv_bias=False),
    {
        "vocab_size": "vocabulary",
        "max_position_embeddings": "context",
        "hidden_size": "width",
        "num_heads": "heads",
        "num_layers": "layers",
        "layer_norm_epsilon": "epsilon",
    },
    {"quantization_config": None},
    rest,
    lambda data: load_gpt_neo,
)
