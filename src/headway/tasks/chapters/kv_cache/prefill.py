"""Build the reading of a prompt in pieces, none of which is too large."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, alike, draw_tensor, look, past
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def prefill(query, key, value, keys, values, chunk):
    """Mixed (B, H, T, D), and for each piece how many queries met how many keys."""
    return read_pieces(query, key, value, keys, values, chunk)


def read_pieces(
    query,
    key,
    value,
    keys,
    values,
    chunk,
    mask=past,
    split=lambda part, chunk: part.split(chunk, 2),
    met=lambda keys, everything: keys,
    kept=lambda keys, held: keys,
):
    """`mask(t, s)`, what `split` cuts, which keys are met, and what is kept can be wrong."""
    held = keys, values
    everything = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    mixed, sizes = [], []
    pieces = zip(*(split(part, chunk) for part in (query, key, value)), strict=True)
    for q, k, v in pieces:
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        asked = met(keys, everything[0]), met(values, everything[1])
        T, S = q.shape[2], keys.shape[2]
        seen = mask(T, S) if asked[0].shape[2] == S else widened(mask(T, S), asked[0].shape[2])
        mixed.append(look(q, *asked, seen))
        sizes.append((T, asked[0].shape[2]))
        keys, values = kept(keys, held[0]), kept(values, held[1])
    return torch.cat(mixed, 2), sizes


def widened(mask, S):
    """The mask with columns that are hidden."""
    return torch.cat([mask, mask.new_zeros(len(mask), S - mask.shape[1])], 1)


def prefill_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, T, S, chunk, D=4):
        new, old = (B, H, T, D), (B, H, S, D)
        return *(draw_tensor(rng, *s) for s in (new, new, new, old, old)), chunk

    return [
        Case("two pieces, nothing held", *draw(1, 2, 6, 0, 3), core=True),
        Case("a last piece that is shorter", *draw(2, 2, 8, 0, 3), core=True),
        Case("tokens held before", *draw(2, 1, 7, 4, 3), core=True),
        Case("a piece longer than the prompt", *draw(1, 2, 4, 2, 9)),
        Case("a piece as long as the prompt", *draw(2, 2, 5, 0, 5)),
        Case("one token at a time", *draw(1, 2, 4, 1, 1)),
        Case("a prompt of one token", *draw(2, 2, 1, 3, 4)),
        Case("longer pieces than what is held", *draw(2, 2, 11, 2, 5)),
    ]


def _pieces(**changes):
    return lambda *args: read_pieces(*args, **changes)


def _by_number(part, chunk):
    return part.chunk(chunk, 2)


def _whole_pieces_only(part, chunk):
    whole = part.shape[2] // chunk * chunk
    return part[:, :, :whole].split(chunk, 2) if whole else ()


def _unmasked(T, S):
    return torch.ones(T, S, dtype=torch.bool)


def _prompt_alone(query, key, value, keys, values, chunk):
    """What is held before the prompt is never looked at."""
    return read_pieces(query, key, value, keys[:, :, :0], values[:, :, :0], chunk)


def _held_not_in_the_mask(query, key, value, keys, values, chunk):
    """The first query of a piece stands behind the pieces before it, and nothing else."""
    held = keys.shape[2]
    return read_pieces(
        query, key, value, keys, values, chunk, mask=lambda T, S: past(T, S, S - T - held)
    )


def _counted(change):
    """Right but for the pairs: change(queries, keys, held)."""

    def wrong(query, key, value, keys, values, chunk):
        mixed, sizes = prefill(query, key, value, keys, values, chunk)
        return mixed, [change(*pair, keys.shape[2]) for pair in sizes]

    return wrong


prefill_task = Task(
    id="15-kv-cache/prefill",
    title="A prompt in pieces",
    kind="build",
    points=2,
    minutes=15,
    answer="prefill",
    cases=prefill_cases,
    reference=prefill,
    misconceptions=(
        Misconception(
            "square-mask-on-a-piece",
            _pieces(mask=lambda T, S: past(T, S, 0)),
            "Right for a first piece. In a later one, the first query sees the first key only. "
            "How many tokens stand before it?",
        ),
        Misconception(
            "held-not-in-the-mask",
            _held_not_in_the_mask,
            "Right where nothing was held. Otherwise your mask counts the tokens of the prompt and "
            "not those before it. How many stand before the first query?",
        ),
        Misconception(
            "own-piece-unmasked",
            _pieces(mask=_unmasked),
            "Within a piece, every token sees all the others. Which of them come later?",
        ),
        Misconception(
            "own-token-hidden",
            _pieces(mask=lambda T, S: past(T, S, S - T - 1)),
            "Each token sees what comes before it, and not itself. Is its own key in the cache "
            "when it asks?",
        ),
        Misconception(
            "everything-at-once",
            lambda q, k, v, keys, values, chunk: read_pieces(
                q, k, v, keys, values, max(chunk, q.shape[2])
            ),
            "What you mix is right, and all of it was mixed in one piece. What is the point of "
            "reading in pieces?",
        ),
        Misconception(
            "one-by-one",
            lambda q, k, v, keys, values, chunk: read_pieces(q, k, v, keys, values, 1),
            "What you mix is right, one token at a time. How many may be read at once?",
        ),
        Misconception(
            "number-of-pieces",
            _pieces(split=_by_number),
            "You cut the prompt into as many pieces as a piece may have tokens. Which of the two "
            "is given?",
        ),
        Misconception(
            "later-keys-scored-and-hidden",
            _pieces(met=lambda keys, everything: everything),
            "What you mix is right, and each piece has scores for all keys of the prompt, most of "
            "them hidden. Which keys are there when the piece is read?",
        ),
        Misconception(
            "pieces-forget",
            _pieces(kept=lambda keys, held: held),
            "Each piece sees what was held before the prompt, and itself. Where have the pieces "
            "before it gone?",
        ),
        Misconception(
            "held-tokens-unseen",
            _prompt_alone,
            "Right where nothing was held. Otherwise the prompt sees only itself. What are keys "
            "and values that come in for?",
        ),
        Misconception(
            "pairs-swapped",
            _counted(lambda queries, keys, held: (keys, queries)),
            "What you mix is right, and in your pairs the keys come first. In which order are they "
            "asked for?",
        ),
        Misconception(
            "held-not-counted",
            _counted(lambda queries, keys, held: (queries, keys - held)),
            "What you mix is right, and your pairs leave out the keys that were held before the "
            "prompt. Does nobody meet them?",
        ),
        Misconception(
            "new-keys-counted-only",
            _counted(lambda queries, keys, held: (queries, queries)),
            "What you mix is right, and your pairs count the keys of the piece alone. How many "
            "keys does a query meet?",
        ),
        Misconception(
            "last-piece-dropped",
            _pieces(split=_whole_pieces_only),
            "Right where the pieces fit. Otherwise the end of the prompt is missing. What if T is "
            "no multiple of the length of a piece?",
        ),
    ),
    compare=CLOSE,
    alike=alike,
)
