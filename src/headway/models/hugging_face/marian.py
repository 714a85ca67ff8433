"""Marian's weights, as Hugging Face names and stores them, in a `Translator`.

    model = Translator(replace(OPUS, vocabulary=…), torch.Generator())
    load_marian(model, torch.load("pytorch_model.bin", weights_only=True))

The architecture is that of Vaswani et al. (2017), with another activation. Its sinusoids have the
sines in the first half of the columns and the cosines in the second, ours side by side
(`headway.nn.position`). Which column of the residual stream is which is a convention, as long as
all agree: so whatever reads columns or writes them is loaded with its columns in our order.

Padding is hidden by `token_mask(source, padding)`, and decoding begins with the padding symbol,
the last of the vocabulary. Published models never generate it: give it the logit −∞.

Source: Junczys-Dowmunt et al. 2018; Tiedemann and Thottingal 2020, for the models.
"""

import re
from collections.abc import Mapping

import torch
from torch import Tensor

from headway.models.hugging_face.bart import load_encoder_decoder
from headway.models.translator import Translator, TranslatorConfig

# The published translators of the OPUS collection; each pair of languages has a vocabulary size.
OPUS = TranslatorConfig(
    vocabulary=58_101,
    context=512,
    width=512,
    heads=8,
    layers=6,
    dropout=0.1,
    norm="post",
    activation="silu",
    position="sinusoidal",
    initialization="xavier",
    scaled=True,
    output_bias=True,
)
READ_COLUMNS = r"(shared|embed_tokens|lm_head|[qkv]_proj|fc1)\.weight$"  # (…, C)
WRITE_COLUMNS = r"(out_proj|fc2|layer_norm)\.(weight|bias)$"  # (C, …)


def load_marian(model: Translator, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of a `MarianMTModel` into ours.

    Its sinusoids are not loaded: they are the same for all models, and published files lack them.

    Args:
        model: with Marian's conventions, as in `OPUS`; changed in place. A source with a
            vocabulary of its own needs `source_vocabulary`.
        state: the state dict, from `state_dict()` or from a published file.

    Raises:
        KeyError, ShapeError, ValueError: if the two differ; the message names the weight.
    """
    learned = {name: weight for name, weight in state.items() if "embed_positions" not in name}
    C = model.config.width
    columns = torch.arange(C).view(2, C // 2).T.flatten()  # 0, C/2, 1, C/2 + 1, …

    def side_by_side(name: str, weight: Tensor) -> Tensor:
        if re.search(READ_COLUMNS, name):
            return weight[:, columns]
        if re.search(WRITE_COLUMNS, name):
            return weight[columns]
        return weight[0] if name == "final_logits_bias" else weight

    load_encoder_decoder(model, learned, side_by_side)
