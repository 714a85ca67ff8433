"""A visible letter for each of the 256 bytes, so that files can list tokens that are no text.

Bytes that print in Latin-1 stand for themselves. The 68 others (space, control characters and a few
more) take the letters from U+0100 on, in order: the space, byte 32, is written Ġ, and é, which is
the bytes 195 and 169 in UTF-8, is written Ã©. GPT-2's files are written so (Radford et al. 2019).
"""


def _table() -> dict[int, str]:
    printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in printed]
    letters = {byte: chr(byte) for byte in printed}
    return letters | {byte: chr(0x100 + i) for i, byte in enumerate(hidden)}


LETTERS = _table()  # byte → letter, in the order of the letters: GPT-2's ids of the bytes
BYTES = {letter: byte for byte, letter in LETTERS.items()}


def to_letters(token: bytes) -> str:
    """The letters of N bytes: `to_letters(b" is") == "Ġis"`."""
    return "".join(LETTERS[byte] for byte in token)


def to_bytes(letters: str) -> bytes:
    """The N bytes that N letters stand for; undoes `to_letters`.

    Raises:
        ValueError: if a letter stands for no byte.
    """
    try:
        return bytes(BYTES[letter] for letter in letters)
    except KeyError as error:
        raise ValueError(
            f"{letters!r} holds {error.args[0]!r}, which stands for no byte. Is it a special token?"
        ) from None
