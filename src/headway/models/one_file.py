"""The model of the book's file `transformer.py`, made one of this package: the same weights.

    theirs = language_model_of(mine)
    theirs(ids)         what mine(ids) gives, to rounding

The file turns neighboring numbers of queries and keys, this package two halves; so the rows that
make them are put into another order (see `headway.nn.position.halves_order`), or the model is told
to turn neighbors, too.
"""

import torch
from torch import Tensor, nn

from headway.models.language_model import LanguageModel, LanguageModelConfig
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
    state, first = model.state_dict(), model.blocks[0].attention
    (V, C), D = state["embedding.weight"].shape, first.D
    config = LanguageModelConfig(
        vocabulary=V,
        context=context,
        width=C,
        heads=C // D,
        key_value_heads=len(first.key.weight) // D,
        layers=len(model.blocks),
        hidden=len(model.blocks[0].feed_forward.up.weight),
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
