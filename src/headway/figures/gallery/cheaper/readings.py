"""What a draft guesses and what the model makes of it, as a staircase: a reading is a stair."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from headway.figures.gallery.shared.drawn import Canvas

LEFT, HEAD, FOOT, EDGE = 34, 52, 56, 6  # widths and heights around the stairs
RISE = 76  # from reading to reading
BARS, TALL = 40, 28  # from a guess down to the foot of its bars, and the height of a bar for 100%
BELOW = 54  # from a guess down to what is written
EXPLAINED = 136  # width of what is said beside the first reading


@dataclass(frozen=True)
class Reading:
    """What one reading of the model gave.

    Attributes:
        guesses: the draft's tokens, as they are shown.
        q: the probability that each had for the draft.
        p: the one that it has for the model.
        kept: how many of them are kept.
        own: the token that the model draws itself, behind these.
    """

    guesses: Sequence[str]
    q: Sequence[float]
    p: Sequence[float]
    kept: int
    own: str

    @property
    def tokens(self) -> list[str]:
        """What the text goes on with."""
        return [*self.guesses[: self.kept], self.own]

    @property
    def free(self) -> bool:
        """Whether its own token comes on top, and not in the place of a guess."""
        return self.kept == len(self.guesses)


def draw(prompt: str, readings: Sequence[Reading], pitch: float, name: str, alt: str) -> Canvas:
    """The stairs, and the text at their foot.

    Args:
        pitch: from token to token.
        name: of the tokens.
    """
    starts = [0, *accumulate(len(reading.tokens) for reading in readings)]
    columns = max(
        start + max(len(reading.guesses), len(reading.tokens))
        for start, reading in zip(starts, readings, strict=False)
    )
    bottom = HEAD + RISE * len(readings)
    beside = LEFT + (len(readings[0].guesses) + 0.6) * pitch  # where the explanations begin
    width = max(LEFT + columns * pitch, beside + EXPLAINED) + EDGE
    canvas = Canvas(width, bottom + FOOT, alt)
    for number, (start, reading) in enumerate(zip(starts, readings, strict=False), 1):
        with canvas.step(number):
            if number == 1:
                canvas.write(4, 16, f"{prompt} …", "word", "start")
                explained(canvas, beside)
            Stair(canvas, LEFT + start * pitch, HEAD + RISE * (number - 1), pitch).built(
                number, reading
            )
    with canvas.step(len(readings) + 1):
        y = bottom + 12
        canvas.line([(LEFT, y - 20), (LEFT + starts[-1] * pitch, y - 20)], "faint", 1.2)
        for start, reading in zip(starts, readings, strict=False):
            stair = Stair(canvas, LEFT + start * pitch, y - BELOW, pitch)
            stair.written(reading)
        said = f"{starts[-1]} {name} from {len(readings)} readings of the model"
        canvas.write(LEFT, y + 28, said, "start")
    return canvas


def explained(canvas: Canvas, x: float) -> None:
    """What the lines of the first reading are, beside it."""
    canvas.write(x, HEAD, "guessed by the draft", "start", tone="ochre")
    canvas.write(x, HEAD + BELOW / 2, "how likely for each", "start")
    canvas.write(x, HEAD + BELOW, "written by the model", "start", tone="residual")


class Stair:
    """One reading: guesses above, what is written below, and two bars between.

    Args:
        x: where its first token begins.
        y: the middle of the guesses.
        pitch: from token to token.
    """

    def __init__(self, canvas: Canvas, x: float, y: float, pitch: float):
        self.canvas, self.x, self.y, self.pitch = canvas, x, y, pitch

    def middle(self, place: int) -> float:
        """The middle of a token."""
        return self.x + (place + 0.5) * self.pitch

    def built(self, number: int, reading: Reading) -> None:
        """What was guessed, how probable it was for both, and what is written."""
        self.canvas.write(16, self.y + BELOW / 2, str(number), "note")
        for i, guess in enumerate(reading.guesses):
            with self.canvas.moving("appears", after=0.15 * i):
                if i > reading.kept:  # read in vain
                    self.canvas.write(self.middle(i), self.y, guess, "note")
                    continue
                self.canvas.write(self.middle(i), self.y, guess, "big", tone="ochre")
            self.compared(i, reading.q[i], reading.p[i])
        if not reading.free:
            x, half = self.middle(reading.kept), 0.38 * self.pitch
            with self.canvas.moving("appears", after=0.9):
                self.canvas.line([(x - half, self.y + 8), (x + half, self.y - 8)], "ink", 0.9)
        self.written(reading, after=1.0)

    def compared(self, place: int, q: float, p: float) -> None:
        """The two probabilities of a guess."""
        x, wide = self.middle(place), min(7.0, 0.36 * self.pitch)
        foot = self.y + BARS
        with self.canvas.moving("rises", after=0.6):
            for left, share, tone in ((x - wide - 0.5, q, "ochre"), (x + 0.5, p, "residual")):
                tall = max(0.8, TALL * share)
                self.canvas.bar(left, foot - tall, wide, tall, tone)

    def written(self, reading: Reading, after: float = 0) -> None:
        """The guesses that are kept, and the model's own token in a box."""
        y, last = self.y + BELOW, self.middle(reading.kept)
        with self.canvas.moving("appears", after=after):
            for i, guess in enumerate(reading.guesses[: reading.kept]):
                self.canvas.write(self.middle(i), y, guess, "big")
            wide = self.pitch - 1
            self.canvas.box(last - wide / 2, y - 11, wide, 22, "residual")
            self.canvas.write(last, y, reading.own, "big")
