"""A `config.json` as a `LanguageModelConfig`, for each family that our model can compute.

What a file asks for and our model would not compute is refused, rather than left out.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from headway.errors import UserError
from headway.models.gguf.config import config_data, tabled_scaling
from headway.models.gguf.file import gguf_in
from headway.models.hugging_face import gemma, gpt2, gpt_neo, llama, mixtures, neox, phi3
from headway.models.hugging_face.family import Family, Loader
from headway.models.hugging_face.json_file import entry, read_json
from headway.models.language_model import LanguageModelConfig

FAMILIES: dict[str, Family] = {
    **llama.FAMILIES,
    "gpt2": gpt2.FAMILY,
    "gpt_neo": gpt_neo.FAMILY,
    "gpt_neox": neox.FAMILY,
    "phi3": phi3.FAMILY,
    **gemma.FAMILIES,
    **mixtures.FAMILIES,
}
LAYERS = 10_000  # of any model, and more than any has
EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")
LACKING = {  # what else a model with experts may have, by the entries that tell it
    "latent attention": ("kv_lora_rank",),
    "experts that all tokens share": ("n_shared_experts", "shared_expert_intermediate_size"),
    "experts chosen by groups": ("n_group",),
    "gates with a limit": ("swiglu_limit",),
}


def read_config(folder: str | Path) -> LanguageModelConfig:
    """The sizes and conventions that a folder's `config.json` names, or its GGUF file.

    Raises:
        UserError: if there is no such file, it is broken, or it describes a model that ours is not;
            the message says what was found and what can be read.
    """
    file = gguf_in(folder)
    if file is None:
        return config_of(read_json(Path(folder) / "config.json"))
    config, table = config_of(config_data(file)), tabled_scaling(file)
    return replace(config, scaling=table) if table else config


def loader_of(folder: str | Path) -> Loader:
    """What takes the weights in a folder, those of a GGUF file by the names of Llama or Qwen 3.

    Errors as in `read_config`.
    """
    if gguf_in(folder):
        return mixtures.load_mixture
    data = read_json(Path(folder) / "config.json")
    return family_of(data).loader(data)


def family_of(data: Mapping[str, Any]) -> Family:
    """The family of the model that a parsed `config.json` describes.

    Raises:
        UserError: if it is none that can be read.
    """
    name = entry(data, "model_type", str, None)
    if name in FAMILIES:
        return FAMILIES[name]
    if any(data.get(one) for one in EXPERTS):
        lacking = [part for part, signs in LACKING.items() if any(map(data.get, signs))]
        why = f", and {', '.join(lacking)} are missing here" if lacking else ""
        raise UserError(
            f"The model, of the family {name!r}, chooses among experts{why}; families with experts "
            f"that can be read are {', '.join(mixtures.FAMILIES)}."
        )
    raise UserError(
        f"The model is of the family {name!r}; those that can be read are "
        f"{', '.join(FAMILIES)} (model_type in config.json)."
    )


def config_of(data: Mapping[str, Any]) -> LanguageModelConfig:
    """A parsed `config.json` as ours; errors as `read_config`."""
    family, name = family_of(data), data["model_type"]
    if absent := [one for one in family.sizes if data.get(one) is None]:
        raise UserError(f"config.json of a {name} model lacks {', '.join(absent)}.")
    for fixed, known in family.fixed.items():
        if data.get(fixed) not in (None, known):
            raise UserError(
                f"config.json has {fixed} = {data[fixed]!r}; a {name} model can be read where it "
                f"is {known!r} or absent."
            )
    sizes = {
        ours: entry(data, theirs, float if ours == "epsilon" else int)
        for theirs, ours in family.sizes.items()
    }
    if sizes["layers"] > LAYERS or sizes["epsilon"] < 0:
        raise UserError(
            f"The model is described with {sizes['layers']:,} layers and an epsilon of "
            f"{sizes['epsilon']:g}; expected at most {LAYERS:,}, and a number from 0 on."
        )
    try:
        return replace(family.conventions, **sizes, **family.rest(data))
    except (ValueError, ArithmeticError) as error:
        raise UserError(f"config.json describes no model: {error}.") from error
