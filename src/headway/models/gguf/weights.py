"""The tensors of a GGUF file as Hugging Face has them: their names, floats, and rows in order.

The matrices of all experts of a block are one tensor there.

In files of Llama's own architecture the two columns of a rotary pair lie side by side, and so the
rows of W_Q and W_K that make them; here they are put back into halves.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from gguf import GGMLQuantizationType, dequantize
from torch import Tensor

from headway.errors import UserError
from headway.models.gguf.file import GgufFile
from headway.models.gguf.header import GgufTensor
from headway.nn.position import halves_order
from headway.shapes import ShapeError

OUTSIDE = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
ROUTER = "ffn_gate_inp"
IN_BLOCK = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    ROUTER: "mlp.gate",
}
OF_EXPERTS = {"ffn_gate_exps": "gate_proj", "ffn_up_exps": "up_proj", "ffn_down_exps": "down_proj"}
FACTORS = "rope_freqs.weight"  # no weights: how much more slowly each rotary pair turns
TYPES = {
    GGMLQuantizationType.F32: torch.float32,
    GGMLQuantizationType.F16: torch.float16,
    GGMLQuantizationType.BF16: torch.bfloat16,
}


def readers(file: GgufFile) -> dict[str, Callable[[], Tensor]]:
    """What reads each tensor of a file, by Hugging Face's names; a name unknown there stays.

    Args:
        file: of an architecture that can be read.
    """
    found: dict[str, Callable[[], Tensor]] = {}
    for name, tensor in file.tensors.items():
        if name == FACTORS:
            continue
        if experts := experts_of(name, tensor, file.said("expert_count", 0)):
            found |= experts
            continue
        read = partial(floats, tensor)
        if file.architecture == "llama" and {"attn_q", "attn_k"} & set(name.split(".")):
            read = partial(in_halves, tensor, file.head_width)
        found[their_name(name)] = read
    return found


def experts_of(name: str, tensor: GgufTensor, count: int) -> dict[str, Callable[[], Tensor]]:
    """What reads the matrix of each of so many experts, if a tensor (E, rows, columns) has them."""
    match name.split("."):
        case ["blk", layer, part, kind] if part in OF_EXPERTS and tensor.shape[:-2] == (count,):
            begin, end = f"model.layers.{layer}.mlp.experts", f"{OF_EXPERTS[part]}.{kind}"
            return {
                f"{begin}.{e}.{end}": partial(
                    floats, GgufTensor(tensor.shape[1:], tensor.kind, tensor.data[e])
                )
                for e in range(count)
            }
    return {}


def their_name(name: str) -> str:
    """Hugging Face's name of a tensor: "blk.0.attn_q.weight" is the q_proj of layer 0."""
    match name.split("."):
        case ["blk", layer, part, kind] if part in IN_BLOCK:
            return f"model.layers.{layer}.{IN_BLOCK[part]}.{kind}"
        case [part, kind] if part in OUTSIDE:
            return f"{OUTSIDE[part]}.{kind}"
    return name


def floats(tensor: GgufTensor) -> Tensor:
    """A tensor in float32, which all types fit into."""
    return torch.from_numpy(np.require(dequantize(tensor.data, tensor.kind), np.float32, "W"))


def in_halves(tensor: GgufTensor, head_width: int) -> Tensor:
    """A W_Q or W_K whose rotary pairs lie side by side, its rows put into halves.

    Raises:
        ShapeError: if its rows are not those of whole heads.
    """
    if len(tensor.shape) != 2 or tensor.shape[0] % head_width:
        raise ShapeError(f"a matrix {tensor.shape} holds no heads of {head_width} columns each")
    rows = floats(tensor)
    order = halves_order(head_width)
    return rows.unflatten(0, (-1, head_width))[:, order].flatten(0, 1)


def stored_type(file: GgufFile) -> torch.dtype:
    """The type of a file's matrices; float32 if one of them is quantized.

    Routers do not count: they are float32, as norms are, whatever the others are.

    Raises:
        UserError: if there is no matrix.
    """
    matrices = {name: t for name, t in file.tensors.items() if len(t.shape) >= 2}
    kinds = {t.kind for name, t in matrices.items() if ROUTER not in name}
    if not kinds:
        raise UserError(f"{file.path} holds no matrix; its weights are those of no language model.")
    return TYPES.get(kinds.pop(), torch.float32) if len(kinds) == 1 else torch.float32
