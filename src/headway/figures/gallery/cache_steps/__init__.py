"""Figure: a cache of keys and values that fills up, token by token."""

from collections.abc import Sequence

import numpy as np

from headway.figures.core.interactive import Interactive
from headway.figures.core.page import number
from headway.figures.core.palette import KEY, VALUE


def cache_steps(
    tokens: Sequence[str],
    prompt: int,
    keys: np.ndarray,
    values: np.ndarray,
    queries: np.ndarray,
    weights: np.ndarray,
    written: Sequence[tuple[str, float]],
    title: str,
    caption: str,
    layer: int = 0,
    head: int = 0,
    steps: int = 0,
) -> Interactive:
    """Buttons read one more token; its key and value are added, or all are computed again.

    Args:
        tokens: the T tokens that the model reads.
        prompt: how many of them are there at first.
        keys, values, queries: (L, H, T, D), of every layer and head.
        weights: (L, H, T, T); row t holds what token t gives to the tokens up to itself.
        written: for each token that ends a step, T of them, what is written after it and with
            what probability; those inside the prompt are not shown.
        title, caption: as printed.
        layer, head: what is shown at first.
        steps: how many tokens are read after the prompt, at first.

    Raises:
        ValueError: if the shapes do not fit, or what is to be shown first does not exist.
    """
    T = len(tokens)
    parts = (keys, values, queries, weights)
    keys, values, queries, weights = (np.asarray(part, dtype=float) for part in parts)
    if keys.ndim != 4 or keys.shape[2] != T or not keys.shape == values.shape == queries.shape:
        raise ValueError(
            f"keys, values and queries must all be (L, H, {T}, D), got {keys.shape}, "
            f"{values.shape} and {queries.shape}"
        )
    L, H, _, D = keys.shape
    if weights.shape != (L, H, T, T):
        raise ValueError(f"weights must be {(L, H, T, T)}, got {weights.shape}")
    if len(written) != T:
        raise ValueError(f"written must have {T} entries, got {len(written)}")
    if not (1 <= prompt + steps <= T and 0 <= layer < L and 0 <= head < H and prompt >= 1):
        raise ValueError("the prompt, the layer, the head or the step to begin with does not exist")
    shown = prompt + steps
    name = f"block {layer + 1}, head {head + 1}"
    return Interactive(
        script="cache_steps",
        data={
            "tokens": list(tokens),
            "prompt": prompt,
            "keys": keys.round(2).tolist(),
            "values": values.round(2).tolist(),
            "queries": queries.round(2).tolist(),
            "weights": [
                [[row[: t + 1].round(3).tolist() for t, row in enumerate(of)] for of in layer_]
                for layer_ in weights
            ],
            "written": [[token, round(float(p), 3)] for token, p in written],
            "layer": layer,
            "head": head,
            "steps": steps,
        },
        title=title,
        caption=caption,
        alt=(
            f"The cache of {name} after {shown} tokens: a key and a value of {D} numbers for each "
            f"of {', '.join(tokens[:shown])}; empty slots: {T - shown}."
        ),
        header=["token", f"key ({name})", "value"],
        rows=[
            [token, *(", ".join(number(x, 2) for x in of[layer, head, t]) for of in (keys, values))]
            for t, token in enumerate(tokens)
        ],
        draw=lambda fig: draw_cache(fig, tokens, keys[layer, head], values[layer, head], shown),
        width=6.0,
        height=0.8 + 0.24 * T,
    )


def draw_cache(fig, tokens, keys, values, shown) -> None:
    """The static picture: keys and values of the tokens read as bars, and empty slots."""
    largest = max(np.abs(keys).max(), np.abs(values).max())
    T, D = keys.shape
    sides = zip(fig.subplots(1, 2), (keys, values), ("keys", "values"), (KEY, VALUE), strict=True)
    for ax, part, name, color in sides:
        ax.set(xlim=(0, D), ylim=(T, 0), xticks=[])
        ax.set_title(name, color=color)
        ax.set_yticks(np.arange(T) + 0.5, tokens if name == "keys" else [""] * T, size=9)
        ax.grid(False)
        ax.tick_params(length=0)
        for (t, d), x in np.ndenumerate(part[:shown]):
            middle, end = t + 0.5, t + 0.5 - 0.45 * x / largest
            ax.fill([d, d + 0.8, d + 0.8, d], [middle, middle, end, end], color=color, lw=0)
