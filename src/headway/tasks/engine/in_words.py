"""Describe values and their lengths in a few words, and spell small numbers."""

import numpy as np

KEYS_SHOWN, CHARACTERS_SHOWN = 3, 120
SPELLED = (  # whole numbers, as words
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def shown(value) -> str:
    """A value in a few words, or its first characters."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, list) and any(isinstance(item, np.ndarray) for item in value):
        return f"a list of {len(value)}, with {shown(value[0])} first"
    if isinstance(value, (list, str)):
        value = value[: CHARACTERS_SHOWN + 1]  # the rest is not shown
    try:
        text = number(value) if isinstance(value, float) else repr(value)
    except ValueError:  # Python refuses to print an integer of over 4,300 digits
        return "a number of thousands of digits"
    short = CHARACTERS_SHOWN
    return text if len(text) <= short else text[: short - 3] + "…"


def number(value: float) -> str:
    return f"{value:,.0f}" if 10_000 <= abs(value) < 1e15 else f"{value:.6g}"


def item_count(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def and_more(keys: list) -> str:
    return f" and {len(keys) - KEYS_SHOWN} more" if len(keys) > KEYS_SHOWN else ""
