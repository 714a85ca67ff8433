"""A family of published models: what its `config.json` says, and how its weights become ours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from headway.errors import UserError
from headway.models.hugging_face.json_file import entry
from headway.models.language_model import LanguageModel, LanguageModelConfig

Config = Mapping[str, Any]  # a parsed config.json
Loader = Callable[[LanguageModel, Mapping[str, Tensor]], None]
FULL, SLIDING = "full_attention", "sliding_attention"
ACTIVATIONS = {  # their names and ours
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_new": "gelu-tanh",
    "gelu_fast": "gelu-tanh",
    "gelu_pytorch_tanh": "gelu-tanh",
}


@dataclass(frozen=True)
class Family:
    """The models of one `model_type`.

    Attributes:
        conventions: what all of them have in common.
        sizes: their names of what a config has to say, with ours.
        fixed: what must be absent, null or have this value, because our model has no other.
        rest: what else a config may say, by our names.
        loader: gives, for a config, what takes the weights (`load_llama` and others).
    """

    conventions: LanguageModelConfig
    sizes: Mapping[str, str]
    fixed: Mapping[str, Any]
    rest: Callable[[Config], dict[str, Any]]
    loader: Callable[[Config], Loader]


def activation_of(data: Config, name: str, absent: str) -> str:
    """Our name of the activation that a config has under `name`.

    Raises:
        UserError: if ours has none that computes the same.
    """
    theirs = entry(data, name, str, None) or absent
    if theirs not in ACTIVATIONS:
        raise UserError(
            f"config.json has {name} = {theirs!r}; known here are {', '.join(ACTIVATIONS)}."
        )
    return ACTIVATIONS[theirs]


def windows_of(
    kinds: Sequence[Any], window: int | None, layers: int, name: str = "layer_types"
) -> dict[str, Any]:
    """The window of local blocks, and which blocks are global, by our names.

    Args:
        kinds: what a config calls each block, `FULL` or `SLIDING`.
        window: how many tokens a sliding one sees.
        layers: how many blocks there are.
        name: where the config calls them so.

    Raises:
        UserError: if blocks are called otherwise, or there are more or fewer; if some have a window
            of no length.
    """
    if unknown := [kind for kind in kinds if kind not in (FULL, SLIDING)]:
        raise UserError(
            f"config.json has blocks of the kind {unknown[0]!r} in {name}; known here are those "
            "whose queries see all tokens before them, and those with a sliding window."
        )
    if len(kinds) != layers:
        raise UserError(
            f"config.json says of {len(kinds)} blocks whether they have a sliding window ({name}), "
            f"and the model has {layers}."
        )
    local = kinds.count(SLIDING)
    if not local:
        return {"window": None, "global_blocks": ()}
    if window is None:
        raise UserError(
            f"config.json gives {local} of its {layers} blocks a sliding window, and none of the "
            "entries that are read here says of how many tokens."
        )
    return {"window": window, "global_blocks": tuple(i for i, k in enumerate(kinds) if k == FULL)}
