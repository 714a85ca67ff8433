"""What a `config.json` says of rotary positions: the base, and how they reach longer texts."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from headway.errors import UserError
from headway.models.hugging_face.json_file import entry
from headway.models.language_model import LLAMA
from headway.nn.rotary_scaling import (
    DynamicScaling,
    LinearScaling,
    LlamaScaling,
    LongScaling,
    Scaling,
    YarnScaling,
)

TRAINED = "original_max_position_embeddings"


def rotary_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """All that a config says of its rotary positions, the base among it.

    New files have it in `rope_parameters`, old ones in `rope_scaling`, with the base beside it; a
    converted one can have the base beside either.

    Raises:
        UserError: if it is no object, or one for each kind of block; if the base is below 1.
    """
    old, new = (entry(data, name, dict, None) for name in ("rope_scaling", "rope_parameters"))
    rotary = {"rope_theta": data.get("rope_theta", LLAMA.base)} | (old or new or {})
    rotary |= {TRAINED: data[TRAINED]} if TRAINED in data else {}
    if nested := [name for name, value in rotary.items() if isinstance(value, dict)]:
        raise UserError(
            f"config.json has other rotary positions for {', '.join(nested)}; models whose blocks "
            "all have the same can be read."
        )
    if (base := entry(rotary, "rope_theta", float)) < 1:
        raise UserError(f"config.json has rope_theta = {base}, expected a number above 1.")
    return rotary


def scaling_of(rotary: Mapping[str, Any], context: int) -> Scaling | None:
    """What a config says of longer texts; None where the frequencies are the plain ones.

    Args:
        rotary: from `rotary_of`.
        context: tokens of the longest text that the model names.

    Raises:
        UserError: if it is of a kind that we do not know, or lacks a number.
        ValueError: if a number stretches nothing.
    """
    kind = entry(rotary, "rope_type", str, None) or entry(rotary, "type", str, "default")
    if kind not in KINDS:
        raise UserError(
            f"config.json has rotary positions of the type {kind!r}, which is not known here. "
            f"Known are {', '.join(KINDS)}."
        )
    if (part := entry(rotary, "partial_rotary_factor", float, 1)) != 1:
        raise UserError(
            f"config.json has partial_rotary_factor = {part}: a part of each head is turned. "
            "Models that turn whole heads can be read."
        )
    try:
        return KINDS[kind](rotary, context)
    except KeyError as error:
        raise UserError(f"The rotary scaling {kind!r} in config.json lacks {error}.") from error


def llama3(rotary: Mapping[str, Any], context: int) -> LlamaScaling:
    """Llama 3.1 and later."""
    return LlamaScaling(
        factor=entry(rotary, "factor", float),
        low=entry(rotary, "low_freq_factor", float),
        high=entry(rotary, "high_freq_factor", float),
        context=entry(rotary, TRAINED, int, context),
    )


def yarn(rotary: Mapping[str, Any], context: int) -> YarnScaling:
    """YaRN, with DeepSeek's two numbers for the amplitude if both are there."""
    trained = entry(rotary, TRAINED, int, context)
    factor = entry(rotary, "factor", float, None) or context / trained
    amplitude = entry(rotary, "attention_factor", float, None)
    scores, all_of_it = (entry(rotary, n, float, None) for n in ("mscale", "mscale_all_dim"))
    if amplitude is None and scores and all_of_it:
        over, under = (1 + 0.1 * share * math.log(factor) for share in (scores, all_of_it))
        amplitude = over / under
    return YarnScaling(
        factor=factor,
        context=trained,
        fast=entry(rotary, "beta_fast", float, None) or 32,
        slow=entry(rotary, "beta_slow", float, None) or 1,
        whole=entry(rotary, "truncate", bool, True),
        attention_factor=amplitude,
    )


def longrope(rotary: Mapping[str, Any], context: int) -> LongScaling:
    """Phi-3's two tables, one for short and one for long texts."""
    trained = entry(rotary, TRAINED, int, context)
    factor = entry(rotary, "factor", float, None) or context / trained
    amplitude = entry(rotary, "attention_factor", float, None)
    if amplitude is None:
        amplitude = math.sqrt(1 + math.log(max(factor, 1)) / math.log(trained))
    short, long = (tuple(entry(rotary, name, list)) for name in ("short_factor", "long_factor"))
    if not all(isinstance(n, int | float) and n > 0 for n in short + long):
        raise UserError("short_factor and long_factor in config.json must be numbers above 0.")
    return LongScaling(short, long, trained, amplitude)


KINDS: dict[str, Callable[[Mapping[str, Any], int], Scaling | None]] = {
    "default": lambda rotary, context: None,
    "linear": lambda rotary, context: LinearScaling(entry(rotary, "factor", float)),
    "llama3": llama3,
    "yarn": yarn,
    "longrope": longrope,
    "dynamic": lambda rotary, context: DynamicScaling(
        factor=entry(rotary, "factor", float), context=context
    ),
}
