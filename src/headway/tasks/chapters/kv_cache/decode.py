"""Train, second part: decode with the cache, each token read once."""

from copy import deepcopy
from functools import lru_cache
from math import prod

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.asked_model import AskedModel
from headway.tasks.chapters.kv_cache.draw import CLOSE
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    EVERYTHING_READ_AGAIN,
    HELD_TOKENS_UNSEEN,
    OTHER_POSITIONS_SCORED,
    PIECES_MISJUDGED,
    READ_FOR_NO_CHOICE,
    TEXTS_MIXED_UP,
)
from headway.tasks.chapters.kv_cache.read_new import draw_weights, empty, read_new
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe.asks import ask_and_note, ask_then_look
from headway.tasks.engine.requirements import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.task import Case, Task

MARGIN = 0.02  # between the best score and the next: rounding shall not decide
LAST, ONE = "an answer that just fits", "one choice"
MOST_READ = 2  # times what must be read; to read everything again takes six times


def decode(read, context, prompt, keys, values, steps):
    """ids (B, P + steps), the logits (B, steps, V) of each choice, the positions of each read."""
    fits(context, keys.shape[3] + prompt.shape[1] + steps - 1)
    ids, new, cache = prompt, prompt, (keys, values)
    made, fed = [], []
    for _ in range(steps):
        logits, *cache = read(new, *cache)
        fed.append(new.shape[1])
        made.append(logits[:, -1])
        new = made[-1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, new], 1)
    return ids, torch.stack(made, 1), fed


def fits(context, read):
    if read > context:
        raise ValueError(f"{read} tokens do not fit into a context of {context}")


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*args, **sizes):
        return deepcopy(drawn(int(rng.integers(2**31)), *args, **sizes))

    def case(label, *sizes, L=2, N=16, **options):
        return Case(label, *draw(*sizes, L=L, N=N), **options)

    def counted(label, most, *sizes, **options):
        """A case that counts the positions that the model reads."""
        return case(label, *sizes, truth=most, compare=reads_once, **options)

    def unreadable(read, context, prompt, *rest):
        """Tokens that the model does not know: who refuses first never meets them."""
        return read, context, torch.full_like(prompt, 99), *rest

    return [
        case("a batch of prompts", 3, 0, 5, 4, core=True),
        counted("what is read for a long answer", 13 * MOST_READ, 1, 0, 4, 10, core=True),
        case("to the last position, nothing held", 1, 0, 4, 5, N=8, path=LAST),
        case("a beginning that was read before", 2, 4, 3, 4),
        case("a prompt of one token", 2, 3, 1, 5),
        case("one choice", 2, 0, 4, 1, path=ONE),
        counted("what is read for one choice", 1, 1, 0, 1, 1, path=ONE),
        case("a long answer", 1, 0, 2, 10),
        case("to the last position of the context", 1, 2, 3, 6, N=10, path=LAST),
        case("one token too many for the context", 1, 2, 3, 7, N=10),
        case("three layers", 2, 1, 3, 4, L=3),
        arguments_kept(*draw(2, 2, 3, 3), verb=ask_then_look),
        Case("too many tokens, none of them readable", *unreadable(*draw(1, 2, 3, 7, N=10))),
    ]


@lru_cache(maxsize=256)
def drawn(seed, B, S, P, steps, N=16, **sizes):
    """A model and prompts with which no choice hangs by a hair, and several tokens come."""
    rng = np.random.default_rng(seed)
    while True:
        weights = draw_weights(rng, N=N, **sizes)
        before, prompt = (torch.from_numpy(rng.integers(0, 9, (B, n))) for n in (S, P))
        _, *cache = read_new(weights, before, *(empty(weights, B),) * 2)
        read = AskedModel(weights, rows=B)
        ids, logits, _ = decode(read, N, prompt, *cache, min(steps, N - S - P + 1))
        best = logits.topk(2, -1).values
        clear = bool((best[..., 0] - best[..., 1]).min() > MARGIN)
        said = ids[:, P:].tolist()
        if clear and (len(said[0]) < 3 or all(len(set(row)) > 1 for row in said)):
            return read, N, prompt, *cache, steps


def same_result(got, expected, case) -> Difference | None:
    """As `CLOSE`, whatever was read for it."""
    return CLOSE(got[0], expected[0], case)


