"""Models read from published folders: theirs and ours give the same, and what is broken is said."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, GPT2Config, MistralConfig

from headway.errors import UserError
from headway.inference.cost import decoder_parameters
from headway.inference.decoding import generate
from headway.inference.fused import FusedLanguageModel
from headway.inference.kv_cache import CachedLanguageModel
from headway.models.hugging_face.config_file import config_of, read_config
from headway.models.hugging_face.model_folder import Weights, end_ids, load_folder, stored_type
from headway.models.parts import parameter_count
from tests.models.folders import FULL, MODELS, SLIDING, N, V, change, save
from tests.models.weights import random_ids, redrawn

each_model = pytest.mark.parametrize("name", MODELS)
close = {"atol": 1e-4, "rtol": 0}
WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that holds what a test asks for, and their model."""
    made = {}

    def folder(name="llama-3"):
        if name not in made:
            path = tmp_path_factory.mktemp(name)
            made[name] = (path, save(path, name))
        return made[name]

    return folder


@pytest.fixture
def broken(tmp_path):
    """A small whole folder of a test's own, to break."""
    save(tmp_path)
    return tmp_path


@each_model
def test_logits_and_numbers_of_parameters_are_theirs(folder, name):
    path, theirs = folder(name)
    model, ids = load_folder(path), random_ids(V, 3, N)
    logits = model(ids)
    assert logits.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(logits, theirs(ids).logits, **close)
    count = sum(weight.numel() for weight in theirs.parameters())
    assert parameter_count(model) == decoder_parameters(read_config(path)) == count


@each_model
def test_greedy_text_with_the_cache_is_theirs(folder, name):
    path, theirs = folder(name)
    model, prompt = load_folder(path), random_ids(V, 1, 7)
    expected = theirs.generate(
        prompt, max_new_tokens=40, do_sample=False, eos_token_id=None, pad_token_id=0
    )
    for kind in (CachedLanguageModel, FusedLanguageModel):
        assert generate(kind(model, batch=1), prompt, steps=40).equal(expected)


