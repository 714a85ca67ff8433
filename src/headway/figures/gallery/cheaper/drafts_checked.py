"""Drawing: a cheap draft guesses, a model checks, and a text is written in few readings."""

from collections.abc import Sequence
from dataclasses import dataclass

from headway.figures.gallery.cheaper.readings import Reading, draw
from headway.figures.gallery.shared.stepped import Stepped, stepped

MOST_TOKENS, MOST_GUESSES = 25, 8


@dataclass(frozen=True)
class Pieces:
    """What the tokens of a text are.

    Attributes:
        name: of several.
        between: what stands between two of them in a text.
        pitch, narrow_pitch: from one to the next in the drawing, and on narrow pages.
    """

    name: str
    between: str
    pitch: float
    narrow_pitch: float


LETTERS, WORDS = Pieces("letters", "", 27, 14), Pieces("tokens", " ", 62, 52)


def drafts_checked(
    prompt: str, readings: Sequence[Reading], title: str, caption: str, pieces: Pieces = LETTERS
) -> Stepped:
    """The drawing: a step for each reading of the model, and one for the text.

    Args:
        prompt: what the text begins with.
        readings: in order.
        title, caption: as printed.
        pieces: `LETTERS` or `WORDS`.

    Raises:
        ValueError: if a reading's numbers do not fit each other, or there is too much to read.
    """
    check(readings)
    join, name = pieces.between.join, pieces.name
    text = join(token for reading in readings for token in reading.tokens)
    count = sum(len(reading.tokens) for reading in readings)
    stairs = "; ".join(
        f"{join(reading.guesses) or 'nothing'} guessed, {join(reading.tokens)} written"
        for reading in readings
    )
    alt = (
        f"After “{prompt}” the model writes “{text}”, {count} {name} in {len(readings)} readings. "
        f"Reading by reading: {stairs}."
    )
    return stepped(
        draw(prompt, readings, pieces.pitch, name, alt).svg(),
        steps=[
            *(told(number, reading, pieces) for number, reading in enumerate(readings, 1)),
            "The text is the model’s own, and what it drew itself is in a box. Alone, it would "
            f"have taken {count} readings and not {len(readings)}.",
        ],
        title=title,
        caption=caption,
        alt=alt,
        header=["reading", "guess", "q, draft", "p, model", "kept with chance", "what happens"],
        rows=[
            [number, guess, f"{q:.3f}", f"{p:.3f}", f"{min(1, p / q):.2f}", fate(reading, i)]
            for number, reading in enumerate(readings, 1)
            for i, (guess, q, p) in enumerate(
                zip(reading.guesses, reading.q, reading.p, strict=True)
            )
        ],
        upright=draw(prompt, readings, pieces.narrow_pitch, name, alt).svg(upright=True),
    )


def told(number: int, reading: Reading, pieces: Pieces) -> str:
    """What happens in one reading, in a sentence or two."""
    join = pieces.between.join
    guesses, kept = join(reading.guesses), join(reading.guesses[: reading.kept])
    if not reading.guesses:
        return f"Reading {number}: nothing is guessed, and the model writes “{reading.own}”."
    if reading.free:
        return (
            f"Reading {number}: all of “{guesses}” is kept, and the model adds “{reading.own}” "
            f"for free: {len(reading.tokens)} {pieces.name} in one reading."
        )
    lost, q, p = (part[reading.kept] for part in (reading.guesses, reading.q, reading.p))
    start = f"“{kept}” is kept" if kept else "nothing is kept"
    return (
        f"Reading {number}: the draft guesses “{guesses}”, and {start}. For “{lost}” the draft "
        f"said {q:.0%} and the model {p:.0%}; the model writes “{reading.own}” in its place."
    )


def fate(reading: Reading, place: int) -> str:
    """What becomes of a guess."""
    if place < reading.kept:
        return "kept"
    return f"“{reading.own}” in its place" if place == reading.kept else "read in vain"


def check(readings: Sequence[Reading]) -> None:
    """Raise ValueError as `drafts_checked` says."""
    count = sum(len(reading.tokens) for reading in readings)
    if not 1 <= count <= MOST_TOKENS:
        raise ValueError(f"one can read 1 to {MOST_TOKENS} tokens, got {count}")
    for reading in readings:
        k = len(reading.guesses)
        if not len(reading.q) == len(reading.p) == k <= MOST_GUESSES:
            raise ValueError(
                f"each of up to {MOST_GUESSES} guesses has a q and a p, got {k} guesses, "
                f"{len(reading.q)} q and {len(reading.p)} p"
            )
        if not 0 <= reading.kept <= k:
            raise ValueError(f"{reading.kept} of {k} guesses cannot be kept")
        if not all(0 < q <= 1 and 0 <= p <= 1 for q, p in zip(reading.q, reading.p, strict=True)):
            raise ValueError("q and p are probabilities, and what was guessed has a q above 0")
