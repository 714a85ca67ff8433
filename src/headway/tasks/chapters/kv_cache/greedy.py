"""Greedy decoding with a cache, and ways in which it goes wrong."""

from functools import partial

import torch

from headway.tasks.chapters.kv_cache.read_new import empty, read_new


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


def checked(weights, prompt, keys, values, steps, **changes):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return greedy(weights, prompt, keys, values, steps, **changes)


def changed(**changes):
    return partial(checked, **changes)


def again_and_again(forget):
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


def nothing_kept(weights, prompt, keys, values, steps):
    """Each token is read behind what was held at first."""

    def forget(weights, ids, *longer):
        return read_new(weights, ids, keys, values)

    return checked(weights, prompt, keys, values, steps, read=forget)


def held_ignored(weights, prompt, keys, values, steps):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return greedy(weights, prompt, *(empty(weights, len(prompt)),) * 2, steps)


def last_counted_too(weights, prompt, keys, values, steps):
    ids, logits, fed = checked(weights, prompt, keys, values, steps)
    return ids, logits, [*fed, 1]


def last_read_too(weights, prompt, keys, values, steps):
    """The same, but it is read: where it has no position, there is an error."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps)
    return last_counted_too(weights, prompt, keys, values, steps)


def other_steps(more):
    """The loop runs another number of times than the check of the context says."""

    def wrong(weights, prompt, keys, values, steps):
        fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
        return greedy(weights, prompt, keys, values, steps + more)

    return wrong


def prompt_twice(weights, prompt, keys, values, steps):
    """After the prompt, its last token is read once more before the first choice."""
    return checked(
        weights, prompt, keys, values, steps, pieces=lambda prompt: [prompt, prompt[:, -1:]]
    )


def fits_too_strictly(weights, prompt, keys, values, steps):
    fits(weights, keys.shape[3] + prompt.shape[1] + steps)
    return greedy(weights, prompt, keys, values, steps)


def without_prompt(weights, prompt, keys, values, steps):
    ids, *rest = checked(weights, prompt, keys, values, steps)
    return ids[:, prompt.shape[1] :], *rest


def placed(place):
    """Reads beyond the context at place(positions, N)."""

    def read(weights, ids, keys, values):
        N, end = len(weights["position"]), keys.shape[3] + ids.shape[1]
        rows = place(torch.arange(max(N, end)), N)
        return read_new({**weights, "position": weights["position"][rows]}, ids, keys, values)

    return partial(greedy, read=read)


def first_text(weights, prompt, keys, values, steps):
    """One cache for the whole batch, that of its first prompt."""

    def read(weights, ids, keys, values):
        return read_new(weights, ids, *(part[:, :1].expand_as(part) for part in (keys, values)))

    return checked(weights, prompt, keys, values, steps, read=read)


def greedy_again(weights, prompt, keys, values, steps):
    """Reads the whole text at each step, behind what is held: positions run on, and run out."""
    fits(weights, keys.shape[3] + prompt.shape[1] + steps - 1)
    return placed(lambda positions, N: positions % N)(
        weights, prompt, keys, values, steps, again=lambda ids: ids
    )
