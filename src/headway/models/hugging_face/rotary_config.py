"""What a `config.json` says of rotary positions: the base, and how they reach longer texts."""

from collections.abc import Mapping
from typing import Any

from headway.errors import UserError
from headway.models.hugging_face.json_file import entry
from headway.models.language_model import LLAMA
from headway.nn.rotary_scaling import LinearScaling, LlamaScaling, Scaling


def rotary_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """All that a config says of its rotary positions, the base among it.

    New files have it in `rope_parameters`, old ones in `rope_scaling`, with the base beside it; a
    converted one can have the base beside either.

    Raises:
        UserError: if it is no object, or one for each kind of block.
    """
    old, new = (entry(data, name, dict, None) for name in ("rope_scaling", "rope_parameters"))
    rotary = {"rope_theta": data.get("rope_theta", LLAMA.base)} | (old or new or {})
    if nested := [name for name, value in rotary.items() if isinstance(value, dict)]:
        raise UserError(
            f"config.json has other rotary positions for {', '.join(nested)}; models whose blocks "
            "all have the same can be read."
        )
    return rotary


def scaling_of(rotary: Mapping[str, Any], context: int) -> Scaling | None:
    """What a config says of longer texts; None where the frequencies are the plain ones.

    Raises:
        UserError: if it is of a kind that we do not know, or lacks a number.
    """
    kind = rotary.get("rope_type", rotary.get("type", "default"))
    try:
        if kind == "default" and rotary.get("partial_rotary_factor", 1) == 1:
            return None
        if kind == "linear":
            return LinearScaling(entry(rotary, "factor", float))
        if kind == "llama3":
            return LlamaScaling(
                factor=entry(rotary, "factor", float),
                low=entry(rotary, "low_freq_factor", float),
                high=entry(rotary, "high_freq_factor", float),
                context=entry(rotary, "original_max_position_embeddings", int, context),
            )
    except KeyError as error:
        raise UserError(f"The rotary scaling {kind!r} in config.json lacks {error}.") from error
    raise UserError(
        f"config.json scales its rotary positions in a way that is not known here: {dict(rotary)}. "
        "Known are default (of all columns), linear and llama3."
    )
