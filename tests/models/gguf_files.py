"""Small GGUF files, written with llama.cpp's own package as its converter of models does."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from gguf import (
    MODEL_ARCH_NAMES,
    GGMLQuantizationType,
    GGUFWriter,
    TokenType,
    dequantize,
    get_tensor_name_map,
    quantize,
)
from tokenizers import Tokenizer
from transformers import PreTrainedModel

from headway.text.byte_letters import LETTERS, to_letters
from tests.models.folders import MODELS, SIZES
from tests.models.weights import redrawn

# Quantized rows come in blocks of 32.
WIDE = {"hidden_size": 96, "intermediate_size": 64, "moe_intermediate_size": 32}
SCALING = {
    "rope_type": "type",
    "factor": "factor",
    "original_max_position_embeddings": "original_context_length",
    "beta_fast": "yarn_beta_fast",
    "beta_slow": "yarn_beta_slow",
}
NORMAL, CONTROL = TokenType.NORMAL, TokenType.CONTROL
ARCHITECTURES = {name: architecture for architecture, name in MODEL_ARCH_NAMES.items()}


def model(name: str) -> PreTrainedModel:
    """One of `folders.MODELS`, of widths that can be quantized."""
    kind, config, changes = MODELS[name]
    changes = changes | ({"head_dim": 32} if "head_dim" in changes else {})
    wide = {name: size for name, size in WIDE.items() if hasattr(config, name)}
    return redrawn(kind(config(**(SIZES | changes | wide)))).eval()


def write(
    path: Path,
    theirs: PreTrainedModel,
    kind: str = "F32",
    add: Callable[[GGUFWriter], None] = lambda writer: None,
    **metadata,
) -> None:
    """Write a model, its matrices of a type; its weights become what the file holds.

    Args:
        path: of the file.
        theirs: of the family of Llama, Mistral, Mixtral or Qwen.
        kind: of the matrices.
        add: writes more, such as a tokenizer.
        metadata: more values, or others, by the last parts of their names.
    """
    config = theirs.config
    architecture = {
        "mistral": "llama",
        "mixtral": "llama",
        "qwen3_moe": "qwen3moe",
    }.get(config.model_type, config.model_type)
    writer = GGUFWriter(path, architecture)
    rotary = config.rope_parameters
    values = {
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
        "attention.key_length": theirs.model.layers[0].self_attn.head_dim,
        "rope.freq_base": rotary["rope_theta"],
    }
    if hasattr(config, "num_experts_per_tok"):
        values["expert_count"] = config.num_local_experts
        values["expert_used_count"] = config.num_experts_per_tok
    if hasattr(config, "moe_intermediate_size"):
        values["expert_feed_forward_length"] = config.moe_intermediate_size
    if rotary["rope_type"] in ("linear", "yarn"):
        scaling = {
            f"rope.scaling.{SCALING[name]}": rotary[name] for name in SCALING.keys() & rotary
        }
        values |= scaling
    for name, value in (values | metadata).items():
        if value is not None:
            kinds = {bool: "bool", int: "uint32", float: "float32", str: "string", list: "array"}
            by_type = getattr(writer, f"add_{kinds[type(value)]}")
            shared = name.startswith(("tokenizer.", "split."))
            by_type(name if shared else f"{architecture}.{name}", value)
    add(writer)
    if rotary["rope_type"] == "llama3":
        plain = rotary["rope_theta"] ** (-torch.arange(0, 1, 2 / values["attention.key_length"]))
        factors = plain / theirs.model.rotary_emb.inv_freq
        writer.add_tensor("rope_freqs.weight", factors.numpy())
    add_weights(writer, theirs, architecture, GGMLQuantizationType[kind])
    save(writer)


def save(writer: GGUFWriter) -> None:
    """Write what was added."""
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def byte_pairs(tokenizer: Tokenizer, rule: str) -> Callable[[GGUFWriter], None]:
    """What writes a byte-level tokenizer, with the name of the rule that cuts its pieces."""
    data = json.loads(tokenizer.to_str())
    tokens = sorted(tokenizer.get_vocab(), key=tokenizer.token_to_id)
    control = {token["content"] for token in data["added_tokens"]}

    def add(writer: GGUFWriter) -> None:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(rule)
        writer.add_token_list(tokens)
        writer.add_token_types([CONTROL if token in control else NORMAL for token in tokens])
        writer.add_token_merges([" ".join(pair) for pair in data["model"]["merges"]])
        writer.add_bos_token_id(tokenizer.token_to_id("<|begin|>"))
        writer.add_eos_token_id(tokenizer.token_to_id("<|end|>"))

    return add


def merging(text: str, rule: str) -> Callable[[GGUFWriter], None]:
    """What writes a byte-level tokenizer that merges all neighbors of a text, up to four letters.

    Only a rule cuts them apart, so that a wrong rule shows in every text. No merge makes the token
    " unmerged", which Llama 3 takes whole.
    """
    letters = to_letters(text.encode())
    ends = range(len(letters) + 1)
    found = dict.fromkeys(letters[end - n : end] for n in (2, 3, 4) for end in ends if end >= n)
    tokens = ["<|begin|>", "<|end|>", *LETTERS.values(), *found, "Ġunmerged"]

    def add(writer: GGUFWriter) -> None:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(rule)
        writer.add_token_list(tokens)
        writer.add_token_types([CONTROL] * 2 + [NORMAL] * (len(tokens) - 2))
        writer.add_token_merges([f"{token[:-1]} {token[-1]}" for token in found])
        writer.add_bos_token_id(0)
        writer.add_eos_token_id(1)

    return add


# Of Llama 2's kind: pieces from the likeliest on. Runs of spaces have one score there, too.
PIECES = ["th", "he", "the", "▁the", "▁t", "Hi", "▁Hi", "[I", "▁[I", "S▁", "▁c", "at", "s▁"]
SPACES = ["▁▁", "▁▁▁▁▁", "▁▁▁"]
SINGLE = "▁thecaHi[INST]/sé."


def sentence_pieces(writer: GGUFWriter) -> None:
    """Write a tokenizer of Llama 2's kind: special tokens, bytes, and pieces with their scores."""
    whole, single = ["<unk>", "<s>", "</s>"], [f"<0x{byte:02X}>" for byte in range(256)]
    ranked, left = [*PIECES, *dict.fromkeys(SINGLE)], [*SPACES, "[user]"]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(whole + single + ranked + left)
    writer.add_token_scores([0.0] * 259 + [-float(n) for n in range(len(ranked))] + [-1e9] * 4)
    kinds = [TokenType.UNKNOWN, CONTROL, CONTROL, *[TokenType.BYTE] * 256]
    kinds += [NORMAL] * (len(ranked) + len(SPACES)) + [TokenType.USER_DEFINED]
    writer.add_token_types(kinds)


