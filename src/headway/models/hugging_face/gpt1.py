"""GPT-1's weights, as Hugging Face names and stores them, in a `LanguageModel`.

    model = LanguageModel(CONFIGS["gpt-1"], torch.Generator())
    load_gpt1(model, torch.load("pytorch_model.bin", weights_only=True))

The model is GPT-2's with the norms after the sub-layers, and so without a final one. The weights
of a block have the same names, and the matrices are turned here too.
"""

from collections.abc import Mapping

from torch import Tensor

from headway.models.hugging_face import gpt2
from headway.models.language_model import LanguageModel

RENAMES = (
    (r"^embedding\.", "tokens_embed."),
    (r"^input\.position\.table", "positions_embed.weight"),
    *gpt2.RENAMES,
)


def load_gpt1(model: LanguageModel, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of an `OpenAIGPTModel` or `OpenAIGPTLMHeadModel` into ours.

    Args:
        model: with GPT-1's conventions, as in `headway.models.language_model.CONFIGS["gpt-1"]`;
            changed in place.
        state: the state dict, from `state_dict()` or from a published file.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    gpt2.load_decoder(model, state, RENAMES)
