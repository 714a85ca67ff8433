"""BART's weights, as Hugging Face names and stores them, in a `Translator`.

    model = Translator(BART_BASE, torch.Generator())
    load_bart(model, torch.load("pytorch_model.bin", weights_only=True))

BART's table of positions begins with two rows that no token uses; ours begins with position 0.
Padding is hidden by `token_mask(source, 1)`, and decoding begins with the end symbol, 2.

Source: Lewis et al. 2020, section 2.
"""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

from headway.models.hugging_face.renaming import load_renamed
from headway.models.translator import Translator, TranslatorConfig

BART_BASE = TranslatorConfig(
    vocabulary=50_265,
    context=1024,
    width=768,
    heads=12,
    layers=6,
    dropout=0.1,
    norm="post",
    embedding_norm=True,
    output_bias=True,
)
RENAMES = (
    (r"^embedding\.", "shared."),
    (r"^output_bias", "final_logits_bias"),
    (r"^output\.", "lm_head."),
    (r"\.input\.position\.table", ".embed_positions.weight"),
    (r"\.input\.norm\.", ".layernorm_embedding."),
    (r"\.stack\.blocks\.", ".layers."),
    (r"\.qkv\.", (".q_proj.", ".k_proj.", ".v_proj.")),
    (r"attention\.output\.", "attention.out_proj."),
    (r"\.cross_attention\.", ".encoder_attn."),
    (r"\.attention\.", ".self_attn."),
    (r"\.feed_forward\.expand\.", ".fc1."),
    (r"\.feed_forward\.contract\.", ".fc2."),
    (r"\.attention_residual\.norm\.", ".self_attn_layer_norm."),
    (r"\.cross_residual\.norm\.", ".encoder_attn_layer_norm."),
    (r"\.feed_forward_residual\.norm\.", ".final_layer_norm."),
)
EMBEDDINGS = ("shared.weight", "decoder.embed_tokens.weight")
COPIES = (*EMBEDDINGS, "encoder.embed_tokens.weight", "lm_head.weight")
UNUSED_POSITIONS = 2


def load_bart(model: Translator, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of a `BartForConditionalGeneration` into ours.

    Those of a `BartModel` fit a translator without `output_bias`, which they lack. An embedding
    that serves several ends is stored under the name of each. Copies that are equal are passed
    over; one that differs is a weight of its own, and has to have a place in ours.

    Args:
        model: with BART's conventions, as in `BART_BASE`; changed in place.
        state: the state dict, from `state_dict()` or from a published file.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    state = {name.removeprefix("model."): weight for name, weight in state.items()}
    shared = next((name for name in EMBEDDINGS if name in state), EMBEDDINGS[0])
    held = [name for name in COPIES if {shared, name} <= state.keys()]
    copies = [name for name in held if torch.equal(state[name], state[shared])]
    renames = ((r"^embedding\.weight", shared), *RENAMES)
    ignored = "^(" + "|".join(map(re.escape, copies)) + ")$"
    load_renamed(model, state, renames, ignored, stored_from_zero)


def stored_from_zero(name: str, weight: Tensor) -> Tensor:
    """The positions from 0 on, and the bias of the logits as (V,); all else as it is."""
    if name.endswith("embed_positions.weight"):
        return weight[UNUSED_POSITIONS:]
    return weight[0] if name == "final_logits_bias" else weight
