"""Texts of different lengths as one batch, and back.

    pad([[5, 6, 7], [8]], 0)         5 6 7    and       pad_left([[5, 6, 7], [8]], 0)    5 6 7
                                     8 0 0                                               0 0 8
    cut_at(ids, end)                 each row up to its end symbol

On the right padding is never seen by what stands before it, in a model that looks back only, and
`headway.nn.masks.token_mask` hides it from one that sees all. On the left it lets all prompts end
in the same column, where the next token is asked for; a language model is told where they start.
"""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from headway.models.parts import check_batch


def pad(sentences: Iterable[Sequence[int]], padding: int) -> Tensor:
    """Sentences of different lengths as one batch, filled up on the right.

    Args:
        sentences: B lists of ids.
        padding: the id that the shorter ones are filled up with.

    Returns:
        (B, T) int64, T the longest of them.

    Raises:
        TypeError: if the sentences are not lists of ids.
        ValueError: if there are no sentences.
    """
    return nn.utils.rnn.pad_sequence(rows_of(sentences), True, padding)


def pad_left(sentences: Iterable[Sequence[int]], padding: int) -> tuple[Tensor, Tensor]:
    """Prompts of different lengths as one batch, filled up on the left.

        ids, starts = pad_left(prompts, padding)
        generate(CachedLanguageModel(model, len(ids), starts=starts), ids, steps)

    Arguments and errors as for `pad`; any id will do for the padding, since no token sees it.

    Returns:
        ids (B, T) int64, T the longest prompt, and starts (B,) int64, where each prompt begins.
    """
    rows = rows_of(sentences)
    ids = nn.utils.rnn.pad_sequence(rows, True, padding, padding_side="left")
    return ids, ids.shape[1] - torch.tensor([len(row) for row in rows])


def cut_at(ids: Tensor, end: int) -> list[list[int]]:
    """Each row up to its first end symbol, which is left out; a row without one stays whole.

    Where the prompt holds the end symbol too, take it off first: cut_at(ids[:, T:], end).

    Args:
        ids: (B, T) int.
        end: the id of the end symbol.

    Returns:
        B lists of at most T ids, as `decode` takes them.

    Raises:
        ShapeError: if ids are not (B, T).
    """
    check_batch(ids)
    return [row[: row.index(end)] if end in row else row for row in ids.tolist()]


def rows_of(sentences: Iterable[Sequence[int]]) -> list[Tensor]:
    """Each sentence as int64 (T,); raises as `pad` does."""
    rows = []
    for sentence in sentences:
        try:
            row = torch.as_tensor(sentence, dtype=torch.int64)
        except (TypeError, ValueError):
            row = None
        if row is None or row.dim() != 1:
            raise TypeError(
                f"sentences must be lists of ids, got {sentence!r} as one of them. Is it still "
                "text, or is this one sentence without a list around it?"
            )
        rows.append(row)
    if not rows:
        raise ValueError("a batch needs a sentence at least, got none")
    return rows
