"""From text to tokens: two ways to cut a text, behind one interface.

A tokenizer cuts a text into tokens, and names each token by an id in 0 … V−1:

- `RuleTokenizer`: a token is a word or a mark, by the Penn Treebank's rules. V is the number of
  those seen, and others cannot be encoded.
- `CharacterTokenizer`: a token is a code point of Unicode. Again V is the number of those seen, and
  others cannot be encoded.

Texts of characters are longer (T ids), and their vocabularies smaller (V ids). Byte pair encoding
(`headway.text.byte_pair`) has the same interface, can encode every text, and lets you choose V.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from headway.text.treebank import join_words, split_words
from headway.text.vocabulary import UNKNOWN, Vocabulary


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
