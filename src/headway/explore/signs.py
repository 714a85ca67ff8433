"""Tokens as signs that a reader can see."""

from headway.figures.gallery.shared.tokens import shown

BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols without ink


def printed(token: bytes) -> str:
    """A token as the book shows it, and in it ⟨1B⟩ or ⟨U+200B⟩ for what prints nothing."""
    return "".join(sign if has_ink(sign) else number_of(sign) for sign in shown(token))


def has_ink(sign: str) -> bool:
    """Whether a sign can be seen: it is no control or format character and no kind of space."""
    return sign.isprintable() and sign not in BLANK


def number_of(sign: str) -> str:
    """A sign by its byte, or by its number in Unicode if that takes more."""
    return f"⟨{ord(sign):02X}⟩" if ord(sign) < 0x80 else f"⟨U+{ord(sign):04X}⟩"
