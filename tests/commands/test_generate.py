"""`headway generate` on folders made by Hugging Face's own classes: the text, and the sentences."""

import json

import pytest
import torch
from tokenizers import Tokenizer
from typer.testing import CliRunner

from headway.cli import app
from headway.commands.continuation import Report, sentence
from headway.commands.model_text import visible, visible_pieces
from headway.commands.published_model import check_room
from headway.errors import UserError
from headway.inference.cost import decoder_parameters
from headway.models.language_model import CONFIGS
from tests.commands.sentences import assert_sentence
from tests.models import gguf_files
from tests.models.folders import MODELS, N, V, save

PROMPT = "the cat sees a café"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder, their model, and its tokenizer."""
    path = tmp_path_factory.mktemp("model")
    theirs = save(path)
    return path, theirs, Tokenizer.from_file(str(path / "tokenizer.json"))


def ran(*arguments):
    result = CliRunner().invoke(app, ["generate", *map(str, arguments)], standalone_mode=False)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def generated(*arguments) -> dict:
    return json.loads(ran(*arguments, "--json").stdout)


def tokenizer_of(saved) -> Tokenizer:
    """A copy of its own, to change."""
    return Tokenizer.from_str(saved[2].to_str())


@pytest.fixture
def copied(saved, tmp_path):
    """A copy of the folder with a file of other content."""

    def changed(name: str, data: dict):
        for file in saved[0].iterdir():
            (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / name).write_text(json.dumps(data), "utf-8")
        return tmp_path

    return changed


def test_lengths_saved_with_the_tokenizer_neither_cut_nor_pad_the_prompt(saved, copied):
    tokenizer = tokenizer_of(saved)
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=40, pad_id=1, pad_token="<|end|>")
    folder = copied("tokenizer.json", json.loads(tokenizer.to_str()))
    for prompt in (PROMPT, "cat"):
        clean, trained = (generated(path, prompt, "--tokens", 9) for path in (saved[0], folder))
        assert trained["prompt_tokens"] == clean["prompt_tokens"]
        assert trained["text"] == clean["text"]


def greedy_text(theirs, tokenizer, tokens):
    ids = torch.tensor([tokenizer.encode(PROMPT).ids])
    found = theirs.generate(
        ids, max_new_tokens=tokens, do_sample=False, eos_token_id=1, pad_token_id=1
    )
    return tokenizer.decode(found[0, ids.shape[1] :].tolist()), found.shape[1] - ids.shape[1]


def test_the_greedy_text_is_theirs_and_what_it_took_is_counted(saved):
    path, theirs, tokenizer = saved
    expected, count = greedy_text(theirs, tokenizer, 24)
    report = generated(path, PROMPT, "--tokens", 24)
    # Bytes of a letter that was not finished at the end are left out.
    assert report["text"] == PROMPT + expected.rstrip("�")
    assert report["new_tokens"] == count
    parameters = sum(weight.numel() for weight in theirs.parameters())
    assert report["parameters"] == parameters
    assert report["weight_bytes"] == 4 * parameters
    assert report["prompt_tokens"] == len(tokenizer.encode(PROMPT).ids)
    length = report["prompt_tokens"] + 24
    assert report["cache_bytes"] == 2 * 2 * 2 * 4 * length * 4  # K and V, layers, G, D, T, bytes
    assert report["tokens_per_second"] > 0
    assert report["measured_bytes"] > report["weight_bytes"]


def test_a_gguf_file_is_a_model_too_by_itself_or_alone_in_a_folder(saved, tmp_path):
    theirs, tokenizer = gguf_files.model("llama-2"), saved[2]
    add = gguf_files.byte_pairs(tokenizer, "llama-bpe")
    template = "{{ bos_token }}{{ messages[0]['content'] }}"  # as if it were no chat
    metadata = {"tokenizer.chat_template": template}
    gguf_files.write(tmp_path / "model.gguf", theirs, "Q8_0", add, **metadata)
    expected, _ = greedy_text(theirs, tokenizer, 12)
    for path in (tmp_path, tmp_path / "model.gguf"):
        text = generated(path, PROMPT, "--tokens", 12)["text"]
        assert text == PROMPT + expected.rstrip("�")
        assert generated(path, PROMPT, "--tokens", 12, "--chat")["text"] == text[len(PROMPT) :]


@pytest.mark.parametrize("name", ["mixtral", "qwen-3-experts"])
def test_a_mixture_of_experts_is_a_model_too(tmp_path, name):
    theirs = save(tmp_path, name)
    tokenizer = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    expected, _ = greedy_text(theirs, tokenizer, 12)
    assert generated(tmp_path, PROMPT, "--tokens", 12)["text"] == PROMPT + expected.rstrip("�")


def test_the_words_come_on_stdout_and_what_it_took_beside_them(saved):
    path, theirs, tokenizer = saved
    expected, _ = greedy_text(theirs, tokenizer, 12)
    result = ran(path, PROMPT, "--tokens", 12)
    assert result.stdout == visible(PROMPT + expected.rstrip("�")) + "\n"
    assert "tokens a second" in result.stderr
    assert "GB" in result.stderr


def test_a_question_is_put_into_the_template_and_only_the_answer_is_the_text(saved, copied):
    _, theirs, tokenizer = saved
    folder = copied("generation_config.json", {"eos_token_id": []})
    template = "<|begin|>{% for m in messages %}{{ m.role }}: {{ m.content }}<|end|>\n{% endfor %}"
    (folder / "chat_template.jinja").write_text(template, "utf-8")
    # The template writes the token for the beginning: it is there once.
    text = f"<|begin|>system: the dog<|end|>\nuser: {PROMPT}<|end|>\n"
    ids = torch.tensor([tokenizer.encode(text, add_special_tokens=False).ids])
    found = theirs.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=9, do_sample=False, eos_token_id=V
    )
    answer = tokenizer.decode(found[0, ids.shape[1] :].tolist()).rstrip("�")
    asked = (folder, PROMPT, "--chat", "--system", "the dog", "--tokens", 9)
    report = generated(*asked)
    assert (report["text"], report["prompt_tokens"]) == (answer, ids.shape[1])
    assert ran(*asked).stdout == visible(answer) + "\n"


def test_a_text_ends_at_the_end_token(saved, copied):
    _, theirs, tokenizer = saved
    ids = torch.tensor([tokenizer.encode(PROMPT).ids])
    first = theirs(ids).logits[0, -1].argmax().item()
    report = generated(copied("generation_config.json", {"eos_token_id": [first]}), PROMPT)
    assert (report["text"], report["new_tokens"], report["ended"]) == (PROMPT, 1, True)


def test_an_answer_ends_at_the_end_of_its_template_too(saved, copied):
    _, theirs, tokenizer = saved
    folder = copied("generation_config.json", {"eos_token_id": []})
    asked = "<|begin|>" + PROMPT
    first = theirs(torch.tensor([tokenizer.encode(asked, add_special_tokens=False).ids]))
    end = first.logits[0, -1].argmax().item()
    made = json.loads(tokenizer.to_str())
    token = tokenizer.id_to_token(end)
    made["added_tokens"].append(made["added_tokens"][0] | {"id": end, "content": token})
    (folder / "tokenizer.json").write_text(json.dumps(made), "utf-8")
    template = "<|begin|>{% for m in messages %}{{ m.content }}{% if not add_generation_prompt %}"
    (folder / "chat_template.jinja").write_text(f"{template}{token}{{% endif %}}{{% endfor %}}")
    assert not generated(folder, PROMPT, "--tokens", 3)["ended"]
    report = generated(folder, PROMPT, "--chat", "--tokens", 3)
    assert (report["text"], report["new_tokens"], report["ended"]) == ("", 1, True)


@pytest.mark.parametrize(("tokens", "said"), [(2 * N - 20, True), (9, False)])
def test_positions_that_hang_on_the_number_of_tokens_are_said_to(tmp_path, tokens, said):
    save(tmp_path, "llama-dynamic")
    result = ran(tmp_path, "cat", "--tokens", tokens)
    assert ("with another number it may write something else" in result.stderr) == said


def test_drawn_text_follows_from_the_seed(saved):
    drawn = ["--temperature", 1.5, "--top-k", 200, "--top-p", 0.99]
    texts = [generated(saved[0], PROMPT, "--seed", seed, *drawn)["text"] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_without_a_number_it_writes_as_much_as_the_context_has_room_for(saved, copied):
    endless = copied("generation_config.json", {"eos_token_id": []})
    report = generated(endless, PROMPT)
    assert report["new_tokens"] == N - len(saved[2].encode(PROMPT).ids)
    with pytest.raises(UserError, match=rf"The prompt has \d+ tokens and the model reads {N}"):
        ran(endless, "cat " * N)


def test_half_precision_takes_half_the_memory(saved):
    whole, half = (
        generated(saved[0], PROMPT, "--tokens", 3, "--dtype", name)
        for name in ("float32", "bfloat16")
    )
    for what in ("weight_bytes", "cache_bytes"):
        assert whole[what] == 2 * half[what]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--tokens", 0], "--tokens is how many to write at most, 1 or more; got 0"),
        (["--tokens", 1000], f"new ones do not fit: the model reads {N}"),
        (["--temperature", -1], "--temperature must be 0"),
        (["--temperature", "nan"], "--temperature must be 0 .* to 1e.30; got nan"),
        (["--temperature", "inf"], "got inf"),
        (["--temperature", 1e-40], "got 1e-40"),
        (["--system", "Be brief."], "add --chat"),
        (["--top-k", 3], "add --temperature 1"),
        (
            ["--top-p", 1.5, "--temperature", 1],
            "--top-p is a probability above 0, 1 at most; got 1.5",
        ),
        (["--device", "abacus"], "--device abacus is not on this machine"),
        (["--device", "meta"], "--device meta is not on this machine"),
        (["--device", "cuda:99"], "--device cuda:99 is not on this machine"),
        (["--dtype", "int8"], "--dtype must be one of float32, bfloat16, float16; got 'int8'"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(saved, options, said):
    with pytest.raises(UserError, match=said):
        ran(saved[0], PROMPT, *options)


MANY = json.dumps(MODELS["llama-2"][1](vocab_size=2**40).to_dict())


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("tokenizer.json", None, r"has no tokenizer\.json"),
        ("tokenizer.json", "{}", r"tokenizer\.json can't be read"),
        ("config.json", '{"model_type": "bert"}', "family 'bert'; those that can be read are"),
        ("model.safetensors", None, r"neither model\.safetensors nor"),
        ("config.json", None, r"has no config\.json"),
        ("config.json", MANY, "of [0-9,.]+ million parameters, .* less than a bit for each"),
    ],
)
def test_a_broken_folder_is_one_sentence(tmp_path, file, content, said):
    save(tmp_path)
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_text(content, "utf-8")
    with pytest.raises(UserError, match=said):
        ran(tmp_path, PROMPT)


def test_a_folder_of_another_family_is_named_before_its_files_are_missed(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "t5"}', "utf-8")
    with pytest.raises(UserError, match="family 't5'; those that can be read are"):
        ran(tmp_path, PROMPT)


def test_a_seed_that_torch_cannot_take_is_a_wrong_command_line(headway, saved):
    result = headway("generate", saved[0], PROMPT, "--seed", 10**23)
    assert_sentence(result, "'--seed'", "18446744073709551615")


def test_a_prompt_that_is_no_text_is_refused(saved):
    with pytest.raises(UserError, match=r"no text in UTF-8: character 4 .*'\\udcff'"):
        ran(saved[0], "cat\udcff")


def test_a_token_that_the_model_has_no_row_for_is_named(saved, copied):
    tokenizer = tokenizer_of(saved)
    tokenizer.add_special_tokens([f"<{n}>" for n in range(V)])
    folder = copied("tokenizer.json", json.loads(tokenizer.to_str()))
    with pytest.raises(UserError, match=f"'<{V - 1}>' with the id .* the ids 0 to {V - 1}"):
        ran(folder, f"the<{V - 1}>cat")


@pytest.mark.parametrize("temperature", [0, 1])
def test_a_model_whose_logits_are_no_numbers_is_said_to_be_broken(tmp_path, temperature):
    theirs = save(tmp_path)
    theirs.model.norm.weight.data[3] = torch.nan
    theirs.save_pretrained(tmp_path)
    with pytest.raises(UserError, match=r"inf or nan in torch.float32\. .*--dtype bfloat16"):
        ran(tmp_path, PROMPT, "--temperature", temperature)


def test_what_is_no_folder_is_said_to_be_none(tmp_path):
    with pytest.raises(UserError, match=r"There is no folder .*hf download"):
        ran(tmp_path / "meta-llama", PROMPT)


def test_an_empty_prompt_is_refused_where_the_tokenizer_adds_nothing(saved, copied):
    bare = json.loads(saved[2].to_str()) | {"post_processor": None}
    with pytest.raises(UserError, match="The prompt is empty"):
        ran(copied("tokenizer.json", bare), "")


def test_a_model_larger_than_the_free_memory_is_refused(monkeypatch):
    config = CONFIGS["gpt-2"]  # 124 million parameters, and 72 KiB of cache a token in 32 bits
    needed = 4 * decoder_parameters(config) + 2 * 4 * 12 * 768 * 1024
    available = type("Memory", (), {"available": needed - 1})
    monkeypatch.setattr("psutil.virtual_memory", lambda: available)
    with pytest.raises(UserError, match=r"needs 0\.6 GB in float32 .* 0\.6 GB free\. --dtype bf"):
        check_room(config, torch.float32, torch.device("cpu"))
    available.available = needed
    check_room(config, torch.float32, torch.device("cpu"))


def test_no_character_of_a_model_commands_the_terminal():
    assert visible("a\x1b[31mb\u202e\tc\n\rd\x9be\u2066") == "a�[31mb�\tc\n�d�e�"


@pytest.mark.parametrize(
    "text",
    [
        "東京\u3000大阪",
        "«\xa0oui\xa0», 1\u202f000",
        "می\u200cروم",
        "👨\u200d👩\u200d👧 ❤\ufe0f 🏴\U000e0067\U000e0062\U000e007f",
        "soft\xadhyphen, zero\u200bwidth",
        "אבג\u200f!",
    ],
)
def test_spaces_joiners_and_marks_that_belong_to_text_are_shown(text):
    assert visible(text) == text


def test_line_ends_of_windows_are_line_ends_also_where_two_pieces_meet():
    assert "".join(visible_pieces(["a\r\nb\r", "\nc\r", "d\r"])) == "a\nb\nc�d�"


def test_what_a_single_token_took_has_no_speed():
    assert "one token" in sentence(Report("", 3, new_tokens=1, dtype="float32", device="cpu"))
