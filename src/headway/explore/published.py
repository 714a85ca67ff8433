"""A published model as what is explored: its tokens as the page shows them."""

from collections.abc import Callable

from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel

from headway.explore.signs import printed
from headway.text.byte_letters import to_bytes


def spelling(tokenizer: Tokenizer) -> Callable[[int], str]:
    """A function from an id to the token as it is shown: white space as signs, special ones whole,
    and what prints nothing by its number (`headway.explore.signs`).

    Tokenizers write their tokens in one of two alphabets: GPT-2's letters for bytes
    (`headway.text.byte_letters`), or SentencePiece's, in which "▁" is a space and "<0x0A>" a byte.
    Ids that only fill up the model's table are shown as numbers.
    """
    added = tokenizer.get_added_tokens_decoder()
    to_token = of_letters if isinstance(tokenizer.decoder, ByteLevel) else of_sentence_piece

    def spell(token: int) -> str:
        name = tokenizer.id_to_token(token)
        if name is None:
            return f"<{token}>"
        return printed(name.encode() if token in added else to_token(name))

    return spell


def of_letters(name: str) -> bytes:
    """The bytes of a token in GPT-2's letters; one that is written otherwise as it is."""
    try:
        return to_bytes(name)
    except ValueError:
        return name.encode()


def of_sentence_piece(name: str) -> bytes:
    """The bytes of a token in SentencePiece's alphabet."""
    if len(name) == len("<0x0A>") and name.startswith("<0x") and name.endswith(">"):
        return bytes.fromhex(name[3:5])
    return name.replace("▁", " ").encode()
