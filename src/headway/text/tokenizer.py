"""From text to tokens: four ways to cut a text, behind one interface.

A tokenizer cuts a text into tokens, and names each token by an id in 0 … V−1:

- `WhitespaceTokenizer`: a token is what stands between white space. V is the number of words seen,
  and a word that was not seen cannot be encoded.
- `RuleTokenizer`: a token is a word or a mark, by the Penn Treebank's rules. Again V is the number
  of those seen, and others cannot be encoded.
- `CharacterTokenizer`: a token is a code point of Unicode. V is the number of characters seen, and
  others cannot be encoded.
- `ByteTokenizer`: a token is a byte of UTF-8. V is 256, and every text can be encoded.

Downwards, texts get longer (T ids) and vocabularies smaller (V ids). Byte pair encoding
(`headway.text.byte_pair`) has the same interface and lets you choose V between the last of these
and the first.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from headway.text.treebank import join_words, split_words
from headway.text.vocabulary import UNKNOWN, Vocabulary, check_sentence


class Tokenizer(Protocol):
    """What every tokenizer can do."""

    def __len__(self) -> int:
        """V, the number of ids."""

    def tokens(self, text: str) -> list[str | bytes]:
        """The T tokens of a text."""

    def encode(self, text: str) -> list[int]:
        """The T ids of a text."""

    def decode(self, ids: Iterable[int]) -> str:
        """The text of T ids."""


class VocabularyTokenizer:
    """A way to cut and to join, with a vocabulary for what comes out.

    Subclasses give the two functions: `tokens` cuts a text, `join` makes a text of tokens.

    Args:
        vocabulary: V symbols; with `<unk>` among them, unknown tokens take its id.
    """

    tokens: "staticmethod[[str], list[str]]"
    join: "staticmethod[[Sequence[str]], str]"

    def __init__(self, vocabulary: Vocabulary):
        self.vocabulary = vocabulary

    @classmethod
    def from_text(cls, text: str, specials: Sequence[str] = (UNKNOWN,)) -> Self:
        """The tokenizer that knows all tokens of `text`.

        Raises:
            TypeError: if `text` is not one string.
        """
        check_text(text)
        return cls(Vocabulary(cls.tokens(text), specials))

    def __len__(self) -> int:
        """V, the number of symbols, special ones included."""
        return len(self.vocabulary)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.vocabulary!r})"

    def encode(self, text: str) -> list[int]:
        """The T ids of a text.

        Raises:
            TypeError: if `text` is not one string.
            UnknownWordError: if a token is unknown and there is no `<unk>`.
        """
        check_text(text)
        return self.vocabulary.encode(self.tokens(text)).tolist()

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids of shape (T,).

        Raises:
            IndexError: if an id is not in 0 … V−1.
            ValueError: if the ids are a batch.
        """
        return self.join(self.vocabulary.decode(ids))


def check_text(text: str) -> None:
    """Raise TypeError unless a text is one string."""
    if not isinstance(text, str):
        raise TypeError(
            f"text must be one string, got {type(text).__name__}. Of several texts, encode one "
            "after the other; to make a tokenizer of them, join them"
        )


class WhitespaceTokenizer(VocabularyTokenizer):
    """Words are what stands between white space: `"Stop, now."` is `Stop,` and `now.`

    Decoding puts one space between words, whatever white space was there.
    """

    tokens = staticmethod(str.split)
    join = staticmethod(" ".join)


class RuleTokenizer(VocabularyTokenizer):
    """English words and marks (`headway.text.treebank`): `"Don't!"` is `Do`, `n't` and `!`."""

    tokens = staticmethod(split_words)
    join = staticmethod(join_words)


class CharacterTokenizer(VocabularyTokenizer):
    """Code points: `"né"` is `n` and `é`, or `n`, `e` and an accent if it is written decomposed.

    White space is a character like any other, so decoding gives the very text back.
    """

    join = staticmethod("".join)

    @staticmethod
    def tokens(text: str) -> list[str]:
        """The T code points of a text."""
        return list(text)


class ByteTokenizer:
    """Bytes of UTF-8, each its own id: `"é"` is 195, 169. Nothing is unknown or learned."""

    def __len__(self) -> int:
        """V = 256."""
        return 256

    def __repr__(self) -> str:
        return "ByteTokenizer()"

    def tokens(self, text: str) -> list[bytes]:
        """The T bytes of a text, one by one."""
        return [bytes([byte]) for byte in text.encode()]

    def encode(self, text: str) -> list[int]:
        """The T bytes of a text as integers.

        Raises:
            UnicodeEncodeError: if the text holds half a surrogate pair, which is no character.
        """
        return list(text.encode())

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids of shape (T,); bytes that are no UTF-8 become �.

        Raises:
            IndexError: if an id is not in 0 … 255.
            ValueError: if the ids are a batch.
        """
        return bytes(check_sentence(ids, len(self)).tolist()).decode("utf-8", errors="replace")
