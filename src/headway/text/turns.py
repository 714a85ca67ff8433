"""Turns: questions and answers as one row of ids, which a language model can go on with.

    "heart", "black heart"    <question> h e a r t <answer> b l a c k   h e a r t <end>
    said by the model                                       ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓

Who speaks is said by three special tokens, which no text contains: they have the ids V, V+1 and
V+2, behind the V of a tokenizer. So a question can't end its own turn, whatever is written in it.
(Published models write their turns by a template, as text that is encoded afterwards; see
`headway.models.hugging_face.chat` for what that lets through.) A prompt is a row that ends with
<answer>, and the model has answered when it says <end>.

    turns = TurnTokenizer(tokenizer)
    prompt, _ = turns.encode(["heart"])
    ids, said = turns.encode(["heart", "black heart"])      # begins with the prompt

`said` marks what the model is to learn (`headway.training.answers`): each answer with the <end>
behind it, and not the <answer> before it, which whoever asks puts there.

Source: Touvron et al. 2023 (Llama 2), section 3.1, for special tokens between prompts and answers.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from headway.text.tokenizer import Tokenizer
from headway.text.vocabulary import check_sentence

SPECIAL = ("<question>", "<answer>", "<end>")


class Conversation(NamedTuple):
    """A conversation, or its beginning.

    - ids: T ids.
    - said: T marks, True where the token is one that the model says.
    """

    ids: list[int]
    said: list[bool]


class TurnTokenizer:
    """A tokenizer for conversations, made of one for texts.

    Args:
        tokenizer: of V ids; it encodes what stands between the special tokens.

    Attributes:
        question, answer, end: the ids of the special tokens.
    """

    def __init__(self, tokenizer: Tokenizer):
        self.tokenizer = tokenizer
        self.question, self.answer, self.end = (len(tokenizer) + i for i in range(3))

    def __len__(self) -> int:
        """V + 3, the number of ids."""
        return len(self.tokenizer) + len(SPECIAL)

    def encode(self, turns: Sequence[str]) -> Conversation:
        """Turns as ids; if a question comes last, as a prompt that ends where its answer begins.

        Args:
            turns: texts, first a question, then its answer, then perhaps another question, …

        Raises:
            TypeError: if the turns are one text, whose letters would be the turns.
            ValueError: if there are none.
            UnknownWordError: as the tokenizer raises it.
        """
        if isinstance(turns, str):
            raise TypeError(
                f"turns must be a list of texts, got the single text {turns!r}. A question alone "
                f"is [{turns!r}]"
            )
        if not turns:
            raise ValueError("a conversation begins with a question, got no turns")
        ids, said = [], []
        for number, text in enumerate(turns):
            written = list(self.tokenizer.encode(text))
            if number % 2:
                ids += [*written, self.end]
                said += [True] * (len(written) + 1)
            else:
                ids += [self.question, *written, self.answer]
                said += [False] * (len(written) + 2)
        return Conversation(ids, said)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of T ids, special tokens spelled out: `<question>heart<answer>`.

        Raises:
            IndexError: if an id is not in 0 … V+2.
            ValueError: if the ids are a batch.
        """
        size, spelled = len(self.tokenizer), []
        for special, run in groupby(check_sentence(ids, len(self)).tolist(), lambda id: id >= size):
            here = list(run)
            spelled += (
                [SPECIAL[id - size] for id in here] if special else [self.tokenizer.decode(here)]
            )
        return "".join(spelled)
