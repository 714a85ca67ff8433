"""Train, second part: decode with the cache, each token read once."""

from copy import deepcopy
from functools import lru_cache, partial

import numpy as np
import torch

from headway.tasks.chapters.kv_cache import greedy as wrong
from headway.tasks.chapters.kv_cache.draw import CLOSE, past
from headway.tasks.chapters.kv_cache.greedy import fits, greedy
from headway.tasks.chapters.kv_cache.read_new import draw_weights, empty, forward, read_new
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

MARGIN = 0.02  # between the best score and the next: rounding shall not decide


def decode(weights, prompt, keys, values, steps):
    """ids (B, P + steps), the logits (B, steps, V) of each choice, the positions of each read."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return greedy(weights, prompt, keys, values, steps)


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*args, **sizes):
        return deepcopy(drawn(int(rng.integers(2**31)), *args, **sizes))

    def unreadable(weights, prompt, *rest):
        """Tokens that the model does not know: who refuses first never meets them."""
        return weights, torch.full_like(prompt, len(weights["embedding"])), *rest

    return [
        Case("one prompt, nothing held", *draw(1, 0, 4, 5), core=True),
        Case("a batch of prompts", *draw(3, 0, 5, 4), core=True),
        Case("a beginning that was read before", *draw(2, 4, 3, 4), core=True),
        Case("a prompt of one token", *draw(2, 3, 1, 5)),
        Case("one choice", *draw(2, 0, 4, 1)),
        Case("a long answer", *draw(1, 0, 2, 10)),
        Case("to the last position of the context", *draw(1, 2, 3, 6, N=10)),
        Case("one token too many for the context", *draw(1, 2, 3, 7, N=10)),
        Case("three layers", *draw(2, 1, 3, 4, L=3)),
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
        ids, logits, _ = greedy(weights, prompt, *cache, min(steps, N - S - P + 1))
        best = logits.topk(2, -1).values
        clear = bool((best[..., 0] - best[..., 1]).min() > MARGIN)
        said = ids[:, P:].tolist()
        if clear and (len(said[0]) < 3 or all(len(set(row)) > 1 for row in said)):
            return weights, prompt, *cache, steps


decode_task = Task(
    id="15-kv-cache/decode",
    title="Decode, each token read once",
    kind="train",
    points=2,
    minutes=15,
    answer="decode",
    cases=decode_cases,
    reference=decode,
    misconceptions=(
        Misconception(
            "everything-read-again",
            wrong.again_and_again(forget=True),
            "Each step reads the whole text again, and what was held before it does not count. "
            "Which of these positions are in the cache already?",
        ),
        Misconception(
            "prompt-read-again",
            wrong.again_and_again(forget=False),
            "Your logits are right, and by your count each step reads the prompt and the answer "
            "again. Which of these positions are in the cache by then?",
        ),
        Misconception(
            "held-tokens-unseen",
            wrong.held_ignored,
            "Right where nothing was held. Otherwise you begin with an empty cache. What are keys "
            "and values that come in for?",
        ),
        Misconception(
            "cache-not-kept",
            wrong.nothing_kept,
            "Right for the first choice. After it each token is read with the cache that you were "
            "given, without the prompt. What else does the function that reads give back?",
        ),
        Misconception(
            "prompt-one-by-one",
            wrong.changed(pieces=lambda prompt: prompt.split(1, 1)),
            "Your logits are right, and the prompt is read one token at a time. All of its tokens "
            "are known: must they wait for each other?",
        ),
        Misconception(
            "prompt-ends-twice",
            wrong.prompt_twice,
            "The last token of the prompt stands in your cache twice. Which logits had you after "
            "the prompt was read?",
        ),
        Misconception(
            "last-choice-read-too",
            wrong.last_read_too,
            "You read one token more than needed, the last chosen one. Does anybody ask what "
            "comes after it?",
        ),
        Misconception(
            "last-choice-counted-too",
            wrong.last_counted_too,
            "You count one token more than needed, the last chosen one. Does anybody ask what "
            "comes after it?",
        ),
        Misconception(
            "one-choice-too-many",
            wrong.other_steps(1),
            "There is one token more than was asked for. How many times does your loop choose?",
        ),
        Misconception(
            "one-choice-too-few",
            wrong.other_steps(-1),
            "There is one token fewer than was asked for. How many times does your loop choose?",
        ),
        Misconception(
            "text-read-into-a-full-cache",
            wrong.greedy_again,
            "Your cache holds the text, and you read the whole text into it again. Which tokens "
            "are new?",
        ),
        Misconception(
            "first-position-scored",
            wrong.changed(row=0),
            "Your first choice is made by the logits at the first token of the prompt. Which "
            "token's logits say what comes after the prompt?",
        ),
        Misconception(
            "cache-shared-between-prompts",
            wrong.first_text,
            "Right for one prompt. In a batch all go on with the cache of the first. Which axis "
            "parts the prompts?",
        ),
        Misconception(
            "positions-restart",
            wrong.changed(read=partial(forward, places=lambda T, S: torch.arange(T))),
            "Right for the first choice. After it every token is read at position 0. Is this a "
            "matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "cache-shared-between-layers",
            wrong.changed(read=partial(forward, layer_of=lambda layer: 0)),
            "Right for the first choice. After it all layers go on with the cache of the first. Is "
            "this a matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "square-mask-on-a-step",
            wrong.changed(read=partial(forward, mask=lambda T, S: past(T, S, 0))),
            "Right for the first choice. After it each token sees only the very first one. Is this "
            "a matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "overflow-at-the-last-position",
            wrong.placed(lambda positions, N: positions.clamp(max=N - 1)),
            "Right within the context. Beyond it, all further tokens get the last position. What "
            "is asked for there?",
        ),
        Misconception(
            "overflow-at-the-front",
            wrong.placed(lambda positions, N: positions % N),
            "Right within the context. Beyond it, positions begin at 0 again. What is asked for "
            "there?",
        ),
        Misconception(
            "context-not-checked",
            greedy,
            "Right within the context. Beyond it a ValueError is asked for, before anything is "
            "read. Which error comes from yours, and when?",
        ),
        Misconception(
            "one-token-too-strict",
            wrong.fits_too_strictly,
            "Right, but for an answer that just fits: it ends in an error. Its last token needs no "
            "position. Do you count it, or read it?",
        ),
        Misconception(
            "prompt-left-out",
            wrong.without_prompt,
            "Your ids hold the answer only. What should stand before it?",
        ),
    ),
    compare=CLOSE,
)
