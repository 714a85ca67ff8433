"""Drawing: a conversation as one row of tokens, which of them a model learns to say, and how well.

The row runs to the right, and on narrow pages down.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from headway.figures.gallery.shared.drawn import Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_TOKENS, STAGES = 16, 3
TONES = ("faint", "ochre", "value")  # of the stages
NOTHING = "–"  # the target where the model only listens
LEFT, LETTER, LEAST = 66, 6.7, 32  # widths: of the rows' names, a letter, a token
READS, SAYS, TOP, TALL, FOOT = 60, 104, 142, 120, 70  # heights: two rows, the bars, below them
# On narrow pages: heights of a row, of one that is asked; what is beside the tokens.
ROW, ASKED, TARGET, BARS, LONG = 28, 45, 134, 202, 124


@dataclass(frozen=True)
class Conversation:
    """A conversation, and how likely its answer is to a model that learns.

    Attributes:
        tokens: T + 1 of them, the last one only said.
        told: how many are told, at the front.
        stages: by the name of a time, the probability of each token that is said.
    """

    tokens: Sequence[str]
    told: int
    stages: Mapping[str, Sequence[float]]

    def loss(self, stage: str) -> float:
        """The mean of −ln p over what is said."""
        p = self.stages[stage]
        return sum(-log(each) for each in p) / len(p)


def told_and_said(talk: Conversation, title: str, caption: str) -> Stepped:
    """The drawing: what is told, what is said, what is asked for, and a step for each stage.

    Args:
        talk: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the numbers do not fit each other, or there is too much to read.
    """
    check(talk)
    asked, answer = talk.tokens[: talk.told], talk.tokens[talk.told :]
    said = "; ".join(
        f"{stage}: {', '.join(f'{token} {p:.2f}' for token, p in zip(answer, row, strict=True))}, "
        f"loss {talk.loss(stage):.2f}"
        for stage, row in talk.stages.items()
    )
    alt = f"A row of tokens. Told: {' '.join(asked)}. Said, and in the loss: {' '.join(answer)}. "
    alt += f"How likely the right tokens are: {said}."
    return stepped(
        Wide(talk, alt).draw().svg(),
        steps=[
            f"{talk.told} tokens are told to the model. “{asked[-1]}” is the last of them.",
            f"Then it speaks: {len(answer)} tokens, the last of which says that it is done.",
            f"Each place is asked for the token after it, but only from “{asked[-1]}” on. Before "
            f"that the target is −100, drawn as {NOTHING}, and the loss leaves it out.",
            *(
                f"{stage[0].upper()}{stage[1:]}, the right tokens have these probabilities, and "
                f"the loss is {talk.loss(stage):.2f}."
                for stage in talk.stages
            ),
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["reads", "must say", *talk.stages],
        rows=[
            [talk.tokens[t], talk.tokens[t + 1] if asks else NOTHING]
            + [f"{row[t + 1 - talk.told]:.3f}" if asks else "" for row in talk.stages.values()]
            for t in range(len(talk.tokens) - 1)
            for asks in (t >= talk.told - 1,)
        ],
        upright=Narrow(talk, alt).draw().svg(upright=True),
    )


def check(talk: Conversation) -> None:
    """Raise ValueError as `told_and_said` says."""
    said = len(talk.tokens) - talk.told
    if talk.told < 1 or said < 1 or len(talk.tokens) > MOST_TOKENS:
        raise ValueError(
            f"something is told and something said, up to {MOST_TOKENS} tokens; got {talk.told} "
            f"told of {len(talk.tokens)}"
        )
    if len(talk.stages) != STAGES:
        raise ValueError(f"there are {STAGES} stages, got {list(talk.stages)}")
    for stage, row in talk.stages.items():
        if len(row) != said or not all(0 < p <= 1 for p in row):
            raise ValueError(
                f"{stage!r} needs a probability above 0 for each of {said} tokens, got {list(row)}"
            )


class Form:
    """One form of the drawing; a subclass says where things are."""

    def __init__(self, talk: Conversation, width: float, height: float, alt: str):
        self.talk, self.canvas = talk, Canvas(width, height, alt)

    def draw(self) -> Canvas:
        talk, T = self.talk, len(self.talk.tokens) - 1
        with self.canvas.step(1):
            self.heads()
            for t in range(talk.told):
                self.token(t, "ink")
        with self.canvas.step(2):
            for t in range(talk.told, T):
                self.token(t, "value")
        with self.canvas.step(3):
            for t in range(T):
                asks = t >= talk.told - 1
                with self.canvas.moving("appears", after=0.05 * t):
                    self.target(t, talk.tokens[t + 1] if asks else NOTHING, asks)
            self.silent("not in the loss")
        for number, (stage, row) in enumerate(talk.stages.items()):
            with self.canvas.step(4 + number):
                self.named(number, f"{stage}: loss {talk.loss(stage):.2f}")
                for t, p in self.placed(row):
                    self.bar(t, number, p)
        return self.canvas

    def placed(self, row: Sequence[float]) -> Iterator[tuple[int, float]]:
        """The probabilities, each with the place that is asked."""
        return enumerate(row, self.talk.told - 1)


class Wide(Form):
    """The row runs to the right."""

    def __init__(self, talk: Conversation, alt: str):
        targets = [NOTHING] * (talk.told - 1) + list(talk.tokens[talk.told :])
        pairs = zip(talk.tokens, targets, strict=False)  # the last is only said
        self.columns = [max(LEAST, LETTER * max(map(len, pair))) + 10 for pair in pairs]
        width = LEFT + sum(self.columns) + 4
        super().__init__(talk, width, TOP + TALL + FOOT, alt)

    def left(self, t: int) -> float:
        """Where a token's column begins."""
        return LEFT + sum(self.columns[:t])

    def heads(self) -> None:
        """The names of the rows, and who speaks."""
        self.canvas.write(LEFT - 8, READS, "reads", "end")
        self.canvas.write(self.left(0) + 4, READS - 30, "told", "big", "start")

    def token(self, t: int, tone: str) -> None:
        """A token that is read; above the first that is said, the head of these."""
        if t == self.talk.told:
            self.canvas.write(self.left(t) + 4, READS - 30, "said", "big", "start", tone="value")
        x, wide = self.left(t), self.columns[t]
        self.canvas.box(x + 2, READS - 14, wide - 4, 28, "" if tone == "ink" else tone)
        self.canvas.write(x + wide / 2, READS, self.talk.tokens[t])

    def target(self, t: int, said: str, asks: bool) -> None:
        """What is to be said after a token."""
        if t == 0:
            self.canvas.write(LEFT - 8, SAYS, "must say", "end")
        x = self.left(t) + self.columns[t] / 2
        if asks:
            self.canvas.line([(x, READS + 17), (x, SAYS - 13)], "value", 1.5, arrow=True)
        self.canvas.write(x, SAYS, said, tone="value" if asks else "")

    def silent(self, said: str) -> None:
        """What holds for the places where nothing is asked."""
        end = self.left(self.talk.told - 1)
        self.canvas.line([(LEFT + 8, SAYS + 18), (end - 8, SAYS + 18)], "ink", 1)
        self.canvas.write((LEFT + end) / 2, SAYS + 34, said)

    def named(self, number: int, said: str) -> None:
        """A stage, at the height of its numbers."""
        y = self.below(number)
        self.canvas.bar(LEFT, y - 5, 18, 10, TONES[number])
        self.canvas.write(LEFT + 26, y, said, "start")

    def below(self, number: int) -> float:
        """The height of a stage's numbers, below the bars."""
        return TOP + TALL + 18 + 20 * number

    def bar(self, t: int, number: int, p: float) -> None:
        """A probability, upward."""
        wide, tall = (self.columns[t] - 10) / STAGES, max(1.0, TALL * p)
        x, y = self.left(t) + 5 + number * wide, TOP + TALL - tall
        with self.canvas.moving("rises"):
            self.canvas.bar(x, y, wide - 1, tall, TONES[number])
        self.canvas.write(self.left(t) + self.columns[t] / 2, self.below(number), f"{p:.0%}")


