"""Models read from GGUF files: the numbers and the ids are those of what the files were made of."""

import json

import numpy as np
import pytest
import torch
from gguf import GGUFWriter
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Tokenizer, Qwen2Tokenizer

from headway.errors import UserError
from headway.inference.cost import decoder_parameters
from headway.models.gguf.file import gguf_in
from headway.models.gguf.tokenizer import tokenizer_of
from headway.models.hugging_face.config_file import read_config
from headway.models.hugging_face.model_folder import end_ids, load_folder, stored_type
from headway.models.parts import parameter_count
from headway.nn.rotary_scaling import LinearScaling
from tests.models.folders import PIECES, N, V
from tests.models.gguf_files import (
    byte_pairs,
    merging,
    model,
    save,
    sentence_pieces,
    vocabulary,
    write,
)
from tests.models.weights import random_ids

FLOATS = {"F16": torch.float16, "BF16": torch.bfloat16}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, "F32") for name in ("llama-3", "llama-tied", "llama-yarn", "mistral-wide")),
        *((name, "Q8_0") for name in ("qwen-2", "qwen-3", "mixtral-wide", "qwen-3-experts")),
        *((name, "F16") for name in ("mixtral-wide", "qwen-3-experts")),
        *(("llama-2", kind) for kind in ("F16", "BF16", "Q8_0", "Q4_0", "Q4_1")),
    ],
)
def test_logits_are_those_of_the_model_with_the_weights_of_the_file(tmp_path, name, kind):
    theirs, ids = model(name), random_ids(V, 2, N)
    write(tmp_path / "model.gguf", theirs, kind)
    logits = load_folder(tmp_path, dtype=torch.float32)(ids)
    assert logits.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
    torch.testing.assert_close(logits, theirs(ids).logits, atol=1e-4, rtol=0)
    ours = load_folder(tmp_path / "model.gguf")
    assert stored_type(tmp_path) == ours.embedding.weight.dtype == FLOATS.get(kind, torch.float32)
    count = sum(weight.numel() for weight in theirs.parameters())
    assert parameter_count(ours) == decoder_parameters(read_config(tmp_path)) == count


def test_a_model_of_16_bits_is_read_in_them(tmp_path):
    write(tmp_path / "model.gguf", model("llama-2"), "BF16")
    assert {weight.dtype for weight in load_folder(tmp_path).parameters()} == {torch.bfloat16}


