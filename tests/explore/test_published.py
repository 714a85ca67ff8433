"""Tokens of published tokenizers as signs."""

import pytest
from tokenizers import Tokenizer, decoders, models

from headway.explore.published import spelling


def tokenizer(vocabulary, decoder, added=()):
    made = Tokenizer(models.BPE(vocab=dict(zip(vocabulary, range(99), strict=False)), merges=[]))
    made.decoder = decoder
    made.add_special_tokens(list(added))
    return made


@pytest.mark.parametrize(
    ("decoder", "written"),
    [
        (decoders.ByteLevel(), {"Ġthe": "␣the", "Ċ": "↵", "Ã©": "é", "â": "⟨E2⟩", "中": "中"}),
        (
            decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback()]),
            {
                "▁the": "␣the",
                "<0x0A>": "↵",
                "<0x1B>": "⟨1B⟩",
                "\u200b": "⟨U+200B⟩",
                "é": "é",
                "<0xE2>": "⟨E2⟩",
                "▁▁": "␣␣",
                "<0x>": "<0x>",
            },
        ),
    ],
    ids=["byte letters", "sentence piece"],
)
def test_a_token_is_shown_as_what_it_stands_for(decoder, written):
    spell = spelling(tokenizer(written, decoder, ["<|im_end|>", "Ġ of its own"]))
    count = len(written)
    assert [spell(i) for i in range(count)] == list(written.values())
    assert [spell(count), spell(count + 1)] == ["<|im_end|>", "Ġ␣of␣its␣own"]
    assert spell(count + 2) == f"<{count + 2}>"  # a row that only fills up the table
