"""The file of chapter 11: a model that learns and writes names, and reads published weights.

That it *is* the model of `headway` is what these tests hold, on weights at no special value.
"""

import unicodedata
from unittest.mock import Mock

import pytest
import torch
from headway_book.one_file import states_until
from transformers import LlamaConfig, LlamaForCausalLM

from headway.inference.decoding import generate
from headway.inference.predictor import Uncached
from headway.models.gguf.file import gguf_in
from headway.models.gguf.tokenizer import tokenizer_of
from headway.models.hugging_face.model_folder import load_folder
from headway.training.runs import kept_run
from tests.models.gguf_files import merging, write
from tests.models.weights import random_ids, redrawn

TEXT = "It's 12345  don't go  x: d'accord, café 東京 🙂\t... we'll IT'S 1,000% snake_case  7 \n\n y"
TEXTS = (TEXT, TEXT[::-1], "  9", "a  b", "'s 's", "\n\n", "_ __x", "ends ", "naïve ² 5", "")


@pytest.fixture(scope="module")
def file(root):
    names = {"__name__": "transformer"}
    exec(states_until(root / "book", 11)[11].text(11, ""), names)
    return names


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Type of its matrices → a small model of SmolLM2's kind in a GGUF file, and Hugging Face's."""

    def make(kind):
        add, counted = merging(TEXT, "smollm"), Mock()
        add(counted)
        config = LlamaConfig(
            vocab_size=len(counted.add_token_list.call_args[0][0]), hidden_size=96,
            intermediate_size=64, num_hidden_layers=2, num_attention_heads=6, rms_norm_eps=1e-5,
            num_key_value_heads=2, tie_word_embeddings=True, bos_token_id=0, eos_token_id=1,
        )  # fmt: skip
        theirs, path = redrawn(LlamaForCausalLM(config)).eval(), tmp_path_factory.mktemp("gguf")
        write(path / "model.gguf", theirs, kind, add)
        return path / "model.gguf", theirs

    return make


@pytest.mark.parametrize("kind", ["F32", "F16", "Q8_0", "Q4_1"])
def test_11_a_published_model_says_in_the_file_s_classes_what_it_says_elsewhere(
    file, published, kind
):
    path, theirs = published(kind)
    model, tokens, _ = file["load"](path)
    ids = random_ids(len(tokens), 2, 20)
    with torch.no_grad():
        logits, expected = model(ids), theirs(ids).logits
        assert expected.std() > 0.5  # large enough for a tolerance of 1e-4 to mean something
        torch.testing.assert_close(logits, expected, atol=1e-4, rtol=0)
        ours = load_folder(path, dtype=torch.float32)
        torch.testing.assert_close(logits, ours(ids), atol=1e-4, rtol=0)
    said = generate(Uncached(ours, 2048), ids, 5)
    assert torch.equal(file["generate"](model, ids, 5, temperature=0), said)


def test_11_a_text_is_cut_as_the_tokenizer_of_the_published_file_cuts_it(file, published):
    path, _ = published("F32")
    _, tokens, merges = file["load"](path)
    theirs = tokenizer_of(gguf_in(path))
    for text in TEXTS:
        ids = file["cut"](text, tokens, merges)
        assert ids == theirs.encode(text, add_special_tokens=False).ids, text
        assert file["text_of"](ids, tokens) == text


def test_11_the_record_of_the_names_is_what_the_file_s_functions_do(file):
    """Its first losses and what it writes; another version of Unicode has other names."""
    run = kept_run("11-names")
    model = file["Transformer"](V=len(file["LETTERS"]), C=128, H=4, G=4, M=352, L=4)
    run.load_into(model)
    names = file["read_names"]()
    _, held_out = file["split"](names)
    with torch.no_grad():
        reached = file["loss_of"](model, held_out[::4]).item()
    assert reached == pytest.approx(run.log["first"]["looks"][-1]["held_out"], abs=0.1)
    if unicodedata.unidata_version != run.log["unicode"]:
        pytest.skip(f"Unicode is {unicodedata.unidata_version}, the record's {run.log['unicode']}")
    torch.manual_seed(0)
    file["random"].seed(0)
    seen, _ = file["split"](names)
    fresh = file["Transformer"](V=len(file["LETTERS"]), C=128, H=4, G=4, M=352, L=4)
    losses = file["train"](fresh, seen, file["STEPS"])
    first = [next(losses) for _ in range(10)]
    assert first == pytest.approx(run.log["first"]["losses"][:10], abs=2e-3)


def test_11_names_are_split_by_their_letters_alone(file):
    names = file["read_names"]()
    seen, held_out = file["split"](names)
    assert sorted([*seen, *held_out]) == names
    assert 0.05 < len(held_out) / len(names) < 0.075
    assert "dogra letter na" in held_out
    assert {"dogra letter ba", "dogra letter ca"} <= set(seen)
    fewer = set(names[::2])
    assert set(file["split"](sorted(fewer))[1]) == fewer & set(held_out)
    inputs, targets = file["batch_of"](["cat", "a"])
    assert inputs.tolist() == [[0, *file["ids_of"]("cat")], [0, 3, 0, 0]]
    assert targets.tolist() == [[*file["ids_of"]("cat"), 0], [3, 0, -1, -1]]
