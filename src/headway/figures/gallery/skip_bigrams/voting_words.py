"""Drawing: the earlier words vote for the next word, first all of them, then those a mask lets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headway.figures.core.page import number
from headway.figures.gallery.shared.drawn import CELL, TALL, Canvas
from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.skip_bigrams.votes import tally

LEFT, COLUMN, VOTE = 70, 70, 20  # beside the columns, a column, and as wide as one vote
WORD, GAP = 140, 78  # how far down the words are, and what is between two rows of the story
MOST_WORDS = 10


@dataclass(frozen=True)
class Voting:
    """A vote on the next word, in numbers.

    Attributes:
        words: T different words so far, the latest at the end.
        answers: the two words that get votes.
        votes: (T−1, 2), what each earlier word, paired with the latest, votes for.
        mask: (T−1,) bool, True for those that may vote.
    """

    words: Sequence[str]
    answers: Sequence[str]
    votes: np.ndarray
    mask: np.ndarray

    @property
    def all_votes(self) -> np.ndarray:
        """(2,) the sums if everybody votes."""
        return self.votes.sum(axis=0)

    @property
    def masked_votes(self) -> np.ndarray:
        """(2,) the sums behind the mask."""
        return self.votes[self.mask].sum(axis=0)

    @property
    def undecided(self) -> int:
        """How many earlier words give both answers the same."""
        return int((self.votes[:, 0] == self.votes[:, 1]).sum())


def voting_words(voting: Voting, title: str, caption: str) -> Stepped:
    """The drawing, in six steps.

    Args:
        voting: the numbers.
        title, caption: as printed.

    Raises:
        ValueError: if the shapes do not fit each other, a word comes twice, there are more than ten
            words or not two answers.
    """
    check(voting)
    *earlier, latest = voting.words
    heard = [word for word, may in zip(earlier, voting.mask, strict=True) if may]
    everybody = tally(voting.answers, voting.all_votes)
    masked = tally(voting.answers, voting.masked_votes)
    alone = " and ".join(f"“{word}”" for word in heard) or "nobody"
    return stepped(
        draw(voting, alt := _alt(voting, everybody, masked)),
        steps=[
            f"The latest word is “{latest}”. What comes next?",
            f"“{latest}” makes a pair with each of the {len(earlier)} words before it.",
            f"Each pair says what it has seen come next. {voting.undecided} of {len(earlier)} give "
            "half a vote to either word: they don’t know.",
            f"All votes together: {everybody}.",
            f"A mask: 1 for a pair that may speak, 0 for a pair that must be silent. Here {alone} "
            "may speak.",
            f"What is left behind the mask: {masked}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["pair", *voting.answers, "mask"],
        rows=[
            [f"{word} … {latest}", *(number(x, 2) for x in row), str(int(may))]
            for word, row, may in zip(earlier, voting.votes, voting.mask, strict=True)
        ],
    )


def _alt(voting: Voting, everybody: str, masked: str) -> str:
    *earlier, latest = voting.words
    each = "; ".join(
        f"{word}: {tally(voting.answers, row)}"
        for word, row in zip(earlier, voting.votes, strict=True)
    )
    return (
        f"Each word before “{latest}” votes for the next word. {each}. Together: {everybody}. "
        f"Behind the mask: {masked}."
    )


def check(voting: Voting) -> None:
    """Raise ValueError as `voting_words` says."""
    N = len(voting.words) - 1
    given = np.shape(voting.votes), np.shape(voting.mask), np.asarray(voting.mask).dtype
    if given != ((N, 2), (N,), bool) or len(voting.answers) != 2:
        raise ValueError(
            f"{N} words before the latest and two answers need votes ({N}, 2) and a mask ({N},) of "
            f"booleans; got {given[0]}, {given[1]} of {given[2]}, and {len(voting.answers)} answers"
        )
    if not 2 <= N + 1 <= MOST_WORDS:
        raise ValueError(f"one can read 2 to {MOST_WORDS} words, got {N + 1}")
    if len(set(voting.words[:-1])) < N:
        raise ValueError("a word that comes twice votes once, and has no place of its own here")


def draw(voting: Voting, alt: str) -> str:
    """The drawing as SVG."""
    *earlier, latest = voting.words
    centers = [LEFT + (i + 0.5) * COLUMN for i in range(len(voting.words))]
    at, mask = centers[-1], voting.mask
    everybody = WORD + GAP
    row, masked = everybody + GAP, everybody + 2 * GAP
    sums = at - COLUMN / 2 + 12  # where their bars begin
    longest = max(voting.all_votes.max(), 1)
    canvas = Canvas(sums + longest * VOTE + 44, masked + TALL + 20, alt)

    def label(y: float, name: str, note: str, tone: str = "") -> None:
        canvas.write(6, y - 9, name, "big", "start", tone=tone)
        canvas.write(6, y + 9, note, "note", "start")

    def bars(y: float, voters: np.ndarray, total: np.ndarray) -> None:
        """A bar for each answer, a block for each vote or part of one."""
        for w in range(2):
            level, end = y + (w - 0.5) * TALL, sums
            for vote in voting.votes[voters, w]:
                if vote > 0:
                    middle, wide = end + vote * VOTE / 2, vote * VOTE
                    canvas.cells(middle, level, [vote], "value", 1, digits=-1, width=wide)
                    end += wide
            canvas.write(end + 8, level, number(total[w], 2), "big", "start")

    def cells(y: float, i: int) -> None:
        for w in range(2):
            vote = float(voting.votes[i, w])
            digits = next(n for n in range(3) if n == 2 or round(vote, n) == vote)
            canvas.cells(centers[i], y + (w - 0.5) * TALL, [vote], "value", 1, digits=digits)

    with canvas.step(1):
        for center, word in zip(centers[:-1], earlier, strict=True):
            canvas.write(center, WORD, word, "word")
        canvas.box(at - 30, WORD - 17, 60, 34, tone="query")
        canvas.write(at, WORD, latest, "word")
        canvas.write(at + 40, WORD, "?", "big", "start")
    with canvas.step(2):
        canvas.write(6, 16, "pairs", "big", "start", tone="query")
        for i, center in enumerate(centers[:-1]):
            top = WORD - 40 - 94 * (len(earlier) - i) / len(earlier)
            start = (at - 16 + 32 * i / len(earlier), WORD - 18)
            arc = [start, (start[0], top), (center, top), (center, WORD - 14)]
            canvas.line(arc, "query", 1.5, arrow=True, flows=True)
    with canvas.step(3):
        for w, answer in enumerate(voting.answers):
            level = everybody + (w - 0.5) * TALL
            canvas.write(6, level, answer, "big", "start", tone="value")
        for i in range(len(earlier)):
            cells(everybody, i)
    with canvas.step(4):
        bars(everybody, np.ones(len(earlier), dtype=bool), voting.all_votes)
    with canvas.step(5):
        label(row, "mask", "may speak", tone="key")
        for center, may in zip(centers[:-1], mask, strict=True):
            canvas.cells(center, row, [may], "key", 1, digits=0)
    with canvas.step(6):
        for w, answer in enumerate(voting.answers):
            level = masked + (w - 0.5) * TALL
            canvas.write(6, level, answer, "big", "start", tone="value")
        for i in np.flatnonzero(mask):
            canvas.line(
                [(centers[i], row + TALL / 2), (centers[i], masked - TALL)],
                "key", 2, arrow=True, flows=True,
            )  # fmt: skip
            cells(masked, i)
        if mask.any():
            begin = centers[np.flatnonzero(mask)[-1]] + CELL / 2 + 6
            canvas.line([(begin, masked), (sums - 10, masked)], "value", 2, arrow=True, flows=True)
        bars(masked, mask, voting.masked_votes)
    return canvas.svg()
