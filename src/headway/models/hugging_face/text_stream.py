"""The text of tokens that come one by one: each piece as soon as its letters are whole.

A token may end within a letter, and what a token looks like depends on the one before it: a space
may belong to either. So the tokens that were written last are decoded again with each new one, and
the piece is what this adds.
"""

from tokenizers import Tokenizer

BROKEN = "�"  # bytes that are no UTF-8


class TextStream:
    """Tokens in, pieces of text out. Special tokens have no text.

    The pieces together are the text of all tokens, with one difference. Tokenizers of Llama 2's
    kind make a letter that they have no token for from tokens of one byte each, and where some of
    these bytes are no UTF-8, decoding all of them at once takes back letters that are whole and
    were written already. Here they stay.

    Args:
        tokenizer: of the model.
        ids: the tokens before the first piece, which are not written.
    """

    def __init__(self, tokenizer: Tokenizer, ids: list[int]):
        self.tokenizer = tokenizer
        self.written, self.held = list(ids), []

    def step(self, token: int) -> str:
        """The piece that a token completes; "" while a letter is not whole."""
        self.held.append(token)
        piece = self._text_of_held()
        if not piece or piece.endswith(BROKEN):
            return ""
        self.written, self.held = self.held, []
        return piece

    def rest(self) -> str:
        """What is left when no token follows: whole letters, without bytes of an unfinished one."""
        return self._text_of_held().rstrip(BROKEN)

    def _text_of_held(self) -> str:
        before = self.tokenizer.decode(self.written)
        both = self.tokenizer.decode(self.written + self.held)
        if both.startswith(before):
            return both[len(before) :]
        return self.tokenizer.decode(self.held)
