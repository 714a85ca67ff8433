"""Drawing: the earlier words vote for the next word, first all of them, then those a mask lets."""

import numpy as np

from headway.figures.core.page import number
from headway.figures.gallery.shared.stepped import Stepped, stepped
from headway.figures.gallery.skip_bigrams.votes import tally
from headway.figures.gallery.skip_bigrams.voting import Voting
from headway.figures.gallery.skip_bigrams.voting_forms import across, below, draw

MOST_WORDS = 10


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
        draw(voting, across(voting), alt := _alt(voting, everybody, masked)),
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
        upright=draw(voting, below(voting), alt, upright=True),
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
