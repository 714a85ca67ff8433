"""Figure: what a place of an image can depend on, after layers of attention and of convolution."""

import numpy as np

from headway.figures.core.interactive import Interactive


def patch_reach(
    image: np.ndarray, patch: int, layers: int, place: int, title: str, caption: str
) -> Interactive:
    """An image cut into patches, and the pixels that a place sees by attention and by convolution.

    A patch's vector is made of its own pixels, and with the first layer of attention of all. A
    pixel's vector, after n convolutions of 3 × 3, is made of the square of 2n + 1 pixels around it.

    Args:
        image: (h, w), gray values in 0 … 1.
        patch: p, the side of a patch, which divides h and w.
        layers: how many layers there are at most.
        place: the number of the patch that is chosen at first, counted from 0, row by row.
        title, caption: as printed.

    Raises:
        ValueError: if the patches do not cover the image, a gray value is not in 0 … 1, there is
            no layer or no such patch.
    """
    image = np.asarray(image, dtype=float)
    if image.ndim != 2 or patch < 1 or image.shape[0] % patch or image.shape[1] % patch:
        raise ValueError(f"patches of {patch} × {patch} do not cover an image {image.shape}")
    if not ((image >= 0) & (image <= 1)).all():
        raise ValueError("gray values must be in 0 … 1")
    h, w = image.shape
    count = (h // patch) * (w // patch)
    if layers < 1 or not 0 <= place < count:
        raise ValueError(f"there must be a layer, and a place in 0 … {count - 1}, got {place}")
    rows = [
        [str(n), f"{seen(image.shape, patch, place, n, 'attention'):,}",
         f"{seen(image.shape, patch, place, n, 'convolution'):,}"]
        for n in range(layers + 1)
    ]  # fmt: skip
    return Interactive(
        script="patch_reach",
        data={
            "image": image.round(2).tolist(),
            "patch": patch,
            "layers": layers,
            "start": place,
        },
        title=title,
        caption=caption,
        alt=f"An image of {h} × {w} pixels in {count} patches. After one layer the vector of patch "
        f"{place + 1} depends on {rows[1][1]} pixels by attention; that of the pixel in its middle "
        f"on {rows[1][2]} by convolution.",
        header=["layers", "pixels seen by attention", "by convolution"],
        rows=rows,
        draw=lambda fig: draw_reach(fig, image, patch, place, 1),
        width=5.6,
        height=3.1,
    )


def reach(
    shape: tuple[int, int], patch: int, place: int, layers: int, kind: str
) -> tuple[slice, slice]:
    """The rows and columns that a place depends on after so many layers.

    Args:
        shape: (h, w) of the image.
        patch: p.
        place: the number of a patch; by convolution, the pixel in its middle is meant.
        layers: 0 or more.
        kind: "attention" or "convolution".
    """
    (h, w), columns = shape, shape[1] // patch
    top, left = patch * (place // columns), patch * (place % columns)
    if kind == "attention":
        whole = slice(0, h), slice(0, w)
        return whole if layers else (slice(top, top + patch), slice(left, left + patch))
    y, x = top + patch // 2, left + patch // 2
    around = (slice(max(0, at - layers), min(end, at + layers + 1)) for at, end in ((y, h), (x, w)))
    return tuple(around)


def seen(shape: tuple[int, int], patch: int, place: int, layers: int, kind: str) -> int:
    """The number of pixels in the reach."""
    rows, columns = reach(shape, patch, place, layers, kind)
    return (rows.stop - rows.start) * (columns.stop - columns.start)


def draw_reach(fig, image, patch, place, layers) -> None:
    """The static picture: the image twice, with what is seen by each kind framed."""
    for i, kind in enumerate(("attention", "convolution")):
        ax = fig.add_subplot(1, 2, i + 1)
        ax.imshow(image, cmap="gray", vmin=0, vmax=1, extent=(0, image.shape[1], image.shape[0], 0))
        ax.set_xticks(range(0, image.shape[1] + 1, patch), [])
        ax.set_yticks(range(0, image.shape[0] + 1, patch), [])
        ax.grid(visible=False)
        if kind == "attention":
            ax.grid(color="0.5", lw=0.6)
        rows, columns = reach(image.shape, patch, place, layers, kind)
        x = [columns.start, columns.stop, columns.stop, columns.start, columns.start]
        y = [rows.start, rows.start, rows.stop, rows.stop, rows.start]
        ax.plot(x, y, color="C1", lw=2.5, clip_on=False)
        count = seen(image.shape, patch, place, layers, kind)
        ax.set_title(f"one layer of {kind}: {count:,} pixels", size=9)
