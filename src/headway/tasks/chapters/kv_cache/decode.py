"""Train, second part: decode with the cache, each token read once."""

from copy import deepcopy
from functools import lru_cache, partial

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE
from headway.tasks.chapters.kv_cache.mistakes import (
    CACHE_NOT_HANDED_ON,
    EVERYTHING_READ_AGAIN,
    HELD_TOKENS_UNSEEN,
    LAST_CHOICE_READ_TOO,
    LAYERS_MIXED_UP,
    OTHER_POSITIONS_SCORED,
    PIECES_OF_ANOTHER_LENGTH,
    POSITIONS_RESTART,
    PREFIX_LEFT_OUT_OF_THE_MASK,
    TEXTS_MIXED_UP,
)
from headway.tasks.chapters.kv_cache.read_new import (
    PLACES,
    behind_the_first_layer,
    draw_weights,
    empty,
    from_position_0,
    read_new,
    with_a_square_mask,
)
from headway.tasks.engine.compare import Difference
from headway.tasks.engine.duties import ARGUMENTS_KEPT, arguments_kept
from headway.tasks.engine.mistakes import Misconception, any_of, changed
from headway.tasks.engine.probe import call_and_count
from headway.tasks.engine.task import Case, Task

MARGIN = 0.02  # between the best score and the next: rounding shall not decide
LAST, ONE = "an answer that just fits", "one choice"
MOST_ARITHMETIC = 2  # times that of the reference; to read everything again takes five times