def test_files_in_several_parts_hold_the_same_model(tmp_path):
    theirs = save(tmp_path, shard="20KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    ids = random_ids(V, 2, 9)
    torch.testing.assert_close(load_folder(tmp_path)(ids), theirs(ids).logits, **close)


@pytest.mark.parametrize("parts_are_left", [True, False])
def test_one_file_comes_before_the_index_of_an_earlier_save(tmp_path, parts_are_left):
    theirs, later = save(tmp_path, shard="20KB"), tmp_path / "later"
    if not parts_are_left:
        for part in tmp_path.glob("model-*.safetensors"):
            part.unlink()
    redrawn(theirs, seed=5).save_pretrained(later)
    (later / WEIGHTS).rename(tmp_path / WEIGHTS)
    ids = random_ids(V, 2, 9)
    torch.testing.assert_close(load_folder(tmp_path)(ids), theirs(ids).logits, **close)


def test_half_precision_is_what_the_files_hold_or_what_is_asked_for(tmp_path):
    save(tmp_path)
    whole = load_folder(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    halves = {name: weight.bfloat16() for name, weight in weights.items()}
    save_file(halves, tmp_path / "model.safetensors")
    assert stored_type(tmp_path) == torch.bfloat16
    half, back = load_folder(tmp_path), load_folder(tmp_path, dtype=torch.float32)
    assert {weight.dtype for weight in half.parameters()} == {torch.bfloat16}
    assert {weight.dtype for weight in back.parameters()} == {torch.float32}
    ids = random_ids(V, 2, 9)
    for model, tolerance in ((back, 0.1), (half, 0.3)):  # 8 bits of mantissa, over all layers
        error = (model(ids).float() - whole(ids)).abs().mean() / whole(ids).std()
        assert 0 < error < tolerance


@pytest.mark.parametrize("kind", [torch.float8_e4m3fn, torch.float8_e5m2, torch.int8])
@pytest.mark.parametrize("all_of_them", [True, False])
def test_numbers_that_mean_nothing_without_scales_are_refused(tmp_path, kind, all_of_them):
    save(tmp_path)
    weights = load_file(tmp_path / WEIGHTS)
    few = {name: weight.to(kind) for name, weight in weights.items() if all_of_them or "q_" in name}
    save_file(weights | few, tmp_path / WEIGHTS)
    for read in (stored_type, load_folder):
        with pytest.raises(UserError, match=r"weight in (F8_E4M3|F8_E5M2|I8), numbers that mean"):
            read(tmp_path)


def test_a_bias_of_whole_numbers_is_refused_and_what_is_not_used_passed_over(tmp_path):
    save(tmp_path, "qwen-2")
    weights = load_file(tmp_path / WEIGHTS)
    unused = {"a.rotary_emb.inv_freq": torch.ones(2, 2, dtype=int)}
    save_file(unused | weights, tmp_path / WEIGHTS)
    assert stored_type(tmp_path) == torch.float32
    load_folder(tmp_path)
    name = "model.layers.0.self_attn.q_proj.bias"
    for kind in (torch.int8, torch.float8_e5m2):
        save_file(weights | {name: weights[name].to(kind)}, tmp_path / WEIGHTS)
        with pytest.raises(UserError, match=rf"q_proj\.bias is of {kind}, which is none of"):
            load_folder(tmp_path)


def test_an_output_that_is_not_there_leads_to_the_tie(tmp_path):
    save(tmp_path, "llama-tied")
    change(tmp_path / "config.json", tie_word_embeddings=False)
    said = r"our output\.weight is their lm_head\.weight, .* that is tie_word_embeddings"
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


def test_each_tensor_is_read_once_and_reported(folder):
    path, _ = folder()
    seen = []
    load_folder(path, look=seen.append)
    assert sorted(seen) == sorted(Weights(path))


def test_a_shorter_context_tables_fewer_positions_and_gives_the_same(folder):
    path, _ = folder()
    short, ids = load_folder(path, context=9), random_ids(V, 1, 9)
    assert short.stack.blocks[0].attention.rotary.cos.shape[0] == 9
    torch.testing.assert_close(short(ids), load_folder(path)(ids))
    with pytest.raises(UserError, match=f"{N + 1} tokens does not fit: the model reads 1 to {N}"):
        load_folder(path, context=N + 1)


def test_a_shorter_context_of_learned_positions_leaves_the_later_ones(folder):
    path, theirs = folder("gpt-2")
    short, ids = load_folder(path, context=9), random_ids(V, 1, 9)
    assert short.input.position.table.shape[0] == 9
    torch.testing.assert_close(short(ids), theirs(ids).logits, **close)


def test_a_config_of_an_older_writer_reads_the_same(folder):
    path, _ = folder()
    data = json.loads((path / "config.json").read_text("utf-8"))
    rotary = data.pop("rope_parameters")
    theta = rotary.pop("rope_theta")
    for kind in ("rope_type", "type"):
        scaling = {**rotary, kind: rotary["rope_type"]}
        older = data | {"rope_theta": theta, "rope_scaling": scaling}
        assert config_of(older) == read_config(path)
    older = data | {"rope_theta": theta, "rope_scaling": None}
    assert config_of(older).scaling is None
    assert config_of(older).base == theta
    # Converted from an older file: the new entry, with the base beside it.
    assert config_of(data | {"rope_theta": theta, "rope_parameters": rotary}) == read_config(path)
    assert config_of(older | {"rope_parameters": {"rope_type": "default"}}).base == theta


def test_a_text_ends_where_the_folder_says(tmp_path):
    save(tmp_path)
    assert end_ids(tmp_path) == {1}
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [1, 5]}', "utf-8")
    assert end_ids(tmp_path) == {1, 5}
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": "</s>"}', "utf-8")
    with pytest.raises(UserError, match="eos_token_id = '</s>', expected an id or a list"):
        end_ids(tmp_path)
    (tmp_path / "generation_config.json").unlink()
    change(tmp_path / "config.json", eos_token_id=None)
    assert end_ids(tmp_path) == frozenset()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model_type": "falcon"}, "family 'falcon'; .* read are llama, mistral, qwen2"),
        ({"hidden_size": None}, "lacks hidden_size"),
        ({"hidden_act": "gelu"}, "hidden_act = 'gelu'"),
        ({"quantization_config": {"quant_method": "gptq"}}, "quantization_config"),
        ({"rope_parameters": {"rope_type": "mrope"}}, "'mrope', which is not known here"),
        ({"num_hidden_layers": 20_000}, "described with 20,000 layers .* at most 10,000"),
        ({"rope_parameters": {"rope_type": "dynamic"}}, "'dynamic' in config.json lacks 'factor'"),
        ({"rope_parameters": {"rope_type": "llama3", "factor": 8.0}}, "lacks 'low_freq_factor'"),
        ({"rope_parameters": {"rope_type": "linear", "factor": 0.5}}, "must be 1 or more, got 0.5"),
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor"),
        ({"num_key_value_heads": 4}, "6 does not divide into 4"),
        ({"vocab_size": "many"}, "vocab_size = 'many', expected a whole number"),
        ({"num_hidden_layers": 2.0}, r"num_hidden_layers = 2\.0, expected a whole number"),
        ({"rope_scaling": [1]}, r"rope_scaling = \[1\], expected an object"),
        ({"rope_scaling": {"rope_theta": None}}, "rope_theta = None, expected a number"),
        ({"rope_scaling": {"full_attention": {}}}, "other rotary positions for full_attention"),
        ({"num_attention_heads": 0}, "heads must be at least 1, got 0"),
        ({"head_dim": 3}, "the width must be even, got 3"),
        ({"hidden_size": 32}, "do not fit .*: our .* is .* their"),
        ({"num_hidden_layers": 1}, "no place in the model"),
        ({"tie_word_embeddings": True}, "two different matrices, .* tie_word_embeddings"),
    ],
)
def test_a_config_that_ours_is_not_is_refused(broken, changes, said):
    change(broken / "config.json", **changes)
    with pytest.raises(UserError, match=said):
        load_folder(broken)


