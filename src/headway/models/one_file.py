"""The models of the book's file `transformer.py`, made ones of this package: the same weights.

    theirs = language_model_of(mine)
    theirs(ids)                 what mine(ids) gives, to rounding
    theirs = translator_of(mine)
    theirs(source, read)        what mine(source, read) gives, to rounding

The file turns neighboring numbers of queries and keys, this package two halves; so the rows that
make them are put into another order (see `headway.nn.position.halves_order`), or the model is told
to turn neighbors, too, as those in the browser are.
"""

from typing import Any

import torch
from torch import Tensor, nn

from headway.models.language_model import LanguageModel, LanguageModelConfig
from headway.models.translator import Translator, TranslatorConfig
from headway.nn.position import halves_order


def language_model_of(
    model: nn.Module, context: int = 1_024, pairs: str = "halves"
) -> LanguageModel:
    """A language model with the weights of the file's, in evaluation mode.

    Args:
        model: a `Transformer` as of chapter 11 or later. What an encoder says, `causal=False`
            gives in the call.
        context: N, the most tokens that it will read.
        pairs: which numbers are turned together, "halves" or "interleaved".
    """
    blocks: Any = model.blocks
    state, first = model.state_dict(), blocks[0].attention
    (V, C), D = state["embedding.weight"].shape, first.D
    config = LanguageModelConfig(
        vocabulary=V,
        context=context,
        width=C,
        heads=C // D,
        key_value_heads=len(first.key.weight) // D,
        layers=len(blocks),
        hidden=len(blocks[0].feed_forward.up.weight),
        normalization="rms",
        activation="silu",
        gated=True,
        bias=False,
        position="rotary",
        base=first.base,
        pairs=pairs,
    )

    def in_order(rows: Tensor) -> Tensor:
        if pairs == "interleaved":
            return rows
        return rows.unflatten(0, (-1, D))[:, halves_order(D)].flatten(0, 1)

    weights = {
        "embedding.weight": state["embedding.weight"],
        "stack.norm.weight": state["norm.weight"],
    }
    for layer in range(config.layers):
        part = {
            name.removeprefix(f"blocks.{layer}.").removesuffix(".weight"): weight
            for name, weight in state.items()
            if name.startswith(f"blocks.{layer}.")
        }
        query, key = (in_order(part[f"attention.{name}"]) for name in ("query", "key"))
        weights |= {
            f"stack.blocks.{layer}.{name}.weight": weight
            for name, weight in {
                "attention.qkv": torch.cat([query, key, part["attention.value"]]),
                "attention.output": part["attention.out"],
                "feed_forward.expand": torch.cat(
                    [part["feed_forward.gate"], part["feed_forward.up"]]
                ),
                "feed_forward.contract": part["feed_forward.down"],
                "attention_residual.norm": part["norm1"],
                "feed_forward_residual.norm": part["norm2"],
            }.items()
        }
    theirs = LanguageModel(config, torch.Generator())
    theirs.load_state_dict(weights)
    return theirs.eval()


PARTS = {  # of a block: this package's names, and the file's
    "attention.output": "attention.out",
    "cross_attention.output": "cross.out",
    "feed_forward.contract": "feed_forward.down",
    "attention_residual.norm": "norm1",
    "cross_residual.norm": "norm3",
    "feed_forward_residual.norm": "norm2",
}
JOINED = {
    "attention.qkv": [f"attention.{part}" for part in ("query", "key", "value")],
    "cross_attention.qkv": [f"cross.{part}" for part in ("query", "key", "value")],
    "feed_forward.expand": ["feed_forward.gate", "feed_forward.up"],
}


def translator_of(model: nn.Module, context: int = 1_024) -> Translator:
    """A translator with the weights of the file's, in evaluation mode.

    Args:
        model: a `Translator` as of chapter 13, with as many heads for keys as for queries.
        context: N, the most tokens that it will read on either side.
    """
    encoder: Any = model.encoder
    decoder: Any = model.decoder
    state, block = model.state_dict(), encoder[0]
    (S, C), D = state["english.weight"].shape, block.attention.D
    config = TranslatorConfig(
        vocabulary=len(state["french.weight"]),
        source_vocabulary=S,
        context=context,
        width=C,
        heads=C // D,
        layers=len(encoder),
        hidden=len(block.feed_forward.up.weight),
        normalization="rms",
        activation="silu",
        gated=True,
        bias=False,
        position="rotary",
        pairs="interleaved",
        base=block.attention.base,
    )
    weights = {
        "embedding.weight": state["french.weight"],
        "source_embedding.weight": state["english.weight"],
        "encoder.stack.norm.weight": state["norm1.weight"],
        "decoder.stack.norm.weight": state["norm2.weight"],
    }
    for half, blocks in (("encoder", encoder), ("decoder", decoder)):
        for layer, block in enumerate(blocks):
            part, there = block.state_dict(), f"{half}.stack.blocks.{layer}"
            for name, own in PARTS.items():
                if f"{own}.weight" in part:
                    weights[f"{there}.{name}.weight"] = part[f"{own}.weight"]
            for name, parts in JOINED.items():
                if f"{parts[0]}.weight" in part:
                    rows = [part[f"{own}.weight"] for own in parts]
                    weights[f"{there}.{name}.weight"] = torch.cat(rows)
    theirs = Translator(config, torch.Generator())
    theirs.load_state_dict(weights)
    return theirs.eval()