def learned() -> dict:
    """Vocabulary and merges that no rule has cut, so that a wrong rule shows in every text.

    No merge makes the token " unmerged", which Llama 3 takes whole.
    """
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    special = ["<|begin|>", "<|end|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([TEXT], trainer)
    found = json.loads(made.to_str())["model"]
    vocabulary = found["vocab"] | {"Ġunmerged": len(found["vocab"])}
    return {"vocab": vocabulary, "merges": [tuple(pair) for pair in found["merges"]]}


def of_rule(*cut: pre_tokenizers.PreTokenizer, **settings) -> Tokenizer:
    """A tokenizer as published with `tokenizers`."""
    made = Tokenizer(models.BPE(**learned(), **settings))
    made.pre_tokenizer = pre_tokenizers.Sequence(list(cut))
    made.decoder = decoders.ByteLevel()
    return made


TEXT = "It's 12345  don't\r\n\n go  ² x: d'accord, cafe\u0301 café; 東京 🙂\t... IT'S 1,000%\n " * 3
WORDS = dict.fromkeys(("unk_token", "bos_token", "eos_token", "pad_token"), "<|end|>")
RULES = {
    "gpt-2": lambda: GPT2Tokenizer(**learned(), **WORDS).backend_tokenizer,
    "qwen2": lambda: Qwen2Tokenizer(**learned(), **WORDS).backend_tokenizer,
    "smollm": lambda: of_rule(
        pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)
    ),
    "llama-bpe": lambda: of_rule(
        pre_tokenizers.Split(Regex(PIECES), "isolated"),
        pre_tokenizers.ByteLevel(False, use_regex=False),
        ignore_merges=True,
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_ids_of_each_rule_are_those_of_the_tokenizers_that_were_published_with_it(tmp_path, rule):
    theirs = RULES[rule]()
    theirs.add_special_tokens(["<|begin|>", "<|end|>"])
    write(tmp_path / "model.gguf", model("llama-2"), add=byte_pairs(theirs, rule))
    ours = tokenizer_of(gguf_in(tmp_path))
    begun = [theirs.token_to_id("<|begin|>")] if rule == "llama-bpe" else []
    for text in (TEXT, TEXT[::-1], "an unmerged a<|end|>b", "<|end|>  \n", ""):
        ids = theirs.encode(text).ids
        assert ours.encode(text).ids == begun + ids
        assert ours.decode(ids) == theirs.decode(ids)
    assert end_ids(tmp_path) == {theirs.token_to_id("<|end|>")}


# What llama.cpp makes of these texts (node-llama-cpp 3.21.1, its `tokenize` with special tokens).
BY_RULE = {
    "default": {
        "It's 12345  don't": "It ' s Ġ 123 45 Ġ Ġd on ' t",
        "IT'S x": "IT ' S Ġx",
        " ² x: d'accord": "Ġ Â² Ġx : Ġd ' ac co rd",
        "1,000%": "1 , 000 %",
        "<|begin|>  $5+": "<|begin|> ĠĠ $ 5 +",
    },
    "gpt-2": {
        "It's 12345  don't": "It 's Ġ1 23 45 Ġ Ġd on 't",
        "IT'S x": "IT ' S Ġx",
        "a\r\n\n b": "a čĊĊ Ġb",
        " ² x: d'accord": "ĠÂ² Ġx : Ġd ' ac co rd",
        "caf\u00e9 東京 🙂...": "ca fÃ© Ġæ Ŀ± äº¬ Ġð ŁĻĤ ...",
        "<|begin|>  $5+": "<|begin|> Ġ Ġ$ 5 +",
    },
    "smollm": {
        "It's 12345  don't": "It 's Ġ 1 2 3 4 5 Ġ Ġd on 't",
        "IT'S x": "IT ' S Ġx",
        "go \t\n": "go Ġ ĉĊ",
        "1,000%": "1 , 0 0 0 %",
        "x<|end|>\n y": "x <|end|> Ċ Ġy",
    },
    "llama-bpe": {
        "It's 12345  don't": "It 's Ġ 123 45 Ġ Ġdon 't",
        "IT'S x": "IT 'S Ġx",
        " ² x: d'accord": "Ġ Â² Ġx : Ġd 'a cc ord",
        "an unmerged a": "a n Ġunmerged Ġ a",
        "x<|end|>\n y": "x <|end|> Ċ Ġy",
        "": "",
    },
    "qwen2": {
        "It's 12345  don't": "It 's Ġ 1 2 3 4 5 Ġ Ġd on 't",
        "IT'S x": "IT 'S Ġx",
        " ² x: d'accord": "Ġ Â² Ġx : Ġd 'a cc ord",
        "an unmerged a": "a n Ġu nm er ged Ġ a",
        "<|begin|>  $5+": "<|begin|> Ġ Ġ$ 5 +",
    },
}
MERGED = (
    "It's 12345  don't\r\n\n go  ² x: d'accord, café; 東京 🙂\t\n... IT'S 1,000% $5+ \n\n y "
    "unmerged\na\r\n\n b"
)
SENTENCES = {
    "the cat": "▁the ▁c at",
    "<s>[INST] Hi the [/INST]": "<s> ▁[I N S T ] ▁Hi ▁the ▁ [ / I N S T ]",
    " Hi": "▁ ▁Hi",
    "</s>\n": "</s> ▁ <0x0A>",
    "  the   cat.\n\n the": "▁▁ ▁the ▁▁ ▁c at . <0x0A> <0x0A> ▁the",
    "      Hi": "▁▁▁▁▁ ▁ ▁Hi",
    "[user]the </s> cat": "[user] ▁the ▁ </s> ▁ ▁c at",
    "Hi<unk>Hi": "▁Hi <unk> ▁Hi",
    "é 東 \0": "▁ é ▁ <0xE6> <0x9D> <0xB1> ▁ <0x00>",
    "": "",
}
WITHOUT_SPACE = {
    "<s>[INST] Hi": "<s> [I N S T ] ▁Hi",
    "[user]the </s> cat": "[user] the ▁ </s> ▁c at",
    "      Hi": "▁▁▁▁▁ ▁Hi",
}


@pytest.mark.parametrize("rule", BY_RULE)
def test_byte_pairs_are_cut_as_llama_cpp_cuts_them(tmp_path, rule):
    write(tmp_path / "model.gguf", model("llama-2"), add=merging(MERGED, rule))
    ours = tokenizer_of(gguf_in(tmp_path))
    for text, pieces in BY_RULE[rule].items():
        assert " ".join(ours.encode(text, add_special_tokens=False).tokens) == pieces
    begun = ["<|begin|>"] if rule == "llama-bpe" else []
    assert ours.encode("").tokens == begun


@pytest.mark.parametrize(("space", "texts"), [(None, SENTENCES), (False, WITHOUT_SPACE)])
def test_sentence_pieces_are_cut_as_llama_cpp_cuts_them(tmp_path, space, texts):
    metadata = {"tokenizer.ggml.add_space_prefix": space}
    write(tmp_path / "model.gguf", model("llama-2"), add=sentence_pieces, **metadata)
    ours = tokenizer_of(gguf_in(tmp_path))
    for text, pieces in texts.items():
        assert " ".join(ours.encode(text, add_special_tokens=False).tokens) == pieces
        assert ours.encode(text).tokens == ["<s>", *pieces.split()]
    for text in ("the cat", " Hi", "      Hi", "é 東 \0", "the\n\n the"):
        assert ours.decode(ours.encode(text).ids) == text


def test_a_text_has_the_tokens_around_it_that_the_file_asks_for(tmp_path):
    metadata = {"tokenizer.ggml.add_bos_token": False, "tokenizer.ggml.add_eos_token": True}
    write(tmp_path / "model.gguf", model("llama-2"), add=sentence_pieces, **metadata)
    assert tokenizer_of(gguf_in(tmp_path)).encode("Hi").tokens == ["▁Hi", "</s>"]


# The ends of llama.cpp, by its `isEogToken`.
@pytest.mark.parametrize(
    ("tokens", "named", "ends"),
    [
        (["<s>", "a", "<|im_end|>", "<|endoftext|>"], {"eos": 0}, {0, 2, 3}),
        (["a", "b", "c", "d", "e"], {"eos": 0, "eot": 2, "eom": 3}, {0, 2, 3}),
        (["a", "b", "<|fim_pad|>", "<|repo_name|>"], {"eos": 0, "fim_pad": 1}, {0, 1, 3}),
        (["<|return|>", "<|call|>", "<|end|>"], {"eos": 0}, {0, 1}),
        (["<|flush|>", "<|calls|>", "<|end|>"], {"eos": 1}, {0, 1}),
        (["<|end|>", "<|call|>", "a"], {"eos": 1}, {0, 1}),
        (["</s>", "<|tool_response>", "<turn|>"], {"eos": 2}, {1, 2}),
        (["a", "</s>"], {"eos": 99}, {1}),
    ],
)
def test_a_text_ends_where_llama_cpp_ends_it(tmp_path, tokens, named, ends):
    metadata = {f"tokenizer.ggml.{name}_token_id": id for name, id in named.items()}
    add = vocabulary(tokens)
    write(tmp_path / "model.gguf", model("llama-2"), add=add, **metadata)
    assert end_ids(tmp_path) == ends


def test_a_token_that_ends_a_text_by_its_name_is_found_whole_in_any_text(tmp_path):
    write(tmp_path / "model.gguf", model("llama-2"), add=vocabulary(["a", "b", "<|im_end|>"]))
    assert tokenizer_of(gguf_in(tmp_path)).encode("a<|im_end|>b").tokens == ["a", "<|im_end|>", "b"]


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"context_length": None}, "lack context_length"),
        ({"expert_count": 4}, "model lacks num_experts_per_tok"),
        ({"expert_count": 4, "expert_used_count": 2}, "4 experts each, .* too few for them"),
        ({"expert_count": 4, "expert_used_count": 5}, "got 5 of 4"),
        ({"expert_used_count": 2}, "expert_used_count = 2, which our model does not compute"),
        ({"attention.sliding_window": 8}, "attention.sliding_window = 8"),
        ({"attention.head_count_kv": [2, 1]}, r"head_count_kv = \[2, 1\]"),
        ({"rope.dimension_count": 8}, "rope.dimension_count = 8"),
        ({"attention.causal": False}, "attention.causal = False"),
        ({"attention.clamp_kqv": 8.0}, r"attention.clamp_kqv = 8\.0"),
        ({"attention.scale": 0.5}, r"attention.scale = 0\.5"),
        ({"attention.temperature_scale": 0.1}, "attention.temperature_scale = 0.1"),
        ({"attn_logit_softcapping": 50.0}, r"attn_logit_softcapping = 50\.0"),
        ({"final_logit_softcapping": 30.0}, r"final_logit_softcapping = 30\.0"),
        ({"logit_scale": 0.25}, r"logit_scale = 0\.25"),
        ({"use_parallel_residual": True}, "use_parallel_residual = True"),
        ({"of_next_year": 1}, "of_next_year = 1, which our model does not compute"),
        ({"of_next_year": [1, 2]}, r"of_next_year = \[1, 2\]"),
        ({"rope.scaling.type": "longrope"}, "rope.scaling.type = .longrope."),
        ({"rope.scaling.type": "linear", "rope.scaling.factor": 0.5}, "must be 1 or more, got 0.5"),
        ({"split.count": 3}, "is one of 3 parts"),
        ({"embedding_length": 32}, "do not fit the model that it describes: our .* is .* their"),
    ],
)
def test_metadata_of_another_model_are_refused(tmp_path, metadata, said):
    write(tmp_path / "model.gguf", model("llama-2"), **metadata)
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"expert_count": 3}, r"experts\.0\.gate_proj\.weight, which the state dict lacks"),
        ({"expert_gating_func": 2}, "expert_gating_func = 2"),  # a sigmoid
        ({"expert_weights_norm": False}, "expert_weights_norm = False"),
        ({"expert_weights_scale": 2.5}, r"expert_weights_scale = 2\.5"),
        ({"expert_shared_count": 1}, "expert_shared_count = 1"),
        ({"leading_dense_block_count": 1}, "leading_dense_block_count = 1"),
        ({"expert_feed_forward_length": 16}, "do not fit the model that it describes: our .* is"),
    ],
)
def test_experts_of_another_kind_are_refused(tmp_path, metadata, said):
    write(tmp_path / "model.gguf", model("qwen-3-experts"), **metadata)
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


