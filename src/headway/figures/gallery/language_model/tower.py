"""Drawing: a language model as a tower, and one text's numbers on their way up through it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

LEFT, COLUMN, RIGHT = 112, 96, 178  # what stands beside the columns, and how wide each is
LEVEL, BLOCK = 104, 66  # from one row of the stream to the next, and a block's height between them
TOP, BOTTOM = 176, 120  # heights of the way out and the way in
SHOWN, CELL = 3, 30  # numbers of a word's row that are printed, and the width of each
MOST_TOKENS = 7


@dataclass(frozen=True)
class Rising:
    """One text in a language model.

    Attributes:
        tokens: T tokens as text.
        ids: T ids.
        stream: (L + 1, T, C), the rows before the first block and after each.
        looks: (L, T), whom the last token looks at in each block, the mean over its heads.
        would_say: for each row of the stream, what the model would say if it ended there: the
            likeliest token and its probability.
        says: the likeliest next tokens and their probabilities.
        sizes: of the vocabulary V.
    """

    tokens: Sequence[str]
    ids: Sequence[int]
    stream: np.ndarray
    looks: np.ndarray
    would_say: Sequence[tuple[str, float]]
    says: Sequence[tuple[str, float]]
    size: int


def tower(rising: Rising, title: str, caption: str) -> Stepped:
    """The drawing: text, embedding, a step for each block, the way out, and the next word.

    Args:
        rising: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, or there are too many tokens to read.
    """
    check(rising)
    levels, _, width = np.shape(rising.stream)
    last, word = rising.tokens[-1], rising.says[0][0]
    blocks = []
    for block, (row, said) in enumerate(zip(rising.looks, rising.would_say[1:], strict=True), 1):
        most = int(np.argmax(row))
        whom = "itself" if most == len(row) - 1 else f"“{rising.tokens[most].strip()}”"
        blocks.append(
            f"Block {block}: “{last.strip()}” looks most at {whom}, and adds what it finds to its "
            f"row. Read out here, it would say “{said[0].strip()}” ({said[1]:.0%})."
        )
    read = ", ".join(token.strip() for token in rising.tokens)
    alt = f"The tokens {read} go up through {levels - 1} blocks. "
    alt += "; ".join(
        f"after {'the embedding' if i == 0 else f'block {i}'} the last row would say "
        f"{name.strip()} with {p:.2f}"
        for i, (name, p) in enumerate(rising.would_say)
    )
    alt += f". In the end: {', '.join(f'{name.strip()} {p:.2f}' for name, p in rising.says)}."
    return stepped(
        draw(rising, alt),
        steps=[
            "The text is cut into tokens, and each token has a number, its id.",
            f"Each id takes its row of the embedding, {width} numbers. Three of them are shown.",
            *blocks,
            f"The last row meets the embedding once more: a score for each of {rising.size:,} "
            f"tokens, and a softmax makes probabilities of them.",
            f"“{word.strip()}” is chosen, and it joins the text. Then everything begins again.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["row of the last token", "first three numbers", "would say", "probability"],
        rows=[
            [
                "embedding" if i == 0 else f"after block {i}",
                ", ".join(f"{x:.2f}".replace("-", "−") for x in rising.stream[i, -1, :SHOWN]),
                name.strip(),
                f"{p:.2f}",
            ]
            for i, (name, p) in enumerate(rising.would_say)
        ],
    )


def check(rising: Rising) -> None:
    """Raise ValueError as `tower` says."""
    levels, T, _ = np.shape(rising.stream)
    wanted = (T, T, (levels - 1, T), levels)
    given = (
        len(rising.tokens),
        len(rising.ids),
        np.shape(rising.looks),
        len(rising.would_say),
    )
    if given != wanted:
        raise ValueError(
            f"a stream {np.shape(rising.stream)} needs tokens, ids, looks and readings "
            f"{wanted}, got {given}"
        )
    if T > MOST_TOKENS:
        raise ValueError(f"one can read up to {MOST_TOKENS} tokens, got {T}")


def draw(rising: Rising, alt: str) -> str:
    """The drawing as SVG."""
    levels, T, _ = np.shape(rising.stream)
    width = LEFT + T * COLUMN + RIGHT
    height = TOP + (levels - 1) * LEVEL + BOTTOM
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(T)]
    last = centers[-1]
    rows = [height - BOTTOM - i * LEVEL for i in range(levels)]  # the stream, from below
    canvas = Canvas(width, height, alt)
    largest = np.abs(rising.stream[:, :, :SHOWN]).max(axis=(1, 2))

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(6, y - 8, name, "big", "start", tone=tone)
        canvas.write(6, y + 9, note, "note", "start")

    def stream(level: int) -> None:
        """The rows at one height, and what the last of them would say."""
        y = rows[level]
        for i, center in enumerate(centers):
            digits = 1 if i == T - 1 else -1
            numbers = rising.stream[level, i, :SHOWN]
            canvas.cells(center, y, numbers, "residual", largest[level], digits, CELL)
        name, p = rising.would_say[level]
        canvas.write(width - RIGHT + 14, y - 8, f"“{name.strip()}” {p:.0%}", "big", "start")
        canvas.write(width - RIGHT + 14, y + 9, "it would say here", "note", "start")

    with canvas.step(1):
        label(height - 24, "text", "in tokens")
        label(height - 64, "ids", "")
        for center, token, number in zip(centers, rising.tokens, rising.ids, strict=True):
            canvas.box(center - COLUMN / 2 + 4, height - 40, COLUMN - 8, 32)
            canvas.write(center, height - 24, token.replace(" ", "␣"), "big")
            canvas.write(center, height - 72, str(number), "note")
            canvas.line([(center, height - 40), (center, height - 60)], arrow=True)
    with canvas.step(2):
        label(rows[0], "embedding", "a row for each", "residual")
        for center in centers:
            canvas.line([(center, height - 82), (center, rows[0] + 14)], "residual", 3, arrow=True)
        stream(0)
    for block in range(1, levels):
        below, above = rows[block - 1], rows[block]
        with canvas.step(2 + block):
            top = above + (LEVEL - BLOCK) / 2
            canvas.box(LEFT - 4, top, T * COLUMN + 8, BLOCK)
            label(top + BLOCK / 2, f"block {block}", "attention, then")
            canvas.write(6, top + BLOCK / 2 + 24, "feed-forward", "note", "start")
            for center in centers:
                canvas.line([(center, below - 13), (center, above + 14)], "residual", 4, arrow=True)
            for center, weight in zip(centers[:-1], rising.looks[block - 1], strict=False):
                middle = top + BLOCK / 2
                curve = [
                    (center, top + BLOCK - 6), (center, middle), (last, middle), (last, top + 8)
                ]  # fmt: skip
                canvas.line(curve, "value", max(0.7, 12 * float(weight)), flows=True)
            stream(block)
    with canvas.step(levels + 2):
        y = rows[-1] - 34
        label(y - 40, "logits", f"{rising.size:,} scores,")
        canvas.write(6, y - 16, "then a softmax", "note", "start")
        canvas.line([(last, rows[-1] - 13), (last, y)], "residual", 4, arrow=True)
        left, longest = LEFT + 20, last - LEFT - 150
        for i, (name, p) in enumerate(rising.says):
            at = 20 + i * 22
            canvas.write(left + 80, at, name.replace(" ", "␣"), "end")
            canvas.bar(left + 90, at - 8, max(2.0, p * longest), 16, "ink")
            canvas.write(left + 98 + p * longest, at, f"{p:.0%}", "start")
    with canvas.step(levels + 3):
        x = width - RIGHT / 2
        canvas.write(x, 20, f"“{rising.says[0][0].strip()}”", "word")
        canvas.write(x, 40, "joins the text", "note")
        edge = width - 10
        canvas.line(
            [(edge, 50), (edge, height - 24), (last + COLUMN / 2, height - 24)],
            "ink", 2, arrow=True, flows=True,
        )  # fmt: skip
    return canvas.svg()
