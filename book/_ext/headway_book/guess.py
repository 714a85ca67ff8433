"""The form in which a reader gives a guess; `guess.js` compares it with the answer.

Without scripts the form is hidden, for there is nothing that could answer.
"""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Number:
    """An answer that is a number.

    Attributes:
        right: the answer.
        unit: what is counted, or "".
        within: by how much a guess may be off and still be right.
    """

    right: float
    unit: str
    within: float


@dataclass(frozen=True)
class Choice:
    """An answer that is one of a few."""

    choices: tuple[str, ...]
    right: str


def form(guess: Number | Choice, fold: str) -> str:
    """The form as HTML, hidden until a script shows it.

    Args:
        fold: the id of the fold with the answer.
    """
    said = '<output class="hw-said"></output></form>\n'
    opening = f'<form class="hw-guess" data-fold="{fold}" autocomplete="off" hidden'
    if isinstance(guess, Number):
        unit = f" {escape(guess.unit)}" if guess.unit else ""
        return (
            f'{opening} data-number="{guess.right:.12g}" data-unit="{escape(guess.unit)}" '
            f'data-within="{guess.within:.12g}">'
            '<label>Your guess: <input type="text" inputmode="decimal" required size="7">'
            f"{unit}</label> <button>Compare</button> {said}"
        )
    buttons = " ".join(
        f'<button value="{escape(choice)}">{escape(choice)}</button>' for choice in guess.choices
    )
    return (
        f'{opening} data-right="{escape(guess.right)}"><span role="group" '
        f'aria-label="Your guess">Your guess: {buttons}</span> {said}'
    )