def test_a_file_of_mixtral_is_of_the_architecture_llama_and_has_experts(tmp_path):
    write(tmp_path / "model.gguf", model("mixtral-wide"), **{"expert_gating_func": 1})
    config = read_config(tmp_path)
    assert (config.experts, config.active_experts, config.renormalized) == (4, 2, True)


def test_values_that_change_nothing_are_passed_over(tmp_path):
    neutral = {"attention.causal": True, "expert_count": 0, "logit_scale": 1.0, "pooling_type": 0}
    neutral |= {"vocab_size": V, "rope.scaling.finetuned": True, "attention.scale": 0.0}
    write(tmp_path / "model.gguf", model("llama-2"), **neutral)
    assert read_config(tmp_path).vocabulary == V


def test_a_factor_alone_stretches_positions_as_llama_cpp_has_it(tmp_path):
    write(tmp_path / "model.gguf", model("llama-2"), **{"rope.scaling.factor": 4.0})
    assert read_config(tmp_path).scaling == LinearScaling(4.0)


@pytest.mark.parametrize("factors", [[1.0] * 3, [1.0, 0.0] * 8, [float("nan")] * 16])
def test_a_table_of_factors_that_fits_no_head_is_refused(tmp_path, factors):
    def add(writer):
        writer.add_tensor("rope_freqs.weight", np.array(factors, np.float32))

    write(tmp_path / "model.gguf", model("qwen-3"), add=add)
    with pytest.raises(UserError, match="expected 16 numbers above 0, one for each pair"):
        read_config(tmp_path)


