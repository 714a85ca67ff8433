"""Chat templates of the kinds that models bring: the text and the ids are Hugging Face's."""

import json

import pytest
from transformers import PreTrainedTokenizerFast

from headway.errors import UserError
from headway.models.hugging_face import chat
from headway.models.hugging_face.chat import (
    answer_ends,
    chat_text,
    has_template,
    read_template,
    special_tokens,
)
from headway.models.hugging_face.tokenizer import encode, read_tokenizer
from tests.models.folders import tokenizer

MARKS = ["<|im_start|>", "<|im_end|>", "[INST]", "[/INST]", "<|start|>", "<|stop|>", "<|turn|>"]
QUESTION = ' Is <b>café</b> & "thé" {{ 1 }}\nthe same?\n<|im_end|>\n'
CHAT_ML = """\
{% if messages[0].role != 'system' %}
{{ '<|im_start|>system\\nYou help.<|im_end|>\\n' -}}
{% endif %}
{% for message in messages %}
    {# one turn #}
    {{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + eos_token + '\\n' -}}
{% endfor %}
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}
"""
LLAMA_3 = """\
{{- bos_token }}
{%- set date = date_string if date_string is defined else strftime_now("%d %B %Y") %}
{%- macro head(role) %}<|start|>{{ role }}<|stop|>{{ "\n\n" }}{% endmacro %}
{%- if messages[0]["role"] == "system" %}
    {%- set told, messages = messages[0]["content"] | trim, messages[1:] %}
{%- else %}
    {%- set told = "" %}
{%- endif %}
{{- head("system") ~ "Today: " ~ date ~ "\n" ~ told ~ "<|turn|>" }}
{%- for message in messages %}
    {{- head(message.role) + message["content"] | trim + "<|turn|>" }}
{%- endfor %}
{%- if add_generation_prompt %}{{- head("assistant") }}{%- endif %}
"""
MISTRAL = """\
{{ bos_token }}
{%- set ns = namespace(turns=0, told="") %}
{%- for message in messages %}
    {%- if message.role == "system" %}
        {%- set ns.told = message.content + "\\n\\n" %}{% continue %}
    {%- endif %}
    {%- if (message.role == "user") != (ns.turns % 2 == 0) %}
        {{- raise_exception("Turns of user and assistant must alternate!") }}
    {%- endif %}
    {%- set ns.turns = ns.turns + 1 %}
    {%- if message.role == "user" %} [INST] {{ ns.told ~ message.content }} [/INST]
    {%- else %}{% generation %} {{ message.content }}{{ eos_token }}{% endgeneration %}
    {%- endif %}
{%- endfor %}
"""
QWEN = """\
{%- if tools %}{{- tools | tojson }}{%- endif %}
{%- set ns = namespace(last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- if message.role == "user" and message.content is string %}
        {%- set ns.last = messages|length - 1 - loop.index0 %}{%- break %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {{- '<|im_start|>' ~ message.role ~ '\\n' ~ (message | tojson(indent=2)) }}
    {{- message.content.split('</think>')[-1].strip() ~ (loop.index0 == ns.last) }}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if not enable_thinking | default(true) %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}
"""
KINDS = {"chat-ml": CHAT_ML, "llama-3": LLAMA_3, "mistral": MISTRAL, "qwen": QWEN}


def change_settings(folder, **settings):
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | settings), "utf-8")


def saved(folder, template=None):
    """A folder as Hugging Face saves it, and their tokenizer."""
    made = tokenizer()
    made.add_special_tokens(MARKS)
    ends = {"bos_token": "<|begin|>", "eos_token": "<|im_end|>"}
    theirs = PreTrainedTokenizerFast(tokenizer_object=made, **ends, chat_template=template)
    theirs.save_pretrained(folder)
    return theirs


@pytest.mark.parametrize("system", [None, "Be <brief>."])
@pytest.mark.parametrize("template", KINDS.values(), ids=KINDS)
def test_text_and_ids_are_theirs_also_where_the_question_holds_special_tokens(
    tmp_path, template, system
):
    theirs = saved(tmp_path, template)
    messages = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": QUESTION})
    text = chat_text(tmp_path, QUESTION, system)
    options = {"add_generation_prompt": True}
    assert text == theirs.apply_chat_template(messages, tokenize=False, **options)
    ids = encode(read_tokenizer(tmp_path), text, len(theirs), add_special_tokens=False)
    assert ids == theirs.apply_chat_template(messages, return_dict=False, **options)
    assert theirs.eos_token_id in ids  # typed by the user


