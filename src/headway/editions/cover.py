"""The cover, drawn once for paper and e-reader: a one-hot vector that picks a row of a matrix."""

import io
from pathlib import Path

from headway.editions.contents import Book

BLUE, AMBER, WHITE = "#0b4f79", "#f0a732", "#ffffff"
WIDTH, HEIGHT = 8.27, 11.69  # inches: A4
ROWS, COLUMNS, LIT = 7, 5, 2
SUBJECT = "A course on how the Transformer works"


def draw_cover(book: Book, kind: str, dpi: int = 150) -> bytes:
    """The cover as a file of this kind, "svg" or "png"."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(
        {"svg.fonttype": "path", "svg.hashsalt": "headway", "font.family": "DejaVu Sans"}
    ):
        figure = Figure(figsize=(WIDTH, HEIGHT), facecolor=BLUE)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
        axes.axis("off")
        write(axes, book)
        draw_lookup(axes)
        file = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(file, format=kind, dpi=dpi, metadata=metadata)
    return file.getvalue()


def write(axes, book: Book) -> None:
    """Title, subtitle, subject and author."""
    title, _, subtitle = book.title.partition(": ")
    left = 0.95
    axes.text(left, 9.75, title, size=54, weight="bold", color=WHITE)
    axes.text(left, 9.1, subtitle, size=21, color=WHITE)
    axes.text(left, 1.45, SUBJECT, size=15, color=WHITE)
    axes.text(left, 1.0, book.author, size=12, color=WHITE, alpha=0.85)


def draw_lookup(axes) -> None:
    """The vector on the left, the matrix in the middle, the row that comes out on the right."""
    from matplotlib.patches import FancyBboxPatch

    def cell(x, y, color, alpha):
        style = "round,pad=0,rounding_size=0.07"
        axes.add_patch(FancyBboxPatch((x, y), 0.44, 0.44, style, fc=color, ec="none", alpha=alpha))

    pitch, top = 0.56, 7.1
    for row in range(ROWS):
        lit = row == LIT
        cell(0.95, top - row * pitch, AMBER if lit else WHITE, 1 if lit else 0.25)
        for column in range(COLUMNS):
            shade = 0.15 + 0.1 * ((3 * row + 5 * column) % 4)
            color, alpha = (AMBER, 0.55 + 0.11 * (column * 2 % 5)) if lit else (WHITE, shade)
            cell(2.35 + column * pitch, top - row * pitch, color, alpha)
    y = top - LIT * pitch + 0.22
    arrow = {"arrowstyle": "-|>", "color": AMBER, "lw": 4, "mutation_scale": 26}
    axes.annotate("", (2.25, y), (1.5, y), arrowprops=arrow)
    axes.annotate("", (6.2, y), (5.2, y), arrowprops=arrow)
    axes.text(6.3, y, "next word", size=15, color=WHITE, va="center")


def write_cover(book: Book, file: Path) -> Path:
    file.write_bytes(draw_cover(book, file.suffix.removeprefix(".")))
    return file
