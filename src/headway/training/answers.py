"""Learning to answer: the loss counts what the model says, and nothing that it is told.

    row        <question> h i <answer> y o <end>
    inputs     <question> h i <answer> y o           (B, T)
    targets        –      – –    y     o <end>       (B, T), – is `IGNORE`

A token is predicted one place before it stands. So the first target is at the <answer>, the last
token of the prompt; the last one is <end>, without which the model would never learn to stop. With
these targets, `headway.training.loss.cross_entropy` is the mean of −ln p over the answers' tokens.

    inputs, targets = answer_batch([turns.encode(["hi", "yo"]), …])
    loss = cross_entropy(model(inputs), targets)

The prompt is still read, and gradients run back through it; it is only not asked for.

Source: Touvron et al. 2023 (Llama 2), section 3.1.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from headway.shapes import ShapeError
from headway.training.loss import IGNORE


def answer_batch(
    conversations: Iterable[tuple[Sequence[int], Sequence[bool]]], padding: int = 0
) -> tuple[Tensor, Tensor]:
    """Inputs and targets of conversations, those of different lengths filled up on the right.

    Args:
        conversations: B pairs of ids and marks, True where the token is one that the model says;
            `headway.text.turns.TurnTokenizer.encode` makes them.
        padding: an id to fill up with; any will do, as no token that counts can see it.

    Returns:
        inputs, targets: int64 (B, T), T one less than the longest conversation; `IGNORE` where the
        next token is not the model's.

    Raises:
        TypeError: if there is one conversation, without a list around it.
        ShapeError: if a conversation has not one mark for each id.
        ValueError: if there are no conversations, the model says nothing in one, or it says the
            first token, before which there is nothing to predict it from.
    """
    inputs, targets = [], []
    for number, conversation in enumerate(conversations):
        if len(conversation) != 2:
            raise TypeError(
                f"each conversation is a pair of ids and marks, got {conversation!r}. "
                "Is the list around a single one missing?"
            )
        row = torch.as_tensor(conversation[0], dtype=torch.int64)
        said = torch.as_tensor(conversation[1], dtype=torch.bool)
        if row.shape != said.shape or row.dim() != 1:
            raise ShapeError(
                f"ids {tuple(row.shape)} and marks {tuple(said.shape)} of a conversation; "
                "expected (T,) and (T,), one mark for each id"
            )
        if not said.any() or said[0]:
            raise ValueError(
                f"conversation {number} must have a prompt and then an answer, got the marks "
                f"{said.tolist()}. Is it a prompt alone?"
            )
        inputs.append(row[:-1])
        targets.append(row[1:].masked_fill(~said[1:], IGNORE))
    if not inputs:
        raise ValueError("a batch needs a conversation at least, got none")
    return pad_sequence(inputs, True, padding), pad_sequence(targets, True, IGNORE)
