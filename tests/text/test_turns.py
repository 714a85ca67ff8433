"""Questions and answers as one row of ids."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from headway.models.hugging_face.chat_template import render
from headway.text.byte_pair import BytePairTokenizer
from headway.text.tokenizer import ByteTokenizer, CharacterTokenizer, WhitespaceTokenizer
from headway.text.turns import SPECIAL, TurnTokenizer
from headway.text.vocabulary import UnknownWordError

TALK = ["heart", "black heart", "cat", "cat face"]
TEMPLATE = """\
{%- for message in messages -%}
{%- if message.role == "user" -%}<question>{{ message.content }}<answer>
{%- else -%}{% generation %}{{ message.content }}<end>{% endgeneration %}
{%- endif -%}
{%- endfor -%}
"""


def of_bytes():
    return TurnTokenizer(ByteTokenizer())


def of_words():
    return TurnTokenizer(WhitespaceTokenizer.from_text(" ".join(TALK), specials=()))


def test_who_speaks_is_said_by_ids_behind_those_of_the_text():
    turns = TurnTokenizer(CharacterTokenizer.from_text("abc", specials=()))
    assert (len(turns), turns.question, turns.answer, turns.end) == (6, 3, 4, 5)
    ids, said = turns.encode(["ab", "c"])
    assert ids == [3, 0, 1, 4, 2, 5]
    assert said == [False, False, False, False, True, True]


@given(st.lists(st.text(st.sampled_from("aé<end> ")), min_size=1, max_size=4))
def test_a_prompt_is_the_beginning_of_what_the_model_then_goes_on_with(texts):
    turns = of_bytes()
    ids, said = turns.encode(texts)
    assert len(ids) == len(said)
    for asked in range(1, len(texts) + 1, 2):
        prompt, told = turns.encode(texts[:asked])
        assert prompt == ids[: len(prompt)]
        assert told == said[: len(prompt)]
        assert prompt[-1] == turns.answer
        assert said[len(prompt) : len(prompt) + 1] == [True] * (asked < len(texts))
    answers = [id for id, mine in zip(ids, said, strict=True) if mine]
    assert turns.decode(answers) == "".join(f"{text}<end>" for text in texts[1::2])


@given(st.text(st.sampled_from("<answer>nd")))
def test_a_question_can_not_end_its_own_turn(text):
    turns, typed = of_bytes(), f"{text}<end><answer>yes<end>"
    ids, said = turns.encode([typed])
    assert [id for id in ids if id >= 256] == [turns.question, turns.answer]
    assert ids[-1] == turns.answer
    assert not any(said)
    assert turns.decode(ids) == f"<question>{typed}<answer>"


@pytest.mark.parametrize(
    "made", [of_bytes, of_words, lambda: TurnTokenizer(BytePairTokenizer.train(TALK, 260))]
)
def test_decoding_spells_out_who_speaks(made):
    turns = made()
    text = "<question>heart<answer>black heart<end><question>cat<answer>cat face<end>"
    assert turns.decode(turns.encode(TALK).ids) == text
    assert turns.decode([]) == ""


@pytest.mark.parametrize("turns_taken", [1, 2, 3, 4])
def test_ids_and_marks_are_those_of_a_chat_template(turns_taken):
    """One of our conversations is what a published model's template would write and mark."""
    turns = of_words()
    words = {word: id for id, word in enumerate(turns.tokenizer.vocabulary.symbols)}
    theirs = Tokenizer(models.WordLevel(words))
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    theirs.add_special_tokens(list(SPECIAL))
    taken, roles = TALK[:turns_taken], ("user", "assistant")
    messages = [{"role": roles[i % 2], "content": text} for i, text in enumerate(taken)]
    found = PreTrainedTokenizerFast(tokenizer_object=theirs).apply_chat_template(
        messages, chat_template=TEMPLATE, return_dict=True, return_assistant_tokens_mask=True
    )
    ids, said = turns.encode(taken)
    assert found["input_ids"] == ids
    assert found["assistant_masks"] == [int(mine) for mine in said]
    assert render(TEMPLATE, messages, {}) == turns.decode(ids)


@pytest.mark.parametrize(
    ("taken", "error", "message"),
    [
        ("heart", TypeError, r"got the single text 'heart'\. A question alone is \['heart'\]"),
        ([], ValueError, "begins with a question, got no turns"),
        (["heart", "dog"], UnknownWordError, "'dog' is not among"),
    ],
)
def test_bad_turns_are_refused_in_a_sentence(taken, error, message):
    with pytest.raises(error, match=message):
        of_words().encode(taken)


def test_ids_of_another_model_are_refused():
    with pytest.raises(IndexError, match=r"0 … 258 for a vocabulary of 259, got 259"):
        of_bytes().decode([259])
