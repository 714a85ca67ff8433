"""Folders made to hurt: what no model has is refused in a sentence, before it costs anything."""

import json
import os
import struct
import tracemalloc

import pytest
import torch

from headway.errors import UserError
from headway.models.hugging_face import chat, json_file, model_folder, tokenizer
from headway.models.hugging_face.chat import read_template
from headway.models.hugging_face.config_file import read_config
from headway.models.hugging_face.model_folder import Weights, load_folder
from headway.models.hugging_face.tokenizer import read_tokenizer
from tests.models.folders import save
from tests.models.test_model_folder import change

MEBIBYTE = 2**20
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
TINY = {"hidden_size": 2, "num_attention_heads": 1, "num_key_value_heads": 1}
BEYOND = "of at most 9,007,199,254,740,992"
YARN = {"rope_type": "yarn", "rope_theta": 1e4}


@pytest.fixture
def folder(tmp_path):
    save(tmp_path)
    return tmp_path


def assert_cheap(refused, said, most=4 * MEBIBYTE):
    """It raises a UserError with this sentence, and takes no more memory than that."""
    tracemalloc.start()
    with pytest.raises(UserError, match=said):
        refused()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < most


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (TINY | {"num_hidden_layers": 300_000}, "described with 300,000 layers .* at most 10,000"),
        (
            {"model_type": "qwen3", "num_hidden_layers": 10**9},
            "described with 1,000,000,000 layers",
        ),
        ({"vocab_size": 10**400}, f"vocab_size = 1000.*0000, expected a whole number {BEYOND}"),
        ({"max_position_embeddings": 10**300}, f"max_position_embeddings = 1000.* {BEYOND}"),
        ({"rms_norm_eps": float("nan")}, f"rms_norm_eps = nan, expected a number {BEYOND}"),
        ({"rms_norm_eps": -1.0}, "an epsilon of -1; .* a number from 0 on"),
        ({"rope_parameters": YARN | {"factor": 1e308}}, rf"factor = 1e\+308, .* {BEYOND}"),
        (
            {"rope_parameters": YARN | {"rope_theta": float("inf")}},
            f"rope_theta = inf, .* {BEYOND}",
        ),
        ({"rope_parameters": {"rope_theta": 1e-300}}, "rope_theta = 1e-300, expected"),
        ({"rope_parameters": {"rope_theta": 0}}, "rope_theta = 0, expected"),
        ({"layer_types": {"many": [1] * 10_000}}, "layer_types = {'many': .*}, expected a list"),
    ],
)
def test_a_config_of_sizes_that_no_model_has_is_refused_as_it_is_read(folder, changes, said):
    changes = {"model_type": "qwen3"} | changes if "layer_types" in changes else changes
    change(folder / "config.json", **changes)
    assert_cheap(lambda: read_config(folder), said)


@pytest.mark.parametrize("factor", [1e15, 2.0**53])
def test_a_stretched_text_may_be_longer_than_any_memory(folder, factor):
    rotary = YARN | {"factor": factor, "original_max_position_embeddings": 2**52}
    change(folder / "config.json", rope_parameters=rotary)
    assert read_config(folder).longest == int(factor * 2**52)
    assert load_folder(folder, context=9)(torch.zeros(1, 9, dtype=int)).isfinite().all()


def test_blocks_are_counted_in_the_files_before_they_are_made(folder):
    change(folder / "config.json", **TINY, num_hidden_layers=300, intermediate_size=2)
    said = "described with 300 blocks, and its weights are 21 tensors, too few"
    assert_cheap(lambda: load_folder(folder), said)


def test_experts_are_counted_in_the_files_before_they_are_made(folder):
    sizes = {"num_local_experts": 2**40, "num_experts_per_tok": 2}
    change(folder / "config.json", **TINY, **sizes, model_type="mixtral", intermediate_size=2)
    said = "of 1,099,511,627,776 experts each, and its weights are 21 tensors, too few"
    assert_cheap(lambda: load_folder(folder), said)


