"""Train, first part: a whole model that reads new tokens only."""

import numpy as np
import torch
from torch.nn import functional

from headway.tasks.chapters.kv_cache.draw import CLOSE, draw_tensor, look, past
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task

NAMES = ("query", "key", "value")


def norm(x):
    return functional.layer_norm(x, x.shape[-1:])


def read_new(weights, ids, keys, values):
    """Logits (B, T, V) of new tokens ids (B, T); keys and values (L, B, H, S + T, D)."""
    return forward(weights, ids, keys, values)


def forward(
    weights,
    ids,
    keys,
    values,
    places=lambda T, S: S + torch.arange(T),
    mask=past,
    join=lambda old, new: torch.cat([old, new], 2),
    layer_of=lambda layer: layer,
    seen=lambda part, T: part,
    cached=norm,
):
    """The model with places, mask, joining, the layer of the cache … that can be wrong."""
    T, S = ids.shape[1], keys.shape[3]
    x = weights["embedding"][ids] + weights["position"][places(T, S)]
    longer = []
    for layer in range(len(weights["query"])):
        query = norm(x)[:, None] @ weights["query"][layer]
        key, value = (cached(x)[:, None] @ weights[name][layer] for name in NAMES[1:])
        held = layer_of(layer)
        k, v = join(keys[held], key), join(values[held], value)
        longer.append((k, v))
        k, v = seen(k, T), seen(v, T)
        mixed = look(query, k, v, mask(T, k.shape[2]))
        x = x + mixed.transpose(1, 2).flatten(2) @ weights["output"][layer]
        x = x + (norm(x) @ weights["wide"][layer]).relu() @ weights["narrow"][layer]
    logits = norm(x) @ weights["embedding"].T
    return logits, *(torch.stack(part) for part in zip(*longer, strict=True))


def empty(weights, B):
    """Keys or values of a cache that holds nothing, (L, B, H, 0, D)."""
    L, H, _, D = weights["key"].shape
    return torch.zeros(L, B, H, 0, D)


def draw_weights(rng, V=9, C=6, H=2, D=3, L=2, M=8, N=20):
    def draw(*shape, scale=1.0):
        return draw_tensor(rng, *shape, scale=scale)

    return {
        "embedding": draw(V, C),
        "position": draw(N, C, scale=0.7),
        **{name: draw(L, H, C, D, scale=0.8) for name in NAMES},
        "output": draw(L, H * D, C),
        "wide": draw(L, C, M, scale=0.6),
        "narrow": draw(L, M, C, scale=0.6),
    }


def model_cases(rng: np.random.Generator) -> list[Case]:
    def draw(B, T, S, **sizes):
        weights = draw_weights(rng, **sizes)
        before = torch.from_numpy(rng.integers(0, 9, (B, S)))
        _, keys, values = read_new(weights, before, empty(weights, B), empty(weights, B))
        return weights, torch.from_numpy(rng.integers(0, 9, (B, T))), keys, values

    return [
        Case("one new token after five", *draw(2, 1, 5), core=True),
        Case("a prompt, nothing held", *draw(2, 6, 0), core=True),
        Case("some tokens after others", *draw(2, 3, 4), core=True),
        Case("one text", *draw(1, 1, 8)),
        Case("a first token", *draw(3, 1, 0)),
        Case("three layers", *draw(2, 2, 3, L=3)),
        Case("one layer, one head", *draw(2, 1, 4, L=1, H=1, D=6)),
        Case("as many new tokens as are held", *draw(2, 3, 3)),
        Case("up to the end of the context", *draw(1, 2, 18)),
    ]


def _read(**changes):
    return lambda *args: forward(*args, **changes)


def _first_text(part, T):
    return part[:1].expand_as(part)


model_task = Task(
    id="15-kv-cache/read-new",
    title="A whole model, new tokens only",
    kind="train",
    points=3,
    minutes=20,
    answer="read_new",
    cases=model_cases,
    reference=read_new,
    misconceptions=(
        Misconception(
            "position-restarts",
            _read(places=lambda T, S: torch.arange(T)),
            "Right for a prompt. After it the positions begin at 0 again. Where does the first new "
            "token stand?",
        ),
        Misconception(
            "same-position-for-all",
            _read(places=lambda T, S: torch.full((T,), S)),
            "All new tokens have the position of the first of them. How far is each from the next?",
        ),
        Misconception(
            "one-position-short",
            _read(places=lambda T, S: max(S - 1, 0) + torch.arange(T)),
            "The first new token has the position of the last one that is held. Which positions "
            "are taken?",
        ),
        Misconception(
            "square-mask-on-a-step",
            _read(mask=lambda T, S: past(T, S, 0)),
            "Right for a prompt. After it the first new token sees only the very first one. How "
            "many tokens stand before it?",
        ),
        Misconception(
            "mask-missing",
            _read(mask=lambda T, S: torch.ones(T, S, dtype=torch.bool)),
            "Right for single tokens. Several new ones see each other, later ones too. What may "
            "each of them see?",
        ),
        Misconception(
            "cache-shared-between-layers",
            _read(layer_of=lambda layer: 0),
            "Right where nothing is held, and for one layer. Otherwise all layers go on with the "
            "cache of the first. What does a layer make keys of?",
        ),
        Misconception(
            "cache-shared-between-texts",
            _read(seen=_first_text),
            "All texts look at the cache of the first one. Which axis parts the texts?",
        ),
        Misconception(
            "held-tokens-unseen",
            _read(seen=lambda part, T: part[:, :, -T:]),
            "The new tokens see only each other. What are keys and values that come in for?",
        ),
        Misconception(
            "newest-in-front",
            _read(join=lambda old, new: torch.cat([new, old], 2)),
            "In your cache the newest tokens come first. Which places does the mask take for the "
            "newest?",
        ),
        Misconception(
            "cache-not-handed-on",
            lambda weights, ids, keys, values: (
                forward(weights, ids, keys, values)[0],
                keys,
                values,
            ),
            "Your logits are right, and the keys and values that you return are the old ones. "
            "What will the next token miss?",
        ),
        Misconception(
            "keys-of-the-raw-inputs",
            _read(cached=lambda x: x),
            "Your keys and values are made of what comes into the block. What does the full model "
            "do to it before it projects?",
        ),
    ),
    compare=CLOSE,
)