def reads_once(got, expected, case) -> Difference | None:
    """As `same_result`; besides, both may have the model read as many positions as the case allows,
    or both read more."""
    if found := same_result(got, expected, case):
        return found
    mine, theirs = (sum(map(prod, shapes)) for _, shapes in (got, expected))
    if (mine <= case.truth) == (theirs <= case.truth):
        return None
    return Difference(
        f"{mine} positions have gone through the model; it takes {theirs} to read each token once."
    )


LOOP = "for _ in range(steps):"
READ = "logits, *cache = read(new, *cache)"

(unchecked,) = changed(decode, "fits(context, keys.shape[3] + prompt.shape[1] + steps - 1)", "pass")
(last_counted,) = changed(decode, "1), fed", "1), [*fed, 1]")
READ_LAST = "read(new, *cache)\n    return ids,"
last_read = any_of(
    *(
        changed(
            version,
            "return ids,",
            READ_LAST,
            f"if cache[0].shape[3] < context:\n        {READ_LAST}",
        )
        for version in (decode, last_counted)
    )
)
prompt_one_by_one = changed(
    decode,
    LOOP,
    """
    for token in prompt.T[:-1]:
        _, *cache = read(token[:, None], *cache)
        fed.append(1)
    new = prompt[:, -1:]
    for _ in range(steps):""",
)
prompt_ends_twice = changed(
    decode,
    LOOP,
    """
    _, *cache = read(prompt, *cache)
    fed.append(prompt.shape[1])
    new = prompt[:, -1:]
    for _ in range(steps):""",
)

decode_task = Task(
    id="15-kv-cache/decode",
    title="Decode, each token read once",
    kind="train",
    points=2,
    minutes=18,
    answer="decode",
    cases=decode_cases,
    reference=decode,
    misconceptions=(
        EVERYTHING_READ_AGAIN.by(
            changed(
                decode,
                READ,
                "logits, *_ = read(ids, *cache)",  # and tells that it read one token
                "logits, *_ = read(ids, keys[:, :, :, :0], values[:, :, :, :0])",
                "new = ids; logits, *_ = read(new, keys[:, :, :, :0], values[:, :, :, :0])",
                "new = ids; logits, *_ = read(new, *cache)",
            )
        ),
        HELD_TOKENS_UNSEEN.by(
            changed(decode, "(keys, values)", "(keys[:, :, :, :0], values[:, :, :, :0])"),
            changed(unchecked, "(keys, values)", "(keys[:, :, :, :0], values[:, :, :, :0])"),
        ),
        CACHE_NOT_HANDED_ON.by(changed(decode, "logits, *cache = ", "logits, *_ = ")),
        PIECES_MISJUDGED.by(
            prompt_one_by_one,
            changed(decode, "new.shape[1])", "ids.shape[1])", "cache[0].shape[3])", "new.numel())"),
            changed(decode, "1), fed", "1), fed[1:]"),
        ),
        READ_FOR_NO_CHOICE.by(prompt_ends_twice, last_counted, last_read),
        Misconception(
            "answer-of-another-length",
            any_of(
                changed(decode, LOOP, "for _ in range(steps + 1):", "for _ in range(steps - 1):"),
                changed(decode, "return ids", "return ids[:, prompt.shape[1] :]"),
            ),
            "Your ids are too many or too few. What comes before the answer, and how many times "
            "does your loop choose?",
        ),
        OTHER_POSITIONS_SCORED.by(changed(decode, "logits[:, -1]", "logits[:, 0]")),
        ARGUMENTS_KEPT.by(
            changed(decode, "return ids, torch", "prompt[:] = ids[:, -1:]\n    return ids, torch")
        ),
        TEXTS_MIXED_UP.by(
            changed(
                decode, "new, *cache)", "new, *(part[:, :1].expand_as(part) for part in cache))"
            )
        ),
        Misconception(
            "context-miscounted",
            any_of(
                unchecked,
                changed(
                    decode, "keys.shape[3] + prompt.shape[1] + steps - 1", "prompt.shape[1] + steps"
                ),
                changed(
                    unchecked,
                    "logits, *cache",
                    "fits(context, cache[0].shape[3] + new.shape[1]); logits, *cache",
                ),
                changed(decode, "steps - 1", "steps"),
            ),
            "Your answer refuses too late, too early or not at all where the context ends. Which "
            "of the tokens, held, given and chosen, need a position?",
        ),
    ),
    verb=ask_and_note,
    compare=same_result,
)