class Narrow(Form):
    """The row runs down."""

    def __init__(self, talk: Conversation, alt: str):
        told, asked = talk.told - 1, len(talk.tokens) - talk.told
        self.rows = [ROW] * told + [ASKED] * asked
        super().__init__(talk, BARS + LONG + 50, 34 + sum(self.rows) + 24 * STAGES + 10, alt)

    def middle(self, t: int) -> float:
        """The height of a token."""
        return 34 + sum(self.rows[:t]) + self.rows[t] / 2

    def heads(self) -> None:
        """The names of the columns, and who speaks."""
        self.canvas.write(88, 16, "reads")
        self.canvas.write(4, self.middle(0), "told", "start")

    def token(self, t: int, tone: str) -> None:
        """A token that is read."""
        y = self.middle(t)
        if t == self.talk.told:
            self.canvas.write(4, y, "said", "start", tone="value")
        self.canvas.box(46, y - 12, 84, 24, "" if tone == "ink" else tone)
        self.canvas.write(88, y, self.talk.tokens[t])

    def target(self, t: int, said: str, asks: bool) -> None:
        """What is to be said after a token."""
        if t == 0:
            self.canvas.write(TARGET + 4, 16, "must say", "start")
        self.canvas.write(TARGET + 8, self.middle(t), said, "start", tone="value" if asks else "")

    def silent(self, said: str) -> None:
        """What holds for the places where nothing is asked."""
        x, end = TARGET + 30, 34 + sum(self.rows[: self.talk.told - 1])
        self.canvas.line([(x, 38), (x, end - 4)], "ink", 1)
        self.canvas.write(x + 12, (34 + end) / 2, said, "start")

    def named(self, number: int, said: str) -> None:
        """A stage, below all tokens."""
        y = 34 + sum(self.rows) + 18 + 24 * number
        self.canvas.bar(46, y - 5, 18, 10, TONES[number])
        self.canvas.write(72, y, said, "start")

    def bar(self, t: int, number: int, p: float) -> None:
        """A probability, to the right."""
        high, long = (ASKED - 4) / STAGES, max(1.0, LONG * p)
        y = self.middle(t) - ASKED / 2 + 2 + number * high
        with self.canvas.moving("widens"):
            self.canvas.bar(BARS, y, long, high - 2, TONES[number])
        self.canvas.write(BARS + LONG + 26, y + high / 2 - 1, f"{p:.0%}", "note")
