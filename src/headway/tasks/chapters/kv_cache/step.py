"""Build one step of attention with a cache: one query, and all the keys."""

import numpy as np
import torch

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, look
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def attend_step(x, keys, values, W_q, W_k, W_v):
    """Mixed (B, H, D) for a new token x (B, C), and keys and values (B, H, S + 1, D)."""
    query, key, value = project(x, W_q, W_k, W_v)
    keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    return look(query, keys, values)[:, :, 0], keys, values


def project(x, *matrices):
    """x (B, C) through matrices (H, C, D), each (B, H, 1, D)."""
    return tuple(x[:, None, None, :] @ W for W in matrices)


def step_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, H, S, C=6, D=4):
        held = draw_tensor(rng, B, H, S, D), draw_tensor(rng, B, H, S, D)
        return draw_tensor(rng, B, C), *held, *(draw_tensor(rng, H, C, D) for _ in "qkv")

    return [
        Case("one text, some tokens held", *draw(1, 2, 5), core=True),
        Case("a batch", *draw(3, 2, 4), core=True),
        Case("one token held", *draw(2, 3, 1)),
        Case("one head, one token held", *draw(2, 1, 1)),
        Case("nothing held yet", *draw(2, 2, 0)),
        Case("as many texts, heads and tokens", *draw(3, 3, 3)),
        Case("a head as wide as the model", *draw(2, 2, 3, C=4)),
        Case("many tokens held", *draw(2, 2, 40)),
    ]


def _changed(change):
    """A step of changed parts: change(query, key, value, keys, values, x)."""

    def step(x, keys, values, W_q, W_k, W_v):
        return change(*project(x, W_q, W_k, W_v), keys, values, x)

    return step


def _appended(look=look, join=lambda old, new: torch.cat([old, new], 2)):
    def change(query, key, value, keys, values, x):
        keys, values = join(keys, key), join(values, value)
        return look(query, keys, values)[:, :, 0], keys, values

    return _changed(change)


def _own_unseen(query, key, value, keys, values, x):
    mixed = look(query, keys, values)[:, :, 0]
    return mixed, torch.cat([keys, key], 2), torch.cat([values, value], 2)


def _not_grown(query, key, value, keys, values, x):
    longer = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    return look(query, *longer)[:, :, 0], keys, values


def _first_text(query, key, value, keys, values, x):
    longer = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    return look(query, *(part[:1] for part in longer))[:, :, 0], *longer


def _values_kept(query, key, value, keys, values, x):
    longer = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    return look(query, *longer)[:, :, 0], longer[0], values


def _stored(key_of, value_of):
    """The cache gets something else: key_of(query, key, value), value_of(query, key, value)."""

    def change(query, key, value, keys, values, x):
        keys = torch.cat([keys, key_of(query, key, value)], 2)
        values = torch.cat([values, value_of(query, key, value)], 2)
        return look(query, keys, values)[:, :, 0], keys, values

    return _changed(change)


def _scaled(power):
    return _appended(lambda q, k, v: look(q, k, v, scale=q.shape[-1] ** power))


def _over_model_width(query, key, value, keys, values, x):
    keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    return look(query, keys, values, scale=x.shape[-1] ** 0.5)[:, :, 0], keys, values


def _replaced(old, new):
    return torch.cat([old[:, :, :-1], new], 2)


step_task = Task(
    id="15-kv-cache/step",
    title="One step of attention",
    kind="build",
    points=2,
    minutes=12,
    answer="attend_step",
    cases=step_cases,
    reference=attend_step,
    misconceptions=(
        Misconception(
            "own-token-unseen",
            _changed(_own_unseen),
            "Your new token looks at what was held before it, and not at itself. What does it "
            "look at when nothing is held yet?",
        ),
        Misconception(
            "only-the-new-token-seen",
            _changed(
                lambda q, k, v, keys, values, x: (
                    v[:, :, 0],
                    torch.cat([keys, k], 2),
                    torch.cat([values, v], 2),
                )
            ),
            "Your new token looks at itself alone: what is mixed equals its own value. What is "
            "the cache there for?",
        ),
        Misconception(
            "square-mask-on-a-step",
            _appended(
                lambda q, k, v: look(q, k, v, torch.ones(1, k.shape[2]).tril().bool()),
            ),
            "Your new token sees the first token only: the corner of a causal mask. At which "
            "position does it stand?",
        ),
        Misconception(
            "newest-in-front",
            _appended(join=lambda old, new: torch.cat([new, old], 2)),
            "What you mix is right, and the cache is in another order: the newest comes first. "
            "Where does the text want it?",
        ),
        Misconception(
            "newest-replaces-the-last",
            _appended(join=_replaced),
            "Your cache is as long as before: the new token has taken the place of the last one. "
            "Which token may be forgotten?",
        ),
        Misconception(
            "joined-on-the-heads",
            _appended(join=lambda old, new: torch.cat([old, new], 1)),
            "You join old and new on the axis of the heads, which fits only where one token is "
            "held. Which axis counts the tokens?",
        ),
        Misconception(
            "cache-not-handed-on",
            _changed(_not_grown),
            "What you mix is right, and the keys and values that you return are the old ones. "
            "What will the next token miss?",
        ),
        Misconception(
            "values-not-cached",
            _changed(_values_kept),
            "What you mix is right, and of what you return only the keys have grown. What will the "
            "next token mix with the weight of this one?",
        ),
        Misconception(
            "keys-and-values-swapped",
            _stored(lambda q, k, v: v, lambda q, k, v: k),
            "The new key stands among the values, and the new value among the keys. Which of the "
            "two does a query meet?",
        ),
        Misconception(
            "query-cached",
            _stored(lambda q, k, v: q, lambda q, k, v: v),
            "You store the query of the new token among the keys. Who will ask with it again?",
        ),
        Misconception(
            "cache-shared-between-texts",
            _changed(_first_text),
            "All texts look at the cache of the first one. Which axis parts the texts?",
        ),
        Misconception(
            "scale-missing",
            _scaled(0),
            "Your weights are too sharp. What happens to the scores before the softmax?",
        ),
        Misconception(
            "divided-by-d",
            _scaled(1),
            "Your scores are divided by D. Which power of D keeps their spread near one?",
        ),
        Misconception(
            "scaled-by-the-model-width",
            _changed(_over_model_width),
            "You scale by the width of x. How many products are added up in one score?",
        ),
        Misconception(
            "softmax-over-heads",
            _appended(lambda q, k, v: look(q, k, v, axis=1)),
            "Your weights sum to one over the heads. Over what should they?",
        ),
    ),
    compare=CLOSE,
)
