"""The same weights under torch's names: to and from `torch.nn`'s attention and transformer layers.

    ours                                              torch's
    MultiHeadAttention                                nn.MultiheadAttention
    Block                                             nn.TransformerEncoderLayer
    DecoderBlock                                      nn.TransformerDecoderLayer
    Stack of these                                    nn.TransformerEncoder, nn.TransformerDecoder

The arrays are the same on both sides, shapes included (both keep W_Q, W_K and W_V as one matrix of
3C rows), so that loading is renaming. Weights say nothing of where the norms stand or what the
activation is: `norm_first=True` is `PreNorm`, and the caller chooses it.
"""

import re

from torch import Tensor, nn

from headway.nn.multihead import MultiHeadAttention
from headway.shapes import ShapeError

RENAMED = (
    (r"\bblocks\.", "layers."),
    (r"\bcross_attention\.", "multihead_attn."),
    (r"\battention\.", "self_attn."),
    (r"\bqkv\.", "in_proj_"),
    (r"\boutput\.", "out_proj."),
    (r"\bfeed_forward\.expand\.", "linear1."),
    (r"\bfeed_forward\.contract\.", "linear2."),
    (r"\battention_residual\.norm\.", "norm1."),
    (r"\bcross_residual\.norm\.", "norm2."),
)
LAST_NORM = (
    "feed_forward_residual.norm."  # torch counts norms: norm2 in an encoder layer, else norm3
)


def load_from_torch(ours: nn.Module, theirs: nn.Module) -> None:
    """Copy the weights of a torch module into ours.

    Args:
        ours: one of the modules in the table above; changed in place.
        theirs: its counterpart.

    Raises:
        ShapeError: if the two differ in widths, heads, layers or biases.
    """
    names = paired_names(ours, theirs)
    state = theirs.state_dict()
    ours.load_state_dict({name: state[other] for name, other in names.items()})


def load_into_torch(ours: nn.Module, theirs: nn.Module) -> None:
    """Copy our weights into a torch module; arguments and errors as in `load_from_torch`."""
    names = paired_names(ours, theirs)
    state = ours.state_dict()
    theirs.load_state_dict({other: state[name] for name, other in names.items()})


def paired_names(ours: nn.Module, theirs: nn.Module) -> dict[str, str]:
    """Our name of every weight → torch's, after checking that shapes and heads agree."""
    names = torch_names(ours.state_dict())
    mine = {names[name]: tuple(weight.shape) for name, weight in ours.state_dict().items()}
    other = {name: tuple(weight.shape) for name, weight in theirs.state_dict().items()}
    for name in mine | other:
        if mine.get(name) != other.get(name):
            raise ShapeError(
                f"{name} is {mine.get(name, 'missing')} here and {other.get(name, 'missing')} in "
                f"{type(theirs).__name__}. Do widths, number of layers, biases and the final norm "
                "agree? torch knows no shared key/value heads."
            )
    heads = [part.heads for part in ours.modules() if isinstance(part, MultiHeadAttention)]
    counts = [
        part.num_heads for part in theirs.modules() if isinstance(part, nn.MultiheadAttention)
    ]
    if heads != counts:
        raise ShapeError(
            f"numbers of heads are {heads} here and {counts} in {type(theirs).__name__}; "
            "the weights would fit and mean something else"
        )
    return names


def torch_names(state: dict[str, Tensor]) -> dict[str, str]:
    """Our names of weights → torch's, for any of the modules or a model made of them."""
    names = {}
    for name in state:
        renamed = name
        if LAST_NORM in name:
            block = name.split(LAST_NORM)[0]
            third = f"{block}cross_residual.norm.weight" in state
            renamed = name.replace(LAST_NORM, "norm3." if third else "norm2.")
        for pattern, replacement in RENAMED:
            renamed = re.sub(pattern, replacement, renamed)
        names[name] = renamed
    return names
