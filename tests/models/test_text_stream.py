"""Text from tokens that come one by one: that of Hugging Face, and whole letters never lost."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import PreTrainedTokenizerFast, TextStreamer

from headway.models.hugging_face.text_stream import TextStream
from tests.models.folders import byte_fallback_tokenizer, tokenizer

BYTES, WORDS = byte_fallback_tokenizer(), tokenizer()


def streamed(tokenizer, ids, before=()):
    stream = TextStream(tokenizer, list(before))
    return "".join([*map(stream.step, ids), stream.rest()])


def theirs(tokenizer, ids):
    streamer, pieces = TextStreamer(PreTrainedTokenizerFast(tokenizer_object=tokenizer)), []
    streamer.on_finalized_text = lambda text, stream_end=False: pieces.append(text)
    for i in ids:
        streamer.put(torch.tensor([i]))
    streamer.end()
    return "".join(pieces)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["<0x0A>", "<0xE2>", "▁the"], "\n� the"),
        (["c", "<0x0A>", "<0xE2>", "<0x0A>", "a"], "c\n��a"),
        (["<0xC3>", "<0xA9>", "a"], "éa"),
    ],
)
def test_a_stray_byte_does_not_end_the_text_and_takes_no_line_end_with_it(tokens, text):
    ids = list(map(BYTES.token_to_id, tokens))
    assert streamed(BYTES, ids) == theirs(BYTES, ids) == text


@given(st.lists(st.integers(1, BYTES.get_vocab_size() - 1), max_size=12))
def test_whatever_bytes_come_a_text_is_written(ids):
    assert streamed(BYTES, ids).count("a") >= ids.count(BYTES.token_to_id("a"))


@pytest.mark.parametrize("made", [BYTES, WORDS])
@given(st.text("the caféñ東👍\n", max_size=9), st.text("the café 東", max_size=5))
def test_letters_of_several_tokens_come_whole_and_after_the_prompt_as_in_one_text(
    made, text, prompt
):
    before, ids = (made.encode(part, add_special_tokens=False).ids for part in (prompt, text))
    whole, begun = made.decode(before + ids), made.decode(before)
    assert begun + streamed(made, ids, before) == whole


def test_of_a_last_token_its_whole_letters_are_written():
    assert streamed(WORDS, [WORDS.token_to_id("ĠnaÃ")]) == " na"  # and one byte of "ï"
