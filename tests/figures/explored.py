"""A model of three blocks and two heads that is made up, and what it answers to the explorer."""

import numpy as np

from headway.figures.engine import pack
from headway.figures.gallery.outlook.model_explorer import key_of, requests

NAMES = ["<end>", "The", "␣cat", "␣sat", "␣on", "␣it"]
TEXT = "The cat sat"
L, H, V = 3, 2, len(NAMES)
PREVIOUS = 1, 1  # the block and the head that look at the token before
FACTS = {
    "name": "A made-up model", "parameters": 4_200, "layers": L, "heads": H, "key_value_heads": H,
    "width": 8, "head_width": 4, "hidden": 32, "vocabulary": V, "context": 16,
    "longest": 12, "template": False,
    "position": "learned", "dtype": "float32", "bytes_per_token": 192, "chat": False,
}  # fmt: skip


def ids_of(request):
    return [0, 1, 2, 3, *request["drawn"]]


def weights(request):
    """(L, H, T, T): one head looks at the token before, the others at all alike."""
    T = len(ids_of(request))
    alike = np.tril(np.ones((T, T))) / np.arange(1, T + 1)[:, None]
    found = np.broadcast_to(alike, (L, H, T, T)).copy()
    found[PREVIOUS] = np.eye(T, k=-1)
    found[PREVIOUS][0, 0] = 1
    return found


def probabilities(request):
    """(L + 1, T, V): the stream says the token itself, and from block 2 on the next one.

    Without block 3, or a part of it, the answer is the one after that.
    """
    said = np.full((L + 1, len(ids_of(request)), V), 0.05)
    for t, token in enumerate(ids_of(request)):
        for layer in range(L + 1):
            step = (layer >= 2) + (layer == L and any(part[0] == "2" for part in request["off"]))
            said[layer, t, (token + step) % V] = 0.6 + 0.05 * layer
    return said / said.sum(axis=-1, keepdims=True)


def row(token, **more):
    return {"id": int(token), "piece": NAMES[token], **more}


def recorded():
    """What a page of the book takes along."""
    return {key_of(r): answer(r) for r in requests(FACTS, TEXT, ids_of({"drawn": []}))}


def answer(request):
    """The answer to a request, as the server gives it."""
    return ANSWERS[request["ask"]](request)


def tokens(request):
    ids = ids_of(request)
    losses = [None, *(0.5 * t for t in range(1, len(ids)))]
    pieces = [NAMES[i] for i in ids]
    return {"ids": ids, "pieces": pieces, "losses": losses, "given": 4, "ended": ids[-1] == 0}


def heads(request):
    T = len(ids_of(request))
    mean = {
        "previous": weights(request)[..., range(1, T), range(T - 1)].mean(axis=-1),
        "itself": weights(request)[..., range(1, T), range(1, T)].mean(axis=-1),
        "first": weights(request)[..., range(2, T), 0].mean(axis=-1),
    }
    return {name: of.round(3).tolist() for name, of in mean.items()} | {"repeat": None}


def lens(request):
    p = probabilities(request)[:, request["from"] : request["to"]]
    return {"layers": [[row(q.argmax(), p=float(q.max())) for q in layer] for layer in p]}


def lens_at(request):
    p = probabilities(request)[:, request["at"]]
    said = p[-1].argmax()
    ranks = [int((q > q[said]).sum()) + 1 for q in p]
    layers = [
        {"rows": [row(i, p=float(q[i])) for i in np.argsort(-q, kind="stable")[:5]],
         "answer": {"p": float(q[said]), "rank": rank}}
        for q, rank in zip(p, ranks, strict=True)
    ]  # fmt: skip
    return {"layers": layers, "answer": row(said)}


def next_token(request):
    p = probabilities(request)[-1, request["at"]]
    whole = probabilities(request | {"off": []})[-1, request["at"]]
    order = np.argsort(-p, kind="stable")
    q = np.where(np.isin(range(V), order[: request["top_k"]]), p, 0)
    q /= q.sum()
    rows = [row(i, p=p[i], q=q[i], whole=whole[i] if request["off"] else None) for i in order]
    kept = q > 0
    return {"rows": rows, "kept": int(kept.sum()), "mass": float(p[kept].sum()), "size": V}


ANSWERS = {
    "tokens": tokens,
    "neighbors": lambda r: {"rows": [row(i, cosine=0.9 - i / 9) for i in range(V) if i != r["id"]]},
    "heads": heads,
    "to": lambda r: {"weights": weights(r)[..., r["at"], r["to"]].round(3).tolist()},
    "pattern": lambda r: {"weights": pack({}, {"w": weights(r)[r["layer"], r["head"]]})},
    "lens": lens,
    "lens-at": lens_at,
    "next": next_token,
    "draw": lambda r: {"ids": [4, 5, 0][: r["count"]], "ended": r["count"] > 2},
    "cache": lambda r: {"bytes_per_token": 192, "prompt_ms": 9.0, "rows": [
        {"tokens": n, "bytes": 192 * n, "cached_ms": 2.0, "uncached_ms": 1.0 * n}
        for n in range(5, 17)
    ]},
}  # fmt: skip