@pytest.mark.parametrize(
    "found",
    [
        CHAT_ML,
        [{"name": "tool_use", "template": "no"}, {"name": "default", "template": CHAT_ML}],
        {"rag": "no", "default": CHAT_ML},
    ],
)
def test_a_template_may_stand_among_the_tokenizers_settings(tmp_path, found):
    saved(tmp_path)
    change_settings(tmp_path, chat_template=found)
    assert read_template(tmp_path) == CHAT_ML
    (tmp_path / "chat_template.jinja").write_text(QWEN, "utf-8")
    assert read_template(tmp_path) == QWEN
    assert PreTrainedTokenizerFast.from_pretrained(tmp_path).chat_template == QWEN


@pytest.mark.parametrize("listed", [True, False])
def test_special_tokens_are_those_that_they_read(tmp_path, listed):
    begin = {"__type": "AddedToken", "content": "<|begin|>"}
    settings = {"bos_token": begin, "add_bos_token": True, "pad_token": None}
    settings |= {"eos_token": "<|end|>", "tokenizer_class": "TokenizersBackend"}
    settings |= {"added_tokens_decoder": {"0": {"content": "<|begin|>"}}} if listed else {}
    saved(tmp_path)
    change_settings(tmp_path, **settings)
    (tmp_path / "special_tokens_map.json").write_text('{"eos_token": "<|im_end|>"}', "utf-8")
    theirs = PreTrainedTokenizerFast.from_pretrained(tmp_path).special_tokens_map
    end = "<|end|>" if listed else "<|im_end|>"
    assert special_tokens(tmp_path) == theirs == {"bos_token": "<|begin|>", "eos_token": end}


ENDS = {
    "<|im_end|>": "{{ m.content }}<|im_end|>\n",
    "<|turn|>": "{{ m.content | trim }}<|turn|>{{ eos_token }}",
    "<|end|>": " {{ m.content }} <|end|> again <|im_end|>",
    None: "{{ m.content }} and so on <|im_end|>",
}


@pytest.mark.parametrize("end", ENDS)
def test_an_answer_ends_where_the_template_ends_it(tmp_path, end):
    saved(tmp_path, "{% for m in messages %}" + ENDS[end] + "{% endfor %}")
    tokenizer = read_tokenizer(tmp_path)
    assert answer_ends(tmp_path, tokenizer) == ({tokenizer.token_to_id(end)} if end else set())


def test_a_template_that_takes_no_answer_ends_none(tmp_path):
    saved(tmp_path, "{{ raise_exception('no') if messages|length > 1 else messages[0].content }}")
    assert answer_ends(tmp_path, read_tokenizer(tmp_path)) == frozenset()
    assert has_template(tmp_path)


def test_a_folder_without_a_template_is_said_to_have_none(tmp_path):
    saved(tmp_path)
    with pytest.raises(UserError, match=r"no chat template: .* without --chat"):
        chat_text(tmp_path, QUESTION)
    assert not has_template(tmp_path)
    assert answer_ends(tmp_path, read_tokenizer(tmp_path)) == frozenset()


LOOPS = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ ''.__class__.__mro__ }}", "attribute '__class__' of 'str' object is unsafe"),
        ("{{ messages.append(1) }}", "attribute 'append' of 'list' object is unsafe"),
        ("{{ raise_exception('no place for a system message') }}", "no place for a system"),
        ("{% for %}", "gives no text for these messages: "),
        ("{{ messages[0].name + 1 }}", "has no attribute 'name'"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{{ 'a' * 10 ** 10 }}", "MemoryError"),
        ("{{ 10 * '1234' * 10 ** 6 }}", "40,000,000 characters"),
        ("{{ range(10 ** 6) }}", "Range too big"),
        (LOOPS, "still not done after 1 seconds"),
    ],
)
def test_a_template_that_is_broken_or_hostile_ends_in_a_sentence(
    tmp_path, monkeypatch, template, said
):
    if template == LOOPS:
        monkeypatch.setattr(chat, "SECONDS", 1.0)
    (tmp_path / "chat_template.jinja").write_text(template, "utf-8")
    with pytest.raises(UserError, match=said):
        chat_text(tmp_path, QUESTION)
