"""Families besides Llama's and GPT-2: each option is read as theirs, or refused by its name."""

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    GPTNeoConfig,
    GPTNeoXConfig,
    MixtralConfig,
    Phi3Config,
    Qwen3MoeConfig,
)
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

from headway.errors import UserError
from headway.models.hugging_face.config_file import FAMILIES, config_of
from headway.models.hugging_face.model_folder import end_ids, load_folder
from headway.models.hugging_face.tokenizer import read_tokenizer
from tests.models.folders import FULL, SLIDING, N, V, change, save
from tests.models.weights import random_ids

close = {"atol": 1e-4, "rtol": 0}
LONG = {"rope_type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [2.0, 5.0]}
LONG |= {"original_max_position_embeddings": N // 2}
NO_ROTARY = {"rope_parameters": None}  # None takes an entry out of the file
PATTERNS = {"attention_layers": None}


def logits_of_both(folder, length=40):
    """Theirs, ours made for this length, and ours made for the whole context."""
    ids = random_ids(V, 2, length)
    with torch.no_grad():
        theirs = AutoModelForCausalLM.from_pretrained(folder)(ids).logits
    return theirs, load_folder(folder, context=length)(ids), load_folder(folder)(ids)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("neox", {"use_parallel_residual": None}),
        ("neox", {"use_parallel_residual": False}),
        ("neox", NO_ROTARY),
        ("neox", NO_ROTARY | {"rotary_pct": 1.0, "rotary_emb_base": 300}),
        ("neox", NO_ROTARY | {"rope_scaling": {"type": "linear", "factor": 4.0}}),
        ("neox", {"hidden_act": None}),
        ("neox", {"hidden_act": "relu"}),
        ("neox", {"hidden_act": "gelu_fast"}),
        ("neox-in-turn", {"use_parallel_residual": True}),
        ("gpt-neo", {"attention_layers": ["local", "global"]}),
        ("gpt-neo", PATTERNS | {"attention_types": [[["local"], 1], [["global"], 1]]}),
        ("gpt-neo", PATTERNS | {"attention_types": [[["local"], 2]], "window_size": 3}),
        ("gpt-neo", {"window_size": None}),
        ("gpt-neo", {"activation_function": "silu", "tie_word_embeddings": None}),
        ("phi-3", NO_ROTARY),
        ("phi-3", NO_ROTARY | {"rope_theta": 300.0}),
        ("phi-3", {"sliding_window": 7}),
        ("phi-4", NO_ROTARY | {"partial_rotary_factor": 0.25}),
        ("gemma-2", {"layer_types": None}),
        ("gemma-2", {"query_pre_attn_scalar": None}),
        ("gemma-2", {"attn_logit_softcapping": None, "final_logit_softcapping": None}),
        ("gemma-2", {"hidden_activation": "gelu"}),
        ("gemma-2", {"sliding_window": None}),
        ("gemma-2", {"layer_types": [FULL, FULL]}),
        ("gemma-2", {"tie_word_embeddings": None}),
        ("gemma-2", NO_ROTARY | {"rope_theta": 300.0}),
        ("mixtral", NO_ROTARY),
        ("mixtral", NO_ROTARY | {"rope_theta": 300.0}),
        ("mixtral", {"sliding_window": None, "num_experts_per_tok": 1}),
        ("qwen-3-experts", NO_ROTARY),
        ("qwen-3-experts", {"norm_topk_prob": None, "num_experts_per_tok": 5}),
        ("qwen-3-experts", {"num_local_experts": None, "num_experts": 5}),
        ("qwen-3-experts", {"sliding_window": 4}),
        ("qwen-3-experts", {"sliding_window": 4, "use_sliding_window": True}),
        ("gemma-3", {"layer_types": None}),
        ("gemma-3", {"layer_types": None, "sliding_window_pattern": 2}),
        ("gemma-3", {"layer_types": [FULL, SLIDING], "query_pre_attn_scalar": None}),
        ("gemma-3", NO_ROTARY),
        (
            "gemma-3",
            NO_ROTARY
            | {"rope_theta": 300.0, "rope_local_base_freq": 20.0}
            | {"rope_scaling": {"rope_type": "linear", "factor": 4.0}},
        ),
        (
            "gemma-3",
            {"rope_parameters": {SLIDING: {"rope_type": "default"}, FULL: {"rope_theta": 99.0}}},
        ),
    ],
)
def test_what_a_config_says_or_leaves_out_is_read_as_theirs(tmp_path, name, changes):
    save(tmp_path, name)
    change(tmp_path / "config.json", **changes)
    theirs, *ours = logits_of_both(tmp_path)
    assert theirs.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    for logits in ours:
        torch.testing.assert_close(logits, theirs, **close)


