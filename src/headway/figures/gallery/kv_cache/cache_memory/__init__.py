"""Figure: a calculator for the memory of a cache."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headway.figures.core.interactive import Interactive

GIB = 2**30


@dataclass(frozen=True)
class CacheSizes:
    """The sizes of a model that its cache depends on, and a length to begin with.

    Attributes:
        layers, heads, width: L, key/value heads G, and the width D of a head.
        length: tokens.
        window: how many of them a query sees; None for all.
    """

    layers: int
    heads: int
    width: int
    length: int
    window: int | None = None

    def bytes(self, batch: int = 1, item_bytes: int = 2) -> int:
        """2 · B · L · G · D · length · bytes; of a window's tokens only, where there is one."""
        kept = self.length if self.window is None else min(self.length, self.window)
        return 2 * batch * self.layers * self.heads * self.width * kept * item_bytes


def cache_memory(
    models: Mapping[str, CacheSizes],
    title: str,
    caption: str,
    start: str,
    room: int = 16 * GIB,
    item_bytes: Sequence[int] = (2, 4, 1),
) -> Interactive:
    """Native inputs for each size; presets fill them in.

    Args:
        models: name → sizes, in the order of the menu.
        title, caption: as printed.
        start: the model that is chosen at first.
        room: bytes that the memory is compared with.
        item_bytes: bytes of one number that can be chosen, the first at first.

    Raises:
        ValueError: if there is no such model, or a size is below 1.
    """
    if start not in models:
        raise ValueError(f"there is no model {start!r}; there are {', '.join(models)}")
    for name, sizes in models.items():
        if min(sizes.layers, sizes.heads, sizes.width, sizes.length, sizes.window or 1) < 1:
            raise ValueError(f"the sizes of {name!r} must be 1 or more, got {sizes}")
    first = item_bytes[0]
    rows = [
        [
            name,
            *(sizes.layers, sizes.heads, sizes.width, f"{sizes.length:,}"),
            "–" if sizes.window is None else f"{sizes.window:,}",
            f"{2 * sizes.layers * sizes.heads * sizes.width * first:,}",
            f"{sizes.bytes(1, first):,}",
        ]
        for name, sizes in models.items()
    ]
    return Interactive(
        script="cache_memory",
        data={
            "models": [
                {
                    "name": name,
                    "layers": sizes.layers,
                    "heads": sizes.heads,
                    "width": sizes.width,
                    "length": sizes.length,
                    "window": sizes.window or 0,
                }
                for name, sizes in models.items()
            ],
            "start": list(models).index(start),
            "room": room,
            "items": list(item_bytes),
        },
        title=title,
        caption=caption,
        alt="Bytes of the cache of one sentence. "
        + " ".join(
            f"{name}, {sizes.length:,} tokens: {sizes.bytes(1, first):,}."
            for name, sizes in models.items()
        ),
        header=[
            "model",
            "layers",
            "key/value heads",
            "head width",
            "length",
            "window",
            "bytes a token",
            "bytes",
        ],
        rows=rows,
        draw=lambda ax: draw_memory(ax, models, first),
        height=0.9 + 0.34 * len(models),
    )


def draw_memory(ax, models, item_bytes) -> None:
    """The static picture: a bar for each model."""
    gib = [sizes.bytes(1, item_bytes) / GIB for sizes in models.values()]
    ax.barh(range(len(gib)), gib, height=0.6)
    for i, (value, sizes) in enumerate(zip(gib, models.values(), strict=True)):
        ax.annotate(f"{value:.2f}, {sizes.length:,} tokens", (value, i), (4, 0),
                    textcoords="offset points", va="center", size=9)  # fmt: skip
    ax.set_yticks(range(len(gib)), list(models))
    ax.set(xlabel="GiB for one sentence", xlim=(0, 1.6 * max(gib)), ylim=(len(gib) - 0.4, -0.6))
    ax.grid(axis="y", visible=False)