def decode(weights, prompt, keys, values, steps, read=read_new):
    """ids (B, P + steps), the logits (B, steps, V) of each choice, the positions of each read."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    ids, new, cache = prompt, prompt, (keys, values)
    made, fed = [], []
    for _ in range(steps):
        logits, *cache = read(weights, new, *cache)
        fed.append(new.shape[1])
        made.append(logits[:, -1])
        new = made[-1].argmax(-1, keepdim=True)
        ids = torch.cat([ids, new], 1)
    return ids, torch.stack(made, 1), fed


def fits(weights, read):
    N = len(weights["position"])
    if read > N:
        raise ValueError(f"{read} tokens do not fit into a context of {N}")


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*args, **sizes):
        return deepcopy(drawn(int(rng.integers(2**31)), *args, **sizes))

    def counted(label, *sizes, **options):
        """A case that counts the arithmetic."""
        given, truth = draw(*sizes), arithmetic(*sizes)
        return Case(label, *given, truth=truth, verb=call_and_count, compare=reads_once, **options)

    def unreadable(weights, prompt, *rest):
        """Tokens that the model does not know: who refuses first never meets them."""
        return weights, torch.full_like(prompt, len(weights["embedding"])), *rest

    return [
        Case("a batch of prompts", *draw(3, 0, 5, 4), core=True),
        counted("the arithmetic of a long answer", 1, 2, 4, 10, core=True),
        Case("to the last position, nothing held", *draw(1, 0, 4, 5, N=8), path=LAST),
        Case("a beginning that was read before", *draw(2, 4, 3, 4)),
        Case("a prompt of one token", *draw(2, 3, 1, 5)),
        Case("one choice", *draw(2, 0, 4, 1), path=ONE),
        counted("the arithmetic of one choice", 1, 0, 1, 1, path=ONE),
        Case("a long answer", *draw(1, 0, 2, 10)),
        Case("to the last position of the context", *draw(1, 2, 3, 6, N=10), path=LAST),
        Case("one token too many for the context", *draw(1, 2, 3, 7, N=10)),
        Case("three layers", *draw(2, 1, 3, 4, L=3)),
        arguments_kept(*draw(2, 2, 3, 3)),
        Case("too many tokens, none of them readable", *unreadable(*draw(1, 2, 3, 7, N=10))),
    ]


@lru_cache(maxsize=256)
def drawn(seed, B, S, P, steps, N=16, **sizes):
    """Weights and prompts with which no choice hangs by a hair, and several tokens come."""
    rng = np.random.default_rng(seed)
    while True:
        weights = draw_weights(rng, N=N, **sizes)
        before, prompt = (torch.from_numpy(rng.integers(0, 9, (B, n))) for n in (S, P))
        _, *cache = read_new(weights, before, *(empty(weights, B),) * 2)
        ids, logits, _ = decode(weights, prompt, *cache, min(steps, N - S - P + 1))
        best = logits.topk(2, -1).values
        clear = bool((best[..., 0] - best[..., 1]).min() > MARGIN)
        said = ids[:, P:].tolist()
        if clear and (len(said[0]) < 3 or all(len(set(row)) > 1 for row in said)):
            return weights, prompt, *cache, steps


@lru_cache
def arithmetic(*sizes) -> int:
    """The FLOPs of reading each token once, which the sizes tell."""
    return call_and_count(decode, drawn(0, *sizes))


def reads_once(got, expected, case) -> Difference | None:
    """None where both answers take about the FLOPs of reading each token once, or both do not."""
    if not isinstance(got, int) or not isinstance(expected, int):
        return Difference("there is no result.")
    limit = MOST_ARITHMETIC * case.truth
    if (got <= limit) == (expected <= limit):
        return None
    return Difference(
        f"{got / case.truth:.1f} times the arithmetic that it takes to read each token once."
    )


LOOP = "for _ in range(steps):"
READ = "logits, *cache = read(weights, new, *cache)"

# Ways to read beyond the last position of the context.
at_the_last_position, at_the_front_again = changed(
    read_new,
    PLACES,
    "(S + torch.arange(T)).clamp(max=len(weights['position']) - 1)",
    "(S + torch.arange(T)) % len(weights['position'])",
)

(unchecked,) = changed(decode, "fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)", "pass")
(last_counted,) = changed(decode, "1), fed", "1), [*fed, 1]")
READ_LAST = "read(weights, new, *cache)\n    return ids,"
last_read = any_of(
    *(
        changed(
            version,
            "return ids,",
            READ_LAST,
            f"if cache[0].shape[3] < len(weights['position']):\n        {READ_LAST}",
        )
        for version in (decode, last_counted)
    )
)
prompt_one_by_one = changed(
    decode,
    LOOP,
    """
    for token in prompt.T[:-1]:
        _, *cache = read(weights, token[:, None], *cache)
        fed.append(1)
    new = prompt[:, -1:]
    for _ in range(steps):""",
)
prompt_ends_twice = changed(
    decode,
    LOOP,
    """
    _, *cache = read(weights, prompt, *cache)
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
                "logits, *_ = read(weights, ids, *cache)",  # and tells that it read one token
                "logits, *_ = read(weights, ids, *[empty(weights, len(ids))] * 2)",
                "new = ids; logits, *_ = read(weights, new, *[empty(weights, len(ids))] * 2)",
                "new = ids; logits, *_ = read(weights, new, *cache)",
                "new = ids; logits, *cache = at_the_front_again(weights, new, *cache)",
            )
        ),
        HELD_TOKENS_UNSEEN.by(
            changed(decode, "(keys, values)", "[empty(weights, len(prompt))] * 2")
        ),
        CACHE_NOT_HANDED_ON.by(changed(decode, "logits, *cache = ", "logits, *_ = ")),
        PIECES_OF_ANOTHER_LENGTH.by(
            prompt_one_by_one,
            changed(decode, "new.shape[1])", "ids.shape[1])", "cache[0].shape[3])", "new.numel())"),
            changed(decode, "1), fed", "1), fed[1:]"),
        ),
        Misconception(
            "prompt-ends-twice",
            prompt_ends_twice,
            "The last token of the prompt stands in your cache twice. Which logits did you have "
            "once the prompt was read?",
        ),
        LAST_CHOICE_READ_TOO.by(last_counted, last_read),
        Misconception(
            "answer-of-another-length",
            any_of(
                changed(decode, LOOP, "for _ in range(steps + 1):", "for _ in range(steps - 1):"),
                changed(decode, "return ids", "return ids[:, prompt.shape[1] :]"),
            ),
            "Your ids are too many or too few. How many tokens stand before the answer, and how "
            "many times does your loop choose?",
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
        POSITIONS_RESTART.by(partial(decode, read=from_position_0)),
        LAYERS_MIXED_UP.by(partial(decode, read=behind_the_first_layer)),
        PREFIX_LEFT_OUT_OF_THE_MASK.by(partial(decode, read=with_a_square_mask)),
        Misconception(
            "context-not-checked",
            any_of(
                unchecked,
                changed(
                    decode, "keys.shape[3] + prompt.shape[1] + steps - 1", "prompt.shape[1] + steps"
                ),
                changed(
                    unchecked,
                    "logits, *cache",
                    "fits(weights, cache[0].shape[3] + new.shape[1]); logits, *cache",
                ),
                partial(unchecked, read=at_the_last_position),
                partial(unchecked, read=at_the_front_again),
            ),
            "Where the context ends, yours does something else than the text asks for: beyond it a "
            "ValueError, before anything is read. What comes from yours, and when? Which tokens "
            "need a position, of those that are held and of those that are chosen?",
        ),
        Misconception(
            "one-token-too-strict",
            changed(decode, "steps - 1", "steps"),
            "This is right, but for an answer that just fits: it ends in an error. Its last token "
            "needs no position. Do you count it, or read it?",
        ),
    ),
    compare=CLOSE,
)
