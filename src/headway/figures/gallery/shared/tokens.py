"""Tokens as boxes: what the figures of tokens share."""

from collections.abc import Sequence

SIGNS = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})
LETTER, PADDING, LINE = 0.13, 0.14, 0.42  # inches: a letter, around a token, from line to line


def shown(token: bytes) -> str:
    """A token as it is shown: white space as signs, bytes that are no letters in hexadecimal."""
    try:
        return token.decode().translate(SIGNS)
    except UnicodeDecodeError:
        return "".join(f"⟨{byte:02X}⟩" for byte in token)


def in_words(tokens: Sequence[bytes]) -> str:
    """Tokens for a text alternative, parted by bars."""
    return " | ".join(map(shown, tokens))


def wrapped(tokens: Sequence[bytes], width: float) -> list[list[bytes]]:
    """Tokens in lines of so many inches."""
    lines, taken = [[]], 0.0
    for token in tokens:
        needed = width_of(token)
        if lines[-1] and taken + needed > width:
            lines.append([])
            taken = 0.0
        lines[-1].append(token)
        taken += needed
    return lines


def width_of(token: bytes) -> float:
    """Inches that a token's box takes, with the gap after it."""
    return LETTER * len(shown(token)) + PADDING


def draw_tokens(ax, lines: Sequence[tuple[str, Sequence[bytes]]], width: float, margin: float):
    """Lines of tokens in boxes, each with a label to the left.

    Args:
        ax: to draw on; one unit becomes an inch.
        lines: (label, tokens) from top to bottom.
        width: of the picture in inches.
        margin: of it for the labels.
    """
    from matplotlib.patches import Rectangle

    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(LINE * len(lines), 0))
    for row, (label, tokens) in enumerate(lines):
        x, y = margin, row * LINE
        ax.text(margin - 0.1, y + LINE / 2, label, ha="right", va="center", size=10)
        for i, token in enumerate(tokens):
            box = width_of(token) - 0.04
            face = ("#e1effa", "#f6f8fa")[i % 2]
            ax.add_patch(Rectangle((x, y + 0.06), box, LINE - 0.12, fc=face, ec="C0", lw=0.8))
            ax.text(x + box / 2, y + LINE / 2, shown(token), ha="center", va="center",
                    family="monospace", size=10.5)  # fmt: skip
            x += width_of(token)