def test_positions_are_tabled_for_no_more_tokens_than_memory_holds(folder):
    change(folder / "config.json", max_position_embeddings=2**40)
    said = "names a context of 1,099,511,627,776 tokens, .* Give a shorter context"
    assert_cheap(lambda: load_folder(folder), said)
    assert load_folder(folder, context=9).config.context == 9


def test_widths_beyond_any_memory_are_refused(folder):
    change(folder / "config.json", num_attention_heads=2**40, head_dim=2**40)
    with pytest.raises(UserError, match="sizes that no memory holds"):
        load_folder(folder)


NESTED = b"[" * 100_000
READS = {
    "config.json": read_config,
    "generation_config.json": model_folder.end_ids,
    "tokenizer_config.json": read_template,
    INDEX: Weights,
}


@pytest.mark.parametrize("name", READS)
def test_files_nested_deeper_than_python_reads_are_refused(folder, name):
    (folder / WEIGHTS).unlink()
    (folder / name).write_bytes(NESTED)
    with pytest.raises(UserError, match=f"{name} has lists within lists, deeper than"):
        READS[name](folder)


@pytest.mark.parametrize(
    ("module", "name", "read"),
    [
        (json_file, "config.json", read_config),
        (tokenizer, "tokenizer.json", read_tokenizer),
        (chat, "chat_template.jinja", read_template),
    ],
)
def test_files_larger_than_those_of_any_model_are_not_read(folder, module, name, read):
    most = module.LARGEST
    (folder / name).touch()
    os.truncate(folder / name, 2**40)  # zeros, which take no room
    assert_cheap(lambda: read(folder), f"has 1,099,511,627,776 bytes, and up to {most:,} are read")


def test_a_tokenizer_of_more_entries_than_any_has_is_not_made(folder, monkeypatch):
    monkeypatch.setattr(tokenizer, "ENTRIES", 100)
    with pytest.raises(UserError, match=r"has [0-9,]+ entries, and up to 100 are read"):
        read_tokenizer(folder)


def stored(header: bytes | dict, claimed: int | None = None, rest: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if claimed is None else claimed) + text + rest


def one(shape: list[int], size: int = 4) -> dict:
    return {"a.weight": {"dtype": "F32", "shape": shape, "data_offsets": [0, size]}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "header too small"),
        (stored(b"{}", 2**63), "header too large"),
        (stored(b"{}", 90_000_000), "invalid header length"),
        (stored(NESTED), "invalid JSON in header"),
        (stored(one([2**62, 2**62]), rest=bytes(4)), "overflow"),
        (stored(one([-1]), rest=bytes(4)), "invalid JSON in header"),
        (stored(one([10**9], 4 * 10**9), rest=bytes(4)), "not fully covered"),
    ],
)
def test_what_a_safetensors_header_only_claims_is_refused(folder, content, said):
    (folder / WEIGHTS).write_bytes(content)
    assert_cheap(lambda: Weights(folder), f"is no safetensors file .*{said}")


def test_a_safetensors_header_is_no_longer_than_a_model_needs(folder, monkeypatch):
    (folder / WEIGHTS).write_bytes(stored(b"{}", 90_000_000))
    os.truncate(folder / WEIGHTS, 2**40)
    assert_cheap(lambda: Weights(folder), "its header has 90,000,000 bytes, 8,388,608 are the most")
    names = {f"{n}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for n in range(9)}
    (folder / WEIGHTS).write_bytes(stored(names))
    monkeypatch.setattr(model_folder, "TENSORS", 8)
    with pytest.raises(UserError, match="it has 9 tensors, 8 are the most"):
        Weights(folder)


@pytest.mark.parametrize("place", [[1], 3, "../other/model.safetensors", "/etc/passwd", "..", ""])
def test_an_index_names_files_in_its_folder_only(folder, place):
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": place}}), "utf-8")
    with pytest.raises(UserError, match="names something else than files in its folder"):
        Weights(folder)