def vocabulary(tokens: list[str]) -> Callable[[GGUFWriter], None]:
    """What writes a tokenizer of these tokens, none of them marked, and of three for one merge."""

    def add(writer: GGUFWriter) -> None:
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_list([*tokens, "x", "y", "xy"])
        writer.add_token_types([NORMAL] * (len(tokens) + 3))
        writer.add_token_merges(["x y"])

    return add


def add_weights(
    writer: GGUFWriter, theirs: PreTrainedModel, architecture: str, kind: GGMLQuantizationType
) -> None:
    """The tensors of a model, which takes on what is left of them in the file."""
    config = theirs.config
    names = get_tensor_name_map(ARCHITECTURES[architecture], config.num_hidden_layers)
    for name, weight in theirs.named_parameters():
        part, _, suffix = name.rpartition(".")
        found = weight.detach().numpy()
        of = kind if weight.dim() >= 2 and "mlp.gate." not in name else GGMLQuantizationType.F32
        weight.data = torch.from_numpy(dequantize(quantize(found, of), of).copy())
        if "experts" in name:  # (E, 2·M, C): in the file, gates are a tensor of their own
            kinds = ("gate", "up") if "gate_up" in name else ("down",)
            for each, tensor in zip(kinds, np.split(found, len(kinds), axis=1), strict=True):
                merged = names.get_name(f"{part}.{each}_proj")
                writer.add_tensor(f"{merged}.weight", quantize(tensor, of), raw_dtype=of)
            continue
        if architecture == "llama" and "q_proj" in name:
            found = side_by_side(found, config.num_attention_heads)
        if architecture == "llama" and "k_proj" in name:
            found = side_by_side(found, config.num_key_value_heads)
        writer.add_tensor(f"{names.get_name(part)}.{suffix}", quantize(found, of), raw_dtype=of)


def side_by_side(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of heads whose rotary pairs are halves, as the converter orders them."""
    return rows.reshape(heads, 2, -1, rows.shape[1]).swapaxes(1, 2).reshape(rows.shape)