@pytest.mark.parametrize(
    "changes",
    [
        {"rope_parameters": LONG},
        {"rope_parameters": LONG | {"attention_factor": 1.5}},
        {"rope_parameters": LONG | {"factor": 3.0}},
        NO_ROTARY | {"rope_scaling": LONG | {"rope_type": "su"}},
    ],
)
@pytest.mark.parametrize("length", [N // 2, N // 2 + 1, N])
def test_long_texts_of_a_phi_are_turned_by_their_own_table(tmp_path, changes, length):
    save(tmp_path, "phi-3")
    trained = {"original_max_position_embeddings": N // 2}
    change(tmp_path / "config.json", **(trained | changes))
    theirs, ours, _ = logits_of_both(tmp_path, length)
    torch.testing.assert_close(ours, theirs, **close)


@pytest.mark.parametrize(
    ("config", "ours"),
    [
        (MixtralConfig(), {"experts": 8, "active_experts": 2, "renormalized": True}),
        (Qwen3MoeConfig(), {"experts": 128, "active_experts": 8, "hidden": 768, "window": None}),
        (Qwen3MoeConfig(), {"renormalized": False, "head_norm": True}),
        (GPTNeoXConfig(), {"parallel": True, "rotary_share": 0.25, "tied": False}),
        (GPTNeoConfig(), {"window": 256, "global_blocks": tuple(range(0, 24, 2)), "tied": True}),
        (Phi3Config(), {"window": None, "tied": False, "rotary_share": 1.0}),
        (Gemma2Config(), {"window": 4096, "global_blocks": tuple(range(1, 26, 2))}),
        (Gemma2Config(), {"score_cap": 50.0, "logit_cap": 30.0, "local_base": None}),
        (Gemma3TextConfig(), {"window": 4096, "global_blocks": (5, 11, 17, 23)}),
        (Gemma3TextConfig(), {"base": 1_000_000.0, "local_base": 10_000.0, "score_cap": None}),
    ],
)
def test_the_conventions_of_a_family_are_those_of_its_first_models(config, ours):
    read = config_of(config.to_dict())
    assert {name: getattr(read, name) for name in ours} == ours


@pytest.mark.parametrize("name", ["neox", "neox-in-turn"])
def test_newer_and_older_names_of_an_output_are_known_and_masks_passed_over(tmp_path, name):
    save(tmp_path, name)
    expected = load_folder(tmp_path)(random_ids(V, 2, 9))
    weights = load_file(tmp_path / "model.safetensors")
    output = weights.pop("embed_out.weight", weights["gpt_neox.embed_in.weight"])
    buffers = ("attention.bias", "attention.masked_bias", "attention.rotary_emb.inv_freq")
    masks = {f"gpt_neox.layers.0.{each}": torch.ones(1) for each in buffers}
    for older_or_newer in ("embed_out.weight", "lm_head.weight"):
        changed = weights | masks | {older_or_newer: output.clone()}
        save_file(changed, tmp_path / "model.safetensors")
        assert load_folder(tmp_path)(random_ids(V, 2, 9)).equal(expected)


def test_masks_in_older_files_of_a_gpt_neo_are_passed_over(tmp_path):
    theirs = save(tmp_path, "gpt-neo")
    weights = load_file(tmp_path / "model.safetensors")
    masks = ("bias", "masked_bias")
    weights |= {f"transformer.h.1.attn.attention.{each}": torch.ones(1) for each in masks}
    save_file(
        weights | {"lm_head.weight": theirs.lm_head.weight.clone()}, tmp_path / "model.safetensors"
    )
    ids = random_ids(V, 2, 9)
    torch.testing.assert_close(load_folder(tmp_path)(ids), theirs(ids).logits, **close)


@pytest.mark.parametrize("name", ["neox", "gpt-neo", "phi-4", "gemma-2", "gemma-3"])
def test_half_precision_is_near_the_whole(tmp_path, name):
    save(tmp_path, name)
    whole, ids = load_folder(tmp_path), random_ids(V, 2, 9)
    half = load_folder(tmp_path, dtype=torch.bfloat16)
    assert {weight.dtype for weight in half.parameters()} == {torch.bfloat16}
    error = (half(ids).float() - whole(ids)).abs().mean() / whole(ids).std()
    assert 0 < error < 0.1


@pytest.mark.parametrize("name", ["neox", "gpt-neo", "phi-3", "gemma-2", "gemma-3", "mixtral"])
def test_the_folder_of_each_family_gives_its_tokenizer_and_its_ends(tmp_path, name):
    save(tmp_path, name)
    assert read_tokenizer(tmp_path).encode("the cat").tokens[0] == "<|begin|>"
    assert end_ids(tmp_path) == {1}


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("neox", {"attention_bias": False}, "attention_bias = False; .* where it is True or"),
        ("neox", {"hidden_act": "quick_gelu"}, "hidden_act = 'quick_gelu'; known here are relu"),
        ("neox", NO_ROTARY | {"rotary_pct": 1.5}, "rotary_share must be above 0, at most 1"),
        ("neox", NO_ROTARY | {"rotary_pct": "all"}, "rotary_pct = 'all', expected a number"),
        ("neox", NO_ROTARY | {"rotary_pct": 0.4}, "the width must be even, got 3"),
        ("neox", {"num_attention_heads": 5}, "48 does not divide into 5"),
        (
            "gpt-neo",
            PATTERNS | {"attention_types": [[["global"], 9**9]]},
            "says of 3 blocks .* model has 2",
        ),
        (
            "gpt-neo",
            PATTERNS | {"attention_types": [[["sparse"], 2]]},
            "'sparse' in attention_types",
        ),
        (
            "gpt-neo",
            PATTERNS | {"attention_types": ["global", "local"]},
            "expected a list of kinds",
        ),
        ("gpt-neo", {"intermediate_size": 24}, r"our .* is \(24, 24\), their .* \(40, 24\)"),
        ("phi-3", {"rope_parameters": LONG | {"long_factor": [1.0, 0]}}, "numbers above 0"),
        (
            "phi-3",
            {"rope_parameters": LONG | {"long_factor": [1.0]}},
            "tables of 2 and of 1 factors",
        ),
        ("phi-3", {"rope_parameters": {"rope_type": "longrope"}}, "lacks 'short_factor'"),
        ("mixtral", {"num_local_experts": 1}, "got 2 of 1"),
        ("mixtral", {"num_local_experts": 3}, "no place in the model: .*experts.3.w1"),
        ("mixtral", {"num_local_experts": 5}, "our stack.blocks.0.*experts.4.*lacks"),
        ("mixtral", {"num_experts_per_tok": None}, "mixtral model lacks num_experts_per_tok"),
        ("mixtral", {"num_local_experts": "all"}, "num_local_experts = 'all', expected a whole"),
        ("qwen-3-experts", {"num_local_experts": None}, "qwen3_moe model lacks num_experts"),
        ("qwen-3-experts", {"mlp_only_layers": [1]}, r"mlp_only_layers = \[1\]"),
        ("qwen-3-experts", {"decoder_sparse_step": 2}, "decoder_sparse_step = 2"),
        ("qwen-3-experts", {"norm_topk_prob": 1}, "norm_topk_prob = 1, expected"),
        ("gemma-2", {"use_bidirectional_attention": True}, "use_bidirectional_attention = True"),
        ("gemma-2", {"query_pre_attn_scalar": 0}, "query_pre_attn_scalar = 0, expected more"),
        ("gemma-2", {"attn_logit_softcapping": -1.0}, "score_cap must be above 0"),
        ("gemma-2", {"layer_types": [FULL, "chunked_attention"]}, "'chunked_attention' in"),
        ("gemma-3", {"attn_logit_softcapping": 5.0}, "attn_logit_softcapping = 5.0"),
        ("gemma-3", {"rope_parameters": {"rope_theta": 9.0}}, "has rope_theta in rope_parameters"),
        (
            "gemma-3",
            {"rope_parameters": {SLIDING: {"rope_type": "linear", "factor": 2.0}}},
            "scales the rotary positions of sliding_attention blocks",
        ),
    ],
)
def test_what_ours_is_not_is_refused_by_its_name(tmp_path, name, changes, said):
    save(tmp_path, name)
    change(tmp_path / "config.json", **changes)
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


def refusal(data):
    """The sentence in which a config is refused."""
    with pytest.raises(UserError) as caught:
        config_of(data)
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert ". " not in said  # one sentence
    return said


def test_each_family_that_transformers_knows_is_read_or_refused_in_one_sentence():
    assert set(FAMILIES) < set(CONFIG_MAPPING_NAMES)
    for name in set(CONFIG_MAPPING_NAMES) - set(FAMILIES):
        said = refusal({"model_type": name})
        assert f"of the family {name!r}" in said
        assert all(known in said for known in FAMILIES)
    for name, family in FAMILIES.items():
        assert f"config.json of a {name} model lacks" in refusal({"model_type": name})
        assert family.sizes


@pytest.mark.parametrize("name", ["falcon", "t5", "mamba", "olmo2", "gemma", "gemma3", "bert"])
def test_a_family_that_is_not_read_is_named_beside_those_that_are(name):
    said = refusal(AutoConfig.for_model(name).to_dict())
    assert f"of the family {name!r}; those that can be read are llama" in said


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("qwen2_moe", ", and experts that all tokens share are missing here"),
        ("gpt_oss", ", and gates with a limit are missing here"),
        (
            "deepseek_v3",
            ", and latent attention, experts that all tokens share, experts chosen by groups are "
            "missing here",
        ),
        ("olmoe", ""),
    ],
)
def test_another_mixture_of_experts_is_refused_for_what_is_missing(name, missing):
    said = refusal(AutoConfig.for_model(name).to_dict())
    assert f"of the family {name!r}, chooses among experts{missing}; families with" in said
    assert said.endswith("that can be read are mixtral, qwen3_moe.")