def test_a_tensor_without_a_place_is_named_before_any_is_read(broken):
    change(broken / "config.json", num_hidden_layers=1)
    seen = []
    with pytest.raises(UserError, match="no place in the model"):
        load_folder(broken, look=seen.append)
    assert seen == []


def test_a_gpt2_with_other_scores_is_refused():
    data = GPT2Config(scale_attn_by_inverse_layer_idx=True).to_dict()
    with pytest.raises(UserError, match="scale_attn_by_inverse_layer_idx = True"):
        config_of(data)


USED = {"use_sliding_window": True, "sliding_window": 8}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("qwen-2", USED | {"max_window_layers": 0, "layer_types": None}),
        ("qwen-2", USED | {"max_window_layers": 2, "layer_types": None}),
        ("qwen-3", USED | {"max_window_layers": None, "layer_types": None}),
        ("qwen-3", USED | {"layer_types": [FULL, FULL]}),
        ("qwen-3", USED | {"layer_types": [FULL, SLIDING]}),
        ("qwen-2", USED | {"max_window_layers": 1, "layer_types": None}),
        ("qwen-3", USED | {"layer_types": [SLIDING, SLIDING]}),
        ("mistral", {"layer_types": [FULL, FULL]}),
        ("llama-2", USED),
    ],
)
def test_windows_are_where_the_config_has_them(tmp_path, name, changes):
    save(tmp_path, name)
    change(tmp_path / "config.json", **changes)
    theirs, ids = AutoModelForCausalLM.from_pretrained(tmp_path), random_ids(V, 1, 40)
    torch.testing.assert_close(load_folder(tmp_path)(ids), theirs(ids).logits, **close)


def test_a_mistral_that_names_no_window_has_its_first_versions():
    data = MistralConfig().to_dict()
    assert config_of(data | {"sliding_window": None}).window is None
    del data["sliding_window"]
    assert config_of(data).window == MistralConfig().sliding_window == 4096


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"use_sliding_window": False, "layer_types": [FULL, SLIDING]},
            "gives 1 of its 2 blocks a sliding window, and none of the entries",
        ),
        ({"layer_types": [FULL]}, r"says of 1 blocks .* \(layer_types\), and the model has 2"),
        ({"layer_types": [FULL, "linear_attention"]}, "'linear_attention' in layer_types"),
    ],
)
def test_windows_that_cannot_be_told_are_refused(tmp_path, changes, said):
    save(tmp_path, "qwen-3")
    change(tmp_path / "config.json", **changes)
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"config.json": None}, r"has no config\.json"),
        ({"config.json": b"{"}, "is no JSON"),
        ({"config.json": b"[]"}, "holds a list"),
        ({WEIGHTS: None}, r"neither model\.safetensors nor"),
        ({WEIGHTS: None, "pytorch_model.bin": b""}, "is a pickle, which can run code"),
        ({WEIGHTS: b"cut"}, "is no safetensors file .* complete"),
        ({WEIGHTS: b"version https://git-lfs.github.com/spec/v1\n"}, "pointer of Git LFS"),
        ({WEIGHTS: None, INDEX: b"{}"}, "has no weight_map"),
        ({WEIGHTS: None, INDEX: b'{"weight_map": {"a": "x.safetensors"}}'}, "lacks 1 of the 1"),
    ],
)
def test_a_broken_folder_is_said_to_be(broken, files, said):
    for name, content in files.items():
        if content == b"cut":
            content = (broken / name).read_bytes()[:-100]
        (broken / name).unlink() if content is None else (broken / name).write_bytes(content)
    with pytest.raises(UserError, match=said):
        load_folder(broken)