def test_a_file_is_known_by_its_ending_in_either_case_and_beside_its_projector(tmp_path):
    write(tmp_path / "MODEL.GGUF", model("llama-2"))
    assert load_folder(tmp_path / "MODEL.GGUF").config.context == N
    (tmp_path / "mmproj-model-f16.gguf").write_bytes(b"it is not looked at")
    assert load_folder(tmp_path).config.context == N


@pytest.mark.parametrize(
    ("architecture", "tensors", "said"),
    [
        ("phi3", {"token_embd.weight": np.float32}, "architecture 'phi3'; those that can be read"),
        ("llama", {"token_embd.weight": np.int32}, "tensors of the type I32, which can't be read"),
        ("llama", {"output.weight": np.float32}, "has no tensor token_embd.weight"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path, architecture, tensors, said):
    writer = GGUFWriter(tmp_path / "model.gguf", architecture)
    for name, kind in tensors.items():
        writer.add_tensor(name, np.zeros((8, 32), kind))
    save(writer)
    with pytest.raises(UserError, match=said):
        load_folder(tmp_path)


def test_a_tensor_of_a_part_that_ours_lacks_is_named_before_any_is_read(tmp_path):
    def add(writer):
        writer.add_tensor("blk.0.attn_q.bias", np.zeros(96, np.float32))

    write(tmp_path / "model.gguf", model("llama-2"), add=add)
    seen = []
    with pytest.raises(UserError, match=r"no place .*: layers\.0\.self_attn\.q_proj\.bias"):
        load_folder(tmp_path, look=seen.append)
    assert seen == []


TOKENS = {
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": ["a", "b", "c", "aa", "aaa", "ab", "bc"],
    "tokenizer.ggml.scores": [0.0, -1.0, -2.0, -3.0, -3.0, -3.0, -3.0],
}


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ({"tokenizer.ggml.model": "bert"}, "of the kind 'bert'; those that can be read are gpt2"),
        ({"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "tekken"}, "the name 'tekken'"),
        ({"tokenizer.ggml.model": "gpt2"}, "does not say how it cuts text .* a newer file"),
        ({"tokenizer.ggml.model": 7}, "of the kind 7; those"),
        ({"tokenizer.ggml.model": "llama"}, "is broken: 'tokenizer.ggml.tokens'"),
        (TOKENS | {"tokenizer.ggml.tokens": ["a", "a"]}, "broken: two of its tokens are 'a'"),
        (TOKENS | {"tokenizer.ggml.tokens": ["a" * 1001, "b"]}, "one of them of 1,001"),
        (TOKENS, "'ab' and 'bc' have the same score, and nothing else says"),
    ],
)
def test_a_tokenizer_that_is_not_known_is_refused_by_name(tmp_path, metadata, said):
    write(tmp_path / "model.gguf", model("llama-2"), **metadata)
    with pytest.raises(UserError, match=said):
        tokenizer_of(gguf_in(tmp_path))


def test_a_file_that_is_broken_or_one_of_several_is_said_to_be(tmp_path):
    path = tmp_path / "model.gguf"
    write(path, model("llama-2"))
    whole = path.read_bytes()
    for content, said in (
        (whole[:-100], "Is the download complete"),
        (whole[:100], "Is the download complete"),
        (b"PK", "Is the download complete"),
        (b"", "Is the download complete"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
    ):
        path.write_bytes(content)
        with pytest.raises(UserError, match=rf"is no GGUF file that can be read .* {said}"):
            load_folder(tmp_path)
    (tmp_path / "other.gguf").write_bytes(whole)
    with pytest.raises(UserError, match=r"2 GGUF files, model\.gguf and others"):
        load_folder(tmp_path)
    assert load_folder(tmp_path / "other.gguf").config.context == N


def test_a_file_that_was_written_anew_is_read_anew(tmp_path):
    for context in (N, 2 * N):
        write(tmp_path / "model.gguf", model("llama-2"), context_length=context)
        assert read_config(tmp_path).context == context
