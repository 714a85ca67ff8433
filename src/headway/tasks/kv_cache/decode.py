"""Train, second part: decode with the cache, each token read once."""

from copy import deepcopy
from functools import lru_cache, partial

import numpy as np
import torch

from headway.tasks.kv_cache.draw import CLOSE, past
from headway.tasks.kv_cache.model import draw_weights, empty, forward, read_new
from headway.tasks.task import Case, Misconception, Task

MARGIN = 0.02  # between the best score and the next: rounding shall not decide


def decode(weights, prompt, keys, values, steps):
    """ids (B, P + steps), the logits (B, steps, V) of each choice, the positions of each read."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return greedy(weights, prompt, keys, values, steps)


def fits(weights, read):
    N = len(weights["position"])
    if read > N:
        raise ValueError(f"{read} tokens do not fit into a context of {N}")


def greedy(
    weights,
    prompt,
    keys,
    values,
    steps,
    pieces=lambda prompt: [prompt],
    again=lambda ids: ids[:, -1:],
    row=-1,
    read=read_new,
):
    """How the prompt is cut, what is read after a choice, which row is scored … can be wrong."""
    ids, made, fed = prompt, [], []
    cache = keys, values
    for piece in pieces(prompt):
        logits, *cache = read(weights, piece, *cache)
        fed.append(piece.shape[1])
    for step in range(steps):
        if step:
            new = again(ids)
            logits, *cache = read(weights, new, *cache)
            fed.append(new.shape[1])
        made.append(logits[:, row])
        ids = torch.cat([ids, made[-1].argmax(-1, keepdim=True)], 1)
    return ids, torch.stack(made, 1), fed


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def draw(*args, **sizes):
        return deepcopy(drawn(int(rng.integers(2**31)), *args, **sizes))

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


def _decode(**changes):
    def wrong(weights, prompt, keys, values, steps):
        fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
        return greedy(weights, prompt, keys, values, steps, **changes)

    return wrong


def _again_and_again(forget):
    """Each step reads the whole text again, behind what was held at first, or behind nothing."""

    def wrong(weights, prompt, keys, values, steps):
        fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
        held = (empty(weights, len(prompt)),) * 2 if forget else (keys, values)
        ids, made, fed = prompt, [], []
        for _ in range(steps):
            logits, *_ = read_new(weights, ids, *held)
            fed.append(ids.shape[1])
            made.append(logits[:, -1])
            ids = torch.cat([ids, made[-1].argmax(-1, keepdim=True)], 1)
        return ids, torch.stack(made, 1), fed

    return wrong


def _nothing_kept(weights, prompt, keys, values, steps):
    """Each token is read behind what was held at first."""

    def forget(weights, ids, *longer):
        return read_new(weights, ids, keys, values)

    return _decode(read=forget)(weights, prompt, keys, values, steps)


def _held_ignored(weights, prompt, keys, values, steps):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return greedy(weights, prompt, *(empty(weights, len(prompt)),) * 2, steps)


def _last_read_too(weights, prompt, keys, values, steps):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    ids, logits, fed = greedy(weights, prompt, keys, values, steps)
    return ids, logits, [*fed, 1]


def _prompt_twice(weights, prompt, keys, values, steps):
    """After the prompt, its last token is read once more before the first choice."""
    return _decode(pieces=lambda prompt: [prompt, prompt[:, -1:]])(
        weights, prompt, keys, values, steps
    )


def _fits_too_strictly(weights, prompt, keys, values, steps):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps)
    return greedy(weights, prompt, keys, values, steps)


def _without_prompt(weights, prompt, keys, values, steps):
    ids, *rest = decode(weights, prompt, keys, values, steps)
    return ids[:, prompt.shape[1] :], *rest


def _placed(place):
    """Reads beyond the context at place(positions, N)."""

    def read(weights, ids, keys, values):
        N, end = len(weights["position"]), keys.shape[3] + ids.shape[1]
        rows = place(torch.arange(max(N, end)), N)
        return read_new({**weights, "position": weights["position"][rows]}, ids, keys, values)

    return partial(greedy, read=read)


def _first_text(weights, prompt, keys, values, steps):
    """One cache for the whole batch, that of its first prompt."""

    def read(weights, ids, keys, values):
        return read_new(weights, ids, *(part[:, :1].expand_as(part) for part in (keys, values)))

    return _decode(read=read)(weights, prompt, keys, values, steps)


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
            _again_and_again(forget=True),
            "Each step reads the whole text again, and what was held before it does not count. "
            "Which of these positions are in the cache already?",
        ),
        Misconception(
            "prompt-read-again",
            _again_and_again(forget=False),
            "Your logits are right, and each step reads the prompt and the answer again. Which of "
            "these positions could be in the cache by then?",
        ),
        Misconception(
            "held-tokens-unseen",
            _held_ignored,
            "Right where nothing was held. Otherwise you begin with an empty cache. What are keys "
            "and values that come in for?",
        ),
        Misconception(
            "cache-not-kept",
            _nothing_kept,
            "Right for the first choice. After it each token is read with the cache that you were "
            "given, without the prompt. What else does the function that reads give back?",
        ),
        Misconception(
            "prompt-one-by-one",
            _decode(pieces=lambda prompt: prompt.split(1, 1)),
            "Your logits are right, and the prompt is read one token at a time. All of its tokens "
            "are known: must they wait for each other?",
        ),
        Misconception(
            "prompt-ends-twice",
            _prompt_twice,
            "The last token of the prompt stands in your cache twice. Which logits had you after "
            "the prompt was read?",
        ),
        Misconception(
            "last-choice-read-too",
            _last_read_too,
            "You read one token more than needed, the last chosen one. Does anybody ask what "
            "comes after it?",
        ),
        Misconception(
            "text-read-into-a-full-cache",
            lambda weights, prompt, keys, values, steps: greedy_again(
                weights, prompt, keys, values, steps
            ),
            "Your cache holds the text, and you read the whole text into it again. Which tokens "
            "are new?",
        ),
        Misconception(
            "first-position-scored",
            _decode(row=0),
            "Your first choice is made by the logits at the first token of the prompt. Which "
            "token's logits say what comes after the prompt?",
        ),
        Misconception(
            "cache-shared-between-prompts",
            _first_text,
            "Right for one prompt. In a batch all go on with the cache of the first. Which axis "
            "parts the prompts?",
        ),
        Misconception(
            "positions-restart",
            _decode(read=partial(forward, places=lambda T, S: torch.arange(T))),
            "Right for the first choice. After it every token is read at position 0. Is this a "
            "matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "cache-shared-between-layers",
            _decode(read=partial(forward, layer_of=lambda layer: 0)),
            "Right for the first choice. After it all layers go on with the cache of the first. Is "
            "this a matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "square-mask-on-a-step",
            _decode(read=partial(forward, mask=lambda T, S: past(T, S, 0))),
            "Right for the first choice. After it each token sees only the very first one. Is this "
            "a matter of the loop, or of the function that reads?",
        ),
        Misconception(
            "overflow-at-the-last-position",
            _placed(lambda positions, N: positions.clamp(max=N - 1)),
            "Right within the context. Beyond it, all further tokens get the last position. What "
            "is asked for there?",
        ),
        Misconception(
            "overflow-at-the-front",
            _placed(lambda positions, N: positions % N),
            "Right within the context. Beyond it, positions begin at 0 again. What is asked for "
            "there?",
        ),
        Misconception(
            "context-not-checked",
            greedy,
            "Right within the context. Beyond it an error comes from inside, when most of the text "
            "has been read. Who can know beforehand how many positions it takes?",
        ),
        Misconception(
            "one-token-too-strict",
            _fits_too_strictly,
            "You refuse an answer whose last token would not fit. Is that token ever read?",
        ),
        Misconception(
            "prompt-left-out",
            _without_prompt,
            "Your ids hold the answer only. What should stand before it?",
        ),
    ),
    compare=CLOSE,
)


def greedy_again(weights, prompt, keys, values, steps):
    """Reads the whole text at each step, behind what is held: positions run on, and run out."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return _placed(lambda positions, N: positions % N)(
        weights, prompt, keys, values, steps, again=lambda ids: ids
    )
